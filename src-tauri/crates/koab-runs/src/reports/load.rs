//! A report as its folder has it.

use crate::reports::figures::{composites, drawn_at_once, notes};
use crate::reports::made_of::{made_of, unmeasured};
use crate::reports::report_file::{ReportRecord, StoredReport, published};
use crate::wire::{CompositeFigure, Figure, OverrideRow, ReportView, WireError};
use koab_core::level::Level;
use koab_core::score::MetricId;
use koab_core::sentence::Sentence;
use koab_report::interval::Intervals;
use koab_report::{ItemRows, Report};
use koab_store::report_files::ReportFolder;

/// A report's folder, read.
pub struct LoadedReport {
    /// What its files say.
    pub report: Report,
    /// Whether its files say who judged; if not, `report.judges` is empty and means nothing.
    pub names_judges: bool,
    /// What this product kept beside the published files, when it made the report; with numbers
    /// where an earlier version did.
    pub view: Option<ReportView>,
    /// The report as it was made, where this version did and the published files still say the
    /// same.
    pub(crate) whole: Option<ReportRecord>,
    /// What its files do not say or nobody here knows, one sentence each.
    pub(crate) notes: Vec<Sentence>,
}

impl LoadedReport {
    /// A report that was made here, and what was published of it.
    pub(crate) fn made(view: ReportView, mut whole: ReportRecord, mut published: Report) -> Self {
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

    /// What another benchmark found about each item; none where that is not kept.
    pub fn item_rows(&self) -> &[ItemRows] {
        self.whole.as_ref().map_or(&[], |whole| &whole.items)
    }

    /// The intervals that were kept.
    pub(crate) fn kept_intervals(&self) -> Option<&Intervals> {
        self.whole.as_ref().map(|whole| &whole.intervals)
    }

    /// Its intervals, drawn where none were kept.
    pub(crate) fn intervals(&self) -> Intervals {
        let kept = self.kept_intervals().cloned();
        kept.unwrap_or_else(|| drawn_at_once(&self.report))
    }

    /// A report with people's word, when somebody gave it.
    fn with_people(&self) -> Option<&Report> {
        self.whole.as_ref()?.overridden.as_ref()
    }

    /// A mean with people's word, when somebody gave it about this metric of this level.
    pub(crate) fn overridden(&self, level: Level, metric: MetricId) -> Option<Figure> {
        let with = self.with_people()?;
        let tasks = &with.level(level)?.tasks;
        let is_of_it =
            |row: &OverrideRow| row.metric == metric.name() && tasks.iter().any(|task| task.id == row.task);
        let mut said = self.view.iter().flat_map(|view| &view.overrides);
        said.any(is_of_it).then(|| with.mean(level, metric).into())
    }

    /// Every reading of the composite, with its interval where those were found. The published file
    /// leaves out two metrics that some readings need.
    pub(crate) fn composites(&self, found: Option<&Intervals>) -> Vec<CompositeFigure> {
        let report = self.whole.as_ref().map_or(&self.report, |whole| &whole.report);
        let mut rows: Vec<CompositeFigure> =
            composites(report, found).into_iter().map(|own| self.with_shown(own)).collect();
        if let Some(with) = self.with_people() {
            for (row, with) in rows.iter_mut().zip(composites(with, None)) {
                row.overridden = Some(with.figure);
            }
        }
        rows
    }

    /// What an earlier version showed of a reading.
    fn with_shown(&self, own: CompositeFigure) -> CompositeFigure {
        let kept = self.view.as_ref().and_then(|view| {
            let mut figures = view.composites.iter();
            figures.find(|figure| figure.variant == own.variant).cloned()
        });
        match kept {
            Some(kept)
                if self.report.unmeasured.is_none()
                    && own.figure.value().is_none()
                    && kept.figure.value().is_some() =>
            {
                CompositeFigure { reading: own.reading, ..kept }
            }
            Some(kept) => {
                CompositeFigure { range: own.range.or(kept.range), overridden: kept.overridden, ..own }
            }
            None => own,
        }
    }
}

/// A report as its folder has it; `None` where there is no data of it.
pub(crate) fn loaded(folder: &ReportFolder) -> Result<Option<LoadedReport>, WireError> {
    // Our own file beside the published ones may be another version's; the report itself counts.
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
        // It has its own, from when the report was made.
        Some(_) => read.left_out,
        None => notes(&read, &folder.folder),
    };
    notes.extend(fault);
    let report = Report { unmeasured: unmeasured(view.as_ref().and_then(made_of)), ..read.report };
    Ok(Some(LoadedReport { report, names_judges, view, whole: None, notes }))
}
