//! Crashes and racing processes: files are whole and no decision is lost.
#![allow(missing_docs, clippy::unwrap_used)]

mod cards_support;

use std::cell::Cell;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use cards_support::project::{Project, WISHED, wish};
use cards_support::{EXAMPLE, example, put};
use workshop::cards::answer::Antwort;
use workshop::cards::atomic::Lock;
use workshop::cards::propose::propose;
use workshop::cards::store::{Hook, Store};

#[test]
fn a_crash_before_any_rename_loses_nothing() {
    let mut crashes = 0;
    for crash_at in 0..20 {
        let project = Project::new();
        put(&project.cards(), "wuerfeln", &example());
        project.propose(wish());
        let ids = project.ids();
        let exit = child("crashing_child", &project, &ids, Some(crash_at)).wait().unwrap();
        crashes += usize::from(!exit.success());
        let card = project.card("wuerfeln");
        assert!(workshop::cards::parse::parse(&card).is_ok(), "{crash_at}: {card}");
        // The person repeats every decision that is still open.
        for id in project.ids() {
            project.store().accept(&id, None).unwrap();
        }
        assert_eq!(project.card("wuerfeln"), WISHED, "crash before rename {crash_at}");
    }
    // Each of the four decisions writes the list, the card and the list again.
    assert_eq!(crashes, 12);
}

#[test]
fn an_error_before_the_rename_leaves_the_old_card_and_the_proposal() {
    let project = Project::new();
    put(&project.cards(), "wuerfeln", &example());
    project.propose(wish());
    let before = project.store().open().unwrap();
    let full = |path: &Path| match path.extension() {
        Some(extension) if extension == "md" => Err(std::io::Error::other("disk full")),
        _ => Ok(()),
    };
    let store = project.store().with_hook(Box::new(full));
    for text in [None, Some("Mein Ziel")] {
        assert_eq!(store.accept(&before[0].id, text).unwrap_err().to_string(), "disk full");
    }
    assert_eq!(project.card("wuerfeln"), EXAMPLE);
    assert_eq!(project.store().open().unwrap(), before);
}

#[test]
fn a_card_whose_removal_was_interrupted_is_removed_or_still_proposed() {
    // The list is written, the card removed, the list written again.
    for (fails_at, removed) in [(0, false), (1, false), (2, true)] {
        let project = Project::new();
        put(&project.cards(), "wuerfeln", &example());
        let removal = Antwort::read(r#"{"entfernen": ["Würfeln"]}"#).unwrap();
        let proposals = propose(&project.store().cards().unwrap(), &removal).unwrap();
        project.store().propose(&proposals).unwrap();
        let steps = Cell::new(0);
        let store = project.store().with_hook(Box::new(move |_| {
            steps.set(steps.get() + 1);
            if steps.get() > fails_at { Err(std::io::Error::other("disk full")) } else { Ok(()) }
        }));
        assert_eq!(store.accept(&proposals[0].id, None).unwrap_err().to_string(), "disk full");
        assert_eq!(project.store().cards().unwrap().is_empty(), removed);
        let open = project.store().open().unwrap();
        assert_eq!(open, if removed { Vec::new() } else { proposals });
    }
}

#[test]
fn defect_9_two_processes_that_accept_at_once_lose_nothing() {
    for _ in 0..5 {
        let project = Project::new();
        put(&project.cards(), "wuerfeln", &example());
        project.propose(wish());
        let ids = project.ids();
        // Both wait for this lock, then race.
        let lock = Lock::folder(&project.cards()).unwrap();
        let mut first = child("accepting_child", &project, &ids[..2], None);
        let mut second = child("accepting_child", &project, &ids[2..], None);
        std::thread::sleep(std::time::Duration::from_millis(50));
        assert_eq!(project.card("wuerfeln"), EXAMPLE);
        drop(lock);
        assert!(first.wait().unwrap().success() && second.wait().unwrap().success());
        assert_eq!(project.card("wuerfeln"), WISHED);
        assert_eq!(project.ids(), Vec::<String>::new());
    }
}

#[test]
fn defect_9_of_two_processes_that_accept_the_same_one_is_told_so() {
    let project = Project::new();
    put(&project.cards(), "wuerfeln", &example());
    project.propose(wish());
    let id = &project.ids()[1..2];
    let mut children = [
        child("accepting_child", &project, id, None),
        child("accepting_child", &project, id, None),
    ];
    let mut good = children.iter_mut().map(|c| c.wait().unwrap().success()).collect::<Vec<_>>();
    good.sort_unstable();
    assert_eq!(good, [false, true]);
    let text = EXAMPLE.replace("- Leerzeichen", "- zuerst\n- Leerzeichen");
    assert_eq!(project.card("wuerfeln"), text);
}

fn child(name: &str, project: &Project, ids: &[String], crash_at: Option<usize>) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args([name, "--exact", "--ignored"])
        .env("STORE_CARDS", project.cards())
        .env("STORE_PENDING", project.pending())
        .env("STORE_IDS", ids.join(","))
        .env("STORE_CRASH", crash_at.unwrap_or(usize::MAX).to_string())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

fn accept_from_environment(hook: Hook) {
    let var = |name: &str| std::env::var(name).unwrap();
    if std::env::var("STORE_IDS").is_err() {
        return;
    }
    let store = Store::new(var("STORE_CARDS"), var("STORE_PENDING")).with_hook(hook);
    for id in var("STORE_IDS").split(',') {
        store.accept(id, None).unwrap();
    }
}

#[test]
#[ignore = "started by the tests above"]
fn accepting_child() {
    accept_from_environment(Box::new(|_| Ok(())));
}

#[test]
#[ignore = "started by the tests above"]
fn crashing_child() {
    let left =
        Cell::new(std::env::var("STORE_CRASH").map_or(0, |left| left.parse::<usize>().unwrap()));
    accept_from_environment(Box::new(move |_| {
        if left.get() == 0 {
            std::process::abort();
        }
        left.set(left.get() - 1);
        Ok(())
    }));
}
