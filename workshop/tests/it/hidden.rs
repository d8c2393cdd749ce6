//! Hidden cases stay hidden: their names and values are nowhere an agent or its code could
//! find them.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use workshop::agent;
use workshop::config;
use workshop::judge::{Extra, cases, judge};
use workshop::model::script::Script;
use workshop::sandbox::Jail;
use workshop::session::Task;

use crate::common::{action, bench_with, edit, fixtures, folder, program, tree};

#[test]
fn hidden_names_and_values_reach_no_file_prompt_or_process_of_the_agent() {
    let (_keep, root) = folder();
    // A helper that notes every order it hands on to the real one.
    let orders = root.join("orders");
    let helper = root.join("helper");
    let text = format!(
        "#!/bin/bash\nIFS= read -r line\nprintf '%s\\n' \"$line\" >> {}\n\
         exec {} \"$@\" < <(printf '%s\\n' \"$line\"; exec tail --pid=$$ -f /dev/null)\n",
        orders.display(),
        program().display()
    );
    fs::write(&helper, text).unwrap();
    fs::set_permissions(&helper, fs::Permissions::from_mode(0o755)).unwrap();
    let jail = Jail::new(&config::Sandbox::default(), &helper, false).unwrap();

    let fixture = fixtures().join("dice-keep");
    let hidden = fixture.join("hidden");
    let task = Task { id: "t".into(), text: "Repair kh.".into(), ..Task::default() };
    let bench = bench_with(&fixture.join("repo"), &hidden, task, &jail);
    let actions = [
        action("run_tests", &[]),
        action("grep", &[("pattern", "hidden|advantage")]),
        action("read_file", &[("path", "src/lib.rs")]),
        edit("src/lib.rs", "\"kh\" => ordered[..n]", "\"kh\" => ordered[ordered.len() - n..]"),
        action("run_tests", &[]),
    ];
    let mut model =
        Script::replies(actions.iter().map(|action| serde_json::to_string(action).unwrap()));
    let budget = &bench.session.config.budget;
    let fixed = agent::fix(&bench.session, &mut model, "script", budget, &mut |_| {}).unwrap();
    assert_eq!(fixed.text, "green after 5 steps, 1 red runs");
    let verdict = judge(&bench.state, &bench.session, Extra::default()).unwrap();
    assert!(verdict.acceptable());

    let cases = cases::read(&hidden).unwrap();
    assert_eq!(cases.len(), 3);
    let files = tree(&bench.session.dir);
    assert!(files.contains_key("journal.jsonl") && files.contains_key("base.json"));
    let prompts: Vec<String> =
        model.requests().iter().map(|request| format!("{request:?}")).collect();
    assert_eq!(prompts.len(), 5);
    let orders = fs::read_to_string(&orders).unwrap();
    assert!(orders.lines().count() > 15, "every process is an order");
    for case in &cases {
        let input = case.stdin.trim_end();
        let output = case.want.stdout.trim_end();
        for secret in [case.name.as_str(), input, output] {
            for (path, text) in &files {
                assert!(!text.contains(secret), "{secret} is in {path}");
            }
            for prompt in &prompts {
                assert!(!prompt.contains(secret), "{secret} is in a prompt");
            }
        }
        // A probe gets the input, on standard input alone; nothing gets name or answer.
        assert!(!orders.contains(case.name.as_str()));
        assert!(!orders.contains(output));
        let mut given = 0;
        for line in orders.lines() {
            let order: serde_json::Value = serde_json::from_str(line).unwrap();
            let stdin = order["job"]["stdin"].as_str().unwrap();
            given += usize::from(stdin == case.stdin);
            let rest =
                format!("{}{}{}", order["job"]["argv"], order["job"]["env"], order["job"]["cwd"]);
            assert!(!rest.contains(input), "{rest}");
        }
        assert_eq!(given, 2, "each case is tried twice");
    }
}
