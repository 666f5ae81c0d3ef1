//! Why an archive is not a bundle.

use koab_core::sentence::Sentence;

/// Why an archive is not a bundle: which entry, and what is wrong with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// Name of the entry; empty for the whole.
    pub place: String,
    /// One sentence fragment that goes on from it.
    pub why: Sentence,
}

impl Refusal {
    pub(super) fn whole(why: impl Into<Sentence>) -> Self {
        Self::at("", why)
    }

    pub(super) fn at(place: impl Into<String>, why: impl Into<Sentence>) -> Self {
        Self { place: place.into(), why: why.into() }
    }
}
