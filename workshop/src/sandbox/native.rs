//! The process that gives up its rights and becomes the program.

use std::fs::File;
use std::io::{Read, Seek, Write};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, anyhow, bail};
use landlock::{
    ABI, Access, AccessFs, AccessNet, CompatLevel, Compatible, LandlockStatus, Ruleset,
    RulesetAttr, RulesetCreatedAttr, Scope, path_beneath_rules,
};
use rustix::process::{
    Resource, Rlimit, Signal, set_parent_process_death_signal, setrlimit, setsid,
};
use rustix::thread::{CapabilitySet, CapabilitySets};

use super::{Backend, Order, Phase, bwrap, pids, seccomp};

/// The internal command that becomes a confined program.
pub const SANDBOX: &str = "__sandbox";

/// Starts the first line of output, written before the program begins: the proof that
/// everything was enforced. What follows on the line says what that was.
pub(super) const READY: &str = "workshop-sandbox ready: ";

/// The system's own files that programs need.
pub(super) const SYSTEM: &[&str] = &[
    "/usr",
    "/lib",
    "/lib64",
    "/bin",
    "/sbin",
    "/etc/ld.so.cache",
    "/etc/alternatives",
    "/dev/urandom",
    "/dev/random",
    "/dev/zero",
];

/// Reads an order from standard input, confines this process and becomes the program.
///
/// # Errors
/// When anything required cannot be enforced; the program was not started then.
pub fn enter() -> Result<()> {
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text)?;
    let order: Order = serde_json::from_str(&text)?;
    let job = &order.job;
    setsid().context("cannot start a session")?;
    set_parent_process_death_signal(Some(Signal::KILL))?;
    let stdin = memory_file(&job.stdin)?;
    let mut words = Vec::new();
    let processes = match &order.cgroup {
        Some(dir) => {
            pids::join(dir).context("cannot join the control group")?;
            "processes by control group"
        }
        None => "processes by rlimit (no effect for the superuser)",
    };
    close_inherited()?;
    limits(&order)?;
    let mut argv = job.argv.clone();
    match order.backend.as_str() {
        name if name == Backend::Native.name() => {
            drop_capabilities()?;
            words.push(landlock(&job.read, &job.write)?);
            seccomp::restrict(job.phase)?;
            words.push("seccomp".to_string());
        }
        name if name == Backend::Bwrap.name() => {
            argv = bwrap::wrap(job);
            words.push("bubblewrap".to_string());
        }
        _ => words.push("nothing: the sandbox is off".to_string()),
    }
    words.push(processes.to_string());
    let Some((program, arguments)) = argv.split_first() else { bail!("nothing to run") };
    let mut out = std::io::stdout().lock();
    writeln!(out, "{READY}{}", words.join(", "))?;
    out.flush()?;
    drop(out);
    let error = Command::new(program)
        .args(arguments)
        .env_clear()
        .envs(&job.env)
        .current_dir(&job.cwd)
        .stdin(Stdio::from(stdin))
        .exec();
    Err(anyhow!("cannot run {program}: {error}"))
}

/// A file in memory with the given text, at its start.
fn memory_file(text: &str) -> Result<File> {
    let fd = rustix::fs::memfd_create("stdin", rustix::fs::MemfdFlags::CLOEXEC)?;
    let mut file = File::from(fd);
    file.write_all(text.as_bytes())?;
    file.rewind()?;
    Ok(file)
}

/// Marks every descriptor above standard error so that the program does not get it.
fn close_inherited() -> Result<()> {
    let mut open = Vec::new();
    for entry in std::fs::read_dir("/proc/self/fdinfo").context("/proc is needed")? {
        let entry = entry?;
        let flags = std::fs::read_to_string(entry.path()).unwrap_or_default();
        let close_on_exec = flags
            .lines()
            .find_map(|line| line.strip_prefix("flags:"))
            .and_then(|octal| i64::from_str_radix(octal.trim(), 8).ok())
            .is_some_and(|bits| bits & 0o2_000_000 != 0);
        if let Ok(fd) = entry.file_name().to_string_lossy().parse::<i32>()
            && fd > 2
            && !close_on_exec
        {
            open.push(fd);
        }
    }
    for fd in open {
        nix::unistd::close(fd).ok();
    }
    Ok(())
}

