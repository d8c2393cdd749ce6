//! A card and its functions, their normal form, and the file they are written as.

use super::error::{CardError, CardErrorKind};

/// The line between the parts of a card file: 40 dashes.
pub const TRENNER: &str = "----------------------------------------";

/// What a card is to its project.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Art {
    /// The program cannot run without it.
    #[default]
    Kern,
    /// The program runs without it.
    Optional,
    /// What the project is meant to become; written by a person only.
    Vision,
}

impl Art {
    /// The word in the card file.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Art::Kern => "kern",
            Art::Optional => "optional",
            Art::Vision => "vision",
        }
    }

    /// Reads the word, whatever its case and the blanks around it.
    #[must_use]
    pub fn read(text: &str) -> Option<Art> {
        let word = text.trim().to_lowercase();
        [Art::Kern, Art::Optional, Art::Vision].into_iter().find(|art| art.name() == word)
    }
}

/// Whether a function exists in the code. Only code sets it, never the text of a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stand {
    /// Ordered, not yet built.
    Offen,
    /// Built and judged.
    Gebaut,
}

impl Stand {
    /// The word in the card file.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Stand::Offen => "offen",
            Stand::Gebaut => "gebaut",
        }
    }
}

/// One card: a problem to solve, by rules and functions.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Karte {
    /// Its name, one line, unique in the project whatever the case.
    pub titel: String,
    /// What it is to the project.
    pub art: Art,
    /// What it is for; may be empty or several lines.
    pub ziel: String,
    /// Rules, one line each.
    pub regeln: Vec<String>,
    /// Functions, titles unique.
    pub funktionen: Vec<Funktion>,
}

/// Something that can be tested on its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Funktion {
    /// What one does, one line.
    pub titel: String,
    /// What it is for; may be empty or several lines.
    pub ziel: String,
    /// Rules, one line each.
    pub regeln: Vec<String>,
    /// How it is tried, one line each.
    pub testen: Vec<String>,
    /// Whether it is built.
    pub stand: Stand,
}

impl Funktion {
    /// Whether two functions promise the same, whatever their titles and their status.
    #[must_use]
    pub fn same_body(&self, other: &Funktion) -> bool {
        self.ziel == other.ziel && self.regeln == other.regeln && self.testen == other.testen
    }

    fn normalised(&self) -> Funktion {
        Funktion {
            titel: text(&self.titel),
            ziel: text(&self.ziel),
            regeln: entries(&self.regeln),
            testen: entries(&self.testen),
            stand: self.stand,
        }
    }

    fn check(&self) -> Result<(), CardError> {
        check_title(&self.titel)?;
        check_text(&self.ziel)?;
        self.regeln.iter().chain(&self.testen).try_for_each(|line| check_line(line))
    }

    /// The block of this function in a card file, without a closing newline.
    ///
    /// # Errors
    /// When a value would not survive being written and read again.
    pub fn render(&self) -> Result<String, CardError> {
        let function = self.normalised();
        function.check()?;
        Ok(function.block())
    }

    fn block(&self) -> String {
        let mut block = section("funktion", &self.titel);
        if self.stand == Stand::Offen {
            block += &format!("\n{}", section("stand", Stand::Offen.name()));
        }
        if !self.ziel.is_empty() {
            block += &format!("\n{}", section("ziel", &self.ziel));
        }
        for (name, lines) in [("regeln", &self.regeln), ("testen", &self.testen)] {
            if !lines.is_empty() {
                block += &format!("\n{}", section(name, &list(lines)));
            }
        }
        block
    }
}

impl Karte {
    /// The card with line ends unified, blanks at the ends cut and empty entries dropped:
    /// what is left after writing and reading it again.
    #[must_use]
    pub fn normalised(&self) -> Karte {
        Karte {
            titel: text(&self.titel),
            art: self.art,
            ziel: text(&self.ziel),
            regeln: entries(&self.regeln),
            funktionen: self.funktionen.iter().map(Funktion::normalised).collect(),
        }
    }

