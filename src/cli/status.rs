//! How the program ends.

/// The exit status, from best to worst.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Status {
    /// Done.
    Done,
    /// A check failed, or a log does not verify.
    Failed,
    /// The program was not called rightly, or the notation is wrong.
    Notation,
    /// Evaluating failed, or a limit was met.
    Evaluation,
    /// Reading or writing failed.
    Io,
}

impl Status {
    /// As the shell sees it.
    pub const fn code(self) -> u8 {
        match self {
            Status::Done => 0,
            Status::Failed => 1,
            Status::Notation => 2,
            Status::Evaluation => 3,
            Status::Io => 4,
        }
    }
}
