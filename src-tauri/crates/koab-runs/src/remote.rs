//! Runs whose workers an engine of a cluster begins: how they stand, their logs, their end.
//!
//! Such a run is an ordinary run's folder. The engine (`koab-cluster`) says which workers wait,
//! work and have ended, the files of shards what they have made; where both speak of the end of a
//! shard, the files are right.

mod agent;
mod check;
mod cut;
mod handover;
mod judging;
mod submit;

use crate::Runs;
use crate::runs::library::made_here;
use crate::runs::workers::ask;
use crate::scoring::parts::JudgingSetting;
use crate::wire::{RemoteRun, RemoteShard, RemoteStates, RemoteWork, ShardLog, WireError};
use koab_cluster::{Engine, State, Submission, WorkerState};
use koab_core::run_record::{RunManifest, TokenUsage};
use koab_core::say;
use koab_core::sentence::{Sentence, ToSentence};
use koab_engine::budget::{Budget, Caps};
use koab_engine::ports::Clock as _;
use koab_store::ShardCount;
use koab_store::runs::RunEntry;
use koab_store::verdict_shards::JUDGING;
use koab_workspace::clock::SystemClock;
use std::collections::{BTreeSet, HashMap};
use std::path::PathBuf;

/// Runs and judgings whose workers an engine of a cluster starts. Cheap to clone; clones share
/// everything.
#[derive(Clone)]
pub struct Remote {
    runs: Runs,
}

impl Remote {
    /// The clusters of these runs.
    pub fn new(runs: Runs) -> Self {
        Self { runs }
    }

    /// How a run stands that was handed to an engine.
    ///
    /// # Errors
    /// When there is no such run, it was handed to none, or its files cannot be read. An engine
    /// that does not answer is part of the answer.
    pub async fn run_remote(&self, id: &str, work: Option<RemoteWork>) -> Result<RemoteRun, WireError> {
        let work = work.unwrap_or_default();
        let (entry, folder, submission) = self.submitted(id, work)?;
        let (workers, merging, silent) = match ask(&folder, &submission).await {
            Ok((workers, merging)) => (workers, merging, None),
            Err(error) => (Vec::new(), false, Some(error.to_sentence())),
        };
        let Standing { counts, whole, tokens, usd, max_cost, max_total_tokens, rate_limits } = match work {
            RemoteWork::Attempts => self.standing(&entry, submission.of)?,
            RemoteWork::Judging => self.judging_standing(&entry, submission.of)?,
        };
        let shards = shards(&submission, workers, silent.is_some(), &counts);
        let mut states = RemoteStates::default();
        for shard in &shards {
            *match shard.state {
                State::Waiting => &mut states.waiting,
                State::Running => &mut states.running,
                State::Done => &mut states.done,
                State::Failed => &mut states.failed,
                State::Cancelled => &mut states.cancelled,
                State::Unknown => &mut states.unknown,
            } += 1;
        }
        let working = shards.iter().filter(|shard| shard.state == State::Running);
        // The second node stands before the tenth.
        let nodes: BTreeSet<(usize, String)> =
            working.filter_map(|shard| shard.node.clone()).map(|node| (node.len(), node)).collect();
        let ShardCount { planned, done, failed } = whole;
        Ok(RemoteRun {
            run: entry.id,
            work,
            engine: submission.engine,
            jobs: submission.jobs.iter().map(|job| job.id.clone()).collect(),
            at_once: submission.at_once,
            submitted_ms: submission.jobs.last().map_or(0, |job| job.at_ms),
            active: states.waiting + states.running > 0,
            merging,
            silent,
            shards,
            states,
            nodes: nodes.into_iter().map(|(_, node)| node).collect(),
            planned,
            done,
            failed,
            tokens,
            usd,
            max_cost,
            max_total_tokens,
            rate_limits,
        })
    }

    /// Ends the workers of a run. What they have made is kept, and another submission makes the
    /// rest.
    ///
    /// # Errors
    /// When there is no such run, it was handed to no engine, or that does not answer.
    pub async fn remote_cancel(&self, id: &str, work: Option<RemoteWork>) -> Result<RemoteRun, WireError> {
        let (entry, folder, mut submission) = self.submitted(id, work.unwrap_or_default())?;
        let engine = Engine::from_submission(&submission)?;
        engine.cancel(&submission).await?;
        submission.cancelled_ms = Some(SystemClock.now_ms());
        submission.keep(&folder)?;
        self.run_remote(&entry.id, work).await
    }

    /// The log of a shard's workers, its end if it is long.
    ///
    /// # Errors
    /// When there is no such run or shard, or no worker of it has begun.
    pub fn remote_log(&self, id: &str, work: Option<RemoteWork>, shard: u32) -> Result<ShardLog, WireError> {
        let (_, folder, submission) = self.submitted(id, work.unwrap_or_default())?;
        Ok(submission.log(&folder, shard)?)
    }

