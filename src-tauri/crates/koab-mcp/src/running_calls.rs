//! Calls whose answer is not ready yet. A client can cancel them.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use tokio_util::sync::CancellationToken;

/// Running calls by the text of their request's id.
#[derive(Debug, Default)]
pub(crate) struct RunningCalls(Mutex<HashMap<String, CancellationToken>>);

/// Entry of a call that is being answered. Dropping the entry removes it from the list.
pub(crate) struct RunningCall<'a> {
    running: &'a RunningCalls,
    id: &'a str,
    pub(crate) cancelled: CancellationToken,
}

impl RunningCalls {
    pub(crate) fn begin<'a>(&'a self, id: &'a str) -> RunningCall<'a> {
        let cancelled = CancellationToken::new();
        self.calls().insert(id.to_owned(), cancelled.clone());
        RunningCall { running: self, id, cancelled }
    }

    pub(crate) fn cancel(&self, id: &str) {
        if let Some(call) = self.calls().remove(id) {
            call.cancel();
        }
    }

    fn calls(&self) -> MutexGuard<'_, HashMap<String, CancellationToken>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for RunningCall<'_> {
    fn drop(&mut self) {
        self.running.calls().remove(self.id);
    }
}
