//! What the fuzz targets check, on the seeds they start from and on everything that they have found.

#[path = "../../fuzz/checks.rs"]
mod checks;

/// The texts of the seeds and of the findings, one a line.
fn texts() -> Vec<String> {
    let mut texts = Vec::new();
    for name in ["language", "odds", "peers", "reports", "spelling", "found"] {
        let lines = crate::read(&format!("fuzz/seeds/{name}.txt"));
        assert!(lines.lines().count() > 0, "{name} is empty");
        texts.extend(lines.lines().map(str::to_owned));
    }
    texts
}

#[test]
fn texts_are_parsed_or_refused() {
    for text in texts() {
        checks::parse(&text);
    }
}

#[test]
fn printed_texts_parse_back() {
    for text in texts() {
        checks::round_trip(&text);
    }
}

#[test]
fn rolls_end_and_can_be_repeated() {
    for text in texts() {
        checks::roll(&text);
    }
}

#[test]
fn odds_agree_with_rolls_and_bounds() {
    for text in texts() {
        checks::odds(&text);
    }
}

#[test]
fn a_grammar_that_is_read_sees_the_same() {
    for text in texts() {
        checks::parity(&text);
    }
}

#[test]
fn texts_are_no_grammars() {
    for text in texts() {
        checks::load_grammar(&text);
    }
    checks::load_grammar(dice::Grammar::built_in().source());
}
