//! Parts of texts that show why an attempt matches.

use koab_core::find::{Filter, TextField, TextRelation, fold};
use std::ops::Range;

/// Part of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Excerpt {
    /// Field of the text. An argument has its name.
    pub field: TextField,
    /// Number of the message or call, from 1; 0 where there is only one.
    pub number: u32,
    /// The part. Spaces replace line ends.
    pub text: String,
    /// Whether the text has more before the part.
    pub cut_before: bool,
    /// Whether the text has more after the part.
    pub cut_after: bool,
    /// Places of the value that was searched for, counted in characters.
    pub marks: Vec<Range<usize>>,
}

/// Number of characters that are shown before the first mark.
const BEFORE_CHARS: usize = 30;
/// Number of characters of an excerpt, unless the mark is longer.
const EXCERPT_CHARS: usize = 120;
/// Maximum number of excerpts of an attempt.
const MAX_EXCERPTS: usize = 3;

/// Excerpts of an attempt's texts for these filters.
pub(super) fn excerpts(filters: &[&Filter], texts: &[(TextField, u32, String)]) -> Vec<Excerpt> {
    let mut excerpts: Vec<Excerpt> = Vec::new();
    for filter in filters {
        let (field, relation, value) = match filter {
            Filter::Anywhere(value) => (None, TextRelation::Contains, value),
            Filter::Text { field, relation, value } => (Some(field), *relation, value),
            _ => continue,
        };
        let in_field = texts.iter().filter(|(of, ..)| field.is_none_or(|field| includes(field, of)));
        let mut matching = in_field.filter_map(|(of, number, text)| {
            let marks = marks(text, relation, value);
            (!marks.is_empty()).then(|| around(of, *number, text, &marks))
        });
        if let Some(excerpt) = matching.next()
            && !excerpts.contains(&excerpt)
            && excerpts.len() < MAX_EXCERPTS
        {
            excerpts.push(excerpt);
        }
    }
    if excerpts.is_empty() {
        excerpts.extend(texts.first().map(|(of, number, text)| around(of, *number, text, &[])));
    }
    excerpts
}

/// Whether a filter's field includes the field of a text.
fn includes(field: &TextField, of: &TextField) -> bool {
    match (field, of) {
        (TextField::Argument(None), TextField::Argument(_)) => true,
        (TextField::Argument(Some(name)), TextField::Argument(Some(of))) => fold(name) == fold(of),
        (field, of) => field == of,
    }
}

/// Places of a value in a text, in characters.
fn marks(text: &str, relation: TextRelation, value: &str) -> Vec<Range<usize>> {
    let (folded, value) = (fold(text), fold(value));
    if relation == TextRelation::Equals {
        let whole = 0..text.chars().count();
        return if folded == value { vec![whole] } else { Vec::new() };
    }
    if !folded.contains(&value) {
        return Vec::new();
    }
    // Index of the character in the text for each byte of the folded text.
    let mut characters = Vec::with_capacity(folded.len());
    for (i, c) in text.chars().enumerate() {
        let bytes = fold(c.encode_utf8(&mut [0; 4])).len();
        characters.extend(std::iter::repeat_n(i, bytes));
    }
    let matches = folded.match_indices(&value);
    let last = |at: usize| characters.get(at + value.len() - 1).map_or(0, |i| i + 1);
    matches.map(|(at, _)| characters.get(at).copied().unwrap_or(0)..last(at)).collect()
}

/// Part of a text around its first mark.
fn around(field: &TextField, number: u32, text: &str, marks: &[Range<usize>]) -> Excerpt {
    let first = marks.first().cloned().unwrap_or(0..0);
    let start = first.start.saturating_sub(BEFORE_CHARS);
    let length = EXCERPT_CHARS.max(first.end - start);
    let mut characters = text.chars().skip(start);
    let part: String =
        characters.by_ref().take(length).map(|c| if c.is_control() { ' ' } else { c }).collect();
    let end = start + part.chars().count();
    let inside = marks.iter().filter(|mark| mark.end <= end);
    Excerpt {
        field: field.clone(),
        number,
        cut_before: start > 0,
        cut_after: characters.next().is_some(),
        marks: inside.map(|mark| mark.start - start..mark.end - start).collect(),
        text: part,
    }
}
