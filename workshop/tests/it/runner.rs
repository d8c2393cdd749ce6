//! The runners: every line of their output, and what counts as passed.

use std::fs;
use std::path::Path;

use tempfile::TempDir;
use workshop::config::Config;
use workshop::runner::{self, Runner, Site};

use crate::common::{folder, jail, write};

const LOCK: &str = "version = 4\n\n[[package]]\nname = \"mini\"\nversion = \"0.1.0\"\n";
const MANIFEST: &str =
    "[package]\nname = \"mini\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[workspace]\n";
const TESTS: &str = "\
use mini::*;
#[test] fn b_equal() { let got = value(); assert!(got == 1, \"want 1, got {got}\"); }
#[test] fn a_code() { assert_eq!(inner(0), 1); }
#[test] fn c_result() -> Result<(), String> { Err(\"not today\".into()) }
#[test] #[should_panic] fn d_panics() { assert_eq!(value(), 99); }
#[test] #[ignore] fn e_ignored() {}
";
const CODE: &str = "pub fn value() -> u32 { 1 }\npub fn inner(n: u32) -> u32 { 1 + n }\n";

struct Mini {
    _keep: TempDir,
    site: Site,
    runner: Box<dyn Runner>,
    names: Vec<String>,
}

fn mini(tests: &str, more: &str) -> Mini {
    let (keep, root) = folder();
    let site = Site::in_folder(&root, &root).unwrap();
    write(
        &site.repo,
        &[
            ("Cargo.toml", MANIFEST),
            ("Cargo.lock", LOCK),
            ("src/lib.rs", CODE),
            ("tests/visible.rs", tests),
        ],
    );
    let text = format!("[runner]\npackage = \"mini\"\nsuites = [\"visible\"]\n{more}");
    let config = Config::parse(&text).unwrap();
    let runner = runner::new(&config.runner, &jail(), &site.repo).unwrap();
    let names = runner.list(&site).unwrap();
    Mini { _keep: keep, site, runner, names }
}

impl Mini {
    fn run(&self, only: Option<&str>) -> runner::Report {
        self.runner.run(&self.site, &self.names, only).unwrap()
    }

    fn with(&self, code: &str) -> String {
        fs::write(self.site.repo.join("src/lib.rs"), code).unwrap();
        self.run(None).text()
    }
}

#[test]
fn the_report_names_every_test_in_order() {
    let mini = mini(TESTS, "");
    assert_eq!(mini.names, ["a_code", "b_equal", "c_result", "d_panics"]);
    assert_eq!(
        mini.run(None).text(),
        "RED 3/4\n  PASS a_code\n  PASS b_equal\n  ERROR c_result: Error: \"not today\"\n  PASS d_panics"
    );
    assert_eq!(mini.run(Some("b_equal")).text(), "GREEN 1/1\n  PASS b_equal");
    assert_eq!(mini.run(Some("b")).text(), "error: no test named b");
    assert_eq!(mini.run(Some("e_ignored")).text(), "error: no test named e_ignored");
    // A panic in the test is a failure, one in the code under test an error.
    assert_eq!(
        mini.with("pub fn value() -> u32 { 2 }\npub fn inner(n: u32) -> u32 { 1 / n }\n"),
        "RED 1/4\n  ERROR a_code: attempt to divide by zero\n  FAIL b_equal: want 1, got 2\n  \
         ERROR c_result: Error: \"not today\"\n  PASS d_panics"
    );
    assert_eq!(
        mini.with("pub fn value() -> u32 { 1 }\npub fn inner(n: u32) -> u32 { n + }\n"),
        "RED 0/0 suite failed to load: expected expression, found `}` (src/lib.rs:2)"
    );
    assert_eq!(
        mini.with("pub fn value() -> u32 { 1 }\n"),
        "RED 0/0 suite failed to load: cannot find function `inner` in this scope \
         (tests/visible.rs:3)"
    );
}

#[test]
fn a_test_without_its_own_line_has_not_passed() {
    let mini = mini(TESTS, "timeout_s = 2\n");
    let silent = "no result (process ended early)";
    assert_eq!(
        mini.with(
            "pub fn value() -> u32 { std::process::exit(0) }\npub fn inner(_: u32) -> u32 { 1 }\n"
        ),
        format!(
            "RED 1/4\n  PASS a_code\n  ERROR b_equal: {silent}\n  ERROR c_result: {silent}\n  \
             ERROR d_panics: {silent}"
        )
    );
    assert_eq!(
        mini.with("pub fn value() -> u32 { loop {} }\npub fn inner(_: u32) -> u32 { 1 }\n"),
        "RED 1/4\n  PASS a_code\n  ERROR b_equal: timeout after 2s\n  ERROR c_result: timeout \
         after 2s\n  ERROR d_panics: timeout after 2s"
    );
    // Lines that are printed twice, or for tests that do not exist, are no result.
    let forge = "use std::io::Write;\npub fn value() -> u32 {\n    std::io::stdout().write_all(\
                 b\"ok\\ntest b_equal ... ok\\ntest z_unknown ... ok\\n\").unwrap();\n    1\n}\n\
                 pub fn inner(_: u32) -> u32 { 1 }\n";
    fs::write(mini.site.repo.join("src/lib.rs"), forge).unwrap();
    let report = mini.run(Some("b_equal"));
    assert_eq!(report.text(), "RED 0/1\n  ERROR b_equal: 2 results");
    assert!(report.forged);
}

