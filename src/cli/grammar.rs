//! `dice grammar`: the grammar in use, its rules, and what someone who edits one needs to see.

use std::io::Write;
use std::path::Path;

use dice::{Grammar, Warning};
use serde_json::json;

use super::args::{Common, GrammarArgs, GrammarCommand};
use super::language::{Language, read_grammar};
use super::report::{self, Fault, Usage};
use super::{Io, Status, explain};

/// Runs `dice grammar` and the commands below it.
pub fn run(args: &GrammarArgs, common: &Common, io: &mut Io) -> anyhow::Result<Status> {
    match &args.command {
        None => write!(io.out, "{}", in_use(common)?.source())?,
        Some(GrammarCommand::Rules) => rules(&in_use(common)?, io)?,
        Some(GrammarCommand::Check { file }) => return check(file, io),
        Some(GrammarCommand::Try { file, text }) => try_text(file, &text.join(" "), common, io)?,
        Some(GrammarCommand::Diagram { rule }) => {
            let grammar = in_use(common)?;
            let diagram = grammar.diagram(rule.as_deref());
            let unknown = || Usage(format!("there is no rule {}", rule.as_deref().unwrap_or_default()));
            writeln!(io.out, "{}", diagram.ok_or_else(unknown)?)?;
        }
    }
    Ok(Status::Done)
}

/// An error with nothing to add.
fn plain(error: dice::Error) -> Fault {
    Fault::from(error)
}

fn in_use(common: &Common) -> anyhow::Result<Grammar> {
    Ok(Language::new(common)?.grammar.unwrap_or_else(Grammar::built_in))
}

/// Each rule with what its comment says, and for a house rule what it stands for.
fn rules(grammar: &Grammar, io: &mut Io) -> anyhow::Result<()> {
    for rule in grammar.rules() {
        if io.json {
            let object = json!({
                "v": 1, "rule": rule.name, "line": rule.line, "notes": rule.notes, "expansion": rule.expansion,
                "examples": rule.examples, "source": rule.source,
            });
            writeln!(io.out, "{object}")?;
        } else if !rule.notes.is_empty() {
            let stands = rule.expansion.map(|expansion| format!("\n    => {expansion}")).unwrap_or_default();
            writeln!(io.out, "{}\n    {}{stands}", rule.name, rule.notes.join("\n    "))?;
        }
    }
    Ok(())
}

/// What is wrong with a grammar, and what is odd about it.
fn check(file: &Path, io: &mut Io) -> anyhow::Result<Status> {
    let text = read_grammar(file)?;
    let faults = Grammar::faults(&text);
    if !faults.is_empty() {
        for error in faults {
            let notes = vec![format!("the grammar is {}", file.display())];
            report::report(&Fault { notes, ..Fault::from(error) }.into(), io);
        }
        return Ok(Status::Failed);
    }
    let grammar = Grammar::load(&text).map_err(plain)?;
    let warnings = grammar.warnings();
    for Warning { line, message, .. } in &warnings {
        if io.json {
            writeln!(io.out, "{}", json!({"v": 1, "line": line, "warning": message}))?;
        } else {
            let place = line.map_or_else(String::new, |line| format!(":{line}"));
            writeln!(io.out, "{}{place}: warning: {message}", file.display())?;
        }
    }
    if !io.json {
        let house = grammar.rules().iter().filter(|rule| rule.expansion.is_some()).count();
        let (rules, warned) = (grammar.rules().len(), warnings.len());
        writeln!(
            io.out,
            "{}: {rules} rules, {house} of them house rules, {warned} warnings",
            file.display()
        )?;
    }
    Ok(Status::Done)
}

/// How a grammar takes a text apart, and what the text then means.
fn try_text(file: &Path, text: &str, common: &Common, io: &mut Io) -> anyhow::Result<()> {
    let language = Language::with_grammar(common, Some(file))?;
    let Some(grammar) = &language.grammar else { return Ok(()) };
    let nodes = grammar.try_text(text, &language.limits).map_err(plain)?;
    if io.json {
        let nodes: Vec<_> = nodes
            .iter()
            .map(|node| json!({"depth": node.depth, "rule": node.rule, "text": node.text}))
            .collect();
        writeln!(io.out, "{}", json!({"v": 1, "nodes": nodes}))?;
        return Ok(());
    }
    for node in nodes {
        writeln!(io.out, "{:indent$}{} {:?}", "", node.rule, node.text, indent = 2 * node.depth)?;
    }
    writeln!(io.out)?;
    explain::tree(&language.parse_argument(text)?, io)
}
