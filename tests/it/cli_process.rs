//! What the program does to its surroundings: files, pipes, the environment.

use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use crate::{path, read};

pub fn dice() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_dice"));
    command.env_clear().env("LC_ALL", "C.UTF-8").stdin(Stdio::null());
    command
}

fn run(arguments: &[&str]) -> Output {
    dice().args(arguments).output().unwrap()
}

pub fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

pub fn scratch(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("dice-{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

#[test]
fn a_log_verifies_and_a_changed_one_does_not() {
    let folder = scratch("log");
    let log = folder.join("log");
    let name = log.to_str().unwrap();
    assert!(run(&["--log", name, "-n", "3", "--seed", "abc", "-q", "4d6kh3"]).status.success());
    assert!(run(&["--log", name, "--faces", "6,2,3", "2d6!"]).status.success());
    let failed = run(&["--log", name, "--seed", "x", "-n", "50", "10/(1d6-1)"]);
    assert_eq!(failed.status.code(), Some(3));
    let verified = run(&["verify", name]);
    assert_eq!(verified.status.code(), Some(0), "{}", text(&verified.stdout));
    let written = std::fs::read_to_string(&log).unwrap();
    assert!(!written.lines().next().unwrap().contains("abc"), "the seed is only committed to at first");
    let lines: Vec<&str> = written.lines().collect();
    // A changed die, a missing line, a swapped seed, a missing end: each is found.
    let changed = written.replacen("\"face\":", "\"face\":1", 1);
    let missing = [&lines[..2], &lines[3..]].concat().join("\n");
    let seed = written.replacen("\"seed\":\"abc\"", "\"seed\":\"abd\"", 1);
    let cut = lines[..lines.len() - 1].join("\n");
    for forged in [changed, missing, seed, cut] {
        std::fs::write(&log, forged).unwrap();
        assert_eq!(run(&["verify", name]).status.code(), Some(1));
    }
    assert_eq!(run(&["verify", "no such file"]).status.code(), Some(4));
    // A log that asks for too much is not followed, unless that is allowed.
    std::fs::remove_file(&log).unwrap();
    assert!(run(&["--log", name, "-q", "--limit", "repeats=10001", "10001x 1"]).status.success());
    let refused = text(&run(&["verify", name]).stdout);
    assert!(refused.contains(":2: \"10001x 1\" is no roll here: "), "{refused}");
    assert_eq!(run(&["verify", "--limit", "repeats=10001", name]).status.code(), Some(0));
    // What has no end is no log.
    for command in [&["--log", "/dev/zero", "d6"][..], &["verify", "/dev/zero"]] {
        assert!(matches!(run(command).status.code(), Some(1 | 4)), "{command:?}");
    }
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn twenty_lines_of_python_give_the_dice_of_a_seed() {
    for (roll, sides, count) in
        [("4d6kh3", "6", "4"), ("40d20", "20", "40"), ("7d1000000007", "1000000007", "7"), ("3d1", "1", "3")]
    {
        let output = run(&["--json", "--seed", "k3v9-q2dm-71xs", roll]);
        let told: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        let faces: Vec<String> =
            told["dice"].as_array().unwrap().iter().map(|die| die["face"].to_string()).collect();
        let replay = Command::new("python3")
            .args([path("docs/replay.py").to_str().unwrap(), "k3v9-q2dm-71xs", sides, count])
            .output();
        let Ok(replayed) = replay else {
            eprintln!("python3 is not installed: not replayed");
            return;
        };
        assert_eq!(text(&replayed.stderr), "");
        assert_eq!(text(&replayed.stdout).trim_end(), faces.join(" "), "{roll}");
    }
    assert!(read("docs/replay.py").lines().filter(|line| !line.is_empty()).count() <= 21);
}

#[test]
fn some_lines_of_python_replay_a_log() {
    let folder = scratch("python");
    let log = folder.join("log");
    let name = log.to_str().unwrap();
    let texts = [
        "4d6kh3",
        "40d6+3d20!+2d6+2d6",
        "1d1000000007+1d%+30d6!>3",
        "20d6r1+20d6r<=3+5d1",
        "20d6ro<4+20d20rb<=10+20d6r<3lim2",
        "20d10r>8r3!!kh5",
        "3x 4d6r1!",
    ];
    for text in texts {
        assert!(run(&["--log", name, "-n", "20", "-q", text]).status.success(), "{text}");
    }
    let replay = || {
        let mut python = Command::new("python3");
        python.arg(path("docs/replay_log.py")).arg(&log).env("PYTHONDONTWRITEBYTECODE", "1").output()
    };
    let Ok(replayed) = replay() else {
        eprintln!("python3 is not installed: not replayed");
        return;
    };
    assert_eq!(text(&replayed.stderr), "");
    assert_eq!(text(&replayed.stdout).lines().count(), 20 * texts.len() + 40, "a repeat has three results");
    // A die that was changed is found, whatever the hashes say.
    let written = std::fs::read_to_string(&log).unwrap();
    let at = written.rfind("\"face\":").unwrap() + "\"face\":".len();
    let other = if &written[at..=at] == "2" { "3" } else { "2" };
    std::fs::write(&log, format!("{}{other}{}", &written[..at], &written[at + 1..])).unwrap();
    let replayed = replay().unwrap();
    assert_eq!(replayed.status.code(), Some(1));
    assert_eq!(text(&replayed.stderr), "3x 4d6r1!: not what the seed gives\n");
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let mut child =
        dice().args(["-n", "1000000", "d6"]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut first = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut first).unwrap();
    assert!(first.starts_with("1d6 ["));
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), String::new()));
}

