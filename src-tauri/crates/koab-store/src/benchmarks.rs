//! Packs of benchmarks whose items are one request and one reply (`koab-benchmarks`).
//!
//! Files are as their authors wrote them, with what they hold counted beside the pack's manifest.
//! They have no tasks, tools and records.

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

/// The most groups that a pack may have: names of groups are kept as long as the process lives.
const MOST_GROUPS: usize = 256;

/// What a pack of a benchmark holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BenchmarkCounts {
    /// The benchmark's name.
    pub kind: String,
    /// Its groups of items, in their authors' order.
    pub groups: Vec<GroupItems>,
}

/// Items of a group.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GroupItems {
    /// The group's names, outermost first.
    pub group: Vec<String>,
    /// Its items.
    pub items: u32,
}

/// `pack.json` of such a pack.
#[derive(Serialize)]
pub(crate) struct PackHeader<'a> {
    #[serde(flatten)]
    pub(crate) manifest: &'a PackManifest,
    #[serde(flatten)]
    pub(crate) counts: Option<&'a BenchmarkCounts>,
}

impl BenchmarkCounts {
    /// Counts items.
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

    /// Refuses groups that no report can have a row of, with the first item of each.
    pub(crate) fn check(&self, benchmark: &dyn Benchmark, items: &[Item]) -> Result<(), Sentence> {
        let count = self.groups.len();
        if count > MOST_GROUPS {
            return Err(say!(
                "its items name {count} groups, and a benchmark has {MOST_GROUPS} at most; look at the categories in its files"
            ));
        }
        for held in &self.groups {
            if let Err(error) = Level::of_another_benchmark(&benchmark.row_of(&held.group)) {
                let first = items.iter().find(|item| item.groups == held.group);
                return Err(say!(
                    "item {id}: {error}; give the category another name in its file",
                    id = first.map(|item| item.id.clone()).unwrap_or_default(),
                    error = error.to_sentence()
                ));
            }
        }
        Ok(())
    }

    /// What the text of a manifest says of it; `None` in packs of tasks.
    pub(crate) fn stated(manifest: &str) -> Option<Self> {
        serde_json::from_str(manifest).ok()
    }

    /// Items by the rows of a report, as runs name them; none where this version does not know the
    /// benchmark.
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

    /// All items.
    pub fn items(&self) -> u32 {
        self.groups.iter().map(|group| group.items).sum()
    }
}

/// The texts of a pack, as a benchmark reads them.
pub(crate) struct PackFiles(pub(crate) Vec<DocumentRow>);

impl Files for PackFiles {
    fn paths(&self) -> Vec<String> {
        self.0.iter().map(|row| row.path.clone()).collect()
    }
    fn read(&self, path: &str) -> Result<Vec<u8>, Sentence> {
        let found = self.0.iter().find(|row| row.path == path);
        found.map(|row| row.content.clone().into_bytes()).ok_or_else(|| say!("is missing"))
    }
}

/// The names of all benchmarks.
pub(crate) fn names() -> String {
    koab_benchmarks::ALL.map(|known| known.name()).join(", ")
}

/// The benchmark of a pack.
pub(crate) fn benchmark(kind: &str) -> Result<&'static dyn Benchmark> {
    find(kind).ok_or_else(|| {
        Error::BadFile(say!(
            "the pack is of the benchmark `{kind}`, which this version does not know; it knows {names}",
            names = names()
        ))
    })
}

/// Refuses to put a pack in the place of one that holds something else: who sends it chooses its
/// name, and what is cached for the other would be gone.
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
        "the installed pack {name} holds {there}, and this one of the same name holds {coming}; give it another `name` in its tasks/pack.json; nothing was imported"
    )))
}

/// Refuses a pack without tasks where tasks, tools or records are wanted.
pub(crate) fn refuse(row: &table::pack::PackRow) -> Result<()> {
    match BenchmarkCounts::stated(&row.manifest) {
        None => Ok(()),
        Some(counts) => {
            let (name, items, kind) = (&row.name, counts.items(), counts.kind);
            Err(Error::BadFile(say!(
                "pack {name} holds {items} items of the benchmark {kind} and no tasks, tools or cached responses, which this is about; `koab run --pack {name}` runs it, and `koab evaluate --answers FILE --pack {name}` scores replies made elsewhere"
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
