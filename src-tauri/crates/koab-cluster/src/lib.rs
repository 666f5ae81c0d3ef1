//! Cluster engines that run the workers of a run on many machines: Slurm and Kubernetes.
//!
//! The crate calls each engine's own command-line program to submit jobs, read their states and
//! cancel them. A worker is a command that makes one shard of a run, or of the judging of a run.
//! After the last worker has ended, a job called the merge combines their results. In the run's
//! folder, this crate knows only its own files: [`Submission`] in `cluster.json`, and the folder
//! `cluster` with scripts, logs and the marks that workers write at their start and end.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod call;
mod engine;
mod error;
mod kubernetes;
mod log;
mod plan;
mod podman;
mod request;
mod script;
mod slurm;
mod state;
mod submission;
mod words;
mod worker_starts;

pub use engine::Engine;
pub use error::ClusterError;
pub use log::ShardLog;
pub use plan::{EngineFile, Plan, Work, WorkerEnvironment};
pub use request::RemoteRequest;
pub use state::{State, WorkerState};
pub use submission::{EngineKind, SUBMISSION, Submission, SubmittedJob};
pub use words::split;

/// Name of the folder of scripts, logs and marks in a run's folder.
pub const FOLDER: &str = "cluster";
