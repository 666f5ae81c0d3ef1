//! Packs of other benchmarks (`koab-benchmarks`). Each item is one request and one reply.
//!
//! The files are kept as their authors wrote them. The number of items per group is stored in the
//! pack's manifest. Such a pack has no tasks, tools or cached responses.

use crate::error::{Error, Result};
use crate::table;
use crate::table::document::DocumentRow;
use koab_benchmarks::{Benchmark, Files, Item, find};
use koab_core::level::Level;
use koab_core::pack::PackManifest;
use koab_core::say;
use koab_core::sentence::{Sentence, ToSentence};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};

/// Maximum number of groups in a pack.
const MOST_GROUPS: usize = 256;

/// Number of items in a benchmark's pack, by group.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BenchmarkCounts {
    /// Name of the benchmark.
    pub kind: String,
    /// Groups of items, in the order of the benchmark's authors.
    pub groups: Vec<GroupItems>,
}

/// Number of items in one group.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GroupItems {
    /// Names of the group, outermost first.
    pub group: Vec<String>,
    /// Number of items in the group.
    pub items: u32,
}

/// Content of `pack.json`: the manifest, and for a benchmark's pack its counts.
#[derive(Serialize)]
pub(crate) struct PackHeader<'a> {
    #[serde(flatten)]
    pub(crate) manifest: &'a PackManifest,
    #[serde(flatten)]
    pub(crate) counts: Option<&'a BenchmarkCounts>,
}

impl BenchmarkCounts {
    /// Counts the items of each group.
    pub(crate) fn count(benchmark: &dyn Benchmark, items: &[Item]) -> Self {
        let mut groups: Vec<GroupItems> = Vec::new();
        let mut places = HashMap::new();
        for item in items {
            let place = *places.entry(&item.groups).or_insert(groups.len());
            if place == groups.len() {
                groups.push(GroupItems { group: item.groups.clone(), items: 0 });
            }
            groups[place].items += 1;
        }
        Self { kind: benchmark.name().to_owned(), groups }
    }

    /// Refuses groups that cannot be a row of a report. The error names the first item of such a
    /// group.
    pub(crate) fn check(&self, benchmark: &dyn Benchmark, items: &[Item]) -> Result<(), Sentence> {
        let count = self.groups.len();
        if count > MOST_GROUPS {
            return Err(say!(
                "its items name {count} groups, and a benchmark has {MOST_GROUPS} at most; look at the categories in its files"
            ));
        }
        for group in &self.groups {
            if let Err(error) = Level::of_another_benchmark(&benchmark.row_of(&group.group)) {
                let first = items.iter().find(|item| item.groups == group.group);
                return Err(say!(
                    "item {id}: {error}; give the category another name in its file",
                    id = first.map(|item| item.id.clone()).unwrap_or_default(),
                    error = error.to_sentence()
                ));
            }
        }
        Ok(())
    }

    /// Reads the counts of items from the JSON text of a manifest. `None` for a pack of tasks.
    pub(crate) fn stated(manifest: &str) -> Option<Self> {
        serde_json::from_str(manifest).ok()
    }

    /// Number of items per row of a report. Empty when this version does not know the benchmark.
    pub fn rows(&self) -> Vec<(Level, u32)> {
        let Some(benchmark) = find(&self.kind) else {
            return Vec::new();
        };
        let mut rows: BTreeMap<Level, u32> = BTreeMap::new();
        for group in &self.groups {
            if let Ok(row) = Level::of_another_benchmark(&benchmark.row_of(&group.group)) {
                *rows.entry(row).or_default() += group.items;
            }
        }
        rows.into_iter().collect()
    }

    /// Number of items in all groups.
    pub fn items(&self) -> u32 {
        self.groups.iter().map(|group| group.items).sum()
    }
}

/// Stored documents of a pack, as the files that a benchmark reads its items from.
pub(crate) struct PackFiles(pub(crate) Vec<DocumentRow>);

impl Files for PackFiles {
    fn paths(&self) -> Vec<String> {
        self.0.iter().map(|row| row.path.clone()).collect()
    }
    fn read(&self, path: &str) -> Result<Vec<u8>, Sentence> {
        let row = self.0.iter().find(|row| row.path == path);
        row.map(|row| row.content.clone().into_bytes()).ok_or_else(|| say!("is missing"))
    }
}

/// Names of all known benchmarks, separated by commas.
pub(crate) fn names() -> String {
    koab_benchmarks::ALL.map(|known| known.name()).join(", ")
}

/// Finds a benchmark by its name.
pub(crate) fn benchmark(kind: &str) -> Result<&'static dyn Benchmark> {
    find(kind).ok_or_else(|| {
        Error::BadFile(say!(
            "the pack is of the benchmark `{kind}`, which this version does not know; it knows {names}",
            names = names()
        ))
    })
}

/// Refuses an import that would replace an installed pack of another benchmark. The sender chooses
/// a pack's name, and the cached responses of the replaced pack would be lost.
pub(crate) fn refuse_other_kind(
    connection: &rusqlite::Connection,
    name: &str,
    coming: Option<&str>,
) -> Result<()> {
    let Some(row) = table::pack::find(connection, name)? else {
        return Ok(());
    };
    let there = BenchmarkCounts::stated(&row.manifest).map(|counts| counts.kind);
    if there.as_deref() == coming {
        return Ok(());
    }
    let of = |kind: Option<&str>| kind.unwrap_or("Ko-AgentBench").to_owned();
    let (there, coming) = (of(there.as_deref()), of(coming));
    Err(Error::BadFile(say!(
        "the installed pack {name} holds {there}, and this pack of the same name holds {coming}; give this one another `name` in its tasks/pack.json; nothing was imported"
    )))
}

/// Refuses a pack of another benchmark where tasks, tools or cached responses are needed.
pub(crate) fn refuse(row: &table::pack::PackRow) -> Result<()> {
    match BenchmarkCounts::stated(&row.manifest) {
        None => Ok(()),
        Some(counts) => {
            let (name, items, kind) = (&row.name, counts.items(), counts.kind);
            Err(Error::BadFile(say!(
                "pack {name} holds {items} items of the benchmark {kind}, but not the tasks, tools or cached responses that are needed here; `koab run --pack {name}` runs it, and `koab score --answers FILE --pack {name}` scores replies made elsewhere"
            )))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use koab_benchmarks::Request;
    use koab_benchmarks::functionchat::FunctionChat;
    use serde_json::Value;

    fn check(group: &str) -> Result<(), String> {
        let item = |id: &str, group: &str| Item {
            id: id.to_owned(),
            groups: vec![group.to_owned()],
            request: Request { messages: Vec::new(), tools: Vec::new() },
            source: Value::Null,
        };
        let items = [item("a", "fine"), item("b", group), item("c", group)];
        let counts = BenchmarkCounts::count(&FunctionChat, &items);
        counts.check(&FunctionChat, &items).map_err(|refused| refused.to_string())
    }

    #[test]
    fn a_group_that_no_report_can_have_is_refused_with_its_first_item() {
        assert_eq!(check("L8"), Ok(()));
        let end = "; give the category another name in its file";
        let taken = "item b: `L2` is a level of Ko-AgentBench and cannot name a group of another benchmark";
        assert_eq!(check("L2"), Err(format!("{taken}{end}")));
        let korean = check("한국어 A").expect_err("it names no group");
        assert!(
            korean.starts_with("item b: `한국어 A` cannot name a group; ") && korean.ends_with(end),
            "{korean}"
        );
    }
}
