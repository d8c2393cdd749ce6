//! The documents are executed: every `console` block of them is a transcript, and the reference has a place
//! for every rule of the grammar.

use std::collections::BTreeSet;
use std::fs;

use dice::rules_in;

use crate::cases::{REFUSED, difference, documented};
use crate::transcript::{self, Errors};
use crate::{bless, path, read};

/// The documents whose examples are run.
const DOCUMENTS: [&str; 2] = ["docs/reference.md", "README.md"];

/// A document with what the program prints in its `console` blocks.
fn run(document: &str) -> String {
    let mut result = String::new();
    let mut block: Option<String> = None;
    for line in document.split_inclusive('\n') {
        match &mut block {
            None => {
                result.push_str(line);
                if line.trim_end() == "```console" {
                    block = Some(String::new());
                }
            }
            Some(text) if line.trim_end() == "```" => {
                result.push_str(&transcript::run(text, Errors::Plain));
                result.push_str(line);
                block = None;
            }
            Some(text) => text.push_str(line),
        }
    }
    assert!(block.is_none(), "a block is not closed");
    result
}

#[test]
fn the_documents_show_what_the_program_prints() {
    for name in DOCUMENTS {
        let text = read(name);
        let actual = run(&text);
        if bless() {
            fs::write(path(name), &actual).unwrap();
        } else {
            assert!(actual == text, "BLESS=1 cargo test rewrites {name}\n{}", difference(&text, &actual));
        }
    }
}

/// The parts of the reference that begin with a heading: the anchors and the commands in each.
fn sections(text: &str) -> Vec<(Vec<String>, Vec<String>)> {
    let mut sections: Vec<(Vec<String>, Vec<String>)> = vec![(vec![], vec![])];
    let mut fenced = false;
    let mut anchors = Vec::new();
    for line in text.lines() {
        if line.starts_with("```") {
            fenced = !fenced;
        } else if !fenced && line.starts_with("<a id=") {
            let names = line.split("<a id=\"").skip(1).map(|part| part.split('"').next().unwrap().to_owned());
            anchors.extend(names);
        } else if !fenced && line.starts_with('#') {
            sections.push((std::mem::take(&mut anchors), vec![]));
        } else if let Some(command) = line.strip_prefix("$ ") {
            sections.last_mut().unwrap().1.push(command.to_owned());
        }
    }
    assert!(anchors.is_empty(), "anchors stand above headings");
    sections
}

#[test]
fn every_rule_has_its_section_and_every_anchor_its_rule() {
    let text = read("docs/reference.md");
    let anchors: Vec<String> = sections(&text).into_iter().flat_map(|(anchors, _)| anchors).collect();
    let unique: BTreeSet<String> = anchors.iter().cloned().collect();
    assert_eq!(anchors.len(), unique.len(), "an anchor stands twice");
    assert_eq!(unique, documented());
}

#[test]
fn every_section_has_an_example_that_parses_as_its_rule() {
    for (anchors, commands) in sections(&read("docs/reference.md")) {
        for rule in anchors {
            let uses = commands.iter().flat_map(|command| transcript::notation(command)).any(|text| {
                rules_in(&text).is_some_and(|rules| rules.contains(&rule))
                    && (REFUSED.contains(&rule.as_str()) || text.parse::<dice::Expr>().is_ok())
            });
            assert!(uses, "no example in the section of {rule} parses as {rule}");
        }
    }
}

#[test]
fn every_link_inside_the_documents_leads_somewhere() {
    for name in DOCUMENTS.into_iter().chain(["ARCHITECTURE.md", "CONTRIBUTING.md"]) {
        let text = read(name);
        for link in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            if link.starts_with("http") {
                continue;
            }
            let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
            let folder = path(name).parent().unwrap().to_owned();
            let target = if file.is_empty() { path(name) } else { folder.join(file) };
            assert!(target.exists(), "{name}: {link}");
            if !anchor.is_empty() {
                let target = fs::read_to_string(target).unwrap();
                assert!(
                    target.contains(&format!("<a id=\"{anchor}\"")) || headings(&target).contains(anchor),
                    "{name}: {link}"
                );
            }
        }
    }
}

/// The anchors that a reader of Markdown makes of headings.
fn headings(text: &str) -> BTreeSet<String> {
    let slug = |heading: &str| -> String {
        let kept = heading.trim_start_matches('#').trim().to_lowercase();
        kept.chars()
            .filter(|c| c.is_alphanumeric() || " -_".contains(*c))
            .collect::<String>()
            .replace(' ', "-")
    };
    text.lines().filter(|line| line.starts_with('#')).map(slug).collect()
}
