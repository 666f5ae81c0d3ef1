//! Every outward edge of a run, on one page.
//!
//! The engine reaches the world through these traits only: models, cached responses, the disk, the
//! clock, whoever watches. `koab-providers`, `koab-store` and `testing` implement them.

mod agent;
mod by_hand;
mod ledger;
mod listener;
mod model_call;

pub(crate) use agent::AgentEvent;
pub use agent::{Agent, AgentEnd, AgentWork, AttemptHandle, NoReply, ToolOutput};
pub use by_hand::{ByHand, HandTask, Operator};
pub use ledger::{Amount, Ledger, StoreError};
pub use listener::Listener;
pub use model_call::{
    AttemptRef, FinishReason, Message, ModelError, ModelReply, ModelRequest, Opaque, RequestedCall,
    ToolChoice, Usage,
};

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

/// Output tokens that an answer without a limit is thought to take at most, and the limit where a
/// form demands one: more than any reply that a benchmark asks for.
pub const OPEN_END: u32 = 4096;

/// A model, hosted, local or scripted.
#[async_trait]
pub trait ModelAdapter: Send + Sync {
    /// Asks once. Retries, time limits and cancelling are the engine's: dropping the future must
    /// end the call.
    async fn complete(&self, request: ModelRequest<'_>) -> Result<ModelReply, ModelError>;

    /// Finds out, before a run spends anything, whether the model can be asked at all.
    async fn check(&self) -> Result<(), ModelError> {
        Ok(())
    }

    /// Names of the models that the server lists; `None` where it lists none or the provider has no
    /// list.
    async fn models(&self) -> Result<Option<Vec<String>>, ModelError> {
        Ok(None)
    }

    /// The limit of output tokens that goes along with a request that names none, where there has
    /// to be one.
    fn own_limit(&self) -> Option<u32> {
        None
    }

    /// Output tokens that a call may take at most, as far as that is known. More than was asked for
    /// where thinking has its room beside the answer's.
    fn most_output(&self, request: &ModelRequest<'_>) -> u32 {
        request.max_tokens.unwrap_or(OPEN_END)
    }

    /// What a call passes before it goes out; `None` for models that need no pacing and cost
    /// nothing.
    fn limits(&self) -> Option<&CallLimits> {
        None
    }
}

/// Cached responses of one pack, found by tool and normalized arguments.
pub trait ResponseCache: Send + Sync {
    /// The cached response as the model shall see it, or `None` when there is none.
    ///
    /// # Errors
    /// When the store cannot be read; that ends the run, since it is nobody's miss.
    fn lookup(&self, tool: &str, args: &NormalizedArgs) -> Result<Option<Value>, StoreError>;

    /// The same for a call that this attempt was answered `made` times before: most packs say the
    /// same for ever, the recording of a server goes by turns ([`crate::repeated_calls`]).
    ///
    /// # Errors
    /// As [`ResponseCache::lookup`].
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
    /// Asks the service behind a tool; `None` when there is none for it, or none that may be asked.
    /// Its own time limits hold; dropping the future ends the call too.
    async fn call(&self, tool: &str, args: &NormalizedArgs) -> Option<Result<Value, ServiceFault>>;
}

/// A service that gave no answer, or one that says that something went wrong. Never to be kept as a
/// tool's answer.
#[derive(Clone, Debug, PartialEq, thiserror::Error, koab_core::Say)]
#[error("{message}")]
pub struct ServiceFault {
    /// What it was, in one sentence without keys.
    pub message: Sentence,
    /// What the published tools show a model in its place, where that is not the plain error.
    pub shown: Option<Value>,
    /// Set where the service was not asked because koab is offline: no model is shown that, the run
    /// ends.
    pub offline: Option<Box<Offline>>,
}

impl From<Offline> for ServiceFault {
    fn from(offline: Offline) -> Self {
        Self { message: offline.to_sentence(), shown: None, offline: Some(Box::new(offline)) }
    }
}

/// Answers of the live APIs that the user keeps beside a pack, whose own records never change.
pub trait AnswerOverlay: Send + Sync {
    /// The kept answer as the model shall see it.
    ///
    /// # Errors
    /// When the store cannot be read.
    fn lookup(&self, tool: &str, args: &NormalizedArgs) -> Result<Option<Value>, StoreError>;

    /// Keeps an answer. `raw` is what the model wrote, `answer` what it is shown.
    ///
    /// # Errors
    /// When the store cannot be written; that ends the run, since a run whose answers are lost
    /// cannot be repeated.
    fn keep(
        &self,
        tool: &str,
        args: &NormalizedArgs,
        raw: &Map<String, Value>,
        answer: &Value,
    ) -> Result<(), StoreError>;
}

/// Where answers come from that the pack does not have.
#[derive(Clone)]
pub struct LiveTools {
    /// Whom to ask; `None` asks nobody, so that only what was kept answers.
    pub services: Option<Arc<dyn ToolServices>>,
    /// Where answers are kept; `None` keeps none.
    pub overlay: Option<Arc<dyn AnswerOverlay>>,
}

/// Work that makes something survive a loss of power; may take milliseconds, so that it is done
/// beside the run.
pub type SyncWork = Box<dyn FnOnce() -> Result<(), StoreError> + Send>;

/// Where a run is written as it goes, and read back where it needs what it wrote.
pub trait RunLog: Send {
    /// Appends one journal line; it is on its way to the disk when this returns. The answer is
    /// where it stands.
    ///
    /// # Errors
    /// When the disk refuses. The record is the product, so this ends the run.
    fn append(&mut self, line: &JournalLine) -> Result<LinePlace, StoreError>;

