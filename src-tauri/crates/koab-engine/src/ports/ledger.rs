//! Stored spending of a day and of a run.

use koab_core::sentence::Sentence;

/// A failure to read or write stored data.
#[derive(Clone, Debug, thiserror::Error, koab_core::Say)]
#[error("{0}")]
pub struct StoreError(pub Sentence);

/// Spending and reservations of all processes. A ledger may have caps of its own.
pub trait Ledger: Send + Sync {
    /// Reserves an amount for a call before it is sent. Returns the reason if the call must not be
    /// sent.
    ///
    /// # Errors
    /// When the ledger cannot be read or written.
    fn hold(&self, most: Amount) -> Result<Option<Sentence>, StoreError>;

    /// Replaces a reservation by the amount that was spent.
    ///
    /// # Errors
    /// When the ledger cannot be written.
    fn settle(&self, held: Amount, spent: Amount) -> Result<(), StoreError>;
}

/// An amount reserved or spent.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Amount {
    /// Cost in USD; 0 for a model without a price.
    pub cost: f64,
    /// Number of tokens.
    pub tokens: u64,
}
