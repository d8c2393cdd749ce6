//! What went wrong, told to people or programs.

use std::fmt;
use std::io::Write;

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Group, Level, Patch, Renderer, Snippet};
use dice::ast::Span;
use dice::{Code, Fix};
use serde_json::json;

use super::{Io, Status};

/// What an error in reading standard input is told as.
pub const STDIN: &str = "standard input cannot be read";

/// The program was not called rightly.
#[derive(Debug)]
pub struct Usage(pub String);

impl fmt::Display for Usage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Usage {}

/// Ctrl-C was pressed before there was anything to tell.
#[derive(Debug)]
pub struct Stopped(pub String);

impl fmt::Display for Stopped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Stopped {}

/// An error in a text, with what the program knows beyond the library.
#[derive(Debug)]
pub struct Fault {
    /// What is wrong.
    pub error: dice::Error,
    /// The file in which the text stands, if it is not standard input.
    pub file: Option<String>,
    /// The line of standard input or of the file, counted from 1.
    pub line: Option<usize>,
    /// Further advice.
    pub notes: Vec<String>,
    /// What was put into the text and is not to be shown, the last part first.
    pub hidden: Vec<Hidden>,
}

impl From<dice::Error> for Fault {
    fn from(error: dice::Error) -> Fault {
        Fault { error, file: None, line: None, notes: Vec::new(), hidden: Vec::new() }
    }
}

impl Fault {
    /// What the line is a line of.
    fn source(&self) -> &str {
        self.file.as_deref().unwrap_or("stdin")
    }
}

/// A part of a text that nobody typed.
#[derive(Clone, Copy, Debug)]
pub struct Hidden {
    pub at: usize,
    pub len: usize,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.error.fmt(f)
    }
}

impl std::error::Error for Fault {}

/// Writes an error where errors go and says how the program ends because of it.
pub fn report(error: &anyhow::Error, io: &mut Io) -> Status {
    let (text, status) = if let Some(fault) = error.downcast_ref::<Fault>() {
        (told(fault, io), status_of(fault.error.code()))
    } else if let Some(usage) = error.downcast_ref::<clap::Error>() {
        if !usage.use_stderr() {
            let text = usage.render();
            let text = if io.out_color { text.ansi().to_string() } else { text.to_string() };
            return match io.out.write_all(text.as_bytes()).and_then(|()| io.out.flush()) {
                Ok(()) => Status::Done,
                Err(error) => report(&error.into(), io),
            };
        }
        (wrong_usage(usage, io), Status::Notation)
    } else if let Some(cause) = error.chain().find_map(|cause| cause.downcast_ref::<std::io::Error>()) {
        if cause.kind() == std::io::ErrorKind::BrokenPipe {
            return Status::Done;
        }
        // What reads a file says which one.
        let unsaid = error.chain().count() == 1;
        let what = if unsaid { "the results cannot be written: " } else { "" };
        (simple("io", &format!("{what}{error:#}"), io), Status::Io)
    } else if error.is::<Usage>() {
        (simple("usage", &format!("{error:#}"), io), Status::Notation)
    } else if error.is::<Stopped>() {
        (simple("stopped", &format!("{error:#}"), io), Status::Evaluation)
    } else if error.is::<dice::FaceError>() {
        (simple(Code::Script.number(), &format!("{error:#}"), io), Status::Evaluation)
    } else {
        (simple("io", &format!("{error:#}"), io), Status::Io)
    };
    // Of what the program itself says only this is not ASCII.
    let text = if io.unicode || io.json { text } else { text.replace('…', "...") };
    // What has been rolled before comes first; if nobody reads messages, nothing can be said about it.
    let _ = io.out.flush();
    let _ = writeln!(io.err, "{}", text.trim_end());
    status
}

/// How the program ends for a kind of error.
pub fn status_of(code: Code) -> Status {
    if code.is_notation() { Status::Notation } else { Status::Evaluation }
}

fn told(fault: &Fault, io: &Io) -> String {
    if io.json {
        as_json(fault)
    } else if io.plain_errors {
        on_one_line(fault)
    } else {
        drawn(fault, io)
    }
}

/// An error without a text.
fn simple(code: &str, message: &str, io: &Io) -> String {
    if io.json {
        return json!({"v": 1, "code": code, "message": message, "span": null, "fixes": []}).to_string();
    }
    let title = Level::ERROR.primary_title(message);
    let title = if code.starts_with('E') { title.id(code) } else { title };
    renderer(io).render(&[Group::with_title(title)])
}

/// The argument parser's error.
fn wrong_usage(error: &clap::Error, io: &Io) -> String {
    let text = error.render();
    // The parser saw a typographic minus where a plain one was typed.
    let typed = |text: String| text.replace('\u{2212}', "-");
    if io.json || io.plain_errors {
        let text = typed(text.to_string());
        let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
        let parts: Vec<&str> =
            lines.take_while(|line| !line.starts_with("Usage:") && !line.starts_with("For more")).collect();
        let message = parts.join("; ");
        let message = message.strip_prefix("error: ").unwrap_or(&message);
        if io.json { simple("usage", message, io) } else { format!("error: {message}") }
    } else if io.err_color {
        typed(text.ansi().to_string())
    } else {
        typed(text.to_string())
    }
}

