//! Requests to change a running run.

use super::ModelAdapter;
use koab_core::run_record::{ChangeRecord, RunChange};
use koab_core::say;
use koab_core::sentence::Sentence;
use std::sync::Arc;
use tokio::sync::{mpsc, oneshot};

/// Changes that are made together: all of them, or none.
pub struct ChangeRequest {
    /// The changes. Their earlier values are ignored.
    pub changes: Vec<RunChange>,
    /// The model at its new address, if a change has one. It was checked.
    pub model: Option<Arc<dyn ModelAdapter>>,
}

/// Result of a request: the changes with their earlier values, or the reason why none was made.
pub type ChangeResult = Result<Vec<ChangeRecord>, Sentence>;

/// A request that waits for its result.
pub(crate) struct AskedChange {
    pub(crate) request: ChangeRequest,
    pub(crate) result: oneshot::Sender<ChangeResult>,
}

/// Sends requests to a running run.
#[derive(Clone, Debug)]
pub struct ChangeSender(mpsc::UnboundedSender<AskedChange>);

/// Receives the requests of a run. Without a sender no request ever arrives.
#[derive(Debug)]
pub struct ChangeInbox(mpsc::UnboundedReceiver<AskedChange>);

/// Creates the two ends of a channel for the requests of one run.
pub fn change_channel() -> (ChangeSender, ChangeInbox) {
    let (sender, receiver) = mpsc::unbounded_channel();
    (ChangeSender(sender), ChangeInbox(receiver))
}

impl ChangeSender {
    /// Requests changes and waits for the result.
    ///
    /// # Errors
    /// When the run refuses a change or has ended. No change was made then.
    pub async fn ask(&self, request: ChangeRequest) -> ChangeResult {
        let (result, receiver) = oneshot::channel();
        self.0.send(AskedChange { request, result }).map_err(|_closed| run_has_ended())?;
        receiver.await.unwrap_or_else(|_dropped| Err(run_has_ended()))
    }
}

impl ChangeInbox {
    /// The next request. Waits for ever if there is no sender.
    pub(crate) async fn next(&mut self) -> AskedChange {
        match self.0.recv().await {
            Some(asked) => asked,
            None => std::future::pending().await,
        }
    }
}

fn run_has_ended() -> Sentence {
    say!("the run has ended, so it cannot be changed any more; resume it with other settings")
}

impl Default for ChangeInbox {
    /// An inbox that never receives a request.
    fn default() -> Self {
        change_channel().1
    }
}
