//! Strength and comparison, where the code under test is a grammar.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use workshop::judge::differential::{Settings, settings};
use workshop::judge::generate::inputs;
use workshop::judge::grammar_mutants::mutants;
use workshop::judge::{Extra, judge};
use workshop::session::{Kind, Task};

use crate::common::{
    Bench, action, bench_with, edit, fixtures, folder, jail, tree, workshop, write,
};

#[test]
fn every_operator_of_a_grammar_gives_its_mutants() {
    let grammar = "a = { SOI ~ (\"x\" | b)* ~ EOI }\nb = @{ ^\"y\"+ ~ c? }\nc = _{ 'a'..'z' }\nWHITESPACE = _{ \" \" }\n";
    let found = mutants(grammar).unwrap();
    let names: Vec<&str> = found.iter().map(|mutant| mutant.name.as_str()).collect();
    assert_eq!(
        names,
        [
            "line 1: a becomes atomic",
            "line 1: drop SOI",
            "line 1: drop (\"x\" | b)*",
            "line 1: drop EOI",
            "line 1: drop the alternative \"x\"",
            "line 1: drop the alternative b",
            "line 1: swap \"x\" and b",
            "line 1: change \"x\"",
            "line 1: (\"x\" | b) at most once",
            "line 1: (\"x\" | b) at least once",
            "line 2: b loses @",
            "line 2: drop ^\"y\"+",
            "line 2: drop c?",
            "line 2: change ^\"y\"",
            "line 2: ^\"y\" exactly once",
            "line 2: require c",
            "line 3: c loses _",
            "line 4: remove WHITESPACE",
            "line 4: WHITESPACE loses _",
            "line 4: change \" \"",
        ]
    );
    let text = |name: &str| {
        let mutant = found.iter().find(|mutant| mutant.name == name).unwrap();
        mutant.text.lines().next().unwrap().to_string()
    };
    assert_eq!(text("line 1: a becomes atomic"), "a = @{ SOI ~ (\"x\" | b)* ~ EOI }");
    assert_eq!(text("line 1: drop SOI"), "a = { (\"x\" | b)* ~ EOI }");
    assert_eq!(text("line 1: drop EOI"), "a = { SOI ~ (\"x\" | b)* }");
    assert_eq!(text("line 1: drop the alternative \"x\""), "a = { SOI ~ (b)* ~ EOI }");
    assert_eq!(text("line 1: swap \"x\" and b"), "a = { SOI ~ (b | \"x\")* ~ EOI }");
    assert_eq!(text("line 1: change \"x\""), "a = { SOI ~ (\"x_\" | b)* ~ EOI }");
    assert_eq!(text("line 1: (\"x\" | b) at least once"), "a = { SOI ~ (\"x\" | b)+ ~ EOI }");
    assert!(mutants("a = {").is_err());
}

#[test]
fn inputs_come_from_the_grammar_and_are_the_same_every_time() {
    let grammar = fs::read_to_string(fixtures().join("dice-keep/hidden/grammar.pest")).unwrap();
    let made = inputs(&grammar, "roll", 500, 7).unwrap();
    assert_eq!(made, inputs(&grammar, "roll", 500, 7).unwrap());
    assert_ne!(made, inputs(&grammar, "roll", 500, 8).unwrap());
    assert_eq!(made.len(), 500);
    let distinct: std::collections::BTreeSet<&String> = made.iter().collect();
    assert_eq!(distinct.len(), 500);
    for part in ["kh", "kl", "dh", "dl", "d20", "+"] {
        assert!(made.iter().any(|input| input.contains(part)), "{part}");
    }
    let endless = "a = { \"(\" ~ a ~ \")\" | \"x\" }";
    assert!(inputs(endless, "a", 50, 1).unwrap().iter().any(|input| input == "((x))"));
    assert_eq!(inputs(endless, "b", 1, 1).unwrap_err().to_string(), "the grammar has no rule b");
}

