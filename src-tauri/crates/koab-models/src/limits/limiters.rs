//! One limiter per server and key, shared by all callers.

use koab_engine::limiter::Limiter;
use std::collections::HashMap;
use std::hash::RandomState;
use std::sync::{Arc, Mutex, PoisonError};

/// The limiters of this process, by provider, address and fingerprint of the keys.
#[derive(Default)]
pub(crate) struct Limiters {
    /// Seed of the fingerprints of keys; it differs in every process.
    pub(crate) seed: RandomState,
    pub(super) known: Mutex<HashMap<(String, u64), Arc<Limiter>>>,
}

impl Limiters {
    pub(super) fn limiter(&self, server: String, keys: u64, start: u32, ceiling: u32) -> Arc<Limiter> {
        let mut limiters = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let limiter =
            limiters.entry((server, keys)).or_insert_with(|| Arc::new(Limiter::new(start, ceiling)));
        limiter.allow(start, ceiling);
        Arc::clone(limiter)
    }
}
