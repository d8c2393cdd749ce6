//! Terms: operands and the operators, labels, comparisons and choices that follow them.

use super::{Follower, Lower, Operand, Part, Role, counts, internal, only_child, pool_of, pool_steps};
use crate::ast::{
    Call, Chain, Choice, Compare, Comparison, Condition, Function, Group, Kind, Label, Link, Named, Node,
    Operator, Power, Sign, Span, Step, StepKind,
};
use crate::error::{Code, Error};
use crate::grammar::Tree;

/// How deep terms and operands can be in each other within one bracket, sign, power or choice: the bracket and what is in it, the
/// right side of a comparison, of a sum and of a product, and dice with an amount in brackets.
const LEVELS: usize = 6;
/// What fits a stack of 2 MiB in every build, whatever nests.
const MAX_LEVELS: usize = 800;

impl Lower<'_> {
    /// A first operand and everything that follows it. `at` is where it should be, if nothing is there.
    pub(super) fn term<T: Tree>(&mut self, parts: impl Iterator<Item = T>, at: Span) -> Result<Node, Error> {
        self.level::<T>(at)?;
        let term = self.term_of(parts, at);
        self.levels -= 1;
        term
    }

    /// Takes note of one more term or operand inside another. In the compiled grammar brackets bound that already; it is
    /// for grammars that let other things nest.
    fn level<T: Tree>(&mut self, at: Span) -> Result<(), Error> {
        if !T::COMPILED && self.levels > MAX_LEVELS.min(LEVELS * (self.limits.depth + 2)) {
            return Err(super::too_deep(self.limits.depth, at));
        }
        self.levels += 1;
        Ok(())
    }

    fn term_of<T: Tree>(&mut self, mut parts: impl Iterator<Item = T>, at: Span) -> Result<Node, Error> {
        let first = parts.next().ok_or_else(|| internal(at))?;
        let mut node = self.operand(first)?;
        let mut compared = false;
        for part in parts {
            node = match part.role() {
                Role::Follower(follower) => {
                    if compared && follower != Follower::Branch {
                        return Err(after_comparison(follower, part.span()));
                    }
                    compared |= follower == Follower::Compare;
                    self.follower(follower, node, part)?
                }
                Role::Operand(Operand::Dice) => self.dice(Some(node), part)?,
                Role::Operand(_)
                | Role::Step(_)
                | Role::Ask(_)
                | Role::Sides(_)
                | Role::Function(_)
                | Role::Part(_)
                | Role::House(_)
                | Role::Silent => return Err(internal(part.span())),
            };
        }
        Ok(node)
    }

    /// The term that is all there is inside a node.
    pub(super) fn inside<T: Tree>(&mut self, tree: T) -> Result<Node, Error> {
        let span = tree.span();
        self.term(tree.children(), span)
    }

    pub(super) fn operand<T: Tree>(&mut self, tree: T) -> Result<Node, Error> {
        self.level::<T>(tree.span())?;
        let operand = self.operand_of(tree);
        self.levels -= 1;
        operand
    }

    fn operand_of<T: Tree>(&mut self, tree: T) -> Result<Node, Error> {
        let span = tree.span();
        let operand = match tree.role() {
            Role::Operand(operand) => operand,
            Role::House(_) => Operand::House,
            Role::Follower(_)
            | Role::Step(_)
            | Role::Ask(_)
            | Role::Sides(_)
            | Role::Function(_)
            | Role::Part(_)
            | Role::Silent => return Err(internal(span)),
        };
        match operand {
            Operand::Number => Ok(Node { kind: Kind::Number(self.number(&tree)?), span }),
            Operand::Bracket => self.bracket(tree),
            Operand::Dice => self.dice(None, tree),
            Operand::Group => self.enclosed(span, |lower| lower.group(tree)),
            Operand::House => self.house(tree),
            Operand::Call => self.enclosed(span, |lower| lower.call(tree)),
            Operand::Named => self.named(tree),
            Operand::Hole => self.hole(tree),
            Operand::Signed(sign) => self.signed(sign, tree),
        }
    }

    #[inline(never)]
    fn bracket<T: Tree>(&mut self, tree: T) -> Result<Node, Error> {
        let span = tree.span();
        let inner = self.enclosed(span, |lower| lower.inside(tree))?;
        Ok(Node { kind: Kind::Bracket(Box::new(inner)), span })
    }

    #[inline(never)]
    fn signed<T: Tree>(&mut self, sign: Sign, tree: T) -> Result<Node, Error> {
        let span = tree.span();
        let inner = self.nested(span, |lower| lower.inside(tree))?;
        Ok(Node { span, kind: Kind::Signed(sign, Box::new(inner)) })
    }

    fn follower<T: Tree>(&mut self, follower: Follower, left: Node, tree: T) -> Result<Node, Error> {
        match follower {
            Follower::Label => Self::label(left, tree),
            Follower::Binary(operator) => self.binary(operator, left, tree),
            Follower::Raise => self.raise(left, tree),
            Follower::Compare => self.compare(left, tree),
            Follower::Branch => self.branch(left, tree),
        }
    }

    #[inline(never)]
    fn label<T: Tree>(inner: Node, tree: T) -> Result<Node, Error> {
        if let Kind::Label(_) = inner.kind {
            return Err(Error::new(Code::Unexpected, tree.span(), "a term has one label at most"));
        }
        let span = inner.span.to(tree.span());
        let text = only_child(tree)?.text().into();
        Ok(Node { span, kind: Kind::Label(Box::new(Label { inner, text })) })
    }

    #[inline(never)]
    fn binary<T: Tree>(&mut self, operator: Operator, left: Node, tree: T) -> Result<Node, Error> {
        let span = left.span.to(tree.span());
        let start = tree.span().start;
        let operand = self.inside(tree)?;
        let at = Span { start, end: operand.span.start };
        let link = Link { operator, at, operand };
        let kind = match left {
            Node { kind: Kind::Chain(mut chain), .. } if chain.operator().is_sum() == operator.is_sum() => {
                chain.rest.push(link);
                Kind::Chain(chain)
            }
            first => Kind::Chain(Box::new(Chain { first, rest: vec![link] })),
        };
        Ok(Node { kind, span })
    }

    #[inline(never)]
    fn raise<T: Tree>(&mut self, base: Node, tree: T) -> Result<Node, Error> {
        let span = base.span.to(tree.span());
        let start = tree.span().start;
        let exponent = self.nested(span, |lower| lower.inside(tree))?;
        let at = Span { start, end: exponent.span.start };
        Ok(Node { span, kind: Kind::Power(Box::new(Power { base, exponent, at })) })
    }

    #[inline(never)]
    fn branch<T: Tree>(&mut self, condition: Node, tree: T) -> Result<Node, Error> {
        let span = condition.span.to(tree.span());
        let at = tree.span();
        let (then, otherwise) = self.enclosed(at, |lower| {
            let mut parts = tree.children();
            let mut next = || parts.next().ok_or_else(|| internal(at));
            let (then, otherwise) = (next()?, next()?);
            Ok((lower.inside(then)?, lower.inside(otherwise)?))
        })?;
        Ok(Node { span, kind: Kind::Choice(Box::new(Choice { condition, then, otherwise })) })
    }

    #[inline(never)]
    fn call<T: Tree>(&mut self, tree: T) -> Result<Node, Error> {
        let span = tree.span();
        let mut parts = tree.children();
        let name = parts.next().ok_or_else(|| internal(span))?;
        let Role::Function(function) = name.role() else { return Err(internal(name.span())) };
        let mut arguments = Vec::new();
        for part in parts {
            arguments.push(self.inside(part)?);
        }
        called(function, arguments, span)
    }

    #[inline(never)]
    fn group<T: Tree>(&mut self, tree: T) -> Result<Node, Error> {
        let span = tree.span();
        let mut members = Vec::new();
        let mut steps = Vec::new();
        for part in tree.children() {
            match part.role() {
                Role::Part(Part::Member) => members.push(self.inside(part)?),
                Role::Step(step) => steps.push(self.step(step, part)?),
                Role::Operand(_)
                | Role::Follower(_)
                | Role::Ask(_)
                | Role::Sides(_)
                | Role::Function(_)
                | Role::Part(_)
                | Role::House(_)
                | Role::Silent => return Err(internal(part.span())),
            }
        }
        self.grouped(members, steps, span)
    }

    /// A group, once its members and steps are known.
    #[inline(never)]
    fn grouped(&mut self, members: Vec<Node>, steps: Vec<Step>, span: Span) -> Result<Node, Error> {
        let group = Group { id: self.node_id(), members, steps };
        if let [member] = &group.members[..] {
            one_pool(member)?;
        } else if let Some(step) = group.steps.iter().find(|step| step.kind.throws()) {
            return Err(Error::new(
                Code::StepOrder,
                step.span,
                "the members of a group are results and are not thrown again",
            )
            .hint(
                "put the step behind the dice inside, or write one pool with + instead of commas: {1d6+1d8}!",
            ));
        }
        self.step_order(&group.steps, false)?;
        Ok(Node { span, kind: Kind::Group(Box::new(group)) })
    }

    #[inline(never)]
    fn named<T: Tree>(&mut self, tree: T) -> Result<Node, Error> {
        let span = tree.span();
        let mut parts = tree.children();
        let word = parts.next().ok_or_else(|| internal(span))?;
        let node = self.name(&word)?;
        let mut steps = Vec::new();
        for part in parts {
            let Role::Step(step) = part.role() else { return Err(internal(part.span())) };
            steps.push(self.step(step, part)?);
        }
        if steps.is_empty() { Ok(node) } else { self.named_pool(node, steps, span) }
    }

    /// A name with steps behind it.
    #[inline(never)]
    fn named_pool(&mut self, mut node: Node, steps: Vec<Step>, span: Span) -> Result<Node, Error> {
        let first_span = steps.first().map_or(span, |step| step.span);
        if let Some(end) = self.right_end {
            if steps.iter().all(|step| matches!(step.kind, StepKind::Fail(_))) && span.end == end {
                self.handed = steps;
                return Ok(node);
            }
            return Err(Error::new(
                Code::Ambiguous,
                first_span,
                "right of a comparison a name takes no steps",
            )
            .hint("put the name and its steps in brackets"));
        }
        let Kind::Named(named) = &mut node.kind else { return Err(internal(span)) };
        let known =
            self.names.iter().find(|known| known.index == named.index).ok_or_else(|| internal(span))?;
        let name = &named.name;
        if !known.pool {
            return Err(Error::new(
                Code::NoPool,
                first_span,
                format!("{name} is a number, not a pool of dice"),
            )
            .hint(format!("a name holds a pool where it is set to nothing but dice: {name} = 4d6;")));
        }
        if let Some(step) = steps.iter().find(|step| step.kind.throws()) {
            return Err(Error::new(
                Code::StepOrder,
                step.span,
                format!("the dice of {name} lie on the table and are not thrown again"),
            )
            .hint(format!("explode or reroll where {name} is set")));
        }
        let counted = known.counts;
        self.step_order(&steps, counted)?;
        node.span = span;
        if let Kind::Named(named) = &mut node.kind {
            named.steps = steps;
        }
        Ok(node)
    }

    /// A name where its value is used.
    pub(super) fn name<T: Tree>(&mut self, tree: &T) -> Result<Node, Error> {
        let span = tree.span();
        let name: Box<str> = tree.text().to_ascii_lowercase().into();
        let Some(known) = self.names.iter().find(|known| known.name == name) else {
            let names: Vec<&str> = self.names.iter().map(|known| &*known.name).collect();
            return Err(crate::diagnose::unknown_name(&name, span, &names));
        };
        let index = known.index;
        let named = Named { id: self.node_id(), name, index, steps: Vec::new() };
        Ok(Node { span, kind: Kind::Named(Box::new(named)) })
    }

    #[inline(never)]
    fn compare<T: Tree>(&mut self, left: Node, tree: T) -> Result<Node, Error> {
        let at = tree.span();
        let mut parts = tree.children();
        let mut next = || parts.next().ok_or_else(|| internal(at));
        let (sign, right) = (next()?, next()?);
        let comparison = comparison(&sign)?;
        let outside = self.right_end.replace(right.span().end);
        let right = self.inside(right);
        self.right_end = outside;
        let right = right?;
        let mut fails = std::mem::take(&mut self.handed);
        for part in parts {
            let Role::Step(step) = part.role() else { return Err(internal(part.span())) };
            fails.push(self.step(step, part)?);
        }
        self.compared(left, comparison, right, fails, at)
    }

    /// A comparison, once both sides are known: of totals, or a count of the dice on the left.
    #[inline(never)]
    fn compared(
        &mut self,
        mut left: Node,
        comparison: Comparison,
        right: Node,
        mut fails: Vec<Step>,
        at: Span,
    ) -> Result<Node, Error> {
        let span = left.span.to(at);
        if let Kind::Named(named) = &unlabelled(&left).kind
            && !named.steps.is_empty()
        {
            let (name, sign) = (&named.name, comparison.symbol());
            return Err(Error::new(Code::Ambiguous, at, "is this to test the total or to count dice?")
                .hint(format!("to test the total put {name} and its steps in brackets: ({name} …){sign}…"))
                .hint(format!("to count the dice write c: {name} … c{sign}…")));
        }
        if pool_of(&left).is_none() && ends_with_open_explosion(&left) {
            return Err(Error::new(
                Code::Ambiguous,
                at,
                "is this a condition of the explosion or a test of the total?",
            )
            .hint("to test the total put the dice that explode in brackets, as in 5 + (2d6!) > 8")
            .hint("a condition of an explosion is a number, a bracket or a name, as in 2d6!>(1d4)"));
        }
        let Some(pool) = pool_of(&left) else {
            if let Some(fail) = fails.first() {
                return Err(Error::new(
                    Code::NoPool,
                    fail.span,
                    "failures are counted on dice, and this tests a total",
                ));
            }
            return Ok(Node { span, kind: Kind::Compare(Box::new(Compare { left, comparison, right })) });
        };
        if counts(pool_steps(pool)) {
            return Err(Error::new(Code::Ambiguous, at, "these dice are counted already")
                .hint("to test the count put it in brackets")
                .bracketed(left.span, "to test the count write"));
        }
        let id = self.step_id();
        self.bare.push(id);
        let condition = Condition::Compare(comparison, as_target(right));
        let count = Step { kind: StepKind::Count(condition), span: at, id };
        if let Some(steps) = steps_mut(&mut left) {
            steps.push(count);
            steps.append(&mut fails);
        }
        left.span = span;
        Ok(left)
    }
}

