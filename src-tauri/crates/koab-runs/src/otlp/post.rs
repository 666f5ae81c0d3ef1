//! Sends spans in batches in the background and retries a batch after a temporary error. A run
//! never waits for a send.

use super::span::{Span, document};
use koab_core::say;
use koab_core::sentence::Sentence;
use koab_engine::ports::Cancel;
use koab_providers::collector::{Collector, CollectorRefusal};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::mpsc::{Receiver, Sender, channel};
use tokio::task::JoinHandle;
use tokio::time::{Instant, timeout, timeout_at};

/// Maximum number of spans per request.
const MAX_BATCH_SPANS: usize = 512;
/// Maximum number of waiting spans; later ones are lost.
const MAX_WAITING_SPANS: usize = 1 << 15;
/// Longest time to fill a batch before it is sent.
const BATCH_INTERVAL: Duration = Duration::from_secs(2);
/// Pause after a batch that the collector did not accept.
const RETRY_INTERVAL: Duration = Duration::from_secs(5);
/// Longest wait for the last spans at the end of a run.
const LAST_SEND_TIMEOUT: Duration = Duration::from_secs(5);

/// Background sender to one collector.
pub(super) struct Post {
    inner: Mutex<Option<(Sender<Span>, JoinHandle<()>)>>,
    /// Set when the run has ended: a batch that fails is then not retried.
    ending: Cancel,
    tally: Arc<Tally>,
}

#[derive(Default)]
struct Tally {
    made: AtomicU64,
    sent: AtomicU64,
    reason: Mutex<Option<Sentence>>,
}

impl Tally {
    fn set_reason(&self, reason: Sentence) {
        *self.reason.lock().unwrap_or_else(PoisonError::into_inner) = Some(reason);
    }
}

impl Post {
    /// Starts the sender on the current runtime.
    pub(super) fn begin(collector: Collector) -> Self {
        let (send, receive) = channel(MAX_WAITING_SPANS);
        let tally = Arc::new(Tally::default());
        let ending = Cancel::new();
        let task = tokio::spawn(work(collector, receive, Arc::clone(&tally), ending.clone()));
        Self { inner: Mutex::new(Some((send, task))), ending, tally }
    }

    /// Queues spans without waiting.
    pub(super) fn take(&self, spans: Vec<Span>) {
        let inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        for span in spans {
            self.tally.made.fetch_add(1, Ordering::Relaxed);
            let queued = inner.as_ref().is_some_and(|(send, _)| send.try_send(span).is_ok());
            if !queued {
                self.tally
                    .set_reason(say!("the collector accepted spans more slowly than the run made them"));
            }
        }
    }

    /// Sends the remaining spans, and returns the numbers of accepted and lost spans and the reason
    /// for the loss.
    pub(super) async fn end(&self) -> (u64, u64, Option<Sentence>) {
        let inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some((send, task)) = inner {
            drop(send);
            self.ending.cancel();
            let abort = task.abort_handle();
            if timeout(LAST_SEND_TIMEOUT, task).await.is_err() {
                abort.abort();
                self.tally.set_reason(say!(
                    "the collector did not accept the last spans within {} s",
                    LAST_SEND_TIMEOUT.as_secs()
                ));
            }
        }
        let (made, sent) = (self.tally.made.load(Ordering::Relaxed), self.tally.sent.load(Ordering::Relaxed));
        let lost = made.saturating_sub(sent);
        let reason = self.tally.reason.lock().unwrap_or_else(PoisonError::into_inner).clone();
        (sent, lost, reason.filter(|_| lost > 0))
    }
}

async fn work(collector: Collector, mut spans: Receiver<Span>, tally: Arc<Tally>, ending: Cancel) {
    let mut batch = Vec::new();
    loop {
        let over = gather(&mut spans, &mut batch).await;
        if batch.is_empty() {
            if over {
                return;
            }
            continue;
        }
        match collector.send(&document(&batch)).await {
            Ok(rejected) => {
                let accepted = (batch.len() as u64).saturating_sub(rejected);
                tally.sent.fetch_add(accepted, Ordering::Relaxed);
                if rejected > 0 {
                    tally.set_reason(say!("{} rejected some of the spans", collector.address()));
                }
                batch.clear();
            }
            Err(CollectorRefusal { reason, may_pass, .. }) => {
                tally.set_reason(reason);
                if !may_pass {
                    batch.clear();
                } else if ending.is_cancelled() {
                    // The run has ended, and the collector would refuse the waiting spans as well.
                    return;
                } else {
                    let _ = timeout(RETRY_INTERVAL, ending.cancelled()).await;
                }
            }
        }
    }
}

/// Fills the batch for at most [`BATCH_INTERVAL`]. Returns `true` when the run sends no more spans.
async fn gather(spans: &mut Receiver<Span>, batch: &mut Vec<Span>) -> bool {
    let until = Instant::now() + BATCH_INTERVAL;
    while batch.len() < MAX_BATCH_SPANS {
        match timeout_at(until, spans.recv_many(batch, MAX_BATCH_SPANS - batch.len())).await {
            Ok(0) => return true,
            Ok(_) => {}
            Err(_) => return false,
        }
    }
    false
}
