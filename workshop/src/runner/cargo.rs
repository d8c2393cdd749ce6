//! The runner for Rust: builds with cargo, then runs the test binaries itself.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use super::{Line, Probe, Report, Runner, Site, chosen, libtest, settle, silence};
use super::{package, warm};
use crate::config;
use crate::sandbox::{Jail, Job, Phase, Ran};
use crate::toolchain::{Toolchain, plain_env};

/// Name of the binary that is compiled only into copies of the judge.
const PROBE_BIN: &str = "workshop_probe";

/// The cargo runner.
#[derive(Debug, Clone)]
pub struct Cargo {
    config: config::Runner,
    jail: Jail,
    toolchain: Toolchain,
}

/// Test target to its binary.
type Binaries = BTreeMap<String, PathBuf>;

impl Cargo {
    /// A runner for the package named in the configuration.
    ///
    /// # Errors
    /// When package or suites are missing, or there is no toolchain.
    pub fn new(config: &config::Runner, jail: &Jail, repo: &Path) -> Result<Cargo> {
        if config.package.is_empty() || config.suites.is_empty() {
            bail!("runner.package and runner.suites are needed in workshop.toml");
        }
        let toolchain = Toolchain::find(repo)?;
        Ok(Cargo { config: config.clone(), jail: jail.clone(), toolchain })
    }

    /// Runs cargo in the sandbox.
    fn cargo(&self, site: &Site, arguments: &[&str]) -> Result<Ran> {
        self.toolchain.private_home(&site.home)?;
        if let Some(store) = self.warm(site) {
            warm::fetch(&store, &site.target)?;
        }
        self.cargo_with(site, &site.target, arguments)
    }

    fn cargo_with(&self, site: &Site, target: &Path, arguments: &[&str]) -> Result<Ran> {
        let mut argv = vec![self.toolchain.cargo()];
        argv.extend(arguments.iter().map(ToString::to_string));
        let mut env = self.toolchain.env(&site.home, target, &site.tmp);
        let mut read = self.toolchain.read();
        read.extend([site.repo.clone(), site.home.clone()]);
        if site.forbid_unsafe {
            let wrapper = self.wrapper(site)?;
            env.insert("RUSTC_WORKSPACE_WRAPPER".into(), wrapper.to_string_lossy().into_owned());
            read.push(wrapper);
        }
        self.jail.run(&Job {
            argv,
            cwd: site.repo.clone(),
            env,
            read,
            write: vec![target.to_path_buf(), site.tmp.clone()],
            stdin: String::new(),
            timeout: Duration::from_secs(self.config.build_timeout_s),
            phase: Phase::Build,
        })
    }

    /// Where the compiled dependencies of this copy are kept.
    fn warm(&self, site: &Site) -> Option<PathBuf> {
        warm::folder(&site.home, &site.repo, &self.toolchain.rustc())
    }

    /// Keeps the compiled dependencies of a base.
    fn keep_warm(&self, site: &Site) -> Result<()> {
        let Some(store) = self.warm(site) else { return Ok(()) };
        warm::keep(&store, &site.target, |target| {
            let arguments = ["metadata", "--offline", "--no-deps", "--format-version", "1"];
            let listed = self.cargo_with(site, target, &arguments)?;
            let value: Value = serde_json::from_str(&listed.stdout).unwrap_or_default();
            let members = value["packages"].as_array().cloned().unwrap_or_default();
            let names = members.iter().filter_map(|package| package["name"].as_str());
            let mut arguments = vec!["clean", "--offline"];
            arguments.extend(names.flat_map(|name| ["-p", name]));
            Ok(arguments.len() > 2 && self.cargo_with(site, target, &arguments)?.code == Some(0))
        })
    }

    /// A compiler for the workspace's own crates that refuses unsafe code.
    fn wrapper(&self, site: &Site) -> Result<PathBuf> {
        use std::os::unix::fs::PermissionsExt;
        let path = site.home.join("safe-rustc");
        if !path.exists() {
            let beside = site.home.join(format!("safe-rustc.{}", std::process::id()));
            fs::write(&beside, "#!/bin/sh\nexec \"$@\" -F unsafe_code\n")?;
            fs::set_permissions(&beside, fs::Permissions::from_mode(0o755))?;
            fs::rename(&beside, &path)?;
        }
        Ok(path)
    }

