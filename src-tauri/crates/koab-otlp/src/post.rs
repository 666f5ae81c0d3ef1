//! Sends spans in the background: in batches, again where that may help, and never in a run's way.

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

/// Spans a request at most.
const BATCH: usize = 512;
/// Spans that wait for a collector at most; later ones are lost.
const ROOM: usize = 1 << 15;
/// How long spans are gathered before they go.
const GATHER: Duration = Duration::from_secs(2);
/// How long a collector that did not take a batch is left alone.
const REST: Duration = Duration::from_secs(5);
/// How long the end of a run waits for the last spans.
const LAST_WAIT: Duration = Duration::from_secs(5);

/// The way to one collector.
pub(super) struct Post {
    inner: Mutex<Option<(Sender<Span>, JoinHandle<()>)>>,
    /// Tells that a batch gets no second chance any more.
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
    fn because(&self, reason: Sentence) {
        *self.reason.lock().unwrap_or_else(PoisonError::into_inner) = Some(reason);
    }
}

impl Post {
    /// Begins to send on the runtime that this is called on.
    pub(super) fn begin(collector: Collector) -> Self {
        let (send, receive) = channel(ROOM);
        let tally = Arc::new(Tally::default());
        let ending = Cancel::new();
        let task = tokio::spawn(work(collector, receive, Arc::clone(&tally), ending.clone()));
        Self { inner: Mutex::new(Some((send, task))), ending, tally }
    }

    /// Takes spans. Never waits.
    pub(super) fn take(&self, spans: Vec<Span>) {
        let inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        for span in spans {
            self.tally.made.fetch_add(1, Ordering::Relaxed);
            let taken = inner.as_ref().is_some_and(|(send, _)| send.try_send(span).is_ok());
            if !taken {
                self.tally.because(say!("more spans were made than the collector took"));
            }
        }
    }

    /// Sends what is left and tells how many spans were taken, how many were not, and why.
    pub(super) async fn end(&self) -> (u64, u64, Option<Sentence>) {
        let inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some((send, task)) = inner {
            drop(send);
            self.ending.cancel();
            let abort = task.abort_handle();
            if timeout(LAST_WAIT, task).await.is_err() {
                abort.abort();
                self.tally.because(say!("the collector did not take them within {} s", LAST_WAIT.as_secs()));
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
                let taken = (batch.len() as u64).saturating_sub(rejected);
                tally.sent.fetch_add(taken, Ordering::Relaxed);
                if rejected > 0 {
                    tally.because(say!("{} turned some of them away", collector.address()));
                }
                batch.clear();
            }
            Err(CollectorRefusal { reason, may_pass, .. }) => {
                tally.because(reason);
                if !may_pass {
                    batch.clear();
                } else if ending.is_cancelled() {
                    // It had its last chance; what still waits would only be refused the same way.
                    return;
                } else {
                    let _ = timeout(REST, ending.cancelled()).await;
                }
            }
        }
    }
}

/// Fills the batch, but not for longer than [`GATHER`]. Whether nothing more will come.
async fn gather(spans: &mut Receiver<Span>, batch: &mut Vec<Span>) -> bool {
    let until = Instant::now() + GATHER;
    while batch.len() < BATCH {
        match timeout_at(until, spans.recv_many(batch, BATCH - batch.len())).await {
            Ok(0) => return true,
            Ok(_) => {}
            Err(_) => return false,
        }
    }
    false
}
