//! The card format, byte for byte, and what is wrong with a file.
#![allow(missing_docs, clippy::unwrap_used)]

mod cards_support;

use cards_support::{EXAMPLE, example, function, strings};
use workshop::cards::card::{Art, Karte, Stand};
use workshop::cards::cases::{Faelle, Fall, cases};
use workshop::cards::error::{CardError, CardErrorKind};
use workshop::cards::parse::parse;
use workshop::cards::sektionen::{Sektionen, Spec};

#[test]
fn the_example_is_written_byte_for_byte() {
    assert_eq!(example().render().unwrap(), EXAMPLE);
    assert_eq!(parse(EXAMPLE).unwrap(), example());
}

#[test]
fn every_section_has_its_place() {
    let built = workshop::cards::card::Funktion {
        ziel: "Zwei\n\nAbsätze".to_string(),
        regeln: strings(&["-1 ist kein Ausdruck", "- mit Strich", "-"]),
        ..function("Werfen", &["`dice 1d1` ergibt `1`"], Stand::Gebaut)
    };
    let card = Karte {
        titel: "Alles".to_string(),
        art: Art::Optional,
        ziel: "Z".to_string(),
        regeln: strings(&["R --"]),
        funktionen: vec![built, function("Leer", &[], Stand::Offen)],
    };
    let text = "\
<!-- titel -->
Alles
----------------------------------------
<!-- art -->
optional
----------------------------------------
<!-- ziel -->
Z
----------------------------------------
<!-- regeln -->
- R --
----------------------------------------
<!-- funktion -->
Werfen
<!-- ziel -->
Zwei

Absätze
<!-- regeln -->
- -1 ist kein Ausdruck
- - mit Strich
- -
<!-- testen -->
- `dice 1d1` ergibt `1`
----------------------------------------
<!-- funktion -->
Leer
<!-- stand -->
offen
";
    assert_eq!(card.render().unwrap(), text);
    assert_eq!(parse(text).unwrap(), card);
}

#[test]
fn a_file_by_hand_may_be_less_tidy() {
    let text = "\u{FEFF}\r\n <!-- titel --> \r\n\r\n  Karte \r\n----------------------------------------\r\n\
                <!-- art -->\r\n KERN\r\n---------------------------------------- \r\n<!--regeln-->\r\n\
                ohne Zeichen\r\n-1 ohne Zeichen\r\n\r\n  -  weit  \r\n-\r\n----------------------------------------\r\n";
    let card = Karte {
        titel: "Karte".to_string(),
        regeln: strings(&["ohne Zeichen", "-1 ohne Zeichen", "weit"]),
        ..Karte::default()
    };
    assert_eq!(parse(text).unwrap(), card);
}

#[test]
fn each_mistake_has_its_line_and_its_text() {
    let line = "----------------------------------------";
    let head = format!("<!-- titel -->\nK\n{line}\n");
    let cases = [
        (String::new(), "Titel fehlt"),
        ("<!-- titel -->\n\n".to_string(), "1: Titel fehlt"),
        ("Hallo\n".to_string(), "1: Text ohne Abschnitt: Hallo"),
        ("<!-- titel -->\nA\nB\n".to_string(), "1: Nur eine Zeile erlaubt: A⏎B"),
        (format!("{head}<!-- art -->\nrot\n"), "4: Art unbekannt: rot"),
        (format!("{head}<!-- notiz -->\nx\n"), "4: Abschnitt unbekannt: notiz"),
        (format!("{head}<!-- titel -->\nL\n"), "4: Abschnitt doppelt: titel"),
        (format!("{head}<!-- testen -->\n- x\n"), "4: Abschnitt an falscher Stelle: testen"),
        (
            format!("{head}<!-- art -->\nkern\n<!-- funktion -->\nF\n"),
            "6: Abschnitt an falscher Stelle: funktion",
        ),
        (
            format!("{head}<!-- funktion -->\nF\n<!-- titel -->\nx\n"),
            "6: Abschnitt an falscher Stelle: titel",
        ),
        (
            format!("{head}<!-- funktion -->\nF\n<!-- stand -->\nfertig\n"),
            "6: Stand unbekannt: fertig",
        ),
        (
            format!("{head}<!-- funktion -->\nF\n<!-- ziel -->\na\n<!-- ziel -->\nb\n"),
            "8: Abschnitt doppelt: ziel",
        ),
        (format!("{head}<!-- funktion -->\nF\n<!-- x -->\n"), "6: Abschnitt unbekannt: x"),
        (
            format!("{head}<!-- funktion -->\nF\n{line}\n<!-- funktion -->\nF\n"),
            "7: Funktion doppelt: F",
        ),
        (
            format!("{head}<!-- regeln -->\n- <!-- stand -->\n"),
            "Zeile nicht erlaubt: <!-- stand -->",
        ),
        (format!("{head}<!-- ziel -->\nrot \u{1b}[31m\n"), "Zeichen nicht erlaubt: U+001B"),
    ];
    for (text, message) in cases {
        let error = parse(&text).map_err(|error| error.to_string());
        assert_eq!(error, Err(message.to_string()), "{text:?}");
    }
}

