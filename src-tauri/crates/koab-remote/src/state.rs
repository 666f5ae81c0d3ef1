//! Runs on a cluster engine: their state, their logs and their cancellation.
//!
//! Such a run has an ordinary run folder. The engine (`koab-cluster`) reports which workers are
//! waiting, running and ended. The results are in the files of the shards. If engine and files
//! disagree on whether a shard has ended, the files count.

use crate::Remote;
use koab_cluster::{Engine, ShardLog, State, Submission, WorkerState};
use koab_core::run_record::{RunManifest, TokenUsage};
use koab_core::say;
use koab_core::sentence::{Sentence, ToSentence};
use koab_engine::budget::{Budget, Caps};
use koab_engine::ports::Clock as _;
use koab_library::{RemoteRun, RemoteShard, RemoteStates, RemoteWork};
use koab_runs::runs::library::made_here;
use koab_runs::runs::workers::ask;
use koab_scoring::parts::JudgingSetting;
use koab_store::ShardCount;
use koab_store::runs::RunEntry;
use koab_store::verdict_shards::JUDGING;
use koab_workspace::WireError;
use koab_workspace::clock::SystemClock;
use std::collections::{BTreeSet, HashMap};
use std::path::PathBuf;

impl Remote {
    /// Returns the state of a run that was submitted to an engine.
    ///
    /// # Errors
    /// When the run does not exist, was not submitted, or its files cannot be read. If the engine
    /// does not answer, the result has the reason.
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
        // Sorted by length first, so that node 2 comes before node 10.
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

    /// Cancels the workers of a run: those of the attempts, or with [`RemoteWork::Judging`] those
    /// of the judging. Results are kept, and a later submission does the missing work.
    ///
    /// # Errors
    /// When the run does not exist, was not submitted, or the engine does not answer.
    pub async fn remote_cancel(&self, id: &str, work: Option<RemoteWork>) -> Result<RemoteRun, WireError> {
        let (entry, folder, mut submission) = self.submitted(id, work.unwrap_or_default())?;
        let engine = Engine::from_submission(&submission)?;
        engine.cancel(&submission).await?;
        submission.cancelled_ms = Some(SystemClock.now_ms());
        submission.keep(&folder)?;
        self.run_remote(&entry.id, work).await
    }

    /// Returns the log of a shard's workers; only its end if it is long.
    ///
    /// # Errors
    /// When the run or shard does not exist, or none of the shard's workers has started.
    pub fn remote_log(&self, id: &str, work: Option<RemoteWork>, shard: u32) -> Result<ShardLog, WireError> {
        let (_, folder, submission) = self.submitted(id, work.unwrap_or_default())?;
        Ok(submission.log(&folder, shard)?)
    }

    /// Returns a run that was submitted to an engine, the folder of the submission, and the
    /// submission.
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

    /// Returns the progress of making the run's attempts in `of` shards.
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

    /// Returns the progress of judging the run in `of` shards.
    fn judging_standing(&self, entry: &RunEntry, of: u32) -> Result<Standing, WireError> {
        let folder = &entry.run.folder;
        let setting = JudgingSetting::read(folder)?.ok_or_else(|| {
            WireError::not_found(say!("no workers were handed the run {} to judge", entry.id))
        })?;
        let plan = (setting.plan.as_str(), setting.total);
        let judging = folder.join(JUDGING);
        let (counts, whole, spent) = self.runs.library.judging_progress(&judging, plan, |progress| {
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

    /// Returns the cost of a number of tokens of a run.
    fn usd(&self, manifest: &RunManifest, spent: TokenUsage) -> Result<Option<f64>, WireError> {
        if manifest.model.starts_with("baseline/") {
            return Ok(None);
        }
        let price = self.runs.models.price(&manifest.model)?;
        Ok(Budget::new(price, Caps::default(), spent, None).spending().usd)
    }
}

/// Progress of the attempts or of the judging of a run, from its files.
struct Standing {
    counts: Vec<ShardCount>,
    whole: ShardCount,
    tokens: u64,
    usd: Option<f64>,
    max_cost: Option<f64>,
    max_total_tokens: Option<u64>,
    rate_limits: u32,
}

/// Combines the states of the workers from the engine with the progress in their files.
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
        let worker_state = worker.map(|worker| (worker.state, worker.reason));
        let (state, reason): (State, Option<Sentence>) = match worker_state {
            Some((State::Running, _)) => (State::Running, None),
            // Another worker would have nothing to do.
            _ if whole => (State::Done, None),
            Some((State::Waiting, reason)) => (State::Waiting, reason),
            Some((State::Done, _)) => {
                let missing = count.planned - count.done;
                (State::Failed, Some(say!("its worker ended, and {missing} attempts are missing")))
            }
            Some(other) => other,
            None if silent && submission.cancelled_ms.is_none() => (State::Unknown, None),
            None => (State::Cancelled, None),
        };
        RemoteShard { index, state, node, reason, restarts, planned: count.planned, done: count.done }
    });
    shards.collect()
}
