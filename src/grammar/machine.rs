//! Parses a text with a grammar that was read at run time.
//!
//! The machine keeps its own stack, so no text and no grammar can overflow the thread's, and it counts its steps, so that none
//! can keep it busy for long.

use super::code::{Code, Op};
use super::span_of;
use crate::ast::Span;

/// A node of a parse tree. The nodes of a tree stand in the order in which they begin.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token {
    pub rule: u32,
    pub span: Span,
    /// The first node that is not inside this one.
    pub next: u32,
}

/// How a parse ended.
#[derive(Debug)]
pub(crate) enum End {
    /// The whole text fits.
    Fits(Vec<Token>),
    /// It fits up to this byte.
    Stops(usize),
    /// It takes too long to find out.
    Busy,
}

/// A parse and what it cost.
#[derive(Debug)]
pub(crate) struct Parse {
    pub end: End,
    pub steps: u64,
}

/// Steps that any text may take, and further ones for each of its bytes. What the built-in grammar needs is below a
/// tenth of that.
const STEPS: u64 = 100_000;
const STEPS_PER_BYTE: u64 = 2_000;
/// Frames for each byte of the text, and for any text.
const FRAMES: usize = 20_000;
const FRAMES_PER_BYTE: usize = 100;

/// Nodes and frames of a short text.
const USUAL: usize = 24;

enum Frame {
    /// Where to go on if what follows fails, and from where.
    Alternative { to: u32, pos: u32, tokens: u32 },
    /// Where to go on behind a silent rule.
    Return(u32),
    /// The same behind another.
    Rule { to: u32, entry: u32, start: u32, token: u32 },
}

struct Machine<'m> {
    code: &'m Code,
    text: &'m str,
    pos: usize,
    stack: Vec<Frame>,
    tokens: Vec<Token>,
    /// The last byte at which a rule was tried in vain.
    reached: usize,
}

/// Parses a text from the start rule.
pub(crate) fn run(code: &Code, text: &str) -> Parse {
    let budget = STEPS + STEPS_PER_BYTE * text.len() as u64;
    let frames = FRAMES + FRAMES_PER_BYTE * text.len();
    let (stack, tokens) = (Vec::with_capacity(USUAL), Vec::with_capacity(USUAL));
    let mut machine = Machine { code, text, pos: 0, stack, tokens, reached: 0 };
    let (mut at, mut left) = (1, budget);
    let end = loop {
        if left == 0 || machine.stack.len() > frames {
            break End::Busy;
        }
        left -= 1;
        let Some(op) = code.ops.get(at as usize) else { break End::Busy };
        if let Op::Done = op {
            break if machine.pos == text.len() {
                End::Fits(machine.tokens)
            } else {
                End::Stops(machine.pos)
            };
        }
        at = match machine.step(*op, at) {
            Some(next) => next,
            None => match machine.fail() {
                Some(next) => next,
                None => break End::Stops(machine.reached),
            },
        };
    };
    Parse { end, steps: budget - left }
}

