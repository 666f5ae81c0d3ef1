//! Agents under test: their definitions, and attempts with them.
//!
//! A definition is data: it describes how an agent's program is started, how it gets the prompt and
//! where its answer is. [`RunAgent`] executes it for a run. Each attempt has a folder, an
//! environment and a token of its own; the agent sends the token with each request.
//!
//! Each run has one HTTP listener on this computer. It serves the gateway (an API of the model
//! under test that records every call, see `koab-gateway`) and the task's tools (over the Model
//! Context Protocol). The engine builds the result of an attempt from the gateway's records and
//! from the calls to tools, which arrive through the attempt's `AttemptHandle`.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod agent_kind;
mod answer;
mod attempt;
mod attempt_file;
mod catalog;
mod check;
mod check_history;
mod check_result;
mod container;
mod definition;
mod folder;
mod isolation;
mod kinds;
mod library;
mod own_model;
mod own_run;
mod placeholders;
mod process;
mod program;
mod program_end;
mod proxy;
mod run;
mod secrets;
mod setup;
#[cfg(test)]
mod tests;
mod tools;
mod version;

pub use attempt_file::{AttemptFile, attempt_file};
pub use check::check;
pub use check_history::{LastCheck, failed_before, remember};
pub use check_result::AgentCheck;
pub use container::{ImageBuild, build_image};
pub use definition::{Definition, Kind, Packages};
pub use isolation::Isolation;
pub use library::{AgentRow, copy, list, open, reopen, row};
pub use own_model::OwnModel;
pub use own_run::unasked_model;
pub use run::{RunAgent, keep, spent};
