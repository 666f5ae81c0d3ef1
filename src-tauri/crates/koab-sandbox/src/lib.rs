//! The scenario executor: sets of agent scenarios, each run from a blank slate, with results that
//! this product and the original tool's readers both understand.
//!
//! From a scenario file to a table, in the order things happen:
//!
//! | module | its job |
//! |---|---|
//! | [`scenario_file`] | reads JSONL files, and names every bad line before anything runs |
//! | [`subsample`] | picks a part of a file's instances, the same part every time |
//! | [`layout`] | `results/<scenario>/<instance>/<repetition>/`: where a trial lies, what is there, what is set aside |
//! | [`resume`] | which trials still have to run |
//! | [`expand`] | makes one trial's folder: starter files, template, substitutions, `run.sh` |
//! | [`config_file`] | the user's `config.yaml`, which goes into every trial |
//! | [`run_script`] | the shell script a trial runs |
//! | [`outcome`] | how a trial ended, in `outcome.json`; [`legacy`] tells the same of other tools' folders |
//! | [`environment`] | what a scenario finds in its environment, and what of it is secret |
//! | [`run`] | all trials of some files, several at once; [`trial`] runs one of them |
//! | [`docker`], [`native`] | where a script runs: in a container of its own, or on this computer; [`ended`] is how |
//! | [`model_calls`] | the model that a trial may call without a key, as a port; [`relay`] leads there without a network |
//! | [`console`] | the log as it is written; [`redact`] takes secrets out of what a scenario left |
//! | [`tabulate`] | verdicts and tables, the product's own and the original's |
//! | [`remove_missing`] | clears away trials that were not finished |
//! | [`manifest`] | which benchmarks there are and what files they consist of |
//! | [`lint`] | what a console log shows that its verdict does not |
//! | [`trial_files`] | what a trial left, its outcome and its files, read without following links |
//!
//! Only `docker`, `native`, `trial` and `run` start anything; the others read and write files.
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
