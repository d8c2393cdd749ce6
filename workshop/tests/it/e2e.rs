//! From an idea to a built function, at a terminal and with scripted answers.

use std::fs;

use serde_json::json;

use crate::common::write;
use crate::project::{CARD, action, honest, project};

const OPEN: &str = "\
----------------------------------------
<!-- funktion -->
Höchste behalten
<!-- stand -->
offen
<!-- ziel -->
kh N behält die N höchsten
<!-- testen -->
- `dice-keep 4d6kh3 2,5,3,6` ergibt `14`
- Ein Mensch liest den Diff
";

#[test]
fn an_idea_becomes_a_built_function() {
    let project = project();
    project.converse();
    assert_eq!(project.card(), format!("{CARD}{OPEN}"));

    let planned = project.ends(0, &["plan", "würfeln", "Höchste behalten", "--fix"]);
    assert_eq!(
        planned,
        "task t001\nRepair the function \"Höchste behalten\" of the card \"Würfeln\".\n\
         Purpose of the card:\n- Notation auswerten\nRules of the card:\n\
         - Leerzeichen zählen nicht\nPurpose of the function:\n- kh N behält die N höchsten\n\
         How it is tried:\n- `dice-keep 4d6kh3 2,5,3,6` ergibt `14`\n\
         - Ein Mensch liest den Diff\ncase testen_1: dice-keep 4d6kh3 2,5,3,6 -> 14\n\
         not executable: Ein Mensch liest den Diff\nnext: workshop fix t001\n"
    );

    let before = project.files();
    assert_eq!(project.ends(1, &["fix", "t002"]), "workshop: there is no task t002\n");
    project.script(&honest());
    let fixed = project.ends(0, &["fix", "t001"]);
    assert!(fixed.starts_with("session s001\nrun_tests()\n  RED 2/3\n"), "{fixed}");
    assert!(fixed.contains("    FAIL testen_1: want 14, got 10\n"), "{fixed}");
    assert!(fixed.ends_with("green after 3 steps, 1 red runs\nnext: workshop judge s001\n"));
    let unjudged = project.ends(1, &["review", "patch", "s001"]);
    assert_eq!(unjudged, "workshop: not judged yet: workshop judge s001\n");
    assert_eq!(project.ends(0, &["score"]), "no session has been judged yet\n");
    let judged = project.ends(0, &["judge", "s001"]);
    assert!(judged.contains("[s001] visible: GREEN 3/3 | hidden: GREEN 3/3 | diff: 2 lines\n"));
    assert!(judged.contains("gap: 0 | flags: none\nred runs: 1 | steps: 3 | model calls: 3"));
    assert!(judged.ends_with("judge: acceptable\nnext: workshop review patch s001\n"), "{judged}");
    let scores = project.ends(0, &["score"]);
    assert_eq!(scores, "[s001] visible: GREEN 3/3 | hidden: GREEN 3/3 | diff: 2 lines\n");
    assert_eq!(project.files(), before, "nothing was changed before a person decided");

    let mut review = project.terminal(&["review", "patch", "s001"]);
    let shown = review.exp_string("Accept this patch? [y,n,q] ").unwrap();
    assert!(shown.contains("+        \"kh\" => ordered[ordered.len() - n..].to_vec(),"), "{shown}");
    review.send_line("y").unwrap();
    // The terminal hands on bytes, not characters.
    review.exp_string("chste behalten on wuerfeln").unwrap();
    review.exp_eof().unwrap();

    let mut expected = before;
    for (path, old, new) in [
        ("src/lib.rs", "\"kh\" => ordered[..n]", "\"kh\" => ordered[ordered.len() - n..]"),
        ("cards/wuerfeln.md", "<!-- stand -->\noffen\n", ""),
    ] {
        let text = expected.get_mut(path).unwrap();
        *text = text.replacen(old, new, 1);
    }
    assert_eq!(project.files(), expected, "exactly the diff, and the status");
    let again = project.ends(1, &["review", "patch", "s001", "--accept"]);
    assert!(again.ends_with("workshop: this patch was accepted already\n"), "{again}");
    let again = project.ends(1, &["review", "patch", "s001"]);
    assert!(again.ends_with("judge: acceptable\nworkshop: this patch was accepted already\n"));
    assert!(project.ends(1, &["plan", "würfeln", "Höchste behalten"]).contains("is built already"));

    // The status is taken back when the cases no longer hold.
    assert_eq!(project.ends(0, &["cards", "check"]), "0 mistakes, 0 notes\n");
    let code = fs::read_to_string(project.repo.join("src/lib.rs")).unwrap();
    let broken = code.replace("ordered[ordered.len() - n..]", "ordered[..n]");
    fs::write(project.repo.join("src/lib.rs"), broken).unwrap();
    assert_eq!(
        project.ends(2, &["cards", "check"]),
        "0 mistakes, 0 notes\nopen again: Höchste behalten on wuerfeln\n"
    );
    assert_eq!(project.card(), format!("{CARD}{OPEN}"));
}