/// Every command, with arguments that make it print something.
const COMMANDS: [&str; 18] = [
    "d6",
    "-n 9000 d6",
    "odds 4d6",
    "odds --json 4d6",
    "odds --csv 4d6",
    "odds --markdown 4d6",
    "compare d6 d8",
    "check d6>0",
    "simulate -n 100 d6",
    "explain d6",
    "grammar",
    "grammar rules",
    "grammar diagram",
    "completions bash",
    "man",
    "--help",
    "odds -h",
    "--version",
];

#[test]
fn nobody_reads_any_command() {
    for command in COMMANDS {
        let mut child =
            dice().args(command.split(' ')).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        let complaints = text(&output.stderr).lines().filter(|line| !line.contains("rolls: sum")).count();
        assert_eq!((output.status.code(), complaints), (Some(0), 0), "{command}: {}", text(&output.stderr));
    }
}

#[test]
fn a_full_disk_is_told_by_every_command() {
    let Ok(full) = std::fs::OpenOptions::new().write(true).open("/dev/full") else { return };
    for command in COMMANDS {
        let output = dice().args(command.split(' ')).stdout(full.try_clone().unwrap()).output().unwrap();
        let message = text(&output.stderr);
        let told = message.contains("the results cannot be written: No space left on device");
        assert_eq!((output.status.code(), told), (Some(4), true), "{command}: {message}");
    }
}

#[test]
fn standard_input_that_cannot_be_read_is_told() {
    for command in [&[][..], &["odds"]] {
        let folder = std::fs::File::open(path("src")).unwrap();
        let output = dice().args(command).stdin(folder).output().unwrap();
        let message = "error: standard input cannot be read: Is a directory (os error 21)\n";
        assert_eq!((output.status.code(), text(&output.stderr)), (Some(4), message.to_owned()));
    }
}

/// What a command prints and how it ends when Ctrl-C is pressed while it works.
#[cfg(unix)]
fn interrupted(arguments: &[&str]) -> (String, String, Option<i32>) {
    for seconds in [1, 3, 9] {
        let mut command = dice();
        let child = command.args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        std::thread::sleep(std::time::Duration::from_secs(seconds));
        assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
        let output = child.wait_with_output().unwrap();
        // On a busy machine it may not have begun yet, and simply ends.
        if output.status.code().is_some() {
            return (text(&output.stdout), text(&output.stderr), output.status.code());
        }
    }
    panic!("{arguments:?} is not there after seconds")
}

#[cfg(unix)]
#[test]
fn long_work_stops_with_what_it_has() {
    let (out, err, code) = interrupted(&["simulate", "-n", "1000000000000", "--seed", "1", "4d6kh3"]);
    assert!(err.starts_with("stopped after ") && err.ends_with(" of 1000000000000 rolls\n"), "{err}");
    let rolls = err.split_whitespace().nth(2).unwrap();
    assert!(out.starts_with(&format!("{rolls} rolls of 4d6kh3")) && out.contains("chi-square"), "{out}");
    assert_eq!(code, Some(0));
    let (out, err, code) = interrupted(&["odds", "--samples", "1000000000000", "4d6kh3"]);
    assert!(err.starts_with("stopped after ") && out.contains("estimated from "), "{err}{out}");
    assert_eq!(code, Some(0));
    let steps = "steps=1000000000000000";
    let stopped = interrupted(&["odds", "--limit", steps, "3000d1000kh1000"]);
    let message = "error: stopped before the odds were known; --samples N estimates them\n";
    assert_eq!(stopped, (String::new(), message.to_owned(), Some(3)));
}