/// What a label stands behind, or the node itself.
fn unlabelled(node: &Node) -> &Node {
    if let Kind::Label(label) = &node.kind { unlabelled(&label.inner) } else { node }
}

/// The error for what stands behind a comparison: nothing may but failures and a choice.
fn after_comparison(follower: Follower, at: Span) -> Error {
    match follower {
        Follower::Compare => Error::new(Code::ChainedComparison, at, "comparisons do not chain")
            .hint("put one of them in brackets, as in (1<2)<3")
            .hint("to add two counts of dice write c: 2d6c>=5 + 3d6c>=5"),
        Follower::Label | Follower::Binary(_) | Follower::Raise | Follower::Branch => {
            Error::new(Code::Unexpected, at, "only failures may follow a comparison here").hint(
                "to go on with the number put the comparison in brackets, or count with c: 5d10c>=8f1 + 2",
            )
        }
    }
}

/// A call, once its arguments are known.
#[inline(never)]
fn called(function: Function, arguments: Vec<Node>, span: Span) -> Result<Node, Error> {
    if let [_, extra, ..] = &arguments[..]
        && !function.is_variadic()
    {
        let title = format!("{} takes one value, not {}", function.name(), arguments.len());
        return Err(Error::new(Code::Arguments, extra.span, title).hint(format!(
            "several values go into {} or {}",
            Function::Min.name(),
            Function::Max.name()
        )));
    }
    Ok(Node { span, kind: Kind::Call(Box::new(Call { function, arguments })) })
}

