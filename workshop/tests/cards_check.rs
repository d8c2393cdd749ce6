//! Built functions that no longer hold become open again; the documented example is the format.
#![allow(missing_docs, clippy::unwrap_used)]

mod cards_support;

use std::fs;

use cards_support::{EXAMPLE, example, function, put};
use workshop::cards::card::{Karte, Stand};
use workshop::cards::cases::Fall;
use workshop::cards::check::{check, reopen};
use workshop::cards::store::Store;

#[test]
fn only_built_functions_with_a_red_case_become_open() {
    let folder = tempfile::tempdir().unwrap();
    let cards = folder.path().join("cards");
    let case = |n: u32| format!("`echo {n}` ergibt `{n}`");
    let with = |titel: &str, lines: &[u32], stand| {
        let lines: Vec<String> = lines.iter().copied().map(case).collect();
        function(titel, &lines.iter().map(String::as_str).collect::<Vec<_>>(), stand)
    };
    let card = Karte {
        funktionen: vec![
            with("Grün", &[1, 2], Stand::Gebaut),
            with("Rot", &[3, 4, 5], Stand::Gebaut),
            with("Offen", &[4], Stand::Offen),
            function("Prosa", &["nur lesen"], Stand::Gebaut),
        ],
        ..example()
    };
    put(&cards, "k", &card);
    let store = Store::new(&cards, folder.path().join("state/proposals.json"));
    let mut asked = Vec::new();
    let reopened = reopen(&store, |case: &Fall| {
        asked.push(case.kommando.clone());
        Ok(case.ausgabe != "4")
    });
    assert_eq!(reopened.unwrap(), [("k".to_string(), "Rot".to_string())]);
    assert_eq!(asked, ["echo 1", "echo 2", "echo 3", "echo 4", "echo 5"]);
    let mut wanted = card.clone();
    wanted.funktionen[1].stand = Stand::Offen;
    assert_eq!(store.cards().unwrap()[0].karte, wanted);

    let broken = reopen(&store, |_| anyhow::bail!("no sandbox"));
    assert_eq!(broken.unwrap_err().to_string(), "no sandbox");
    assert_eq!(store.cards().unwrap()[0].karte, wanted);
}

#[test]
fn the_documented_example_is_the_format() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/cards.md");
    let text = fs::read_to_string(path).unwrap();
    let blocks: Vec<&str> = text.split("```\n").collect();
    assert_eq!(blocks[1], EXAMPLE);
}

#[test]
fn a_file_that_is_no_text_is_one_mistake_among_others() {
    let folder = tempfile::tempdir().unwrap();
    let cards = folder.path().join("cards");
    put(&cards, "gut", &example());
    fs::write(cards.join("binary.md"), [0xff, 0xfe]).unwrap();
    fs::create_dir(cards.join("folder.md")).unwrap();
    std::os::unix::fs::symlink("gut.md", cards.join("link.md")).unwrap();
    fs::write(cards.join("long.md"), "x".repeat(100_000)).unwrap();
    let found = check(&cards).unwrap();
    let long = format!("long.md:1: Text ohne Abschnitt: {}…", "x".repeat(200));
    assert_eq!(
        found.mistakes,
        [
            "binary.md:keine Karte: kein UTF-8",
            "folder.md:keine Karte: keine gewöhnliche Datei",
            "link.md:keine Karte: keine gewöhnliche Datei",
            long.as_str(),
        ]
    );
    let store = Store::new(&cards, folder.path().join("state/proposals.json"));
    let error = format!("{:#}", store.cards().unwrap_err());
    assert!(error.ends_with("binary.md:keine Karte: kein UTF-8"), "{error}");
}