/// An error as it is shown: without the part of the text that nobody typed.
struct View<'f> {
    text: String,
    span: Span,
    secondary: Vec<(Span, &'f str)>,
    fixes: Vec<Fix>,
}

impl View<'_> {
    fn of(fault: &Fault) -> View<'_> {
        let error = &fault.error;
        let mut text = error.text().to_owned();
        let hidden: Vec<Hidden> = fault
            .hidden
            .iter()
            .copied()
            .filter(|part| text.get(part.at..part.at + part.len).is_some())
            .collect();
        for part in &hidden {
            text.replace_range(part.at..part.at + part.len, "");
        }
        let moved = |byte: u32| {
            let byte = hidden.iter().fold(byte as usize, |byte, Hidden { at, len }| {
                if byte <= *at { byte } else { byte.saturating_sub(*len).max(*at) }
            });
            u32::try_from(byte).unwrap_or(u32::MAX)
        };
        let shown = |span: Span| Span { start: moved(span.start), end: moved(span.end) };
        View {
            text,
            span: shown(error.span()),
            secondary: error.secondary().iter().map(|(span, label)| (shown(*span), label.as_str())).collect(),
            fixes: error.fixes().iter().map(|fix| Fix { span: shown(fix.span), ..fix.clone() }).collect(),
        }
    }

    /// The first column of the place and how many columns it covers, in characters from 1.
    fn columns(&self) -> (usize, usize) {
        let before = self.text.get(..self.span.start as usize).unwrap_or(&self.text);
        let covered = self.text.get(self.span.range()).unwrap_or_default();
        let line = before.rsplit('\n').next().unwrap_or_default();
        (line.chars().count() + 1, covered.chars().count().max(1))
    }
}

fn as_json(fault: &Fault) -> String {
    let error = &fault.error;
    let view = View::of(fault);
    let span = |span: Span| json!([span.start, span.end]);
    let fixes: Vec<_> = view
        .fixes
        .iter()
        .map(|fix| json!({"span": span(fix.span), "text": fix.text, "why": fix.why}))
        .collect();
    let labels: Vec<_> =
        view.secondary.iter().map(|(place, text)| json!({"span": span(*place), "text": text})).collect();
    let notes: Vec<&String> = error.notes().iter().chain(&fault.notes).collect();
    json!({
        "v": 1,
        "code": error.code().number(),
        "message": error.title(),
        "text": view.text,
        "span": span(view.span),
        "column": view.columns().0,
        "file": fault.file,
        "line": fault.line,
        "label": error.caption(),
        "labels": labels,
        "notes": notes,
        "fixes": fixes,
    })
    .to_string()
}

/// One line without drawing: where, what, and what to write instead.
fn on_one_line(fault: &Fault) -> String {
    let error = &fault.error;
    let view = View::of(fault);
    let (column, width) = view.columns();
    let place = fault.line.map_or(String::new(), |line| format!("{}:{line}:{column}: ", fault.source()));
    let at = match width {
        _ if view.text.is_empty() => String::new(),
        1 => format!(", at column {column}"),
        _ => format!(", at columns {column} to {}", column + width - 1),
    };
    let caption = if error.caption().is_empty() { String::new() } else { format!(" ({})", error.caption()) };
    let mut parts = vec![format!("{place}error[{}]: {}{at}{caption}", error.code().number(), error.title())];
    parts.extend(error.notes().iter().chain(&fault.notes).cloned());
    parts.extend(view.fixes.iter().map(|fix| format!("{}: {}", fix.why, repaired(&view.text, fix))));
    parts.join("; ").replace(['\n', '\r'], " ")
}

/// The text after a fix.
fn repaired(text: &str, fix: &Fix) -> String {
    let mut text = text.to_owned();
    if text.get(fix.span.range()).is_some() {
        text.replace_range(fix.span.range(), &fix.text);
    }
    text
}

fn renderer(io: &Io) -> Renderer {
    let renderer = if io.err_color { Renderer::styled() } else { Renderer::plain() };
    renderer.decor_style(DecorStyle::Ascii).term_width(80)
}

/// As the compiler of Rust draws its errors.
fn drawn(fault: &Fault, io: &Io) -> String {
    let error = &fault.error;
    let view = View::of(fault);
    let first = fault.line.unwrap_or(1);
    let title = Level::ERROR.primary_title(error.title()).id(error.code().number());
    let mut group = Group::with_title(title);
    if !view.text.is_empty() {
        let caption = Some(error.caption()).filter(|caption| !caption.is_empty());
        let mut snippet = Snippet::source(&view.text).line_start(first);
        if fault.line.is_some() {
            snippet = snippet.path(fault.source());
        }
        snippet = snippet.annotation(AnnotationKind::Primary.span(view.span.range()).label(caption));
        for (span, label) in &view.secondary {
            snippet = snippet.annotation(AnnotationKind::Context.span(span.range()).label(*label));
        }
        group = group.element(snippet);
    }
    for note in error.notes().iter().chain(&fault.notes) {
        group = group.element(Level::HELP.message(note.as_str()));
    }
    let mut groups = vec![group];
    for fix in &view.fixes {
        let patch = Patch::new(fix.span.range(), fix.text.as_str());
        let snippet = Snippet::source(&view.text).line_start(first).patch(patch);
        groups.push(Level::HELP.secondary_title(fix.why.as_str()).element(snippet));
    }
    renderer(io).render(&groups)
}
