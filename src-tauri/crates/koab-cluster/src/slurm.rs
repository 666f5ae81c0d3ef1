//! Slurm: an array job whose tasks are the workers, and a merge that depends on it.
//!
//! States are from `squeue` alone. `sacct` needs a database, `slurmrestd` a versioned API, and
//! `squeue --json` changes its shape from version to version; a task that `squeue` no longer lists
//! is judged by the marks that its worker left.

mod queue;

use crate::FOLDER;
use crate::call::{ProgramOutput, Values, call};
use crate::error::ClusterError;
use crate::plan::{EngineFile, Plan, write};
use crate::script::{self, EngineScript};
use crate::state::{State, WorkerState};
use crate::submission::Submission;
use crate::words::{quoted, text};
use crate::worker_starts::{self, WorkerStart};
use koab_core::say;
use koab_core::sentence::Sentence;
use queue::Queued;
use std::collections::BTreeMap;
use std::path::Path;

/// Seconds before its end at which a worker is told, so that it is started again behind what it has
/// done. Slurm may tell it up to half a minute earlier.
const WARNING: u32 = 35;

/// Variables that workers get, keys aside, as far as they are set: those without which no program
/// finds its way.
const PASSED: [&str; 14] = [
    "PATH",
    "HOME",
    "LANG",
    "LC_ALL",
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "ALL_PROXY",
    "NO_PROXY",
    "http_proxy",
    "https_proxy",
    "all_proxy",
    "no_proxy",
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
];

/// Slurm, with words for `sbatch`.
#[derive(Clone, Debug)]
pub struct Slurm {
    args: Vec<String>,
}

impl Slurm {
    pub(crate) fn new(args: &[String]) -> Self {
        Self { args: args.to_vec() }
    }

    pub(crate) async fn check(&self) -> Result<(), ClusterError> {
        let asked = call("sinfo", &["-h".to_owned(), "-o".to_owned(), "%P".to_owned()], &[], None)
            .await
            .map_err(|_| {
                ClusterError::Missing(say!(
                    "Slurm is not here: there is no `sinfo`; submit from a machine of the cluster where `sbatch` works"
                ))
            })?;
        if asked.good {
            return Ok(());
        }
        let why = asked.complaint();
        Err(ClusterError::Missing(say!("Slurm does not answer: {why}")))
    }

    pub(crate) fn files(&self, plan: &Plan) -> Result<Vec<EngineFile>, ClusterError> {
        let engine_script = EngineScript {
            names: "shard=${SLURM_ARRAY_TASK_ID:?} worker=$SLURM_JOB_ID-${SLURM_RESTART_COUNT:-0} node=${SLURMD_NODENAME:-$(hostname)}\n",
            again: "scontrol requeue \"$SLURM_JOB_ID\"",
            program: &plan.program,
        };
        let merging =
            EngineScript { names: "worker=$SLURM_JOB_ID-${SLURM_RESTART_COUNT:-0}\n", ..engine_script };
        let submit = format!(
            "#!/bin/sh\n# What Slurm is asked. Keys are in the environment, and only their names are here.\njob=$({} {})\n{} {}\n",
            "sbatch",
            shell(&self.workers(plan)?)?,
            "sbatch",
            // The job's number is known only when it is there.
            shell(&self.merging(plan, "JOB")?)?
                .replace("'--dependency=afterany:JOB'", "--dependency=afterany:\"${job%%;*}\""),
        );
        Ok(vec![
            EngineFile { name: "worker.sh".to_owned(), text: script::worker(plan, &engine_script)? },
            EngineFile { name: "merge.sh".to_owned(), text: script::merge(plan, &merging, "")? },
            EngineFile { name: "submit.sh".to_owned(), text: submit },
        ])
    }