/// The comparison that a sign stands for.
pub(super) fn comparison<T: Tree>(sign: &T) -> Result<Comparison, Error> {
    match sign.role() {
        Role::Ask(super::Ask::Compare(comparison)) => Ok(comparison),
        Role::Ask(_)
        | Role::Operand(_)
        | Role::Follower(_)
        | Role::Step(_)
        | Role::Sides(_)
        | Role::Function(_)
        | Role::Part(_)
        | Role::House(_)
        | Role::Silent => Err(internal(sign.span())),
    }
}

/// The right side of a bare comparison as the target of a condition: in brackets where a condition needs them.
fn as_target(right: Node) -> Node {
    let span = right.span;
    if let Kind::Signed(Sign::Negative, inner) = &right.kind
        && let Kind::Number(number) = inner.kind
        && let Some(negative) = number.negated()
    {
        return Node { span, kind: Kind::Number(negative) };
    }
    match right.kind {
        Kind::Number(_) | Kind::Named(_) | Kind::Call(_) | Kind::Bracket(_) => right,
        Kind::Dice(_)
        | Kind::Group(_)
        | Kind::Signed(..)
        | Kind::Chain(_)
        | Kind::Power(_)
        | Kind::Label(_)
        | Kind::Compare(_)
        | Kind::Choice(_)
        | Kind::House(_) => Node { span, kind: Kind::Bracket(Box::new(right)) },
    }
}