    /// A run that was handed to an engine.
    fn submitted(&self, id: &str, work: RemoteWork) -> Result<(RunEntry, PathBuf, Submission), WireError> {
        let entry = self.runs.library.run_meant(id)?;
        let (folder, command) = match work {
            RemoteWork::Attempts => (entry.run.folder.clone(), "run --resume"),
            RemoteWork::Judging => (entry.run.folder.join(JUDGING), "evaluate"),
        };
        let submission = Submission::read(&folder)?.ok_or_else(|| {
            let id = &entry.id;
            WireError::not_found(say!(
                "the run {id} was not handed to a cluster; `koab {command} {id} --on slurm` does that"
            ))
        })?;
        Ok((entry, folder, submission))
    }

    /// How far the attempts of a run have come.
    fn standing(&self, entry: &RunEntry, of: u32) -> Result<Standing, WireError> {
        let manifest = made_here(entry)?;
        let (counts, whole, spent, rate_limits) =
            self.runs.library.progress(entry, &manifest, |progress| {
                let counts: Vec<ShardCount> = (0..of).map(|index| progress.shard(index, of)).collect();
                (counts, progress.whole(), progress.spent(), progress.limited())
            })?;
        Ok(Standing {
            counts,
            whole,
            tokens: spent.total_tokens,
            usd: self.usd(&manifest, spent)?,
            max_cost: manifest.spec.max_cost,
            max_total_tokens: manifest.spec.max_total_tokens,
            rate_limits,
        })
    }

    /// How far its judges have come.
    fn judging_standing(&self, entry: &RunEntry, of: u32) -> Result<Standing, WireError> {
        let folder = &entry.run.folder;
        let setting = JudgingSetting::read(folder)?
            .ok_or_else(|| WireError::not_found(say!("no workers were to judge the run {}", entry.id)))?;
        let asked = (setting.plan.as_str(), setting.total);
        let judging = folder.join(JUDGING);
        let (counts, whole, spent) = self.runs.library.inner.remote.judging(&judging, asked, |progress| {
            let counts = (0..of).map(|index| progress.shard(index, of)).collect();
            (counts, progress.whole(), progress.spent())
        })?;
        Ok(Standing {
            counts,
            whole,
            tokens: spent.tokens,
            usd: spent.usd,
            max_cost: setting.max_cost,
            max_total_tokens: setting.max_total_tokens,
            rate_limits: 0,
        })
    }

    /// What these tokens of a run have cost.
    fn usd(&self, manifest: &RunManifest, spent: TokenUsage) -> Result<Option<f64>, WireError> {
        if manifest.model.starts_with("baseline/") {
            return Ok(None);
        }
        let price = self.runs.models.price(&manifest.model)?;
        Ok(Budget::new(price, Caps::default(), spent, None).spending().usd)
    }
}

/// How far the work of a run has come, as its files say.
struct Standing {
    counts: Vec<ShardCount>,
    whole: ShardCount,
    tokens: u64,
    usd: Option<f64>,
    max_cost: Option<f64>,
    max_total_tokens: Option<u64>,
    rate_limits: u32,
}

/// Joins what the engine says of workers and what the files say of their shards.
fn shards(
    submission: &Submission,
    workers: Vec<WorkerState>,
    silent: bool,
    counts: &[ShardCount],
) -> Vec<RemoteShard> {
    let mut workers: HashMap<u32, WorkerState> =
        workers.into_iter().map(|worker| (worker.shard, worker)).collect();
    let shards = counts.iter().zip(0..).map(|(count, index)| {
        let worker = workers.remove(&index);
        let whole = count.done == count.planned;
        let (node, restarts) =
            worker.as_ref().map_or((None, 0), |worker| (worker.node.clone(), worker.restarts));
        let told = worker.map(|worker| (worker.state, worker.reason));
        let (state, reason): (State, Option<Sentence>) = match told {
            Some((State::Running, _)) => (State::Running, None),
            // Another start of it would find nothing to do.
            _ if whole => (State::Done, None),
            Some((State::Waiting, reason)) => (State::Waiting, reason),
            Some((State::Done, _)) => {
                let missing = count.planned - count.done;
                (State::Failed, Some(say!("its worker ended, and {missing} attempts are missing")))
            }
            Some(told) => told,
            None if silent && submission.cancelled_ms.is_none() => (State::Unknown, None),
            None => (State::Cancelled, None),
        };
        RemoteShard { index, state, node, reason, restarts, planned: count.planned, done: count.done }
    });
    shards.collect()
}
