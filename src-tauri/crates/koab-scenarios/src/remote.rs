//! Scenarios on a cluster, run by an array of workers (`docs/design/scenarios.md`).
//!
//! Each worker runs its share of the trials in a rootless Podman of its own and moves them into the
//! results folder that all workers see.
//!
//! Trials run on the machine's own disk and enter the results only when they are finished. The
//! results therefore never contain partial trials, container storage is never on a shared disk, and
//! when a worker is started twice, the first finished trial counts.

mod cluster;
mod job;
mod worker;

pub use cluster::ScenarioCluster;
pub use worker::ScenarioPart;

use crate::Scenarios;
use crate::environment::OAI_CONFIG_LIST;
use crate::layout::{Layout, TrialId};
use crate::prepare::claimed;
use crate::request::ScenarioRequest;
use crate::trial::TrialRuntime;
use job::{Job, newest};
use koab_cluster::{
    Engine, EngineKind, Plan, ShardLog, State, Submission, Work, WorkerEnvironment, WorkerState,
};
use koab_core::say;
use koab_core::sensitive::Sensitive;
use koab_core::sentence::{Sentence, ToSentence};
use koab_engine::ports::Clock as _;
use koab_workspace::WireError;
use koab_workspace::clock::{SystemClock, folder_date};
use serde::Serialize;
use std::path::{Path, PathBuf};
use ts_rs::TS;

/// Default maximum number of shards: Slurm's arrays have at most 1,001 elements.
const MAX_SHARDS: u32 = 1000;

/// A job as it would be submitted to a cluster engine (Slurm or Kubernetes).
#[derive(Clone, Debug, Serialize)]
pub struct ScenarioSubmission {
    /// Cluster engine.
    pub engine: EngineKind,
    /// The results folder.
    pub results: String,
    /// Number of trials that are not finished.
    pub trials: u32,
    /// Number of shards.
    pub shards: u32,
    /// Maximum number of workers that run at once.
    pub at_once: u32,
    /// Name and text of each file for the engine. The last one is the submission itself.
    pub files: Vec<(String, String)>,
}

/// State of scenarios that were submitted to a cluster engine (Slurm or Kubernetes).
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export)]
pub struct ScenarioRemote {
    /// The results folder.
    pub results: String,
    /// Cluster engine.
    pub engine: EngineKind,
    /// Ids of the engine's jobs.
    pub jobs: Vec<String>,
    /// Whether workers are waiting or running.
    pub active: bool,
    /// Reason why the state could not be read from the engine.
    pub silent: Option<Sentence>,
    /// Whether workers may be running although the engine does not answer: trials are missing, and
    /// nobody cancelled the job.
    pub may_work: bool,
    /// Number of submitted trials.
    pub trials: u32,
    /// Number of submitted trials that are in the results.
    pub finished: u32,
    /// State of each shard.
    pub shards: Vec<ScenarioShard>,
    /// Folder with the workers' scripts and logs.
    pub folder: String,
}

/// State of one shard of submitted scenarios.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export)]
pub struct ScenarioShard {
    /// 0-based number of the shard.
    pub index: u32,
    /// State of the worker that runs the shard.
    pub state: State,
    /// Node on which the shard's worker runs, or ran last.
    pub node: Option<String>,
    /// Reason why the shard's worker waits or has failed.
    pub reason: Option<Sentence>,
    /// Number of times that the engine restarted the shard's worker.
    pub restarts: u32,
    /// Number of the shard's trials.
    pub trials: u32,
    /// Number of the shard's trials that are in the results.
    pub finished: u32,
}

/// A checked request, ready to be submitted.
struct Prepared {
    engine: Engine,
    engine_args: Vec<String>,
    layout: Layout,
    job: Job,
    of: u32,
    at_once: u32,
    keys: Vec<(String, Sensitive<String>)>,
}

impl Scenarios {
    /// Job that would be submitted for scenarios. Nothing is created, and no engine is called.
    ///
    /// # Errors
    /// Same as [`Scenarios::remote_submit`].
    pub async fn remote_plan(
        &self,
        request: ScenarioRequest,
        how: &ScenarioCluster,
    ) -> Result<ScenarioSubmission, WireError> {
        let prepared = self.prepare_remote(request, how).await?;
        let plan = prepared.plan(&prepared.layout.job_folder(&folder_date()), how)?;
        let files = prepared.engine.files(&plan)?.into_iter();
        Ok(ScenarioSubmission {
            engine: prepared.engine.kind(),
            results: prepared.layout.results().display().to_string(),
            trials: prepared.job.trials.len() as u32,
            shards: prepared.of,
            at_once: prepared.at_once,
            files: files.map(|file| (file.name, file.text)).collect(),
        })
    }

