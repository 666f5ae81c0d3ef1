//! Submits work to an engine. The work is the attempts of a run, or the calls to its judges.

use super::cut::{cut, engine_words, names, program};
use koab_cluster::{Engine, Plan, Submission, Work};
use koab_core::say;
use koab_core::sensitive::Sensitive;
use koab_engine::ports::Clock as _;
use koab_library::{RemoteFile, RemotePlan, RemoteRequest};
use koab_workspace::WireError;
use koab_workspace::clock::SystemClock;

/// A planned submission to an engine.
pub(crate) struct Handover {
    pub(crate) engine: Engine,
    pub(crate) plan: Plan,
    /// Earlier submission of the same work.
    pub(crate) earlier: Option<Submission>,
    engine_args: Vec<String>,
    keys: Vec<(String, Sensitive<String>)>,
}

impl Handover {
    /// Plans all shards for a number of attempts or answers. After shards of an earlier submission
    /// have started, the number of shards cannot change.
    ///
    /// # Errors
    /// When the request has another number of shards than the earlier submission, or an argument
    /// for the engine is invalid.
    pub(crate) fn new(
        how: &RemoteRequest,
        work: Work,
        attempts: u64,
        keys: Vec<(String, Sensitive<String>)>,
        (earlier, begun): (Option<Submission>, bool),
    ) -> Result<Self, WireError> {
        let (mut of, mut at_once) = cut(how, attempts);
        if let Some(earlier) = &earlier {
            at_once = how.at_once.unwrap_or(earlier.at_once);
            of = match how.shards {
                Some(asked) if begun && asked != earlier.of => {
                    let of = earlier.of;
                    return Err(WireError::bad_request(say!(
                        "the run was cut into {of} shards, and some of them have begun; leave --shards {asked} out"
                    )));
                }
                Some(asked) => asked,
                None => earlier.of,
            };
        }
        let engine_args = engine_words(how, earlier.as_ref())?;
        let mut plan = Plan::new(work, &program()?, of);
        plan.at_once = at_once.clamp(1, of);
        plan.keys = names(&keys);
        Ok(Self { engine: Engine::new(how.engine, &engine_args)?, plan, earlier, engine_args, keys })
    }

    /// Restricts the plan to the given shards. A shard whose worker is waiting or running is left
    /// out.
    ///
    /// # Errors
    /// When all of the shards have such a worker, or the engine does not answer.
    pub(crate) async fn only(mut self, mut shards: Vec<u32>, run: &str) -> Result<Self, WireError> {
        if let Some(earlier) = &self.earlier {
            let engine = Engine::from_submission(earlier)?;
            let workers = engine.states(&self.plan.work.folder, earlier).await?;
            shards.retain(|shard| {
                let mut own = workers.iter().filter(|worker| worker.shard == *shard);
                !own.any(|worker| worker.state.is_at_work())
            });
        }
        if shards.is_empty() {
            return Err(WireError::busy(say!(
                "every unfinished shard of the run has a worker; `koab runs show {run}` shows them"
            )));
        }
        self.plan.at_once = self.plan.at_once.clamp(1, shards.len() as u32);
        self.plan.shards = shards;
        Ok(self)
    }

    /// Returns the plan in the form that is shown to the user.
    ///
    /// # Errors
    /// When the plan cannot be written in the engine's form.
    pub(crate) fn shown(&self, attempts: u32) -> Result<RemotePlan, WireError> {
        let files = self.engine.files(&self.plan)?.into_iter();
        Ok(RemotePlan {
            engine: self.engine.kind(),
            attempts,
            shards: self.plan.of,
            unfinished: self.plan.shards.len() as u32,
            at_once: self.plan.at_once,
            files: files.map(|file| RemoteFile { name: file.name, text: file.text }).collect(),
        })
    }

    /// Submits the planned work.
    ///
    /// # Errors
    /// When the engine refuses or a file cannot be written. The engine then has no job of this
    /// submission.
    pub(crate) async fn submit(self) -> Result<(), WireError> {
        let before = (self.engine_args, self.earlier);
        let now = SystemClock.now_ms();
        let submitted = self.engine.hand_over(&self.plan, &self.keys, before, now);
        submitted.await?;
        Ok(())
    }
}
