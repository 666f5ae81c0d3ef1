//! The verdict as a file beside an exported report. The published files keep every byte, so it cannot stand in them.

use crate::korean::korean;
use crate::wire::{BesideFile, ReportFormat, WireError};
use koab_core::comparability::{Comparability, Wording, to_csv, to_markdown};

/// Words of an export in a language: `ko`, else English.
pub(crate) fn wording(language: &str) -> Wording {
    let korean = language == "ko";
    Wording {
        korean,
        say: if korean { in_korean } else { str::to_owned },
    }
}

/// In the form of the exported file; `None` where that has it within.
pub(crate) fn beside(
    comparability: &Comparability,
    id: &str,
    format: ReportFormat,
    language: &str,
) -> Result<Option<BesideFile>, WireError> {
    let words = wording(language);
    let (ending, media, text) = match format {
        ReportFormat::Html => return Ok(None),
        ReportFormat::Json => (
            "json",
            "application/json",
            serde_json::to_string_pretty(comparability).map_err(WireError::internal)?,
        ),
        ReportFormat::Csv => ("csv", "text/csv", to_csv(comparability, &words)),
        ReportFormat::Md => ("md", "text/markdown", to_markdown(comparability, &words)),
    };
    Ok(Some(BesideFile {
        name: format!("{id}.comparability.{ending}"),
        media: media.to_owned(),
        text,
    }))
}

fn in_korean(sentence: &str) -> String {
    korean(sentence).unwrap_or_else(|| sentence.to_owned())
}