    /// Submits the unfinished trials of scenarios to a cluster engine. `None` when all trials are
    /// finished.
    ///
    /// # Errors
    /// When the scenarios are wrong, workers are already running, or the engine is missing or
    /// refuses. Nothing is left behind then.
    pub async fn remote_submit(
        &self,
        request: ScenarioRequest,
        how: &ScenarioCluster,
    ) -> Result<Option<ScenarioRemote>, WireError> {
        let prepared = self.prepare_remote(request, how).await?;
        let results = prepared.layout.results().to_owned();
        if prepared.job.trials.is_empty() {
            return Ok(None);
        }
        if let Some(folder) = newest(&results)? {
            let before = self.remote_state(&folder, &results).await?;
            if let Some(why) = before.silent.as_ref().filter(|_| before.may_work && !how.without_engine) {
                let engine = before.engine.title();
                return Err(WireError::busy(say!(
                    "workers on {engine} may be running scenarios into {}, and {engine} does not answer: {why}; try again where it does, or hand the scenarios over anyway with --without-engine, which may run trials twice",
                    results.display()
                )));
            }
            if before.active {
                return Err(WireError::busy(say!(
                    "workers are running scenarios into {}; wait for them (`koab scenario status`), or end them with `koab scenario cancel`",
                    results.display()
                )));
            }
        }
        // Fails when a process on this machine runs scenarios into the same results: it would take
        // a worker's trials for its own.
        drop(prepared.layout.claim().map_err(claimed)?);
        prepared.engine.check().await?;
        let folder = prepared.layout.job_folder(&folder_date());
        let submission = prepared.submit(&folder, how).await;
        if let Err(error) = submission {
            let _ = std::fs::remove_dir_all(&folder);
            return Err(error);
        }
        self.remote_state(&folder, &results).await.map(Some)
    }

    /// State of the scenarios that were last submitted into a results folder, by default the
    /// workspace's.
    ///
    /// # Errors
    /// When no scenarios were submitted.
    pub async fn remote_status(&self, results: Option<&str>) -> Result<ScenarioRemote, WireError> {
        let results = self.remote_results(results);
        self.remote_state(&last_job_folder(&results)?, &results).await
    }

    /// State of the scenarios that were last submitted into a results folder; `None` when no
    /// scenarios were submitted.
    ///
    /// # Errors
    /// When the folder cannot be read.
    pub async fn remote_now(&self, results: Option<&str>) -> Result<Option<ScenarioRemote>, WireError> {
        let results = self.remote_results(results);
        match newest(&results)? {
            Some(folder) => self.remote_state(&folder, &results).await.map(Some),
            None => Ok(None),
        }
    }

    /// Cancels the workers of scenarios. Finished trials stay, and another submission runs the
    /// other trials.
    ///
    /// # Errors
    /// When no scenarios were submitted, or the engine does not answer.
    pub async fn remote_cancel(&self, results: Option<&str>) -> Result<ScenarioRemote, WireError> {
        let results = self.remote_results(results);
        let folder = last_job_folder(&results)?;
        let mut submission = submission(&folder)?;
        let engine = Engine::from_submission(&submission)?;
        engine.cancel(&submission).await?;
        submission.cancelled_ms = Some(SystemClock.now_ms());
        submission.keep(&folder)?;
        self.remote_state(&folder, &results).await
    }

    /// Submits the unfinished trials again. `None` when all trials are finished.
    ///
    /// # Errors
    /// Same as [`Scenarios::remote_submit`]; also when no scenarios were submitted, or an earlier
    /// version submitted them.
    pub async fn remote_resume(&self, results: Option<&str>) -> Result<Option<ScenarioRemote>, WireError> {
        let results = self.remote_results(results);
        let job = Job::read(&last_job_folder(&results)?)?;
        let how = job.how.ok_or_else(|| {
            WireError::bad_request(say!(
                "an earlier version handed these scenarios over and did not save their settings; `koab scenario run … --on slurm` hands over the rest"
            ))
        })?;
        self.remote_submit(job.request, &how).await
    }

