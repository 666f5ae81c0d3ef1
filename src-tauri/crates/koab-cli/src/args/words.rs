//! Words of options that stand for values of the engine's own types.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

/// A word, its line in the help, and what it stands for.
pub(super) type Word<T> = (&'static str, &'static str, T);

/// Takes one of these words.
pub(super) fn one_of<T>(words: &'static [Word<T>]) -> impl TypedValueParser<Value = T>
where
    T: Copy + Send + Sync + 'static,
{
    let possible = words.iter().map(|(word, help, _)| {
        let possible = PossibleValue::new(*word);
        if help.is_empty() {
            possible
        } else {
            possible.help(*help)
        }
    });
    PossibleValuesParser::new(possible).try_map(|said| {
        let found = words.iter().find(|(word, ..)| *word == said);
        found.map(|(.., value)| *value).ok_or("no such word")
    })
}
