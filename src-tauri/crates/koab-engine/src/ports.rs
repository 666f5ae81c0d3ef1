//! All external interfaces of a run.
//!
//! The engine uses everything outside only through these traits: models, cached responses, the
//! disk, the clock, observers. `koab-providers`, `koab-store` and `testing` implement them.

mod agent;
mod by_hand;
mod changes;
mod ledger;
mod listener;
mod model_call;
mod server_check;

pub(crate) use agent::AgentEvent;
pub use agent::{Agent, AgentEnd, AgentWork, AttemptHandle, NoReply, ToolOutput};
pub use by_hand::{ByHand, HandTask, Operator};
pub(crate) use changes::AskedChange;
pub use changes::{ChangeInbox, ChangeRequest, ChangeResult, ChangeSender, change_channel};
pub use ledger::{Amount, Ledger, StoreError};
pub use listener::Listener;
pub use model_call::{
    AttemptRef, FinishReason, Message, ModelError, ModelReply, ModelRequest, Opaque, RequestedCall,
    ToolChoice, Usage,
};
pub use server_check::ServerCheck;

use crate::call_limits::CallLimits;
use crate::egress::Offline;
use async_trait::async_trait;
use koab_core::args::NormalizedArgs;
use koab_core::event::RunEvent;
use koab_core::run_record::{AttemptRecord, JournalLine, LinePlace, RunManifest};
use koab_core::sentence::Sentence;
use koab_core::sentence::ToSentence;
use serde_json::{Map, Value};
use std::sync::Arc;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

/// Number of output tokens that is assumed if there is no limit. It is also the limit for APIs that
/// require one.
///
/// The number is larger than any reply that a benchmark needs.
pub const OPEN_END: u32 = 4096;

/// A model: on a server, on this computer, or scripted.
#[async_trait]
pub trait ModelAdapter: Send + Sync {
    /// Makes one call. The engine handles retries, time limits and cancelling; dropping the future
    /// must end the call.
    async fn complete(&self, request: ModelRequest<'_>) -> Result<ModelReply, ModelError>;

    /// Checks, before a run spends anything, whether the model can be called at all.
    async fn check(&self) -> Result<(), ModelError> {
        Ok(())
    }

    /// Names of the models that the server lists; `None` if the server or the provider has no list.
    async fn models(&self) -> Result<Option<Vec<String>>, ModelError> {
        Ok(None)
    }

    /// Checks address, key and protocol of the model's server, and the model itself where the
    /// server can tell. No request has the model answer, so a check costs nothing.
    ///
    /// Unlike [`ModelAdapter::check`], which lets a run begin in case of doubt, this fails if the
    /// server answers in another protocol.
    async fn check_server(&self) -> Result<ServerCheck, ModelError> {
        Ok(ServerCheck::NotAsked)
    }

    /// Output token limit that is sent if the request has no limit but the API requires one.
    fn own_limit(&self) -> Option<u32> {
        None
    }

    /// Maximum output tokens of a call, if it is known. It is larger than the requested limit if
    /// thinking is allowed in addition.
    fn most_output(&self, request: &ModelRequest<'_>) -> u32 {
        request.max_tokens.unwrap_or(OPEN_END)
    }

    /// Limits on calls; `None` for models that have no rate limit and no cost.
    fn limits(&self) -> Option<&CallLimits> {
        None
    }

    /// Uses another adapter for later calls: the same model at another address. Returns whether
    /// this is possible.
    fn move_to(&self, _other: Arc<dyn ModelAdapter>) -> bool {
        false
    }
}

/// Cached responses of one pack, found by tool and normalized arguments.
pub trait ResponseCache: Send + Sync {
    /// The cached response as the model sees it; `None` for a cache miss.
    ///
    /// # Errors
    /// When the store cannot be read. The run ends then, since an unreadable store is not a cache
    /// miss.
    fn lookup(&self, tool: &str, args: &NormalizedArgs) -> Result<Option<Value>, StoreError>;