    pub(crate) async fn submit(
        &self,
        plan: &Plan,
        values: &Values,
    ) -> Result<(String, Option<String>), ClusterError> {
        write(plan, &self.files(plan)?)?;
        let id = submitted(call("sbatch", &self.workers(plan)?, values, None).await?)?;
        let merge = match call("sbatch", &self.merging(plan, &id)?, &[], None).await {
            Ok(said) => submitted(said),
            Err(error) => Err(error),
        };
        match merge {
            Ok(merge) => Ok((id, Some(merge))),
            Err(error) => {
                // Half a submission would be left over.
                end(&[&id]).await?;
                Err(error)
            }
        }
    }

    /// Words of `sbatch` for the workers. The user's come first, so that none of ours is undone by
    /// them.
    fn workers(&self, plan: &Plan) -> Result<Vec<String>, ClusterError> {
        let (ranges, at_once) = (plan.ranges(), plan.at_once.max(1));
        let mut words = self.args.clone();
        words.extend([
            "--parsable".to_owned(),
            format!("--job-name={}", plan.name()),
            format!("--array={ranges}%{at_once}"),
            "--requeue".to_owned(),
            format!("--signal=B:USR1@{WARNING}"),
        ]);
        self.finished(words, plan, &plan.keys, "%a.log", "worker.sh")
    }

    /// Those for the merge behind this job.
    fn merging(&self, plan: &Plan, job: &str) -> Result<Vec<String>, ClusterError> {
        let mut words = self.args.clone();
        words.extend([
            "--parsable".to_owned(),
            format!("--job-name={}-merge", plan.name()),
            format!("--dependency=afterany:{job}"),
            "--requeue".to_owned(),
        ]);
        self.finished(words, plan, &[], "merge.log", "merge.sh")
    }

    fn finished(
        &self,
        mut words: Vec<String>,
        plan: &Plan,
        keys: &[String],
        log: &str,
        script: &str,
    ) -> Result<Vec<String>, ClusterError> {
        let folder = text(&plan.work.folder)?;
        let is_set = |name: &&str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        let mut names: Vec<&str> = PASSED.into_iter().filter(is_set).collect();
        names.extend(keys.iter().map(String::as_str));
        words.extend([
            // Everything else of this environment stays here.
            format!("--export={}", names.join(",")),
            "--open-mode=append".to_owned(),
            format!("--chdir={folder}"),
            // A per cent sign stands for something there.
            format!("--output={}/{FOLDER}/{log}", folder.replace('%', "%%")),
            format!("{folder}/{FOLDER}/{script}"),
        ]);
        Ok(words)
    }

    pub(crate) async fn states(
        &self,
        folder: &Path,
        submission: &Submission,
    ) -> Result<Vec<WorkerState>, ClusterError> {
        let ids: Vec<&str> = submission.jobs.iter().map(|job| job.id.as_str()).collect();
        let queued = listed(&ids).await?;
        let marks = worker_starts::read(folder);
        let mut shards: BTreeMap<u32, WorkerState> = BTreeMap::new();
        for shard in submission.jobs.iter().flat_map(|job| &job.shards) {
            let starts = marks.get(shard).map(Vec::as_slice).unwrap_or_default();
            let of_shard = queued.iter().filter(|task| task.shard == Some(*shard));
            // Of two tasks of a shard the one that works counts.
            let state = match of_shard.max_by_key(|task| task.state == State::Running) {
                Some(task) => waiting_or_running(*shard, task, starts),
                None => gone(folder, *shard, starts, submission.cancelled_ms.is_some()),
            };
            shards.insert(*shard, state);
        }
        Ok(shards.into_values().collect())
    }

    pub(crate) async fn is_merging(&self, submission: &Submission) -> Result<bool, ClusterError> {
        let merge = submission.jobs.last().and_then(|job| job.merge.as_deref());
        match merge {
            // One behind a shard that is held would wait for ever.
            Some(merge) => {
                let queued = listed(&submission.names()).await?;
                let held = queued.iter().any(|task| task.state == State::Failed);
                Ok(!held && queued.iter().any(|task| task.job == merge))
            }
            None => Ok(false),
        }
    }

    pub(crate) async fn cancel(&self, submission: &Submission) -> Result<(), ClusterError> {
        let mut names = submission.names();
        // Merges first, or one would begin as soon as its workers are gone.
        names.reverse();
        end(&names).await
    }
}

