//! Reads a report from its folder.

use crate::reports::figures::{composites, drawn_at_once, notes};
use crate::reports::made_of::{made_of, unmeasured};
use crate::reports::report_file::{ReportRecord, StoredReport, published};
use crate::wire::{CompositeFigure, ReportView};
use koab_core::level::Level;
use koab_core::measured::Figure;
use koab_core::score::MetricId;
use koab_core::sentence::Sentence;
use koab_report::interval::Intervals;
use koab_report::{ItemRows, Report};
use koab_store::overrides::VerdictPlace;
use koab_store::report_files::ReportFolder;
use koab_workspace::WireError;

/// A report that was read from its folder.
pub struct LoadedReport {
    /// The report in the published files.
    pub report: Report,
    /// Whether the files contain the names of the judges. If not, `report.judges` is empty and has
    /// no meaning.
    pub names_judges: bool,
    /// This program's own data about a report that it made. It contains numbers only if an earlier
    /// version of the program made the report.
    pub view: Option<ReportView>,
    /// The complete report, if this version of the program made it and the published files still
    /// match it.
    pub(crate) whole: Option<ReportRecord>,
    /// Notes on missing or unknown data, one sentence each.
    pub(crate) notes: Vec<Sentence>,
}

impl LoadedReport {
    /// Creates a loaded report from this program's own file. `published` is the part in the
    /// published files.
    pub fn made(view: ReportView, mut whole: ReportRecord, mut published: Report) -> Self {
        let why = unmeasured(made_of(&view));
        let of_whole = [&mut whole.report].into_iter().chain(&mut whole.overridden);
        for report in of_whole.chain([&mut published]) {
            report.unmeasured.clone_from(&why);
        }
        Self {
            report: published,
            names_judges: true,
            view: Some(view),
            whole: Some(whole),
            notes: Vec::new(),
        }
    }

    /// Returns the results per item of another benchmark; empty if they are not stored.
    pub fn item_rows(&self) -> &[ItemRows] {
        self.whole.as_ref().map_or(&[], |whole| &whole.items)
    }

    /// Returns the intervals of the report's numbers, if they are stored.
    pub fn kept_intervals(&self) -> Option<&Intervals> {
        self.whole.as_ref().map(|whole| &whole.intervals)
    }

    /// Returns the stored intervals of the report's numbers, or otherwise computes them.
    pub(crate) fn intervals(&self) -> Intervals {
        let stored = self.kept_intervals().cloned();
        stored.unwrap_or_else(|| drawn_at_once(&self.report))
    }

    /// Returns the report with human overrides, if there are any.
    fn with_people(&self) -> Option<&Report> {
        self.whole.as_ref()?.overridden.as_ref()
    }

    /// Returns a mean with human overrides, if there are any for this metric and level.
    pub(crate) fn overridden(&self, level: &Level, metric: MetricId) -> Option<Figure> {
        let with = self.with_people()?;
        let tasks = &with.level(level)?.tasks;
        let is_of_it = |at: &VerdictPlace| at.metric == metric && tasks.iter().any(|task| task.id == at.task);
        let mut overrides = self.view.iter().flat_map(|view| &view.overrides).map(|row| &row.place);
        overrides.any(is_of_it).then(|| with.mean(level, metric).into())
    }

    /// Returns the composite in every reading, with the given intervals. The published file lacks
    /// two metrics that some readings need.
    pub(crate) fn composites(&self, intervals: Option<&Intervals>) -> Vec<CompositeFigure> {
        let report = self.whole.as_ref().map_or(&self.report, |whole| &whole.report);
        let mut rows: Vec<CompositeFigure> =
            composites(report, intervals).into_iter().map(|own| self.with_shown(own)).collect();
        if let Some(with) = self.with_people() {
            for (row, with) in rows.iter_mut().zip(composites(with, None)) {
                row.overridden = Some(with.figure);
            }
        }
        rows
    }

    /// Completes the composite in one reading by figures that an earlier version of the program
    /// stored.
    fn with_shown(&self, own: CompositeFigure) -> CompositeFigure {
        let stored = self.view.as_ref().and_then(|view| {
            let mut figures = view.composites.iter();
            figures.find(|figure| figure.variant == own.variant).cloned()
        });
        match stored {
            Some(stored)
                if self.report.unmeasured.is_none()
                    && own.figure.value().is_none()
                    && stored.figure.value().is_some() =>
            {
                CompositeFigure { reading: own.reading, ..stored }
            }
            Some(stored) => {
                CompositeFigure { range: own.range.or(stored.range), overridden: stored.overridden, ..own }
            }
            None => own,
        }
    }
}

/// Reads a report from its folder; `None` if the folder has no data of a report.
pub(crate) fn loaded(folder: &ReportFolder) -> Result<Option<LoadedReport>, WireError> {
    // This program's own file may be from another version; the report itself then counts.
    let (kept, fault) = match StoredReport::read(&folder.folder) {
        Ok(kept) => (kept, None),
        Err(error) => (None, Some(error.message)),
    };
    let (view, fault) = match kept {
        Some(StoredReport { view, whole: Some((whole, published)), .. }) => {
            return Ok(Some(LoadedReport::made(view, whole, published)));
        }
        Some(StoredReport { view, note, .. }) => (Some(view), note),
        None => (None, fault),
    };
    let Some(read) = published(&folder.folder)? else {
        return Ok(None);
    };
    let names_judges = read.names_judges;
    let mut notes = match &view {
        // The view has notes of its own, from the time of the scoring.
        Some(_) => read.left_out,
        None => notes(&read, &folder.folder),
    };
    notes.extend(fault);
    let report = Report { unmeasured: unmeasured(view.as_ref().and_then(made_of)), ..read.report };
    Ok(Some(LoadedReport { report, names_judges, view, whole: None, notes }))
}
