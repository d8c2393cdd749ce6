//! Grammar files that are wrong or hostile: each is an error with its place, soon, and never a panic.

use std::fmt::Write;
use std::time::{Duration, Instant};

use super::SHIPPED;
use dice::{Code, Grammar, Limits, Odds, Script};

/// The built-in grammar with a part replaced.
fn with(old: &str, new: &str) -> String {
    assert!(SHIPPED.contains(old), "{old}");
    SHIPPED.replacen(old, new, 1)
}

fn with_house(rule: &str, name: &str) -> String {
    with("house = _{ !ANY ~ ANY }", &format!("{rule}\nhouse = _{{ {name} }}"))
}

/// The whole message, without the line that it is in.
fn message(grammar: &str) -> String {
    let error = Grammar::load(grammar).map(|_| ()).unwrap_err();
    assert_eq!(error.code(), Code::Grammar);
    error.to_string()
}

/// What the message says behind `line N of the grammar: `, and the text under the carets.
fn fault(grammar: &str) -> (String, String) {
    let error = Grammar::load(grammar).map(|_| ()).unwrap_err();
    assert_eq!(error.code(), Code::Grammar, "{error}");
    let (line, _, _) = error.position();
    let title = error
        .title()
        .strip_prefix(&format!("line {line} of the grammar: "))
        .unwrap_or_else(|| panic!("{error}"));
    (title.to_owned(), grammar[error.span().range()].to_owned())
}

fn is(grammar: &str, title: &str, place: &str) {
    assert_eq!(fault(grammar), (title.to_owned(), place.to_owned()));
}

#[test]
fn syntax() {
    assert_eq!(
        message("roll = { \"a\" ~ }"),
        "line 1 of the grammar: a rule's name, a text in quotes or ( is expected here\n  roll = { \"a\" ~ }\n                 ^"
    );
    is(
        "roll = { \"a\" ",
        "`}` is expected here, to end the rule roll; between two parts stands ~ or |, but the grammar ends",
        "",
    );
    is(
        "roll = { \"a\" \"b\" }",
        "`}` is expected here, to end the rule roll; between two parts stands ~ or |",
        "\"",
    );
    is("roll = { \"a }", "this text is not closed by a second \"", "\"");
    is("roll = { '' }", "one character is expected here", "'");
    is("roll = { 'a' }", "`..` is expected here, between the ends of a range", "}");
    is("roll = { \"\\q\" }", "this escape is not known", "\\q");
    is("/* /* */ roll = { \"a\" }", "this comment is not closed", "/*");
    is("roll { \"a\" }", "`=` is expected here, behind the name of the rule roll", "{");
    is("roll = { PUSH(\"a\") }", "PUSH is not known here", "PUSH");
    is("roll = { \"a\"{0} }", "nothing can be repeated 0 times", "{0}");
    is("roll = { \"a\"{4000000000} }", "more than 100 repetitions cannot be written out", "{4000000000}");
    is("roll = { \"a\"{3,2} }", "at least 3 and at most 2 contradict each other", "{3,2}");
    is("roll = { (\"a\" }", "this does not fit: `~`, `|` or `)` is expected here", "}");
}

