//! From the engine's events to whoever draws them, in batches.
//!
//! A message to a page costs it a task of its own and nothing pushes back, so a fast run could bury it. The engine sends
//! event by event and must not wait; here they are gathered for [`BATCH`] and handed on as one list. The window and the
//! browser's server share this; how a list travels is theirs.

use koab_core::event::{RunEvent, RunEventKind};
use koab_engine::ports::EventSink;
use std::time::Duration;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::time::{Instant, timeout_at};

/// How long events are gathered: short enough to look live, long enough for 20 messages a second at most.
const BATCH: Duration = Duration::from_millis(50);

/// The end that the engine sends to. When the last clone of it is dropped, what is left comes out of [`Batches`].
pub struct BatchSink(UnboundedSender<RunEvent>);

/// The end that lists come out of.
pub struct Batches(UnboundedReceiver<RunEvent>);

/// A sink, and the lists that its events become.
pub fn batches() -> (BatchSink, Batches) {
    let (events, gathered) = unbounded_channel();
    (BatchSink(events), Batches(gathered))
}

impl EventSink for BatchSink {
    fn send(&self, event: &RunEvent) {
        // The receiver ends early only when the page is gone, and then nobody is left to tell.
        let _ = self.0.send(event.clone());
    }
}

impl Batches {
    /// The next events, oldest first and at least one; nothing once the sink is gone. The last event of a run does not
    /// wait for others. Safe to abandon only between two lists.
    pub async fn next(&mut self) -> Option<Vec<RunEvent>> {
        let first = self.0.recv().await?;
        let deadline = Instant::now() + BATCH;
        let mut over = is_last(&first);
        let mut batch = vec![first];
        while !over {
            match timeout_at(deadline, self.0.recv()).await {
                Ok(Some(event)) => {
                    over = is_last(&event);
                    batch.push(event);
                }
                Ok(None) => over = true,
                Err(_) => break,
            }
        }
        Some(batch)
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
        RunEvent {
            at_ms: 0,
            elapsed_ms,
            run: "r".to_owned(),
            kind,
        }
    }

    fn waiting(elapsed_ms: u64) -> RunEvent {
        let kind = RunEventKind::Waiting {
            task: "t".to_owned(),
            repetition: 1,
            reason: "503".to_owned(),
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
            },
        )
    }

    /// What comes out when these events are sent at once and the sink is dropped then.
    async fn received(events: &[RunEvent]) -> Vec<Vec<RunEvent>> {
        let (sink, mut batches) = batches();
        for event in events {
            sink.send(event);
        }
        drop(sink);
        let mut lists = Vec::new();
        while let Some(list) = batches.next().await {
            lists.push(list);
        }
        lists
    }

    #[tokio::test]
    async fn events_arrive_in_order_and_in_few_batches() {
        let events: Vec<_> = (0..1_000).map(waiting).chain([finished(1_000)]).collect();
        let lists = received(&events).await;
        assert!(
            lists.len() < 100,
            "a thousand events at once are no {} messages",
            lists.len()
        );
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
        assert_eq!(batches.next().await.map(|list| list.len()), Some(1));
    }

    #[tokio::test]
    async fn no_event_is_no_message() {
        assert!(received(&[]).await.is_empty());
    }
}
