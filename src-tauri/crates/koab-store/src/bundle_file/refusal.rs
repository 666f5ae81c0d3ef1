//! Reason why an archive is not accepted as a bundle.

use koab_core::sentence::Sentence;

/// Reason why an archive is not accepted as a bundle: the entry and its fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// Name of the entry. Empty when the fault is the archive's as a whole.
    pub place: String,
    /// Sentence fragment that continues after the entry's name.
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
