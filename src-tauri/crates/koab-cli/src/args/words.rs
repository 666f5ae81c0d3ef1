//! Parsers of option values that are types of the engine.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use koab_api::MetricId;

/// A word that an option accepts, its help text, and the value that it selects.
pub(super) type Word<T> = (&'static str, &'static str, T);

/// Help text that hides a word from the help. Such a word is a synonym of another one.
pub(super) const HIDDEN: &str = "hidden";

/// Parser that accepts one of these words.
pub(super) fn one_of<T>(words: &'static [Word<T>]) -> impl TypedValueParser<Value = T>
where
    T: Copy + Send + Sync + 'static,
{
    let possible = words.iter().map(|(word, help, _)| {
        let possible = PossibleValue::new(*word).hide(*help == HIDDEN);
        if help.is_empty() { possible } else { possible.help(*help) }
    });
    PossibleValuesParser::new(possible).try_map(|text| {
        let word = words.iter().find(|(name, ..)| *name == text);
        word.map(|(.., value)| *value).ok_or("no such word")
    })
}

/// Parses the name of a metric.
pub(crate) fn metric(text: &str) -> Result<MetricId, String> {
    let metric = MetricId::ALL.into_iter().find(|candidate| candidate.name().eq_ignore_ascii_case(text));
    metric.ok_or_else(|| {
        let names: Vec<&str> = MetricId::ALL.into_iter().map(MetricId::name).collect();
        format!("there are {}", names.join(", "))
    })
}

/// Parses a share: points such as `5pp`, with or without `±`, or a number such as `0.05`.
pub(crate) fn points(text: &str) -> Result<f64, String> {
    let text = text.trim_start_matches('±').trim_start_matches("+-");
    let (number, scale) = match text.strip_suffix("pp") {
        Some(number) => (number, 100.0),
        None => (text, 1.0),
    };
    match number.trim().parse::<f64>().map(|number| number / scale) {
        Ok(share) if share > 0.0 && share < 1.0 => Ok(share),
        _ => Err("give points, such as 5pp, or a share between 0 and 1, such as 0.05".to_owned()),
    }
}
