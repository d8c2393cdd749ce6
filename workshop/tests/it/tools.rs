//! The four tools: the order of their checks, and every way out of the editable folders.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::PathBuf;

use anyhow::Result;
use tempfile::TempDir;
use workshop::config::Policy;
use workshop::copy::{Hashes, hash_tree};
use workshop::tools::{Action, Args, Suite, Tools, action_schema, call_text};

use crate::common::{folder, tree, write};

struct Recorder(Vec<Option<String>>);

impl Suite for Recorder {
    fn run(&mut self, only: Option<&str>) -> Result<String> {
        self.0.push(only.map(str::to_string));
        Ok("GREEN 1/1\n  PASS t".to_string())
    }
}

struct Desk {
    _keep: TempDir,
    root: PathBuf,
    files: Hashes,
    policy: Policy,
    suite: Recorder,
}

const LIB: &str = "one\n  two\nthree\nsame\nsame\n";

fn desk() -> Desk {
    let (keep, root) = folder();
    for tree in ["base", "copy"] {
        write(
            &root.join(tree),
            &[
                ("src/lib.rs", LIB),
                ("src/empty.rs", ""),
                ("src2/lib.rs", "two\n"),
                ("src/build.rs", "two\n"),
                ("tests/visible.rs", "want two\n"),
                ("dice.pest", "two\n"),
            ],
        );
    }
    fs::write(root.join("outside"), "two\n").unwrap();
    let policy =
        Policy { edit_allow: vec!["src/".into(), "dice.pest".into()], ..Policy::default() };
    let files = hash_tree(&root.join("base")).unwrap();
    Desk { _keep: keep, root, files, policy, suite: Recorder(Vec::new()) }
}

impl Desk {
    fn act(&mut self, action: &Action) -> String {
        let (base, copy) = (self.root.join("base"), self.root.join("copy"));
        let mut tools = Tools {
            root: &copy,
            base: &base,
            files: &self.files,
            policy: &self.policy,
            suite: &mut self.suite,
        };
        let (observation, _) = tools.call(action).unwrap();
        assert!(!observation.is_empty());
        observation
    }

    fn call(&mut self, tool: &str, args: Args) -> String {
        self.act(&Action { hypothesis: "because".into(), tool: tool.into(), args })
    }

    fn edit(&mut self, path: &str, old: &str, new: &str) -> String {
        let some = |text: &str| Some(text.to_string());
        let args = Args { path: some(path), old: some(old), new: some(new), ..Args::default() };
        self.call("edit_file", args)
    }

    fn read(&mut self, path: &str) -> String {
        self.call("read_file", Args { path: Some(path.into()), ..Args::default() })
    }

    fn grep(&mut self, pattern: &str) -> String {
        self.call("grep", Args { pattern: Some(pattern.into()), ..Args::default() })
    }
}

fn denied(path: &str) -> String {
    format!("denied by policy: {path} is read-only, editable: ['src/', 'dice.pest']")
}

#[test]
fn an_edit_replaces_the_one_place() {
    let mut desk = desk();
    assert_eq!(desk.edit("src/lib.rs", "  two", "  2"), "ok: patched src/lib.rs");
    assert_eq!(desk.edit("dice.pest", "two", "2"), "ok: patched dice.pest");
    let copy = tree(&desk.root.join("copy"));
    assert_eq!(copy["src/lib.rs"], "one\n  2\nthree\nsame\nsame\n");
    assert_eq!(copy["dice.pest"], "2\n");
    assert_eq!(copy["src2/lib.rs"], "two\n");
}

#[test]
fn the_checks_of_an_edit_come_in_their_order() {
    let mut desk = desk();
    let long = "a\nb\nc\nd\ne\nf\ng";
    // Everything is wrong: the policy speaks first.
    assert_eq!(desk.edit("tests/none.rs", "", long), denied("tests/none.rs"));
    assert_eq!(desk.edit("src/none.rs", "", long), "error: no such file src/none.rs");
    assert_eq!(
        desk.edit("src/lib.rs", "", long),
        "denied by policy: edit touches 7 lines, budget 6"
    );
    assert_eq!(desk.edit("src/lib.rs", "", "a"), "error: old text is empty");
    assert_eq!(
        desk.edit("src/lib.rs", "four", "a"),
        "error: old text not found, read the file again"
    );
    assert_eq!(desk.edit("src/lib.rs", "same", "a"), "error: old text occurs 2 times, add context");
    // Also where the two places share letters.
    assert_eq!(
        desk.edit("src/lib.rs", "e\nsame\n", "a"),
        "error: old text occurs 2 times, add context"
    );
    desk.policy.max_diff_lines = 1;
    assert_eq!(
        desk.edit("src/lib.rs", "two", "2"),
        "denied by policy: diff would be 2 lines, budget 1"
    );
    assert_eq!(tree(&desk.root.join("copy")), tree(&desk.root.join("base")));
}