    /// Log of a shard's workers; only the end of a long log.
    ///
    /// # Errors
    /// When no scenarios were submitted, there is no such shard, or none of its workers has
    /// started.
    pub fn remote_log(&self, results: Option<&str>, shard: u32) -> Result<ShardLog, WireError> {
        let folder = last_job_folder(&self.remote_results(results))?;
        Ok(submission(&folder)?.log(&folder, shard)?)
    }

    fn remote_results(&self, results: Option<&str>) -> PathBuf {
        results.map_or_else(|| self.workspace.home().path().join("results"), PathBuf::from)
    }

    async fn remote_state(&self, folder: &Path, results: &Path) -> Result<ScenarioRemote, WireError> {
        let submission = submission(folder)?;
        let job = Job::read(folder)?;
        let states = match Engine::from_submission(&submission) {
            Ok(engine) => engine.states(folder, &submission).await,
            Err(error) => Err(error),
        };
        let (mut workers, silent) = match states {
            Ok(workers) => (workers, None),
            Err(error) => (Vec::new(), Some(error.to_sentence())),
        };
        let layout = Layout::new(results);
        let mut shards = Vec::new();
        for index in 0..submission.of {
            let own = job.of_shard(index, submission.of);
            let finished = own.iter().filter(|trial| job.is_finished(&layout, trial)).count();
            let place = workers.iter().position(|worker| worker.shard == index);
            let worker = place.map(|place| workers.swap_remove(place));
            let whole = finished == own.len();
            shards.push(shard(index, worker, whole, own.len(), finished, &submission));
        }
        let at_work = |shard: &ScenarioShard| shard.state.is_at_work();
        let is_unknown = |shard: &ScenarioShard| shard.state == State::Unknown;
        Ok(ScenarioRemote {
            may_work: silent.is_some() && shards.iter().any(is_unknown),
            results: results.display().to_string(),
            engine: submission.engine,
            jobs: submission.jobs.iter().map(|job| job.id.clone()).collect(),
            active: shards.iter().any(at_work),
            silent,
            trials: job.trials.len() as u32,
            finished: shards.iter().map(|shard| shard.finished).sum(),
            shards,
            folder: folder.display().to_string(),
        })
    }

    async fn prepare_remote(
        &self,
        mut request: ScenarioRequest,
        how: &ScenarioCluster,
    ) -> Result<Prepared, WireError> {
        if request.native {
            return Err(WireError::bad_request(say!(
                "scenarios on a cluster run in containers: leave out --native"
            )));
        }
        if how.remote.engine != EngineKind::Slurm {
            return Err(WireError::bad_request(say!(
                "scenarios run in containers of their own, which cannot run inside pods; use --on slurm"
            )));
        }
        if request.path == "-" {
            return Err(WireError::bad_request(say!(
                "workers read the scenario file themselves: name one on a disk that every node sees"
            )));
        }
        if request.docker_image.is_none() {
            return Err(WireError::bad_request(say!(
                "workers need an image: name one of a registry with --docker-image, or one in an archive with --image-archive FILE beside it"
            )));
        }
        if let Some(archive) = &how.image_archive
            && !Path::new(archive).is_file()
        {
            return Err(WireError::not_found(say!("there is no image archive {archive}")));
        }
        let words = match &how.remote.engine_args {
            Some(text) => koab_cluster::split(text)?,
            None => Vec::new(),
        };
        let engine = Engine::new(how.remote.engine, &words)?;
        let here = std::env::current_dir().map_err(WireError::storage)?;
        request.folder.get_or_insert_with(|| here.display().to_string());
        let prepared = self.prepare_run(&request).await?;
        let results = std::path::absolute(prepared.layout.results()).map_err(WireError::storage)?;
        request.results = Some(results.display().to_string());
        let mut keys = self.keys_of_workers(&request).await?;
        for (name, value) in &prepared.secrets {
            keys.push((name.clone(), Sensitive::new(value.clone())));
        }
        let run = prepared.run(&request, TrialRuntime::Native);
        let trials: Vec<TrialId> =
            run.plan().into_iter().filter_map(|(trial, step)| (!step.is_skip()).then_some(trial)).collect();
        let count = u32::try_from(trials.len()).unwrap_or(u32::MAX).max(1);
        let of = how.remote.shards.unwrap_or(MAX_SHARDS).clamp(1, count);
        Ok(Prepared {
            engine,
            engine_args: words,
            layout: Layout::new(results),
            job: Job {
                request,
                how: Some(how.clone()),
                began_ms: SystemClock.now_ms(),
                trials: trials.into_iter().map(Into::into).collect(),
            },
            of,
            at_once: how.remote.workers().clamp(1, of),
            keys,
        })
    }

