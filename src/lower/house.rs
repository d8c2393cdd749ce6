//! House rules: words that stand for notation.

use super::{Lower, internal};
use crate::ast::Node;
use crate::error::{Code, Error};
use crate::grammar::Tree;

impl Lower<'_> {
    pub(super) fn house<T: Tree>(&mut self, tree: T) -> Result<Node, Error> {
        let _ = (self.expansions, self.template);
        Err(internal(tree.span()))
    }

    #[expect(clippy::unused_self, reason = "called like the functions of rules")]
    pub(super) fn hole<T: Tree>(&mut self, tree: T) -> Result<Node, Error> {
        Err(Error::new(Code::Unexpected, tree.span(), "$ has a meaning only in the => line of a house rule"))
    }
}
