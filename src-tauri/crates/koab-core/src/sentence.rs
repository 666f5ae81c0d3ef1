//! What the program says to people, kept as data and rendered in the language of whoever reads it.
//!
//! A [`Sentence`] is an English sentence with places and what stands in them. The sentence is its
//! own code, as in GNU gettext: where it arises it can be read, and one that a later version wrote
//! still has its English here. Its other languages are one file each, such as `messages/ko.json`,
//! from sentence to sentence with the same places in any order; a sentence that no file has stays
//! English. Nothing is ever read out of a rendered sentence.
//!
//! [`say!`](crate::say) makes one, `derive(Say)` those of an error's variants,
//! [`text!`](crate::text) one without places. All of them are known to [`sentences`], which a test
//! compares with the files. Not `fluent-bundle`: a second file of English with a code for each of
//! 2,000 sentences would stand between the place that says something and its words, and neither
//! language here has plurals to choose from.

mod arg;
mod language;

pub use arg::{Arg, NumberArg, Of, SentenceArg, ShownArg, ToSentence};
pub use inventory;
pub use language::{Language, UnknownLanguage, catalogue};

use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

/// A sentence with what stands in its places. As JSON `{"text": …, "args": {…}}`, without places
/// only its text; so what an earlier version kept, or a server said, is a sentence as well.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(from = "StoredSentence", into = "StoredSentence")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[cfg_attr(
    feature = "typescript",
    ts(export, type = "string | { text: string, args?: { [place: string]: Arg } }")
)]
pub struct Sentence {
    text: Cow<'static, str>,
    /// Shared, since most sentences have none and errors are to stay small.
    args: Option<Arc<[NamedArg]>>,
}

/// The name of a placeholder and what stands in it.
type NamedArg = (Cow<'static, str>, Arg);

/// A sentence as JSON.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum StoredSentence {
    Text(String),
    Filled(Filled),
}

/// A sentence as JSON that is not text, so that a place can tell it from a name.
#[derive(Serialize, Deserialize)]
struct Filled {
    text: String,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    args: BTreeMap<String, Arg>,
}

impl Sentence {
    /// No words at all.
    pub const EMPTY: Self = Self { text: Cow::Borrowed(""), args: None };

    /// A sentence with places in braces and what stands in each of them; [`say!`](crate::say) is
    /// the way to call it.
    pub fn new(text: &'static str, args: Vec<(&'static str, Arg)>) -> Self {
        let args = args.into_iter().map(|(name, arg)| (name.into(), arg));
        Self::filled(text.into(), args.collect())
    }

    /// Places are in the order of their names, so that a sentence is equal to itself read back.
    fn filled(text: Cow<'static, str>, mut args: Vec<NamedArg>) -> Self {
        args.sort_by(|one, other| one.0.cmp(&other.0));
        let args = (!args.is_empty()).then(|| args.into());
        Self { text, args }
    }

    fn args(&self) -> &[NamedArg] {
        self.args.as_deref().unwrap_or_default()
    }

    /// Several sentences with something between them, such as `; `.
    pub fn joined(sentences: impl IntoIterator<Item = Sentence>, between: &'static str) -> Self {
        let sentences: Vec<Sentence> = sentences.into_iter().collect();
        match <[Sentence; 1]>::try_from(sentences) {
            Ok([one]) => one,
            Err(sentences) => Self::filled(
                "{all}".into(),
                vec![("all".into(), Arg::List { list: sentences, between: between.into() })],
            ),
        }
    }

    /// The sentence in a language, English where the language does not have it.
    pub fn in_language(&self, language: Language) -> String {
        fill(language.text(&self.text), &|name| {
            let (_, arg) = self.args().iter().find(|(known, _)| known == name)?;
            Some(arg.in_language(language))
        })
    }

    /// The same sentence with every word of others in it changed, such as freed of keys.
    #[must_use]
    pub fn with_words(mut self, change: &impl Fn(&str) -> String) -> Self {
        let Some(args) = self.args.take() else {
            return change(&self.text).into();
        };
        let changed = args.iter().map(|(name, arg)| (name.clone(), arg.with_words(change)));
        Self::filled(self.text, changed.collect())
    }

    /// Whether it has no words at all.
    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// The sentence with its places open, in English.
    pub fn template(&self) -> &str {
        &self.text
    }
}

