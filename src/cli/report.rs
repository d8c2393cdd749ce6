//! What went wrong, told to people or programs.

use std::fmt;
use std::io::Write;

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Group, Level, Patch, Renderer, Snippet};
use dice::Code;
use serde_json::json;

use super::{Io, Status};

/// The program was not called rightly.
#[derive(Debug)]
pub struct Usage(pub String);

impl fmt::Display for Usage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Usage {}

/// An error in a text, with what the program knows beyond the library.
#[derive(Debug)]
pub struct Fault {
    /// What is wrong.
    pub error: dice::Error,
    /// The line of standard input, counted from 1.
    pub line: Option<usize>,
    /// Further advice.
    pub notes: Vec<String>,
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
                Err(_) => Status::Io,
            };
        }
        (wrong_usage(usage, io), Status::Notation)
    } else if let Some(cause) = error.chain().find_map(|cause| cause.downcast_ref::<std::io::Error>()) {
        if cause.kind() == std::io::ErrorKind::BrokenPipe {
            return Status::Done;
        }
        (simple("io", &format!("{error:#}"), io), Status::Io)
    } else if error.is::<Usage>() {
        (simple("usage", &format!("{error:#}"), io), Status::Notation)
    } else if error.is::<dice::FaceError>() {
        (simple(Code::Script.number(), &format!("{error:#}"), io), Status::Evaluation)
    } else {
        (simple("io", &format!("{error:#}"), io), Status::Io)
    };
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
    if io.json || io.plain_errors {
        let text = text.to_string();
        let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
        let parts: Vec<&str> =
            lines.take_while(|line| !line.starts_with("Usage:") && !line.starts_with("For more")).collect();
        let message = parts.join("; ");
        let message = message.strip_prefix("error: ").unwrap_or(&message);
        if io.json { simple("usage", message, io) } else { format!("error: {message}") }
    } else if io.err_color {
        text.ansi().to_string()
    } else {
        text.to_string()
    }
}

fn as_json(fault: &Fault) -> String {
    let error = &fault.error;
    let fixes: Vec<_> = error
        .fixes()
        .iter()
        .map(|fix| json!({"span": [fix.span.start, fix.span.end], "text": fix.text, "why": fix.why}))
        .collect();
    let notes: Vec<&String> = error.notes().iter().chain(&fault.notes).collect();
    let (_, column, _) = error.position();
    json!({
        "v": 1,
        "code": error.code().number(),
        "message": error.title(),
        "text": error.text(),
        "span": [error.span().start, error.span().end],
        "column": column,
        "line": fault.line,
        "label": error.caption(),
        "notes": notes,
        "fixes": fixes,
    })
    .to_string()
}

/// One line without drawing: where, what, and what to write instead.
fn on_one_line(fault: &Fault) -> String {
    let error = &fault.error;
    let (_, column, width) = error.position();
    let place = fault.line.map_or(String::new(), |line| format!("stdin:{line}:{column}: "));
    let at = match width {
        _ if error.text().is_empty() => String::new(),
        1 => format!(", at column {column}"),
        _ => format!(", at columns {column} to {}", column + width - 1),
    };
    let caption = if error.caption().is_empty() { String::new() } else { format!(" ({})", error.caption()) };
    let mut parts = vec![format!("{place}error[{}]: {}{at}{caption}", error.code().number(), error.title())];
    parts.extend(error.notes().iter().chain(&fault.notes).cloned());
    parts.extend(error.fixes().iter().map(|fix| format!("{}: {}", fix.why, repaired(error.text(), fix))));
    parts.join("; ").replace(['\n', '\r'], " ")
}

/// The text after a fix.
pub fn repaired(text: &str, fix: &dice::Fix) -> String {
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
    let text = error.text();
    let title = Level::ERROR.primary_title(error.title()).id(error.code().number());
    let source = |text| {
        let snippet = Snippet::source(text).line_start(fault.line.unwrap_or(1));
        if fault.line.is_some() { snippet.path("stdin") } else { snippet }
    };
    let mut group = Group::with_title(title);
    if !text.is_empty() {
        let caption = Some(error.caption()).filter(|caption| !caption.is_empty());
        let mut snippet =
            source(text).annotation(AnnotationKind::Primary.span(error.span().range()).label(caption));
        for (span, label) in error.secondary() {
            snippet = snippet.annotation(AnnotationKind::Context.span(span.range()).label(label.as_str()));
        }
        group = group.element(snippet);
    }
    for note in error.notes().iter().chain(&fault.notes) {
        group = group.element(Level::HELP.message(note.as_str()));
    }
    let mut groups = vec![group];
    for fix in error.fixes() {
        let patch = Patch::new(fix.span.range(), fix.text.as_str());
        let snippet = Snippet::source(text).line_start(fault.line.unwrap_or(1)).patch(patch);
        groups.push(Level::HELP.secondary_title(fix.why.as_str()).element(snippet));
    }
    renderer(io).render(&groups)
}
