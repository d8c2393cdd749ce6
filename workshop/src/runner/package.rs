//! Where a package is, and why its build failed.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use serde_json::Value;

use super::Site;

/// The folder of the package `name` in a copy.
pub(super) fn folder(site: &Site, name: &str) -> Result<PathBuf> {
    let is_it = |dir: &Path| {
        fs::read_to_string(dir.join("Cargo.toml"))
            .ok()
            .and_then(|text| text.parse::<toml::Table>().ok())
            .and_then(|table| Some(table.get("package")?.get("name")?.as_str()?.to_string()))
            .is_some_and(|found| found == name)
    };
    if is_it(&site.repo) {
        return Ok(site.repo.clone());
    }
    let walk = ignore::WalkBuilder::new(&site.repo).max_depth(Some(3)).build();
    for entry in walk.flatten() {
        if entry.path().is_dir() && is_it(entry.path()) {
            return Ok(entry.path().to_path_buf());
        }
    }
    bail!("no package {} in the repository", name)
}

/// The first error of a build on one line, with its place.
pub(super) fn build_error(messages: &[Value], stderr: &str, repo: &Path) -> String {
    let error = messages.iter().map(|message| &message["message"]).find(|m| m["level"] == "error");
    if let Some(error) = error {
        let text = error["message"].as_str().unwrap_or("error");
        let first = text.lines().next().unwrap_or("error");
        let spans = error["spans"].as_array().map(Vec::as_slice).unwrap_or_default();
        return match spans.iter().find(|span| span["is_primary"] == true) {
            Some(span) => {
                let file = span["file_name"].as_str().unwrap_or("?");
                format!("{first} ({file}:{})", span["line_start"])
            }
            None => first.to_string(),
        };
    }
    stderr
        .lines()
        .find_map(|line| line.strip_prefix("error: "))
        .unwrap_or("the build ended early")
        .replace(&*repo.to_string_lossy(), ".")
}
