//! Benchmarks other than Ko-AgentBench.
//!
//! An item is one question of a benchmark. A run sends it to the model as one request and gets one
//! reply. If the items need more than that, the authors' own program runs them in a scenario
//! ([`Benchmark::scenario`]), and its results are imported.
//!
//! The crate reads a benchmark's files from a pack (an installed copy of the authors' data), makes
//! requests, scores replies, and computes the tables that the authors print. It has no I/O. The
//! code of a benchmark is one folder of this crate and one entry of [`ALL`].
#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod answer;
pub mod benchmark;
pub mod bfcl;
pub mod difference;
pub mod functionchat;
pub mod item;
pub mod python;
pub mod row;
pub mod scoring;
pub mod sizes;
pub mod table;

pub use answer::{Answer, Call};
pub use benchmark::{Benchmark, BenchmarkError, Files, PackFiles};
pub use difference::Difference;
pub use item::{Item, Request};
pub use row::{Row, Verdict};
pub use scoring::{ScoredItem, Scoring};
pub use sizes::GroupSizes;
pub use table::Table;

/// All benchmarks.
pub const ALL: [&dyn Benchmark; 3] = [&functionchat::FunctionChat, &bfcl::Bfcl, &bfcl::MultiTurn];

/// Benchmark with this name. Its pack has the same name.
pub fn find(name: &str) -> Option<&'static dyn Benchmark> {
    find_in(&ALL, name)
}

/// Benchmark with this name among the given benchmarks.
pub fn find_in<'a>(all: &[&'a dyn Benchmark], name: &str) -> Option<&'a dyn Benchmark> {
    all.iter().copied().find(|benchmark| benchmark.name() == name)
}

/// Benchmarks that these files belong to, each with its [`Benchmark::files`]. There may be several,
/// since files of several benchmarks may be mixed.
pub fn owners_in<'a>(all: &[&'a dyn Benchmark], files: &dyn Files) -> Vec<(&'a dyn Benchmark, PackFiles)> {
    let owners = all.iter().map(|benchmark| (*benchmark, benchmark.files(files)));
    owners.filter(|(_, files)| !files.is_empty()).collect()
}