    /// Secrets for the environment of the workers: the keys of the offered model, and the model
    /// configuration if an environment variable contains it.
    async fn keys_of_workers(
        &self,
        request: &ScenarioRequest,
    ) -> Result<Vec<(String, Sensitive<String>)>, WireError> {
        let mut keys = match &request.offer.model {
            Some(model) => {
                let keys = self.keys.for_model(model, request.offer.base_url.as_deref()).await?;
                keys.into_values()
            }
            None => Vec::new(),
        };
        let name = request.config.as_deref().unwrap_or(OAI_CONFIG_LIST);
        if let Ok(value) = std::env::var(name) {
            keys.push((name.to_owned(), Sensitive::new(value)));
        }
        Ok(keys)
    }
}

impl Prepared {
    fn plan(&self, folder: &Path, how: &ScenarioCluster) -> Result<Plan, WireError> {
        let word = folder.to_str().ok_or_else(|| {
            WireError::bad_request(say!(
                "{} is not text in UTF-8, so it cannot be passed to a cluster",
                folder.display()
            ))
        })?;
        let archive = how.image_archive.as_ref().map(std::path::absolute).transpose();
        let work = Work {
            folder: folder.to_owned(),
            seen: folder.join(job::FILE),
            writes: Vec::new(),
            root: self.layout.results().to_owned(),
            worker: ["scenario", "worker", word, "--shard"].map(str::to_owned).into(),
            merge: ["scenario", "worker", word, "--merge"].map(str::to_owned).into(),
            environment: WorkerEnvironment::Podman { archive: archive.map_err(WireError::storage)? },
        };
        let program = std::env::current_exe()
            .map_err(|error| WireError::storage(say!("the program of koab cannot be found: {error}")))?;
        let mut plan = Plan::new(work, &program, self.of);
        plan.at_once = self.at_once;
        plan.keys = self.keys.iter().map(|(name, _)| name.clone()).collect();
        Ok(plan)
    }

    async fn submit(&self, folder: &Path, how: &ScenarioCluster) -> Result<(), WireError> {
        let plan = self.plan(folder, how)?;
        self.job.write(folder)?;
        let (before, now) = ((self.engine_args.clone(), None), SystemClock.now_ms());
        self.engine.hand_over(&plan, &self.keys, before, now).await?;
        Ok(())
    }
}

fn shard(
    index: u32,
    worker: Option<WorkerState>,
    whole: bool,
    trials: usize,
    finished: usize,
    submission: &Submission,
) -> ScenarioShard {
    let (node, restarts) = worker.as_ref().map_or((None, 0), |worker| (worker.node.clone(), worker.restarts));
    let (state, reason) = match worker.map(|worker| (worker.state, worker.reason)) {
        Some((State::Running, _)) => (State::Running, None),
        _ if whole => (State::Done, None),
        Some((State::Done, _)) => {
            let missing = trials - finished;
            (State::Failed, Some(say!("its worker ended, and {missing} trials are missing")))
        }
        Some(state) => state,
        None if submission.cancelled_ms.is_some() => (State::Cancelled, None),
        None => (State::Unknown, None),
    };
    ScenarioShard { index, state, node, reason, restarts, trials: trials as u32, finished: finished as u32 }
}

/// Folder of the job that was submitted last.
fn last_job_folder(results: &Path) -> Result<PathBuf, WireError> {
    newest(results)?.ok_or_else(|| {
        WireError::not_found(say!(
            "no scenarios were handed to a cluster with the results in {}; `koab scenario run … --on slurm` does that",
            results.display()
        ))
    })
}

fn submission(folder: &Path) -> Result<Submission, WireError> {
    Submission::read(folder)?
        .ok_or_else(|| WireError::not_found(say!("{} has no submission", folder.display())))
}
