//! The runner for everything else: two command lines and a pattern for result lines.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use regex::Regex;

use super::{Line, Probe, Report, Runner, Site, Status, chosen, settle, silence};
use crate::config;
use crate::sandbox::{Jail, Job, Phase, Ran};
use crate::toolchain::plain_env;

/// The command runner.
#[derive(Debug, Clone)]
pub struct Command {
    config: config::Runner,
    jail: Jail,
    result: Regex,
    load_error: Option<Regex>,
}

impl Command {
    /// A runner with the command lines of the configuration.
    ///
    /// # Errors
    /// When a command line is missing or a pattern lacks its groups.
    pub fn new(config: &config::Runner, jail: &Jail) -> Result<Command> {
        if config.list.is_empty() || config.run.is_empty() || config.run_only.is_empty() {
            bail!("runner.list, runner.run and runner.run_only are needed in workshop.toml");
        }
        let result = Regex::new(&format!("(?m){}", config.result))?;
        let has = |group| result.capture_names().flatten().any(|name| name == group);
        if config.junit.is_none() && !(has("status") && has("name")) {
            bail!("runner.result needs the groups status and name, or set runner.junit");
        }
        let load_error = match config.load_error.as_str() {
            "" => None,
            pattern => Some(Regex::new(&format!("(?m){pattern}"))?),
        };
        Ok(Command { config: config.clone(), jail: jail.clone(), result, load_error })
    }

    fn job(&self, site: &Site, argv: &[String], tmp: &Path, only: &str) -> Result<Ran> {
        let values = BTreeMap::from([
            ("{only}", only.to_string()),
            ("{tmp}", tmp.to_string_lossy().into_owned()),
            ("{repo}", site.repo.to_string_lossy().into_owned()),
        ]);
        let mut argv = argv.to_vec();
        for word in &mut argv {
            for (name, value) in &values {
                *word = word.replace(name, value);
            }
        }
        self.jail.run(&Job {
            argv,
            cwd: site.repo.clone(),
            env: plain_env(tmp),
            read: vec![site.repo.clone()],
            write: vec![tmp.to_path_buf()],
            stdin: String::new(),
            timeout: Duration::from_secs(self.config.timeout_s),
            phase: Phase::Run,
        })
    }

    fn lines(&self, ran: &Ran, tmp: &Path) -> Vec<Line> {
        if let Some(file) = &self.config.junit {
            let path = file.replace("{tmp}", &tmp.to_string_lossy());
            return junit(&fs::read_to_string(path).unwrap_or_default());
        }
        self.result
            .captures_iter(&ran.stdout)
            .map(|found| {
                let group = |name| found.name(name).map_or("", |m| m.as_str()).to_string();
                let message = group("message");
                let status = match group("status").to_lowercase().as_str() {
                    "pass" | "passed" | "ok" => Status::Pass,
                    "fail" | "failed" | "not ok" => Status::Fail(message),
                    _ => Status::Error(message),
                };
                Line { name: group("name"), status }
            })
            .collect()
    }
}

impl Runner for Command {
    fn list(&self, site: &Site) -> Result<Vec<String>> {
        let tmp = tempfile::tempdir_in(&site.tmp)?;
        let ran = self.job(site, &self.config.list, tmp.path(), "")?;
        if ran.code != Some(0) {
            let reason = ran.stderr.lines().last().unwrap_or("no reason given").to_string();
            bail!("the tests of the base cannot be listed: {reason}");
        }
        Ok(ran.stdout.lines().filter(|line| !line.is_empty()).map(String::from).collect())
    }

    fn run(&self, site: &Site, names: &[String], only: Option<&str>) -> Result<Report> {
        let names = match chosen(names, only) {
            Ok(names) => names,
            Err(report) => return Ok(report),
        };
        let tmp = tempfile::tempdir_in(&site.tmp)?;
        let argv = if only.is_some() { &self.config.run_only } else { &self.config.run };
        let ran = self.job(site, argv, tmp.path(), only.unwrap_or(""))?;
        if let Some(pattern) = &self.load_error
            && let Some(found) = pattern.captures(&ran.stdout)
        {
            let reason = found.name("message").map_or("", |m| m.as_str());
            return Ok(Report::not_loaded(reason));
        }
        let silent = silence(ran.timed_out, self.config.timeout_s);
        let (tests, forged) = settle(&names, &self.lines(&ran, tmp.path()), &silent);
        Ok(Report { tests, forged, exit_ok: ran.code == Some(0), ..Report::default() })
    }

    /// The probe gets a folder with nothing but the paths of `runner.run_read` and its file.
    fn probe(&self, site: &Site, hidden: &Path) -> Result<Result<Probe, String>> {
        if self.config.probe.is_empty() {
            bail!("runner.probe is needed in workshop.toml");
        }
        let root = site.tmp.join("probe");
        if root.exists() {
            fs::remove_dir_all(&root)?;
        }
        fs::create_dir_all(&root)?;
        for path in &self.config.run_read {
            copy(&site.repo.join(path), &root.join(path))?;
        }
        let file = root.join(&self.config.probe_file);
        let source = hidden.join(&self.config.probe_file);
        fs::copy(&source, &file).with_context(|| format!("no probe {}", source.display()))?;
        let argv = self.config.probe.iter();
        let argv = argv.map(|word| word.replace("{probe}", &file.to_string_lossy())).collect();
        Ok(Ok(Probe { argv, cwd: root.clone(), read: vec![root] }))
    }

    fn program(&self, site: &Site, name: &str) -> Result<Result<Probe, String>> {
        Ok(Ok(Probe {
            argv: vec![name.to_string()],
            cwd: site.repo.clone(),
            read: vec![site.repo.clone()],
        }))
    }

    fn inside(&self, _site: &Site, _hidden: &Path) -> Result<Option<Report>> {
        Ok(None)
    }
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    if from.is_dir() {
        fs::create_dir_all(to)?;
        for entry in fs::read_dir(from)? {
            let entry = entry?;
            copy(&entry.path(), &to.join(entry.file_name()))?;
        }
    } else {
        fs::copy(from, to).with_context(|| format!("no {}", from.display()))?;
    }
    Ok(())
}

/// The results in a JUnit file.
fn junit(text: &str) -> Vec<Line> {
    let Ok(case) =
        Regex::new(r#"(?s)<testcase\b(?P<attrs>[^>]*?)(?:/>|>(?P<body>.*?)</testcase>)"#)
    else {
        return Vec::new();
    };
    let attribute = |attrs: &str, name: &str| {
        let pattern = Regex::new(&format!(r#"(?:^|\s){name}="([^"]*)""#)).ok()?;
        let value = pattern.captures(attrs)?.get(1)?.as_str().to_string();
        let entities =
            [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&amp;", "&")];
        Some(entities.iter().fold(value, |text, (from, to)| text.replace(from, to)))
    };
    case.captures_iter(text)
        .filter_map(|found| {
            let body = found.name("body").map_or("", |m| m.as_str());
            let message = |tag: &str| {
                let start = body.find(&format!("<{tag}"))?;
                let end = body[start..].find('>')? + start;
                let message = attribute(&body[start..end], "message").unwrap_or_default();
                Some(message.lines().next().unwrap_or("").to_string())
            };
            let status = if let Some(text) = message("failure") {
                Status::Fail(text)
            } else if let Some(text) = message("error") {
                Status::Error(text)
            } else if body.contains("<skipped") {
                Status::Error("skipped".to_string())
            } else {
                Status::Pass
            };
            Some(Line { name: attribute(&found["attrs"], "name")?, status })
        })
        .collect()
}