#[test]
fn rules() {
    assert_eq!(
        message(""),
        "the rule roll is missing, with which every text begins\nbegin with a copy of the built-in grammar: dice grammar > my.pest"
    );
    let faults = Grammar::faults(&with("roll = ${", "rolls = ${"));
    assert_eq!(faults[0].title(), "the rule roll is missing, with which every text begins");
    assert!(
        faults[1].title().ends_with("the rule rolls is not known and stands for nothing"),
        "{}",
        faults[1]
    );
    assert!(faults[1].notes()[0].starts_with("did you mean roll?"), "{}", faults[1]);
    is(&with("~ ws ~ sides ~", "~ ws ~ sidse ~"), "there is no rule sidse", "sidse");
    let error = Grammar::load(&with("~ ws ~ sides ~", "~ ws ~ sidse ~")).map(|_| ()).unwrap_err();
    assert_eq!(error.notes(), ["did you mean sides?"]);
    is(&format!("{}\nd = _{{ \"w\" }}", *SHIPPED), "the rule d is defined twice", "d");
    is(
        &with("sum = _{ factor", "sum = _{ sum ~ factor"),
        "the rule sum begins with itself: sum → sum",
        "sum",
    );
    is(
        &with("primary = _{ (number", "primary = _{ choice | (number"),
        "the rule choice begins with itself: choice → factor → primary → choice",
        "choice",
    );
    is(
        &with("ws = _{ WHITE_SPACE* }", "ws = _{ (\" \"*)* }"),
        "what repeats here can match nothing, so it would repeat forever",
        "(\" \"*)*",
    );
    is(
        &with("d = _{ ^\"d\" }", "d = { ^\"d\" }"),
        "d has no meaning of its own, so it must leave no node",
        "d",
    );
    is(&with("add = ${", "add = _{"), "add leaves no node here, so its meaning would be lost", "add");
    is(
        &with("d = _{ ^\"d\" }", "d = _{ ^\"d\" }\nexplodee = { \"x\" }"),
        "the rule explodee is not known and stands for nothing",
        "explodee",
    );
    is(
        &with("d = _{ ^\"d\" }", "d = _{ ^\"d\" }\nANY = { \"x\" }"),
        "ANY is built in and cannot be defined",
        "ANY",
    );
    assert!(Grammar::faults(&with("sides", "sidse").replace("face ~", "faec ~")).len() > 1);
}

#[test]
fn expansions() {
    let number = "{ ^\"foo\" ~ number }";
    is(
        &with_house(&format!("/// => ($1)d6c>=\nfoo = {number}"), "foo"),
        "what the house rule foo stands for is wrong: something to roll is expected after >=",
        ">=",
    );
    is(
        &with_house(&format!("/// => ($2)d6\nfoo = {number}"), "foo"),
        "the house rule foo has no part 2",
        "$2",
    );
    is(
        &with_house(&format!("/// => ($bracket)d6 + $1\nfoo = {number}"), "foo"),
        "the house rule foo has no part bracket",
        "$bracket",
    );
    is(
        &with_house("/// => ($1)d6\nfoo = { ^\"foo\" ~ number? }", "foo"),
        "this part may be missing, and nothing says what stands here then",
        "$1",
    );
    is(
        &with_house("/// => ($1)d6\nfoo = { ^\"foo\" ~ number ~ number }", "foo"),
        "part 2 of the house rule foo (number) is typed for nothing",
        "($1)d6",
    );
    is(
        &with_house("/// => ($1)d6\nfoo = { ^\"foo\" ~ number+ }", "foo"),
        "the house rule foo may have any number of parts, and no hole takes them all",
        "foo",
    );
    is(
        &with_house("/// => foo + 1\nfoo = { ^\"foo\" }", "foo"),
        "what the house rule foo stands for is wrong: a house rule may use earlier house rules, not itself or later ones",
        "foo",
    );
    is(
        &with_house("/// => 4d6kh5\nfoo = { ^\"foo\" }", "foo"),
        "what the house rule foo stands for is wrong: cannot keep 5 dice: only 4 are rolled",
        "kh5",
    );
    is(
        &with_house("/// => 3x 4d6\nfoo = { ^\"foo\" }", "foo"),
        "what the house rule foo stands for is wrong: a house rule stands for one result and cannot repeat",
        "3x",
    );
    is(
        &with_house("/// => 4d6\nfoo = _{ ^\"foo\" }", "foo"),
        "the house rule foo leaves no trace, so it cannot stand for anything",
        "foo",
    );
    is(
        &with_house("/// => ($1)d6\nfoo = { ^\"foo\" ~ choice }", "foo"),
        "branch cannot be a part of the house rule foo: it has no value of its own",
        "foo",
    );
    is(
        &with("/// A hundred sides", "/// => 100\n/// A hundred sides"),
        "percent means something already and cannot be a house rule",
        "percent",
    );
}

fn soon(limit: Duration, grammar: &str) -> Option<Grammar> {
    let start = Instant::now();
    let result = Grammar::load(grammar);
    assert!(start.elapsed() < limit, "{:?}", start.elapsed());
    result.ok()
}

