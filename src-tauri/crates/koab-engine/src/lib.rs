//! Runs the benchmark: plans attempts, drives each through model turns and tool calls, and writes
//! journal and logs.
//!
//! A run does not use disk, network or window directly: everything outside is behind [`ports`].
//! [`atomic`] and [`files`] are for the crates above. One task, the dispatcher, owns the state of a
//! run and puts its events in order. Executors drive one attempt each and only send messages.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod atomic;
pub mod budget;
pub mod call_limits;
pub mod canonical_arguments;
mod chat_form;
mod disk_work;
pub mod dispatcher;
pub mod egress;
mod executor;
pub mod files;
pub mod fork;
pub mod judging;
pub mod limited_model;
pub mod limiter;
pub mod live;
pub mod no_model;
mod offer;
pub mod plan;
pub mod ports;
mod prompt;
pub mod repeated_calls;
pub mod retry;
mod run;
pub mod seed;
pub mod single_call;
mod tools;
mod turn;

pub use disk_work::disk_work;
pub use dispatcher::fork as run_fork;
pub use dispatcher::run;
pub use run::{RunInput, RunPorts, RunReport};