#[test]
fn a_test_that_the_patch_hides_is_missed() {
    let mini = mini(TESTS, "");
    let hidden = TESTS.replace("#[test] fn b_equal", "#[test] #[ignore] fn b_equal");
    fs::write(mini.site.repo.join("tests/visible.rs"), hidden).unwrap();
    assert!(mini.run(None).text().contains("\n  ERROR b_equal: ignored\n"));
    let gone = TESTS.replace("#[test] fn b_equal", "fn b_equal");
    fs::write(mini.site.repo.join("tests/visible.rs"), gone).unwrap();
    assert!(mini.run(None).text().contains("\n  ERROR b_equal: no result"));
}

#[test]
fn a_test_can_read_neither_its_source_nor_the_copy() {
    let tests = "\
#[test] fn source() { let e = std::fs::read(file!()).unwrap_err(); assert!(false, \"{e}\"); }
#[test] fn tree() { let e = std::fs::read_dir(env!(\"CARGO_MANIFEST_DIR\")).unwrap_err(); assert!(false, \"{e}\"); }
#[test] fn time() { let f = std::fs::File::open(\"/usr\").unwrap(); let e = f.set_modified(std::time::UNIX_EPOCH).unwrap_err(); assert!(false, \"{e}\"); }
";
    assert_eq!(
        mini(tests, "").run(None).text(),
        "RED 0/3\n  FAIL source: Permission denied (os error 13)\n  FAIL time: Operation not \
         permitted (os error 1)\n  FAIL tree: Permission denied (os error 13)"
    );
}

#[test]
fn edits_within_a_second_are_never_stale() {
    let mini = mini(TESTS, "");
    let (one, two) = (CODE.to_string(), CODE.replace("{ 1 }", "{ 2 }"));
    for _ in 0..3 {
        assert!(mini.with(&two).contains("FAIL b_equal: want 1, got 2"));
        assert!(mini.with(&one).contains("PASS b_equal"));
    }
}

#[test]
fn two_suites_are_told_apart() {
    let (_keep, root) = folder();
    let site = Site::in_folder(&root, &root).unwrap();
    let test = "#[test] fn t() { assert_eq!(mini::value(), 1); }\n";
    write(
        &site.repo,
        &[
            ("Cargo.toml", MANIFEST),
            ("Cargo.lock", LOCK),
            ("src/lib.rs", CODE),
            ("tests/one.rs", test),
            ("tests/two.rs", &test.replace('1', "2")),
        ],
    );
    let config =
        Config::parse("[runner]\npackage = \"mini\"\nsuites = [\"one\", \"two\"]\n").unwrap();
    let runner = runner::new(&config.runner, &jail(), &site.repo).unwrap();
    let names = runner.list(&site).unwrap();
    assert_eq!(names, ["one::t", "two::t"]);
    assert_eq!(
        runner.run(&site, &names, None).unwrap().text(),
        "RED 1/2\n  PASS one::t\n  FAIL two::t: assertion `left == right` failed"
    );
    assert_eq!(
        runner.run(&site, &names, Some("one::t")).unwrap().text(),
        "GREEN 1/1\n  PASS one::t"
    );
}

fn command(root: &Path, more: &str, script: &str) -> (Site, Box<dyn Runner>) {
    let site = Site::in_folder(root, root).unwrap();
    write(&site.repo, &[("run.sh", script)]);
    let text = format!(
        "[runner]\nkind = \"command\"\nlist = [\"/bin/sh\", \"run.sh\", \"list\"]\n\
         run = [\"/bin/sh\", \"run.sh\", \"{{tmp}}\"]\n\
         run_only = [\"/bin/sh\", \"run.sh\", \"{{tmp}}\", \"{{only}}\"]\ntimeout_s = 2\n{more}"
    );
    let config = Config::parse(&text).unwrap();
    let runner = runner::new(&config.runner, &jail(), &site.repo).unwrap();
    (site, runner)
}

#[test]
fn any_command_can_be_a_suite() {
    let (_keep, root) = folder();
    let script = "case \"$1,$2\" in list,) echo one; echo two; echo three;; *,two) echo 'ok two';; \
                  *) echo 'ok one'; echo 'not ok two - want 1'; echo 'ok four';; esac\n";
    let more = "result = '^(?P<status>ok|not ok) (?P<name>\\w+)(?: - (?P<message>.*))?$'\n";
    let (site, runner) = command(&root, more, script);
    let names = runner.list(&site).unwrap();
    assert_eq!(names, ["one", "two", "three"]);
    let report = runner.run(&site, &names, None).unwrap();
    assert_eq!(
        report.text(),
        "RED 1/3\n  PASS one\n  FAIL two: want 1\n  ERROR three: no result (process ended early)"
    );
    assert!(report.forged, "there is no test four");
    assert_eq!(runner.run(&site, &names, Some("two")).unwrap().text(), "GREEN 1/1\n  PASS two");
    fs::write(site.repo.join("run.sh"), "sleep 60\n").unwrap();
    assert_eq!(
        runner.run(&site, &names, Some("two")).unwrap().text(),
        "RED 0/1\n  ERROR two: timeout after 2s"
    );
}

#[test]
fn results_can_come_as_junit() {
    let (_keep, root) = folder();
    let script = r#"if [ "$1" = list ]; then printf 'a\nb\nc\nd\n'; exit; fi
cat > "$1/junit.xml" <<'XML'
<testsuite><testcase classname="x" name="a" time="0"/>
<testcase name="b"><failure message="want &quot;1&quot; &amp;&#10;more">trace</failure></testcase>
<testcase name="c"><error message="no module"></error></testcase>
<testcase name="d"><skipped/></testcase></testsuite>
XML
"#;
    let (site, runner) = command(&root, "junit = \"{tmp}/junit.xml\"\n", script);
    let names = runner.list(&site).unwrap();
    assert_eq!(
        runner.run(&site, &names, None).unwrap().text(),
        "RED 1/4\n  PASS a\n  FAIL b: want \"1\" &&#10;more\n  ERROR c: no module\n  ERROR d: skipped"
    );
}
