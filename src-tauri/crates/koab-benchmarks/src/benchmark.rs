//! What a benchmark is to the rest of the product.

use crate::answer::Answer;
use crate::difference::Difference;
use crate::item::Item;
use crate::row::Row;
use crate::sizes::GroupSizes;
use crate::table::{Rules, Table};
use koab_core::sentence::Sentence;
use serde_json::Value;
use std::fmt::Debug;

/// The files of a checkout, an archive or a folder, by path with `/`. Paths are given as they lie
/// there.
pub trait Files {
    /// The paths of all of them.
    fn paths(&self) -> Vec<String>;
    /// One of them, whole.
    ///
    /// # Errors
    /// What stands in the way, as a sentence.
    fn read(&self, path: &str) -> Result<Vec<u8>, Sentence>;
}

/// Of each file the path in the pack and the path where it lies.
pub type PackFiles = Vec<(String, String)>;

/// Why files are not this benchmark, or not whole.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{0}")]
pub struct BenchmarkError(pub Sentence);

/// One benchmark.
pub trait Benchmark: Debug + Send + Sync {
    /// Its name and that of its pack: `bfcl`.
    fn name(&self) -> &'static str;
    /// As its authors write it: `BFCL v4, single turn`.
    fn title(&self) -> &'static str;
    /// Where its data comes from and whose it is, as a pack says it.
    fn source(&self) -> &'static str;
    /// The licence of its data, by its SPDX name.
    fn licence(&self) -> &'static str;
    /// The files that a pack of it holds, by the path in the pack, with the path where they lie in
    /// `files`; empty where these are not this benchmark's. Its own layout, its authors' repository
    /// and a pack are all known.
    fn files(&self, files: &dyn Files) -> PackFiles;
    /// What of its authors' lies beside its files and is in no pack of it, with what is to be done
    /// about that.
    fn left_beside(&self, _files: &dyn Files) -> Option<Sentence> {
        None
    }
    /// Whether a file of this name may be one of those, where only names are known.
    fn is_file(&self, name: &str) -> bool;
    /// All items, in their authors' order.
    ///
    /// # Errors
    /// The file, the line and what is wrong with it.
    fn items(&self, pack: &dyn Files) -> Result<Vec<Item>, BenchmarkError>;
    /// The row of a report that items of these groups count in: unique in the benchmark, of
    /// letters, digits, `_`, `.`, `:` and `-`. The innermost, unless those of two outer groups
    /// share a name.
    fn row_of(&self, groups: &[String]) -> String {
        groups.last().cloned().unwrap_or_default()
    }
    /// The scenarios that ask its items, where no run can: those of a benchmark that executes code
    /// are asked and scored by its authors' own program, whose verdicts take the place of replies.
    fn scenario(&self) -> Option<&'static str> {
        None
    }
    /// Temperature of a request.
    fn temperature(&self) -> f64;
    /// Scores a reply as far as no judge is needed.
    fn score(&self, item: &Item, answer: &Answer, rules: Rules) -> Vec<Row>;
    /// Whether it asks judges at all: of one that does not, no judge is asked for.
    fn asks_judges(&self) -> bool;
    /// What a judge is asked about a reply; `None` where none is.
    fn question(&self, item: &Item, answer: &Answer, rules: Rules) -> Option<String>;
    /// How often that question is asked.
    fn votes(&self, _rules: Rules) -> usize {
        1
    }
    /// Whether a judge's reply says anything; one that does not is asked for again.
    fn usable(&self, _reply: &str, _rules: Rules) -> bool {
        true
    }
    /// What a judge's reply says of the answer: right or wrong; `None` where it says neither.
    fn says(&self, _reply: &str, _rules: Rules) -> Option<bool> {
        None
    }
    /// The right answer, for people who judge a reply.
    fn truth(&self, _item: &Item) -> Option<Value> {
        None
    }
    /// Scores a reply by what judges said to its question, one text a vote.
    fn judged(&self, item: &Item, answer: &Answer, replies: &[String], rules: Rules) -> Vec<Row>;
    /// The row that says whether an item was answered right, which is its success rate; the others
    /// stand beside it.
    fn success<'a>(&self, rows: &'a [Row]) -> Option<&'a Row> {
        rows.last()
    }
    /// The tables, from the rows of every item that was answered, each once. A figure over a part
    /// of the items that a pack has of its group is left out.
    fn tables(&self, rows: &[(&Item, &[Row])], pack: &GroupSizes, rules: Rules) -> Vec<Table>;
    /// What the corrected rules do differently.
    fn differences(&self) -> &'static [Difference] {
        &[]
    }
    /// A figure of a table as the authors print it.
    fn cell_text(&self, _cell: &str, value: f64) -> String {
        koab_core::python::float_repr(value)
    }
}