    /// Looks up a call that was already answered `made` times in this attempt. Most packs always
    /// give the same answer; the recording of a server gives its next answer
    /// ([`crate::repeated_calls`]).
    ///
    /// # Errors
    /// The errors of [`ResponseCache::lookup`].
    fn lookup_again(
        &self,
        tool: &str,
        args: &NormalizedArgs,
        made: usize,
    ) -> Result<Option<Value>, StoreError> {
        let _ = made;
        self.lookup(tool, args)
    }
}

/// The live APIs behind a pack's tools.
#[async_trait]
pub trait ToolServices: Send + Sync {
    /// Calls the service behind a tool; `None` if the tool has no service, or it may not be called.
    /// The service's own time limits apply; dropping the future ends the call too.
    async fn call(&self, tool: &str, args: &NormalizedArgs) -> Option<Result<Value, ServiceFault>>;
}

/// A failed live call: it has no answer, or an answer that reports an error. It is never saved.
#[derive(Clone, Debug, PartialEq, thiserror::Error, koab_core::Say)]
#[error("{message}")]
pub struct ServiceFault {
    /// Description of the failure, one sentence without keys.
    pub message: Sentence,
    /// Answer that the published tools give the model, unless it is the plain error message.
    pub shown: Option<Value>,
    /// Set if the service was not called because koab is offline. The model does not see this
    /// failure; the run ends.
    pub offline: Option<Box<Offline>>,
}

impl From<Offline> for ServiceFault {
    fn from(offline: Offline) -> Self {
        Self { message: offline.to_sentence(), shown: None, offline: Some(Box::new(offline)) }
    }
}

/// Saved responses: answers of the live APIs. They are stored next to a pack, whose own cached
/// responses never change.
pub trait AnswerOverlay: Send + Sync {
    /// The saved response as the model sees it.
    ///
    /// # Errors
    /// When the store cannot be read.
    fn lookup(&self, tool: &str, args: &NormalizedArgs) -> Result<Option<Value>, StoreError>;

    /// Saves an answer. `raw` has the arguments as the model wrote them; `answer` is what the model
    /// sees.
    ///
    /// # Errors
    /// When the store cannot be written. The run ends then, since a run whose answers are lost
    /// cannot be repeated.
    fn keep(
        &self,
        tool: &str,
        args: &NormalizedArgs,
        raw: &Map<String, Value>,
        answer: &Value,
    ) -> Result<(), StoreError>;
}

/// Sources that answer cache misses.
#[derive(Clone)]
pub struct LiveTools {
    /// Services to call; `None` for saved responses only.
    pub services: Option<Arc<dyn ToolServices>>,
    /// Saved responses; `None` if responses are neither read nor saved.
    pub overlay: Option<Arc<dyn AnswerOverlay>>,
}

/// Work that syncs data to the disk. It may take milliseconds, so it is done in parallel with the
/// run.
pub type SyncWork = Box<dyn FnOnce() -> Result<(), StoreError> + Send>;

/// The files of a run. They are written while the run is in progress, and read when the run needs
/// their content.
pub trait RunLog: Send {
    /// Appends one journal line and returns its position. The line is not synced to the disk yet.
    ///
    /// # Errors
    /// When the file system reports an error. The run ends then, since its records are its result.
    fn append(&mut self, line: &JournalLine) -> Result<LinePlace, StoreError>;

    /// The attempt in the journal line at this position.
    ///
    /// # Errors
    /// When the file system reports an error, or the line has changed since it was written.
    fn attempt(&mut self, place: LinePlace) -> Result<AttemptRecord, StoreError>;

    /// Whether level logs are written at all.
    fn wants_levels(&self) -> bool {
        true
    }

    /// Writes or replaces one level's log, atomically: a reader sees the old file or the new one.
    ///
    /// # Errors
    /// When the file system reports an error.
    fn write_level(&mut self, level: &koab_core::level::Level, log: &Value) -> Result<(), StoreError>;

