//! A grammar whose rules are known by number, and the checks that let it be run: every rule that is used
//! exists, nothing repeats without an end, and the tree it leaves is one that the lowering knows.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::class::builtin;
use super::syntax::{Expr, Fault, Kind, Rule, Shape};
use crate::diagnose::nearest;
use crate::lower::{Operand, Role, role};

/// The rule with which every text begins.
pub(crate) const START: &str = "roll";

/// How many faults are looked for.
const MOST_FAULTS: usize = 20;

/// The rules of a grammar and what each means.
#[derive(Debug)]
pub(crate) struct Book {
    pub rules: Vec<Rule>,
    pub roles: Vec<Role>,
    pub index: HashMap<String, usize>,
    pub start: usize,
}

/// The rules that the lowering knows, house rules aside.
static KNOWN: LazyLock<HashMap<String, Role>> = LazyLock::new(|| {
    let rules = super::Rule::all_rules().iter().map(|rule| (format!("{rule:?}"), role(*rule)));
    rules.filter(|(_, role)| !matches!(role, Role::House(_))).collect()
});

impl Book {
    /// Checks rules that were read.
    ///
    /// # Errors
    /// Everything that is wrong with them, in the order of the text.
    pub(crate) fn new(rules: Vec<Rule>) -> Result<Book, Vec<Fault>> {
        let mut faults = Vec::new();
        let mut index: HashMap<String, usize> = HashMap::new();
        for (number, rule) in rules.iter().enumerate() {
            if let Some(first) = index.get(&rule.name) {
                let line = &rules[*first].name;
                faults.push(Fault::new(rule.at, format!("the rule {line} is defined twice")));
            } else {
                index.insert(rule.name.clone(), number);
            }
            if ["ANY", "SOI", "EOI"].contains(&&*rule.name) {
                faults.push(Fault::new(rule.at, format!("{} is built in and cannot be defined", rule.name)));
            }
        }
        for rule in &rules {
            undefined(&rule.body, &index, &mut faults);
        }
        let mut house = 0;
        let roles = rules.iter().map(|rule| role_of(rule, &mut house, &mut faults)).collect();
        let Some(start) = index.get(START).copied() else {
            faults.push(
                Fault::new(
                    super::syntax::At::default(),
                    format!("the rule {START} is missing, with which every text begins"),
                )
                .hint("begin with a copy of the built-in grammar: dice grammar > my.pest"),
            );
            return Err(sorted(faults));
        };
        let book = Book { rules, roles, index, start };
        if faults.is_empty() {
            faults = super::progress::faults(&book);
        }
        if faults.is_empty() { Ok(book) } else { Err(sorted(faults)) }
    }

    /// The number of a rule of this grammar.
    pub(crate) fn rule(&self, name: &str) -> Option<usize> {
        self.index.get(name).copied()
    }

    /// The house rules in order.
    pub(crate) fn house(&self) -> impl Iterator<Item = (usize, &Rule)> {
        self.rules.iter().enumerate().filter(|(_, rule)| rule.expansion.is_some())
    }

    /// The rules that an expression names, in order.
    pub(crate) fn names(&self, expr: &Expr, into: &mut Vec<usize>) {
        if let Shape::Name(name) = &expr.shape {
            into.extend(self.rule(name));
        }
        expr.parts().iter().for_each(|part| self.names(part, into));
    }
}

/// The name nearest to one that is not known. Names that no one types are not looked up.
fn close<'n>(name: &str, among: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let among: Vec<&str> = among.filter(|known| known.len() < 40).collect();
    if name.len() < 40 { nearest(name, &among) } else { None }
}

fn sorted(mut faults: Vec<Fault>) -> Vec<Fault> {
    faults.sort_by_key(|fault| fault.at.start);
    faults
}

pub(super) fn undefined(expr: &Expr, index: &HashMap<String, usize>, faults: &mut Vec<Fault>) {
    if let Shape::Name(name) = &expr.shape
        && !index.contains_key(name)
        && builtin(name).is_none()
        && faults.len() < MOST_FAULTS
    {
        let fault = Fault::new(expr.at, format!("there is no rule {name}"));
        let near = close(name, index.keys().map(String::as_str));
        faults.push(match near {
            Some(near) => fault.hint(format!("did you mean {near}?")),
            None => fault,
        });
    }
    expr.parts().iter().for_each(|part| undefined(part, index, faults));
}

/// What a rule means, and whether it may mean that.
fn role_of(rule: &Rule, house: &mut usize, faults: &mut Vec<Fault>) -> Role {
    let known = KNOWN.get(&rule.name).copied();
    let silent = rule.kind == Kind::Silent;
    if rule.expansion.is_some() {
        if known.is_some() {
            let what = format!("{} means something already and cannot be a house rule", rule.name);
            faults.push(Fault::new(rule.at, what).hint("give the house rule a name of its own"));
        } else if silent {
            let what =
                format!("the house rule {} leaves no trace, so it cannot stand for anything", rule.name);
            faults.push(Fault::new(rule.at, what).hint(format!("write {} = {{ … }}, without _", rule.name)));
        }
        *house += 1;
        return Role::House(*house - 1);
    }
    match known {
        // The list of house rules may leave a node of its own around them.
        Some(Role::Silent) if !silent && rule.name == "house" => return Role::Operand(Operand::House),
        Some(Role::Silent) if !silent => {
            let what = format!("{} has no meaning of its own, so it must leave no node", rule.name);
            faults.push(Fault::new(rule.at, what).hint(format!("write {} = _{{ … }}", rule.name)));
        }
        Some(Role::Silent | Role::Operand(Operand::House)) => {}
        Some(_) if silent => {
            let what = format!("{} leaves no node here, so its meaning would be lost", rule.name);
            faults.push(Fault::new(rule.at, what).hint(format!("write {} without _", rule.name)));
        }
        Some(_) => {}
        None if silent => {}
        None => {
            let what = format!("the rule {} is not known and stands for nothing", rule.name);
            let mut fault = Fault::new(rule.at, what).hint(format!(
                "for a house rule add a line /// => with its notation, for a mere part write {} = _{{ … }}; \
                 known are {}",
                rule.name,
                known_names(),
            ));
            if let Some(close) = close(&rule.name, KNOWN.keys().map(String::as_str)) {
                fault.hint = format!("did you mean {close}? {}", fault.hint);
            }
            faults.push(fault);
        }
    }
    known.unwrap_or(Role::Silent)
}

/// The names of all rules that have a meaning, sorted.
fn known_names() -> String {
    let mut names: Vec<&str> =
        KNOWN.iter().filter(|(_, role)| **role != Role::Silent).map(|(name, _)| name.as_str()).collect();
    names.sort_unstable();
    names.join(", ")
}