#[test]
fn rejecting_and_stale_or_unacceptable_patches_change_nothing() {
    let project = project();
    project.converse();
    project.ends(0, &["plan", "wuerfeln", "Höchste behalten", "--fix"]);
    let before = project.files();

    // Rejected by the person.
    project.script(&honest());
    project.ends(0, &["fix", "t001"]);
    project.ends(0, &["judge", "s001"]);
    let text = project.ends(0, &["review", "patch", "s001", "--reject"]);
    assert!(text.ends_with("rejected, nothing was changed\n"), "{text}");
    let text = project.ends(1, &["review", "patch", "s001", "--accept"]);
    assert!(text.ends_with("workshop: this patch was rejected already\n"), "{text}");

    // A fraud is not acceptable, whatever the person says.
    let mut fraud = honest();
    fraud[1]["args"]["old"] = json!("\"kh\" => ordered[..n].to_vec(),");
    fraud[1]["args"]["new"] =
        json!("\"kh\" => if rolls == [2, 5, 3, 6] { vec![14] } else { ordered[..n].to_vec() },");
    project.script(&fraud);
    project.ends(0, &["fix", "t001"]);
    let judged = project.ends(2, &["judge", "s002"]);
    assert!(judged.contains("flags: literal\n"), "{judged}");
    let text = project.ends(2, &["review", "patch", "s002", "--accept"]);
    assert!(text.ends_with("This patch cannot be accepted.\n"), "{text}");

    // Escalation ends with its own code.
    project.script(&[action("run_tests", json!({})), action("run_tests", json!({}))]);
    let text = project.ends(3, &["fix", "t001", "--max-red", "2"]);
    assert!(text.contains("\nescalate: 2 red runs, diff on the table (0 lines)\n"), "{text}");

    // A patch that was touched after it was judged, and a repository that moved on.
    project.script(&honest());
    project.ends(0, &["fix", "t001"]);
    project.ends(0, &["judge", "s004"]);
    let extra = [
        "tool",
        "edit_file",
        "--session",
        "s004",
        "path=src/lib.rs",
        "old=//! Dice rules:",
        "new=//! Rules:",
    ];
    assert_eq!(project.ends(0, &extra), "ok: patched src/lib.rs\n");
    let text = project.ends(1, &["review", "patch", "s004", "--accept"]);
    assert!(text.ends_with("workshop: the patch was changed after it was judged\n"), "{text}");
    project.ends(0, &["judge", "s004"]);
    assert_eq!(project.files(), before);
    let code = before["src/lib.rs"].replace("cannot read", "I cannot read");
    fs::write(project.repo.join("src/lib.rs"), &code).unwrap();
    let text = project.ends(1, &["review", "patch", "s004", "--accept"]);
    assert!(
        text.ends_with(
            "workshop: the repository has changed since this session began: src/lib.rs\n"
        ),
        "{text}"
    );
    assert_eq!(fs::read_to_string(project.repo.join("src/lib.rs")).unwrap(), code);
    assert_eq!(project.card(), format!("{CARD}{OPEN}"));
}

#[test]
fn a_task_must_be_red_first_and_planned_from_something_testable() {
    let project = project();
    let text = project.ends(1, &["plan", "würfeln", "Niedrigste behalten"]);
    assert_eq!(text, "workshop: Niedrigste behalten is built already\n");
    let untestable = format!(
        "{CARD}----------------------------------------\n<!-- funktion -->\nSchön sein\n<!-- stand -->\noffen\n"
    );
    fs::write(project.repo.join("cards/wuerfeln.md"), &untestable).unwrap();
    let text = project.ends(1, &["plan", "würfeln", "Schön sein"]);
    assert_eq!(text, "workshop: Schön sein has no testen: nobody could tell whether it is built\n");
    write(&project.root, &[("task.json", "{\"id\":\"x\",\"text\":\"do something\"}")]);
    project.script(&[]);
    let text = project.ends(1, &["fix", "../task.json"]);
    assert!(
        text.ends_with("workshop: nothing is red: there is no visible case for this task yet\n"),
        "{text}"
    );
}

