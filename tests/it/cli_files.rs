//! The files of the person who calls the program: defaults, named rolls, the history of the prompt.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::cli_process::{dice, scratch, text};
use crate::path;

/// What the program prints, to which stream, and how it ends, with files below a home folder.
fn with_home(home: &Path, arguments: &[&str], input: &str) -> (String, String, i32) {
    let mut command = dice();
    command.args(arguments).env("HOME", home);
    let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = piped.spawn().unwrap();
    // A program that does not read its input may be gone before all of it is written.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    let output = child.wait_with_output().unwrap();
    (text(&output.stdout), text(&output.stderr), output.status.code().unwrap())
}

/// Writes a file below `.config/dice`.
fn config(home: &Path, name: &str, text: &str) {
    fs::create_dir_all(home.join(".config/dice")).unwrap();
    fs::write(home.join(".config/dice").join(name), text).unwrap();
}

#[test]
fn defaults_hold_until_an_argument_says_otherwise() {
    let home = scratch("defaults");
    let grammar = fs::read_to_string(path("examples/grammars/systems.pest")).unwrap();
    config(&home, "systems.pest", &grammar);
    let lines = [
        "# As I like it.",
        "color = always  # also in a pipe",
        "errors = plain",
        "",
        "ascii = true",
        "digits=1",
        "limit = dice=10",
        "limit = repeats=2",
    ];
    config(&home, "defaults", &lines.join("\n"));
    let run = |arguments: &[&str]| with_home(&home, arguments, "");
    assert_eq!(run(&["--faces", "3", "d6"]), ("1d6 [3] = \x1b[1m3\x1b[0m\n".to_owned(), String::new(), 0));
    assert_eq!(run(&["--faces", "3", "d6", "--color", "never"]).0, "1d6 [3] = 3\n");
    assert_eq!(
        run(&["odds", "--color", "never", "1d2"]).0.lines().nth(3),
        Some("    1    50.0%   100.0%    50.0%  ########################################")
    );
    assert_eq!(
        run(&["odds", "--digits", "0", "1d2"]).0.lines().nth(3),
        Some("    1     50%    100%     50%  ########################################")
    );
    let plain = "error[E004]: how many sides does the die have?, at column 2 (a number, %, F or {...} is expected after d); for six sides write: 2d6\n";
    assert_eq!(run(&["2d"]), (String::new(), plain.to_owned(), 2));
    let wrong = run(&["--sead", "1", "d6"]);
    assert_eq!(
        wrong.1,
        "error: unexpected argument '--sead' found; tip: a similar argument exists: '--seed'\n"
    );
    assert!(run(&["--sead", "1", "--errors=drawn", "d6"]).1.contains("Usage:"));
    assert!(run(&["--errors", "drawn", "--color", "never", "2d"]).1.contains("\n1 | 2d\n"));
    assert!(run(&["11d6"]).1.starts_with("error[E301]: too many dice are thrown: the limit dice is 10"));
    assert_eq!(run(&["-q", "--limit", "dice=11", "11d6"]).2, 0);
    assert_eq!(run(&["-q", "3x 1"]).2, 3);
    assert_eq!(run(&["--no-config", "-q", "11d6"]).2, 0);
    config(&home, "defaults", "grammar = systems.pest\nverbose = true\n");
    let rolled = run(&["--seed", "a", "sr 2"]);
    assert!(rolled.0.ends_with("  seed: a\n") && rolled.2 == 0, "{rolled:?}");
    assert_eq!(run(&["--no-config", "sr 2"]).2, 2);
    fs::remove_dir_all(home).unwrap();
}

#[test]
fn wrong_defaults_say_where() {
    let home = scratch("wrong-defaults");
    let file = home.join(".config/dice/defaults").display().to_string();
    for (line, message) in [
        ("colour = never", "\"colour\" cannot be set; did you mean color?"),
        (
            "seed = 4",
            "\"seed\" cannot be set; there are color, errors, ascii, verbose, digits, grammar, limit",
        ),
        ("color = blue", "color is one of auto, always, never, not \"blue\""),
        ("ascii = maybe", "ascii is true or false, not \"maybe\""),
        ("digits = many", "digits is a number such as 3, not \"many\""),
        ("limit = dices=3", "there is no limit dices; there are text, depth, dice, repeats, faces, steps"),
        ("ascii", "write name = value, such as ascii = true"),
    ] {
        config(&home, "defaults", &format!("digits = 2\n{line}\n"));
        let error = format!("error: {file}:2: {message}\n");
        assert_eq!(with_home(&home, &["d6"], ""), (String::new(), error, 2));
    }
    // Help does not depend on them.
    for arguments in [&["--help"][..], &["man"], &["completions", "bash"], &["--no-config", "d6"]] {
        assert_eq!(with_home(&home, arguments, "").2, 0, "{arguments:?}");
    }
    fs::write(&file, b"\xff\xfe").unwrap();
    let error = format!("error: {file} cannot be read: stream did not contain valid UTF-8\n");
    assert_eq!(with_home(&home, &["d6"], ""), (String::new(), error, 4));
    fs::remove_dir_all(home).unwrap();
}