#[test]
fn the_budget_of_an_edit_is_six_lines_by_every_line_ending() {
    let mut desk = desk();
    assert_eq!(desk.edit("src/lib.rs", "one\n", "1\n2\n3\n4\n5"), "ok: patched src/lib.rs");
    for new in ["a\nb\nc\nd\ne\nf", "a\rb\rc\rd\re\rf", "a\r\nb\u{2028}c\u{b}d\u{c}e\u{85}f"] {
        assert_eq!(
            desk.edit("src/lib.rs", "three", new),
            "denied by policy: edit touches 7 lines, budget 6"
        );
    }
}

#[test]
fn many_small_edits_do_not_make_a_large_diff() {
    let mut desk = desk();
    desk.policy.max_diff_lines = 6;
    assert_eq!(desk.edit("src/lib.rs", "one", "1\n1\n1"), "ok: patched src/lib.rs");
    assert_eq!(desk.edit("dice.pest", "two", "2"), "ok: patched dice.pest");
    assert_eq!(
        desk.edit("src/lib.rs", "three", "3"),
        "denied by policy: diff would be 8 lines, budget 6"
    );
    // Taking something back makes room again.
    assert_eq!(desk.edit("dice.pest", "2", "two"), "ok: patched dice.pest");
    assert_eq!(desk.edit("src/lib.rs", "three", "3"), "ok: patched src/lib.rs");
    desk.policy.max_diff_lines = 0;
    assert_eq!(desk.edit("dice.pest", "two", "2\n2\n2"), "ok: patched dice.pest");
}

#[test]
fn no_path_leads_out_of_the_editable_folders() {
    let mut desk = desk();
    let outside = desk.root.join("outside").to_string_lossy().into_owned();
    for path in [
        outside.as_str(),
        "src/../tests/visible.rs",
        "src/../src2/lib.rs",
        "src/../../outside",
        "../outside",
        "src/./lib.rs",
        "./src/lib.rs",
        "src//lib.rs",
        "src/lib.rs/",
        "src",
        "src/",
        "src2/lib.rs",
        "SRC/lib.rs",
        "src\\lib.rs",
        "src/lib.rs\0",
        "dice.pest/x",
        "dice.pest2",
        "tests/visible.rs",
        "src/build.rs",
        "src/inner/tests/visible.rs",
        "src/inner/Cargo.toml",
        "src/.cargo/config.toml",
        "src/rust-toolchain.toml",
        "",
    ] {
        assert_eq!(desk.edit(path, "two", "2"), denied(path));
    }
    assert_eq!(tree(&desk.root.join("copy")), tree(&desk.root.join("base")));
}

#[test]
fn no_link_leads_out_of_the_editable_folders() {
    let mut desk = desk();
    let copy = desk.root.join("copy");
    symlink("../tests/visible.rs", copy.join("src/file_link.rs")).unwrap();
    symlink("../tests", copy.join("src/folder_link")).unwrap();
    symlink("../src2/lib.rs", copy.join("src/other_link.rs")).unwrap();
    symlink("../src2", copy.join("src/other_folder")).unwrap();
    symlink("/proc/self/root", copy.join("src/magic")).unwrap();
    fs::hard_link(copy.join("tests/visible.rs"), copy.join("src/hard.rs")).unwrap();
    fs::write(copy.join("src/binary.rs"), [b't', b'w', b'o', 0xff]).unwrap();
    fs::write(copy.join("src/large.rs"), "two\n".repeat(300_000)).unwrap();
    for path in [
        "src/file_link.rs",
        "src/folder_link/visible.rs",
        "src/other_link.rs",
        "src/other_folder/lib.rs",
        "src/magic/etc/passwd",
        "src/hard.rs",
        "src/binary.rs",
        "src/large.rs",
        "src/folder_link",
        "src/new.rs",
    ] {
        let expected = format!("error: no such file {path}");
        assert_eq!(desk.edit(path, "two", "2"), expected);
        assert_eq!(desk.read(path), expected);
    }
    assert_eq!(fs::read_to_string(copy.join("tests/visible.rs")).unwrap(), "want two\n");
}

