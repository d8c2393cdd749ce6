//! What the model is told. The parts are joined, never searched and replaced: a card may
//! hold any text without being taken for a part of the prompt.

use serde::Serialize;
use serde_json::ser::{PrettyFormatter, Serializer};

use crate::cards::card::Art;
use crate::cards::propose::Bestand;
use crate::cards::sektionen::Spec;
use crate::cards::style;
use crate::history::{Eintrag, Rolle};

const TASK: &str = r#"You and a person work out the cards of a software project together.

A card is an order: somebody wants a problem solved. Its rules and functions are the
solution. A function is anything that can be tried on its own. How something is built has no
place on a card; how a person uses it always has.

Using a program is more than clicking. Setting it up, installing and starting it are
functions too, and what triggers them is a command. Write the command exactly as it is typed,
in quotation marks, as in: run "make install". What the command does inside stays off the
card."#;

/// Told when the model can read the source code.
pub const WITH_CODE: &str = "The source code of the project is in your working directory. \
You can read and search it, and you must whenever your draft depends on how things are today: \
whether a function exists already, what a control is called, what an action really sets off. \
Look it up instead of guessing.

What you find there is evidence, not text for a card: a card only says what a person notices. \
If your answer rests on a file, name the file in the answer.

If code and cards disagree, do not quietly change the card. Say in one sentence what you \
found and ask which of the two is right.";

/// Told when the model cannot read the source code.
pub const WITHOUT_CODE: &str = "No working directory is set for this project, so you cannot \
see its source code. All you know about what the project does today is on the cards below; \
claim nothing beyond them.";

const FORM: &str = r#"Your answer is one JSON object and nothing else:

{"antwort": "...", "karten": [
 {"titel": "...", "art": "kern", "ziel": "...", "regeln": ["..."],
  "funktionen": [{"titel": "...", "ziel": "...", "regeln": ["..."], "testen": ["..."]}]}
], "entfernen": []}

- antwort: what you say to the person, in the language the person writes, four sentences at
  the most
- karten: only cards that are to change or to be added, each COMPLETE, the way it should be
  afterwards. The state above has the same form: copy the card from there and change what has
  to change and nothing else. A line that you do not copy word for word counts as deleted.
- art: "kern" if the program cannot run without the card, otherwise "optional"
- ziel and regeln may be empty
- testen is required for each function: the steps by which one tries it. If you do not know
  them, the function is not ready for the card; ask for them
- entfernen: titles of whole cards that are to go, almost always empty

If nothing is to change, karten is empty. Change only what was asked for and leave out every
card that nobody mentioned."#;

const CONDUCT: &str = r#"Messages come in two kinds, and you treat them differently.

A question wants an answer and no draft. "How does this work today?", "Is anything left to
do?", "What is this for?": answer in words, and karten stays empty. Touching a card without
being asked is a mistake, even if you notice something. Say it in one sentence and ask whether
it should go on a card.

A wish wants a draft. As soon as something is to be different or new, put the cards beside it
as they would be. If a detail is missing, ask for it and give a draft all the same: a draft
shows at once what you misunderstood, and it counts only when the person accepts it.

Never hand a wish back as a question. Somebody who asks for names, of commands, functions or
cards, gets names: the usual ones for a program of this kind, with one sentence about what you
go by and the question what does not fit. That you cannot suggest anything is not an answer.

If something does not belong on a card, say in one sentence where it belongs instead.

About what the project does today you say only what is true and invent nothing. A draft of
something new is yours to make."#;

const LAST_WORD: &str = "Answer with the JSON object alone, with no text before or after it.";

/// Asked for after an answer that could not be used.
pub const AGAIN: &str = "That was not usable as an answer. Write it again, as the JSON object \
described above and nothing else: no introduction, no closing words, no fences.";

/// How much of an unusable answer is shown to the model again, in characters.
pub const EXCERPT: usize = 2000;

/// The system prompt.
#[must_use]
pub fn system(with_code: bool, cards: &[Bestand]) -> String {
    let code = if with_code { WITH_CODE } else { WITHOUT_CODE };
    let state = format!("The state today:\n\n{}", state(cards));
    [TASK, code, &style::catalogues(), &state, FORM, CONDUCT].join("\n\n")
}

/// The cards in the form in which the model answers, the vision in words above them.
#[must_use]
pub fn state(cards: &[Bestand]) -> String {
    let (visions, cards): (Vec<_>, Vec<_>) =
        cards.iter().map(|card| &card.karte).partition(|card| card.art == Art::Vision);
    let specs: Vec<Spec<'_>> = cards.into_iter().map(Spec::from).collect();
    let list = if specs.is_empty() { "There are no cards yet.".to_string() } else { json(&specs) };
    match visions.iter().find(|card| !card.ziel.is_empty()) {
        Some(vision) => {
            format!("What the project is meant to be:\n\n{}\n\nThe cards:\n\n{list}", vision.ziel)
        }
        None => list,
    }
}

fn json(specs: &[Spec<'_>]) -> String {
    let mut bytes = Vec::new();
    let formatter = PrettyFormatter::with_indent(b" ");
    match specs.serialize(&mut Serializer::with_formatter(&mut bytes, formatter)) {
        Ok(()) => String::from_utf8_lossy(&bytes).into_owned(),
        Err(_) => String::new(),
    }
}

/// The message: what was said, and what is said now.
#[must_use]
pub fn message(history: &[Eintrag], text: &str) -> String {
    let said = history.iter().map(|entry| match entry.rolle {
        Rolle::Person => format!("Person: {}", entry.text),
        Rolle::Ki => format!("You: {}", entry.text),
    });
    let mut said = said.collect::<Vec<_>>().join("\n\n");
    if said.is_empty() {
        said = "Nothing has been said yet.".to_string();
    }
    format!("{said}\n\nThe person's new message:\n{text}\n\n{LAST_WORD}")
}

/// The message after an answer that could not be used, with the reason.
#[must_use]
pub fn again(message: &str, answer: &str, reason: &str) -> String {
    let excerpt: String = answer.chars().take(EXCERPT).collect();
    format!("{message}\n\nYour last attempt was:\n{excerpt}\n\n{reason}\n{AGAIN}")
}