#[test]
#[cfg(unix)]
fn what_may_never_end_is_not_read() {
    for name in ["defaults", "rolls"] {
        let home = scratch("endless");
        config(&home, "other", "");
        std::os::unix::fs::symlink("/dev/zero", home.join(".config/dice").join(name)).unwrap();
        let (shown, told, status) = with_home(&home, &["fire + d6"], "");
        assert_eq!((shown.as_str(), status), ("", 4), "{told}");
        assert!(told.contains(&format!("{name} cannot be read: it is no file")), "{told}");
    }
}

#[test]
fn named_rolls_stand_wherever_a_text_does() {
    let home = scratch("rolls");
    let rolls = "# My fighter.\nstr = 4\nattack = 1d20 + str # with the sword\nscores = 2x 3d6\n";
    config(&home, "rolls", rolls);
    let run = |arguments: &[&str]| with_home(&home, arguments, "");
    let out = |arguments: &[&str]| {
        let (out, err, code) = run(arguments);
        assert_eq!((err.as_str(), code), ("", 0));
        out
    };
    assert_eq!(out(&["--faces", "12", "attack"]), "attack: str = 4; 1d20 [12] + str = 16\n");
    assert_eq!(
        out(&["--faces", "12", "ATTACK", "+", "1"]),
        "str = 4; attack = 1d20 [12] + str; attack + 1 = 17\n"
    );
    assert_eq!(
        out(&["--faces", "1,2,3,4,5,6", "scores"]),
        "scores: 3d6 [1 2 3] = 6\nscores: 3d6 [4 5 6] = 15\n"
    );
    assert_eq!(out(&["odds", "--fractions", "--at-least", "24", "attack"]), "1/20\n");
    assert_eq!(
        out(&["check", "--faces", "12", "attack >= 15"]),
        "str = 4; attack = 1d20 [12] + str; attack = 16, needed 15: passed by 1   (chance of success 50.00%)\n"
    );
    assert_eq!(with_home(&home, &["--faces", "12"], "attack\n").0, "attack: str = 4; 1d20 [12] + str = 16\n");
    let (_, error, code) = run(&["atack"]);
    assert!(error.contains("did you mean the named roll `attack`?") && code == 2, "{error}");
    let error = "error: scores is 2x 3d6, which is no single roll: it stands alone\n";
    assert_eq!(run(&["scores + 1"]), (String::new(), error.to_owned(), 2));
    assert_eq!(run(&["--no-config", "attack"]).2, 2);
    // What needs no names is rolled whatever the file says.
    let file = home.join(".config/dice/rolls").display().to_string();
    config(&home, "rolls", "attack = 1d20 +\n\nnonsense\n");
    assert_eq!(run(&["-q", "1"]), ("1\n".to_owned(), String::new(), 0));
    let error = format!("error: {file}:3: \"nonsense\" is no named roll such as attack = 1d20 + 5\n");
    for arguments in [&["attack"][..], &["repl"]] {
        assert_eq!(run(arguments), (String::new(), error.clone(), 2));
    }
    for (lines, message) in [
        ("str = 4\nd6 = 5\n", "2: d6 cannot be a name: it reads as a die"),
        ("floor = 5\n", "1: floor cannot be a name: it is a function"),
        ("a = a + 1\n", "1: a would need itself"),
        ("c = a\na = b\nb = a\n", "2: a would need itself, through b"),
    ] {
        config(&home, "rolls", lines);
        assert_eq!(run(&["attack"]), (String::new(), format!("error: {file}:{message}\n"), 2));
    }
    config(&home, "rolls", "str = 4\nattack = 1d20 + stt\n");
    let error = run(&["attack + 1"]);
    assert!(
        error.1.contains(&format!("--> {file}:2:8\n")) && error.1.contains("\n2 | 1d20 + stt\n"),
        "{error:?}"
    );
    fs::remove_dir_all(home).unwrap();
}

#[test]
fn the_prompt_keeps_names() {
    let home = scratch("prompt");
    let session = |input: &str| {
        let (out, err, _) = with_home(&home, &["repl"], input);
        (out, err)
    };
    let (out, err) = session("str = 4\n1 + str\n_ * 2\nstr + dex\n");
    assert_eq!(out, "str = 4\nstr = 4; 1 + str = 5\n5 * 2 = 10\n");
    assert!(err.contains("1 | str + dex\n  |       ^^^"), "{err}");
    assert_eq!(session("str\n:forget str\n:quit\n").0, "str: 4 = 4\n");
    assert!(session("str\n").1.contains("unknown name str"));
    std::fs::remove_dir_all(home).unwrap();
}

#[test]
fn a_terminal_has_hints_completion_history_and_continuation() {
    let home = scratch("terminal");
    let run = Command::new("python3")
        .arg(path("tests/terminal.py"))
        .args([env!("CARGO_BIN_EXE_dice"), home.to_str().unwrap()])
        .output();
    let Ok(output) = run else {
        eprintln!("python3 is not installed: not tried");
        return;
    };
    assert_eq!((text(&output.stderr), output.status.code()), (String::new(), Some(0)));
    let history = fs::read_to_string(home.join(".local/state/dice/history")).unwrap();
    assert_eq!(history, "#V2\n2d20kh1\n(2d6\\n+ 3)\n_ * 2\nstr = 4\n1 + strike\n");
    assert_eq!(fs::read_to_string(home.join(".config/dice/rolls")).unwrap(), "strike = 2\nstr = 4\n");
    fs::remove_dir_all(home).unwrap();
}
