//! The wrapper around cargo-mutants, with a stand-in for the tool.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Output;

use crate::common::{fixtures, folder, workshop};

/// Runs `strength` on the fixture with a tool that does what `script` says.
fn strength(root: &Path, arguments: &[&str], script: &str) -> (Option<i32>, String) {
    let tools = root.join("tools");
    fs::create_dir_all(&tools).unwrap();
    let tool = tools.join("cargo-mutants");
    fs::write(&tool, format!("#!/bin/sh\n{script}")).unwrap();
    fs::set_permissions(&tool, fs::Permissions::from_mode(0o755)).unwrap();
    let path = format!("{}:{}", tools.display(), std::env::var("PATH").unwrap());
    let Output { status, stdout, stderr } = workshop(&root.join("state"))
        .args(arguments)
        .env("PATH", path)
        .env("SECRET_KEY", "never")
        .current_dir(fixtures().join("dice-keep/repo"))
        .output()
        .unwrap();
    let text = [stdout, stderr].concat();
    (status.code(), String::from_utf8(text).unwrap())
}

#[test]
fn the_tool_is_run_confined_and_its_lists_are_counted() {
    let (_keep, root) = folder();
    // $3 is the copy, $5 the folder of results.
    let script = "mkdir $5/mutants.out && cd $5/mutants.out || exit 9\n\
        printf 'a\\nb\\n' > caught.txt; echo late > timeout.txt; echo broken > unviable.txt\n\
        echo \"$@\" | sed \"s|$3|COPY|; s|$5|OUT|\" > missed.txt\n\
        touch $3/src/lib.rs 2>/dev/null; echo forged > $3/src/lib.rs 2>/dev/null && echo written >> missed.txt\n\
        env | grep SECRET >> missed.txt\nexit 2\n";
    let (code, text) = strength(&root, &["strength", "--rust"], script);
    assert_eq!(
        text,
        "3 of 4 Rust mutants caught, 1 more do not compile\n  missed mutants --dir COPY \
         --output OUT --no-shuffle --colors never --package dice-keep -- --test visible\n"
    );
    assert_eq!(code, Some(0));
    let folder = fs::read_dir(root.join("state")).unwrap().next().unwrap().unwrap().path();
    let kept: serde_json::Value =
        serde_json::from_slice(&fs::read(folder.join("strength.json")).unwrap()).unwrap();
    assert_eq!(kept, serde_json::json!({"rust": [3, 4], "grammar": null}));
    let (code, text) = strength(&root, &["strength", "--grammar"], "exit 9\n");
    assert_eq!((code, text.as_str()), (Some(0), "there is no editable grammar\n"));
}

#[test]
fn a_tool_that_fails_gives_no_number() {
    let (_keep, root) = folder();
    let (code, text) = strength(&root, &["strength", "--rust"], "echo no green tree; exit 4\n");
    assert_eq!((code, text.as_str()), (Some(1), "workshop: cargo-mutants failed: no green tree\n"));
    let (code, text) = strength(&root, &["strength", "--rust"], "exit 0\n");
    assert_eq!(
        (code, text.as_str()),
        (Some(1), "workshop: cargo-mutants failed: no reason given\n")
    );
}
