//! The comparability as a companion file of an exported report. The published files must not
//! change, so they cannot contain the comparability.

use crate::wire::{BesideFile, ReportFormat};
use koab_core::sentence::{Language, in_english};
use koab_report::comparability::{Comparability, to_csv, to_markdown};
use koab_workspace::WireError;

/// Returns the companion file in the format of the exported file; `None` if the exported file
/// contains the comparability.
pub(crate) fn beside(
    comparability: &Comparability,
    id: &str,
    format: ReportFormat,
    language: &str,
) -> Result<Option<BesideFile>, WireError> {
    let language = Language::of_locale(language);
    let (ending, media, text) = match format {
        ReportFormat::Html => return Ok(None),
        ReportFormat::Json => ("json", "application/json", english(comparability)?),
        ReportFormat::Csv => ("csv", "text/csv", to_csv(comparability, language)),
        ReportFormat::Md => ("md", "text/markdown", to_markdown(comparability, language)),
    };
    Ok(Some(BesideFile { name: format!("{id}.comparability.{ending}"), media: media.to_owned(), text }))
}

fn english(comparability: &Comparability) -> Result<String, WireError> {
    let mut document = serde_json::to_value(comparability).map_err(WireError::internal)?;
    in_english(&mut document);
    serde_json::to_string_pretty(&document).map_err(WireError::internal)
}
