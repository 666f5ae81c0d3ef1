//! Agents under test: their definitions, and the life of an attempt with one.
//!
//! A definition is data: how a program is started, asked and read. [`RunAgent`] carries it out for a run: a folder, an environment and a
//! token of its own for each attempt, the model's gateway and the task's tools on one listener. What an attempt comes to is composed by
//! the engine from what the gateway and the desk saw.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod answer;
mod attempt;
mod check;
mod check_history;
mod check_result;
mod container;
mod definition;
mod folder;
mod ground;
mod kinds;
mod library;
mod over;
mod own_model;
mod placeholders;
mod process;
mod proxy;
mod ready;
mod run;
mod running;
mod shipped;
mod tools;
mod version;

pub use check::check;
pub use check_history::{LastCheck, failed_before, remember};
pub use check_result::Checked;
pub use container::{Built, build_image};
pub use definition::{Definition, Kind, Packages};
pub use ground::Ground;
pub use library::{AgentRow, copy, list, open, reopen, row};
pub use own_model::{OwnModel, unasked_model};
pub use run::{RunAgent, spent};