fn steps_mut(node: &mut Node) -> Option<&mut Vec<Step>> {
    match &mut node.kind {
        Kind::Dice(dice) => Some(&mut dice.steps),
        Kind::Group(group) => Some(&mut group.steps),
        Kind::Label(label) => steps_mut(&mut label.inner),
        Kind::Number(_)
        | Kind::Named(_)
        | Kind::Call(_)
        | Kind::Bracket(_)
        | Kind::Signed(..)
        | Kind::Chain(_)
        | Kind::Power(_)
        | Kind::Compare(_)
        | Kind::Choice(_)
        | Kind::House(_) => None,
    }
}

/// Checks that the one member of a group is a sum of pools.
fn one_pool(member: &Node) -> Result<(), Error> {
    let refused = |span, what: &str| {
        Err(Error::new(Code::Member, span, format!("{what} cannot be part of one pool of dice"))
            .hint("between { and } stand pools joined by +, or two or more results set apart by commas"))
    };
    match &member.kind {
        Kind::Dice(dice) if counts(&dice.steps) => refused(member.span, "dice that are counted already"),
        Kind::Dice(_) => Ok(()),
        Kind::Label(label) => one_pool(&label.inner),
        Kind::Chain(chain) if chain.operator().is_sum() => {
            one_pool(&chain.first)?;
            for link in &chain.rest {
                if link.operator == Operator::Subtract {
                    return refused(link.at.to(link.operand.span), "a difference");
                }
                one_pool(&link.operand)?;
            }
            Ok(())
        }
        Kind::Chain(_) => refused(member.span, "a product"),
        Kind::Number(_) => refused(member.span, "a constant"),
        Kind::Group(_) => refused(member.span, "a group"),
        Kind::Named(_) => refused(member.span, "a name"),
        Kind::Call(_) => refused(member.span, "a function"),
        Kind::Bracket(_) => refused(member.span, "something in brackets"),
        Kind::Signed(..) => refused(member.span, "something with a sign"),
        Kind::Power(_) => refused(member.span, "a power"),
        Kind::Compare(_) => refused(member.span, "a comparison"),
        Kind::Choice(_) => refused(member.span, "a choice"),
        Kind::House(_) => refused(member.span, "a house rule"),
    }
}