const SOON: Duration = Duration::from_secs(2);

#[test]
fn hostile_files() {
    soon(SOON, &"a".repeat(10_000_000));
    soon(SOON, &"// a comment\n".repeat(1_000_000));
    soon(SOON, &"/*".repeat(100_000));
    soon(SOON, &format!("{}roll = {{ \"a\" }}", "/* ".repeat(60)));
    soon(SOON, &format!("roll = {{ {}", "(".repeat(100_000)));
    soon(SOON, &format!("roll = {{ {}\"a\"{} }}", "(".repeat(200), ")".repeat(200)));
    soon(SOON, &format!("roll = {{ {}\"a\" }}", "!".repeat(100_000)));
    soon(SOON, &format!("roll = {{ \"a\"{} }}", "?".repeat(100_000)));
    soon(SOON, &format!("roll = {{ {}\"a\" }}", "\"a\" ~ ".repeat(40_000)));
    soon(SOON, &format!("roll = {{ \"a\"{} }}", "{100}".repeat(10)));
    soon(SOON, &format!("roll = {{ {} }}", vec!["r"; 40_000].join(" | ")));
    let many: String = (0..2500).map(|n| format!("r{n} = _{{ \"a\" }}\n")).collect();
    soon(SOON, &many);
    // Each rule uses the next one twice.
    for last in ["\"a\"", "\"a\"?", "'a'..'b'"] {
        let mut doubling: String =
            (0..1500).map(|n| format!("r{n} = _{{ r{0} ~ r{0} | r{0} }}\n", n + 1)).collect();
        write!(doubling, "r1500 = _{{ {last} }}\nroll = {{ r0 }}").unwrap();
        soon(SOON, &doubling);
        let mut choices: String = (0..1500).map(|n| format!("r{n} = _{{ r{0} | r{0} }}\n", n + 1)).collect();
        write!(choices, "r1500 = _{{ {last} }}\nroll = {{ r0 }}").unwrap();
        soon(SOON, &choices);
    }
    // House rules that double what they stand for.
    let mut rules = "/// => 2d6\nh0 = { \"h0x\" }\n".to_owned();
    let mut names = vec!["h0".to_owned()];
    for n in 1..40 {
        write!(rules, "/// => h{0}x + h{0}x\nh{n} = {{ \"h{n}x\" }}\n", n - 1).unwrap();
        names.push(format!("h{n}"));
    }
    let (title, _) = fault(&with_house(&rules, &names.join(" | ")));
    assert!(title.contains("stand for too much notation"), "{title}");
}

/// Grammars that take exponential time, or nest without brackets, on texts that are short.
#[test]
fn hostile_texts() {
    let run = |grammar: &str, text: &str| {
        let grammar = soon(SOON, grammar).unwrap();
        let start = Instant::now();
        let result = grammar.parse(text, &Limits::default());
        assert!(start.elapsed() < Duration::from_secs(4), "{:?}", start.elapsed());
        result.map(|expr| expr.to_string()).map_err(|error| error.title().to_owned())
    };
    let twice = with(
        "(number | bracket) ~ (ws ~ dice)? | dice",
        "(number | bracket) ~ ws ~ dice | number | bracket | dice",
    );
    let busy = Err("this grammar takes too long on this text".to_owned());
    assert_eq!(run(&twice, &format!("{}1{}", "(".repeat(40), ")".repeat(40))), busy);
    let ahead = "roll = ${ a* ~ number }\na = _{ &(b*) ~ ANY }\nb = _{ &(c*) ~ ANY }\nc = _{ &(ANY*) ~ ANY }\nnumber = @{ \"1\" }";
    if let Some(grammar) = soon(SOON, ahead) {
        let start = Instant::now();
        assert!(grammar.parse(&"2".repeat(4096), &Limits::default()).is_err());
        assert!(start.elapsed() < Duration::from_secs(4), "{:?}", start.elapsed());
    }
    // Sums, amounts and brackets of other kinds that nest on the right.
    let right = with("add = ${ \"+\" ~ ws ~ product }", "add = ${ \"+\" ~ ws ~ sum }");
    assert_eq!(
        run(&right, &vec!["1"; 2000].join("+")).unwrap_err(),
        "brackets, signs, powers or choices nest too deep here: the limit depth is 128"
    );
    let amount = with("amount = _{ number | bracket }", "amount = _{ dice | number | bracket }");
    assert!(run(&amount, &"d6kh".repeat(1000)).is_err());
    let bars = with(
        "bracket = ${ \"(\" ~ ws ~ choice ~ ws ~ \")\" }",
        "bracket = ${ \"<<\" ~ ws ~ choice ~ ws ~ \">>\" }",
    );
    assert_eq!(
        run(&bars, &format!("{}1{}", "<<".repeat(1000), ">>".repeat(1000))).unwrap_err(),
        "brackets, signs, powers or choices nest too deep here: the limit depth is 128"
    );
    let words = with("number = @{ digit+", "number = @{ letter+ | digit+");
    assert_eq!(run(&words, "abc + 1").unwrap_err(), "the grammar puts number where it means nothing");
    let part = with("bracket = ${ \"(\" ~ ws ~ choice", "bracket = ${ \"(\" ~ ws ~ add");
    assert_eq!(run(&part, "(+1)").unwrap_err(), "the grammar puts add where it means nothing");
    let open = with("~ !ANY\n}", "}");
    assert!(run(&open, "2d6 nonsense").is_err());
}

