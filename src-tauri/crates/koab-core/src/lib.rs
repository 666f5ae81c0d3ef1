//! The domain of Ko-AgentBench Desktop, pure: no clock, no randomness, no files, no network, no
//! async.
//!
//! Everything here is data and functions over data. What a task is, how a tool call is checked and
//! keyed, what a run leaves behind, how a metric turns that into a score, and how a report is
//! written as text. Reading files, asking models and storing results belong to the crates above
//! (`docs/ARCHITECTURE.md`).
#![forbid(unsafe_code)]
#![warn(missing_docs)]

// The macros of messages name this crate, here as everywhere.
extern crate self as koab_core;

pub use koab_say::{Say, say, text};

pub mod address;
pub mod args;
pub mod cache_key;
pub mod cache_source;
pub mod catalog;
pub mod changes;
pub mod event;
pub mod finding;
pub mod fork;
pub mod judge;
pub mod level;
pub mod log;
pub mod measured;
pub mod pack;
pub mod pack_identity;
pub mod price;
pub mod protocol;
pub mod published;
pub mod python;
pub mod reason;
pub mod run_name;
pub mod run_record;
pub mod sanitize;
pub mod score;
pub mod secrets;
pub mod sensitive;
pub mod sentence;
pub mod sheet;
pub mod shown;
pub mod split_mix;
pub mod task;
pub mod text_file;
pub mod tool;
