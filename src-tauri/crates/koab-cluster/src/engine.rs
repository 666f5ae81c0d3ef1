//! An engine, whichever it is.

use crate::error::ClusterError;
use crate::kubernetes::Kubernetes;
use crate::plan::{EngineFile, Plan};
use crate::slurm::Slurm;
use crate::state::WorkerState;
use crate::submission::{EngineKind, Submission, SubmittedJob};
use koab_core::sensitive::Sensitive;
use std::path::Path;

/// An engine, with the words that it is given.
#[derive(Clone, Debug)]
pub enum Engine {
    /// Slurm.
    Slurm(Slurm),
    /// Kubernetes.
    Kubernetes(Kubernetes),
}

impl Engine {
    /// An engine with words of the user's for it, such as `-p gpu --time=4:00:00`.
    ///
    /// # Errors
    /// When a word means nothing to it, as far as that is known here.
    pub fn new(kind: EngineKind, args: &[String]) -> Result<Self, ClusterError> {
        Ok(match kind {
            EngineKind::Slurm => Self::Slurm(Slurm::new(args)),
            EngineKind::Kubernetes => Self::Kubernetes(Kubernetes::new(args)?),
        })
    }

    /// The engine that a run was handed to.
    ///
    /// # Errors
    /// As [`Engine::new`].
    pub fn from_submission(submission: &Submission) -> Result<Self, ClusterError> {
        Self::new(submission.engine, &submission.engine_args)
    }

    /// Which one.
    pub fn kind(&self) -> EngineKind {
        match self {
            Self::Slurm(_) => EngineKind::Slurm,
            Self::Kubernetes(_) => EngineKind::Kubernetes,
        }
    }

    /// Finds out whether it is there.
    ///
    /// # Errors
    /// One sentence on what is missing.
    pub async fn check(&self) -> Result<(), ClusterError> {
        match self {
            Self::Slurm(slurm) => slurm.check().await,
            Self::Kubernetes(kubernetes) => kubernetes.check().await,
        }
    }

    /// What it would be given, the last of them being what is asked of it.
    ///
    /// # Errors
    /// When the plan cannot be written for it.
    pub fn files(&self, plan: &Plan) -> Result<Vec<EngineFile>, ClusterError> {
        match self {
            Self::Slurm(slurm) => slurm.files(plan),
            Self::Kubernetes(kubernetes) => kubernetes.files(plan, None),
        }
    }

    /// Hands it the workers of a plan, and the merge behind them. `values` are those of the plan's
    /// keys: the engine takes them from the environment of the program that is asked, never from
    /// its words or a file.
    ///
    /// # Errors
    /// When it refuses; then nothing of the plan is with it.
    pub async fn submit(
        &self,
        plan: &Plan,
        values: &[(String, Sensitive<String>)],
        now_ms: u64,
    ) -> Result<SubmittedJob, ClusterError> {
        let folder = plan.work.folder.join(crate::FOLDER);
        std::fs::create_dir_all(&folder).map_err(|error| ClusterError::disk(&folder, &error))?;
        let (id, merge) = match self {
            Self::Slurm(slurm) => slurm.submit(plan, values).await?,
            Self::Kubernetes(kubernetes) => kubernetes.submit(plan, now_ms).await?,
        };
        Ok(SubmittedJob { id, merge, shards: plan.shards.clone(), at_ms: now_ms })
    }

    /// Hands it a plan as [`Engine::submit`] does, and keeps in the plan's folder that it has it.
    /// `earlier` is what was handed over of the same work before; `args` are the words that the
    /// engine was made of.
    ///
    /// # Errors
    /// When it refuses, or the disk does; then nothing of the plan is with it.
    pub async fn hand_over(
        &self,
        plan: &Plan,
        values: &[(String, Sensitive<String>)],
        (args, earlier): (Vec<String>, Option<Submission>),
        now_ms: u64,
    ) -> Result<Submission, ClusterError> {
        let job = self.submit(plan, values, now_ms).await?;
        let mut submission = Submission {
            engine: self.kind(),
            engine_args: args,
            of: plan.of,
            at_once: plan.at_once,
            jobs: vec![job],
            cancelled_ms: None,
        };
        let new = submission.clone();
        let before = earlier.map(|earlier| earlier.jobs).unwrap_or_default();
        submission.jobs.splice(0..0, before);
        if let Err(error) = submission.keep(&plan.work.folder) {
            // Nobody would know of its workers.
            self.cancel(&new).await?;
            return Err(error);
        }
        Ok(submission)
    }

    /// How the workers of the run in this folder stand, by shard; those that were never submitted
    /// are left out.
    ///
    /// # Errors
    /// When it does not answer.
    pub async fn states(
        &self,
        folder: &Path,
        submission: &Submission,
    ) -> Result<Vec<WorkerState>, ClusterError> {
        match self {
            Self::Slurm(slurm) => slurm.states(folder, submission).await,
            Self::Kubernetes(kubernetes) => kubernetes.states(folder, submission).await,
        }
    }

    /// Whether the merge behind the workers still waits or works.
    ///
    /// # Errors
    /// When it does not answer.
    pub async fn is_merging(&self, submission: &Submission) -> Result<bool, ClusterError> {
        match self {
            Self::Slurm(slurm) => slurm.is_merging(submission).await,
            Self::Kubernetes(kubernetes) => kubernetes.is_merging(submission).await,
        }
    }

    /// Ends all workers and the merge, and takes away what the engine still has of them.
    ///
    /// # Errors
    /// When it does not answer.
    pub async fn cancel(&self, submission: &Submission) -> Result<(), ClusterError> {
        match self {
            Self::Slurm(slurm) => slurm.cancel(submission).await,
            Self::Kubernetes(kubernetes) => kubernetes.cancel(submission).await,
        }
    }
}
