//! Names that a mistyped or shortened name may mean.

/// Maximum number of names in an answer.
const MAX_NAMES: usize = 3;

/// Minimum length of a word that is looked for inside of names.
const MIN_INNER_CHARS: usize = 3;

/// Minimum length of a word that may be a mistyped beginning.
const MIN_PART_CHARS: usize = 6;

/// Names that a word may mean, the most similar first and at most three.
///
/// Names that begin with the word come before all others, then names that contain it, then names
/// that differ from it by few letters, then names whose beginning does. Only the best of these
/// kinds is returned. Letter case and the characters that a folder's name replaces do not matter.
pub fn nearest<'a>(word: &str, names: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let word = plain(word);
    let chars = word.chars().count();
    if chars == 0 {
        return Vec::new();
    }
    let max_distance = (chars / 3).max(1);
    let mut ranked: Vec<(u8, usize, &str)> = names
        .into_iter()
        .filter_map(|name| {
            let other = plain(name);
            let rank = if other.starts_with(&word) {
                (0, other.chars().count())
            } else if chars >= MIN_INNER_CHARS && other.contains(&word) {
                (1, other.chars().count())
            } else {
                let whole = distance(&word, &other);
                let beginning: String = other.chars().take(chars).collect();
                match distance(&word, &beginning) {
                    part if whole > max_distance && chars >= MIN_PART_CHARS => (3, part),
                    _ => (2, whole),
                }
            };
            (rank.0 < 2 || rank.1 <= max_distance).then_some((rank.0, rank.1, name))
        })
        .collect();
    ranked.sort_unstable();
    ranked.dedup();
    let best = ranked.first().map(|(kind, ..)| *kind);
    let of_best = ranked.into_iter().filter(|(kind, ..)| Some(*kind) == best);
    of_best.take(MAX_NAMES).map(|(.., name)| name).collect()
}

/// The only name that begins with the word; `None` if no name or several names do.
pub fn only_beginning<'a>(word: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let word = plain(word);
    let mut names = names.into_iter().filter(|name| !word.is_empty() && plain(name).starts_with(&word));
    let name = names.next()?;
    names.all(|other| other == name).then_some(name)
}

/// Number of letters to insert, remove, replace or swap with a neighbour, to make one text from the
/// other.
pub fn distance(one: &str, other: &str) -> usize {
    let one: Vec<char> = one.chars().collect();
    let other: Vec<char> = other.chars().collect();
    let mut before: Vec<usize> = Vec::new();
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (i, letter) in one.iter().enumerate() {
        let mut next = vec![i + 1];
        for (j, second) in other.iter().enumerate() {
            let replaced = row[j] + usize::from(letter != second);
            let mut least = replaced.min(row[j + 1] + 1).min(next[j] + 1);
            if i > 0 && j > 0 && *letter == other[j - 1] && one[i - 1] == *second {
                least = least.min(before[j - 1] + 1);
            }
            next.push(least);
        }
        before = std::mem::replace(&mut row, next);
    }
    row[other.len()]
}

/// Name in lower case, with `_` for the characters that a folder's name replaces.
fn plain(name: &str) -> String {
    name.to_lowercase().replace(['/', ':', '@', ' '], "_")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn swapped_letters_are_one_change() {
        let cases = [
            ("", "abc", 3),
            ("score", "socre", 1),
            ("import", "imprt", 1),
            ("list", "lint", 1),
            ("a", "a", 0),
        ];
        for (one, other, expected) in cases {
            assert_eq!((distance(one, other), distance(other, one)), (expected, expected), "{one} {other}");
        }
    }

    #[test]
    fn beginnings_come_before_contained_words_and_these_before_typing_errors() {
        let names = ["azure_gpt-5_20251219", "azure_gpt-4o_20251219", "gpt-5-mini", "baseline_golden"];
        assert_eq!(nearest("gpt-5", names), ["gpt-5-mini"]);
        assert_eq!(nearest("Azure/GPT-5", names), ["azure_gpt-5_20251219"]);
        assert_eq!(nearest("4o", names), Vec::<&str>::new());
        assert_eq!(nearest("gpt-4o", names), ["azure_gpt-4o_20251219"]);
        assert_eq!(nearest("baselin_goldn", names), ["baseline_golden"]);
        assert_eq!(nearest("azuer_gpt-5", names), ["azure_gpt-5_20251219", "azure_gpt-4o_20251219"]);
        assert_eq!(nearest("", names), Vec::<&str>::new());
        assert_eq!(only_beginning("azure/gpt-5", names), Some("azure_gpt-5_20251219"));
        assert_eq!(only_beginning("azure", names), None);
    }
}
