//! Packs and what is published of them, fetched from a hub or as archives of repositories, against a server on this machine.

mod archives;
mod benchmarks;
mod checkout;
mod disk;
mod files;
mod own;
mod published;
mod pulls;

use crate::support::hub::Here;

/// The dataset that most tests fetch.
const BENCHMARK: &str = "huggingface-KREW/Ko-AgentBench";
