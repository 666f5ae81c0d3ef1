//! What calls cost, as the disk keeps it: of a day, and of a run.

use koab_core::sentence::Sentence;

/// The disk said no.
#[derive(Clone, Debug, thiserror::Error, koab_core::Say)]
#[error("{0}")]
pub struct StoreError(pub Sentence);

/// What is spent and held, by whichever processes, under caps of its own or none.
pub trait Ledger: Send + Sync {
    /// Holds an amount for a call, before it goes out. `Some` is a sentence on why it must not.
    ///
    /// # Errors
    /// When the ledger cannot be read or written.
    fn hold(&self, most: Amount) -> Result<Option<Sentence>, StoreError>;

    /// Puts what was spent in place of what was held.
    ///
    /// # Errors
    /// When the ledger cannot be written.
    fn settle(&self, held: Amount, spent: Amount) -> Result<(), StoreError>;
}

/// An amount held or spent.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Amount {
    /// USD; 0 when there is no price.
    pub cost: f64,
    /// Tokens.
    pub tokens: u64,
}
