//! House rules: words that stand for notation, with the names that it sets.

use super::{Definition, Node};

/// A house rule: a word that stands for notation.
#[derive(Clone, Debug)]
pub struct House {
    /// The name of the rule in the grammar.
    pub rule: Box<str>,
    /// As typed.
    pub typed: Box<str>,
    /// The names that its notation sets.
    pub definitions: Vec<Definition>,
    /// The notation that it stands for.
    pub body: Node,
}

impl House {
    /// The notation that it stands for, with its names if it sets any.
    #[must_use]
    pub fn notation(&self) -> String {
        let definitions: Vec<String> =
            self.definitions.iter().map(|definition| format!("{definition} ")).collect();
        definitions.concat() + &self.body.to_string()
    }
}

impl PartialEq for House {
    fn eq(&self, other: &House) -> bool {
        self.definitions == other.definitions && self.body == other.body
    }
}
