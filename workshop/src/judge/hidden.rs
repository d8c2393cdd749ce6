//! Checks hidden cases against the reference solution: a case that the right code fails
//! would condemn every patch.

use std::path::Path;

use anyhow::{Context, Result, bail};

use super::cases;
use crate::commands::Desk;
use crate::copy::{Hashes, copy_checked};
use crate::paths::{components, read_beneath, write_beneath};
use crate::runner::{self, Report, Site};

/// Runs all hidden cases in `dir` on the base in `root/base` with the reference patch.
///
/// # Errors
/// When there is no reference or it does not fit, or nothing can be run confined.
pub fn on_reference(desk: &Desk, root: &Path, files: &Hashes, dir: &Path) -> Result<Report> {
    let jail = desk.jail()?;
    let site = Site::in_folder(root, root)?;
    copy_checked(&root.join("base"), &site.repo, files)?;
    let patch = std::fs::read_to_string(dir.join("reference.patch"))
        .context("the hidden folder has no reference.patch")?;
    apply(&site.repo, &patch)?;
    let cases = cases::read(dir)?;
    let runner = runner::new(&desk.config.runner, &jail, &desk.repo)?;
    let probe = match runner.probe(&site, dir)? {
        Ok(probe) => probe,
        Err(reason) => return Ok(cases::all_failed(&cases, &reason)),
    };
    let mut report = Report::default();
    for case in &cases {
        let timeout = desk.config.runner.timeout_s;
        report.tests.push(cases::run(&jail, &probe, case, timeout)?);
    }
    Ok(report)
}

/// Applies a unified diff of existing files, exactly or not at all.
///
/// # Errors
/// When a hunk does not stand where it says.
pub fn apply(root: &Path, patch: &str) -> Result<()> {
    let mut lines = patch.lines().peekable();
    while let Some(line) = lines.next() {
        let Some(path) = line.strip_prefix("+++ b/") else { continue };
        if components(path).is_none() {
            bail!("the patch names the path {path}");
        }
        let text = read_beneath(root, path).with_context(|| format!("no file {path}"))?;
        let old: Vec<&str> = text.split_inclusive('\n').collect();
        let mut new: Vec<String> = Vec::new();
        let mut at = 0;
        while let Some(head) = lines.next_if(|line| line.starts_with("@@ ")) {
            let start = start(head).with_context(|| format!("bad hunk {head}"))?;
            if start < at || start > old.len() {
                bail!("{path}: the hunk {head} is not in order");
            }
            new.extend(old[at..start].iter().map(ToString::to_string));
            at = start;
            let body = |line: &&str| line.starts_with([' ', '-', '+']) && !line.starts_with("--- ");
            while let Some(line) = lines.next_if(body) {
                let (sign, rest) = line.split_at(1);
                if sign != "+" {
                    let here = old.get(at).map(|line| line.trim_end_matches('\n'));
                    if here != Some(rest) {
                        bail!("{path}: line {} is not \"{rest}\"", at + 1);
                    }
                    at += 1;
                }
                if sign != "-" {
                    new.push(format!("{rest}\n"));
                }
            }
        }
        new.extend(old[at..].iter().map(ToString::to_string));
        write_beneath(root, path, &new.concat())?;
    }
    Ok(())
}

/// The line before which a hunk `@@ -START,… +…` begins, from 0.
fn start(head: &str) -> Option<usize> {
    let number = head.strip_prefix("@@ -")?.split([',', ' ']).next()?;
    number.parse::<usize>().ok()?.checked_sub(1)
}
