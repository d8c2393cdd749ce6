//! The house rules of `examples/grammars/systems.pest`: each with faces and the total that its game gives them, and with
//! probabilities that were counted out outside of this crate.

use std::collections::BTreeSet;

use dice::{Grammar, Limits, Number, Odds, Script};

const SYSTEMS: &str = include_str!("../../../examples/grammars/systems.pest");

/// Rule, text, faces, total.
#[rustfmt::skip]
const ROLLS: &[(&str, &str, &[i64], i64)] = &[
    ("dnd_advantage", "adv", &[7, 19], 19),
    ("dnd_advantage", "adv + 5", &[7, 12], 17),
    ("dnd_disadvantage", "dis", &[7, 19], 7),
    ("dnd_elven_accuracy", "elven", &[7, 19, 3], 19),
    ("dnd_great_weapon", "gwf 2 6 + 4", &[1, 5, 2], 11),
    ("dnd_great_weapon", "gwf 2 6", &[2, 1, 1, 6], 7),
    ("dnd_great_weapon_2024", "gwf24 2 6", &[1, 5], 8),
    ("dnd_ability", "ability", &[2, 5, 3, 6], 14),
    ("pathfinder_check", "pf2 7 15", &[8], 1),
    ("pathfinder_check", "pf2 7 15", &[7], 0),
    ("pathfinder_check", "pf2 7 15", &[18], 2),
    ("pathfinder_check", "pf2 7 15", &[1], -1),
    ("pathfinder_check", "pf2 7 28", &[20], 1),
    ("pathfinder_check", "pf2 7 8", &[1], 0),
    ("pathfinder_check", "pf2 -2 20", &[12], -1),
    ("shadowrun", "sr 5", &[1, 5, 6, 2, 4], 2),
    ("shadowrun", "sr 5 1", &[1, 5, 6, 2, 4], 1),
    ("shadowrun_edge", "sredge 3", &[6, 1, 5, 6, 2], 3),
    ("wod_second", "wod2 4 6", &[6, 1, 1, 3], -1),
    ("wod_second", "wod2 4 6", &[6, 10, 1, 3], 1),
    ("wod_revised", "wod 4 6", &[6, 1, 1, 3], 0),
    ("wod_revised", "wod 4 6", &[5, 1, 1, 3], -2),
    ("wod_revised", "wod 4 6", &[6, 9, 1, 10], 2),
    ("wod_revised", "wod 2 6", &[5, 4], 0),
    ("chronicles", "cod 3", &[10, 8, 2, 9], 3),
    ("chronicles", "cod 3 again 9", &[9, 8, 2, 3], 2),
    ("chronicles", "cod 2 again 8", &[8, 2, 9, 1], 2),
    ("chronicles_rote", "rote 3", &[2, 9, 10, 8, 1], 3),
    ("vampire_v5", "v5 5", &[10, 10, 6, 5, 10], 6),
    ("vampire_v5", "v5 3", &[10, 6, 5], 2),
    ("exalted", "ex 4", &[10, 7, 6, 1], 3),
    ("fate", "fate + 3", &[1, 0, -1, 1], 4),
    ("apocalypse", "pbta 1", &[4, 5], 2),
    ("apocalypse", "pbta 1", &[4, 2], 1),
    ("apocalypse", "pbta -1", &[4, 3], 0),
    ("blades", "bitd 3", &[6, 2, 6], 7),
    ("blades", "bitd 3", &[6, 2, 5], 6),
    ("blades", "bitd 1", &[4], 4),
    ("blades", "bitd 0", &[6, 2], 2),
    ("blades", "bitd 0", &[6, 6], 6),
    ("savage_worlds", "sw 8", &[8, 3, 5], 11),
    ("savage_worlds", "sw 8", &[2, 6, 6, 1], 13),
    ("cthulhu", "coc 55", &[1], 4),
    ("cthulhu", "coc 55", &[11], 3),
    ("cthulhu", "coc 55", &[27], 2),
    ("cthulhu", "coc 55", &[55], 1),
    ("cthulhu", "coc 55", &[99], 0),
    ("cthulhu", "coc 55", &[100], -1),
    ("cthulhu", "coc 49", &[96], -1),
    ("cthulhu_bonus", "cocb 55", &[5, 9, 1], 2),
    ("cthulhu_bonus", "cocb 55", &[0, 0, 3], 1),
    ("cthulhu_bonus", "cocb 55", &[0, 0, 0], -1),
    ("cthulhu_bonus", "cocb 55", &[1, 0, 9], 4),
    ("cthulhu_penalty", "cocp 55", &[5, 4, 1], 1),
    ("cthulhu_penalty", "cocp 55", &[0, 0, 3], -1),
    ("year_zero", "yz 4", &[6, 5, 1, 6], 2),
    ("year_zero_push", "yzpush 4", &[6, 5, 1, 6, 6, 2], 3),
    ("hackmaster", "hm 2 8", &[8, 3, 8, 1], 18),
    ("rolemaster", "rm + 45", &[50], 95),
    ("rolemaster", "rm", &[97, 96, 20], 213),
    ("rolemaster", "rm", &[3, 98, 4], -99),
    ("five_rings", "l5r 4 2", &[3, 10, 7, 2, 10, 4], 31),
    ("star_trek", "sta 2 11", &[11, 1], 3),
    ("star_trek", "sta 2 11 3", &[3, 12], 2),
    ("ironsworn", "iron 3", &[5, 7, 2], 2),
    ("ironsworn", "iron 3", &[5, 8, 2], 1),
    ("ironsworn", "iron 6", &[6, 10, 10], 0),
    ("sixty_six", "r66", &[3, 4], 34),
    ("cyberpunk_red", "cpr 12", &[7], 19),
    ("cyberpunk_red", "cpr 12", &[10, 10], 32),
    ("cyberpunk_red", "cpr 12", &[1, 6], 7),
    ("gurps", "gurps 12", &[3, 4, 6], -1),
    ("traveller_boon", "boon + 1", &[2, 5, 4], 10),
    ("traveller_bane", "bane + 1", &[2, 5, 4], 7),
    ("demon_lord_boons", "boons 2 + 3", &[10, 2, 5], 18),
    ("demon_lord_banes", "banes 2 + 3", &[10, 2, 5], 8),
    ("star_wars_d6", "swd 3 + 2", &[4, 1, 6, 3], 16),
];