impl Machine<'_> {
    /// Runs one instruction; returns the next one, or nothing if this one fails.
    #[inline]
    fn step(&mut self, op: Op, at: u32) -> Option<u32> {
        match op {
            Op::Text(index) => {
                let wanted = self.code.texts.get(index as usize)?.as_bytes();
                if !self.text.as_bytes()[self.pos..].starts_with(wanted) {
                    return None;
                }
                self.pos += wanted.len();
            }
            Op::AnyCase(index) => {
                let wanted = self.code.texts.get(index as usize)?;
                let found = self.text.get(self.pos..self.pos + wanted.len())?;
                if !found.eq_ignore_ascii_case(wanted) {
                    return None;
                }
                self.pos += wanted.len();
            }
            Op::One(index) => {
                self.pos += self.code.classes.get(index as usize)?.first(&self.text[self.pos..])?;
            }
            Op::Many(index) => {
                let class = self.code.classes.get(index as usize)?;
                while let Some(width) = class.first(&self.text[self.pos..]) {
                    self.pos += width;
                }
            }
            Op::Any => self.pos += self.text[self.pos..].chars().next()?.len_utf8(),
            Op::Before(index) => {
                self.code.classes.get(index as usize)?.first(&self.text[self.pos..])?;
            }
            Op::NotBefore(index) => {
                if self.code.classes.get(index as usize)?.first(&self.text[self.pos..]).is_some() {
                    return None;
                }
            }
            Op::Head(index) => {
                let head = self.code.heads.get(index as usize)?;
                if head.class.first(&self.text[self.pos..]).is_none() {
                    self.mark(head.marks, self.pos);
                    return Some(head.to);
                }
            }
            Op::Switch(index) => return self.switch(index),
            Op::Go(to) => return Some(to),
            Op::Start if self.pos == 0 => {}
            Op::End if self.pos == self.text.len() => {}
            Op::Start | Op::End | Op::Done => return None,
            Op::Try(to) => {
                let frame = Frame::Alternative { to, pos: small(self.pos), tokens: small(self.tokens.len()) };
                self.stack.push(frame);
            }
            Op::Commit(to) => {
                self.stack.pop();
                return Some(to);
            }
            Op::Again(to) => {
                let (here, count) = (small(self.pos), small(self.tokens.len()));
                if let Some(Frame::Alternative { pos, tokens, .. }) = self.stack.last_mut() {
                    (*pos, *tokens) = (here, count);
                }
                return Some(to);
            }
            Op::Back(to) => {
                if let Some(Frame::Alternative { pos, tokens, .. }) = self.stack.pop() {
                    self.pos = pos as usize;
                    self.tokens.truncate(tokens as usize);
                }
                return Some(to);
            }
            Op::Refuse => {
                self.stack.pop();
                return None;
            }
            Op::Call(to) => {
                self.stack.push(Frame::Return(at + 1));
                return Some(to);
            }
            Op::Enter(index) => {
                let entry = *self.code.entries.get(index as usize)?;
                let token = small(self.tokens.len());
                self.stack.push(Frame::Rule { to: at + 1, entry: index, start: small(self.pos), token });
                if entry.node {
                    self.tokens.push(Token { rule: entry.rule, span: span_of(self.pos, self.pos), next: 0 });
                }
                return Some(entry.code);
            }
            Op::Return => return self.leave(),
        }
        Some(at + 1)
    }

    /// The first alternative that can begin with the next character.
    #[inline]
    fn switch(&mut self, index: u32) -> Option<u32> {
        let switch = self.code.switches.get(index as usize)?;
        let place = match self.text.as_bytes().get(self.pos) {
            Some(byte) => switch.ascii.get(usize::from(*byte)),
            None => Some(&switch.end),
        };
        let Some(place) = place else { return Some(switch.other) };
        let (to, marks) = *switch.to.get(usize::from(*place))?;
        self.mark(marks, self.pos);
        Some(to)
    }

    /// Takes note of a place at which a rule was tried in vain.
    #[inline]
    fn mark(&mut self, counts: bool, at: usize) {
        if counts {
            self.reached = self.reached.max(at);
        }
    }

    fn leave(&mut self) -> Option<u32> {
        match self.stack.pop()? {
            Frame::Return(to) => Some(to),
            Frame::Rule { to, entry, start, token } => {
                let entry = self.code.entries.get(entry as usize)?;
                if entry.node {
                    let next = small(self.tokens.len());
                    let token = self.tokens.get_mut(token as usize)?;
                    token.span.end = small(self.pos);
                    token.next = next;
                } else {
                    self.mark(entry.on_success, start as usize);
                }
                Some(to)
            }
            Frame::Alternative { .. } => None,
        }
    }

    /// Goes back to the last alternative.
    fn fail(&mut self) -> Option<u32> {
        loop {
            match self.stack.pop()? {
                Frame::Alternative { to, pos, tokens } => {
                    self.pos = pos as usize;
                    self.tokens.truncate(tokens as usize);
                    return Some(to);
                }
                Frame::Rule { entry, start, .. } => {
                    let counts = self.code.entries.get(entry as usize).is_some_and(|entry| entry.on_failure);
                    self.mark(counts, start as usize);
                }
                Frame::Return(_) => {}
            }
        }
    }
}

/// Texts and trees are shorter than 2^32.
#[expect(
    clippy::cast_possible_truncation,
    reason = "the length limit is below 2^30, and nodes are fewer than steps"
)]
fn small(number: usize) -> u32 {
    number as u32
}
