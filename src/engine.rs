//! An engine that remembers what it has read, for programs that roll the same texts again and again.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::ast::Expr;
use crate::error::Error;
use crate::faces::Faces;
use crate::grammar::Grammar;
use crate::limits::Limits;
use crate::number::Number;
use crate::roll::Roll;

/// The built-in grammar, read at run time: its machine parses in less than half the time that the compiled parser takes, to
/// the same trees and errors.
static BUILT_IN: LazyLock<Grammar> = LazyLock::new(Grammar::built_in);

/// Texts of more bytes are read anew each time: what is remembered takes a bounded amount of memory.
const LONGEST: usize = 256;

/// Parses and rolls texts, and remembers the last few hundred of them, so that a text that comes again is rolled
/// without being parsed. The memory of a roll is used again for the next one.
///
/// The first engine of a process reads the grammar, which takes less than a millisecond.
///
/// ```
/// use dice::{Engine, Script};
/// let mut engine = Engine::new();
/// for faces in [[2, 5], [6, 6]] {
///     let roll = engine.roll("2d6+1", &mut Script::new(faces))?;
///     assert_eq!(roll.total(), (faces[0] + faces[1] + 1).into());
/// }
/// assert_eq!(engine.remembered(), 1);
/// # Ok::<(), dice::Error>(())
/// ```
#[derive(Debug)]
pub struct Engine {
    grammar: Grammar,
    limits: Limits,
    capacity: usize,
    /// What was asked for since the last change of generations.
    young: HashMap<Box<str>, Expr>,
    /// What was asked for before; it is forgotten at the next change unless it is asked for again.
    old: HashMap<Box<str>, Expr>,
    roll: Option<Roll>,
}

impl Engine {
    /// An engine for the built-in grammar with the default limits, which remembers from 512 to 1024 texts.
    #[must_use]
    pub fn new() -> Engine {
        Engine {
            grammar: BUILT_IN.clone(),
            limits: Limits::default(),
            capacity: 512,
            young: HashMap::new(),
            old: HashMap::new(),
            roll: None,
        }
    }

    /// The same with another grammar. Forgets all texts.
    #[must_use]
    pub fn with_grammar(self, grammar: Grammar) -> Engine {
        Engine { grammar, ..self.forgetful() }
    }

    /// The same within other limits. Forgets all texts.
    #[must_use]
    pub fn with_limits(self, limits: Limits) -> Engine {
        Engine { limits, ..self.forgetful() }
    }

    /// The same, but it remembers from `texts` to twice as many; with 0 it remembers none.
    #[must_use]
    pub fn with_capacity(self, texts: usize) -> Engine {
        Engine { capacity: texts, ..self.forgetful() }
    }

    fn forgetful(self) -> Engine {
        Engine { young: HashMap::new(), old: HashMap::new(), ..self }
    }

    /// How many texts are remembered.
    #[must_use]
    pub fn remembered(&self) -> usize {
        self.young.len() + self.old.len()
    }

    /// Parses a text, or remembers it.
    ///
    /// # Errors
    /// What is wrong with the text, and where.
    pub fn parse(&mut self, text: &str) -> Result<Expr, Error> {
        if let Some(expr) = self.young.get(text) {
            return Ok(expr.clone());
        }
        let (key, expr) = match self.old.remove_entry(text) {
            Some(known) => known,
            None => {
                let expr = self.grammar.parse(text, &self.limits)?;
                if text.len() > LONGEST || self.capacity == 0 {
                    return Ok(expr);
                }
                (text.into(), expr)
            }
        };
        if self.young.len() >= self.capacity {
            self.old = std::mem::take(&mut self.young);
        }
        self.young.insert(key, expr.clone());
        Ok(expr)
    }

    /// Rolls a text. The roll is the engine's own; clone it to keep it beyond the next one.
    ///
    /// # Errors
    /// What is wrong with the text, or what failed while rolling it.
    pub fn roll<F: Faces + ?Sized>(&mut self, text: &str, faces: &mut F) -> Result<&Roll, Error> {
        let expr = self.parse(text)?;
        let roll = self.roll.get_or_insert_with(|| Roll::new(&expr));
        expr.roll_into(roll, faces, &self.limits)?;
        Ok(roll)
    }

    /// Rolls a text for its total only; see [`Expr::total`].
    ///
    /// # Errors
    /// As [`Engine::roll`].
    pub fn total<F: Faces + ?Sized>(&mut self, text: &str, faces: &mut F) -> Result<Number, Error> {
        self.parse(text)?.total_within(faces, &self.limits)
    }
}

impl Default for Engine {
    fn default() -> Engine {
        Engine::new()
    }
}

#[cfg(test)]
mod tests {
    use super::{Engine, LONGEST};
    use crate::{Code, Grammar, Limits, Script};

    #[test]
    fn remembers_what_is_asked_for_and_forgets_the_rest() {
        let mut engine = Engine::new().with_capacity(3);
        let first = engine.parse("1d6").unwrap();
        for sides in 1..100 {
            engine.parse(&format!("1d{sides}")).unwrap();
            assert!(engine.remembered() <= 6);
            let again = engine.parse("1d6").unwrap();
            assert!(std::ptr::eq(first.text(), again.text()), "forgotten after {sides}");
        }
        let second = engine.parse("1d2").unwrap();
        assert!(!std::ptr::eq(second.text(), engine.parse("1d3").unwrap().text()));
        assert_eq!(second.text(), "1d2");
    }

    #[test]
    fn never_remembers_what_is_long_wrong_or_from_before() {
        let mut engine = Engine::new();
        engine.parse(&format!("1{}", "+1".repeat(LONGEST))).unwrap();
        assert_eq!(engine.parse("2y6").unwrap_err(), engine.parse("2y6").unwrap_err());
        assert_eq!(engine.remembered(), 0);
        engine.parse("5d6").unwrap();
        assert_eq!(engine.remembered(), 1);
        let mut engine = engine.with_limits(Limits { dice: 4, ..Limits::default() });
        assert_eq!(engine.parse("5d6").unwrap_err().code(), Code::Limit);
        let systems = include_str!("../examples/grammars/systems.pest");
        let mut engine = engine.with_grammar(Grammar::load(systems).unwrap());
        assert_eq!(engine.total("sr 4 + 1", &mut Script::new([1, 5, 6, 2])).unwrap(), 3.into());
        let mut none = Engine::new().with_capacity(0);
        assert_eq!(none.total("2d6", &mut Script::new([1, 2])).unwrap(), 3.into());
        assert_eq!(none.remembered(), 0);
    }

    #[test]
    fn a_roll_after_a_failed_one_is_as_good_as_new() {
        let mut engine = Engine::new();
        assert_eq!(engine.roll("3x 4d6!kh3[a]", &mut Script::new([6, 6])).unwrap_err().code(), Code::Script);
        let roll = engine.roll("2d6", &mut Script::new([3, 4])).unwrap();
        assert_eq!(roll.to_string(), "2d6 [3 4] = 7");
        assert_eq!(roll.outcomes().len(), 1);
        assert!(roll.outcomes()[0].labels().is_empty());
    }
}
