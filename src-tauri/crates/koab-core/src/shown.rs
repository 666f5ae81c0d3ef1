//! Formatting of figures for people.
//!
//! The terminal, exported pages, texts with published files and the window share these rules; the
//! window implements them in `ui/src/shared/format.ts`. `shown/cases.json` tests both.
//!
//! The decimal expansion of the f64 is rounded to the nearest, halves to the even digit, as Rust's
//! and Python's formatting do. A value that rounds to zero has no sign. Files for other programs
//! contain unrounded numbers and do not use this module.

use crate::score::composite::CompositeVariant;
use crate::sentence::Language;
use crate::text;
use std::cmp::Ordering;

/// Text for a missing figure, which is never shown as 0.
pub const NONE: &str = "—";
/// Number of decimals of a score, a mean or a composite score.
const SCORE_DECIMALS: usize = 4;
/// Number of decimals for the ends of an interval. The width of an interval makes a fourth decimal
/// meaningless.
const END_DECIMALS: usize = 3;
/// The smallest p value that is shown as a number.
const MIN_P: f64 = 0.0001;

/// Name of a metric for people.
///
/// The published pass@k counts attempts that ended with an answer, right or not, so its name here
/// adds this. The pass@k of repetitions counts successes.
pub fn metric(name: &str, language: Language) -> &str {
    match name {
        "pass@k" => language.text(text!("pass@k (answered)")),
        _ => name,
    }
}

/// Name of a reading of the composite for people. A name that this version does not know is
/// returned as it is.
pub fn composite(variant: &str, language: Language) -> &str {
    CompositeVariant::named(variant).map_or(variant, |known| language.text(known.title()))
}

/// A number of bytes with a unit, such as `1.5 MB`.
pub fn bytes(count: u64) -> String {
    let units = [(1e12, "TB"), (1e9, "GB"), (1e6, "MB"), (1e3, "kB")];
    match units.into_iter().find(|(size, _)| count as f64 >= *size) {
        Some((size, unit)) => format!("{:.1} {unit}", count as f64 / size),
        None => format!("{count} B"),
    }
}

/// `value` with exactly `decimals` decimals; a negative number has the typographic minus sign
/// (U+2212).
pub fn fixed(value: f64, decimals: usize) -> String {
    let text = format!("{value:.decimals$}");
    match text.strip_prefix('-') {
        Some(size) if is_zero(size) => size.to_owned(),
        Some(size) => format!("−{size}"),
        None => text,
    }
}

/// `value` with exactly `decimals` decimals and its sign, `+` or `−`; zero has no sign.
pub fn signed(value: f64, decimals: usize) -> String {
    let text = fixed(value, decimals);
    match value.partial_cmp(&0.0) {
        Some(Ordering::Greater) if !is_zero(&text) => format!("+{text}"),
        _ => text,
    }
}

/// A score, a mean or a composite score, such as `0.6724`.
pub fn score(value: Option<f64>) -> String {
    value.map_or_else(|| NONE.to_owned(), |value| fixed(value, SCORE_DECIMALS))
}

/// The difference of two scores, such as `+0.0310`.
pub fn difference(value: Option<f64>) -> String {
    value.map_or_else(|| NONE.to_owned(), |value| signed(value, SCORE_DECIMALS))
}

/// The ends of a score's interval, such as `[0.612, 0.823]`.
pub fn ends(low: f64, high: f64) -> String {
    format!("[{}, {}]", fixed(low, END_DECIMALS), fixed(high, END_DECIMALS))
}

/// The ends of a difference's interval, such as `[−0.062, +0.031]`.
pub fn ends_of_difference(low: f64, high: f64) -> String {
    let [low, high] = both_ends_of_difference(low, high);
    format!("[{low}, {high}]")
}

/// The two ends of a difference's interval, with signs, for a sentence.
pub fn both_ends_of_difference(low: f64, high: f64) -> [String; 2] {
    [low, high].map(|end| signed(end, END_DECIMALS))
}

/// A p value with four decimals, or `<0.0001`.
pub fn p_value(p: Option<f64>) -> String {
    match p {
        None => NONE.to_owned(),
        Some(p) if p < MIN_P => format!("<{}", fixed(MIN_P, SCORE_DECIMALS)),
        Some(p) => fixed(p, SCORE_DECIMALS),
    }
}

/// A share as a percentage, such as `12.5 %`.
pub fn percent(share: f64, decimals: usize) -> String {
    format!("{} %", fixed(share * 100.0, decimals))
}

/// A coefficient of agreement or correlation, such as `0.412`.
pub fn coefficient(value: f64) -> String {
    fixed(value, END_DECIMALS)
}

/// The size of an effect, such as `+0.31`.
pub fn effect(value: f64) -> String {
    signed(value, 2)
}

fn is_zero(digits: &str) -> bool {
    digits.bytes().all(|digit| matches!(digit, b'0' | b'.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The tests of `ui/src/shared/format.ts` also read `shown/cases.json`.
    #[test]
    fn every_case_of_the_table_is_written_as_it_says() {
        let cases: Vec<[String; 3]> = serde_json::from_str(include_str!("shown/cases.json")).unwrap();
        assert!(cases.len() >= 40, "only {} cases", cases.len());
        for [what, value, text] in cases {
            let value: f64 = value.parse().unwrap();
            let found = match what.as_str() {
                "score" => score(Some(value)),
                "difference" => difference(Some(value)),
                "end" => fixed(value, END_DECIMALS),
                "end of a difference" => signed(value, END_DECIMALS),
                "p" => p_value(Some(value)),
                "percent" => percent(value, 1),
                "whole percent" => percent(value, 0),
                "coefficient" => coefficient(value),
                "effect" => effect(value),
                other => panic!("no such figure: {other}"),
            };
            assert_eq!(found, text, "{what} of {value}");
        }
    }
}