/// The text with each place filled that has something; other braces stay.
fn fill(text: &str, value: &dyn Fn(&str) -> Option<String>) -> String {
    let mut filled = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('{') {
        filled.push_str(before);
        match after.split_once('}').and_then(|(name, after)| Some((value(name)?, after))) {
            Some((value, after)) => {
                filled.push_str(&value);
                rest = after;
            }
            None => {
                filled.push('{');
                rest = after;
            }
        }
    }
    filled + rest
}

impl fmt::Display for Sentence {
    /// The English sentence.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.in_language(Language::ENGLISH))
    }
}

/// So that an [`std::io::Error`] of ours keeps its sentence.
impl std::error::Error for Sentence {}

impl Default for Sentence {
    fn default() -> Self {
        Self::EMPTY
    }
}

impl From<String> for Sentence {
    /// Words of somebody else, or a sentence that an earlier version kept.
    fn from(text: String) -> Self {
        Self::filled(text.into(), Vec::new())
    }
}

impl From<&String> for Sentence {
    fn from(text: &String) -> Self {
        text.clone().into()
    }
}

impl From<&str> for Sentence {
    fn from(text: &str) -> Self {
        text.to_owned().into()
    }
}

impl From<StoredSentence> for Sentence {
    fn from(kept: StoredSentence) -> Self {
        match kept {
            StoredSentence::Text(text) => text.into(),
            StoredSentence::Filled(filled) => filled.into(),
        }
    }
}

impl From<Sentence> for StoredSentence {
    fn from(sentence: Sentence) -> Self {
        if sentence.args.is_none() {
            StoredSentence::Text(sentence.text.into_owned())
        } else {
            StoredSentence::Filled(sentence.into())
        }
    }
}

impl From<Filled> for Sentence {
    fn from(filled: Filled) -> Self {
        let args = filled.args.into_iter().map(|(name, arg)| (name.into(), arg));
        Self::filled(filled.text.into(), args.collect())
    }
}

impl From<Sentence> for Filled {
    fn from(sentence: Sentence) -> Self {
        let args = sentence.args().iter();
        Self {
            args: args.map(|(name, arg)| (name.clone().into_owned(), arg.clone())).collect(),
            text: sentence.text.into_owned(),
        }
    }
}

impl PartialEq<str> for Sentence {
    /// Whether it reads so in English.
    fn eq(&self, other: &str) -> bool {
        self.in_language(Language::ENGLISH) == other
    }
}

impl PartialEq<&str> for Sentence {
    fn eq(&self, other: &&str) -> bool {
        self == *other
    }
}

impl PartialEq<String> for Sentence {
    fn eq(&self, other: &String) -> bool {
        self == other.as_str()
    }
}

/// A sentence that the program can say; made by the macros.
#[derive(Debug)]
pub struct Entry(pub &'static str);

inventory::collect!(Entry);

/// Every sentence that this program can say, sorted, each once; none in a release, whose sentences
/// are not entered.
pub fn sentences() -> Vec<&'static str> {
    let mut all: Vec<&'static str> = inventory::iter::<Entry>().map(|sentence| sentence.0).collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// The sentences of a JSON document in English: what `--json` and files for others have.
pub fn in_english(value: &mut serde_json::Value) {
    use serde_json::Value;
    if let Value::Object(map) = value
        && map.len() == 2
        && map.contains_key("text")
        && map.get("args").is_some_and(Value::is_object)
        && let Ok(sentence) = serde_json::from_value::<Sentence>(Value::Object(map.clone()))
    {
        *value = Value::String(sentence.to_string());
        return;
    }
    match value {
        Value::Array(items) => items.iter_mut().for_each(in_english),
        Value::Object(map) => map.values_mut().for_each(in_english),
        _ => {}
    }
}

#[cfg(test)]
mod tests;
