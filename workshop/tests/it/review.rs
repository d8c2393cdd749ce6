//! What a person sees of a patch, and what accepting it does when something comes between.

use std::fs;

use workshop::cards::store::Store;
use workshop::judge::{Extra, judge};
use workshop::review;
use workshop::score::Score;

use crate::common::{Bench, bench, edit};

const FILE: &str = "billing/discounts.py";
const FIX: (&str, &str) =
    ("rate += LOYALTY_PER_YEAR * years", "rate += min(LOYALTY_PER_YEAR * years, LOYALTY_CAP)");

/// A session with an acceptable patch.
fn judged(edits: &[(&str, &str)]) -> Bench {
    let bench = bench("billing");
    let actions: Vec<_> = edits.iter().map(|(old, new)| edit(FILE, old, new)).collect();
    assert!(bench.act(&actions).iter().all(|seen| seen.starts_with("ok: ")));
    let verdict = judge(&bench.state, &bench.session, Extra::default()).unwrap();
    let mut score = Score::blank("s", &bench.session);
    score.take_diff(&bench.session).unwrap();
    score.judged_by(&verdict);
    score.save(&bench.session.dir).unwrap();
    assert_eq!(score.outcome, "judge: acceptable");
    bench
}

fn store(bench: &Bench) -> Store {
    Store::new(bench.session.repo.join("cards"), bench.state.dir.join("proposals.json"))
}

fn accept(bench: &Bench) -> Result<String, String> {
    let mut out = Vec::new();
    match review::accept(&bench.session, &store(bench), &mut out) {
        Ok(()) => Ok(String::from_utf8(out).unwrap()),
        Err(error) => Err(format!("{error:#}")),
    }
}

#[test]
fn no_character_of_a_patch_hides_or_turns_what_a_person_reads() {
    let trick = "rate += min(LOYALTY_PER_YEAR * years, LOYALTY_CAP)  # \u{202E}x\u{200B}\u{1b}[2J";
    let bench = judged(&[(FIX.0, trick)]);
    let mut out = Vec::new();
    review::show(&bench.session, &mut out).unwrap();
    let shown = String::from_utf8(out).unwrap();
    assert!(
        shown.contains("+    rate += min(LOYALTY_PER_YEAR * years, LOYALTY_CAP)  # \u{fffd}x\u{fffd}\u{fffd}[2J\n"),
        "{shown}"
    );
    assert!(!shown.contains(['\u{202E}', '\u{200B}', '\u{1b}']), "{shown}");
}

#[test]
fn accepting_that_was_cut_off_is_finished_by_the_next_try() {
    let bench = judged(&[FIX]);
    let repo = &bench.session.repo;
    let patched = fs::read_to_string(bench.session.site.repo.join(FILE)).unwrap();
    // As after a crash between the first file and the decision.
    fs::write(bench.session.dir.join("decision"), "accepting\n").unwrap();
    fs::write(repo.join(FILE), &patched).unwrap();
    assert_eq!(accept(&bench), Ok(format!("changed {FILE}\n")));
    assert_eq!(fs::read_to_string(repo.join(FILE)).unwrap(), patched);
    assert_eq!(accept(&bench), Err("this patch was accepted already".to_string()));
}

#[test]
fn a_repository_that_holds_the_patch_already_without_a_decision_is_another_one() {
    let bench = judged(&[FIX]);
    let patched = fs::read_to_string(bench.session.site.repo.join(FILE)).unwrap();
    fs::write(bench.session.repo.join(FILE), patched).unwrap();
    let changed = format!("the repository has changed since this session began: {FILE}");
    assert_eq!(accept(&bench), Err(changed));
}

#[test]
fn of_two_that_accept_at_once_one_does() {
    let bench = judged(&[FIX]);
    let results: Vec<_> = std::thread::scope(|scope| {
        let both: Vec<_> = (0..2)
            .map(|_| {
                let (dir, state) = (&bench.session.id, &bench.state);
                scope.spawn(move || {
                    let open = workshop::session::Session::open(
                        state,
                        dir,
                        &|_| {},
                        &crate::common::jail(),
                    );
                    let session = open.unwrap();
                    let store =
                        Store::new(session.repo.join("cards"), state.dir.join("proposals.json"));
                    let mut out = Vec::new();
                    review::accept(&session, &store, &mut out).map_err(|error| error.to_string())
                })
            })
            .collect();
        both.into_iter().map(|one| one.join().unwrap()).collect()
    });
    let refused = Err("this patch was accepted already".to_string());
    assert_eq!(results.iter().filter(|one| one.is_ok()).count(), 1, "{results:?}");
    assert!(results.contains(&refused), "{results:?}");
}

#[test]
fn the_row_of_the_scorecard_has_the_keys_of_the_format() {
    let bench = judged(&[FIX]);
    let row: serde_json::Value =
        serde_json::from_slice(&fs::read(bench.session.dir.join("score.json")).unwrap()).unwrap();
    let green = serde_json::json!({"verdict": "GREEN", "passed": 3, "total": 3});
    assert_eq!((&row["visible"], &row["judged"], &row["hidden"]), (&green, &green, &green));
    assert_eq!(row["gap"], serde_json::json!({"num": 0, "den": 1}));
    assert_eq!(row["strength"], serde_json::json!({"rust": null, "grammar": null}));
    let keys: Vec<&str> = row.as_object().unwrap().keys().map(String::as_str).collect();
    for key in "run task visible hidden gap diff_lines red_runs steps model_calls tokens_in \
                tokens_out outcome flags strength sandbox"
        .split_whitespace()
    {
        assert!(keys.contains(&key), "{key}");
    }
}
