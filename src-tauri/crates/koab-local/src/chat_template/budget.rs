//! Limits on the cost of one rendering. Templates are untrusted: each text that a template makes
//! and each value that it walks through is charged here.
//!
//! No template can therefore fill the memory or run for hours. The template engine's own fuel
//! limits the number of steps.

use super::refusal::refused;
use koab_core::say;
use minijinja::value::ValueKind;
use minijinja::{Error, ErrorKind, Value};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Maximum nesting depth of lists and mappings. JSON schemas of tools nest about ten deep. Without
/// a limit, dropping a value could overflow the stack.
const MAX_DEPTH: usize = 100;

/// Time limit of one rendering. Honest templates take milliseconds. The limit stops steps that are
/// slow but produce no text.
const RENDER_TIMEOUT: Duration = Duration::from_secs(20);

/// Bytes charged for a place in a list or mapping, in addition to its text.
const PLACE_BYTES: u64 = 24;

/// Remaining bytes that a rendering may produce. Clones share one budget.
#[derive(Clone, Debug)]
pub(super) struct Budget {
    left: Arc<AtomicU64>,
    total: u64,
    until: Instant,
}

impl Budget {
    /// A budget for a conversation of `bytes` bytes. It suffices for every honest template, which
    /// splits, trims and copies each message a few dozen times at most.
    pub(super) fn for_input(bytes: usize) -> Self {
        let total = (32 << 20) + 64 * bytes as u64;
        Self { left: Arc::new(AtomicU64::new(total)), total, until: Instant::now() + RENDER_TIMEOUT }
    }

    /// Charges one byte and checks the time limit.
    ///
    /// # Errors
    /// When the rendering has taken longer than [`RENDER_TIMEOUT`].
    pub(super) fn in_time(&self) -> Result<(), Error> {
        if Instant::now() < self.until {
            return self.spend(1);
        }
        self.left.store(0, Ordering::Relaxed);
        Err(refused(
            ErrorKind::InvalidOperation,
            say!("it takes longer than {} seconds", RENDER_TIMEOUT.as_secs()),
        ))
    }

    /// Charges `bytes` bytes.
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

    /// Whether the budget is used up.
    pub(super) fn is_spent(&self) -> bool {
        self.left.load(Ordering::Relaxed) == 0
    }

    /// Charges for each place of a value, and for the characters in it if `text` is set.
    pub(super) fn weigh(&self, value: &Value, text: bool) -> Result<(), Error> {
        self.weigh_at(value, text, 0)
    }

    /// Charges for the length of a text or a list, without its elements.
    pub(super) fn weigh_outside(&self, value: &Value) -> Result<(), Error> {
        match value.as_str() {
            Some(text) => self.spend(text.len() as u64),
            None => self.spend(PLACE_BYTES * value.len().unwrap_or(1) as u64),
        }
    }

    fn weigh_at(&self, value: &Value, text: bool, depth: usize) -> Result<(), Error> {
        if depth > MAX_DEPTH {
            self.left.store(0, Ordering::Relaxed);
            return Err(refused(
                ErrorKind::InvalidOperation,
                say!("it nests values more than {DEPTH} deep", DEPTH = MAX_DEPTH),
            ));
        }
        self.spend(PLACE_BYTES)?;
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
