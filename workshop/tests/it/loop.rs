//! The loop and its budgets, with a scripted model.

use workshop::agent::{self, Fixed};
use workshop::config::Budget;
use workshop::journal;
use workshop::model::script::Script;
use workshop::tools::Action;

use crate::common::{Bench, action, bench, edit};

const FILE: &str = "billing/discounts.py";

fn run_with(budget: &Budget, replies: Vec<String>) -> (Bench, Script, Fixed) {
    let bench = bench("billing");
    let mut model = Script::replies(replies);
    let fixed = agent::fix(&bench.session, &mut model, "script", budget, &mut |_| {}).unwrap();
    (bench, model, fixed)
}

fn run(actions: &[Action]) -> (Bench, Script, Fixed) {
    let replies = actions.iter().map(|one| serde_json::to_string(one).unwrap()).collect();
    run_with(&Budget::default(), replies)
}

fn tests(only: &str) -> Action {
    action("run_tests", &[("only", only)])
}

fn fix() -> Action {
    edit(
        FILE,
        "rate += LOYALTY_PER_YEAR * years",
        "rate += min(LOYALTY_PER_YEAR * years, LOYALTY_CAP)",
    )
}

#[test]
fn only_a_whole_green_run_is_success() {
    let (bench, model, fixed) = run(&[
        tests(""),
        fix(),
        tests("test_loyalty_cap"),
        tests("test_nowhere"),
        action("grep", &[("pattern", "CAP")]),
        tests(""),
    ]);
    assert_eq!(fixed.text, "green after 6 steps, 1 red runs");
    assert_eq!((fixed.green, fixed.steps, fixed.red_runs, fixed.model_calls), (true, 6, 1, 6));
    assert_eq!(model.left(), 0);
    let (head, steps) = journal::read(&bench.session.dir.join("journal.jsonl")).unwrap();
    assert_eq!(head.task, "Repair the rule.");
    assert_eq!((head.model.as_str(), head.sandbox.as_str()), ("script", "native"));
    let seen: Vec<&str> =
        steps.iter().map(|step| step.observation.lines().next().unwrap()).collect();
    assert_eq!(
        seen,
        [
            "RED 2/3",
            "ok: patched billing/discounts.py",
            "GREEN 1/1",
            "error: no test named test_nowhere",
            "billing/discounts.py:8: LOYALTY_CAP = 7.5",
            "GREEN 3/3",
        ]
    );
}

#[test]
fn the_third_red_run_escalates_with_the_diff_and_the_runs() {
    let (_bench, model, fixed) = run(&[
        tests(""),
        edit(FILE, "LOYALTY_CAP = 7.5", "LOYALTY_CAP = 7.0"),
        tests("test_loyalty_cap"),
        tests(""),
        fix(),
    ]);
    assert_eq!(model.left(), 1, "nothing is asked after the third red run");
    assert!(!fixed.green);
    assert_eq!(
        fixed.text,
        "escalate: 3 red runs, diff on the table (2 lines)\n\
         --- a/billing/discounts.py\n+++ b/billing/discounts.py\n@@ -5,7 +5,7 @@\n \n \
         BASE_RATE = {\"basic\": 0.0, \"pro\": 10.0, \"enterprise\": 15.0}\n \
         LOYALTY_PER_YEAR = 2.5\n-LOYALTY_CAP = 7.5\n+LOYALTY_CAP = 7.0\n \n \n \
         def order_discount(order_id: int, plan: str, years: int, total: float) -> float:\n\
         step 1: run_tests(only='')\nRED 2/3\n  PASS test_basic_no_discount\n  \
         PASS test_pro_first_year\n  FAIL test_loyalty_cap: want 17.5, got 22.5\n\
         step 3: run_tests(only='test_loyalty_cap')\nRED 0/1\n  \
         FAIL test_loyalty_cap: want 17.5, got 22.5\n\
         step 4: run_tests(only='')\nRED 2/3\n  PASS test_basic_no_discount\n  \
         PASS test_pro_first_year\n  FAIL test_loyalty_cap: want 17.5, got 22.5\n"
    );
}

#[test]
fn a_suite_that_does_not_load_is_a_red_run() {
    let budget = Budget { max_red: 1, ..Budget::default() };
    let replies = [edit(FILE, "def order_discount", "def order_discount("), tests("")];
    let replies = replies.iter().map(|one| serde_json::to_string(one).unwrap()).collect();
    let (_bench, _, fixed) = run_with(&budget, replies);
    assert!(fixed.text.starts_with("escalate: 1 red runs, diff on the table (2 lines)\n"));
    assert!(fixed.text.contains("\nRED 0/0 suite failed to load: "), "{}", fixed.text);
}

#[test]
fn twelve_steps_are_the_end() {
    let looking = vec![action("grep", &[("pattern", "x")]); 20];
    let (_bench, model, fixed) = run(&looking);
    assert_eq!(fixed.text, "escalate: step budget exhausted, diff on the table (0 lines)\n");
    assert_eq!((fixed.steps, model.requests().len()), (12, 12));
}

#[test]
fn time_runs_out_as_well() {
    let budget = Budget { wall_s: 0, ..Budget::default() };
    let (_bench, model, fixed) = run_with(&budget, Vec::new());
    assert_eq!(fixed.text, "escalate: time budget exhausted, diff on the table (0 lines)\n");
    assert_eq!(model.requests().len(), 0);
}