    /// Builds targets and returns their binaries, or why that failed.
    fn build(&self, site: &Site, targets: &[&str]) -> Result<Result<Binaries, String>> {
        let package = self.config.package.as_str();
        let mut arguments = vec!["test", "--offline", "--locked", "--no-run", "-p", package];
        arguments.extend(["--message-format", "json"]);
        arguments.extend(self.config.build_args.iter().map(String::as_str));
        arguments.extend(targets);
        let ran = self.cargo(site, &arguments)?;
        if ran.timed_out {
            return Ok(Err(format!("build timeout after {}s", self.config.build_timeout_s)));
        }
        let messages: Vec<Value> =
            ran.stdout.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
        if ran.code != Some(0) {
            return Ok(Err(package::build_error(&messages, &ran.stderr, &site.repo)));
        }
        let mut binaries = Binaries::new();
        for message in messages {
            let name = message["target"]["name"].as_str();
            let exe = message["executable"].as_str();
            if let (Some(name), Some(exe)) = (name, exe)
                && Path::new(exe).starts_with(&site.target)
            {
                binaries.insert(name.to_string(), PathBuf::from(exe));
            }
        }
        Ok(Ok(binaries))
    }

    fn build_suites(&self, site: &Site, suites: &[String]) -> Result<Result<Binaries, String>> {
        let targets: Vec<&str> =
            suites.iter().flat_map(|suite| ["--test", suite.as_str()]).collect();
        let built = self.build(site, &targets)?;
        Ok(built.and_then(|binaries| {
            let missing = suites.iter().find(|suite| !binaries.contains_key(*suite));
            missing.map_or(Ok(binaries.clone()), |suite| Err(format!("no binary for {suite}")))
        }))
    }

    /// Runs one test binary, which may read itself and the system's files.
    fn binary(&self, site: &Site, exe: &Path, arguments: &[&str]) -> Result<Ran> {
        let tmp = tempfile::tempdir_in(&site.tmp)?;
        let mut argv = vec![exe.to_string_lossy().into_owned()];
        argv.extend(arguments.iter().map(ToString::to_string));
        let mut read = vec![exe.to_path_buf()];
        read.extend(self.config.run_read.iter().map(|path| site.repo.join(path)));
        self.jail.run(&Job {
            argv,
            cwd: package::folder(site, &self.config.package)?,
            env: plain_env(tmp.path()),
            read,
            write: vec![tmp.path().to_path_buf()],
            stdin: String::new(),
            timeout: Duration::from_secs(self.config.timeout_s),
            phase: Phase::Run,
        })
    }

    /// The name under which a test of a suite is reported.
    fn full_name(suites: &[String], suite: &str, test: &str) -> String {
        if suites.len() == 1 { test.to_string() } else { format!("{suite}::{test}") }
    }

    fn list_suites(&self, site: &Site, suites: &[String]) -> Result<Vec<String>> {
        let binaries = match self.build_suites(site, suites)? {
            Ok(binaries) => binaries,
            Err(reason) => bail!("the base does not build: {reason}"),
        };
        let mut all = Vec::new();
        for suite in suites {
            let exe = binaries.get(suite).context("no binary")?;
            let listed = libtest::names(&self.binary(site, exe, &["--list"])?.stdout);
            let ignored = libtest::names(&self.binary(site, exe, &["--list", "--ignored"])?.stdout);
            let run = listed.into_iter().filter(|name| !ignored.contains(name));
            all.extend(run.map(|name| Self::full_name(suites, suite, &name)));
        }
        all.sort();
        Ok(all)
    }

