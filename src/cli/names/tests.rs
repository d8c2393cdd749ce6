use super::{Names, definition};
use crate::cli::language::Language;

fn names() -> (Names, Language) {
    let language = Language::default();
    let mut names = Names::default();
    names.set("str", "4", &language).unwrap();
    names.set("attack", "1d20+STR", &language).unwrap();
    names.last = Some(dice::Number::from(-3));
    (names, language)
}

fn spelled(names: &Names, language: &Language, line: &str) -> String {
    names.understand(line, language).map_or_else(|error| error.to_string(), |expr| expr.to_string())
}

#[test]
fn names_stand_in_later_lines() {
    let (names, language) = names();
    let spelled = |line| spelled(&names, &language, line);
    assert_eq!(spelled("str + 1"), "str = 4; str + 1");
    assert_eq!(spelled("2x attack + 0"), "2x str = 4; attack = 1d20 + str; attack + 0");
    assert_eq!(spelled("Attack"), "str = 4; 1d20 + str # attack");
    assert_eq!(spelled("_ + 1"), "(-3) + 1");
    assert_eq!(spelled("str = 1; str"), "str = 1; str");
    assert_eq!(spelled("2d6[str] # str"), "2d6[str] # str");
    assert_eq!(spelled("2d6[#] + _ # _"), "2d6[#] + (-3) # _");
    assert!(spelled("dex + str").starts_with("unknown name dex"));
}

#[test]
fn a_name_that_is_set_again_changes_those_that_use_it() {
    let (mut names, language) = names();
    names.set("str", "5", &language).unwrap();
    assert_eq!(spelled(&names, &language, "attack + 1"), "str = 5; attack = 1d20 + str; attack + 1");
    let wrong = |result: anyhow::Result<String>| result.unwrap_err().to_string();
    assert_eq!(wrong(names.set("str", "str + 1", &language)), "str would need itself");
    assert_eq!(wrong(names.set("str", "attack", &language)), "str would need itself, through attack");
}

#[test]
fn a_repeat_stands_alone() {
    let (mut names, language) = names();
    assert_eq!(names.set("scores", "6x 4d6kh3", &language).unwrap(), "6x 4d6kh3");
    assert_eq!(spelled(&names, &language, "scores"), "6x 4d6kh3 # scores");
    let error = spelled(&names, &language, "scores + 1");
    assert_eq!(error, "scores is 6x 4d6kh3, which is no single roll: it stands alone");
}

#[test]
fn a_definition_is_a_whole_line() {
    assert_eq!(definition("Str = 4"), Some(("str".to_owned(), "4")));
    assert_eq!(definition("fire = 8d6[#1] # a ball"), Some(("fire".to_owned(), "8d6[#1]")));
    assert_eq!(definition("a = 1; a"), None);
    assert_eq!(definition("a == 1"), None);
    assert_eq!(definition("2d6 = 7"), None);
}

#[test]
fn long_chains_of_names_are_looked_through_and_longer_ones_refused() {
    let folder = std::env::temp_dir().join(format!("dice-names-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("rolls");
    let spell = |number: usize| {
        let letter = |place: usize| {
            char::from(
                b'e' + u8::try_from(number / 10_usize.pow(u32::try_from(place).unwrap()) % 10).unwrap(),
            )
        };
        (0..5).map(letter).collect::<String>()
    };
    for (count, fits) in [(super::MOST, true), (super::MOST + 1, false), (30_000, false)] {
        let line = |number| format!("{} = {} + 1\n", spell(number), spell(number + 1));
        std::fs::write(
            &path,
            (1..count).map(line).chain([format!("{} = 1\n", spell(count))]).collect::<String>(),
        )
        .unwrap();
        let names = Names::load(path.clone());
        assert_eq!(names.is_ok(), fits, "{count}");
        if let Ok(names) = names {
            let error = names.understand(&spell(1), &Language::default()).unwrap_err().to_string();
            assert!(error.contains("too long"), "{error}");
        }
    }
    std::fs::remove_dir_all(folder).unwrap();
}
