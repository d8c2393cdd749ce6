//! A person decides on proposals, one at a time.

use std::io::{BufRead, Write};

use anyhow::Result;

use super::card::Stand;
use super::proposal::{Feld, Vorschlag};
use super::show;
use super::store::Store;
use crate::text::clip;

const HELP: &str = "\
y  take it over
n  drop it
e  take over a text of your own instead; it ends with a line that holds only a dot
s  decide later
q  stop here
";

/// Accepts and rejects proposals by id, in this order.
///
/// # Errors
/// At the first one that cannot be decided; those before it are.
pub fn decide(
    store: &Store,
    accept: &[String],
    reject: &[String],
    out: &mut dyn Write,
) -> Result<()> {
    for id in accept {
        let accepted = store.accept(id, None)?;
        writeln!(
            out,
            "accepted {id}: {} in {}.md",
            accepted.vorschlag.feld.name(),
            accepted.feature
        )?;
    }
    for id in reject {
        let rejected = store.reject(id)?;
        writeln!(out, "rejected {id}: {}", rejected.feld.name())?;
    }
    Ok(())
}

/// The open proposals as JSON.
///
/// # Errors
/// When they cannot be read or written.
pub fn json(store: &Store, out: &mut dyn Write) -> Result<()> {
    writeln!(out, "{}", serde_json::to_string_pretty(&store.open()?)?)?;
    Ok(())
}

/// The open proposals with their numbers.
///
/// # Errors
/// When they cannot be read or written.
pub fn print(store: &Store, proposals: &[Vorschlag], out: &mut dyn Write) -> Result<()> {
    for (n, proposal) in proposals.iter().enumerate() {
        write!(out, "{}", shown(store, n + 1, proposal))?;
    }
    Ok(())
}

/// A proposal as a person reads it, with notes on what is easily overlooked.
fn shown(store: &Store, number: usize, proposal: &Vorschlag) -> String {
    let cards = store.cards().unwrap_or_default();
    let card = cards.into_iter().find(|card| card.id == proposal.feature).map(|card| card.karte);
    let title = card.as_ref().map_or("", |card| card.titel.as_str());
    let mut text = show::proposal(number, proposal, title);
    let inside = matches!(proposal.feld, Feld::Ziel | Feld::Regeln | Feld::Testen);
    let function = card.as_ref().and_then(|card| card.function(&proposal.funktion));
    if inside && function.is_some_and(|function| function.stand == Stand::Gebaut) {
        text += "   (gebaut: what was judged is the old text, nobody has judged this one)\n";
    }
    if let Some(word) =
        proposal.roh.as_ref().unwrap_or(&proposal.vorschlag).split_whitespace().find(mixed)
    {
        let word = show::plain(&clip(word, 60));
        text += &format!("   (letters of several alphabets in one word: {word})\n");
    }
    text
}

/// Whether Latin letters stand among Greek or Cyrillic ones, many of which look the same.
fn mixed(word: &&str) -> bool {
    let latin = word.chars().any(|c| c.is_ascii_alphabetic());
    latin && word.chars().any(|c| matches!(c, '\u{370}'..='\u{52F}'))
}

/// Shows every open proposal and asks what to do with it, until all are seen, the person
/// stops, or the input ends.
///
/// # Errors
/// When a file cannot be read or written. A proposal that no longer fits is no error: it is
/// said, and the proposal is shown anew if it could be recomputed.
pub fn dialogue(store: &Store, input: &mut dyn BufRead, out: &mut dyn Write) -> Result<()> {
    let mut later: Vec<String> = Vec::new();
    let (mut accepted, mut rejected) = (0, 0);
    for number in 1.. {
        let open = store.open()?;
        let Some(proposal) = open.iter().find(|proposal| !later.contains(&proposal.id)) else {
            break;
        };
        write!(out, "{}", shown(store, number, proposal))?;
        match choose(proposal, input, out)? {
            Choice::Accept(text) => match store.accept(&proposal.id, text.as_deref()) {
                Ok(_) => accepted += 1,
                Err(error) => {
                    writeln!(out, "{}", show::plain(&format!("{error:#}")))?;
                    // An edited text that is refused leaves the proposal: it is asked again.
                    if text.is_none() && store.open()?.iter().any(|other| other.id == proposal.id) {
                        later.push(proposal.id.clone());
                    }
                }
            },
            Choice::Reject => {
                store.reject(&proposal.id)?;
                rejected += 1;
            }
            Choice::Later => later.push(proposal.id.clone()),
            Choice::Quit => break,
        }
    }
    let left = store.open()?.len();
    writeln!(out, "{accepted} accepted, {rejected} rejected, {left} open")?;
    Ok(())
}

enum Choice {
    Accept(Option<String>),
    Reject,
    Later,
    Quit,
}

fn choose(proposal: &Vorschlag, input: &mut dyn BufRead, out: &mut dyn Write) -> Result<Choice> {
    loop {
        write!(out, "[y,n,e,s,q,?] ")?;
        out.flush()?;
        let mut line = String::new();
        if input.read_line(&mut line)? == 0 {
            writeln!(out)?;
            return Ok(Choice::Quit);
        }
        match line.trim() {
            "y" => return Ok(Choice::Accept(None)),
            "n" => return Ok(Choice::Reject),
            "s" => return Ok(Choice::Later),
            "q" => return Ok(Choice::Quit),
            "e" if matches!(
                proposal.feld,
                Feld::Funktionen | Feld::FunktionWeg | Feld::KarteWeg
            ) =>
            {
                writeln!(out, "There is no text to edit here.")?;
            }
            "e" => return Ok(Choice::Accept(Some(own_text(input)?))),
            _ => write!(out, "{HELP}")?,
        }
    }
}

fn own_text(input: &mut dyn BufRead) -> Result<String> {
    let mut text = String::new();
    loop {
        let mut line = String::new();
        if input.read_line(&mut line)? == 0 || line.trim_end() == "." {
            return Ok(text);
        }
        text += &line;
    }
}