fn limits(order: &Order) -> Result<()> {
    let mb = 1024 * 1024;
    let file = if order.job.phase == Phase::Build { 1024 * mb } else { 64 * mb };
    let wall = order.job.timeout.as_secs();
    let mut all = vec![
        (Resource::As, order.memory_mb * mb),
        (Resource::Fsize, file),
        (Resource::Cpu, wall * 8 + 10),
        (Resource::Core, 0),
        (Resource::Nofile, 1024),
    ];
    if order.cgroup.is_none() {
        all.push((Resource::Nproc, order.processes));
    }
    for (resource, value) in all {
        let limit = Rlimit { current: Some(value), maximum: Some(value) };
        setrlimit(resource, limit).with_context(|| format!("cannot limit {resource:?}"))?;
    }
    Ok(())
}

/// Gives up every capability, so that the superuser is an ordinary user inside.
fn drop_capabilities() -> Result<()> {
    rustix::thread::clear_ambient_capability_set().ok();
    for capability in CapabilitySet::all().iter() {
        // Needs a capability itself; without it there is nothing to gain on exec.
        rustix::thread::remove_capability_from_bounding_set(capability).ok();
    }
    let none = CapabilitySet::empty();
    let sets = CapabilitySets { effective: none, permitted: none, inheritable: none };
    rustix::thread::set_capabilities(None, sets).context("cannot drop capabilities")?;
    rustix::thread::set_no_new_privs(true).context("cannot set no_new_privs")
}

/// Restricts files, the network, signals and abstract sockets. Files are a hard requirement
/// (with truncation, so ABI 3); the rest is enforced where the kernel knows it.
fn landlock(read: &[PathBuf], write: &[PathBuf]) -> Result<String> {
    let need = || "landlock cannot be enforced";
    for path in read.iter().chain(write) {
        if !path.exists() {
            bail!("{} is missing", path.display());
        }
    }
    let files = AccessFs::from_all(ABI::V3);
    let reading = AccessFs::from_read(ABI::V3);
    let system = SYSTEM.iter().map(Path::new);
    let null = AccessFs::ReadFile | AccessFs::WriteFile | AccessFs::Truncate;
    let status = Ruleset::default()
        .set_compatibility(CompatLevel::HardRequirement)
        .handle_access(files)
        .with_context(need)?
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(AccessFs::IoctlDev)
        .with_context(need)?
        .handle_access(AccessNet::from_all(ABI::V4))
        .with_context(need)?
        .scope(Scope::from_all(ABI::V6))
        .with_context(need)?
        .create()
        .with_context(need)?
        .add_rules(path_beneath_rules(system, reading))
        .with_context(need)?
        .add_rules(path_beneath_rules(read, reading))
        .with_context(need)?
        .add_rules(path_beneath_rules(write, files))
        .with_context(need)?
        .add_rules(path_beneath_rules(["/dev/null"], null))
        .with_context(need)?
        .restrict_self()
        .with_context(need)?;
    let LandlockStatus::Available { effective_abi, .. } = status.landlock else {
        bail!("landlock is not available");
    };
    if !status.no_new_privs {
        bail!("no_new_privs is not set");
    }
    let abi = effective_abi as i32;
    if abi < ABI::V3 as i32 {
        bail!("landlock ABI {abi} is too old, 3 is needed");
    }
    let scope = if abi >= ABI::V6 as i32 { "files, signals" } else { "files" };
    Ok(format!("landlock ABI {abi} ({scope})"))
}
