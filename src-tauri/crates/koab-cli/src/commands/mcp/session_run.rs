//! Runs and gates that the agent started in this session.

use koab_api::{Cancel, EventSink, RunEvent, RunEventKind, WireError};
use koab_core::run_record::RunChange;
use serde_json::{Value, json};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// Number of planned and of ended attempts, for a run or for all runs that a gate has started so
/// far.
#[derive(Default)]
pub(super) struct Tally {
    attempts: AtomicU32,
    ended: AtomicU32,
}

impl Tally {
    /// Counts a change of the run. A gate's runs cannot be changed, so there is only one run.
    fn changed(&self, change: &RunChange, planned: u32) {
        self.attempts.store(planned, Ordering::Relaxed);
        if let RunChange::Retry { attempts } = change {
            self.ended.fetch_sub(attempts.len() as u32, Ordering::Relaxed);
        }
    }
}

impl EventSink for Tally {
    fn send(&self, event: &RunEvent) {
        match &event.kind {
            RunEventKind::RunStarted { attempts, .. } => {
                self.attempts.fetch_add(*attempts, Ordering::Relaxed);
            }
            RunEventKind::AttemptFinished { .. } => {
                self.ended.fetch_add(1, Ordering::Relaxed);
            }
            RunEventKind::RunChanged { record, planned } => self.changed(&record.change, *planned),
            _ => {}
        }
    }
}

/// A run or a gate of the session. It is in progress until it has a result.
pub(super) struct SessionRun {
    pub(super) name: String,
    pub(super) cancel: Cancel,
    tally: Arc<Tally>,
    result: Mutex<Option<Value>>,
}

impl SessionRun {
    pub(super) fn new(name: String, cancel: Cancel) -> Self {
        Self { name, cancel, tally: Arc::default(), result: Mutex::default() }
    }

    pub(super) fn tally(&self) -> Arc<Tally> {
        Arc::clone(&self.tally)
    }

    /// Starts the work and stores its result. A panic is stored as a failure, so that a client does
    /// not wait for ever.
    pub(super) fn follow(
        self: &Arc<Self>,
        work: impl Future<Output = Result<Value, WireError>> + Send + 'static,
    ) {
        let (work, started) = (tokio::spawn(work), Arc::clone(self));
        tokio::spawn(async move {
            let end = work.await.unwrap_or_else(|panic| Err(WireError::internal(panic)));
            started.end(end.unwrap_or_else(|error| json!({ "failed": error.message })));
        });
    }

    fn end(&self, result: Value) {
        *self.result.lock().unwrap_or_else(PoisonError::into_inner) = Some(result);
    }

    pub(super) fn result(&self) -> Option<Value> {
        self.result.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Folder of the run, after it has ended.
    pub(super) fn folder(&self) -> Option<String> {
        Some(self.result()?["end"]["folder"].as_str()?.to_owned())
    }

    /// Whether the result is that of a gate, which consists of several runs.
    pub(super) fn is_gate(&self) -> bool {
        self.result().is_some_and(|result| result.get("verdict").is_some())
    }

    pub(super) fn status(&self) -> Value {
        match self.result() {
            Some(result) => json!({ "run": self.name, "over": true, "result": result }),
            None => json!({
                "run": self.name,
                "over": false,
                "attempts": self.tally.attempts.load(Ordering::Relaxed),
                "ended": self.tally.ended.load(Ordering::Relaxed),
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[tokio::test]
    async fn a_run_whose_work_panics_is_over_and_says_so() {
        let started = Arc::new(SessionRun::new("mcp-1".to_owned(), Cancel::new()));
        started.follow(async {
            let broken: Result<Value, &str> = serde_json::from_str("{").map_err(|_| "a fault of ours");
            Ok(broken.expect("an answer"))
        });
        let over = async {
            while started.result().is_none() {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        tokio::time::timeout(Duration::from_secs(20), over).await.expect("an end");
        let told = started.status();
        assert_eq!(told["over"], true, "{told}");
        assert!(told["result"]["failed"].to_string().contains("panicked"), "{told}");
    }
}
