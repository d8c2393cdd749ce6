//! `workshop doctor`: tries every escape outside and inside the sandbox, on the spot.

use std::fs;
use std::net::{TcpListener, UdpSocket};
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixListener};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result};

use super::{Jail, Job, PROBE, Phase};
use crate::toolchain::{Toolchain, plain_env};

/// How one attempt ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// The escape succeeded.
    Works,
    /// The escape was refused.
    Refused,
}

/// One escape, tried twice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// What was tried.
    pub name: &'static str,
    /// Without a sandbox: must work, else the attempt proves nothing.
    pub outside: Outcome,
    /// In the sandbox: must be refused.
    pub inside: Outcome,
}

/// What the doctor found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    /// Every attempt.
    pub findings: Vec<Finding>,
    /// Attempts that this machine cannot make, with the reason.
    pub skipped: Vec<String>,
    /// What is enforced, in words.
    pub enforced: String,
}

impl Report {
    /// Whether everything was refused inside and worked outside.
    #[must_use]
    pub fn healthy(&self) -> bool {
        self.findings
            .iter()
            .all(|finding| finding.outside == Outcome::Works && finding.inside == Outcome::Refused)
    }

    /// The report as a person reads it.
    #[must_use]
    pub fn text(&self) -> String {
        let word = |outcome| match outcome {
            Outcome::Works => "works",
            Outcome::Refused => "refused",
        };
        let mut text = format!("{:<44}{:<10}in the sandbox\n", "attempt", "outside");
        for f in &self.findings {
            let (outside, inside) = (word(f.outside), word(f.inside));
            text.push_str(&format!("{:<44}{outside:<10}{inside}\n", f.name));
        }
        for line in &self.skipped {
            text.push_str(&format!("skipped: {line}\n"));
        }
        text.push_str(&format!("enforced: {}\n", self.enforced));
        text
    }
}

/// The folders and listeners that the attempts aim at.
struct Ward<'a> {
    jail: &'a Jail,
    helper: &'a Path,
    root: PathBuf,
}

/// Processes allowed while the doctor works; see [`Jail::new`] and `sandbox.processes`.
pub const PROCESSES: u64 = 64;
/// Address space allowed while the doctor works, in MiB.
pub const MEMORY_MB: u64 = 2048;

/// Tries every escape.
///
/// # Errors
/// [`super::Unavailable`] when nothing can be run confined.
pub fn examine(jail: &Jail, helper: &Path) -> Result<Report> {
    let jail = &Jail { processes: PROCESSES, memory_mb: MEMORY_MB, ..jail.clone() };
    let root = tempfile::tempdir()?;
    let ward = Ward { jail, helper, root: root.path().canonicalize()? };
    ward.furnish()?;
    let first = jail.run(&ward.job(&[&helper.to_string_lossy(), PROBE, "forks", "1"]))?;
    let mut findings = Vec::new();
    let mut add = |name, (outside, inside): (bool, bool)| {
        let outcome = |worked| if worked { Outcome::Works } else { Outcome::Refused };
        findings.push(Finding { name, outside: outcome(outside), inside: outcome(inside) });
    };
    let at = |name: &str| ward.root.join(name).to_string_lossy().into_owned();
    add("read the hidden file", ward.twice("read", &at("hidden/cases.jsonl"))?);
    add("write a test", ward.twice("write", &at("copy/tests/visible.rs"))?);
    add("write a source file", ward.twice("write", &at("copy/src/lib.rs"))?);
    add("create a file in the copy", ward.twice("create", &at("copy/conftest.py"))?);
    add("write outside", ward.twice("write", &at("outside"))?);
    add("change the time of a source file", ward.twice("times", &at("copy/src/lib.rs"))?);
    add("rename a source file", ward.twice("rename", &at("copy/src/other.rs"))?);

    let tcp = TcpListener::bind("127.0.0.1:0")?;
    add("connect by TCP", ward.twice("tcp", &tcp.local_addr()?.to_string())?);
    let udp = UdpSocket::bind("127.0.0.1:0")?;
    udp.set_nonblocking(true)?;
    // Sending may succeed in a network of one's own; what counts is whether it arrives.
    let arrived = |_| udp.recv(&mut [0; 16]).is_ok();
    let address = udp.local_addr()?.to_string();
    let inside = arrived(ward.once("udp", &address, true)?);
    add("send by UDP", (arrived(ward.once("udp", &address, false)?), inside));
    let name = ward.root.to_string_lossy().into_owned();
    let _abstract = UnixListener::bind_addr(&SocketAddr::from_abstract_name(&name)?)?;
    add("connect to an abstract socket", ward.twice("abstract", &name)?);
    let _named = UnixListener::bind(ward.root.join("socket"))?;
    add("connect to a socket in the file system", ward.twice("socket", &at("socket"))?);

    add("read another process's environment", {
        let mut victim = Victim::new()?;
        let result = ward.twice("environ", &victim.id())?;
        victim.end();
        result
    });
    add("signal another process", (ward.signal(false)?, ward.signal(true)?));
    add("survive as a daemon", (ward.survive(false)?, ward.survive(true)?));
    add("start more processes than allowed", ward.twice("forks", &(PROCESSES + 8).to_string())?);
    add("write a file of 2 GiB", ward.twice("big-file", &at("tmp/big"))?);
    add("reserve 3 GiB of memory", ward.twice("memory", &(3_usize << 30).to_string())?);

    let mut skipped = Vec::new();
    match Toolchain::find(&ward.root) {
        Ok(toolchain) => {
            add("include the hidden file while compiling", ward.include(&toolchain)?);
            add("rewrite a test from build.rs", ward.build_script(&toolchain)?);
        }
        Err(error) => skipped.push(format!("attempts while compiling ({error:#})")),
    }
    Ok(Report { findings, skipped, enforced: first.enforced })
}

