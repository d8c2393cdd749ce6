//! The second backend: bubblewrap, where namespaces are allowed.

use std::process::{Command, Stdio};

use super::native::SYSTEM;
use super::{Job, Unavailable};

/// Whether bubblewrap is there and can make its namespaces.
pub(super) fn check() -> Result<(), Unavailable> {
    let status = Command::new("bwrap")
        .args(["--unshare-all", "--ro-bind", "/", "/", "true"])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    match status {
        Ok(status) if status.success() => Ok(()),
        Ok(_) => Err(Unavailable("bubblewrap cannot make its namespaces here".into())),
        Err(_) => Err(Unavailable("bubblewrap is not installed".into())),
    }
}

/// The command line that runs the job's program in bubblewrap.
pub(super) fn wrap(job: &Job) -> Vec<String> {
    let mut argv: Vec<String> =
        ["bwrap", "--unshare-all", "--die-with-parent", "--new-session", "--clearenv"]
            .map(String::from)
            .to_vec();
    let mut add = |words: &[&str]| argv.extend(words.iter().map(ToString::to_string));
    for (name, value) in &job.env {
        add(&["--setenv", name, value]);
    }
    add(&["--proc", "/proc", "--dev", "/dev"]);
    for path in SYSTEM.iter().filter(|path| !path.starts_with("/dev")) {
        add(&["--ro-bind-try", path, path]);
    }
    for path in &job.read {
        let path = path.to_string_lossy();
        add(&["--ro-bind", &path, &path]);
    }
    for path in &job.write {
        let path = path.to_string_lossy();
        add(&["--bind", &path, &path]);
    }
    // The working directory may be one that the program cannot read.
    let cwd = job.cwd.to_string_lossy();
    add(&["--dir", &cwd, "--chdir", &cwd, "--"]);
    argv.extend(job.argv.iter().cloned());
    argv
}
