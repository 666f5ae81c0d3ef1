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

    /// By which name a metric is shown.
    pub(crate) fn metric(self, name: &str) -> &str {
        koab_api::shown::metric(name, self == Lang::Ko)
    }

    /// A sentence of the engine in this language, as far as it has one.
    pub(crate) fn said(self, sentence: &str) -> String {
        match self {
            Lang::Ko => koab_api::korean(sentence).unwrap_or_else(|| sentence.to_owned()),
            Lang::En => sentence.to_owned(),
        }
    }
}