    fn run_suites(
        &self,
        site: &Site,
        suites: &[String],
        names: &[String],
        only: Option<&str>,
    ) -> Result<Report> {
        let names = match chosen(names, only) {
            Ok(names) => names,
            Err(report) => return Ok(report),
        };
        let binaries = match self.build_suites(site, suites)? {
            Ok(binaries) => binaries,
            Err(reason) => return Ok(Report::not_loaded(reason)),
        };
        let mut report = Report { exit_ok: true, ..Report::default() };
        let mut lines = Vec::new();
        let mut timed_out = false;
        for suite in suites {
            let exe = binaries.get(suite).context("no binary")?;
            let mut arguments = vec!["--test-threads=1", "--color=never"];
            if let Some(name) = only {
                let prefix = format!("{suite}::");
                let short = if suites.len() == 1 { Some(name) } else { name.strip_prefix(&prefix) };
                let Some(short) = short else { continue };
                arguments.extend(["--exact", short]);
            }
            let ran = self.binary(site, exe, &arguments)?;
            report.exit_ok &= ran.code == Some(0);
            timed_out |= ran.timed_out;
            lines.extend(
                libtest::results(&ran.stdout)
                    .into_iter()
                    .map(|line| Line { name: Self::full_name(suites, suite, &line.name), ..line }),
            );
        }
        // A test that the base ignores is not expected and its line is no forgery.
        lines.retain(|line| {
            names.contains(&line.name) || line.status != super::Status::Error("ignored".into())
        });
        let silent = silence(timed_out, self.config.timeout_s);
        (report.tests, report.forged) = settle(&names, &lines, &silent);
        Ok(report)
    }
}

impl Runner for Cargo {
    fn list(&self, site: &Site) -> Result<Vec<String>> {
        let names = self.list_suites(site, &self.config.suites)?;
        self.keep_warm(site)?;
        Ok(names)
    }

    fn run(&self, site: &Site, names: &[String], only: Option<&str>) -> Result<Report> {
        self.run_suites(site, &self.config.suites, names, only)
    }

    fn probe(&self, site: &Site, hidden: &Path) -> Result<Result<Probe, String>> {
        let source = hidden.join(&self.config.probe_file);
        let text = fs::read_to_string(&source)
            .with_context(|| format!("no probe {}", source.display()))?;
        let folder = package::folder(site, &self.config.package)?.join("src/bin");
        fs::create_dir_all(&folder)?;
        fs::write(folder.join(format!("{PROBE_BIN}.rs")), text)?;
        self.program(site, PROBE_BIN)
    }

    fn program(&self, site: &Site, name: &str) -> Result<Result<Probe, String>> {
        let package = self.config.package.as_str();
        let mut arguments = vec!["build", "--offline", "--locked", "-p", package, "--bin", name];
        arguments.extend(["--message-format", "json"]);
        arguments.extend(self.config.build_args.iter().map(String::as_str));
        let ran = self.cargo(site, &arguments)?;
        let messages: Vec<Value> =
            ran.stdout.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
        if ran.code != Some(0) {
            return Ok(Err(package::build_error(&messages, &ran.stderr, &site.repo)));
        }
        let exe = site.target.join("debug").join(name);
        Ok(Ok(Probe {
            argv: vec![exe.to_string_lossy().into_owned()],
            cwd: site.tmp.clone(),
            read: vec![exe],
        }))
    }

    fn inside(&self, site: &Site, hidden: &Path) -> Result<Option<Report>> {
        let mut suites = Vec::new();
        let tests = package::folder(site, &self.config.package)?.join("tests");
        for entry in fs::read_dir(hidden)? {
            let path = entry?.path();
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            if let Some(suite) = name.strip_suffix("_test.rs") {
                let suite = format!("hidden_{suite}_test");
                fs::create_dir_all(&tests)?;
                fs::write(tests.join(format!("{suite}.rs")), fs::read(&path)?)?;
                suites.push(suite);
            }
        }
        suites.sort();
        if suites.is_empty() {
            return Ok(None);
        }
        // The list comes from the same copy: this suite is shown for comparison and is
        // never the verdict.
        let names = match self.list_suites(site, &suites) {
            Ok(names) => names,
            Err(error) if error.is::<crate::sandbox::Unavailable>() => return Err(error),
            Err(error) => return Ok(Some(Report::not_loaded(format!("{error:#}")))),
        };
        self.run_suites(site, &suites, &names, None).map(Some)
    }
}
