//! Sentences and advice that several objections share.

use super::list::FileField;
use koab_core::level::Level;
use koab_core::sentence::Sentence;
use koab_core::{say, text};

/// Advice for a submission whose files do not agree with each other.
pub const PREPARE_AGAIN: &str = text!("prepare the submission again with `koab submit prepare`");
pub(super) const BRING_JOURNAL: &str = text!("prepare again from the workspace that made the run");
pub(super) const ONE_RUN: &str =
    text!("hand in the logs and the report of one run; run the other levels again within it");

/// Maximum number of files or fields that are listed for one kind of objection.
pub(super) const NAMED: usize = 5;

pub(super) fn gone() -> Sentence {
    say!("the file is not there")
}

pub(super) fn other_logs(level: &Level) -> Sentence {
    say!("the report of {level} is not of this log: its figures are another log's")
}

/// Place of an objection: a field of a file.
pub(super) fn within(file: &str, field: &str) -> FileField {
    FileField { file: file.to_owned(), field: Some(field.to_owned()) }
}
