//! Mutants of a pest grammar: small changes that a suite worth its name would notice. No
//! tool for Rust code sees a grammar file.

use std::collections::BTreeSet;

use anyhow::{Result, anyhow};
use pest::iterators::Pair;
use pest_meta::parser::{Rule, parse};

/// One changed grammar.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mutant {
    /// Line of the change and what it was.
    pub name: String,
    /// The whole changed text.
    pub text: String,
}

/// Every mutant of a grammar, one operator at a time, without repetitions.
///
/// # Errors
/// When the text is not a pest grammar.
pub fn mutants(grammar: &str) -> Result<Vec<Mutant>> {
    let rules = parse(Rule::grammar_rules, grammar).map_err(|error| anyhow!("{error}"))?;
    let mut all = All { grammar, found: Vec::new(), texts: BTreeSet::from([grammar.to_string()]) };
    for rule in rules.filter(|pair| pair.as_rule() == Rule::grammar_rule) {
        all.rule(&rule);
    }
    Ok(all.found)
}

struct All<'g> {
    grammar: &'g str,
    found: Vec<Mutant>,
    texts: BTreeSet<String>,
}

/// The part of the text from the first to the last pair.
#[derive(Clone, Copy)]
struct Part<'g> {
    text: &'g str,
    start: usize,
    end: usize,
}

impl<'g> Part<'g> {
    fn of(grammar: &'g str, pairs: &[Pair<'g, Rule>]) -> Option<Part<'g>> {
        let start = pairs.first()?.as_span().start();
        let end = start + grammar[start..pairs.last()?.as_span().end()].trim_end().len();
        Some(Part { text: &grammar[start..end], start, end })
    }
}

impl<'g> All<'g> {
    fn add(&mut self, start: usize, end: usize, with: &str, what: &str) {
        let text = format!("{}{with}{}", &self.grammar[..start], &self.grammar[end..]);
        if self.texts.insert(text.clone()) {
            let line = self.grammar[..start].matches('\n').count() + 1;
            self.found.push(Mutant { name: format!("line {line}: {what}"), text });
        }
    }

    fn rule(&mut self, rule: &Pair<'g, Rule>) {
        let inner: Vec<_> = rule.clone().into_inner().collect();
        let find = |kind| inner.iter().find(|pair| pair.as_rule() == kind);
        let (Some(name), Some(brace)) = (find(Rule::identifier), find(Rule::opening_brace)) else {
            return;
        };
        if ["WHITESPACE", "COMMENT"].contains(&name.as_str()) {
            let span = rule.as_span();
            self.add(span.start(), span.end(), "", &format!("remove {}", name.as_str()));
        }
        let modifiers = [
            Rule::silent_modifier,
            Rule::atomic_modifier,
            Rule::compound_atomic_modifier,
            Rule::non_atomic_modifier,
        ];
        let at = brace.as_span().start();
        match inner.iter().find(|pair| modifiers.contains(&pair.as_rule())) {
            Some(sign) => {
                let span = sign.as_span();
                let what = format!("{} loses {}", name.as_str(), sign.as_str());
                self.add(span.start(), span.end(), "", &what);
            }
            None => self.add(at, at, "@", &format!("{} becomes atomic", name.as_str())),
        }
        for pair in &inner {
            if pair.as_rule() == Rule::expression {
                self.expression(pair);
            }
        }
    }

    /// `a ~ b | c`: alternatives of sequences of terms.
    fn expression(&mut self, expression: &Pair<'g, Rule>) {
        let mut alternatives = vec![Vec::new()];
        for pair in expression.clone().into_inner() {
            match pair.as_rule() {
                Rule::choice_operator if alternatives.last().is_some_and(Vec::is_empty) => {}
                Rule::choice_operator => alternatives.push(Vec::new()),
                Rule::sequence_operator => {}
                _ => alternatives.last_mut().into_iter().for_each(|last| last.push(pair.clone())),
            }
        }
        let parts: Vec<Part> =
            alternatives.iter().filter_map(|terms| Part::of(self.grammar, terms)).collect();
        self.choice(&parts);
        for terms in &alternatives {
            let parts: Vec<Part> = terms
                .iter()
                .filter_map(|one| Part::of(self.grammar, std::slice::from_ref(one)))
                .collect();
            self.sequence(&parts);
            for term in terms {
                self.term(term);
            }
        }
    }

    fn choice(&mut self, parts: &[Part<'g>]) {
        if parts.len() < 2 {
            return;
        }
        for (n, part) in parts.iter().enumerate() {
            let (start, end) = with_operator(parts, n);
            self.add(start, end, "", &format!("drop the alternative {}", part.text));
        }
        for pair in parts.windows(2) {
            if let [a, b] = pair {
                let between = &self.grammar[a.end..b.start];
                let swapped = format!("{}{between}{}", b.text, a.text);
                self.add(a.start, b.end, &swapped, &format!("swap {} and {}", a.text, b.text));
            }
        }
    }

    fn sequence(&mut self, parts: &[Part<'g>]) {
        if parts.len() < 2 {
            return;
        }
        for (n, part) in parts.iter().enumerate() {
            let (start, end) = with_operator(parts, n);
            self.add(start, end, "", &format!("drop {}", part.text));
        }
    }

    fn term(&mut self, term: &Pair<'g, Rule>) {
        for pair in term.clone().into_inner() {
            let span = pair.as_span();
            let (start, end) = (span.start(), span.end());
            match pair.as_rule() {
                Rule::optional_operator => {
                    self.add(start, end, "", &format!("require {}", bare(term)));
                }
                Rule::repeat_operator => {
                    let what = format!("{} at most once", bare(term));
                    self.add(start, end, "?", &what);
                    self.add(start, end, "+", &format!("{} at least once", bare(term)));
                }
                Rule::repeat_once_operator => {
                    self.add(start, end, "", &format!("{} exactly once", bare(term)));
                }
                Rule::string | Rule::insensitive_string => {
                    let quote = end - 1;
                    self.add(quote, quote, "_", &format!("change {}", pair.as_str()));
                }
                Rule::expression => self.expression(&pair),
                _ => {}
            }
        }
    }
}

/// The range of one part with the operator that joins it to its neighbour.
fn with_operator(parts: &[Part<'_>], n: usize) -> (usize, usize) {
    let end = parts[n].end;
    match (n.checked_sub(1), parts.get(n + 1)) {
        (_, Some(next)) => (parts[n].start, next.start),
        (Some(before), None) => (parts[before].end, end),
        (None, None) => (parts[n].start, end),
    }
}

/// A term without its postfix operator.
fn bare<'g>(term: &Pair<'g, Rule>) -> &'g str {
    term.as_str().trim_end().trim_end_matches(['?', '*', '+'])
}