    /// Removes a level's log that an earlier start wrote and whose attempts no longer count.
    ///
    /// # Errors
    /// When the file system reports an error.
    fn remove_level(&mut self, _level: &koab_core::level::Level) -> Result<(), StoreError> {
        Ok(())
    }

    /// Writes or replaces `run.json`, atomically.
    ///
    /// # Errors
    /// When the file system reports an error.
    fn write_manifest(&mut self, manifest: &RunManifest) -> Result<(), StoreError>;

    /// Whether another start has taken over the shard. If so, no further attempt begins.
    fn is_taken_over(&mut self) -> bool {
        false
    }

    /// The work that syncs everything appended so far; `None` if there is nothing to sync. The
    /// engine requests it after attempts have ended; it covers all of them.
    ///
    /// # Errors
    /// When the file system reports an error.
    fn sync(&mut self) -> Result<Option<SyncWork>, StoreError> {
        Ok(None)
    }
}

/// A receiver of a run's events.
pub trait EventSink: Send + Sync {
    /// Receives one event. It must not block; the sink may collect events.
    fn send(&self, event: &RunEvent);
}

/// The clock of a run, which tests can replace.
pub trait Clock: Send + Sync {
    /// Milliseconds since the Unix epoch.
    fn now_ms(&self) -> u64;
    /// Local time as Python's `datetime.now().isoformat()` writes it, microseconds included.
    fn local_iso(&self) -> String;
}

/// Token that cancels a run when it is triggered.
pub type Cancel = CancellationToken;

/// Switch that pauses a run. While it is on, no attempt and no model call begins, and the time of
/// attempts is stopped.
///
/// Clones share the state.
#[derive(Clone, Debug)]
pub struct Pause {
    held: Arc<watch::Sender<Held>>,
    /// Whether a run waits if its server is missing, because a user is present who can act.
    waits_for_servers: bool,
}

/// The state of a [`Pause`].
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Held {
    /// The run is not paused.
    #[default]
    No,
    /// The user paused the run.
    ByHand,
    /// The run waits for a server. The sentence describes the failure.
    ForServer(Sentence),
}

impl Default for Pause {
    fn default() -> Self {
        Self { held: Arc::new(watch::Sender::new(Held::No)), waits_for_servers: false }
    }
}

impl Pause {
    /// Creates a pause that also waits for a missing server, so that attempts do not fail one after
    /// another.
    pub fn that_waits_for_servers() -> Self {
        Self { waits_for_servers: true, ..Self::default() }
    }

    /// Pauses or resumes the run.
    pub fn set(&self, on: bool) {
        self.held.send_replace(if on { Held::ByHand } else { Held::No });
    }

    /// Pauses the run because no server answers; `why` is the reason. Returns whether the run waits
    /// for servers at all.
    pub fn wait_for_server(&self, why: &Sentence) -> bool {
        if self.waits_for_servers {
            self.held.send_if_modified(|held| {
                let is_running = *held == Held::No;
                if is_running {
                    *held = Held::ForServer(why.clone());
                }
                is_running
            });
        }
        self.waits_for_servers
    }

    /// The current state: not paused, paused by the user, or waiting for a server.
    pub fn held(&self) -> Held {
        self.held.borrow().clone()
    }

    /// Whether the run is paused.
    pub fn is_on(&self) -> bool {
        *self.held.borrow() != Held::No
    }

    /// Completes as soon as the run is paused (if `wanted` is true) or not paused.
    pub async fn until(&self, wanted: bool) {
        self.until_held(|held| (*held != Held::No) == wanted).await;
    }

    /// Completes as soon as the state of the pause differs from `now`.
    pub async fn changed_from(&self, now: &Held) {
        self.until_held(|held| held != now).await;
    }

    async fn until_held(&self, wanted: impl FnMut(&Held) -> bool) {
        // Fails only when the sender is gone, and this holds it.
        let _ = self.held.subscribe().wait_for(wanted).await;
    }
}
