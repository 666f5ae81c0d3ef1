//! The scenario executor: runs sets of agent scenarios, each in a new folder, with results that
//! this product and the original tool can read.
//!
//! Modules, from a scenario file to a table:
//!
//! - [`scenario_file`] reads JSONL files, and reports every bad line before anything runs.
//! - [`subsample`] draws a part of a file's instances, the same part every time.
//! - [`layout`] defines the folders: `results/<scenario>/<instance>/<repetition>/`.
//! - [`resume`] decides which trials still have to run.
//! - [`expand`] creates one trial's folder: starter files, template, substitutions, `run.sh`.
//! - [`config_file`] reads the user's `config.yaml`, which is copied into every trial.
//! - [`run_script`] writes the shell script that a trial runs.
//! - [`outcome`] defines `outcome.json`; [`legacy`] infers outcomes of other tools' trials.
//! - [`environment`] collects a scenario's environment variables and their secrets.
//! - [`run`] runs all trials of some files, several at once; [`trial`] runs one of them.
//! - [`docker`] runs a script in a container, [`native`] on this computer; [`process_end`] is
//!   the result of both.
//! - [`model_calls`] is the port for the model that a trial may call without a key; [`relay`]
//!   connects containers without a network to it.
//! - [`console`] writes the log; [`redact`] removes secrets from a scenario's files.
//! - [`tabulate`] computes verdicts and tables, the product's own and the original's.
//! - [`remove_missing`] moves unfinished trials to the trash.
//! - [`manifest`] reads lists of benchmarks and of their files.
//! - [`lint`] finds problems in console logs that verdicts do not show.
//! - [`trial_files`] reads a trial's outcome and files without following links.
//!
//! Only `docker`, `native`, `trial` and `run` start processes; the others read and write files.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod benchmark;
pub mod config_file;
pub mod console;
pub mod docker;
pub mod environment;
pub mod error;
pub mod expand;
mod folder_walk;
pub mod layout;
pub mod legacy;
pub mod lint;
pub mod manifest;
pub mod markers;
pub mod model_calls;
pub mod native;
mod natural_order;
pub mod outcome;
#[cfg(unix)]
mod ownership;
pub mod process_end;
mod reclaim;
pub mod redact;
pub mod relay;
pub mod remove_missing;
pub mod resume;
pub mod run;
pub mod run_script;
pub mod scenario_file;
pub mod starter;
pub mod subsample;
pub mod substitute;
pub mod tabulate;
pub mod trial;
pub mod trial_files;
