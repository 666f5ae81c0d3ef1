//! Korean or English, decided once.

/// Language of the text on stdout and stderr.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lang {
    Ko,
    En,
}

impl Lang {
    /// The text in this language.
    pub(crate) fn pick<'a>(self, ko: &'a str, en: &'a str) -> &'a str {
        match self {
            Lang::Ko => ko,
            Lang::En => en,
        }
    }
}
