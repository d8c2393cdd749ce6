//! `dice grammar` and `--grammar`, as they are called.

use std::process::Command;

use super::SHIPPED;
use crate::path;

/// Exit status, standard output, standard error.
fn dice(args: &[&str]) -> (i32, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_dice")).args(args).current_dir(path(".")).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

/// A grammar of one's own in a file.
fn file(name: &str, text: &str) -> String {
    let path = std::env::temp_dir().join(format!("dice-grammar-{}-{name}.pest", std::process::id()));
    std::fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_owned()
}

#[test]
fn a_letter_and_a_house_rule() {
    let text = SHIPPED.replace("d = _{ ^\"d\" }", "d = _{ ^\"d\" | ^\"w\" }").replace(
        "house = _{ !ANY ~ ANY }",
        "/// Hits on so many dice: `pool 5 8`\n/// => ($1)d10c>=$2\npool = { ^\"pool\" ~ number ~ number }\nhouse = _{ pool }",
    );
    let mine = file("mine", &text);
    let run = |args: &[&str]| dice(&[&["--grammar", mine.as_str()], args].concat());
    assert_eq!(run(&["--faces", "2,5", "2W6+1"]).1, "2d6 [2 5] + 1 = 8\n");
    assert_eq!(run(&["--faces", "8,9,1", "pool 3 8"]).1, "pool 3 8 ((3)d10c>=8 [8* 9* 1]) = 2\n");
    assert!(run(&["explain", "pool 3 8"]).1.starts_with("pool 3 8, which stands for (3)d10c>=8\n"));
    assert!(run(&["odds", "pool 2 8"]).1.contains("mean 0.60"));
    let (status, out, err) = run(&["--errors", "plain", "pool 99999999 8"]);
    assert_eq!((status, out.as_str()), (3, ""));
    assert!(err.contains("at columns 6 to 13"), "{err}");
    let (status, out, _) = dice(&["grammar", "check", &mine]);
    assert_eq!((status, out.ends_with("1 of them house rules, 0 warnings\n")), (0, true), "{out}");
    let (_, out, _) = dice(&["grammar", "try", &mine, "pool 3 8 + 1"]);
    let parse = "roll \"pool 3 8 + 1\"\n  house_rule \"pool 3 8\"\n    pool \"pool 3 8\"\n      number \"3\"\n      number \"8\"\n";
    assert!(out.starts_with(parse), "{out}");
    let (_, out, _) = run(&["grammar", "rules"]);
    assert!(out.contains("pool\n    Hits on so many dice: `pool 5 8`\n    => ($1)d10c>=$2\n"), "{out}");
}

#[test]
fn a_grammar_that_is_wrong() {
    let wrong = file("wrong", &SHIPPED.replace("~ ws ~ sides ~", "~ ws ~ sidse ~"));
    for args in [&["grammar", "check", &wrong][..], &["--grammar", &wrong, "2d6"]] {
        let (status, out, err) = dice(args);
        assert_eq!((status, out.as_str()), (if args[0] == "grammar" { 1 } else { 2 }, ""));
        assert!(err.contains("there is no rule sidse") && err.contains("did you mean sides?"), "{err}");
    }
    assert_eq!(dice(&["--grammar", "no such file", "2d6"]).0, 4);
    assert_eq!(dice(&["--grammar", "/dev/zero", "2d6"]).0, 2);
}

#[test]
fn the_grammar_in_use_and_its_picture() {
    assert_eq!(dice(&["grammar"]).1, include_str!("../../../dice.pest"));
    let (status, out, _) = dice(&["grammar", "diagram"]);
    assert!(
        status == 0 && out.starts_with("<svg") && out.contains("keep_highest"),
        "{}",
        &out[..100.min(out.len())]
    );
    assert!(dice(&["grammar", "diagram", "keep_highest"]).1.contains("highest"));
    assert_eq!(dice(&["grammar", "diagram", "nothing"]).0, 2);
}
