//! Bundles and their checks. A bundle is one file with a run and all data from which the numbers of
//! the run can be computed again.
//!
//! This module knows the files of a bundle and compares them with each other: the logs with the
//! journal, the calls with the cached responses and tool texts, the verdicts with the questions
//! that the logs and prompts give, the reports with a new scoring of this content. Journals are
//! read, logs are made and reports are scored by the same functions as those of a run
//! (`LineReader`, `level_log`, `evaluate_whole`). Only the comparisons are its own, because a run
//! never compares a call with the cached response that answered it, or a verdict with its question.
//!
//! The archive itself, the hashes of its entries and signatures are handled elsewhere; this module
//! does not read files and does not know a workspace. `docs/design/submission.md` describes what a
//! bundle without findings proves and what it does not prove.

mod attempts;
mod calls;
mod check;
mod contents;
mod examine;
mod journal;
mod logs;
mod manifest;
mod names;
mod recompute;
mod run;
mod subject;
mod texts;
mod verdict_line;
mod verdicts;

pub use attempts::{AttemptReader, CountedAttempts, CountedReader};
pub(crate) use attempts::{FirstAttempts, FirstReader};
pub use check::{Check, CheckName, Findings};
pub use contents::{Contents, Log, Record, Records, ReportTexts, read_record, record_line};
pub use examine::{Counts, examine};
pub use journal::JournalReader;
pub(crate) use logs::{RebuiltLogs, by_task};
pub use manifest::{BundleFile, FORMAT, Manifest, ReportEntry, Without, WithoutWhat};
pub use names::{
    ITEMS, JOURNAL, MANIFEST, PACK_MANIFEST, PROMPTS, RUN, SIGNATURE, TOOLS, is_place, level_log,
    level_tasks, records, report, verdicts as verdict_file,
};
pub use recompute::{Recomputed, recompute, verdicts_behind};
pub use subject::{CacheFacts, PackFacts, Subject, created};
pub use verdict_line::VerdictLine;
pub use verdicts::of_lines;
