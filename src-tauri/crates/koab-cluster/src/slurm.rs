//! Slurm: an array job whose tasks are the workers, and a merge that depends on it.
//!
//! States come from `squeue` alone. `sacct` needs a database, `slurmrestd` has a versioned API, and
//! the form of `squeue --json` changes from version to version. The state of a task that `squeue`
//! no longer lists comes from the marks of its worker.

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

/// Seconds before its time limit at which a worker gets a signal, so that it is restarted after its
/// last complete attempt. Slurm may send the signal up to 30 seconds earlier.
const WARNING_SECONDS: u32 = 35;

/// Environment variables that are passed to workers if they are set, in addition to the keys.
/// Programs need them to find files, certificates and proxies.
const PASSED_VARIABLES: [&str; 14] = [
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

/// Slurm, with arguments for `sbatch`.
#[derive(Clone, Debug)]
pub struct Slurm {
    args: Vec<String>,
}

impl Slurm {
    pub(crate) fn new(args: &[String]) -> Self {
        Self { args: args.to_vec() }
    }

    pub(crate) async fn check(&self) -> Result<(), ClusterError> {
        let output = call("sinfo", &["-h".to_owned(), "-o".to_owned(), "%P".to_owned()], &[], None)
            .await
            .map_err(|_| {
                ClusterError::Missing(say!(
                    "Slurm is not here: there is no `sinfo`; submit from a machine of the cluster where `sbatch` works"
                ))
            })?;
        if output.succeeded {
            return Ok(());
        }
        let why = output.complaint();
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
            shell(&self.worker_words(plan)?)?,
            "sbatch",
            // The id of the workers' job is known only after its submission.
            shell(&self.merge_words(plan, "JOB")?)?
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
        let id = job_id(call("sbatch", &self.worker_words(plan)?, values, None).await?)?;
        let merge = match call("sbatch", &self.merge_words(plan, &id)?, &[], None).await {
            Ok(output) => job_id(output),
            Err(error) => Err(error),
        };
        match merge {
            Ok(merge) => Ok((id, Some(merge))),
            Err(error) => {
                // Workers without a merge must not remain.
                cancel_jobs(&[&id]).await?;
                Err(error)
            }
        }
    }

    /// Returns the arguments of `sbatch` for the workers. The user's arguments come first, so that
    /// they cannot override the program's own arguments.
    fn worker_words(&self, plan: &Plan) -> Result<Vec<String>, ClusterError> {
        let (ranges, at_once) = (plan.ranges(), plan.at_once.max(1));
        let mut words = self.args.clone();
        words.extend([
            "--parsable".to_owned(),
            format!("--job-name={}", plan.name()),
            format!("--array={ranges}%{at_once}"),
            "--requeue".to_owned(),
            format!("--signal=B:USR1@{WARNING_SECONDS}"),
        ]);
        self.with_common_words(words, plan, &plan.keys, "%a.log", "worker.sh")
    }

    /// Returns the arguments of `sbatch` for the merge, which waits for the end of a job.
    fn merge_words(&self, plan: &Plan, job: &str) -> Result<Vec<String>, ClusterError> {
        let mut words = self.args.clone();
        words.extend([
            "--parsable".to_owned(),
            format!("--job-name={}-merge", plan.name()),
            format!("--dependency=afterany:{job}"),
            "--requeue".to_owned(),
        ]);
        self.with_common_words(words, plan, &[], "merge.log", "merge.sh")
    }

    fn with_common_words(
        &self,
        mut words: Vec<String>,
        plan: &Plan,
        keys: &[String],
        log: &str,
        script: &str,
    ) -> Result<Vec<String>, ClusterError> {
        let folder = text(&plan.work.folder)?;
        let is_set = |name: &&str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        let mut names: Vec<&str> = PASSED_VARIABLES.into_iter().filter(is_set).collect();
        names.extend(keys.iter().map(String::as_str));
        words.extend([
            // Workers get no other variable of this environment.
            format!("--export={}", names.join(",")),
            "--open-mode=append".to_owned(),
            format!("--chdir={folder}"),
            // A per cent sign begins a placeholder in this option.
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
        let queued = queued_tasks(&ids).await?;
        let marks = worker_starts::read(folder);
        let mut shards: BTreeMap<u32, WorkerState> = BTreeMap::new();
        for shard in submission.jobs.iter().flat_map(|job| &job.shards) {
            let starts = marks.get(shard).map(Vec::as_slice).unwrap_or_default();
            let of_shard = queued.iter().filter(|task| task.shard == Some(*shard));
            // A running task of the shard takes precedence.
            let state = match of_shard.max_by_key(|task| task.state == State::Running) {
                Some(task) => queued_task(*shard, task, starts),
                None => ended_task(folder, *shard, starts, submission.cancelled_ms.is_some()),
            };
            shards.insert(*shard, state);
        }
        Ok(shards.into_values().collect())
    }

    pub(crate) async fn is_merging(&self, submission: &Submission) -> Result<bool, ClusterError> {
        let merge = submission.jobs.last().and_then(|job| job.merge.as_deref());
        match merge {
            // A merge that depends on a held shard would wait for ever.
            Some(merge) => {
                let queued = queued_tasks(&submission.names()).await?;
                let has_held = queued.iter().any(|task| task.state == State::Failed);
                Ok(!has_held && queued.iter().any(|task| task.job == merge))
            }
            None => Ok(false),
        }
    }

    pub(crate) async fn cancel(&self, submission: &Submission) -> Result<(), ClusterError> {
        let mut names = submission.names();
        // Merges first: otherwise a merge would start as soon as its workers are cancelled.
        names.reverse();
        cancel_jobs(&names).await
    }
}

fn shell(words: &[String]) -> Result<String, ClusterError> {
    let words: Result<Vec<String>, _> = words.iter().map(|word| quoted(word)).collect();
    Ok(words?.join(" "))
}

/// Returns the id of an accepted job.
fn job_id(output: ProgramOutput) -> Result<String, ClusterError> {
    let id = output.stdout.trim().split(';').next().unwrap_or_default();
    if output.succeeded && !id.is_empty() && id.chars().all(|c| c.is_ascii_digit()) {
        return Ok(id.to_owned());
    }
    Err(ClusterError::Refused(refusal(&output.complaint())))
}

fn refusal(why: &str) -> Sentence {
    say!(
        "Slurm did not accept the job: {why}; give the options that it needs with --engine-args, such as \"-p PARTITION\""
    )
}

async fn cancel_jobs(jobs: &[&str]) -> Result<(), ClusterError> {
    if jobs.is_empty() {
        return Ok(());
    }
    let words: Vec<String> = jobs.iter().map(|job| (*job).to_owned()).collect();
    let output = call("scancel", &words, &[], None).await?;
    let is_gone =
        |line: &str| line.contains("Invalid job id") || line.contains("already completing or completed");
    if output.succeeded || output.stderr().lines().all(is_gone) {
        return Ok(());
    }
    let why = output.complaint();
    Err(ClusterError::Refused(say!("Slurm did not end the job: {why}")))
}

/// Returns the array tasks of these jobs that Slurm still lists.
async fn queued_tasks(jobs: &[&str]) -> Result<Vec<Queued>, ClusterError> {
    if jobs.is_empty() {
        return Ok(Vec::new());
    }
    let words = ["-h", "-r", "-o", queue::FORMAT, "-j", &jobs.join(",")].map(str::to_owned);
    let output = call("squeue", &words, &[], None).await?;
    if output.succeeded {
        return Ok(output.stdout.lines().filter_map(Queued::read).collect());
    }
    // Slurm no longer knows these jobs, so they have ended.
    if output.stderr().contains("Invalid job id") {
        return Ok(Vec::new());
    }
    let why = output.complaint();
    Err(ClusterError::Missing(say!("Slurm does not answer: {why}")))
}

fn queued_task(shard: u32, task: &Queued, starts: &[WorkerStart]) -> WorkerState {
    WorkerState {
        shard,
        state: task.state,
        node: task.node.clone(),
        reason: task.reason.clone().map(Sentence::from),
        restarts: restarts(starts) + u32::from(task.state == State::Waiting && !starts.is_empty()),
    }
}

/// Returns the number of restarts of a shard in its last job, read from the name of the worker's
/// last start.
fn restarts(starts: &[WorkerStart]) -> u32 {
    let number = starts.last().and_then(|mark| mark.worker.rsplit_once('-'));
    number.and_then(|(_, restart)| restart.parse().ok()).unwrap_or(0)
}

/// Returns the state of a worker that Slurm no longer lists, from the marks that its starts left
/// behind.
fn ended_task(folder: &Path, shard: u32, starts: &[WorkerStart], was_cancelled: bool) -> WorkerState {
    let last = starts.last();
    let done = starts.iter().any(|mark| mark.code == Some(0));
    let (state, reason) = match last.map(|mark| mark.code) {
        _ if done => (State::Done, None),
        // 75: the worker ended before its shard was complete, and was not restarted.
        Some(Some(75)) => (State::Cancelled, None),
        _ if was_cancelled => (State::Cancelled, None),
        Some(Some(code)) => {
            let words = worker_starts::last_words(folder, shard).map(Sentence::from);
            (State::Failed, Some(words.unwrap_or_else(|| say!("it ended with exit code {code}"))))
        }
        Some(None) => (State::Failed, Some(say!("it was killed, or its node was lost"))),
        None => {
            let words = worker_starts::last_words(folder, shard).map(Sentence::from);
            let unseen = || say!("the worker left no record; its node may not see the run's folder");
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