fn shell(words: &[String]) -> Result<String, ClusterError> {
    let words: Result<Vec<String>, _> = words.iter().map(|word| quoted(word)).collect();
    Ok(words?.join(" "))
}

/// The number of a job that was taken.
fn submitted(said: ProgramOutput) -> Result<String, ClusterError> {
    let id = said.output.trim().split(';').next().unwrap_or_default();
    if said.good && !id.is_empty() && id.chars().all(|c| c.is_ascii_digit()) {
        return Ok(id.to_owned());
    }
    Err(ClusterError::Refused(said_no(&said.complaint())))
}

fn said_no(why: &str) -> Sentence {
    say!(
        "Slurm has not taken the job: {why}; what it needs is given by --engine-args, such as \"-p PARTITION\""
    )
}

async fn end(jobs: &[&str]) -> Result<(), ClusterError> {
    if jobs.is_empty() {
        return Ok(());
    }
    let words: Vec<String> = jobs.iter().map(|job| (*job).to_owned()).collect();
    let said = call("scancel", &words, &[], None).await?;
    let is_gone =
        |line: &str| line.contains("Invalid job id") || line.contains("already completing or completed");
    if said.good || said.errors().lines().all(is_gone) {
        return Ok(());
    }
    let why = said.complaint();
    Err(ClusterError::Refused(say!("Slurm has not ended the job: {why}")))
}

/// What Slurm still has of these jobs.
async fn listed(jobs: &[&str]) -> Result<Vec<Queued>, ClusterError> {
    if jobs.is_empty() {
        return Ok(Vec::new());
    }
    let words = ["-h", "-r", "-o", queue::FORM, "-j", &jobs.join(",")].map(str::to_owned);
    let said = call("squeue", &words, &[], None).await?;
    if said.good {
        return Ok(said.output.lines().filter_map(Queued::read).collect());
    }
    // It has forgotten them: they are over.
    if said.errors().contains("Invalid job id") {
        return Ok(Vec::new());
    }
    let why = said.complaint();
    Err(ClusterError::Missing(say!("Slurm does not answer: {why}")))
}

fn waiting_or_running(shard: u32, task: &Queued, starts: &[WorkerStart]) -> WorkerState {
    WorkerState {
        shard,
        state: task.state,
        node: task.node.clone(),
        reason: task.reason.clone().map(Sentence::from),
        restarts: restarts(starts) + u32::from(task.state == State::Waiting && !starts.is_empty()),
    }
}

/// How often the last job began a shard again, as the name of its last start says.
fn restarts(starts: &[WorkerStart]) -> u32 {
    let number = starts.last().and_then(|mark| mark.worker.rsplit_once('-'));
    number.and_then(|(_, restart)| restart.parse().ok()).unwrap_or(0)
}

/// How a task ended that Slurm lists no longer.
fn gone(folder: &Path, shard: u32, starts: &[WorkerStart], was_cancelled: bool) -> WorkerState {
    let last = starts.last();
    let done = starts.iter().any(|mark| mark.code == Some(0));
    let (state, reason) = match last.map(|mark| mark.code) {
        _ if done => (State::Done, None),
        // It was ended before its shard was done, and not started again.
        Some(Some(75)) => (State::Cancelled, None),
        _ if was_cancelled => (State::Cancelled, None),
        Some(Some(code)) => {
            let words = worker_starts::last_words(folder, shard).map(Sentence::from);
            (State::Failed, Some(words.unwrap_or_else(|| say!("it ended with exit code {code}"))))
        }
        Some(None) => (State::Failed, Some(say!("it was killed, or its node was lost"))),
        None => {
            let words = worker_starts::last_words(folder, shard).map(Sentence::from);
            let unseen = || say!("there is no word of it; its node may not see the run's folder");
            (State::Failed, Some(words.unwrap_or_else(unseen)))
        }
    };
    WorkerState {
        shard,
        state,
        node: last.and_then(|mark| mark.node.clone()),
        reason,
        restarts: restarts(starts),
    }
}