impl Ward<'_> {
    fn furnish(&self) -> Result<()> {
        for folder in ["hidden", "copy/src", "copy/tests", "target", "tmp"] {
            fs::create_dir_all(self.root.join(folder))?;
        }
        for (path, text) in [
            ("hidden/cases.jsonl", "secret\n"),
            ("copy/src/lib.rs", "pub fn one() -> u8 { 1 }\n"),
            ("copy/src/other.rs", "\n"),
            ("copy/tests/visible.rs", "#[test]\nfn t() {}\n"),
            ("outside", "outside\n"),
        ] {
            fs::write(self.root.join(path), text)?;
        }
        Ok(())
    }

    fn job(&self, argv: &[&str]) -> Job {
        let tmp = self.root.join("tmp");
        Job {
            argv: argv.iter().map(ToString::to_string).collect(),
            cwd: self.root.join("copy"),
            env: plain_env(&tmp),
            read: vec![self.root.join("copy"), self.helper.to_path_buf()],
            write: vec![self.root.join("target"), tmp],
            stdin: String::new(),
            timeout: Duration::from_secs(30),
            phase: Phase::Run,
        }
    }

    fn outside(&self, job: &Job) -> Result<bool> {
        let (program, arguments) = job.argv.split_first().context("nothing to run")?;
        let output = Command::new(program)
            .args(arguments)
            .env_clear()
            .envs(&job.env)
            .current_dir(&job.cwd)
            .stdin(Stdio::null())
            .output()?;
        Ok(output.status.success())
    }

    /// Tries inside first, so that the attempt outside cannot spoil its target.
    fn twice(&self, name: &str, target: &str) -> Result<(bool, bool)> {
        let inside = self.once(name, target, true)?;
        Ok((self.once(name, target, false)?, inside))
    }

    fn once(&self, name: &str, target: &str, inside: bool) -> Result<bool> {
        let helper = self.helper.to_string_lossy();
        let job = self.job(&[&helper, PROBE, name, target]);
        if inside {
            return Ok(self.jail.run(&job)?.code == Some(0));
        }
        self.outside(&job)
    }

    fn signal(&self, inside: bool) -> Result<bool> {
        let mut victim = Victim::new()?;
        self.once("signal", &victim.id(), inside)?;
        std::thread::sleep(Duration::from_millis(100));
        let hit = victim.0.try_wait()?.is_some();
        victim.end();
        Ok(hit)
    }

    fn survive(&self, inside: bool) -> Result<bool> {
        let marker = self.root.join("tmp").join(if inside { "in" } else { "out" });
        self.once("survivor", &marker.to_string_lossy(), inside)?;
        std::thread::sleep(Duration::from_millis(1500));
        Ok(marker.exists())
    }

    fn include(&self, toolchain: &Toolchain) -> Result<(bool, bool)> {
        let source = self.root.join("copy/src/leak.rs");
        let hidden = self.root.join("hidden/cases.jsonl");
        fs::write(&source, format!("pub const LEAK: &str = include_str!({hidden:?});\n"))?;
        let rustc = toolchain.rustc();
        let options = ["--crate-type=lib", "--emit=metadata", "--out-dir=../target"];
        let mut job = self.job(&[&rustc, options[0], options[1], options[2], "src/leak.rs"]);
        job.read.extend(toolchain.read());
        job.phase = Phase::Build;
        let inside = self.jail.run(&job)?.code == Some(0);
        Ok((self.outside(&job)?, inside))
    }

    fn build_script(&self, toolchain: &Toolchain) -> Result<(bool, bool)> {
        let copy = self.root.join("copy");
        fs::remove_file(copy.join("src/leak.rs"))?;
        let manifest = "[package]\nname = \"ward\"\nversion = \"0.1.0\"\nedition = \"2021\"\n";
        fs::write(copy.join("Cargo.toml"), format!("{manifest}\n[workspace]\n"))?;
        fs::write(
            copy.join("Cargo.lock"),
            "version = 4\n\n[[package]]\nname = \"ward\"\nversion = \"0.1.0\"\n",
        )?;
        let script = r#"fn main() { std::fs::write("tests/visible.rs", "// forged\n").unwrap(); }"#;
        fs::write(copy.join("build.rs"), script)?;
        let home = self.root.join("cargo-home");
        toolchain.private_home(&home)?;
        let target = self.root.join("target");
        let cargo = toolchain.cargo();
        let mut job = self.job(&[&cargo, "build", "--offline", "--locked", "--quiet"]);
        job.env = toolchain.env(&home, &target, &self.root.join("tmp"));
        job.read.extend(toolchain.read());
        job.read.push(home);
        job.timeout = Duration::from_secs(120);
        job.phase = Phase::Build;
        let forged = || {
            let text = fs::read_to_string(copy.join("tests/visible.rs")).unwrap_or_default();
            text == "// forged\n"
        };
        self.jail.run(&job)?;
        let inside = forged();
        self.outside(&job)?;
        Ok((forged(), inside))
    }
}

/// A process that does nothing, for attempts on other processes.
struct Victim(Child);

impl Victim {
    fn new() -> Result<Victim> {
        let child = Command::new("sleep").arg("30").env("DOCTOR_KEY", "secret").spawn()?;
        Ok(Victim(child))
    }

    fn id(&self) -> String {
        self.0.id().to_string()
    }

    fn end(&mut self) {
        self.0.kill().ok();
        self.0.wait().ok();
    }
}
