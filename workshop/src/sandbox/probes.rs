//! Escape attempts, one a name. Each succeeds outside the sandbox; that is what makes its
//! failure inside a proof.

use std::fs::{self, OpenOptions};
use std::io::{Seek, SeekFrom, Write};
use std::net::{TcpStream, UdpSocket};
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixStream};
use std::process::{Command, Stdio};
use std::time::{Duration, SystemTime};

use anyhow::{Context, Result, bail, ensure};
use rustix::process::{Pid, Signal, kill_process, setsid};

/// The internal command that tries one escape.
pub const PROBE: &str = "__probe";

/// Tries the escape `name` on `target`.
///
/// # Errors
/// When it was refused.
pub fn probe(name: &str, target: &str) -> Result<()> {
    match name {
        "read" => drop(fs::read(target)?),
        "environ" => {
            let bytes = fs::read(format!("/proc/{target}/environ"))?;
            ensure!(!bytes.is_empty(), "nothing to read");
        }
        "write" => OpenOptions::new().append(true).open(target)?.write_all(b"// changed\n")?,
        "create" => fs::write(target, b"created\n")?,
        "rename" => fs::rename(target, format!("{target}.moved"))?,
        "times" => {
            let file = fs::File::open(target)?;
            file.set_modified(SystemTime::UNIX_EPOCH)?;
        }
        "tcp" => drop(TcpStream::connect(target)?),
        "udp" => {
            let socket = UdpSocket::bind("127.0.0.1:0")?;
            socket.send_to(b"hello", target)?;
        }
        "abstract" => {
            let address = SocketAddr::from_abstract_name(target)?;
            drop(UnixStream::connect_addr(&address)?);
        }
        "socket" => drop(UnixStream::connect(target)?),
        "signal" => {
            let pid = target.parse().ok().and_then(Pid::from_raw).context("no process id")?;
            kill_process(pid, Signal::TERM)?;
        }
        "survivor" => drop(child("later", target)?),
        "later" => {
            setsid()?;
            std::thread::sleep(Duration::from_millis(600));
            fs::write(target, b"still here\n")?;
        }
        "forks" => forks(target.parse()?)?,
        "sleep" => std::thread::sleep(Duration::from_secs(20)),
        "big-file" => {
            let mut file = fs::File::create(target)?;
            file.seek(SeekFrom::Start(2 << 30))?;
            file.write_all(b"end")?;
        }
        "memory" => {
            let bytes = target.parse::<usize>()?;
            let mut block: Vec<u8> = Vec::new();
            block.try_reserve_exact(bytes).context("no memory")?;
        }
        _ => bail!("no probe {name}"),
    }
    Ok(())
}

fn child(name: &str, target: &str) -> Result<std::process::Child> {
    let me = std::env::current_exe()?;
    Ok(Command::new(me)
        .args([PROBE, name, target])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()?)
}

fn forks(wanted: usize) -> Result<()> {
    let mut all = Vec::new();
    let mut refused = false;
    for _ in 0..wanted {
        match child("sleep", "") {
            Ok(one) => all.push(one),
            Err(_) => {
                refused = true;
                break;
            }
        }
    }
    for one in &mut all {
        one.kill().ok();
        one.wait().ok();
    }
    ensure!(!refused, "only {} processes", all.len());
    Ok(())
}
