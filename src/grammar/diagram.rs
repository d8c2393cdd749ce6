//! Railroad diagrams of a grammar.

use railroad::{
    Choice, Comment, Diagram, LabeledBox, Node, NonTerminal, Optional, Repeat, Sequence, SimpleEnd,
    SimpleStart, Stylesheet, Terminal, VerticalGrid,
};

use super::loaded::Grammar;
use super::syntax::{Expr, Kind, Shape};

impl Grammar {
    /// The rules of this grammar, or one of them, as railroad diagrams in one SVG image. `None` if there is no such rule.
    #[must_use]
    pub fn diagram(&self, rule: Option<&str>) -> Option<String> {
        let book = &self.inner.book;
        let rules: Vec<_> = match rule {
            Some(name) => vec![&book.rules[book.rule(name)?]],
            // Blanks and single characters are left out of the whole picture.
            None => book
                .rules
                .iter()
                .filter(|rule| rule.kind != Kind::Silent || rule.body.parts().len() > 1)
                .collect(),
        };
        let mut lines: Vec<Box<dyn Node>> = Vec::new();
        for rule in rules {
            lines.push(Box::new(Comment::new(rule.name.clone())));
            let parts: Vec<Box<dyn Node>> =
                vec![Box::new(SimpleStart), track(&rule.body), Box::new(SimpleEnd)];
            lines.push(Box::new(Sequence::new(parts)));
        }
        Some(Diagram::new_with_stylesheet(VerticalGrid::new(lines), &Stylesheet::Light).to_string())
    }
}

/// Whether an expression only says where blanks may stand.
fn is_blank(expr: &Expr) -> bool {
    matches!(&expr.shape, Shape::Name(name) if matches!(&**name, "ws" | "gap" | "SOI" | "EOI"))
}

fn track(expr: &Expr) -> Box<dyn Node> {
    match &expr.shape {
        Shape::Text(text) | Shape::AnyCase(text) => Box::new(Terminal::new(text.clone())),
        Shape::Range(low, high) => Box::new(Terminal::new(format!("{low} … {high}"))),
        Shape::Name(name) => Box::new(NonTerminal::new(name.clone())),
        Shape::And(inner) => {
            Box::new(LabeledBox::new(track(inner), Comment::new("if this follows".to_owned())))
        }
        Shape::Not(inner) => {
            Box::new(LabeledBox::new(track(inner), Comment::new("unless this follows".to_owned())))
        }
        Shape::Sequence(parts) => {
            Box::new(Sequence::new(parts.iter().filter(|part| !is_blank(part)).map(track).collect()))
        }
        Shape::Choice(parts) => Box::new(Choice::new(parts.iter().map(track).collect())),
        Shape::Optional(inner) => Box::new(Optional::new(track(inner))),
        Shape::Star(inner) => Box::new(Optional::new(Repeat::new(track(inner), railroad::Empty))),
        Shape::Plus(inner) => Box::new(Repeat::new(track(inner), railroad::Empty)),
        Shape::Times(inner, least, most) => {
            let times = match most {
                Some(most) if least == most => format!("{least} times"),
                Some(most) => format!("{least} to {most} times"),
                None => format!("{least} times or more"),
            };
            Box::new(Repeat::new(track(inner), Comment::new(times)))
        }
    }
}