#[test]
fn an_unreadable_answer_is_sent_back_twice() {
    let good = serde_json::to_string(&tests("")).unwrap();
    let fenced = format!("Here it is:\n```json\n{good}\n```");
    let long = "x".repeat(3000);
    let replies = vec![
        long.clone(),
        r#"{"hypothesis":"h","tool":"run_tests","args":{"shell":"ls"}}"#.to_string(),
        fenced,
        "no".to_string(),
        "no".to_string(),
        "no".to_string(),
        good,
    ];
    let (_bench, model, fixed) = run_with(&Budget::default(), replies);
    assert_eq!(
        fixed.text.lines().next(),
        Some("escalate: unreadable answers, diff on the table (0 lines)")
    );
    assert_eq!((fixed.steps, model.left()), (6, 1), "each try costs a step");
    let second = &model.requests()[1].message;
    assert!(second.contains(&format!("Your last answer was:\n{}\n", "x".repeat(2000))));
    assert!(!second.contains(&"x".repeat(2001)));
    assert!(model.requests()[2].message.contains("unknown field `shell`"));
    assert!(
        !model.requests()[3].message.contains("Your last answer"),
        "a good answer ends the repair"
    );
}

#[test]
fn prompts_hold_the_task_the_policy_and_what_was_read() {
    let (_bench, model, _) = run(&[
        action("read_file", &[("path", FILE)]),
        action(
            "edit_file",
            &[("path", "tests/test_discounts.py"), ("old", "17.5"), ("new", "22.5")],
        ),
        fix(),
        tests(""),
    ]);
    for request in model.requests() {
        assert!(request.message.starts_with("Task: Repair the rule.\n"));
        assert!(request.system.contains("tests cannot be edited; editable is ['billing/']"));
        assert!(request.schema.is_some());
        assert_eq!((request.max_tokens, request.tools, &request.cwd), (700, false, &None));
    }
    assert!(model.requests()[0].message.ends_with("History:\n(empty)"));
    let last = &model.requests()[3].message;
    assert!(last.contains("    rate += LOYALTY_PER_YEAR * years\n"), "the whole file: {last}");
    assert!(last.contains("2. edit_file(path='tests/test_discounts.py', old='17.5', new='22.5') [because]\ndenied by policy: "));
}

#[test]
fn old_observations_shrink_to_their_first_line() {
    let read = || action("read_file", &[("path", FILE)]);
    let mut actions = vec![read()];
    actions.extend(vec![action("grep", &[("pattern", ".")]); 9]);
    let (_bench, model, _) =
        run(&actions.iter().cloned().chain([tests(""), fix(), tests("")]).collect::<Vec<_>>());
    let message = &model.requests()[11].message;
    assert!(message.chars().count() < 12_000 + 3_000, "{}", message.chars().count());
    assert!(message.contains("\n1. read_file(") || message.contains("1. read_file("));
}

#[test]
fn an_answer_is_found_behind_sentences_with_braces() {
    let good = serde_json::to_string(&tests("")).unwrap();
    let wordy = format!("In `match kind {{ … }}` of {{\"file\": 1}} I see it: {good} Done {{.");
    let (_bench, _, fixed) = run_with(&Budget { max_red: 1, ..Budget::default() }, vec![wordy]);
    assert!(fixed.text.starts_with("escalate: 1 red runs, "), "{}", fixed.text);
}

#[test]
fn nothing_a_model_says_makes_prompts_grow_without_end() {
    let huge = "x\"é".repeat(500_000);
    let (_bench, model, fixed) = run(&[
        action("read_file", &[("path", &huge)]),
        action("grep", &[("pattern", &huge)]),
        action("run_tests", &[("only", &huge)]),
        action("edit_file", &[("path", &huge), ("old", &huge), ("new", &huge)]),
        Action { hypothesis: huge.clone(), ..action(&huge, &[]) },
        action("grep", &[("pattern", "CAP")]),
        tests(""),
        fix(),
        tests(""),
    ]);
    assert_eq!(fixed.text, "green after 9 steps, 1 red runs");
    let longest = model.requests().iter().map(|one| one.message.chars().count()).max().unwrap();
    assert!(longest < 40_000, "{longest}");
    let last = &model.requests()[8].message;
    assert!(last.contains("\nbilling/discounts.py:8: LOYALTY_CAP = 7.5\n"), "{last}");
}

#[test]
fn hostile_answers_end_as_unreadable_in_no_time() {
    let start = std::time::Instant::now();
    for answer in [
        "{".repeat(1_000_000),
        "{\"a\":".repeat(500_000),
        format!("{{\"hypothesis\": \"{}", "{\\\"".repeat(500_000)),
        "[[".repeat(500_000),
        "\0\u{202e}{\"tool\": null}".to_string(),
        r#"{"hypothesis":"h","tool":["run_tests"],"args":{}}"#.to_string(),
        r#"{"hypothesis":"h","tool":"run_tests","args":{},"args":{}}"#.to_string(),
        r#"{"hypothesis":"h","tool":"run_tests","args":null}"#.to_string(),
    ] {
        let (_bench, _, fixed) = run_with(&Budget::default(), vec![answer; 3]);
        assert!(fixed.text.starts_with("escalate: unreadable answers, "), "{}", fixed.text);
    }
    assert!(start.elapsed() < std::time::Duration::from_secs(60), "{:?}", start.elapsed());
}
