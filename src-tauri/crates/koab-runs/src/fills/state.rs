//! What one process holds of fills.

use crate::wire::FillEnd;
use std::collections::{BTreeSet, HashMap};
use std::sync::Mutex;

/// The fills of this process.
#[derive(Default)]
pub(crate) struct Fills {
    pub(super) known: Mutex<FillState>,
}

#[derive(Default)]
pub(super) struct FillState {
    /// Packs beside which answers are being kept.
    pub(super) filling: BTreeSet<String>,
    /// How the last fill of each run ended.
    pub(super) ends: HashMap<String, FillEnd>,
}
