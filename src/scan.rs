//! A look at the raw text before it is parsed: how deep can it nest at most?
//!
//! The parser recurses, so nesting has to be bounded before it starts. The scan never takes a text to be
//! flatter than it is; where in doubt it counts one too many.

use crate::ast::Span;
use crate::error::Error;
use crate::grammar::span_of;
use crate::lower::too_deep;

/// Refuses a text whose brackets, signs, powers and choices nest deeper than `limit`.
///
/// Within one bracket, `^` and signs nest as long as no binary operator ends the operand, and every `?` nests to the
/// end of its bracket or list.
pub(crate) fn nesting(text: &str, limit: usize) -> Result<(), Error> {
    let bytes = text.as_bytes();
    // For each open bracket: the choices and the powers and signs outside of it.
    let mut open: Vec<(usize, usize)> = Vec::new();
    let mut outside = 0;
    let (mut choices, mut chain) = (0, 0);
    let mut after_operand = false;
    let mut at = 0;
    while at < bytes.len() {
        let (byte, next) = (bytes[at], bytes.get(at + 1).copied());
        let mut width = 1;
        match byte {
            b'#' => break,
            b'[' => width = bytes[at..].iter().position(|b| *b == b']').map_or(1, |length| length + 1),
            b'(' | b'{' => {
                open.push((choices, chain));
                outside += choices + chain;
                (choices, chain) = (0, 0);
                after_operand = false;
            }
            b')' | b'}' => {
                if let Some((outer_choices, outer_chain)) = open.pop() {
                    (choices, chain) = (outer_choices, outer_chain);
                    outside -= choices + chain;
                }
                after_operand = true;
            }
            b'?' => (choices, chain, after_operand) = (choices + 1, 0, false),
            b',' | b';' => (choices, chain, after_operand) = (0, 0, false),
            b'*' if next == Some(b'*') => (chain, after_operand, width) = (chain + 1, false, 2),
            b'^' => (chain, after_operand) = (chain + 1, false),
            b'+' | b'-' if after_operand => (chain, after_operand) = (0, false),
            b'+' | b'-' => chain += 1,
            // U+2212, the typographic minus.
            0xE2 if bytes[at..].starts_with("−".as_bytes()) => {
                chain = if after_operand { 0 } else { chain + 1 };
                (after_operand, width) = (false, 3);
            }
            b'*' | b'/' | b'%' | b'=' | b'<' | b'>' | b':' => (chain, after_operand) = (0, false),
            byte if byte.is_ascii_whitespace() => {}
            // Other characters beyond ASCII are operators, blanks or errors; as blanks they change nothing.
            0x80.. => {}
            _ => after_operand = true,
        }
        if open.len() + outside + choices + chain > limit {
            return Err(too_deep(limit, place(text, at)));
        }
        at += width;
    }
    Ok(())
}

/// The character at a byte.
fn place(text: &str, at: usize) -> Span {
    let width = text[at..].chars().next().map_or(0, char::len_utf8);
    span_of(at, at + width)
}

#[cfg(test)]
mod tests {
    use super::nesting;

    #[test]
    fn counts_what_nests() {
        let deep = |text: &str, depth: usize| {
            assert!(nesting(text, depth).is_ok(), "{text} is not deeper than {depth}");
            assert!(depth == 0 || nesting(text, depth - 1).is_err(), "{text} is deeper than {}", depth - 1);
        };
        deep("", 0);
        deep("1+2-3*4/5%6", 0);
        deep("((1))", 2);
        deep("(1)+(2)+{3,4}", 1);
        deep("--1", 2);
        deep("1+-2", 1);
        deep("1-2-3-4", 0);
        deep("-1-2-3", 1);
        deep("2^3^4", 2);
        deep("2^3+2^3", 1);
        deep("2**-3", 2);
        deep("1?2:3?4:5", 2);
        deep("(1?2:3)+(1?2:3)", 2);
        deep("max(1?2:3,1?2:3)", 2);
        deep("−−1", 2);
        deep("1d6!-1d6!-1", 0);
        deep("2d6[((((]+1", 0);
        deep("2d6 # ((((", 0);
        deep("2^(1+(2))", 3);
    }
}
