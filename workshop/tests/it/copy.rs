//! Copy and state.

use std::fs;
use std::os::unix::fs::{MetadataExt, symlink};

use workshop::config;
use workshop::copy::{copy_checked, copy_tree, hash_tree, sha256};
use workshop::journal::{self, Head, Journal, Step};
use workshop::state::State;
use workshop::tools::Args;

use crate::common::{folder, tree, write};

#[test]
fn the_copy_leaves_out_history_output_links_and_hidden_cases() {
    let (_keep, root) = folder();
    let repo = root.join("repo");
    write(
        &repo,
        &[
            ("src/lib.rs", "lib"),
            ("src/target/mod.rs", "a module called target"),
            (".git/HEAD", "ref"),
            (".workshop-notes", "notes"),
            ("Cargo.toml", "[package]"),
            ("target/debug/x", "output"),
            ("hidden/cases.jsonl", "secret"),
            ("mutants.out/log", "log"),
        ],
    );
    write(&root, &[("outside", "outside")]);
    fs::hard_link(root.join("outside"), repo.join("src/hard.rs")).unwrap();
    symlink("../../outside", repo.join("src/escape")).unwrap();
    symlink("/etc/passwd", repo.join("absolute")).unwrap();
    symlink("lib.rs", repo.join("src/inside")).unwrap();
    let rules = config::Copy { ignore: vec!["mutants.out*".into()] };
    let copy = root.join("copy");
    let copied = copy_tree(&repo, &copy, &rules, Some(&repo.join("hidden"))).unwrap();
    assert_eq!(
        copied.files.keys().collect::<Vec<_>>(),
        ["Cargo.toml", "src/hard.rs", "src/inside", "src/lib.rs", "src/target/mod.rs"]
    );
    assert_eq!(copied.skipped, ["absolute", "src/escape"]);
    assert_eq!(copied.files["src/lib.rs"], sha256(b"lib"));
    assert_eq!(hash_tree(&copy).unwrap(), copied.files);
    assert_eq!(fs::metadata(copy.join("src/hard.rs")).unwrap().nlink(), 1);
    assert_eq!(fs::read_link(copy.join("src/inside")).unwrap().to_str(), Some("lib.rs"));
}

#[test]
fn a_link_to_a_folder_is_not_followed() {
    let (_keep, root) = folder();
    write(&root, &[("repo/a/x", "x"), ("elsewhere/secret", "secret")]);
    symlink("../../elsewhere", root.join("repo/a/door")).unwrap();
    symlink("../a", root.join("repo/a/round")).unwrap();
    // By its words this one stays inside; the link before it makes it leave.
    fs::create_dir(root.join("repo/b")).unwrap();
    symlink("..", root.join("repo/b/up")).unwrap();
    symlink("up/../elsewhere", root.join("repo/b/chain")).unwrap();
    let copied =
        copy_tree(&root.join("repo"), &root.join("copy"), &config::Copy::default(), None).unwrap();
    assert_eq!(copied.files.keys().collect::<Vec<_>>(), ["a/round", "a/x", "b/up"]);
    assert_eq!(copied.skipped, ["a/door", "b/chain"]);
}

#[test]
fn a_base_that_was_touched_is_refused() {
    let (_keep, root) = folder();
    write(&root, &[("base/src/lib.rs", "one")]);
    let files = hash_tree(&root.join("base")).unwrap();
    copy_checked(&root.join("base"), &root.join("first"), &files).unwrap();
    assert_eq!(tree(&root.join("first")), tree(&root.join("base")));
    write(&root, &[("base/src/more.rs", "more")]);
    let error = copy_checked(&root.join("base"), &root.join("second"), &files).unwrap_err();
    assert_eq!(error.to_string(), "the base of this session was changed after it was copied");
}

#[test]
fn the_state_lies_outside_and_sessions_are_numbered() {
    let (_keep, root) = folder();
    write(&root, &[("repo/x", "x")]);
    let repo = root.join("repo");
    let state = State::below(&root.join("state"), &repo).unwrap();
    let again = State::below(&root.join("state"), &repo.join("../repo")).unwrap();
    assert_eq!(state, again);
    assert_eq!(state.new_session().unwrap(), "s001");
    assert_eq!(state.new_session().unwrap(), "s002");
    assert_eq!(state.session_ids().unwrap(), ["s001", "s002"]);
    for wrong in ["s003", "../sessions/s001", "", ".."] {
        assert_eq!(state.session(wrong).unwrap_err().to_string(), format!("no session {wrong}"));
    }
    let inside = State::below(&repo.join("state"), &repo).unwrap_err();
    assert_eq!(
        inside.to_string(),
        "the workshop's files would lie inside the repository; set WORKSHOP_STATE"
    );
}

#[test]
fn a_journal_whose_last_line_was_cut_off_goes_on_without_it() {
    let (_keep, root) = folder();
    let path = root.join("journal.jsonl");
    let word = |text: &str| text.to_string();
    let head = Head {
        task: word("t"),
        policy: vec![],
        base: word("b"),
        model: word("hand"),
        sandbox: word("native"),
    };
    let step = |n| Step {
        n,
        hypothesis: word("h"),
        tool: word("run_tests"),
        args: Args::default(),
        observation: word("GREEN 1/1"),
        ms: 0,
        tokens_in: 0,
        tokens_out: 0,
    };
    Journal::open(&path, &head).unwrap().step(&step(1)).unwrap();
    let whole = fs::read_to_string(&path).unwrap();
    fs::write(&path, format!("{whole}{{\"n\":2,\"hypo")).unwrap();
    assert_eq!(journal::read(&path).unwrap(), (head.clone(), vec![step(1)]));
    Journal::open(&path, &head).unwrap().step(&step(2)).unwrap();
    assert_eq!(journal::read(&path).unwrap(), (head.clone(), vec![step(1), step(2)]));
    // Cut off before its first line was whole: nothing had happened yet.
    fs::write(&path, "{\"task\":\"t").unwrap();
    Journal::open(&path, &head).unwrap().step(&step(1)).unwrap();
    assert_eq!(journal::read(&path).unwrap(), (head, vec![step(1)]));
}
