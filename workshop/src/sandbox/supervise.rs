//! The supervisor: an own process for each program, which inherits every descendant the
//! program leaves behind and kills it.

use std::io::{BufRead, Read, Write};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use rustix::process::{
    Pid, Signal, WaitOptions, WaitStatus, getpid, kill_process, set_child_subreaper, wait,
};

use super::native::{READY, SANDBOX};
use super::{Answer, OUTPUT_CAP, Order, Ran, pids};

/// The internal command that starts a supervisor.
pub const SUPERVISE: &str = "__supervise";

/// Runs one order from standard input and answers on standard output.
///
/// # Errors
/// When the order cannot be read or the answer not be written.
pub fn supervise() -> Result<()> {
    let mut line = String::new();
    std::io::stdin().lock().read_line(&mut line)?;
    let order: Order = serde_json::from_str(&line)?;
    let orphaned = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&orphaned);
    std::thread::spawn(move || {
        let mut rest = Vec::new();
        std::io::stdin().lock().read_to_end(&mut rest).ok();
        flag.store(true, Ordering::SeqCst);
    });
    let answer = match run(order, &orphaned) {
        Ok(answer) => answer,
        Err(error) => Answer::Unavailable(format!("{error:#}")),
    };
    let mut out = std::io::stdout().lock();
    out.write_all(serde_json::to_string(&answer)?.as_bytes())?;
    out.flush()?;
    Ok(())
}

fn run(mut order: Order, orphaned: &AtomicBool) -> Result<Answer> {
    set_child_subreaper(Some(getpid())).context("cannot become a subreaper")?;
    let group = pids::Group::new(order.processes);
    order.cgroup = group.as_ref().map(|group| group.dir().to_path_buf());
    let me: PathBuf = std::env::current_exe()?;
    let mut child = Command::new(me)
        .arg(SANDBOX)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .context("cannot start the sandbox process")?;
    let stdout = drain(child.stdout.take().context("no pipe")?);
    let stderr = drain(child.stderr.take().context("no pipe")?);
    let mut stdin = child.stdin.take().context("no pipe")?;
    // A process that died early breaks the pipe; its end is seen below.
    stdin.write_all(&serde_json::to_vec(&order)?).ok();
    drop(stdin);

    let id = i32::try_from(child.id()).ok().and_then(Pid::from_raw).context("no process id")?;
    let deadline = Instant::now() + order.job.timeout;
    let mut status = None;
    let mut timed_out = false;
    while status.is_none() {
        reap(id, &mut status);
        if status.is_some() {
            break;
        }
        if Instant::now() >= deadline || orphaned.load(Ordering::SeqCst) {
            timed_out = true;
            kill_process(id, Signal::KILL).ok();
            break;
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    let survivors = kill_all(id, &mut status, group.as_ref());
    drop(group);
    let (stdout, cut_out) = stdout.join().unwrap_or_default();
    let (stderr, cut_err) = stderr.join().unwrap_or_default();
    let stderr = String::from_utf8_lossy(&stderr).into_owned();
    let stdout = String::from_utf8_lossy(&stdout).into_owned();
    let Some((first, rest)) = stdout.split_once('\n') else {
        return Ok(Answer::Unavailable(stderr.trim().to_string()));
    };
    let Some(enforced) = first.strip_prefix(READY) else {
        return Ok(Answer::Unavailable(stderr.trim().to_string()));
    };
    Ok(Answer::Ran(Ran {
        code: status.and_then(WaitStatus::exit_status),
        signal: status.and_then(WaitStatus::terminating_signal),
        timed_out,
        stdout: rest.to_string(),
        stderr,
        truncated: cut_out || cut_err,
        survivors,
        enforced: enforced.trim().to_string(),
    }))
}

/// Collects every child that has ended; remembers how the main one did.
fn reap(main: Pid, status: &mut Option<WaitStatus>) {
    while let Ok(Some((pid, how))) = wait(WaitOptions::NOHANG) {
        if pid == main {
            *status = Some(how);
        }
    }
}

/// Kills until no descendant is left and returns how many there were besides the main
/// process. A descendant whose parent died becomes a child of this process, so a few rounds
/// find them all.
fn kill_all(main: Pid, status: &mut Option<WaitStatus>, group: Option<&pids::Group>) -> usize {
    let mut found = std::collections::BTreeSet::new();
    let until = Instant::now() + Duration::from_secs(20);
    loop {
        let mut left = children();
        left.extend(group.map(pids::Group::members).unwrap_or_default());
        left.retain(|pid| *pid != getpid());
        if left.is_empty() || Instant::now() > until {
            return found.len();
        }
        for pid in left {
            if pid != main {
                found.insert(pid.as_raw_nonzero().get());
            }
            kill_process(pid, Signal::KILL).ok();
        }
        reap(main, status);
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// The processes whose parent is this one.
fn children() -> Vec<Pid> {
    let me = getpid().as_raw_nonzero().get().to_string();
    let Ok(entries) = std::fs::read_dir("/proc") else { return Vec::new() };
    entries
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse::<i32>().ok())
        .filter(|pid| {
            // After the name in brackets come the state and the parent.
            std::fs::read_to_string(format!("/proc/{pid}/stat")).is_ok_and(|stat| {
                let rest = stat.rsplit_once(')').map_or("", |(_, rest)| rest);
                rest.split_whitespace().nth(1) == Some(me.as_str())
            })
        })
        .filter_map(Pid::from_raw)
        .collect()
}

/// Reads a stream to its end and keeps the first [`OUTPUT_CAP`] bytes.
fn drain(mut stream: impl Read + Send + 'static) -> JoinHandle<(Vec<u8>, bool)> {
    std::thread::spawn(move || {
        let mut kept = Vec::new();
        let mut cut = false;
        let mut buffer = [0; 65536];
        loop {
            match stream.read(&mut buffer) {
                Ok(0) => break,
                Ok(n) => {
                    let room = OUTPUT_CAP.saturating_sub(kept.len()).min(n);
                    kept.extend_from_slice(&buffer[..room]);
                    cut |= room < n;
                }
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(_) => break,
            }
        }
        (kept, cut)
    })
}
