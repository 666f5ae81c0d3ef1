//! Messages for people, stored as data and rendered in the reader's language.
//!
//! A [`Sentence`] is an English sentence with placeholders and their values. The English text is
//! its own key, as in GNU gettext: the source shows it, and a sentence of a later version still has
//! its English here. Every other language is one file, such as `messages/ko.json`, from the English
//! sentence to its translation with the same placeholders in any order. A sentence without a
//! translation stays English. Rendered sentences are never parsed.
//!
//! [`say!`](crate::say) makes a sentence, `derive(Say)` makes the sentences of an error's variants,
//! and [`text!`](crate::text) makes a sentence without placeholders. [`sentences`] lists all of
//! them, and a test compares the list with the files. `fluent-bundle` is not used: it would need an
//! additional file with the English sentences and a code for each of 2,000 sentences, and the
//! messages need no plural forms.

mod arg;
mod language;
mod particle;

pub use arg::{Arg, NumberArg, Of, SentenceArg, ShownArg, ToSentence};
pub use inventory;
pub use language::{Language, UnknownLanguage, catalogue};

use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

/// A sentence with the values of its placeholders.
///
/// The JSON form is `{"text": …, "args": {…}}`, or only the text if there are no placeholders.
/// Therefore a plain text of an earlier version or of a server can also be read as a sentence.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(from = "StoredSentence", into = "StoredSentence")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[cfg_attr(
    feature = "typescript",
    ts(export, type = "string | { text: string, args?: { [place: string]: Arg } }")
)]
pub struct Sentence {
    text: Cow<'static, str>,
    /// Values of the placeholders. They are behind a pointer, since most sentences have none and
    /// errors have to stay small.
    args: Option<Arc<[NamedArg]>>,
}

/// The name and the value of a placeholder.
type NamedArg = (Cow<'static, str>, Arg);

/// The JSON form of a sentence.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum StoredSentence {
    Text(String),
    Filled(Filled),
}

/// A sentence as a JSON object. The object form distinguishes it from a name in an [`Arg`].
#[derive(Serialize, Deserialize)]
struct Filled {
    text: String,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    args: BTreeMap<String, Arg>,
}

impl Sentence {
    /// The empty sentence.
    pub const EMPTY: Self = Self { text: Cow::Borrowed(""), args: None };

    /// Creates a sentence from a text with placeholders in braces, and their values.
    /// [`say!`](crate::say) calls this function.
    pub fn new(text: &'static str, args: Vec<(&'static str, Arg)>) -> Self {
        let args = args.into_iter().map(|(name, arg)| (name.into(), arg));
        Self::filled(text.into(), args.collect())
    }

    /// Creates a sentence with its values sorted by name, so that a sentence which is read from
    /// JSON equals the original.
    fn filled(text: Cow<'static, str>, mut args: Vec<NamedArg>) -> Self {
        args.sort_by(|one, other| one.0.cmp(&other.0));
        let args = (!args.is_empty()).then(|| args.into());
        Self { text, args }
    }

    fn args(&self) -> &[NamedArg] {
        self.args.as_deref().unwrap_or_default()
    }

    /// Joins several sentences with a separator, such as `; `.
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

    /// Text of the sentence in a language; English if there is no translation.
    pub fn in_language(&self, language: Language) -> String {
        fill(language.text(&self.text), &|name| {
            let (_, arg) = self.args().iter().find(|(known, _)| known == name)?;
            Some(arg.in_language(language))
        })
    }

    /// Applies `change` to each text in the sentence that does not come from this program, for
    /// example to remove keys.
    #[must_use]
    pub fn with_words(mut self, change: &impl Fn(&str) -> String) -> Self {
        let Some(args) = self.args.take() else {
            return change(&self.text).into();
        };
        let changed = args.iter().map(|(name, arg)| (name.clone(), arg.with_words(change)));
        Self::filled(self.text, changed.collect())
    }

    /// Whether the sentence is empty.
    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// The English sentence with unfilled placeholders.
    pub fn template(&self) -> &str {
        &self.text
    }
}

/// Fills each placeholder that has a value, and gives a Korean particle after it the form that
/// fits. Other braces stay unchanged.
fn fill(text: &str, value: &dyn Fn(&str) -> Option<String>) -> String {
    let mut filled = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('{') {
        filled.push_str(before);
        match after.split_once('}').and_then(|(name, after)| Some((value(name)?, after))) {
            Some((value, after)) => {
                filled.push_str(&value);
                rest = particle::fit(&mut filled, after);
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
    /// Writes the English sentence.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.in_language(Language::ENGLISH))
    }
}

/// Lets an [`std::io::Error`] contain a sentence.
impl std::error::Error for Sentence {}

impl Default for Sentence {
    fn default() -> Self {
        Self::EMPTY
    }
}

impl From<String> for Sentence {
    /// Creates a sentence from a text of another program, or from a text that an earlier version
    /// stored.
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
    fn from(stored: StoredSentence) -> Self {
        match stored {
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
    /// Compares the English texts.
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

/// A sentence of the program, which the macros register.
#[derive(Debug)]
pub struct Entry(pub &'static str);

inventory::collect!(Entry);

/// All sentences of this program, sorted and without duplicates. A release build registers no
/// sentences, so there the list is empty.
pub fn sentences() -> Vec<&'static str> {
    let mut all: Vec<&'static str> = inventory::iter::<Entry>().map(|sentence| sentence.0).collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// Replaces the sentences in a JSON document by their English texts, for `--json` and for files
/// that other programs read.
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