    /// The attempt whose line stands there.
    ///
    /// # Errors
    /// When the disk refuses, or the line is no longer what was written.
    fn attempt(&mut self, place: LinePlace) -> Result<AttemptRecord, StoreError>;

    /// Whether it keeps level logs at all.
    fn wants_levels(&self) -> bool {
        true
    }

    /// Writes or replaces one level's log, atomically: a reader sees the old file or the new one.
    ///
    /// # Errors
    /// When the disk refuses.
    fn write_level(&mut self, level: koab_core::level::Level, log: &Value) -> Result<(), StoreError>;

    /// Removes a level's log, where an earlier start has written one of attempts that count no
    /// more.
    ///
    /// # Errors
    /// When the disk refuses.
    fn remove_level(&mut self, _level: koab_core::level::Level) -> Result<(), StoreError> {
        Ok(())
    }

    /// Writes or replaces `run.json`, atomically.
    ///
    /// # Errors
    /// When the disk refuses.
    fn write_manifest(&mut self, manifest: &RunManifest) -> Result<(), StoreError>;

    /// Whether somebody else has taken over what is written here, as another start of a shard does;
    /// nothing more is begun then.
    fn is_taken_over(&mut self) -> bool {
        false
    }

    /// What makes everything appended so far survive a loss of power; `None` where nothing needs to
    /// be done. Asked for when attempts have ended, and done for all of them together.
    ///
    /// # Errors
    /// When the disk refuses.
    fn sync(&mut self) -> Result<Option<SyncWork>, StoreError> {
        Ok(None)
    }
}

/// Whoever watches a run.
pub trait EventSink: Send + Sync {
    /// Takes one event. Must not block; batching is the sink's.
    fn send(&self, event: &RunEvent);
}

/// Time, so that tests can hold it still.
pub trait Clock: Send + Sync {
    /// Milliseconds since the Unix epoch.
    fn now_ms(&self) -> u64;
    /// Local time as Python's `datetime.now().isoformat()` writes it, microseconds included.
    fn local_iso(&self) -> String;
}

/// Cancels a run when triggered.
pub type Cancel = CancellationToken;

/// Holds a run while it is on: no attempt and no model call begins, and no attempt's time runs out
/// meanwhile. Clones share it.
#[derive(Clone, Debug)]
pub struct Pause {
    held: Arc<watch::Sender<Held>>,
    /// Whether a run waits for a server that is gone, because somebody is there who can act.
    waits_for_servers: bool,
}

/// Whether a run is held, and by whom.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Held {
    /// It goes.
    #[default]
    No,
    /// By the user.
    ByHand,
    /// No server answers, as the sentence says.
    ForServer(Sentence),
}

impl Default for Pause {
    fn default() -> Self {
        Self { held: Arc::new(watch::Sender::new(Held::No)), waits_for_servers: false }
    }
}

impl Pause {
    /// One with which a run waits for a server that is gone, instead of failing attempt after
    /// attempt.
    pub fn that_waits_for_servers() -> Self {
        Self { waits_for_servers: true, ..Self::default() }
    }

    /// Holds the run, or lets it go on.
    pub fn set(&self, on: bool) {
        self.held.send_replace(if on { Held::ByHand } else { Held::No });
    }

    /// Holds the run because no server answers, as `why` says. Answers whether it is held.
    pub fn wait_for_server(&self, why: &Sentence) -> bool {
        if self.waits_for_servers {
            self.held.send_if_modified(|held| {
                let goes = *held == Held::No;
                if goes {
                    *held = Held::ForServer(why.clone());
                }
                goes
            });
        }
        self.waits_for_servers
    }

    /// Whether the run is held, and by whom.
    pub fn held(&self) -> Held {
        self.held.borrow().clone()
    }

    /// Whether the run is held.
    pub fn is_on(&self) -> bool {
        *self.held.borrow() != Held::No
    }

    /// Returns as soon as it is on or off, as `wanted` says.
    pub async fn until(&self, wanted: bool) {
        self.until_held(|held| (*held != Held::No) == wanted).await;
    }

    /// Returns as soon as it is other than `now`.
    pub async fn changed_from(&self, now: &Held) {
        self.until_held(|held| held != now).await;
    }

    async fn until_held(&self, wanted: impl FnMut(&Held) -> bool) {
        // Fails only when the sender is gone, and this holds it.
        let _ = self.held.subscribe().wait_for(wanted).await;
    }
}
