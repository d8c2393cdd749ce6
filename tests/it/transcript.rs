//! Shell transcripts: `$ dice …` and exactly what the program prints, run against the built program.
//!
//! A command is `dice` with its arguments, or `printf '…' | dice …` for standard input. Arguments may be in
//! single quotes. What standard output got comes first, then standard error, then `[exit N]` if N is not 0.
//! In case files lines of standard error begin with `! `, so that nothing can end up in the wrong stream
//! unnoticed. A blank line separates commands; a paragraph that begins with `# ` is a comment.

use std::io::Write;
use std::process::{Command, Output, Stdio};

/// One command of a transcript.
#[derive(Debug)]
pub struct Shown {
    /// The line behind `$ `.
    pub command: String,
    /// The lines of output as they stand in the transcript.
    pub output: String,
    /// Where the output begins and ends, in lines of the transcript.
    pub lines: std::ops::Range<usize>,
}

/// The commands of a transcript.
pub fn commands(transcript: &str) -> Vec<Shown> {
    let lines: Vec<&str> = transcript.lines().collect();
    let mut shown = Vec::new();
    let mut at = 0;
    while at < lines.len() {
        let Some(command) = lines[at].strip_prefix("$ ") else {
            at += 1;
            continue;
        };
        let start = at + 1;
        at = start;
        while at < lines.len() && !ends_output(&lines, at) {
            at += 1;
        }
        let mut end = at;
        while end > start && lines[end - 1].is_empty() {
            end -= 1;
        }
        let output = lines[start..end].iter().flat_map(|line| [line, "\n"]).collect();
        shown.push(Shown { command: command.to_owned(), output, lines: start..end });
    }
    shown
}

/// Whether the output of a command ends before this line.
fn ends_output(lines: &[&str], at: usize) -> bool {
    lines[at].starts_with("$ ") || lines[at].starts_with("# ") && lines[at - 1].is_empty()
}

/// Whether lines of standard error are marked.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Errors {
    Marked,
    Plain,
}

/// Compares a transcript with what the program does; the transcript as it should be.
pub fn run(transcript: &str, errors: Errors) -> String {
    let mut lines: Vec<String> = transcript.lines().map(str::to_owned).collect();
    for shown in commands(transcript).into_iter().rev() {
        let actual = actual(&shown.command, errors);
        lines.splice(shown.lines, actual.lines().map(str::to_owned));
    }
    lines.iter().flat_map(|line| [line.as_str(), "\n"]).collect()
}

/// What a command prints, as a transcript shows it.
fn actual(command: &str, errors: Errors) -> String {
    let (input, arguments) = parse(command);
    let output = execute(&arguments, &input);
    let mut shown = String::from_utf8(output.stdout).unwrap();
    let mark = if errors == Errors::Marked { "! " } else { "" };
    for line in String::from_utf8(output.stderr).unwrap().lines() {
        shown.extend([mark, line, "\n"]);
    }
    match output.status.code() {
        Some(0) => {}
        Some(code) => shown.extend(["[exit ", &code.to_string(), "]\n"]),
        None => shown.push_str("[killed]\n"),
    }
    shown
}

/// Runs the program with nothing of the surroundings that could change what it prints.
pub fn execute(arguments: &[String], input: &str) -> Output {
    let home = std::env::temp_dir().join(format!("dice-transcripts-{}", std::process::id()));
    let mut child = Command::new(env!("CARGO_BIN_EXE_dice"))
        .args(arguments)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .env_clear()
        .env("HOME", &home)
        .env("LC_ALL", "C.UTF-8")
        .env("TERM", "dumb")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A program that does not read its input may be gone before all of it is written.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}

/// The standard input and the arguments of a command.
pub fn parse(command: &str) -> (String, Vec<String>) {
    let mut words = words(command);
    let mut input = String::new();
    if words.first().is_some_and(|word| word == "printf") {
        assert_eq!(words.get(2).map(String::as_str), Some("|"), "{command}");
        input = words[1].replace("\\n", "\n").replace("\\t", "\t");
        words.drain(..3);
    }
    assert_eq!(words.first().map(String::as_str), Some("dice"), "transcripts run dice: {command}");
    words.remove(0);
    (input, words)
}

/// Splits a line as a shell would, with single quotes only.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quoted = false;
    for character in line.chars() {
        match character {
            '\'' => {
                quoted = !quoted;
                word.get_or_insert_default();
            }
            ' ' if !quoted => words.extend(word.take()),
            _ => word.get_or_insert_default().push(character),
        }
    }
    assert!(!quoted, "a quote is not closed: {line}");
    words.extend(word);
    words
}

/// Options of the program that take the next argument as their value.
const WITH_VALUE: [&str; 9] =
    ["--faces", "--seed", "--limit", "--grammar", "--color", "--errors", "--log", "--at-least", "-n"];

/// The subcommands that take notation.
const SUBCOMMANDS: [&str; 7] = ["roll", "odds", "dist", "compare", "check", "simulate", "explain"];

/// The texts in the notation that a command hands to the program.
pub fn notation(command: &str) -> Vec<String> {
    let (input, arguments) = parse(command);
    let mut positional = Vec::new();
    let mut separate = false;
    let mut only_positional = false;
    let mut arguments = arguments.into_iter();
    while let Some(argument) = arguments.next() {
        if only_positional {
            positional.push(argument);
        } else if argument == "--" {
            only_positional = true;
        } else if WITH_VALUE.contains(&argument.as_str()) {
            arguments.next();
        } else if argument.starts_with('-')
            && !argument[1..].starts_with(|c: char| c.is_ascii_digit() || "d(.".contains(c))
        {
            // A flag.
        } else if positional.is_empty() && !separate && SUBCOMMANDS.contains(&argument.as_str()) {
            separate = argument == "compare";
        } else {
            positional.push(argument);
        }
    }
    let mut texts: Vec<String> = input.lines().map(str::to_owned).collect();
    if separate {
        texts.extend(positional);
    } else if !positional.is_empty() {
        texts.push(positional.join(" "));
    }
    texts
}

#[test]
fn reads_commands_as_a_shell_would() {
    assert_eq!(words("dice --faces 1,2  '2d6 + 1'''"), ["dice", "--faces", "1,2", "2d6 + 1"]);
    assert_eq!(parse("printf '2d6\\nd4\\n' | dice -q"), ("2d6\nd4\n".to_owned(), vec!["-q".to_owned()]));
    assert_eq!(notation("dice --faces 1,2 --json '2d6 + 1'"), ["2d6 + 1"]);
    assert_eq!(notation("dice roll -- -1d6 + 4"), ["-1d6 + 4"]);
    assert_eq!(notation("dice compare 1d6 2d4"), ["1d6", "2d4"]);
    assert_eq!(notation("printf 'd4\\nd6\\n' | dice"), ["d4", "d6"]);
}

#[test]
fn finds_the_output_of_each_command() {
    let text = "# Note.\n$ dice 1\n1\n\n# Another\n$ dice 2\nx\n\n# y\n$ dice 3\n$ dice 4\n";
    let found: Vec<_> = commands(text).into_iter().map(|shown| (shown.command, shown.output)).collect();
    let expected = [("dice 1", "1\n"), ("dice 2", "x\n"), ("dice 3", ""), ("dice 4", "")];
    assert_eq!(found, expected.map(|(command, output)| (command.to_owned(), output.to_owned())));
}