/// A copy of the crate with the bug, but with a green suite, and hidden cases that hold.
fn green(kind: Kind) -> Bench {
    let (keep, root) = folder();
    let fixture = fixtures().join("dice-keep");
    let copy = |from: &Path, to: &Path| {
        for (path, text) in tree(from) {
            write(to, &[(path.as_str(), text.as_str())]);
        }
    };
    copy(&fixture.join("repo"), &root.join("repo"));
    copy(&fixture.join("hidden"), &root.join("hidden"));
    let tests = fs::read_to_string(root.join("repo/tests/visible.rs")).unwrap();
    let tests = tests.split("\n#[test]\nfn keep_highest").next().unwrap().to_string();
    write(&root, &[("repo/tests/visible.rs", &tests)]);
    let cases = fs::read_to_string(root.join("hidden/cases.jsonl")).unwrap();
    let cases = cases.lines().next().unwrap().to_string();
    write(&root, &[("hidden/cases.jsonl", &cases)]);
    let task = Task { id: "t".into(), text: "tidy".into(), kind, ..Task::default() };
    bench_with(&root.join("repo"), &root.join("hidden"), task, &jail()).and(keep)
}

#[test]
fn a_refactoring_must_not_change_what_no_test_looks_at() {
    let bench = green(Kind::Refactor);
    bench.act(&[edit(
        "src/lib.rs",
        "        \"kh\" => ordered[..n].to_vec(),\n        \"kl\" =>",
        "        \"kh\" | \"kl\" =>",
    )]);
    let verdict = judge(&bench.state, &bench.session, Extra::default()).unwrap();
    assert_eq!(verdict.text(), "judge: acceptable");
    let compared = verdict.compared.unwrap();
    assert_eq!((compared.inputs, compared.counted), (2000, 2000));

    // A corner without a test: only the comparison sees it.
    bench.act(&[
        edit(
            "src/lib.rs",
            "        \"kh\" => ordered[..n].to_vec(),\n        \"kl\" =>",
            "        \"kh\" | \"kl\" =>",
        ),
        edit("src/lib.rs", "ordered[..ordered.len() - n]", "ordered[..ordered.len() - n.min(3)]"),
    ]);
    let verdict = judge(&bench.state, &bench.session, Extra::default()).unwrap();
    assert!(verdict.judged.green() && verdict.hidden.green());
    assert!(!verdict.acceptable());
    let difference = verdict.compared.as_ref().unwrap().difference.clone().unwrap();
    assert!(difference.contains("dh"), "{difference}");
    assert_eq!(
        verdict.text(),
        format!("judge: not acceptable (differs from the base: {difference})")
    );
}

#[test]
fn a_feature_keeps_what_was_accepted_and_a_fix_may_change_it() {
    // New syntax: an exclamation mark, which the base refuses.
    let bench = green(Kind::Feature);
    bench.act(&[edit(
        "src/lib.rs",
        "    let (term, plus) = notation",
        "    let notation = notation.trim_end_matches('!');\n    let (term, plus) = notation",
    )]);
    let verdict = judge(&bench.state, &bench.session, Extra::default()).unwrap();
    assert_eq!(verdict.text(), "judge: acceptable");
    let compared = verdict.compared.unwrap();
    assert!(compared.counted > 1000 && compared.counted < 2000, "{compared:?}");
    // The same patch that panics on an input the base accepts.
    let panics = edit(
        "src/lib.rs",
        "rolls.iter().sum::<u32>() + plus",
        "rolls.iter().sum::<u32>().checked_sub(1).unwrap() + 1 + plus",
    );
    bench.act(&[
        edit("src/lib.rs", "notation.trim_end_matches('!')", "notation.trim_end_matches(['!'])"),
        panics,
    ]);
    let verdict = judge(&bench.state, &bench.session, Extra::default()).unwrap();
    let difference = verdict.compared.unwrap().difference.unwrap();
    assert!(difference.ends_with("is \" (code 101)\""), "{difference}");

    let bench = green(Kind::Fix);
    bench.act(&[edit(
        "src/lib.rs",
        "\"kh\" => ordered[..n]",
        "\"kh\" => ordered[ordered.len() - n..]",
    )]);
    let verdict = judge(&bench.state, &bench.session, Extra::default()).unwrap();
    assert_eq!((verdict.text().as_str(), verdict.compared), ("judge: acceptable", None));
}

#[test]
fn a_refactoring_without_a_comparison_is_not_judged() {
    let bench = green(Kind::Refactor);
    let hidden = bench.session.config.hidden.dir.clone().unwrap();
    fs::remove_file(hidden.join("differential.toml")).unwrap();
    let error = judge(&bench.state, &bench.session, Extra::default()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "a refactoring is judged by comparison: differential.toml is missing"
    );
}

