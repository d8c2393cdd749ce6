//! Words that are no step: another letter for d, a misspelt step, a step on a number, a comment without its sign.

use super::nearest::nearest;
use super::{Place, is_word};
use crate::error::{Code, Error};
use crate::grammar::span_of;

/// The words of steps with what they are for: the long spellings and the short ones.
const STEPS: [&str; 30] = [
    "keep highest",
    "keep lowest",
    "drop highest",
    "drop lowest",
    "explode",
    "explode once",
    "compound",
    "penetrate",
    "compound penetrate",
    "reroll",
    "reroll once",
    "reroll better",
    "at least",
    "at most",
    "count",
    "fail",
    "sort",
    "sort descending",
    "limit",
    "kh",
    "kl",
    "dh",
    "dl",
    "ro",
    "rb",
    "mi",
    "ma",
    "sa",
    "sd",
    "lim",
];

impl Place<'_> {
    /// A word that does not fit: another letter for d, x, a misspelt step, a step on a number, a comment.
    pub(super) fn word(&self) -> Option<Error> {
        let rest = self.rest();
        if !rest.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
            return None;
        }
        let width = rest.find(|c: char| !is_word(c)).unwrap_or(rest.len());
        let word = &rest[..width];
        let lower = word.to_ascii_lowercase();
        if lower == "d" {
            let after = self.at + 1;
            return Some(
                Error::new(Code::MissingSides, self.here(1), "how many sides does the die have?")
                    .label("a number, %, F or {…} is expected after d")
                    .fix(span_of(after, after), "6", "for six sides write"),
            );
        }
        if let Some(tail) = lower.strip_prefix('d').filter(|_| self.before().is_empty() || !self.complete()) {
            let _ = tail;
            return Some(
                Error::new(Code::MissingSides, self.here(1), "how many sides does the die have?")
                    .label("a number, %, F or {…} is expected after d"),
            );
        }
        if !self.complete() {
            return None;
        }
        let letters = lower.len() - lower.trim_start_matches(|c: char| c.is_ascii_alphabetic()).len();
        let (head, tail) = lower.split_at(letters);
        self.repeated(head, tail, width)
            .or_else(|| self.other_die(head, tail))
            .or_else(|| self.step_on_number(head, width))
            .or_else(|| self.torn(head, width))
            .or_else(|| self.misspelt(word, width))
            .or_else(|| {
                let error =
                    Error::new(Code::UnknownStep, self.here(width), format!("`{word}` is not a step"))
                        .label("not understood");
                let apart = self.before().len() < self.at;
                let gap = span_of(self.before().len(), self.at);
                Some(if apart {
                    error.hint("to add a comment, write # before it").fix(gap, " # ", "as a comment")
                } else {
                    error
                })
            })
    }

    /// `4d6k h3`: a step with a blank inside.
    fn torn(&self, head: &str, width: usize) -> Option<Error> {
        let before = self.before();
        let start = before.trim_end_matches(|c: char| c.is_ascii_alphabetic()).len();
        let whole = format!("{}{head}", before[start..].to_ascii_lowercase());
        let torn = before.len() < self.at && start < before.len() && is_step(&whole);
        torn.then(|| {
            Error::new(
                Code::UnknownStep,
                span_of(start, self.at + width),
                "a blank does not stand inside a step",
            )
            .fix(span_of(before.len(), self.at), "", "write")
        })
    }

    /// `2d6x3`
    fn repeated(&self, head: &str, tail: &str, width: usize) -> Option<Error> {
        if head != "x" {
            return None;
        }
        let error =
            Error::new(Code::UnknownStep, self.here(width), "`x` is not a step").label("not understood");
        if tail.is_empty() {
            return Some(error.hint("x repeats a roll, and only at the very start"));
        }
        let whole = span_of(0, self.at + width);
        let before = self.before();
        let single = before.chars().all(|c| is_word(c) || c == '!');
        let times = if single {
            (span_of(before.len(), self.at + width), format!("*{tail}"))
        } else {
            (whole, format!("({before})*{tail}"))
        };
        let often = match tail {
            "1" => "once".to_owned(),
            "2" => "twice".to_owned(),
            more => format!("{} times", in_words(more)),
        };
        Some(error.fix(times.0, times.1, format!("to multiply the total by {tail}, write")).fix(
            whole,
            format!("{tail}x {before}"),
            format!("to roll {before} {often}, write"),
        ))
    }

    /// `2w6`
    fn other_die(&self, head: &str, tail: &str) -> Option<Error> {
        let mut letters = head.chars();
        let (letter, rest) = (letters.next()?, letters.next());
        let count = self.last_word();
        let plain = count.is_empty() || count.chars().all(|c| c.is_ascii_digit());
        let sides = tail.starts_with(|c: char| c.is_ascii_digit())
            || tail.is_empty() && self.rest()[1..].starts_with(['%', '{', '(']);
        if rest.is_some() || !sides || !plain || letter == 'd' || is_step(head) && letter != 'w' {
            return None;
        }
        let span = self.here(1);
        Some(
            Error::new(Code::NoDie, span, format!("`{letter}` is not a die"))
                .fix(span, "d", "for dice write d")
                .hint("a grammar of your own can add another letter: see `dice grammar`"),
        )
    }

    /// `3kh1`, `(1d6+5)kh1`
    fn step_on_number(&self, head: &str, width: usize) -> Option<Error> {
        let before = self.before();
        let number = before.len() - before.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.').len();
        let outside = before[..before.len() - number].trim_end();
        // Digits behind a letter or % belong to dice or to a step.
        let is_number = number > 0
            && !outside.ends_with(|c: char| is_word(c) || matches!(c, '%' | '!' | '=' | '<' | '>'));
        let what = if before.ends_with(')') {
            "what stands in brackets is a number"
        } else if is_number {
            "a number is no pool of dice"
        } else {
            return None;
        };
        is_step(head).then(|| {
            Error::new(Code::NoPool, self.here(width), format!("{what}, so no step can follow"))
                .hint("steps stand directly behind dice, a group, or a name that holds a pool")
        })
    }

    /// A step that is nearly right.
    fn misspelt(&self, word: &str, width: usize) -> Option<Error> {
        let typed = self
            .rest()
            .split(|c: char| !c.is_ascii_alphabetic() && c != ' ')
            .next()
            .unwrap_or(word)
            .trim_end();
        let typed = typed.to_ascii_lowercase();
        let first = typed.split(' ').next().unwrap_or("");
        let span = self.here(width);
        let unknown =
            || Error::new(Code::UnknownStep, span, format!("`{word}` is not a step")).label("not understood");
        match first {
            "keep" | "drop" => {
                return Some(
                    Error::new(Code::UnknownStep, self.here(first.len()), format!("{first} which dice?"))
                        .hint(format!("write {first} highest or {first} lowest")),
                );
            }
            "lim" | "limit" => {
                return Some(
                    Error::new(Code::UnknownStep, span, "there is nothing to limit here")
                        .hint("a limit follows explode, compound, penetrate or reroll"),
                );
            }
            "r" | "rr" | "ro" | "rb" | "c" | "f" | "reroll" | "count" | "fail" => {
                return Some(
                    Error::new(Code::MissingAmount, span, format!("a condition is expected after {first}"))
                        .hint("conditions are written as 6, >=5, {1,3..5}, even or odd"),
                );
            }
            "mi" | "ma" | "min" | "max" => {
                return Some(Error::new(
                    Code::MissingAmount,
                    span,
                    format!("a number is expected after {first}"),
                ));
            }
            _ => {}
        }
        let candidate = nearest(&typed, &STEPS).map(|step| (typed.len(), step));
        let candidate = candidate.or_else(|| nearest(first, &STEPS).map(|step| (first.len(), step)));
        let (length, step) = candidate.filter(|(length, _)| *length >= 4)?;
        Some(unknown().hint(format!("did you mean {step}?")).fix(self.here(length), step, "write"))
    }
}

/// Small numbers as people say them.
fn in_words(digits: &str) -> &str {
    const WORDS: [(&str, &str); 10] = [
        ("3", "three"),
        ("4", "four"),
        ("5", "five"),
        ("6", "six"),
        ("7", "seven"),
        ("8", "eight"),
        ("9", "nine"),
        ("10", "ten"),
        ("11", "eleven"),
        ("12", "twelve"),
    ];
    WORDS.iter().find(|(number, _)| *number == digits).map_or(digits, |(_, word)| word)
}

/// Whether letters are a step, or begin with one.
fn is_step(head: &str) -> bool {
    [
        "k", "kh", "kl", "d", "dh", "dl", "r", "rr", "ro", "rb", "mi", "min", "ma", "max", "c", "f", "s",
        "sa", "sd", "p",
    ]
    .contains(&head)
        || STEPS.iter().any(|step| step.split(' ').next() == Some(head))
}
