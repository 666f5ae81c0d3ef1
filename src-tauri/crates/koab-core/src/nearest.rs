//! Names that a mistyped or shortened name may mean.

use strsim::osa_distance;

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
                let whole = osa_distance(&word, &other);
                let beginning: String = other.chars().take(chars).collect();
                match osa_distance(&word, &beginning) {
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

/// Name in lower case, with `_` for the characters that a folder's name replaces.
fn plain(name: &str) -> String {
    name.to_lowercase().replace(['/', ':', '@', ' '], "_")
}

#[cfg(test)]
mod tests {
    use super::*;

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