#[test]
fn a_seed_replays_and_is_told() {
    let rolled = run(&["--json", "4d6kh3"]);
    let json: serde_json::Value = serde_json::from_slice(&rolled.stdout).unwrap();
    let seed = json["seed"].as_str().unwrap();
    assert_eq!((seed.len(), seed.matches('-').count()), (14, 2), "like k3v9-q2dm-71xs: {seed}");
    assert_eq!(run(&["--json", "--seed", seed, "4d6kh3"]).stdout, rolled.stdout);
    assert!(text(&run(&["-v", "--seed", seed, "d6"]).stdout).ends_with(&format!("  seed: {seed}\n")));
}

#[test]
fn colour_is_a_choice() {
    let colored = |arguments: &[&str], environment: &[(&str, &str)]| {
        let output = dice().args(arguments).envs(environment.iter().copied()).output().unwrap();
        (output.stdout.contains(&0x1b), output.stderr.contains(&0x1b))
    };
    assert_eq!(colored(&["d6"], &[]), (false, false));
    assert_eq!(colored(&["d6"], &[("CLICOLOR_FORCE", "1")]), (true, false));
    assert_eq!(colored(&["d6x"], &[("CLICOLOR_FORCE", "1")]), (false, true));
    assert_eq!(colored(&["d6"], &[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")]), (false, false));
    assert_eq!(colored(&["--color", "never", "d6"], &[("CLICOLOR_FORCE", "1")]), (false, false));
    assert_eq!(colored(&["--color=always", "d6"], &[("NO_COLOR", "1")]), (true, false));
    assert_eq!(colored(&["--color", "always", "d6", "--sead"], &[]), (false, true));
}

#[test]
fn a_typographic_minus_on_its_own_is_not_standard_input() {
    let output = run(&["roll", "\u{2212}"]);
    assert_eq!((output.status.code(), output.stdout.is_empty()), (Some(2), true));
    assert!(String::from_utf8_lossy(&output.stderr).contains("E007"), "{output:?}");
}

#[test]
fn without_utf8_nothing_but_ascii_is_drawn() {
    let shown = |command: &mut Command, arguments: &[&str]| {
        let output = command.args(arguments).output().unwrap();
        output.stdout.is_ascii() && output.stderr.is_ascii()
    };
    for arguments in [&["odds", "3d6"][..], &["explain", "3d6+1"], &["compare", "3d6", "2d8"], &["2d"]] {
        assert!(!shown(&mut dice(), arguments), "{arguments:?}");
        assert!(shown(dice().env("LC_ALL", "C"), arguments), "{arguments:?}");
        assert!(shown(dice().env_remove("LC_ALL").env("LANG", "de_DE.ISO-8859-1"), arguments));
        assert!(shown(dice().arg("--ascii"), arguments), "{arguments:?}");
    }
    for arguments in [
        &["2d6+1"][..],
        &["-n", "3", "d6"],
        &["-v", "60d6!"],
        &["-d6x"],
        &["-n", "-3", "d6"],
        &["check", "d6>3"],
        &["simulate", "-n", "100", "d6"],
        &["odds", "--csv", "d6"],
        &["odds", "--markdown", "d6"],
        &["odds", "3d6!"],
        &["grammar", "rules"],
        &["grammar", "try", "dice.pest", "-1d6"],
        &["completions", "zsh"],
        &["man"],
        &["--help"],
    ] {
        assert!(shown(dice().env("LC_ALL", "C"), arguments), "{arguments:?}");
    }
}

#[test]
fn every_help_fits_80_columns() {
    for command in
        ["", "roll", "odds", "compare", "check", "simulate", "explain", "repl", "verify", "completions"]
    {
        for help in ["-h", "--help"] {
            let output =
                run(&[command, help].into_iter().filter(|word| !word.is_empty()).collect::<Vec<_>>());
            assert_eq!(output.status.code(), Some(0));
            for line in text(&output.stdout).lines() {
                assert!(line.chars().count() <= 80, "{command} {help}: {line}");
            }
        }
    }
}

#[test]
fn completions_know_every_command_and_option() {
    let help = text(&run(&["--help"]).stdout);
    let long = help.split_whitespace().filter(|word| word.starts_with("--") && word.len() > 3);
    let options: Vec<&str> =
        long.map(|word| &word[2..]).filter(|word| word.chars().all(char::is_alphabetic)).collect();
    assert!(options.contains(&"times") && options.contains(&"errors"), "{options:?}");
    let commands =
        help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    let commands: Vec<&str> = commands.filter_map(|line| line.split_whitespace().next()).collect();
    assert_eq!(commands.len(), 11, "{commands:?}");
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = text(&run(&["completions", shell]).stdout);
        for word in options.iter().chain(&commands).chain(&["given-success", "at-least"]) {
            assert!(script.contains(word), "{shell}: {word}");
        }
        // Where the shell is there, it has to understand the script.
        let checked = Command::new(shell).arg("-n").stdin(Stdio::piped()).stderr(Stdio::piped()).spawn();
        if ["bash", "zsh", "fish"].contains(&shell)
            && let Ok(mut child) = checked
        {
            child.stdin.take().unwrap().write_all(script.as_bytes()).unwrap();
            let output = child.wait_with_output().unwrap();
            assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), String::new()), "{shell}");
        }
    }
    assert_eq!(run(&["completions", "tcsh"]).status.code(), Some(2));
}

