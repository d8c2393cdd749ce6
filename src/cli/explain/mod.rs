//! `dice explain`: what a text means, in words, without rolling it.

mod nodes;
mod steps;

use std::io::{self, Write};

use dice::{Expr, Number};
use serde::Serialize;

use super::args::{Common, TextArgs};
use super::json::Exact;
use super::language::Language;
use super::{Io, Status};

/// A line of the explanation with what belongs to it.
#[derive(Debug, Serialize)]
pub struct Branch {
    text: String,
    #[serde(rename = "parts")]
    children: Vec<Branch>,
}

impl Branch {
    fn leaf(text: impl Into<String>) -> Branch {
        Branch { text: text.into(), children: Vec::new() }
    }

    fn new(text: impl Into<String>, children: Vec<Branch>) -> Branch {
        Branch { text: text.into(), children }
    }
}

/// Explains a text.
pub fn run(args: &TextArgs, common: &Common, io: &mut Io) -> anyhow::Result<Status> {
    let expr = Language::new(common)?.parse_argument(&args.text())?;
    explain(&expr, io)?;
    Ok(Status::Done)
}

/// Explains a text that has been understood.
pub fn explain(expr: &Expr, io: &mut Io) -> io::Result<()> {
    let tree = nodes::whole(expr);
    let (low, high) = expr.bounds();
    if io.json {
        let object = serde_json::json!({
            "v": 1, "notation": expr.to_string(), "explanation": tree,
            "min": low.map(Exact), "max": high.map(Exact),
        });
        writeln!(io.out, "{object}")?;
        return Ok(());
    }
    writeln!(io.out, "{}", tree.text)?;
    write(&tree.children, "", io.unicode, &mut io.out)?;
    writeln!(io.out, "lowest {}, highest {}", bound(low), bound(high))
}

/// Writes the tree of a text.
pub fn tree(expr: &Expr, io: &mut Io) -> anyhow::Result<()> {
    let tree = nodes::whole(expr);
    writeln!(io.out, "{}", tree.text)?;
    write(&tree.children, "", io.unicode, &mut io.out)?;
    Ok(())
}

fn bound(number: Option<Number>) -> String {
    number.map_or_else(|| "unbounded".to_owned(), |number| number.to_string())
}

/// Writes branches, each line behind `before`.
fn write(branches: &[Branch], before: &str, unicode: bool, out: &mut dyn Write) -> io::Result<()> {
    let [fork, line, end] = if unicode { ["├─ ", "│  ", "└─ "] } else { ["|- ", "|  ", "`- "] };
    for (index, branch) in branches.iter().enumerate() {
        let last = index + 1 == branches.len();
        writeln!(out, "{before}{}{}", if last { end } else { fork }, branch.text)?;
        let deeper = format!("{before}{}", if last { "   " } else { line });
        write(&branch.children, &deeper, unicode, out)?;
    }
    Ok(())
}
