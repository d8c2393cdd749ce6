//! House rules: words that stand for notation. The notation is lowered once, with holes in it; each use is a copy
//! with the holes filled by trees, so what is typed can neither break the notation nor be broken by it.

use super::fill::Filler;
use super::{Lower, Operand, Part, Role, internal, only_child};
use crate::ast::{Definition, House, Kind, Named, Node, Sign, Span};
use crate::error::{Code, Error};
use crate::grammar::Tree;
use crate::number::Number;

/// From here on the place of a name in the environment means a hole instead. Such names occur in templates only and never leave
/// the lowering.
pub(crate) const HOLES: u32 = 1 << 31;

/// What a house rule stands for, with holes.
#[derive(Debug)]
pub(crate) struct Template {
    /// The name of the rule.
    pub rule: Box<str>,
    pub definitions: Vec<Definition>,
    pub body: Node,
    /// The steps that come from bare comparisons.
    pub bare: Vec<u32>,
    pub holes: Vec<Hole>,
}

/// A hole of a template.
#[derive(Debug)]
pub(crate) struct Hole {
    pub key: Key,
    /// What stands there where the part is missing.
    pub default: Option<Node>,
    /// As written.
    pub text: Box<str>,
    pub span: Span,
}

/// Which part of the house rule fills a hole.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Key {
    /// The part in this place, from 0.
    Place(usize),
    /// The first part of this rule.
    Rule(Box<str>),
}

/// Whether the role is that of a part that has a value.
pub(crate) fn is_value(role: Role) -> bool {
    match role {
        Role::House(_) => true,
        Role::Operand(operand) => operand != Operand::Hole,
        Role::Part(part) => match part {
            Part::Name
            | Part::Whole
            | Part::Argument
            | Part::Member
            | Part::Right
            | Part::Then
            | Part::Otherwise => true,
            Part::Roll
            | Part::Repeat
            | Part::Definition
            | Part::Comment
            | Part::CommentText
            | Part::LabelText
            | Part::Face
            | Part::Weight
            | Part::Element
            | Part::Limit
            | Part::UnclearSign
            | Part::HoleKey
            | Part::HoleDefault => false,
        },
        Role::Follower(_)
        | Role::Step(_)
        | Role::Ask(_)
        | Role::Sides(_)
        | Role::Function(_)
        | Role::Silent => false,
    }
}

impl Lower<'_> {
    /// A house rule, also inside the rule that only wraps it.
    pub(super) fn house<T: Tree>(&mut self, tree: T) -> Result<Node, Error> {
        let span = tree.span();
        let role = tree.role();
        if let Role::House(number) = role {
            return self.nested(span, |lower| lower.expand(number, tree));
        }
        let inner = only_child(tree)?;
        self.nested(span, |lower| lower.operand(inner))
    }

    fn expand<T: Tree>(&mut self, number: usize, tree: T) -> Result<Node, Error> {
        let span = tree.span();
        let word = tree.text().to_ascii_lowercase();
        if self.names.iter().any(|known| *known.name == *word) {
            return self.name(&tree);
        }
        let expansions = self.expansions;
        let Some(template) = expansions.templates.get(number) else {
            return Err(Error::new(
                Code::Unexpected,
                span,
                "a house rule may use earlier house rules, not itself or later ones",
            ));
        };
        let typed = tree.text().trim().to_owned();
        let mut fills: Vec<Option<usize>> = vec![None; template.holes.len()];
        let mut parts = Vec::new();
        for part in tree.children() {
            for (hole, fill) in template.holes.iter().zip(&mut fills) {
                let fits = match &hole.key {
                    Key::Place(place) => *place == parts.len(),
                    Key::Rule(rule) => part.is(rule),
                };
                if fits && fill.is_none() {
                    *fill = Some(parts.len());
                }
            }
            parts.push(self.part(part)?);
        }
        let mut filler = Filler::new(self, template, &parts, &fills, span);
        let definitions = filler.definitions(&template.definitions)?;
        let body = filler.node(&template.body)?;
        let house = House { rule: template.rule.clone(), typed: typed.into(), definitions, body };
        Ok(Node { kind: Kind::House(Box::new(house)), span })
    }

    /// A part of a house rule.
    fn part<T: Tree>(&mut self, tree: T) -> Result<Node, Error> {
        let span = tree.span();
        match tree.role() {
            role if !is_value(role) => Err(internal(span)),
            Role::Operand(_) | Role::House(_) => self.operand(tree),
            Role::Part(Part::Name) => self.name(&tree),
            Role::Part(Part::Whole) => {
                let whole = self.whole(tree)?;
                let positive = Node { kind: Kind::Number(Number::from(whole.saturating_abs())), span };
                let negative = Kind::Signed(Sign::Negative, Box::new(positive.clone()));
                Ok(if whole < 0 { Node { kind: negative, span } } else { positive })
            }
            Role::Part(_) => self.enclosed(span, |lower| lower.inside(tree)),
            Role::Follower(_)
            | Role::Step(_)
            | Role::Ask(_)
            | Role::Sides(_)
            | Role::Function(_)
            | Role::Silent => Err(internal(span)),
        }
    }

    /// A hole in the notation of a house rule.
    pub(super) fn hole<T: Tree>(&mut self, tree: T) -> Result<Node, Error> {
        let span = tree.span();
        if self.holes.is_none() {
            return Err(Error::new(
                Code::Unexpected,
                span,
                "$ has a meaning only in the => line of a house rule",
            ));
        }
        let text: Box<str> = tree.text().into();
        let mut parts = tree.children();
        let word = parts.next().ok_or_else(|| internal(span))?;
        let key = match word.text().parse::<usize>() {
            Ok(0) => {
                return Err(Error::new(
                    Code::Unexpected,
                    span,
                    "the parts of a house rule are counted from $1",
                ));
            }
            Ok(place) => Key::Place(place - 1),
            Err(_) => Key::Rule(word.text().into()),
        };
        let default = match parts.next() {
            Some(default) => Some(self.enclosed(span, |lower| lower.inside(default))?),
            None => None,
        };
        let id = self.node_id();
        let holes = self.holes.as_mut().ok_or_else(|| internal(span))?;
        let index = HOLES + u32::try_from(holes.len()).map_err(|_| internal(span))?;
        holes.push(Hole { key, default, text: text.clone(), span });
        Ok(Node { span, kind: Kind::Named(Box::new(Named { id, name: text, index, steps: Vec::new() })) })
    }
}
