//! `dice man`: the man page, from the same definition as the help.

use std::fmt::Write as _;

use clap::CommandFactory;
use clap_mangen::Man;

use super::args::{AFTER, Cli, EXAMPLES};
use super::{Io, Status};

/// What the help has no room for.
const FILES: &str = r".SH FILES
.TP
\fI$XDG_CONFIG_HOME/dice/rolls\fR
Named rolls, one a line, such as \fBattack = 1d20 + 5\fR: wherever a text is expected, the name stands for the roll. The prompt adds to it.
.TP
\fI$XDG_CONFIG_HOME/dice/defaults\fR
Defaults of options, one a line: \fBcolor = never\fR, \fBerrors = plain\fR, \fBascii = true\fR, \fBverbose = true\fR, \fBdigits = 3\fR, \fBgrammar = FILE\fR, \fBlimit = dice=10000\fR. Arguments go before them.
.TP
\fI$XDG_STATE_HOME/dice/history\fR
What was typed at the prompt.
.PP
In both files of the first folder, what follows # is a comment. Where the variables are not set, the folders are \fI~/.config\fR and \fI~/.local/state\fR. Nothing else is read.
";

const ENVIRONMENT: &str = r".SH ENVIRONMENT
.TP
\fBNO_COLOR\fR, \fBCLICOLOR_FORCE\fR, \fBTERM\fR
Whether colour is used where \fB\-\-color\fR does not say: never if NO_COLOR is set, always if CLICOLOR_FORCE is, and never if TERM is dumb.
.TP
\fBLC_ALL\fR, \fBLC_CTYPE\fR, \fBLANG\fR
Unless the first one that is set names UTF\-8, only ASCII is drawn.
.TP
\fBXDG_CONFIG_HOME\fR, \fBXDG_STATE_HOME\fR, \fBHOME\fR
Where files lie; see FILES.
";

/// Prints the man page.
///
/// # Errors
/// It cannot be written.
pub fn man(io: &mut Io) -> anyhow::Result<Status> {
    let mut program = Cli::command();
    program.build();
    let page = Man::new(program.clone()).title("DICE").manual("Dice notation");
    let mut out: Vec<u8> = Vec::new();
    page.render_title(&mut out)?;
    page.render_name_section(&mut out)?;
    let mut text = String::from(".SH SYNOPSIS\n\\fBdice\\fR [\\fIOPTIONS\\fR] \\fIEXPR\\fR...\n.br\n");
    text.push_str("\\fBdice\\fR \\fICOMMAND\\fR ...\n.SH EXAMPLES\n.nf\n");
    for line in EXAMPLES.lines().skip(1) {
        writeln!(text, "{}", escaped(line))?;
    }
    text.push_str(".fi\n");
    text.push_str(&options(&program)?);
    text.push_str(".SH COMMANDS\n");
    for command in program.get_subcommands() {
        section(command, &mut text)?;
        command.get_subcommands().try_for_each(|below| section(below, &mut text))?;
    }
    text.push_str(".SH \"EXIT STATUS\"\n");
    let statuses = AFTER.trim_start_matches("Exit status: ").trim_end_matches('.');
    for status in statuses.split("; ") {
        let (number, meaning) = status.split_once(' ').unwrap_or((status, ""));
        writeln!(text, ".TP\n\\fB{number}\\fR\n{}", escaped(meaning))?;
    }
    text.push_str(FILES);
    text.push_str(ENVIRONMENT);
    out.extend_from_slice(text.as_bytes());
    io.out.write_all(&out)?;
    Ok(Status::Done)
}

/// A command with its arguments and its own options.
fn section(command: &clap::Command, text: &mut String) -> anyhow::Result<()> {
    let known = |arg: &clap::Arg| arg.is_global_set() || matches!(arg.get_id().as_str(), "help" | "version");
    let mut named = command.clone().mut_args(|arg| if known(&arg) { arg.hide(true) } else { arg });
    let usage = named.render_usage().to_string();
    let usage: Vec<&str> = usage.trim_start_matches("Usage: ").lines().map(str::trim).collect();
    let usage = usage.join("\n");
    let name = command.get_bin_name().unwrap_or_default();
    writeln!(text, ".SS \"{}\"", escaped(name))?;
    writeln!(text, "{}\n.PP", escaped(&command.get_about().map(ToString::to_string).unwrap_or_default()))?;
    writeln!(text, "\\fB{}\\fR", escaped(&usage).replace('\n', "\n.br\n"))?;
    let aliases: Vec<&str> = command.get_visible_aliases().collect();
    if !aliases.is_empty() {
        writeln!(text, "; {} is the same", escaped(&aliases.join(", ")))?;
    }
    text.push_str(&options(&named)?.replace(".SH OPTIONS\n", ""));
    Ok(())
}

fn options(command: &clap::Command) -> anyhow::Result<String> {
    let mut out = Vec::new();
    if command.get_arguments().any(|arg| !arg.is_hide_set()) {
        Man::new(command.clone()).render_options_section(&mut out)?;
    }
    Ok(String::from_utf8(out)?)
}

/// A text in which nothing is a command of the page's language.
fn escaped(text: &str) -> String {
    let text = text.replace('\\', "\\e").replace('-', "\\-").replace('\'', "\\(aq");
    if text.starts_with('.') { format!("\\&{text}") } else { text }
}