    /// Checks that no value can be taken for structure.
    ///
    /// # Errors
    /// The first mistake found.
    pub fn check(&self) -> Result<(), CardError> {
        check_title(&self.titel)?;
        check_text(&self.ziel)?;
        self.regeln.iter().try_for_each(|line| check_line(line))?;
        for (n, function) in self.funktionen.iter().enumerate() {
            function.check()?;
            if self.funktionen[..n].iter().any(|earlier| earlier.titel == function.titel) {
                return Err(CardErrorKind::DuplicateFunction(function.titel.clone()).into());
            }
        }
        Ok(())
    }

    /// The card file: the exact inverse of [`parse`](super::parse::parse) on normal cards.
    ///
    /// # Errors
    /// When a value would not survive being written and read again, for example because it
    /// holds a line that the format uses itself.
    pub fn render(&self) -> Result<String, CardError> {
        let card = self.normalised();
        card.check()?;
        let mut parts = vec![section("titel", &card.titel), section("art", card.art.name())];
        if !card.ziel.is_empty() {
            parts.push(section("ziel", &card.ziel));
        }
        if !card.regeln.is_empty() {
            parts.push(section("regeln", &list(&card.regeln)));
        }
        parts.extend(card.funktionen.iter().map(Funktion::block));
        Ok(parts.join(&format!("\n{TRENNER}\n")) + "\n")
    }

    /// The function of this exact title.
    #[must_use]
    pub fn function(&self, title: &str) -> Option<&Funktion> {
        self.funktionen.iter().find(|function| function.titel == title)
    }

    /// The place of the function of this exact title.
    #[must_use]
    pub fn position(&self, title: &str) -> Option<usize> {
        self.funktionen.iter().position(|function| function.titel == title)
    }
}

/// Lines as a block, each with its marker.
#[must_use]
pub fn list(lines: &[String]) -> String {
    lines.iter().map(|line| format!("- {line}")).collect::<Vec<_>>().join("\n")
}

/// A line of a list without its marker: exactly one `- `, so that a minus sign survives.
/// A line that is nothing but a marker is empty.
#[must_use]
pub fn unmarked(line: &str) -> &str {
    let line = line.trim();
    if line == "-" { "" } else { line.strip_prefix("- ").unwrap_or(line).trim() }
}

fn section(name: &str, value: &str) -> String {
    format!("<!-- {name} -->\n{value}")
}

fn text(value: &str) -> String {
    value.replace("\r\n", "\n").replace('\r', "\n").trim().to_string()
}

fn entries(values: &[String]) -> Vec<String> {
    values.iter().map(|value| text(value)).filter(|value| !value.is_empty()).collect()
}

fn check_title(title: &str) -> Result<(), CardError> {
    if title.is_empty() {
        return Err(CardErrorKind::NoTitle.into());
    }
    check_line(title)
}

fn check_line(line: &str) -> Result<(), CardError> {
    check_text(line)?;
    if line.contains('\n') {
        return Err(CardErrorKind::SeveralLines(line.to_string()).into());
    }
    Ok(())
}

fn check_text(text: &str) -> Result<(), CardError> {
    if let Some(c) = text.chars().find(|&c| is_refused(c)) {
        return Err(CardErrorKind::CharNotAllowed(c).into());
    }
    match text.split('\n').find(|line| is_structure(line)) {
        Some(line) => Err(CardErrorKind::LineNotAllowed(line.trim().to_string()).into()),
        None => Ok(()),
    }
}

/// Whether the format uses this line itself: the separator or any marker.
#[must_use]
pub fn is_structure(line: &str) -> bool {
    let line = line.trim();
    line == TRENNER || marker(line).is_some()
}

/// The name in a line `<!-- name -->`.
#[must_use]
pub fn marker(line: &str) -> Option<&str> {
    line.trim().strip_prefix("<!--")?.strip_suffix("-->").map(str::trim)
}

/// Characters that a person who reviews a text would not see as they act: control
/// characters (which a terminal obeys), line separators, those that turn the direction of
/// text, and those that show nothing at all.
#[must_use]
pub fn is_refused(c: char) -> bool {
    let acts = matches!(c, '\u{061C}' | '\u{200E}' | '\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2066}'..='\u{206F}');
    let unseen = matches!(
        c,
        '\u{00AD}' | '\u{180E}' | '\u{200B}' | '\u{2060}'..='\u{2064}' | '\u{FEFF}' | '\u{E0000}'..='\u{E007F}'
    );
    acts || unseen || (c.is_control() && c != '\n' && c != '\t')
}
