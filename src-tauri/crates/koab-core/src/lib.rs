//! The domain of Ko-AgentBench Desktop: data, and functions without side effects.
//!
//! This crate uses no clock, randomness, files, network or async code. It has the tasks, the check
//! and the cache key of a tool call, the records of a run, and the metrics that score them. Other
//! crates read files, call models and store results (`docs/ARCHITECTURE.md`).
#![forbid(unsafe_code)]
#![warn(missing_docs)]

// The message macros refer to this crate by its name, also here.
extern crate self as koab_core;

pub use koab_say::{Say, say, text};

pub mod address;
pub mod args;
pub mod cache_key;
pub mod cache_source;
pub mod catalog;
pub mod changes;
pub mod event;
pub mod find;
pub mod finding;
pub mod fork;
pub mod judge;
pub mod level;
pub mod log;
pub mod measured;
pub mod nearest;
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
