//! Defaults of options: `name = value` lines in a file of the person who calls the program.

use std::path::{Path, PathBuf};

use clap::ValueEnum;

use super::args::{Cli, Color, Command, Errors, limit};
use super::dirs;
use super::report::Usage;

/// What the file can set, each as the option of that name.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Defaults {
    pub color: Option<Color>,
    pub errors: Option<Errors>,
    pub ascii: bool,
    pub verbose: bool,
    pub digits: Option<u8>,
    pub grammar: Option<PathBuf>,
    pub limits: Vec<(String, u64)>,
}

/// The names of what can be set.
const NAMES: [&str; 7] = ["color", "errors", "ascii", "verbose", "digits", "grammar", "limit"];

impl Defaults {
    /// What a file says.
    ///
    /// # Errors
    /// The file cannot be read, or a line sets nothing.
    pub fn load(path: &Path) -> anyhow::Result<Defaults> {
        let text = dirs::read(path)?.unwrap_or_default();
        let mut defaults = Defaults::default();
        for (index, line) in text.lines().enumerate() {
            let line = line.split('#').next().unwrap_or_default().trim();
            if line.is_empty() {
                continue;
            }
            let wrong = |why: String| Usage(format!("{}:{}: {why}", path.display(), index + 1));
            let (name, value) = line
                .split_once('=')
                .ok_or_else(|| wrong("write name = value, such as ascii = true".to_owned()))?;
            defaults.set(name.trim(), value.trim(), path).map_err(wrong)?;
        }
        Ok(defaults)
    }

    fn set(&mut self, name: &str, value: &str, path: &Path) -> Result<(), String> {
        match name {
            "color" => self.color = Some(one_of(name, value)?),
            "errors" => self.errors = Some(one_of(name, value)?),
            "ascii" => self.ascii = truth(name, value)?,
            "verbose" => self.verbose = truth(name, value)?,
            "digits" => {
                let digits =
                    value.parse().map_err(|_| format!("digits is a number such as 3, not {value:?}"));
                self.digits = Some(digits?);
            }
            // A relative path is seen from the file's own folder.
            "grammar" => self.grammar = Some(path.parent().unwrap_or(Path::new("")).join(value)),
            "limit" => self.limits.push(limit(value)?),
            unknown => {
                let near = NAMES.iter().min_by_key(|name| strsim::damerau_levenshtein(unknown, name));
                let near = near.filter(|name| strsim::damerau_levenshtein(unknown, name) <= 2);
                return Err(match near {
                    Some(near) => format!("{unknown:?} cannot be set; did you mean {near}?"),
                    None => format!("{unknown:?} cannot be set; there are {}", NAMES.join(", ")),
                });
            }
        }
        Ok(())
    }

    /// Sets what the arguments leave open.
    pub fn fill(self, cli: &mut Cli) {
        let common = &mut cli.common;
        common.color = common.color.or(self.color);
        common.errors = common.errors.or(self.errors);
        common.ascii |= self.ascii;
        common.verbose |= self.verbose;
        common.grammar = common.grammar.take().or(self.grammar);
        // The last one of a name holds.
        common.limits.splice(..0, self.limits);
        if let Some(Command::Odds(args)) = &mut cli.command {
            args.digits = args.digits.or(self.digits);
        }
    }
}

fn one_of<T: ValueEnum>(name: &str, value: &str) -> Result<T, String> {
    T::from_str(value, true).map_err(|_| {
        let all = T::value_variants().iter().filter_map(ValueEnum::to_possible_value);
        let all: Vec<String> = all.map(|value| value.get_name().to_owned()).collect();
        format!("{name} is one of {}, not {value:?}", all.join(", "))
    })
}

fn truth(name: &str, value: &str) -> Result<bool, String> {
    value.parse().map_err(|_| format!("{name} is true or false, not {value:?}"))
}
