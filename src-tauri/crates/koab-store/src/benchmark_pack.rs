//! The items of an installed pack of another benchmark.

use crate::benchmarks::{BenchmarkCounts, PackFiles, known};
use crate::db::Store;
use crate::error::{Error, Result};
use crate::{packs, table};
use koab_benchmarks::{Benchmark, Item};
use koab_core::say;

/// A benchmark with the items of an installed pack.
#[derive(Debug)]
pub struct BenchmarkPack {
    /// `name@version` of the pack.
    pub label: String,
    /// Whose items they are.
    pub benchmark: &'static dyn Benchmark,
    /// All of them, in their authors' order.
    pub items: Vec<Item>,
}

impl Store {
    /// The items of a benchmark's pack.
    ///
    /// # Errors
    /// [`Error::NotFound`] when it is not installed, [`Error::BadFile`] when it is a pack of tasks or cannot be read.
    pub fn benchmark_pack(&self, name: &str) -> Result<BenchmarkPack> {
        let (row, rows) = {
            let connection = self.lock();
            let row = packs::require(&connection, name)?;
            let rows = table::document::of_pack(&connection, row.id)?;
            (row, rows)
        };
        let manifest = packs::manifest(&row)?;
        let label = format!("{}@{}", manifest.name, manifest.version);
        let Some(counts) = BenchmarkCounts::stated(&row.manifest) else {
            return Err(Error::BadFile(say!(
                "pack {label} holds tasks of Ko-AgentBench, which are more than one request and one reply; name the pack of another benchmark ({names})",
                names = crate::benchmarks::names()
            )));
        };
        let benchmark = known(&counts.kind)?;
        let items = benchmark.items(&PackFiles(rows));
        let items = items.map_err(|error| Error::BadFile(say!("pack {label}: {error}", error = error.0)))?;
        Ok(BenchmarkPack {
            label,
            benchmark,
            items,
        })
    }
}
