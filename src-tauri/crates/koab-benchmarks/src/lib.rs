//! Benchmarks beside Ko-AgentBench whose items are one request and one reply, or are asked by their
//! authors' own program: how their files are read, how a request is made, how a reply is scored,
//! and the tables that their authors print. Pure, as the domain is; a benchmark is one folder and
//! one row of [`ALL`].
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

/// All of them.
pub const ALL: [&dyn Benchmark; 3] = [&functionchat::FunctionChat, &bfcl::Bfcl, &bfcl::MultiTurn];

/// The one of this name, which is that of its pack, too.
pub fn find(name: &str) -> Option<&'static dyn Benchmark> {
    find_in(&ALL, name)
}

/// The one of this name among these.
pub fn find_in<'a>(all: &[&'a dyn Benchmark], name: &str) -> Option<&'a dyn Benchmark> {
    all.iter().copied().find(|benchmark| benchmark.name() == name)
}

/// Whose files these are, with what [`Benchmark::files`] says of them; several where the files of
/// several lie together.
pub fn owners_in<'a>(all: &[&'a dyn Benchmark], files: &dyn Files) -> Vec<(&'a dyn Benchmark, PackFiles)> {
    let found = all.iter().map(|benchmark| (*benchmark, benchmark.files(files)));
    found.filter(|(_, files)| !files.is_empty()).collect()
}