#[test]
fn reading_shows_the_text_or_both_ends() {
    let mut desk = desk();
    assert_eq!(desk.read("tests/visible.rs"), "want two\n");
    assert_eq!(desk.read("src/empty.rs"), "(empty file)");
    assert_eq!(desk.read("../outside"), "error: no such file ../outside");
    let whole = "ä".repeat(10_000);
    fs::write(desk.root.join("copy/src/lib.rs"), &whole).unwrap();
    assert_eq!(desk.read("src/lib.rs"), whole);
    let long = format!("{}bc{}", "a".repeat(5_000), "d".repeat(5_000));
    fs::write(desk.root.join("copy/src/lib.rs"), long).unwrap();
    let shown =
        format!("{}\n[… 2 characters left out …]\n{}", "a".repeat(5_000), "d".repeat(5_000));
    assert_eq!(desk.read("src/lib.rs"), shown);
}

#[test]
fn grep_prints_sorted_lines_without_leading_blanks() {
    let mut desk = desk();
    assert_eq!(
        desk.grep("tw[o]"),
        "dice.pest:1: two\nsrc/build.rs:1: two\nsrc/lib.rs:2: two\nsrc2/lib.rs:1: two\n\
         tests/visible.rs:1: want two"
    );
    assert_eq!(desk.grep("TWO"), "no match");
    assert_eq!(desk.grep("("), "error: bad pattern");
    fs::write(desk.root.join("copy/src/lib.rs"), "x\n".repeat(500)).unwrap();
    assert_eq!(desk.grep("^x$").lines().count(), 200);
    fs::write(desk.root.join("copy/src/lib.rs"), format!("y{}", "é".repeat(400_000))).unwrap();
    assert_eq!(desk.grep("^y"), format!("src/lib.rs:1: y{}…", "é".repeat(499)));
}

#[test]
fn wrong_calls_are_observations() {
    let mut desk = desk();
    let none = Args::default;
    for tool in ["read_file", "grep", "edit_file"] {
        assert_eq!(desk.call(tool, none()), format!("error: bad arguments for {tool}"));
    }
    let extra = Args { path: Some("src/lib.rs".into()), only: Some("t".into()), ..none() };
    for tool in ["read_file", "run_tests"] {
        assert_eq!(desk.call(tool, extra.clone()), format!("error: bad arguments for {tool}"));
    }
    assert_eq!(desk.call("shell", none()), "error: unknown tool shell");
    let silent = Action { hypothesis: " ".into(), tool: "run_tests".into(), args: none() };
    assert_eq!(desk.act(&silent), "error: state a hypothesis first");
    assert_eq!(desk.suite.0, Vec::<Option<String>>::new());
}

#[test]
fn run_tests_hands_on_the_name_and_an_empty_name_is_none() {
    let mut desk = desk();
    let only = |name: &str| Args { only: Some(name.into()), ..Args::default() };
    assert_eq!(desk.call("run_tests", Args::default()), "GREEN 1/1\n  PASS t");
    desk.call("run_tests", only(""));
    desk.call("run_tests", only("t"));
    assert_eq!(desk.suite.0, [None, None, Some("t".to_string())]);
}

#[test]
fn the_schema_is_closed_and_calls_print_as_in_the_log() {
    let schema = action_schema();
    assert_eq!(schema["additionalProperties"], false);
    assert_eq!(schema["$defs"]["Args"]["additionalProperties"], false);
    assert_eq!(schema["required"], serde_json::json!(["hypothesis", "tool", "args"]));
    let wrong = r#"{"hypothesis":"h","tool":"grep","args":{"pattern":"x","shell":"ls"}}"#;
    assert!(serde_json::from_str::<Action>(wrong).is_err());
    let args = Args {
        path: Some("a.rs".into()),
        old: Some("it's\n".into()),
        new: Some("\"'".into()),
        ..Args::default()
    };
    assert_eq!(call_text("edit_file", &args), r#"edit_file(path='a.rs', old="it's\n", new='"\'')"#);
    assert_eq!(call_text("run_tests", &Args::default()), "run_tests()");
}