/// The crate with a real grammar, with a lock file that has this workspace's versions.
fn with_grammar(root: &Path) -> PathBuf {
    let repo = root.join("repo");
    for (path, text) in tree(&fixtures().join("dice-grammar/repo")) {
        write(&repo, &[(path.as_str(), text.as_str())]);
    }
    let lock = Path::new(env!("CARGO_MANIFEST_DIR"))
        .ancestors()
        .find_map(|dir| fs::read_to_string(dir.join("Cargo.lock")).ok());
    fs::write(repo.join("Cargo.lock"), lock.unwrap()).unwrap();
    let status = Command::new("cargo")
        .args(["metadata", "--offline", "--format-version", "1"])
        .current_dir(&repo)
        .stdout(std::process::Stdio::null())
        .status()
        .unwrap();
    assert!(status.success());
    repo
}

#[test]
fn a_suite_is_blind_to_most_of_a_grammar_and_its_strength_says_so() {
    let (_keep, root) = folder();
    let repo = with_grammar(&root);
    let state = root.join("state");
    let output =
        workshop(&state).args(["strength", "--grammar"]).current_dir(&repo).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(0), "{text}{}", String::from_utf8_lossy(&output.stderr));
    let expected = fs::read_to_string(fixtures().join("dice-grammar/strength.txt"));
    if std::env::var_os("BLESS").is_some() {
        fs::write(fixtures().join("dice-grammar/strength.txt"), &text).unwrap();
    } else {
        assert_eq!(text, expected.unwrap());
    }
}

#[test]
fn a_grammar_is_patched_and_judged_with_dependencies_kept_warm() {
    let (_keep, root) = folder();
    let repo = with_grammar(&root);
    let task =
        Task { id: "t".into(), text: "spaces".into(), kind: Kind::Refactor, ..Task::default() };
    let hidden = fixtures().join("dice-grammar/hidden");
    let made: Settings = settings(&hidden).unwrap().unwrap();
    assert!(made.make(&hidden, &repo).unwrap().len() == 500);
    let bench = bench_with(&repo, &hidden, task, &jail());
    let stores: Vec<_> = fs::read_dir(bench.state.dir.join("warm")).unwrap().collect();
    assert_eq!(stores.len(), 1);
    let store = stores[0].as_ref().unwrap().path();
    let kept = tree(&store);
    assert!(kept.keys().any(|path| path.contains("pest")), "dependencies are kept");
    assert!(!kept.keys().any(|path| path.contains("dice")), "nothing of the workspace is kept");

    let seen = bench.act(&[
        edit("dice.pest", "number? ~ \"d\" ~ number", "(number ~ \"d\" | \"d\") ~ number"),
        action("run_tests", &[]),
    ]);
    assert_eq!(seen, ["ok: patched dice.pest", "GREEN 2/2\n  PASS a_bonus\n  PASS several_dice"]);
    let start = Instant::now();
    let verdict = judge(&bench.state, &bench.session, Extra::default()).unwrap();
    assert_eq!(verdict.text(), "judge: acceptable");
    eprintln!("judged in {:?}", start.elapsed());
}

#[test]
fn a_version_that_hangs_costs_one_timeout_and_not_one_for_each_input() {
    let (_keep, root) = folder();
    let probe = |script: &str| workshop::runner::Probe {
        argv: ["/bin/sh", "-c", script].map(String::from).to_vec(),
        cwd: root.clone(),
        read: vec![root.clone()],
    };
    let honest = probe("while read -r line; do echo \"ok $line\"; done");
    let hangs = probe("while read -r line; do sleep 100; done");
    let settings: Settings =
        toml::from_str("grammar = \"g\"\nrule = \"r\"\nstdin = \"{expr}\\n\"\n").unwrap();
    let inputs: Vec<String> = (0..50).map(|n| format!("{n}d6")).collect();
    let start = Instant::now();
    let compared = settings.compare(&jail(), (&honest, &hangs), &inputs, false, 1).unwrap();
    assert_eq!(compared.difference.as_deref(), Some("0d6: was \"ok 0d6\", is \"timeout\""));
    assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
}
