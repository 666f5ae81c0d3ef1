//! Statistics of the repeated attempts of a report's run, and companion files of an exported report
//! with the interval of every number. The published files contain only the first attempts.

use crate::Library;
use crate::reports::detail::Open;
use crate::wire::{BesideFile, RepeatedTaskView, RepetitionsView, ReportFormat};
use koab_core::reason::Reason;
use koab_core::say;
use koab_core::score::MetricId;
use koab_core::score::Score;
use koab_core::score::composite::CompositeVariant;
use koab_core::sentence::{Language, Sentence};
use koab_report::repetitions::{FORMAT, RepetitionSummary, Repetitions, summary};
use koab_report::{CompositeReading, Statistics};
use koab_store::report_files;
use koab_workspace::WireError;

/// The attempts with their statistics, or the reason why there are no statistics.
pub(crate) type RepetitionResult = Result<(Repetitions, RepetitionSummary), Sentence>;

impl Library {
    /// Returns the statistics of the repeated attempts of a report's run.
    ///
    /// # Errors
    /// When the report does not exist, or its stored attempts cannot be read.
    pub fn report_repetitions(&self, id: &str) -> Result<RepetitionsView, WireError> {
        let open = self.open_report(id)?;
        Ok(match stored(&open)? {
            Ok((repetitions, summary)) => RepetitionsView {
                reason: None,
                planned: repetitions.planned,
                first_only: repetitions.first_only,
                scopes: summary.scopes,
                tasks: repetitions
                    .tasks
                    .iter()
                    .map(|task| RepeatedTaskView::new(task, repetitions.planned))
                    .collect(),
            },
            Err(reason) => RepetitionsView {
                reason: Some(reason),
                planned: 1,
                first_only: false,
                scopes: Vec::new(),
                tasks: Vec::new(),
            },
        })
    }
}

/// Reads the stored attempts from the folder of a report.
pub(crate) fn stored(open: &Open) -> Result<RepetitionResult, WireError> {
    let Some(repetitions) = report_files::read_repetitions::<Repetitions>(&open.folder.folder)? else {
        return Ok(Err(none_kept(open)));
    };
    if repetitions.format > FORMAT {
        let file = open.folder.folder.join(report_files::REPETITIONS);
        return Err(WireError::bad_file(say!(
            "{} was written by a later version; score the run again",
            file.display()
        )));
    }
    Ok(summary(&repetitions).map(|summary| (repetitions, summary)))
}

/// Returns the reason why no repeated attempts are stored: the run has one attempt per task, or
/// only first attempts were scored.
fn none_kept(open: &Open) -> Sentence {
    let tasks = open.loaded.report.levels.iter().flat_map(|level| &level.tasks);
    let several = tasks.filter_map(|task| task.score(MetricId::PassAtK)).any(|score| {
        matches!(score, Score::Scored { details, .. } if details["actual_repetitions"].as_u64() > Some(1))
    });
    if several { Reason::LaterNotScored {}.into() } else { Reason::OneAttempt {}.into() }
}

/// Returns the composite in every reading, as on the report's page.
pub(crate) fn composites(open: &Open) -> Vec<CompositeReading> {
    let figures = open.detail.view.composites.iter();
    figures
        .filter_map(|figure| {
            Some(CompositeReading {
                variant: CompositeVariant::named(&figure.variant)?,
                value: figure.figure.measured(),
                bounds: figure.bounds(),
            })
        })
        .collect()
}

/// Returns the statistics of a report: all numbers with their intervals.
pub(crate) fn statistics(open: &Open) -> Result<Statistics, WireError> {
    Ok(Statistics::new(&open.loaded.report, &open.intervals, composites(open), stored(open)?))
}

/// Returns the companion file with the statistics of an exported report; `None` if the exported
/// file contains the statistics.
pub(crate) fn beside(
    open: &Open,
    id: &str,
    format: ReportFormat,
    language: &str,
) -> Result<Option<BesideFile>, WireError> {
    let language = Language::of_locale(language);
    let statistics = statistics(open)?;
    let (ending, media, text) = match format {
        ReportFormat::Html => return Ok(None),
        ReportFormat::Json => (
            "json",
            "application/json",
            serde_json::to_string_pretty(&statistics.to_json()).map_err(WireError::internal)?,
        ),
        ReportFormat::Csv => ("csv", "text/csv", statistics.to_csv(language)),
        ReportFormat::Md => ("md", "text/markdown", statistics.to_markdown(language)),
    };
    Ok(Some(BesideFile { name: format!("{id}.statistics.{ending}"), media: media.to_owned(), text }))
}
