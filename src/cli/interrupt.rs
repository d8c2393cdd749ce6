//! Long work: Ctrl-C ends it early, and a terminal shows how far it is.

use std::io::{IsTerminal, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Work that can be stopped.
pub struct Work {
    stopped: Arc<AtomicBool>,
    next: Instant,
    shown: bool,
    terminal: bool,
}

impl Work {
    /// Begins; from now on Ctrl-C asks for an end instead of ending the program.
    pub fn begin() -> Work {
        let stopped = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&stopped);
        // Where this fails, Ctrl-C ends the program as ever.
        let _ = ctrlc::set_handler(move || flag.store(true, Ordering::Relaxed));
        let terminal = std::io::stderr().is_terminal();
        Work { stopped, next: Instant::now() + Duration::from_secs(1), shown: false, terminal }
    }

    /// Whether an end was asked for. Shows how far the work is, the first time after a second.
    pub fn stop(&mut self, done: u64, all: u64, err: &mut dyn Write) -> std::io::Result<bool> {
        if self.terminal && Instant::now() >= self.next {
            let percent = u128::from(done) * 100 / u128::from(all.max(1));
            write!(err, "\r{done} of {all} ({percent} %) ")?;
            err.flush()?;
            self.shown = true;
            self.next = Instant::now() + Duration::from_millis(200);
        }
        Ok(self.stopped.load(Ordering::Relaxed))
    }

    /// Ends, and wipes what was shown.
    pub fn end(&mut self, err: &mut dyn Write) -> std::io::Result<()> {
        if std::mem::take(&mut self.shown) {
            write!(err, "\r{:60}\r", "")?;
        }
        Ok(())
    }
}