/// Rule, text, a total and its probability as a fraction.
#[rustfmt::skip]
const ODDS: &[(&str, &str, i64, u32, u32)] = &[
    ("dnd_advantage", "adv", 20, 39, 400),
    ("dnd_disadvantage", "dis", 1, 39, 400),
    ("dnd_elven_accuracy", "elven", 20, 1141, 8000),
    ("dnd_great_weapon", "gwf 2 6", 12, 4, 81),
    ("dnd_great_weapon_2024", "gwf24 2 6", 6, 1, 4),
    ("dnd_ability", "ability", 18, 7, 432),
    ("pathfinder_check", "pf2 7 15", 2, 3, 20),
    ("pathfinder_check", "pf2 -3 15", -1, 2, 5),
    ("shadowrun", "sr 6 2", 2, 473, 729),
    ("shadowrun_edge", "sredge 3", 0, 8, 27),
    ("shadowrun_edge", "sredge 1", 2, 5, 108),
    ("wod_second", "wod2 3 6", -1, 63, 1000),
    ("wod_revised", "wod 4 7", 0, 2177, 10000),
    ("wod_revised", "wod 4 7", -1, 1, 20),
    ("chronicles", "cod 3", 0, 343, 1000),
    ("chronicles", "cod 1", 1, 27, 100),
    ("chronicles", "cod 1 again 8", 1, 21, 100),
    ("chronicles_rote", "rote 3", 0, 117_649, 1_000_000),
    ("vampire_v5", "v5 4", 4, 331, 5000),
    ("exalted", "ex 4", 3, 243, 1250),
    ("fate", "fate", 2, 10, 81),
    ("apocalypse", "pbta 1", 1, 4, 9),
    ("apocalypse", "pbta -1", 0, 7, 12),
    ("blades", "bitd 3", 7, 2, 27),
    ("blades", "bitd 0", 6, 1, 36),
    ("savage_worlds", "sw 8", 4, 7, 48),
    ("cthulhu", "coc 55", 1, 7, 25),
    ("cthulhu", "coc 40", -1, 1, 20),
    ("cthulhu_bonus", "cocb 55", 3, 47, 250),
    ("cthulhu_penalty", "cocp 40", -1, 19, 200),
    ("year_zero", "yz 6", 2, 3125, 15552),
    ("year_zero_push", "yzpush 6", 2, 236_328_125, 725_594_112),
    ("hackmaster", "hm 1 6", 6, 1, 36),
    ("hackmaster", "hm 1 6", 5, 1, 6),
    ("rolemaster", "rm", 50, 1, 100),
    ("rolemaster", "rm", -90, 1, 2000),
    ("five_rings", "l5r 2 1", 9, 17, 100),
    ("star_trek", "sta 2 11 3", 3, 3, 25),
    ("star_trek", "sta 2 11", 2, 59, 200),
    ("ironsworn", "iron 3", 2, 199, 600),
    ("sixty_six", "r66", 34, 1, 36),
    ("cyberpunk_red", "cpr 12", 10, 1, 100),
    ("gurps", "gurps 12", 0, 25, 216),
    ("traveller_boon", "boon", 12, 2, 27),
    ("traveller_bane", "bane", 12, 1, 216),
    ("demon_lord_boons", "boons 2", 26, 11, 720),
    ("demon_lord_banes", "banes 2", -5, 11, 720),
    ("star_wars_d6", "swd 2", 3, 1, 18),
];

