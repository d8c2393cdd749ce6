//! The canonical runs: the numbers of the lesson, twice, in any order, at the same time.

use std::collections::BTreeMap;

use workshop::replay::{find, play};

use crate::common::{fixtures, folder, jail, workshop};

/// Run, visible, hidden, lines of the diff, whether acceptable.
const NUMBERS: &[(&str, &str, &str, usize, bool)] = &[
    ("billing/1", "GREEN 3/3", "GREEN 3/3", 2, true),
    ("billing/2", "RED 2/3", "RED 1/3", 0, false),
    ("billing/3", "GREEN 3/3", "RED 1/3", 2, false),
    ("billing/4", "GREEN 3/3", "RED 1/3", 2, false),
    ("billing/5", "RED 1/3", "RED 2/3", 2, false),
    ("dice-keep/1", "GREEN 3/3", "GREEN 3/3", 2, true),
    ("dice-keep/2", "RED 2/3", "RED 1/3", 0, false),
    ("dice-keep/3", "GREEN 3/3", "RED 1/3", 2, false),
    ("dice-keep/4", "GREEN 3/3", "RED 1/3", 2, false),
    ("dice-keep/5", "RED 1/3", "RED 2/3", 2, false),
    ("dice-keep/6", "RED 2/3", "RED 1/3", 0, false),
    ("dice-keep/7", "GREEN 3/3", "RED 1/3", 2, false),
    ("dice-keep/7b", "RED 1/3", "RED 1/3", 2, false),
    ("dice-keep/8", "GREEN 3/3", "RED 1/3", 11, false),
    ("dice-keep/9", "GREEN 3/3", "RED 1/3", 10, false),
    ("dice-keep/10", "GREEN 3/3", "RED 1/3", 2, false),
    ("dice-keep/11", "RED 2/3", "RED 1/3", 0, false),
    ("dice-keep/11b", "RED 0/0", "RED 1/3", 3, false),
    ("dice-keep/12", "RED 2/3", "RED 1/3", 24, false),
    ("dice-keep/13", "RED 2/3", "GREEN 3/3", 2, false),
];

/// Plays what `wanted` names and expects the logs of `fixtures`.
fn replay(wanted: &str, names: &[&str], runs: usize) {
    let (_keep, root) = folder();
    let output = workshop(&root).args(["replay", wanted]).current_dir(&root).output().unwrap();
    let stdout = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(0), "{stdout}");
    let mut expected = String::new();
    for fixture in names {
        expected += &format!("# {fixture}\n\n");
        for run in find(&fixtures(), fixture).unwrap() {
            expected += &format!("{}\n", run.expected().unwrap());
        }
    }
    expected += &format!("{runs} runs, 0 different from the expected log\n");
    assert_eq!(stdout, expected);
}

#[test]
fn replaying_a_fixture_prints_the_expected_logs() {
    replay("dice-keep", &["dice-keep"], 15);
    replay("billing", &["billing"], 5);
}

#[test]
#[ignore = "builds the dice crate about a dozen times, two minutes in all; .ci/run runs it"]
fn replay_all_includes_the_repository_itself() {
    replay("all", &["billing", "dice-keep", "dice-language"], 23);
    let numbers = [("14a", 3, 3, 13, true), ("14b", 5, 5, 14, true), ("14c", 5, 5, 16, false)];
    for (run, visible, hidden, lines, acceptable) in numbers {
        let log = find(&fixtures(), run).unwrap().remove(0).expected().unwrap();
        let row = format!(
            "] visible: GREEN {visible}/{visible} | hidden: GREEN {hidden}/{hidden} | diff: {lines} lines\n"
        );
        assert!(log.contains(&row), "{log}");
        assert_eq!(log.ends_with("\njudge: acceptable\n"), acceptable, "{log}");
    }
}

#[test]
fn the_numbers_hold_in_reverse_order_and_in_parallel() {
    let mut runs = find(&fixtures(), "all").unwrap();
    runs.retain(|run| NUMBERS.iter().any(|row| row.0 == run.id()));
    runs.reverse();
    let halves: Vec<Vec<_>> =
        (0..2).map(|half| runs.iter().skip(half).step_by(2).cloned().collect()).collect();
    let mut found = BTreeMap::new();
    std::thread::scope(|scope| {
        let threads: Vec<_> = halves
            .iter()
            .map(|half| {
                scope.spawn(move || {
                    let played = half.iter().map(|run| {
                        let (_keep, root) = folder();
                        let played = play(run, &root, &jail()).unwrap();
                        assert_eq!(Some(played.log), run.expected(), "{}", run.id());
                        (run.id(), played.score)
                    });
                    played.collect::<Vec<_>>()
                })
            })
            .collect();
        for thread in threads {
            found.extend(thread.join().unwrap());
        }
    });
    assert_eq!(found.len(), NUMBERS.len());
    for (id, visible, hidden, lines, acceptable) in NUMBERS {
        let score = &found[*id];
        let got = (score.visible.text(), score.hidden.text(), score.diff_lines, score.acceptable);
        assert_eq!(got, (visible.to_string(), hidden.to_string(), *lines, *acceptable), "{id}");
    }
    let gaps: Vec<String> = (1..=5).map(|n| found[&format!("dice-keep/{n}")].gap.text()).collect();
    assert_eq!(gaps, ["0", "+1/3", "+2/3", "+2/3", "-1/3"]);
}

#[test]
fn an_unknown_run_is_an_error_of_use() {
    let (_keep, root) = folder();
    let output = workshop(&root).args(["replay", "99"]).current_dir(&root).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(text.starts_with("workshop: no run 99 in "), "{text}");
}
