//! Kubernetes: an Indexed Job whose pods are the workers, and a Job that merges when all of them
//! have ended.
//!
//! The manifest is built as data and applied by `kubectl`, which is configured to reach the
//! cluster. A client library is not used, because the API changes less between versions than the
//! libraries do. A cluster before 1.28 has no limit of retries per index; it gets one Job per
//! shard.

mod manifest;
mod options;
mod pods;

use crate::call::{ProgramOutput, call};
use crate::error::ClusterError;
use crate::plan::{EngineFile, Plan, write};
use crate::state::{State, WorkerState};
use crate::submission::Submission;
use crate::worker_starts;
use koab_core::say;
use manifest::LABEL;
use options::Options;
use serde_json::Value;
use std::path::Path;

/// First version with `backoffLimitPerIndex` enabled.
const PER_INDEX_VERSION: (u32, u32) = (1, 28);

/// Kubernetes, with the user's options for the cluster.
#[derive(Clone, Debug)]
pub struct Kubernetes {
    options: Options,
}

impl Kubernetes {
    pub(crate) fn new(args: &[String]) -> Result<Self, ClusterError> {
        let options = Options::read(args)?;
        Ok(Self { options })
    }

    pub(crate) async fn check(&self) -> Result<(), ClusterError> {
        self.version().await.map(drop)
    }

    /// Returns the version of the cluster.
    async fn version(&self) -> Result<(u32, u32), ClusterError> {
        let output = self.kubectl(&["version", "-o", "json"], None).await?;
        let version: Value = serde_json::from_str(&output.stdout).unwrap_or_default();
        let number = |key: &str| {
            // Some clusters report `27+`.
            let text = version["serverVersion"][key].as_str()?;
            let digits = text.split(|c: char| !c.is_ascii_digit()).next()?;
            digits.parse::<u32>().ok()
        };
        number("major").zip(number("minor")).ok_or_else(|| {
            let why = output.complaint();
            ClusterError::Missing(say!("the Kubernetes cluster does not answer: {why}"))
        })
    }

    pub(crate) fn files(
        &self,
        plan: &Plan,
        version: Option<(u32, u32)>,
    ) -> Result<Vec<EngineFile>, ClusterError> {
        let per_index = version.is_none_or(|version| version >= PER_INDEX_VERSION);
        let name = plan.name();
        let jobs = manifest::jobs(&self.options, plan, &name, per_index)?;
        let mut text = String::new();
        for job in jobs {
            let job = serde_norway::to_string(&job)
                .map_err(|error| ClusterError::BadRequest(say!("the manifest cannot be written: {error}")))?;
            text.push_str("---\n");
            text.push_str(&job);
        }
        Ok(vec![EngineFile { name: "kubernetes.yaml".to_owned(), text }])
    }

    pub(crate) async fn submit(
        &self,
        plan: &Plan,
        _now_ms: u64,
    ) -> Result<(String, Option<String>), ClusterError> {
        let version = self.version().await?;
        let files = self.files(plan, Some(version))?;
        self.check_secret(plan).await?;
        write(plan, &files)?;
        let name = plan.name();
        // A Job cannot be changed, so a Job of an earlier submission of the run is deleted first.
        self.delete(&name).await?;
        let text = files.iter().map(|file| file.text.as_str()).collect::<String>();
        let output = self.kubectl(&["apply", "-f", "-"], Some(&text)).await?;
        if output.succeeded {
            return Ok((name.clone(), Some(format!("{name}-merge"))));
        }
        let why = output.complaint();
        self.delete(&name).await?;
        Err(ClusterError::Refused(say!("Kubernetes did not accept the jobs: {why}")))
    }

    /// Checks that the Secret exists, because a pod without it would wait for ever.
    async fn check_secret(&self, plan: &Plan) -> Result<(), ClusterError> {
        if plan.keys.is_empty() {
            return Ok(());
        }
        let secret = self.options.secret_of(plan)?;
        let output = self.kubectl(&["get", "secret", secret, "-o", "name"], None).await?;
        if output.succeeded {
            return Ok(());
        }
        let keys = plan.keys.join(", ");
        Err(ClusterError::Refused(say!(
            "the cluster has no Secret `{secret}` with {keys}; make it with `kubectl create secret generic {secret} --from-literal=…`"
        )))
    }

    pub(crate) async fn states(
        &self,
        folder: &Path,
        submission: &Submission,
    ) -> Result<Vec<WorkerState>, ClusterError> {
        let Some(job) = submission.jobs.last() else {
            return Ok(Vec::new());
        };
        let selector = format!("{LABEL}={}", job.id);
        let output = self.kubectl(&["get", "pods", "-l", &selector, "-o", "json"], None).await?;
        if !output.succeeded {
            return Err(no_answer(&output));
        }
        let mut pods = pods::read(&output.stdout, &job.shards);
        let marks = worker_starts::read(folder);
        let earlier = submission.jobs.iter().flat_map(|job| &job.shards);
        let mut shards: Vec<u32> = earlier.copied().collect();
        shards.sort_unstable();
        shards.dedup();
        let states = shards.into_iter().map(|shard| {
            let starts = marks.get(&shard).map(Vec::as_slice).unwrap_or_default();
            let done = starts.iter().any(|mark| mark.code == Some(0));
            let mut state = pods.remove(&shard).unwrap_or(WorkerState {
                shard,
                state: State::Waiting,
                node: None,
                reason: None,
                restarts: 0,
            });
            if done {
                (state.state, state.reason) = (State::Done, None);
            } else if submission.cancelled_ms.is_some() {
                (state.state, state.reason) = (State::Cancelled, None);
            }
            state.node = state.node.or_else(|| starts.last().and_then(|mark| mark.node.clone()));
            state
        });
        Ok(states.collect())
    }

    pub(crate) async fn is_merging(&self, submission: &Submission) -> Result<bool, ClusterError> {
        let Some(merge) = submission.jobs.last().and_then(|job| job.merge.as_deref()) else {
            return Ok(false);
        };
        let words = ["get", "job", merge, "-o", "jsonpath={.status.active}", "--ignore-not-found"];
        let output = self.kubectl(&words, None).await?;
        if !output.succeeded {
            return Err(no_answer(&output));
        }
        Ok(output.stdout.trim().parse::<u32>().is_ok_and(|active| active > 0))
    }

    pub(crate) async fn cancel(&self, submission: &Submission) -> Result<(), ClusterError> {
        for job in &submission.jobs {
            self.delete(&job.id).await?;
        }
        Ok(())
    }

    async fn delete(&self, name: &str) -> Result<(), ClusterError> {
        let selector = format!("{LABEL}={name}");
        let words =
            ["delete", "jobs", "-l", &selector, "--ignore-not-found", "--wait=true", "--cascade=foreground"];
        let output = self.kubectl(&words, None).await?;
        if output.succeeded { Ok(()) } else { Err(no_answer(&output)) }
    }

    async fn kubectl(&self, words: &[&str], input: Option<&str>) -> Result<ProgramOutput, ClusterError> {
        let mut all = self.options.kubectl_words();
        all.extend(words.iter().map(|word| (*word).to_owned()));
        call("kubectl", &all, &[], input).await
    }
}

fn no_answer(output: &ProgramOutput) -> ClusterError {
    let why = output.complaint();
    ClusterError::Missing(say!("the Kubernetes cluster does not answer: {why}"))
}