#[test]
fn each_rule_rolls_what_its_game_says() {
    let grammar = Grammar::load(SYSTEMS).unwrap();
    for (rule, text, faces, total) in ROLLS {
        let expr = grammar.parse(text, &Limits::default()).unwrap_or_else(|error| panic!("{error}"));
        let mut script = Script::new(faces.iter().copied());
        let roll = expr.roll(&mut script).unwrap_or_else(|error| panic!("{error}"));
        script.exhausted().unwrap_or_else(|error| panic!("{text} {faces:?}: {error}"));
        assert_eq!(roll.total(), Number::from(*total), "{text} with {faces:?}");
        let nodes = grammar.try_text(text, &Limits::default()).unwrap();
        assert!(nodes.iter().any(|node| node.rule == *rule), "{text} is not {rule}");
        let printed = expr.to_string();
        assert_eq!(grammar.parse(&printed, &Limits::default()).unwrap(), expr, "{printed}");
    }
}

#[test]
fn each_rule_has_the_odds_of_its_game() {
    let grammar = Grammar::load(SYSTEMS).unwrap();
    for (_, text, total, above, below) in ODDS {
        let expr = grammar.parse(text, &Limits::default()).unwrap();
        let odds = expr.odds(&Odds::default()).unwrap_or_else(|error| panic!("{error}"));
        let (found, expected) = (odds.exactly(Number::from(*total)), f64::from(*above) / f64::from(*below));
        assert!((found - expected).abs() < 1e-11, "{text} = {total}: {found} is not {expected}");
    }
}

#[test]
fn every_rule_is_rolled_and_analysed_and_names_its_game() {
    let rules: Vec<_> =
        Grammar::load(SYSTEMS).unwrap().rules().into_iter().filter(|rule| rule.expansion.is_some()).collect();
    let names: BTreeSet<&str> = rules.iter().map(|rule| rule.name.as_str()).collect();
    assert!(names.len() >= 20);
    assert_eq!(ROLLS.iter().map(|(rule, ..)| *rule).collect::<BTreeSet<_>>(), names);
    assert_eq!(ODDS.iter().map(|(rule, ..)| *rule).collect::<BTreeSet<_>>(), names);
    for rule in rules {
        let note = rule.notes.join(" ");
        let year = note.split(|c: char| !c.is_ascii_digit()).any(|word| word.len() == 4);
        assert!(year && note.contains(": "), "{} does not name game and edition: {note}", rule.name);
        assert!(!rule.examples.is_empty(), "{} has no example", rule.name);
    }
}

#[test]
fn nothing_is_odd_about_it() {
    assert_eq!(Grammar::load(SYSTEMS).unwrap().warnings(), []);
}
