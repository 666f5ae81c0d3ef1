//! Engines that run the workers of a run on many machines: Slurm and Kubernetes.
//!
//! Three verbs over each engine's own command line: submit, ask for states, cancel. What a worker
//! does is a command of its own that makes one part of a run; this crate knows the folder in which
//! it does that and nothing of what lies there but its own files: [`Submission`] in `cluster.json`,
//! and the folder `cluster` with scripts, logs and marks, which workers leave when they begin and
//! end.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod call;
mod engine;
mod error;
mod kubernetes;
mod log;
mod plan;
mod podman;
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
pub use state::{State, WorkerState};
pub use submission::{EngineKind, SUBMISSION, Submission, SubmittedJob};
pub use words::split;

/// Name of the folder of scripts, logs and marks in a run's.
pub const FOLDER: &str = "cluster";
