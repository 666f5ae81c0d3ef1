//! Sends events to the window's channel, in lists that `koab_api::batches` collects.

use koab_api::{Batch, BatchSink, batches};
use tauri::async_runtime::JoinHandle;
use tauri::ipc::Channel;

/// Returns a sink that sends to a window's channel, and the task that forwards the batches.
/// Dropping the sink sends the remaining events.
pub(crate) fn channel_sink(channel: Channel<Batch>) -> (BatchSink, JoinHandle<()>) {
    let (sink, mut batches) = batches();
    let forwarding = tauri::async_runtime::spawn(async move {
        while let Some(batch) = batches.next().await {
            // An error means that the window is gone.
            if channel.send(batch).is_err() {
                return;
            }
        }
    });
    (sink, forwarding)
}

#[cfg(test)]
mod tests {
    use super::*;
    use koab_api::{EventSink as _, RunEvent, RunEventKind};
    use std::sync::mpsc;
    use tauri::ipc::InvokeResponseBody;

    #[test]
    fn events_reach_the_channel_as_lists() {
        let (sender, lists) = mpsc::channel();
        let channel = Channel::new(move |body| {
            let InvokeResponseBody::Json(text) = body else { panic!("events are JSON") };
            let list: Vec<RunEvent> = serde_json::from_str(&text).unwrap();
            sender.send(list).unwrap();
            Ok(())
        });
        let event = RunEvent {
            at_ms: 0,
            elapsed_ms: 1,
            run: "r".to_owned(),
            kind: RunEventKind::Waiting {
                task: "t".to_owned(),
                repetition: 1,
                reason: "503".into(),
                wait_ms: 1,
                until_ms: None,
            },
        };
        let (sink, _passing) = channel_sink(channel);
        sink.send(&event);
        drop(sink);
        // Ends when the forwarding task has dropped the channel, that is, when nothing can follow.
        assert_eq!(lists.iter().collect::<Vec<_>>().concat(), [event]);
    }
}
