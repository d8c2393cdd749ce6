//! Reads a card file.

use super::card::{self, Art, Funktion, Karte, Stand, TRENNER};
use super::error::{CardError, CardErrorKind};

/// One `<!-- name -->` with the lines below it.
struct Section {
    line: usize,
    name: String,
    body: Vec<String>,
}

impl Section {
    fn text(&self) -> String {
        self.body.join("\n").trim().to_string()
    }

    fn title(&self) -> Result<String, CardError> {
        let text = self.text();
        if text.is_empty() {
            return Err(CardError::at(self.line, CardErrorKind::NoTitle));
        }
        if text.contains('\n') {
            return Err(CardError::at(self.line, CardErrorKind::SeveralLines(text)));
        }
        Ok(text)
    }

    fn entries(&self) -> Vec<String> {
        let entries = self.body.iter().map(|line| card::unmarked(line));
        entries.filter(|entry| !entry.is_empty()).map(str::to_string).collect()
    }

    fn wrong(&self, kind: fn(String) -> CardErrorKind) -> CardError {
        CardError::at(self.line, kind(self.name.clone()))
    }
}

/// Reads a card file: the exact inverse of [`Karte::render`]. Lines of a list without a
/// marker are taken as they are, blank lines of a list are dropped.
///
/// # Errors
/// The first mistake, with its line.
pub fn parse(text: &str) -> Result<Karte, CardError> {
    let mut card = Karte::default();
    let mut seen = Vec::new();
    for part in parts(text)? {
        let Some(first) = part.first() else { continue };
        if first.name == "funktion" {
            let function = function(&part)?;
            if card.function(&function.titel).is_some() {
                let kind = CardErrorKind::DuplicateFunction(function.titel);
                return Err(CardError::at(first.line, kind));
            }
            card.funktionen.push(function);
            continue;
        }
        for section in &part {
            once(&mut seen, section)?;
            match section.name.as_str() {
                "titel" => card.titel = section.title()?,
                "art" => card.art = kind(section)?,
                "ziel" => card.ziel = section.text(),
                "regeln" => card.regeln = section.entries(),
                "funktion" | "stand" | "testen" => {
                    return Err(section.wrong(CardErrorKind::MisplacedSection));
                }
                _ => return Err(section.wrong(CardErrorKind::UnknownSection)),
            }
        }
    }
    card.check()?;
    Ok(card)
}

fn function(part: &[Section]) -> Result<Funktion, CardError> {
    let mut function = Funktion {
        titel: String::new(),
        ziel: String::new(),
        regeln: Vec::new(),
        testen: Vec::new(),
        stand: Stand::Gebaut,
    };
    let mut seen = Vec::new();
    for section in part {
        once(&mut seen, section)?;
        match section.name.as_str() {
            "funktion" => function.titel = section.title()?,
            "stand" => function.stand = status(section)?,
            "ziel" => function.ziel = section.text(),
            "regeln" => function.regeln = section.entries(),
            "testen" => function.testen = section.entries(),
            "titel" | "art" => return Err(section.wrong(CardErrorKind::MisplacedSection)),
            _ => return Err(section.wrong(CardErrorKind::UnknownSection)),
        }
    }
    Ok(function)
}

fn once(seen: &mut Vec<String>, section: &Section) -> Result<(), CardError> {
    if seen.contains(&section.name) {
        return Err(section.wrong(CardErrorKind::DuplicateSection));
    }
    seen.push(section.name.clone());
    Ok(())
}

fn kind(section: &Section) -> Result<Art, CardError> {
    let text = section.text();
    Art::read(&text).ok_or_else(|| CardError::at(section.line, CardErrorKind::UnknownKind(text)))
}

fn status(section: &Section) -> Result<Stand, CardError> {
    let text = section.text();
    [Stand::Offen, Stand::Gebaut]
        .into_iter()
        .find(|status| status.name() == text)
        .ok_or_else(|| CardError::at(section.line, CardErrorKind::UnknownStatus(text)))
}

/// The parts between separators, each as its sections.
fn parts(text: &str) -> Result<Vec<Vec<Section>>, CardError> {
    let text = text.strip_prefix('\u{FEFF}').unwrap_or(text);
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let mut parts: Vec<Vec<Section>> = vec![Vec::new()];
    for (n, line) in text.split('\n').enumerate() {
        let line_number = n + 1;
        if line.trim() == TRENNER {
            parts.push(Vec::new());
            continue;
        }
        let Some(part) = parts.last_mut() else { continue };
        if let Some(name) = card::marker(line) {
            let section = Section { line: line_number, name: name.to_string(), body: Vec::new() };
            part.push(section);
        } else if let Some(section) = part.last_mut() {
            section.body.push(line.to_string());
        } else if !line.trim().is_empty() {
            let kind = CardErrorKind::TextWithoutSection(line.trim().to_string());
            return Err(CardError::at(line_number, kind));
        }
    }
    Ok(parts)
}

/// Reads the block of one function, as [`Funktion::render`] writes it. The status is
/// `offen` whatever the block says.
///
/// # Errors
/// When the block is not exactly one function.
pub fn parse_open_function(block: &str) -> Result<Funktion, CardError> {
    let card = parse(&format!("<!-- titel -->\nx\n{TRENNER}\n{block}\n"))?;
    let [function] = card.funktionen.as_slice() else {
        return Err(CardErrorKind::NoTitle.into());
    };
    let rest =
        Karte { titel: "x".to_string(), funktionen: card.funktionen.clone(), ..Karte::default() };
    if card != rest {
        return Err(CardErrorKind::MisplacedSection(function.titel.clone()).into());
    }
    Ok(Funktion { stand: Stand::Offen, ..function.clone() })
}