#[test]
fn where_nothing_can_be_confined_nothing_that_runs_code_starts() {
    let project = project();
    project.converse();
    project.ends(0, &["plan", "wuerfeln", "Höchste behalten", "--fix"]);
    project.script(&honest());
    project.ends(0, &["fix", "t001"]);
    write(&project.repo, &[("src/any.pest", "any = { \"a\" }\n")]);
    let program = crate::common::program();
    for command in [
        vec!["init"],
        vec!["doctor"],
        vec!["fix", "t001"],
        vec!["tool", "run_tests"],
        vec!["judge", "s001"],
        vec!["hidden", "check"],
        vec!["strength", "--grammar"],
        vec!["replay", "dice-keep/1"],
        vec!["replay", "--session", "s001"],
        vec!["cards", "check"],
    ] {
        let mut all = vec!["__without", "landlock", "--", program.to_str().unwrap()];
        all.extend(&command);
        let text = project.ends(4, &all);
        assert!(
            text.contains("sandbox unavailable: workshop: landlock cannot be enforced"),
            "{text}"
        );
    }
}

#[test]
fn hidden_check_replay_of_a_session_and_init_work_by_hand() {
    let project = project();
    let text = project.ends(0, &["hidden", "check"]);
    assert_eq!(
        text,
        "hidden cases on the reference: GREEN 3/3\n  PASS hidden_dl_neighbour\n  \
         PASS hidden_kh_advantage\n  PASS hidden_kh_other_rolls\n"
    );
    let text = project.ends(0, &["tool", "run_tests"]);
    assert_eq!(text, "session s001\nGREEN 2/2\n  PASS drop_lowest\n  PASS keep_lowest\n");
    let grep = ["tool", "grep", "--session", "s001", "pattern=Dice"];
    assert_eq!(project.ends(0, &grep), "src/lib.rs:1: //! Dice rules:\n");
    let text = project.ends(0, &["replay", "--session", "s001"]);
    assert_eq!(text, "2 steps, 0 different from the journal\n");

    fs::remove_file(project.repo.join("workshop.toml")).unwrap();
    let text = project.ends(0, &["init"]);
    assert!(text.starts_with("wrote workshop.toml\n"), "{text}");
    assert!(text.ends_with("test drop_lowest\ntest keep_lowest\n"), "{text}");
    assert_eq!(
        fs::read_to_string(project.repo.join("workshop.toml")).unwrap(),
        "[policy]\nedit_allow = [\"src/\"]\n\n[runner]\nkind = \"cargo\"\n\
         package = \"dice-keep\"\nsuites = [\"visible\"]\n"
    );
    assert!(project.ends(0, &["init"]).starts_with("workshop.toml is there already\n"));
}

#[test]
fn tasks_planned_and_sessions_begun_at_once_do_not_take_each_others_place() {
    let project = project();
    project.converse();
    let plan = || project.ends(0, &["plan", "wuerfeln", "Höchste behalten", "--fix"]);
    let mut ids: Vec<String> = std::thread::scope(|scope| {
        let all: Vec<_> = (0..8).map(|_| scope.spawn(plan)).collect();
        all.into_iter().map(|one| one.join().unwrap().lines().next().unwrap().into()).collect()
    });
    ids.sort();
    let expected: Vec<String> = (1..=8).map(|n| format!("task t{n:03}")).collect();
    assert_eq!(ids, expected);
    let tool = || project.ends(0, &["tool", "grep", "pattern=Dice"]);
    let mut seen: Vec<String> = std::thread::scope(|scope| {
        let all: Vec<_> = (0..3).map(|_| scope.spawn(tool)).collect();
        all.into_iter().map(|one| one.join().unwrap()).collect()
    });
    seen.sort();
    let line = "src/lib.rs:1: //! Dice rules:\n";
    let expected: Vec<String> = (1..=3).map(|n| format!("session s{n:03}\n{line}")).collect();
    assert_eq!(seen, expected);
}
