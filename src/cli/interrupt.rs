//! Long work: Ctrl-C ends it early, and a terminal shows how far it is.

use std::io::{IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Once, mpsc};
use std::time::{Duration, Instant};

/// Whether Ctrl-C was pressed since the last work began.
static STOPPED: AtomicBool = AtomicBool::new(false);

/// Work that can be stopped.
pub struct Work {
    began: Instant,
    next: Instant,
    shown: bool,
    terminal: bool,
}

impl Work {
    /// Begins; from now on Ctrl-C asks for an end instead of ending the program.
    pub fn begin() -> Work {
        static HANDLER: Once = Once::new();
        // Where this fails, Ctrl-C ends the program as ever.
        HANDLER.call_once(|| drop(ctrlc::set_handler(|| STOPPED.store(true, Ordering::Relaxed))));
        STOPPED.store(false, Ordering::Relaxed);
        let (began, terminal) = (Instant::now(), std::io::stderr().is_terminal());
        Work { began, next: began + Duration::from_secs(1), shown: false, terminal }
    }

    /// Whether an end was asked for. Shows how far the work is, the first time after a second.
    pub fn stop(&mut self, done: u64, all: u64, err: &mut dyn Write) -> std::io::Result<bool> {
        let percent = u128::from(done) * 100 / u128::from(all.max(1));
        self.show(&|| format!("{done} of {all} ({percent} %)"), err)
    }

    fn show(&mut self, text: &dyn Fn() -> String, err: &mut dyn Write) -> std::io::Result<bool> {
        if self.terminal && Instant::now() >= self.next {
            write!(err, "\r{} ", text())?;
            err.flush()?;
            self.shown = true;
            self.next = Instant::now() + Duration::from_millis(200);
        }
        Ok(STOPPED.load(Ordering::Relaxed))
    }

    /// Ends, and wipes what was shown.
    pub fn end(&mut self, err: &mut dyn Write) -> std::io::Result<()> {
        if std::mem::take(&mut self.shown) {
            write!(err, "\r{:60}\r", "")?;
        }
        Ok(())
    }
}

/// Does what cannot say how far it is beside the clock; `None` if it was stopped.
///
/// # Errors
/// No thread can be had, or the progress cannot be written.
pub fn watched<T: Send + 'static>(
    err: &mut dyn Write,
    job: impl FnOnce() -> T + Send + 'static,
) -> std::io::Result<Option<T>> {
    let mut work = Work::begin();
    let (sender, receiver) = mpsc::channel();
    // As much stack as the first thread of a program has. If nobody waits any more, nobody needs the result.
    let job = move || drop(sender.send(job()));
    let thread = std::thread::Builder::new().stack_size(8 << 20).spawn(job)?;
    let result = loop {
        match receiver.recv_timeout(Duration::from_millis(50)) {
            Ok(result) => break Some(result),
            Err(mpsc::RecvTimeoutError::Timeout) => {
                let seconds = work.began.elapsed().as_secs();
                let text = || format!("computing the odds: {seconds} s; Ctrl-C stops");
                if work.show(&text, err)? {
                    break None;
                }
            }
            Err(mpsc::RecvTimeoutError::Disconnected) => {
                // The thread ended without a result: it has panicked, which is told as ever.
                if let Err(panic) = thread.join() {
                    std::panic::resume_unwind(panic);
                }
                break None;
            }
        }
    };
    work.end(err)?;
    Ok(result)
}
