//! A bundle: one file with everything that the numbers of a run can be computed from again, and
//! what is checked of it.
//!
//! Here is what the files of a bundle mean and how each is compared with the others: the logs
//! against the journal, the calls against the recordings and tool texts, the verdicts against the
//! questions that the logs and prompts give, the reports against a scoring of all this. The archive
//! itself, hashes of its entries and signatures are outside; nothing here reads a file or knows a
//! workspace. What a clean bundle proves and what not is in `docs/design/submission.md`.

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
pub(crate) use logs::{MadeLogs, by_task};
pub use manifest::{BundleFile, FORMAT, Manifest, ReportEntry, Without, WithoutWhat};
pub use names::{
    ITEMS, JOURNAL, MANIFEST, PACK_MANIFEST, PROMPTS, RUN, SIGNATURE, TOOLS, is_place, level_log,
    level_tasks, records, report, verdicts as verdict_file,
};
pub use recompute::{Recomputed, recompute, verdicts_behind};
pub use subject::{CacheFacts, PackFacts, Subject, created};
pub use verdict_line::VerdictLine;
pub use verdicts::of_lines;
