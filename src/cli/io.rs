//! Where the program writes to, and how: colour and characters are decided here.

use std::ffi::OsString;
use std::io::{BufWriter, IsTerminal, Write};

use anstream::{AutoStream, ColorChoice};

use super::args::{Color, Common, Errors};

/// Standard output and error with what they can show.
#[expect(clippy::struct_excessive_bools, reason = "each says one thing that can be shown or not")]
pub struct Io {
    /// Results; locked and buffered.
    pub out: Box<dyn Write>,
    /// Everything else.
    pub err: Box<dyn Write>,
    /// Whether results are coloured.
    pub out_color: bool,
    /// Whether messages are coloured.
    pub err_color: bool,
    /// Whether characters beyond ASCII can be shown.
    pub unicode: bool,
    /// Whether errors are JSON.
    pub json: bool,
    /// Whether errors take one line.
    pub plain_errors: bool,
    /// Whether an argument says when to use colour, and how to print errors.
    color_said: bool,
    errors_said: bool,
}

impl Io {
    /// The streams of the process.
    pub fn of_process() -> Io {
        let mut io = Io {
            out: Box::new(BufWriter::with_capacity(1 << 16, std::io::stdout().lock())),
            err: Box::new(std::io::stderr().lock()),
            out_color: false,
            err_color: false,
            unicode: utf8(),
            json: false,
            plain_errors: false,
            color_said: false,
            errors_said: false,
        };
        io.color(Color::Auto);
        io
    }

    /// What an argument that cannot be understood must not stop: errors are to look as asked for.
    pub fn settle_before_parsing(&mut self, args: &[OsString]) {
        let given = |long: &str| args.iter().any(|arg| arg == long);
        self.json = given("--json");
        let said = |long: &str| args.iter().any(|arg| arg.to_str().is_some_and(|arg| arg.starts_with(long)));
        self.color_said = said("--color");
        self.errors_said = said("--errors");
        self.plain_errors =
            given("--errors=plain") || args.windows(2).any(|pair| pair == ["--errors", "plain"]);
        if given("--color=never") || args.windows(2).any(|pair| pair == ["--color", "never"]) {
            self.color(Color::Never);
        }
        if given("--color=always") || args.windows(2).any(|pair| pair == ["--color", "always"]) {
            self.color(Color::Always);
        }
    }

    /// Follows defaults where the arguments could not be understood.
    pub fn settle_after_failure(&mut self, color: Option<Color>, errors: Option<Errors>) {
        self.plain_errors |= errors == Some(Errors::Plain) && !self.errors_said;
        if let Some(color) = color.filter(|_| !self.color_said) {
            self.color(color);
        }
    }

    /// Follows the options.
    pub fn settle(&mut self, common: &Common) {
        self.json = common.json;
        self.plain_errors = common.errors == Some(Errors::Plain);
        self.unicode = self.unicode && !common.ascii;
        self.color(common.color.unwrap_or(Color::Auto));
    }

    /// Decides on colour: `NO_COLOR`, `CLICOLOR_FORCE`, `TERM=dumb` and each stream for itself.
    fn color(&mut self, color: Color) {
        let (out, err) = match color {
            Color::Always => (true, true),
            Color::Never => (false, false),
            Color::Auto => (
                AutoStream::choice(&std::io::stdout()) != ColorChoice::Never,
                AutoStream::choice(&std::io::stderr()) != ColorChoice::Never,
            ),
        };
        self.out_color = out;
        self.err_color = err;
    }

    /// Whether somebody types.
    pub fn asks_a_person() -> bool {
        std::io::stdin().is_terminal()
    }
}

/// Whether the locale is UTF-8, as the first of these variables that is set says.
fn utf8() -> bool {
    let set = |name: &&str| std::env::var(name).ok().filter(|value| !value.is_empty());
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].iter().find_map(set);
    locale.is_some_and(|locale| {
        let locale = locale.to_ascii_lowercase();
        locale.contains("utf-8") || locale.contains("utf8")
    })
}
