//! Which word was meant. It knows nothing of dice; the reader of grammars asks it too.

/// The nearest of some words, at most two edits away and less than half of the word.
pub(crate) fn nearest<'w>(word: &str, among: &[&'w str]) -> Option<&'w str> {
    let most = if word.len() <= 2 {
        0
    } else if word.len() <= 4 {
        1
    } else {
        2
    };
    let best = among.iter().map(|candidate| (distance(word, candidate), *candidate)).min()?;
    (best.0 > 0 && best.0 <= most).then_some(best.1)
}

/// The number of insertions, deletions, replacements and swaps of neighbours between two words (optimal string
/// alignment).
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    if a.len().abs_diff(b.len()) > 2 {
        return usize::MAX;
    }
    let mut rows = vec![(0..=b.len()).collect::<Vec<usize>>()];
    for (i, x) in a.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, y) in b.iter().enumerate() {
            let mut best = (rows[i][j] + usize::from(x != y)).min(rows[i][j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && *x == b[j - 1] && a[i - 1] == *y {
                best = best.min(rows[i - 1][j - 1] + 1);
            }
            row.push(best);
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::{distance, nearest};

    #[test]
    fn distances() {
        let table = [
            ("florr", "floor", 1),
            ("floor", "floor", 0),
            ("maxx", "max", 1),
            ("exlpode", "explode", 1),
            ("a", "abcd", usize::MAX),
        ];
        for (a, b, expected) in table {
            assert_eq!(distance(a, b), expected, "{a} {b}");
        }
        assert_eq!(nearest("florr", &["ceil", "floor"]), Some("floor"));
        assert_eq!(nearest("zz", &["max"]), None);
    }
}
