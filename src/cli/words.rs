//! The arguments before the argument parser sees them.
//!
//! Two things it cannot do itself: a roll may begin with a minus although options do, and options may stand before the
//! command.

use std::ffi::OsString;
use std::path::Path;

use clap::CommandFactory;
use dice::Code;

use super::args::Cli;
use super::names::definition;
use super::report::Fault;

/// Makes leading minus signs of notation typographic and moves a command to the front.
pub fn arrange(args: Vec<OsString>) -> Vec<OsString> {
    let mut args: Vec<OsString> = args;
    if args.is_empty() {
        args.push(OsString::from("dice"));
    }
    let end = args.iter().position(|arg| arg == "--").unwrap_or(args.len());
    for arg in args.iter_mut().take(end).skip(1) {
        if let Some(changed) = arg.to_str().and_then(minus) {
            *arg = OsString::from(changed);
        }
    }
    // `dice help odds` is `dice odds --help`.
    if args.get(1).is_some_and(|arg| arg == "help") && args.len() <= 3 {
        args.remove(1);
        args.push(OsString::from("--help"));
        return args;
    }
    if let Some(place) = command(&args[..end]) {
        args[1..=place].rotate_right(1);
    }
    args
}

/// `-1d6` as `−1d6`: options are longer than a minus and begin neither with a digit nor with `d`.
fn minus(arg: &str) -> Option<String> {
    let rest = arg.strip_prefix('-')?;
    let first = rest.chars().next()?;
    (first.is_ascii_digit() || matches!(first, 'd' | 'D' | '(' | '.')).then(|| format!("\u{2212}{rest}"))
}

/// Where the command stands: the first argument that is no option and no value of one, if it is one of ours.
fn command(args: &[OsString]) -> Option<usize> {
    let program = Cli::command();
    let mut place = 1;
    loop {
        let arg = args.get(place)?.to_str()?;
        if !arg.starts_with('-') || arg == "-" {
            return program.find_subcommand(arg).map(|_| place);
        }
        place += if takes_value(&program, arg) { 2 } else { 1 };
    }
}

/// Whether the next argument is the value of this option.
fn takes_value(program: &clap::Command, arg: &str) -> bool {
    let named = |option: &clap::Arg| match arg.strip_prefix("--") {
        Some(long) => option.get_long() == Some(long),
        // Of `-qn` the last letter takes the value; in `-n3` it stands there already.
        None => option.get_short().is_some_and(|short| arg.ends_with(short)),
    };
    let commands = std::iter::once(program).chain(program.get_subcommands());
    commands
        .flat_map(clap::Command::get_arguments)
        .any(|option| named(option) && option.get_action().takes_values())
}

/// Adds to an error in a text from the command line what the shell or a misspelt command may have to do with it.
pub fn advise(mut fault: Fault, text: &str) -> Fault {
    if let Some(command) = text.split_whitespace().next().and_then(meant) {
        fault.notes.push(format!("did you mean the command `{command}`?"));
    }
    if fault.error.code() == Code::UnknownName
        && let Some((name, _)) = definition(text)
    {
        let text = text.trim();
        fault.notes.push(format!("to use a name in one roll, write: {text}; {name}"));
        fault.notes.push("to keep a name, set it at the prompt that `dice` alone begins".to_owned());
    }
    // A `*` between blanks has become the names of all files.
    let files = text.split_whitespace().filter(|word| word.contains('.') && Path::new(word).exists()).count();
    if files > 0 {
        fault.notes.push("did the shell take `*`? Put the roll in single quotes".to_owned());
    }
    let told = fault.error.notes().iter().any(|note| note.contains("shell"));
    if !told && text.trim_end().ends_with(['+', '-', '\u{2212}', '*', '/', '%', '^', '<', '>', '=', '&', '('])
    {
        fault.notes.push("did the shell take `$NAME` or `*`? Put the roll in single quotes".to_owned());
    }
    fault
}

/// What a misspelt command was meant to be.
fn meant(word: &str) -> Option<String> {
    let program = Cli::command();
    let names: Vec<&str> =
        program.get_subcommands().flat_map(clap::Command::get_name_and_visible_aliases).collect();
    let near = names.iter().map(|name| (strsim::damerau_levenshtein(word, name), *name)).min()?;
    // A word of three letters has too many neighbours two edits away.
    let most = if word.len() <= 4 { 1 } else { 2 };
    let word = word.len() >= 3 && word.chars().all(|c| c.is_ascii_alphabetic());
    (word && (1..=most).contains(&near.0)).then(|| near.1.to_owned())
}

#[cfg(test)]
mod tests {
    use super::arrange;

    fn arranged(line: &str) -> String {
        let args = arrange(line.split(' ').map(Into::into).collect());
        args.iter().map(|arg| arg.to_string_lossy()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn only_notation_gets_a_typographic_minus() {
        assert_eq!(arranged("dice -1d6+4 -n 3 --json"), "dice −1d6+4 -n 3 --json");
        assert_eq!(arranged("dice -d6 -(2) -.5 -x - --sead 4"), "dice −d6 −(2) −.5 -x - --sead 4");
        assert_eq!(arranged("dice -- -1"), "dice -- -1");
    }

    #[test]
    fn a_command_moves_to_the_front() {
        assert_eq!(arranged("dice --color never roll d6"), "dice roll --color never d6");
        assert_eq!(arranged("dice --seed roll d6"), "dice --seed roll d6");
        assert_eq!(arranged("dice -qn 3 roll d6"), "dice roll -qn 3 d6");
        assert_eq!(arranged("dice d6 roll"), "dice d6 roll");
        assert_eq!(arranged("dice -- roll d6"), "dice -- roll d6");
        assert_eq!(arranged("dice help odds"), "dice odds --help");
        assert_eq!(arranged("dice help"), "dice --help");
    }
}
