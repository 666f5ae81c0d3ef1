//! Batches of events for a page.
//!
//! Every message costs a page some work and there is no back-pressure, so a fast run could flood
//! it. The engine sends single events and must not wait. They are collected for [`BATCH_WINDOW`]
//! and passed on as one list.
//!
//! The window and the browser's server share this code, and each transports the lists in its own
//! way. Jobs are not collected: the reader gets their current state when it asks for the next list,
//! so a slow reader has no backlog.

use crate::commands::Page;
use crate::jobs::{Job, JobWatch};
use koab_core::event::{RunEvent, RunEventKind};
use koab_engine::ports::EventSink;
use serde::Serialize;
use std::time::Duration;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::time::{Instant, timeout_at};

/// Duration of collecting events: short enough to look live, and long enough for at most 20
/// messages per second.
const BATCH_WINDOW: Duration = Duration::from_millis(50);

/// Sending end, for the engine. When its last clone is dropped, [`Batches`] returns the remaining
/// events.
pub struct BatchSink(UnboundedSender<News>);

/// Receiving end, which returns the lists.
pub struct Batches {
    news: UnboundedReceiver<News>,
    jobs: Option<JobWatch>,
}

enum News {
    Event(Box<RunEvent>),
    Jobs(JobWatch),
}

/// A non-empty list. Its JSON form is the bare list: the receiver knows its type.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum Batch {
    /// Events of a run, oldest first.
    Events(Vec<RunEvent>),
    /// Jobs that have changed.
    Jobs(Vec<Job>),
}

/// Creates a sink and the receiver of its lists.
pub fn batches() -> (BatchSink, Batches) {
    let (sent, news) = unbounded_channel();
    (BatchSink(sent), Batches { news, jobs: None })
}

impl EventSink for BatchSink {
    fn send(&self, event: &RunEvent) {
        // Sending fails only when the page is gone, and then there is no reader.
        let _ = self.0.send(News::Event(Box::new(event.clone())));
    }
}

impl Page for BatchSink {
    fn follow(&self, jobs: JobWatch) {
        let _ = self.0.send(News::Jobs(jobs));
    }
}

impl Batches {
    /// Waits for the next list. Returns `None` once the sink is dropped, unless the page also
    /// follows the jobs.
    ///
    /// The last event of a run is passed on at once. The future must not be dropped while it
    /// collects events, because the collected events would be lost.
    pub async fn next(&mut self) -> Option<Batch> {
        loop {
            let news = match &mut self.jobs {
                None => self.news.recv().await?,
                Some(jobs) => tokio::select! {
                    Some(news) = self.news.recv() => news,
                    changed = jobs.next() => match changed {
                        Some(changed) => return Some(Batch::Jobs(changed)),
                        None => {
                            self.jobs = None;
                            continue;
                        }
                    },
                },
            };
            match news {
                News::Jobs(jobs) => self.jobs = Some(jobs),
                News::Event(first) => return Some(Batch::Events(self.gather(*first).await)),
            }
        }
    }

    async fn gather(&mut self, first: RunEvent) -> Vec<RunEvent> {
        let deadline = Instant::now() + BATCH_WINDOW;
        let mut over = is_last(&first);
        let mut events = vec![first];
        while !over {
            match timeout_at(deadline, self.news.recv()).await {
                Ok(Some(News::Event(event))) => {
                    over = is_last(&event);
                    events.push(*event);
                }
                Ok(Some(News::Jobs(jobs))) => self.jobs = Some(jobs),
                Ok(None) => over = true,
                Err(_) => break,
            }
        }
        events
    }
}

fn is_last(event: &RunEvent) -> bool {
    matches!(event.kind, RunEventKind::RunFinished { .. })
}

#[cfg(test)]
mod tests {
    use super::*;
    use koab_core::event::RunOutcome;

    fn event(elapsed_ms: u64, kind: RunEventKind) -> RunEvent {
        RunEvent { at_ms: 0, elapsed_ms, run: "r".to_owned(), kind }
    }

    fn waiting(elapsed_ms: u64) -> RunEvent {
        let kind = RunEventKind::Waiting {
            task: "t".to_owned(),
            repetition: 1,
            reason: "503".into(),
            wait_ms: 1,
            until_ms: None,
        };
        event(elapsed_ms, kind)
    }

    fn finished(elapsed_ms: u64) -> RunEvent {
        let outcome = RunOutcome::Completed;
        event(
            elapsed_ms,
            RunEventKind::RunFinished {
                outcome,
                done: 0,
                failed: 0,
                folder: None,
                reason: None,
                spent: None,
            },
        )
    }

    fn events_of(batch: Batch) -> Vec<RunEvent> {
        match batch {
            Batch::Events(events) => events,
            Batch::Jobs(jobs) => panic!("no events: {jobs:?}"),
        }
    }

    /// Lists that the receiver returns if all these events are sent at once and the sink is then
    /// dropped.
    async fn received(events: &[RunEvent]) -> Vec<Vec<RunEvent>> {
        let (sink, mut batches) = batches();
        for event in events {
            sink.send(event);
        }
        drop(sink);
        let mut lists = Vec::new();
        while let Some(list) = batches.next().await {
            lists.push(events_of(list));
        }
        lists
    }

    #[tokio::test]
    async fn events_arrive_in_order_and_in_few_batches() {
        let events: Vec<_> = (0..1_000).map(waiting).chain([finished(1_000)]).collect();
        let lists = received(&events).await;
        assert!(lists.len() < 100, "a thousand events at once are no {} messages", lists.len());
        assert_eq!(lists.concat(), events);
    }

    #[tokio::test]
    async fn what_is_left_comes_out_when_the_sink_goes() {
        assert_eq!(received(&[waiting(1), waiting(2)]).await.concat().len(), 2);
    }

    #[tokio::test]
    async fn the_end_of_a_run_does_not_wait_for_more() {
        let (sink, mut batches) = batches();
        sink.send(&finished(1));
        assert_eq!(batches.next().await.map(events_of), Some(vec![finished(1)]));
    }

    #[tokio::test]
    async fn no_event_is_no_message() {
        assert!(received(&[]).await.is_empty());
    }
}
