//! Interface of a benchmark for the rest of the product.

use crate::answer::Answer;
use crate::difference::Difference;
use crate::item::Item;
use crate::row::Row;
use crate::sizes::GroupSizes;
use crate::table::{Rules, Table};
use koab_core::sentence::Sentence;
use serde_json::Value;
use std::fmt::Debug;

/// Files of a checkout, an archive or a folder, by their paths with `/`.
pub trait Files {
    /// Paths of all files.
    fn paths(&self) -> Vec<String>;
    /// Whole content of a file.
    ///
    /// # Errors
    /// The reason why the file cannot be read, as a sentence.
    fn read(&self, path: &str) -> Result<Vec<u8>, Sentence>;
}

/// Path in the pack and path in the source of each file.
pub type PackFiles = Vec<(String, String)>;

/// Reason why files are not this benchmark, or are incomplete.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{0}")]
pub struct BenchmarkError(pub Sentence);

/// Interface of one benchmark.
pub trait Benchmark: Debug + Send + Sync {
    /// Name of the benchmark and of its pack: `bfcl`.
    fn name(&self) -> &'static str;
    /// Name as the benchmark's authors write it: `BFCL v4, single turn`.
    fn title(&self) -> &'static str;
    /// Origin and owner of the data, as a pack states them.
    fn source(&self) -> &'static str;
    /// Licence of the data, as an SPDX name.
    fn licence(&self) -> &'static str;
    /// Files of a pack of the benchmark: the path in the pack and the path in `files`. Empty where
    /// `files` are not this benchmark's.
    ///
    /// The benchmark's own layout, its authors' repository and a pack are recognised.
    fn files(&self, files: &dyn Files) -> PackFiles;
    /// Remark on another part of the authors' data that is next to these files and in no pack of
    /// this benchmark, with a remedy.
    fn left_beside(&self, _files: &dyn Files) -> Option<Sentence> {
        None
    }
    /// Whether a file of this name may belong to the benchmark, where only names are known.
    fn is_file(&self, name: &str) -> bool;
    /// All items, in their authors' order.
    ///
    /// # Errors
    /// The file, the line and what is wrong with it.
    fn items(&self, pack: &dyn Files) -> Result<Vec<Item>, BenchmarkError>;
    /// Row of a report that items of these groups count in. It is unique in the benchmark and
    /// consists of letters, digits, `_`, `.`, `:` and `-`.
    ///
    /// The default is the innermost group; a benchmark overrides it where inner groups of two outer
    /// ones share a name.
    fn row_of(&self, groups: &[String]) -> String {
        groups.last().cloned().unwrap_or_default()
    }
    /// Scenario that asks the items where no run can. The authors' own program asks and scores the
    /// items of a benchmark that executes code; its verdicts take the place of replies.
    fn scenario(&self) -> Option<&'static str> {
        None
    }
    /// Sampling temperature of a request.
    fn temperature(&self) -> f64;
    /// Scores a reply as far as no judge is needed.
    fn score(&self, item: &Item, answer: &Answer, rules: Rules) -> Vec<Row>;
    /// Whether the benchmark ever asks judges.
    fn asks_judges(&self) -> bool;
    /// Question to a judge about a reply; `None` where no judge is asked.
    fn question(&self, item: &Item, answer: &Answer, rules: Rules) -> Option<String>;
    /// Number of times that the question is asked.
    fn votes(&self, _rules: Rules) -> usize {
        1
    }
    /// Whether a judge's reply is usable; an unusable one is asked for again.
    fn usable(&self, _reply: &str, _rules: Rules) -> bool {
        true
    }
    /// Meaning of a judge's reply: the answer is right or wrong; `None` where it says neither.
    fn says(&self, _reply: &str, _rules: Rules) -> Option<bool> {
        None
    }
    /// Right answer, for people who judge a reply.
    fn truth(&self, _item: &Item) -> Option<Value> {
        None
    }
    /// Scores a reply from judges' replies to its question, one text per vote.
    fn judged(&self, item: &Item, answer: &Answer, replies: &[String], rules: Rules) -> Vec<Row>;
    /// Row that says whether an item was answered right; its mean is the success rate. The other
    /// rows are additional.
    fn success<'a>(&self, rows: &'a [Row]) -> Option<&'a Row> {
        rows.last()
    }
    /// Tables from the rows of every answered item, each once. A figure over only some of a group's
    /// items is left out.
    fn tables(&self, rows: &[(&Item, &[Row])], pack: &GroupSizes, rules: Rules) -> Vec<Table>;
    /// Differences of the corrected rules from the published ones.
    fn differences(&self) -> &'static [Difference] {
        &[]
    }
    /// Figure of a table as the authors print it.
    fn cell_text(&self, _cell: &str, value: f64) -> String {
        koab_core::python::float_repr(value)
    }
}