/// House rules in each other's parts nest what they stand for.
#[test]
fn house_rules_nest_no_deeper_than_brackets() {
    let rule = format!("/// => {}$1{}\ndeep = {{ ^\"deep\" ~ bracket }}", "(".repeat(30), ")".repeat(30));
    let grammar = Grammar::load(&with_house(&rule, "deep")).unwrap();
    assert!(grammar.parse("deep(deep(1))", &Limits::default()).is_ok());
    let text = format!("{}1{}", "deep(".repeat(40), ")".repeat(40));
    assert!(grammar.parse(&text, &Limits::default()).unwrap_err().title().contains("nest too deep"));
    let wide = "/// => $1 + $1 + $1 + $1\nwide = { ^\"wide\" ~ bracket }";
    let grammar = Grammar::load(&with_house(wide, "wide")).unwrap();
    let text = format!("{}1{}", "wide(".repeat(20), ")".repeat(20));
    assert!(
        grammar.parse(&text, &Limits::default()).unwrap_err().title().contains("stand for too much notation")
    );
}

/// Grammars in which other things than brackets nest: whatever is not refused can be walked in a debug build too.
fn nests_without_brackets() {
    let limits = Limits { depth: Limits::MAX_DEPTH, ..Limits::default() };
    for (old, new, piece) in [
        ("add = ${ \"+\" ~ ws ~ product }", "add = ${ \"+\" ~ ws ~ sum }", "1+"),
        ("amount = _{ number", "amount = _{ dice | number", "d6kh"),
        ("target = _{ below_zero", "target = _{ dice | below_zero", "d6c>="),
        ("right = ${ sum }", "right = ${ choice }", "1>="),
        ("sides = _{ number", "sides = _{ dice | number", "d"),
        (
            "call = ${ function ~ ws ~ \"(\"",
            "call = ${ function ~ gap ~ argument | function ~ ws ~ \"(\"",
            "abs ",
        ),
    ] {
        let grammar = Grammar::load(&with(old, new)).unwrap();
        for times in [100, 190, 300, 500, 790] {
            let Ok(expr) = grammar.parse(&format!("{}d6", piece.repeat(times)), &limits) else { continue };
            let _ = expr.roll(&mut Script::new(vec![1; 1000]));
            let _ = expr.odds(&Odds::default());
            assert!(expr.to_string().len() > times && expr == expr.clone());
        }
    }
}

#[test]
fn a_small_stack_is_enough() {
    let threads = std::thread::Builder::new().stack_size(2 << 20);
    let run = threads.spawn(|| {
        hostile_files();
        hostile_texts();
        house_rules_nest_no_deeper_than_brackets();
        nests_without_brackets();
    });
    run.unwrap().join().unwrap();
}
