//! From the engine's events to the window's channel, in batches.
//!
//! A channel message costs the window a task of its own and nothing pushes back, so a fast run could bury it. The
//! engine sends event by event and must not wait; here they are gathered for [`BATCH`] and sent as one list.

use koab_api::{EventSink, RunEvent, RunEventKind};
use std::time::Duration;
use tauri::ipc::Channel;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::time::{Instant, timeout_at};

/// How long events are gathered: short enough to look live, long enough for 20 messages a second at most.
const BATCH: Duration = Duration::from_millis(50);

/// An [`EventSink`] that ends in a window's channel. Dropping it sends what is left.
pub(crate) struct ChannelSink {
    events: UnboundedSender<RunEvent>,
}

impl ChannelSink {
    /// Starts gathering for `channel` on the shell's async runtime.
    pub(crate) fn new(channel: Channel<Vec<RunEvent>>) -> Self {
        let (events, gathered) = unbounded_channel();
        tauri::async_runtime::spawn(forward(gathered, channel));
        Self { events }
    }
}

impl EventSink for ChannelSink {
    fn send(&self, event: &RunEvent) {
        // The receiver ends early only when the window is gone, and then nobody is left to tell.
        let _ = self.events.send(event.clone());
    }
}

async fn forward(mut events: UnboundedReceiver<RunEvent>, channel: Channel<Vec<RunEvent>>) {
    while let Some(first) = events.recv().await {
        let deadline = Instant::now() + BATCH;
        let mut over = is_last(&first);
        let mut batch = vec![first];
        while !over {
            match timeout_at(deadline, events.recv()).await {
                Ok(Some(event)) => {
                    over = is_last(&event);
                    batch.push(event);
                }
                Ok(None) => over = true,
                Err(_) => break,
            }
        }
        if channel.send(batch).is_err() {
            return;
        }
    }
}

fn is_last(event: &RunEvent) -> bool {
    matches!(event.kind, RunEventKind::RunFinished { .. })
}

#[cfg(test)]
mod tests {
    use super::*;
    use koab_api::RunOutcome;
    use std::sync::mpsc;
    use tauri::ipc::InvokeResponseBody;

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

    /// What the window receives when these events are sent at once and the sink is dropped then.
    fn received(events: &[RunEvent]) -> Vec<Vec<RunEvent>> {
        let (sender, batches) = mpsc::channel();
        let channel = Channel::new(move |body| {
            let InvokeResponseBody::Json(text) = body else {
                panic!("events are JSON")
            };
            sender.send(serde_json::from_str(&text).unwrap()).unwrap();
            Ok(())
        });
        let sink = ChannelSink::new(channel);
        for event in events {
            sink.send(event);
        }
        drop(sink);
        // Ends when the forwarding task has dropped the channel, that is, when nothing can follow.
        batches.iter().collect()
    }

    #[test]
    fn events_arrive_in_order_and_in_few_batches() {
        let events: Vec<_> = (0..1_000).map(waiting).chain([finished(1_000)]).collect();
        let batches = received(&events);
        assert!(
            batches.len() < 100,
            "a thousand events at once are no {} messages",
            batches.len()
        );
        assert_eq!(batches.concat(), events);
    }

    #[test]
    fn what_is_left_is_sent_when_the_sink_goes() {
        assert_eq!(received(&[waiting(1), waiting(2)]).concat().len(), 2);
    }

    #[test]
    fn no_event_is_no_message() {
        assert!(received(&[]).is_empty());
    }
}
