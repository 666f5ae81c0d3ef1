//! A cluster engine: Slurm or Kubernetes behind the same functions.

use crate::error::ClusterError;
use crate::kubernetes::Kubernetes;
use crate::plan::{EngineFile, Plan};
use crate::slurm::Slurm;
use crate::state::WorkerState;
use crate::submission::{EngineKind, Submission, SubmittedJob};
use koab_core::sensitive::Sensitive;
use std::path::Path;

/// A cluster engine with its arguments.
#[derive(Clone, Debug)]
pub enum Engine {
    /// Slurm.
    Slurm(Slurm),
    /// Kubernetes.
    Kubernetes(Kubernetes),
}

impl Engine {
    /// Creates an engine with the user's arguments, such as `-p gpu --time=4:00:00`.
    ///
    /// # Errors
    /// When the arguments are invalid. Kubernetes' arguments are checked here, Slurm's by `sbatch`.
    pub fn new(kind: EngineKind, args: &[String]) -> Result<Self, ClusterError> {
        Ok(match kind {
            EngineKind::Slurm => Self::Slurm(Slurm::new(args)),
            EngineKind::Kubernetes => Self::Kubernetes(Kubernetes::new(args)?),
        })
    }

    /// Creates the engine that a run was submitted to.
    ///
    /// # Errors
    /// When the submission's arguments are invalid, see [`Engine::new`].
    pub fn from_submission(submission: &Submission) -> Result<Self, ClusterError> {
        Self::new(submission.engine, &submission.engine_args)
    }

    /// Returns whether the engine is Slurm or Kubernetes.
    pub fn kind(&self) -> EngineKind {
        match self {
            Self::Slurm(_) => EngineKind::Slurm,
            Self::Kubernetes(_) => EngineKind::Kubernetes,
        }
    }

    /// Checks that the engine is available.
    ///
    /// # Errors
    /// One sentence on what is missing.
    pub async fn check(&self) -> Result<(), ClusterError> {
        match self {
            Self::Slurm(slurm) => slurm.check().await,
            Self::Kubernetes(kubernetes) => kubernetes.check().await,
        }
    }

    /// Returns the engine's files for a plan; the last one is the submitted script or manifest.
    ///
    /// # Errors
    /// When the plan cannot be written in the engine's form.
    pub fn files(&self, plan: &Plan) -> Result<Vec<EngineFile>, ClusterError> {
        match self {
            Self::Slurm(slurm) => slurm.files(plan),
            Self::Kubernetes(kubernetes) => kubernetes.files(plan, None),
        }
    }

    /// Submits the workers of a plan, and the merge that follows them.
    ///
    /// `values` are the values of the plan's keys. The engine's program gets them in its
    /// environment, never as arguments or in a file.
    ///
    /// # Errors
    /// When the engine refuses; it then has no job of the plan.
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

    /// Submits a plan like [`Engine::submit`], and records the submission in the plan's folder.
    ///
    /// `earlier` is the previous submission of the same work; `args` are the arguments that the
    /// engine was created with.
    ///
    /// # Errors
    /// When the engine refuses or the file cannot be written; the engine then has no job of the
    /// plan.
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
            // Without the file, the program would not know of the workers.
            self.cancel(&new).await?;
            return Err(error);
        }
        Ok(submission)
    }

    /// Returns the states of the workers of the run in this folder, by shard. Shards that were
    /// never submitted are left out.
    ///
    /// # Errors
    /// When the engine does not answer.
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

    /// Whether the merge after the workers is waiting or running.
    ///
    /// # Errors
    /// When the engine does not answer.
    pub async fn is_merging(&self, submission: &Submission) -> Result<bool, ClusterError> {
        match self {
            Self::Slurm(slurm) => slurm.is_merging(submission).await,
            Self::Kubernetes(kubernetes) => kubernetes.is_merging(submission).await,
        }
    }

    /// Cancels all workers and the merge, and deletes their jobs at the engine.
    ///
    /// # Errors
    /// When the engine does not answer.
    pub async fn cancel(&self, submission: &Submission) -> Result<(), ClusterError> {
        match self {
            Self::Slurm(slurm) => slurm.cancel(submission).await,
            Self::Kubernetes(kubernetes) => kubernetes.cancel(submission).await,
        }
    }
}
