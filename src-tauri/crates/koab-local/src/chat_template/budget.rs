//! What one rendering may cost. Templates come from strangers: each text that one makes and each
//! value that one walks through is paid for here, so that none can fill the memory or run for
//! hours. Steps are paid for by the template engine's own fuel.

use super::refusal::refused;
use koab_core::say;
use minijinja::value::ValueKind;
use minijinja::{Error, ErrorKind, Value};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Lists in lists, and mappings in mappings, at most. JSON schemas of tools nest to ten or so;
/// without a bound, taking a value apart again would need as much stack as a template likes.
const DEPTH: usize = 100;

/// How long a rendering may take. Honest ones take milliseconds; this is for steps that are dear
/// and make nothing.
const TIME: Duration = Duration::from_secs(20);

/// What a value costs beside its text: its place in a list or mapping.
const PLACE: u64 = 24;

/// Bytes that a rendering may still make. Clones share it.
#[derive(Clone, Debug)]
pub(super) struct Budget {
    left: Arc<AtomicU64>,
    total: u64,
    until: Instant,
}

impl Budget {
    /// Enough for every honest template on a conversation of this many bytes: templates split, trim
    /// and copy each message a few dozen times at most.
    pub(super) fn for_input(bytes: usize) -> Self {
        let total = (32 << 20) + 64 * bytes as u64;
        Self { left: Arc::new(AtomicU64::new(total)), total, until: Instant::now() + TIME }
    }

    /// Fails when it took too long.
    pub(super) fn in_time(&self) -> Result<(), Error> {
        if Instant::now() < self.until {
            return self.spend(1);
        }
        self.left.store(0, Ordering::Relaxed);
        Err(refused(ErrorKind::InvalidOperation, say!("it takes longer than {} seconds", TIME.as_secs())))
    }

    /// Pays for so many bytes.
    pub(super) fn spend(&self, bytes: u64) -> Result<(), Error> {
        self.left
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(bytes))
            .map(|_| ())
            .map_err(|_| {
                self.left.store(0, Ordering::Relaxed);
                refused(
                    ErrorKind::InvalidOperation,
                    say!("it makes more than {} MiB of text", self.total >> 20),
                )
            })
    }

    /// Whether a rendering failed for lack of it.
    pub(super) fn is_spent(&self) -> bool {
        self.left.load(Ordering::Relaxed) == 0
    }

    /// Pays for the places of a value, and where `text` says so for the characters in it.
    pub(super) fn weigh(&self, value: &Value, text: bool) -> Result<(), Error> {
        self.weigh_at(value, text, 0)
    }

    /// Pays for a value whose insides are not looked at: the length of a text or a list.
    pub(super) fn weigh_outside(&self, value: &Value) -> Result<(), Error> {
        match value.as_str() {
            Some(text) => self.spend(text.len() as u64),
            None => self.spend(PLACE * value.len().unwrap_or(1) as u64),
        }
    }

    fn weigh_at(&self, value: &Value, text: bool, depth: usize) -> Result<(), Error> {
        if depth > DEPTH {
            self.left.store(0, Ordering::Relaxed);
            return Err(refused(ErrorKind::InvalidOperation, say!("it nests values more than {DEPTH} deep")));
        }
        self.spend(PLACE)?;
        match value.kind() {
            ValueKind::String if text => self.spend(value.as_str().map_or(0, str::len) as u64),
            ValueKind::Bytes => self.spend(value.as_bytes().map_or(0, <[u8]>::len) as u64),
            ValueKind::Seq | ValueKind::Iterable => {
                for item in value.try_iter()?.checked() {
                    self.weigh_at(&item?, text, depth + 1)?;
                }
                Ok(())
            }
            ValueKind::Map => {
                for key in value.try_iter()?.checked() {
                    let key = key?;
                    self.weigh_at(&key, text, depth + 1)?;
                    self.weigh_at(&value.get_item(&key)?, text, depth + 1)?;
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }
}
