//! Interface of a benchmark for the other parts of the product.

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

/// Files of a pack, each as its path in the pack and its path in the source.
pub type PackFiles = Vec<(String, String)>;

/// Reason why files do not belong to the benchmark, or are incomplete.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{0}")]
pub struct BenchmarkError(pub Sentence);

/// Interface of one benchmark.
pub trait Benchmark: Debug + Send + Sync {
    /// Name of the benchmark and of its pack: `bfcl`.
    fn name(&self) -> &'static str;
    /// Name as the benchmark's authors write it: `BFCL v4, single turn`.
    fn title(&self) -> &'static str;
    /// Origin and owner of the data, in the words of the pack.
    fn source(&self) -> &'static str;
    /// Licence of the data, as an SPDX name.
    fn licence(&self) -> &'static str;
    /// Files of a pack of the benchmark: path in the pack and path in `files`. Empty where `files`
    /// do not belong to this benchmark.
    ///
    /// `files` may have the benchmark's own layout, the layout of its authors' repository, or that
    /// of a pack.
    fn files(&self, files: &dyn Files) -> PackFiles;
    /// Remark, with a remedy, on a part of the authors' data that is among these files but that a
    /// pack of this benchmark does not contain.
    fn left_beside(&self, _files: &dyn Files) -> Option<Sentence> {
        None
    }
    /// Whether a file with this name may belong to the benchmark. It is used where the content is
    /// not available.
    fn is_file(&self, name: &str) -> bool;
    /// All items, in their authors' order.
    ///
    /// # Errors
    /// The file, the line and a description of the fault.
    fn items(&self, pack: &dyn Files) -> Result<Vec<Item>, BenchmarkError>;
    /// Name of the report's row for items of these groups.
    ///
    /// The name is unique in the benchmark and consists of letters, digits, `_`, `.`, `:` and `-`.
    /// The default is the innermost group; a benchmark overrides this method where two outer groups
    /// have inner groups of the same name.
    fn row_of(&self, groups: &[String]) -> String {
        groups.last().cloned().unwrap_or_default()
    }
    /// Name of the scenario that makes the attempts, for a benchmark whose items need more than one
    /// request and one reply. A scenario runs a program of others in a container
    /// (`koab-scenarios`).
    ///
    /// The authors' own program runs and scores the items of a benchmark that executes code. Its
    /// verdicts take the place of replies.
    fn scenario(&self) -> Option<&'static str> {
        None
    }
    /// Sampling temperature of a request.
    fn temperature(&self) -> f64;
    /// Scores a reply with all metrics that need no judge.
    fn score(&self, item: &Item, answer: &Answer, rules: Rules) -> Vec<Row>;
    /// Whether the benchmark has questions for judges.
    fn asks_judges(&self) -> bool;
    /// Question to a judge about a reply; `None` where no judge is needed.
    fn question(&self, item: &Item, answer: &Answer, rules: Rules) -> Option<String>;
    /// Number of times that a judge is asked the question.
    fn votes(&self, _rules: Rules) -> usize {
        1
    }
    /// Whether a judge's reply is usable. An unusable reply is requested again.
    fn usable(&self, _reply: &str, _rules: Rules) -> bool {
        true
    }
    /// Meaning of a judge's reply: whether the answer is right. `None` where the reply does not
    /// decide this.
    fn says(&self, _reply: &str, _rules: Rules) -> Option<bool> {
        None
    }
    /// Expected answer, for people who judge a reply.
    fn truth(&self, _item: &Item) -> Option<Value> {
        None
    }
    /// Scores a reply from judges' replies to its question, one text per vote.
    fn judged(&self, item: &Item, answer: &Answer, replies: &[String], rules: Rules) -> Vec<Row>;
    /// The row that shows whether an item was answered right. Its mean is the success rate; the
    /// other rows are additional.
    fn success<'a>(&self, rows: &'a [Row]) -> Option<&'a Row> {
        rows.last()
    }
    /// Tables from the rows of all answered items, each item once. A figure is left out if some
    /// items of its group have no answer.
    fn tables(&self, rows: &[(&Item, &[Row])], pack: &GroupSizes, rules: Rules) -> Vec<Table>;
    /// Differences of the corrected rules from the published ones.
    fn differences(&self) -> &'static [Difference] {
        &[]
    }
    /// Value of the figure with the name `cell`, as text with the authors' number of decimals.
    fn cell_text(&self, _cell: &str, value: f64) -> String {
        koab_core::python::float_repr(value)
    }
}
