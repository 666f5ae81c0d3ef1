//! Objections to a submission, and their list.

use koab_core::finding::{Finding, Severity};
use koab_core::sentence::Sentence;
use koab_report::comparability::FindingCode;

/// An objection that a maintainer would have. An error blocks the submission, because its row
/// cannot be compared with the other rows. A warning only requires an explanation by the submitter.
pub type Objection = Finding<FindingCode>;

/// Place of an objection: a file of the submission, and the field in it.
#[derive(Clone)]
pub(super) struct FileField {
    pub(super) file: String,
    pub(super) field: Option<String>,
}

impl<T: Into<String>> From<T> for FileField {
    fn from(file: T) -> Self {
        let file = file.into();
        Self { file, field: None }
    }
}

/// The objections so far.
#[derive(Default)]
pub(super) struct Objections(pub(super) Vec<Objection>);

impl Objections {
    pub(super) fn blocks(
        &mut self,
        code: FindingCode,
        place: impl Into<FileField>,
        sentence: impl Into<Sentence>,
        remedy: impl Into<Sentence>,
    ) {
        self.push(code, Severity::Error, place, sentence, remedy);
    }

    pub(super) fn warns(
        &mut self,
        code: FindingCode,
        place: impl Into<FileField>,
        sentence: impl Into<Sentence>,
        remedy: impl Into<Sentence>,
    ) {
        self.push(code, Severity::Warning, place, sentence, remedy);
    }

    pub(super) fn push(
        &mut self,
        code: FindingCode,
        severity: Severity,
        place: impl Into<FileField>,
        sentence: impl Into<Sentence>,
        remedy: impl Into<Sentence>,
    ) {
        let FileField { file, field } = place.into();
        let objection = Finding::new(code, severity, sentence).in_file(file);
        self.0.push(Objection { field, ..objection.with_remedy(remedy) });
    }
}
