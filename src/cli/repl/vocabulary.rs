//! The words that can be completed, with what they mean.

/// A word, and what it does.
pub type Entry = (&'static str, &'static str);

/// Steps, behind dice.
pub const STEPS: [Entry; 27] = [
    ("kh", "keep the highest: 4d6kh3"),
    ("kl", "keep the lowest: 2d20kl1"),
    ("dh", "drop the highest: 4d6dh1"),
    ("dl", "drop the lowest: 4d6dl1"),
    ("ro", "reroll once: 4d6ro1"),
    ("rb", "reroll once, the better stands: 1d20rb1"),
    ("mi", "lower dice count as: 4d6mi2"),
    ("ma", "higher dice count as: 4d6ma5"),
    ("c", "count dice that meet: 5d10c>=8"),
    ("f", "take dice that meet from the count: 5d10c>=8f1"),
    ("r", "reroll: 4d6r1"),
    ("sa", "show in ascending order"),
    ("sd", "show in descending order"),
    ("lim", "at most so often for each die: 4d6!lim2"),
    ("keep highest", "4d6 keep highest 3"),
    ("keep lowest", "2d20 keep lowest 1"),
    ("drop highest", "4d6 drop highest 1"),
    ("drop lowest", "4d6 drop lowest 1"),
    ("explode", "the top face adds another die: 3d6 explode"),
    ("compound", "the top face grows the die: 3d6 compound"),
    ("penetrate", "explode, each extra is worth 1 less: 3d6 penetrate"),
    ("reroll", "4d6 reroll 1"),
    ("reroll once", "4d6 reroll once 1"),
    ("count", "5d10 count >=8"),
    ("fail", "5d10 count >=8 fail 1"),
    ("at least", "4d6 at least 2"),
    ("at most", "4d6 at most 5"),
];

/// Functions.
pub const FUNCTIONS: [Entry; 8] = [
    ("floor(", "round down"),
    ("ceil(", "round up"),
    ("round(", "round to the nearest"),
    ("trunc(", "round towards zero"),
    ("abs(", "without its sign"),
    ("min(", "the lowest of several"),
    ("max(", "the highest of several"),
    ("sign(", "-1, 0 or 1"),
];

/// Commands of the prompt.
pub const COMMANDS: [Entry; 8] = [
    (":odds", "the chance of every total, of this or the last roll"),
    (":explain", "this or the last roll in words"),
    (":seed", "the seed of this session, or begin again with another"),
    (":stats", "this session's dice against expectation"),
    (":names", "what is set"),
    (":forget", "forget a name"),
    (":help", "this list"),
    (":quit", "leave, as Ctrl-D does"),
];
