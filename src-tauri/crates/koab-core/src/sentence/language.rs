//! The languages of the product and their translations.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::collections::HashMap;
use std::fmt;
use std::str::FromStr;
use std::sync::LazyLock;

// `FILES`: the tag and the text of each file in `messages/`, which the build lists.
include!(concat!(env!("OUT_DIR"), "/languages.rs"));

/// Separator between a sentence and its note. A note distinguishes sentences with the same English
/// text, as in GNU gettext.
pub(super) const NOTE: char = '\u{4}';

/// A language for rendered sentences: English, or a language with a file in `messages/`. The file
/// is named by the language's tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export, type = "string"))]
pub struct Language(&'static str);

/// Table from English sentences to translations.
type Sentences = HashMap<String, String>;

static SENTENCES: LazyLock<HashMap<Language, Sentences>> = LazyLock::new(|| {
    let read = |file| {
        serde_json::from_str::<Sentences>(file).expect("a language's file is JSON, which a test shows")
    };
    FILES.iter().map(|(tag, file)| (Language(tag), read(file))).collect()
});

/// Translations of a language; `None` for English.
pub fn catalogue(language: Language) -> Option<&'static HashMap<String, String>> {
    (language != Language::ENGLISH).then(|| SENTENCES.get(&language))?
}

impl Language {
    /// English, the language of the source code and of files for other programs.
    pub const ENGLISH: Self = Self("en");
    /// Korean, the language of the benchmark itself.
    pub const KOREAN: Self = Self("ko");

    /// English, and all languages with a file of translations.
    pub fn all() -> impl Iterator<Item = Self> {
        std::iter::once(Self::ENGLISH).chain(FILES.iter().map(|(tag, _)| Self(tag)))
    }

    /// The language of a locale such as `ko-KR`; English if the language has no file.
    pub fn of_locale(locale: &str) -> Self {
        let locale = locale.replace('_', "-");
        let language = locale.split(['-', '.']).next().unwrap_or_default();
        let parsed = locale.parse().or_else(|_| language.parse());
        parsed.unwrap_or_default()
    }

    /// Tag of the language, as in HTML: `ko` or `en`.
    pub fn tag(self) -> &'static str {
        self.0
    }

    /// The translation of a sentence with unfilled placeholders; the English text if there is no
    /// translation.
    pub fn text(self, english: &str) -> &str {
        let own = catalogue(self).and_then(|sentences| sentences.get(english));
        own.map_or_else(|| english.split_once(NOTE).map_or(english, |(text, _)| text), String::as_str)
    }

    /// Text of a sentence in this language.
    pub fn say(self, sentence: &super::Sentence) -> String {
        sentence.in_language(self)
    }
}

impl Default for Language {
    fn default() -> Self {
        Self::ENGLISH
    }
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.0)
    }
}

/// Error for a language tag without a file of translations.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, crate::Say)]
#[error("there is no language `{0}`")]
pub struct UnknownLanguage(pub String);

impl FromStr for Language {
    type Err = UnknownLanguage;

    fn from_str(tag: &str) -> Result<Self, Self::Err> {
        Self::all()
            .find(|language| language.0.eq_ignore_ascii_case(tag))
            .ok_or_else(|| UnknownLanguage(tag.to_owned()))
    }
}

impl Serialize for Language {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(self.0)
    }
}

impl<'de> Deserialize<'de> for Language {
    /// Reads an unknown tag as English, so that settings of another version can be read.
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        String::deserialize(from).map(|tag| Self::of_locale(&tag))
    }
}
