//! Values of a sentence's placeholders.

use super::{Filled, Language, Sentence};
use serde::{Deserialize, Serialize};
use serde_json::Number;
use std::fmt::Display;
use std::path::{Path, PathBuf};

/// The value of a placeholder.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(untagged)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub enum Arg {
    /// A whole number.
    Number(#[cfg_attr(feature = "typescript", ts(type = "number"))] Number),
    /// A name, a path, or a text that does not come from this program.
    Text(String),
    /// Several sentences with a separator.
    List {
        /// The sentences.
        list: Vec<Sentence>,
        /// Separator between the sentences.
        between: String,
    },
    /// A sentence inside another sentence. Its JSON is always an object, since a plain text would
    /// be read as a name, which is not translated.
    Sentence(
        #[serde(with = "filled")]
        #[cfg_attr(feature = "typescript", ts(type = "{ text: string, args?: { [place: string]: Arg } }"))]
        Sentence,
    ),
}

impl Arg {
    pub(super) fn in_language(&self, language: Language) -> String {
        match self {
            Arg::Number(number) => number.to_string(),
            Arg::Text(text) => text.clone(),
            Arg::Sentence(sentence) => sentence.in_language(language),
            Arg::List { list, between } => {
                let list: Vec<String> = list.iter().map(|sentence| sentence.in_language(language)).collect();
                list.join(language.text(between))
            }
        }
    }

    pub(super) fn with_words(&self, change: &impl Fn(&str) -> String) -> Self {
        match self {
            Arg::Number(number) => Arg::Number(number.clone()),
            Arg::Text(text) => Arg::Text(change(text)),
            Arg::Sentence(inner) => Arg::Sentence(inner.clone().with_words(change)),
            Arg::List { list, between } => Arg::List {
                list: list.iter().map(|one| one.clone().with_words(change)).collect(),
                between: between.clone(),
            },
        }
    }

    /// Converts the value to a separate sentence.
    pub fn into_sentence(self) -> Sentence {
        match self {
            Arg::Number(number) => number.to_string().into(),
            Arg::Text(text) => text.into(),
            Arg::Sentence(sentence) => sentence,
            Arg::List { .. } => Sentence::filled("{all}".into(), vec![("all".into(), self)]),
        }
    }
}

mod filled {
    use super::{Filled, Sentence};
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(super) fn serialize<S: Serializer>(sentence: &Sentence, to: S) -> Result<S::Ok, S::Error> {
        Filled::from(sentence.clone()).serialize(to)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Sentence, D::Error> {
        Ok(Filled::deserialize(from)?.into())
    }
}

impl PartialOrd for Arg {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Arg {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        let text = |arg: &Self| arg.in_language(Language::ENGLISH);
        text(self).cmp(&text(other))
    }
}

/// Conversion to a sentence.
pub trait ToSentence {
    /// Converts the value to a sentence.
    fn to_sentence(&self) -> Sentence;
}

impl ToSentence for Sentence {
    fn to_sentence(&self) -> Sentence {
        self.clone()
    }
}

impl<T: ToSentence + ?Sized> ToSentence for &T {
    fn to_sentence(&self) -> Sentence {
        (**self).to_sentence()
    }
}

impl<T: ToSentence + ?Sized> ToSentence for Box<T> {
    fn to_sentence(&self) -> Sentence {
        (**self).to_sentence()
    }
}

impl ToSentence for std::io::Error {
    /// Uses the operating system's message as a sentence of its own, so that common messages are
    /// translated.
    fn to_sentence(&self) -> Sentence {
        if let Some(ours) = self.get_ref().and_then(|inner| inner.downcast_ref::<Sentence>()) {
            return ours.clone();
        }
        let message = self.to_string();
        let Some(code) = self.raw_os_error() else {
            return message.into();
        };
        match message.strip_suffix(&format!(" (os error {code})")) {
            Some(text) => crate::say!("{said} (os error {code})", said = Sentence::from(text)),
            None => message.into(),
        }
    }
}

impl From<std::io::Error> for Sentence {
    fn from(error: std::io::Error) -> Self {
        error.to_sentence()
    }
}

/// Messages of operating systems that have translations, in the wording of Rust's standard library.
const _: [&str; 13] = [
    crate::text!("No such file or directory"),
    crate::text!("Permission denied"),
    crate::text!("File exists"),
    crate::text!("Not a directory"),
    crate::text!("Is a directory"),
    crate::text!("Read-only file system"),
    crate::text!("No space left on device"),
    crate::text!("Connection refused"),
    crate::text!("Connection reset by peer"),
    crate::text!("Address already in use"),
    crate::text!("Connection timed out"),
    crate::text!("No route to host"),
    crate::text!("Network is unreachable"),
];

/// A value given for a placeholder. The macros convert it to an [`Arg`]: as a sentence if it is
/// one, else as a number, else by its `Display`.
#[derive(Debug)]
pub struct Of<'a, T: ?Sized>(pub &'a T);

/// Conversion of a sentence to an [`Arg`]; see [`Of`].
pub trait SentenceArg {
    /// Value of the placeholder, as a sentence.
    fn arg(&self) -> Arg;
}

/// Conversion of a number to an [`Arg`]; see [`Of`].
pub trait NumberArg {
    /// Value of the placeholder, as a number.
    fn arg(&self) -> Arg;
}

/// Conversion of a displayable value to an [`Arg`]; see [`Of`].
pub trait ShownArg {
    /// Value of the placeholder, as a text.
    fn arg(&self) -> Arg;
}

impl<T: ToSentence + ?Sized> SentenceArg for &&Of<'_, T> {
    fn arg(&self) -> Arg {
        Arg::Sentence(self.0.to_sentence())
    }
}

impl<T: Whole> NumberArg for &Of<'_, T> {
    fn arg(&self) -> Arg {
        Arg::Number(self.0.number())
    }
}

impl<T: Display + ?Sized> ShownArg for Of<'_, T> {
    fn arg(&self) -> Arg {
        Arg::Text(self.0.to_string())
    }
}

macro_rules! path {
    ($($kind:ty)*) => {
        $(impl Of<'_, $kind> {
            /// Value of the placeholder, as the text of a path.
            pub fn arg(&self) -> Arg {
                Arg::Text(self.0.display().to_string())
            }
        })*
    };
}
path!(PathBuf & PathBuf & Path);

/// Integer types whose values can be given for a placeholder.
pub trait Whole {
    /// The number as JSON.
    fn number(&self) -> Number;
}

macro_rules! whole {
    ($($kind:ty)*) => {
        $(impl Whole for $kind {
            fn number(&self) -> Number {
                Number::from(*self)
            }
        })*
    };
}
whole!(i8 i16 i32 i64 isize u8 u16 u32 u64 usize);

impl<T: Whole> Whole for &T {
    fn number(&self) -> Number {
        (**self).number()
    }
}
