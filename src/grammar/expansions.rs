//! What the house rules of a grammar stand for: their `=>` lines, parsed once with the grammar itself and checked against
//! the parts that each rule can have.

use std::sync::Arc;

use super::book::Book;
use super::loaded::{at_line, fault_error};
use super::parts::{Finder, Parts};
use super::syntax::{At, Fault, Rule};
use super::{Reader, span_of};
use crate::ast::Inner;
use crate::check;
use crate::error::{Code, Error};
use crate::limits::Limits;
use crate::lower::{Hole, Key, Lower, Template, is_value};
use crate::scan::nesting;

/// The house rules of a grammar, in order.
#[derive(Debug, Default)]
pub(crate) struct Expansions {
    pub templates: Vec<Template>,
}

impl Expansions {
    /// Reads what the house rules of a grammar stand for.
    ///
    /// # Errors
    /// The first that is wrong, with its place in the grammar.
    pub(crate) fn load(book: &Book, source: &Arc<str>, grammar: &impl Reader) -> Result<Expansions, Error> {
        let mut expansions = Expansions::default();
        let mut finder = Finder::new(book);
        for (number, rule) in book.house() {
            let Some((notation, at)) = &rule.expansion else { continue };
            let place = At { start: *at, end: at + notation.len() };
            let parts = finder.of_house(number);
            values_only(book, rule, &parts).map_err(|fault| fault_error(source, &fault))?;
            let text: Arc<str> = Arc::from(notation.as_str());
            let template = template(rule, &text, &expansions, grammar)
                .map_err(|error| in_grammar(&error, rule, *at, source))?;
            holes(book, rule, &parts, &template.holes, place).map_err(|fault| fault_error(source, &fault))?;
            expansions.templates.push(template);
        }
        Ok(expansions)
    }
}

fn template(
    rule: &Rule,
    text: &Arc<str>,
    earlier: &Expansions,
    grammar: &impl Reader,
) -> Result<Template, Error> {
    let limits = Limits::default();
    let whole = span_of(0, text.len());
    if text.len() > limits.text {
        return Err(Error::new(
            Code::Limit,
            whole,
            format!("the notation is longer than {} bytes", limits.text),
        ));
    }
    nesting(text, limits.depth)?;
    let mut lower = Lower::new(&limits, earlier, true);
    let mut inner = grammar.read(text, &mut lower)?;
    if let Some(repeat) = &inner.repeat {
        return Err(Error::new(
            Code::Repeat,
            repeat.span,
            "a house rule stands for one result and cannot repeat",
        ));
    }
    if inner.comment.is_some() {
        return Err(Error::new(
            Code::Unexpected,
            whole,
            "a comment cannot be part of what a house rule stands for",
        ));
    }
    let holes = lower.holes.take().unwrap_or_default();
    if holes.is_empty() {
        check::check(&mut inner, &lower.bare, &limits)?;
    }
    let Inner { definitions, body, .. } = inner;
    Ok(Template { rule: rule.name.as_str().into(), definitions, body, bare: lower.bare, holes })
}

/// The error in an expansion as one of the grammar.
fn in_grammar(error: &Error, rule: &Rule, at: usize, source: &Arc<str>) -> Error {
    let span = error.span();
    let span = span_of(at + span.start as usize, at + span.end as usize);
    let title = format!("what the house rule {} stands for is wrong: {}", rule.name, error.title());
    let mut moved =
        Error::new(Code::Grammar, span, at_line(source, span.start as usize, &title)).label(error.caption());
    for note in error.notes() {
        moved = moved.hint(note.clone());
    }
    moved.of(source)
}

/// Every part of a house rule has to have a value.
fn values_only(book: &Book, rule: &Rule, parts: &Parts) -> Result<(), Fault> {
    for part in parts.each.keys() {
        let (role, name) = (book.roles[*part], &book.rules[*part].name);
        if !is_value(role) {
            let what = format!(
                "{name} cannot be a part of the house rule {}: it has no value of its own",
                rule.name
            );
            return Err(Fault::new(rule.at, what).hint(
                "parts are number, bracket, dice, name, whole … or argument, which takes any notation",
            ));
        }
        if *part == book.start {
            return Err(Fault::new(
                rule.at,
                format!("{name} is the whole text and cannot be a part of a house rule"),
            ));
        }
    }
    Ok(())
}

/// Every hole has a part that fills it, and every part fills a hole.
fn holes(book: &Book, rule: &Rule, parts: &Parts, holes: &[Hole], at: At) -> Result<(), Fault> {
    let place_of = |hole: &Hole| At {
        start: at.start + hole.span.start as usize,
        end: at.start + hole.span.end as usize,
    };
    let names = || {
        let names: Vec<&str> = parts.each.keys().map(|part| book.rules[*part].name.as_str()).collect();
        if names.is_empty() {
            "it has no parts".to_owned()
        } else {
            format!("its parts are {}", names.join(", "))
        }
    };
    for hole in holes {
        let (count, what) = match &hole.key {
            Key::Place(place) => {
                let exists = parts.all.most.is_none_or(|most| most > *place);
                let always = parts.all.least > *place;
                (exists.then_some(always), format!("the house rule {} has no part {}", rule.name, place + 1))
            }
            Key::Rule(name) => {
                let count = book.rule(name).and_then(|part| parts.each.get(&part));
                (
                    count.map(|count| count.least > 0),
                    format!("the house rule {} has no part {name}", rule.name),
                )
            }
        };
        match count {
            None => return Err(Fault::new(place_of(hole), what).hint(names())),
            Some(false) if hole.default.is_none() => {
                return Err(Fault::new(
                    place_of(hole),
                    "this part may be missing, and nothing says what stands here then",
                )
                .hint(format!(
                    "write ${{{}:-…}} with what it is without the part",
                    hole.text.trim_matches(['$', '{', '}'])
                )));
            }
            Some(_) => {}
        }
    }
    let Some(most) = parts.all.most else {
        return Err(Fault::new(
            rule.at,
            format!("the house rule {} may have any number of parts, and no hole takes them all", rule.name),
        ));
    };
    let by_name = |part: &usize| {
        let name = &book.rules[*part].name;
        parts.each.get(part).and_then(|count| count.most) == Some(1)
            && holes.iter().any(|hole| matches!(&hole.key, Key::Rule(rule) if **rule == **name))
    };
    let unnamed = parts.each.keys().find(|part| !by_name(part));
    let unplaced = (0..most).find(|place| !holes.iter().any(|hole| hole.key == Key::Place(*place)));
    if let (Some(unnamed), Some(place)) = (unnamed, unplaced) {
        let name = &book.rules[*unnamed].name;
        return Err(Fault::new(
            at,
            format!("part {} of the house rule {} ({name}) is typed for nothing", place + 1, rule.name),
        )
        .hint(format!("put ${} where it belongs, or leave the part out", place + 1)));
    }
    Ok(())
}