#[test]
fn each_value_that_looks_like_structure_is_refused() {
    let evil = "gut\n----------------------------------------\n<!-- funktion -->\nGefälscht";
    let refused = |line: &str| Err(CardError::new(CardErrorKind::LineNotAllowed(line.to_string())));
    let line = "----------------------------------------";
    let mut ziel = example();
    ziel.ziel = evil.to_string();
    assert_eq!(ziel.render(), refused(line));
    let mut inner = example();
    inner.funktionen[0].ziel = "a\n  <!-- stand -->\t\ngebaut".to_string();
    assert_eq!(inner.render(), refused("<!-- stand -->"));
    let mut list = example();
    list.regeln.push("<!-- x -->".to_string());
    assert_eq!(list.render(), refused("<!-- x -->"));
    let mut test = example();
    test.funktionen[0].testen.push(line.to_string());
    assert_eq!(test.render(), refused(line));
    let mut title = example();
    title.titel = "<!-- art -->".to_string();
    assert_eq!(title.render(), refused("<!-- art -->"));
    let mut several = example();
    several.regeln = strings(&["a\nb"]);
    let error = CardError::new(CardErrorKind::SeveralLines("a\nb".to_string()));
    assert_eq!(several.render(), Err(error));
    // Characters that act on the text around them, or that nobody sees.
    for c in ['\u{202E}', '\u{200B}', '\u{200F}', '\u{00AD}', '\u{2060}', '\u{061C}', '\u{E0041}'] {
        let mut hidden = example();
        hidden.ziel = format!("a{c}b");
        assert_eq!(hidden.render(), Err(CardError::new(CardErrorKind::CharNotAllowed(c))));
    }
}

#[test]
fn the_parsed_form_has_the_keys_of_the_format() {
    let json = serde_json::to_string(&Sektionen::from(&example())).unwrap();
    assert_eq!(
        json,
        r#"{"titel":"Würfeln","art":"kern","ziel":"Notation auswerten","regeln":"- Leerzeichen zählen nicht","funktionen":[{"text":"Explodieren","ziel":"Die 6 noch einmal werfen","regeln":"","testen":"- 1d6! mit 6,3 ergibt 9","stand":"offen"}]}"#
    );
    let spec = serde_json::to_string(&Spec::from(&example())).unwrap();
    assert_eq!(
        spec,
        r#"{"titel":"Würfeln","art":"kern","ziel":"Notation auswerten","regeln":["Leerzeichen zählen nicht"],"funktionen":[{"titel":"Explodieren","ziel":"Die 6 noch einmal werfen","regeln":[],"testen":["1d6! mit 6,3 ergibt 9"]}]}"#
    );
}

#[test]
fn a_line_that_can_be_run_is_told_from_prose() {
    let lines = [
        "`dice 4d6kh3 --rolls 2,5,3,6` ergibt `14`",
        " `a` ergibt `` ",
        "`x` ergibt `9`.",
        "1d6! mit 6,3 ergibt 9",
        "`` ergibt `9`",
        "erst `a` ergibt `b`",
        "`a` ergibt `b` und `c`",
        "`",
    ];
    let fall = |kommando: &str, ausgabe: &str| Fall {
        kommando: kommando.to_string(),
        ausgabe: ausgabe.to_string(),
    };
    let sorted = cases(&function("F", &lines, Stand::Offen));
    let wanted = Faelle {
        ausfuehrbar: vec![fall("dice 4d6kh3 --rolls 2,5,3,6", "14"), fall("a", ""), fall("x", "9")],
        prosa: strings(&lines[3..]),
    };
    assert_eq!(sorted, wanted);
}
