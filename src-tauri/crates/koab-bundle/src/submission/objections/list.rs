//! Objections, and the list of them as they are found.

use koab_core::finding::{Finding, Severity};
use koab_core::sentence::Sentence;
use koab_report::comparability::FindingCode;

/// One thing that a maintainer would object to. An error blocks: the row does not belong beside the
/// others as it is. A warning will be asked about; the row can stand beside the others all the
/// same.
pub type Objection = Finding<FindingCode>;

/// A file of the submission, and what in it is meant.
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

/// Objections as they are found.
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
