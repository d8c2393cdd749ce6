//! Gives the house rules of `dice.pest` their arms in the table of roles, so that adding one to the grammar
//! needs no edit of Rust code.

#[allow(dead_code, reason = "only a part of what is read is needed here")]
#[path = "src/grammar/syntax/mod.rs"]
mod syntax;

use std::path::Path;
use std::{env, fs};

fn main() {
    println!("cargo::rerun-if-changed=dice.pest");
    println!("cargo::rerun-if-changed=src/grammar/syntax");
    let Ok(grammar) = fs::read_to_string("dice.pest") else { panic!("dice.pest is missing") };
    let Some(out) = env::var_os("OUT_DIR") else { panic!("cargo sets OUT_DIR") };
    let rules = match syntax::read(&grammar) {
        Ok(rules) => rules,
        Err(fault) => {
            let line = grammar[..fault.at.start].matches('\n').count() + 1;
            panic!("dice.pest, line {line}: {} {}", fault.what, fault.hint)
        }
    };
    let arms: String = rules
        .iter()
        .filter(|rule| rule.expansion.is_some())
        .enumerate()
        .map(|(index, rule)| format!("                Rule::{} => Role::House({index}),\n", rule.name))
        .collect::<Vec<String>>()
        .concat();
    let code = format!(
        "/// The arms of a table of all rules, with those of the house rules.\n\
         macro_rules! with_house_rules {{\n    ($rule:expr, {{ $($arms:tt)* }}) => {{\n        match $rule {{\n            \
         $($arms)*\n{arms}        }}\n    }};\n}}\n"
    );
    assert!(
        fs::write(Path::new(&out).join("house.rs"), code).is_ok(),
        "cannot write the arms of the house rules"
    );
}