/// Whether a term ends with dice whose last step explodes without a condition, so that a comparison behind it would be
/// read as that condition.
fn ends_with_open_explosion(node: &Node) -> bool {
    let open = |steps: &[Step]| match steps.last().map(|step| &step.kind) {
        Some(StepKind::Explode(explode)) => {
            explode.condition.is_none() && !matches!(explode.limit, crate::ast::Repetition::Limit(_))
        }
        Some(
            StepKind::Select(..)
            | StepKind::Reroll(_)
            | StepKind::AtLeast(_)
            | StepKind::AtMost(_)
            | StepKind::Count(_)
            | StepKind::Fail(_)
            | StepKind::Sort(_),
        )
        | None => false,
    };
    match &node.kind {
        Kind::Dice(dice) => open(&dice.steps),
        Kind::Group(group) => open(&group.steps),
        Kind::Signed(_, inner) => ends_with_open_explosion(inner),
        Kind::Chain(chain) => {
            ends_with_open_explosion(chain.rest.last().map_or(&chain.first, |link| &link.operand))
        }
        Kind::Power(power) => ends_with_open_explosion(&power.exponent),
        Kind::Number(_)
        | Kind::Named(_)
        | Kind::Call(_)
        | Kind::Bracket(_)
        | Kind::Label(_)
        | Kind::Compare(_)
        | Kind::Choice(_)
        | Kind::House(_) => false,
    }
}