#[test]
fn the_man_page_has_every_line_of_every_help() {
    let man = text(&run(&["man"]).stdout).replace("\\-", "-");
    for section in ["EXAMPLES", "COMMANDS", "\"EXIT STATUS\"", "FILES", "ENVIRONMENT"] {
        assert!(man.contains(&format!("\n.SH {section}\n")), "{section}");
    }
    for command in
        ["", "roll", "odds", "compare", "check", "simulate", "explain", "repl", "verify", "completions"]
    {
        let arguments: Vec<&str> = [command, "-h"].into_iter().filter(|word| !word.is_empty()).collect();
        for word in text(&run(&arguments).stdout).split_whitespace().filter(|word| word.starts_with("--")) {
            assert!(man.contains(word), "{command}: {word}");
        }
        assert!(command.is_empty() || man.contains(&format!("\n.SS \"dice {command}\"\n")), "{command}");
    }
}

#[test]
fn odds_are_drawn_as_svg() {
    let folder = scratch("svg");
    let file = folder.join("odds.svg");
    let output = run(&["odds", "--svg", file.to_str().unwrap(), "2d6 >= 10"]);
    assert_eq!(output.status.code(), Some(2), "a picture of what is refused is no picture");
    let output = run(&["odds", "--svg", file.to_str().unwrap(), "(2d6) < 3 + 1d4"]);
    assert_eq!((output.status.code(), output.stdout.len()), (Some(0), 0), "{}", text(&output.stderr));
    let svg = std::fs::read_to_string(&file).unwrap();
    assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n") && svg.contains("(2d6) &lt; 3 + 1d4"));
    assert_eq!(svg.matches("<title>").count(), 2);
    // Without a renderer nothing is written, not even the other picture.
    let [png, other] = ["odds.png", "other.svg"].map(|name| folder.join(name));
    let both = ["odds", "--png", png.to_str().unwrap(), "--svg", other.to_str().unwrap(), "2d6"];
    let output = run(&both);
    if cfg!(feature = "plots") {
        assert_eq!(output.status.code(), Some(0));
        let bytes = std::fs::read(&png).unwrap();
        assert_eq!(bytes[..8], *b"\x89PNG\r\n\x1a\n");
        assert_eq!(
            (&bytes[16..20], &bytes[20..24]),
            (&1440_u32.to_be_bytes()[..], &840_u32.to_be_bytes()[..])
        );
    } else {
        let message = "error: PNG pictures are not built in; use --svg, or install with: cargo install --path . --features plots\n";
        assert_eq!((output.status.code(), text(&output.stderr)), (Some(2), message.to_owned()));
        assert!(!png.exists() && !other.exists());
    }
    let none = folder.join("missing").join("odds.svg");
    assert_eq!(run(&["odds", "--svg", none.to_str().unwrap(), "2d6"]).status.code(), Some(4));
    std::fs::remove_dir_all(folder).unwrap();
}
