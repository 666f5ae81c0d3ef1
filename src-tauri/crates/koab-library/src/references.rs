//! The reference set: the published reports, and reports that the user has imported in order to
//! compare other reports with them.
//!
//! The reports are in the library like all others. Their origin file marks them, so that the whole
//! set can be removed at once.

mod published;

use crate::Library;
use crate::reports::detail::Open;
use crate::wire::{
    ReferenceLeftOut, ReferenceReport, ReferenceSet, ReferenceStanding, StandingMeasure, StandingPoint,
};
use koab_core::level::Level;
use koab_core::protocol::Protocol;
use koab_core::say;
use koab_core::score::MetricId;
use koab_core::score::composite::CompositeVariant;
use koab_core::sentence::Sentence;
use koab_report::Report;
use koab_report::comparability::judges_differ;
use koab_store::intake::Origin;
use koab_store::{Deleted, TrashKind, report_files};
use koab_workspace::WireError;
use std::path::Path;

impl Library {
    /// Returns the reports of the reference set, sorted by model.
    ///
    /// # Errors
    /// Every error of [`Library::reports_library`].
    pub fn references(&self) -> Result<ReferenceSet, WireError> {
        let rows = self.reports_library()?.into_iter().filter(|row| row.reference);
        let mut reports: Vec<ReferenceReport> = rows
            .map(|row| ReferenceReport {
                source: Origin::read(&self.workspace.home().reports().join(&row.id))
                    .map(|origin| origin.source)
                    .unwrap_or_default(),
                id: row.id,
                model: row.model,
                date: row.date,
            })
            .collect();
        reports.sort_by(|one, other| one.model.cmp(&other.model).then_with(|| one.id.cmp(&other.id)));
        Ok(ReferenceSet { reports })
    }

    /// Moves every report of the reference set to the trash, which keeps them for 30 days. Returns
    /// the keys for [`Library::report_restore`].
    ///
    /// # Errors
    /// When there is no reference set, or a folder cannot be moved; reports that were moved before
    /// stay in the trash.
    pub fn references_remove(&self) -> Result<Vec<Deleted>, WireError> {
        let set = self.references()?;
        if set.reports.is_empty() {
            return Err(WireError::not_found(say!(
                "there is no reference set; bring one with `koab report import PATH --reference`"
            )));
        }
        let ids = set.reports.iter().map(|report| self.report_delete(&report.id));
        ids.collect()
    }

    /// Restores every report of a removed reference set that is still in the trash. Returns their
    /// ids.
    ///
    /// # Errors
    /// When no report of the set is in the trash, or another report now has the name of one.
    pub fn references_restore(&self) -> Result<Vec<String>, WireError> {
        let reports = self.workspace.home().trash().join("reports");
        let deleted = self.workspace.trash().list()?.into_iter();
        let of_set = deleted
            .filter(|trashed| trashed.kind == TrashKind::Report && is_reference(&reports.join(&trashed.key)));
        let restored: Vec<String> =
            of_set.map(|trashed| self.report_restore(&trashed.key)).collect::<Result<_, _>>()?;
        if restored.is_empty() {
            return Err(WireError::not_found(say!(
                "the trash has no report of a reference set; bring it again with `koab report import PATH --reference`"
            )));
        }
        Ok(restored)
    }

    /// Returns the ranks of a report among the reports of the reference set.
    ///
    /// # Errors
    /// When the report does not exist, or cannot be read. An unreadable reference is left out, with
    /// its reason.
    pub fn report_standing(&self, id: &str) -> Result<ReferenceStanding, WireError> {
        let own = self.open_report(id)?;
        let references = self.references()?.reports;
        let mut standing = ReferenceStanding {
            references: references.len() as u32,
            measures: Vec::new(),
            caveats: Vec::new(),
            left_out: Vec::new(),
        };
        let (facts, mut others) = (self.facts_of(&own.loaded), Vec::new());
        for reference in references.iter().filter(|reference| reference.id != id) {
            let opened = self.open_report(&reference.id).map_err(|error| error.message);
            match opened.and_then(|open| beside(&own, &open).map(|()| open)) {
                Ok(open) => {
                    let caveat = judges_differ(&facts, &self.facts_of(&open.loaded));
                    let is_new = |caveat: &Sentence| !standing.caveats.contains(caveat);
                    standing.caveats.extend(caveat.filter(is_new));
                    others.push(open);
                }
                Err(reason) => standing.left_out.push(ReferenceLeftOut {
                    id: reference.id.clone(),
                    model: reference.model.clone(),
                    reason,
                }),
            }
        }
        if !others.is_empty() {
            for measure in [Measure::Success, Measure::Composite(CompositeVariant::SHOWN)] {
                let points = std::iter::once((&own, true)).chain(others.iter().map(|open| (open, false)));
                let points = points.map(|(open, is_own)| measure.point(open, is_own)).collect();
                standing.measures.push(placed(measure, points));
            }
        }
        Ok(standing)
    }
}

/// Whether the report in a folder belongs to the reference set: it was imported for it, or it is
/// one of the published reports.
pub fn is_reference(folder: &Path) -> bool {
    Origin::read(folder).is_some_and(|origin| origin.reference || published::is_published(&origin))
}

/// Checks that two reports can be ranked together: both must have the same scorer, levels and
/// numbers of tasks. The comparability contains further limits.
fn beside(own: &Open, other: &Open) -> Result<(), Sentence> {
    let (own, other) = (&own.loaded.report, &other.loaded.report);
    if own.scorer != other.scorer {
        return Err(match own.scorer {
            Protocol::Leaderboard => say!("is scored by the corrected rules"),
            Protocol::Corrected => {
                say!("is scored by the leaderboard's rules, this report by the corrected ones")
            }
        });
    }
    if tasks(own) != tasks(other) {
        return Err(say!("has other levels or another number of tasks"));
    }
    Ok(())
}

fn tasks(report: &Report) -> Vec<(&Level, Option<usize>)> {
    let levels = report.levels.iter();
    levels.map(|level| (&level.level, level.evaluated_tasks)).collect()
}

/// Measure of a ranking of reports.
#[derive(Clone, Copy)]
enum Measure {
    /// SR over all tasks.
    Success,
    /// The composite, in a reading that all ranked reports have.
    Composite(CompositeVariant),
}

impl Measure {
    fn name(self) -> String {
        match self {
            Measure::Success => MetricId::Sr.to_string(),
            Measure::Composite(variant) => variant.name(),
        }
    }

    fn point(self, open: &Open, own: bool) -> StandingPoint {
        let (name, view) = (self.name(), &open.detail.view);
        let row_figures = match self {
            Measure::Success => {
                let row = view.overall.iter().find(|row| row.metric == MetricId::Sr);
                row.map(|row| (row.figure.clone(), Some(row.range.clone())))
            }
            Measure::Composite(_) => {
                let row = view.composites.iter().find(|row| row.variant == name);
                row.map(|row| (row.figure.clone(), row.range.clone()))
            }
        };
        let (figure, range) = row_figures.unwrap_or_else(|| (Err(Sentence::EMPTY).into(), None));
        StandingPoint {
            id: open.folder.id.clone(),
            model: open.detail.row.model.clone(),
            own,
            figure,
            range: range.unwrap_or_else(|| Err(Sentence::EMPTY).into()),
        }
    }
}

/// Ranks the reports, the best first. A report without a value is last and has no rank.
fn placed(measure: Measure, mut points: Vec<StandingPoint>) -> StandingMeasure {
    points.sort_by(|one, other| {
        let value = |point: &StandingPoint| point.figure.value().unwrap_or(f64::NEG_INFINITY);
        value(other).total_cmp(&value(one)).then_with(|| one.model.cmp(&other.model))
    });
    let own = points.iter().find(|point| point.own);
    let value = own.and_then(|own| own.figure.value());
    let better = |value: f64| points.iter().filter(|point| point.figure.value() > Some(value)).count();
    StandingMeasure {
        measure: measure.name(),
        reading: match measure {
            Measure::Success => None,
            Measure::Composite(variant) => Some(variant.reading().into()),
        },
        rank: value.map(|value| better(value) as u32 + 1),
        of: points.iter().filter(|point| point.figure.value().is_some()).count() as u32,
        reason: own.and_then(|own| own.figure.reason().cloned()),
        points,
    }
}

/// Marks an imported report as part of the reference set. Returns `false` for a report that this
/// program made or that is already marked.
pub fn mark(folder: &Path) -> Result<bool, WireError> {
    let Some(mut origin) = Origin::read(folder).filter(|origin| !origin.reference) else {
        return Ok(false);
    };
    if folder.join(report_files::KEPT).is_file() {
        return Ok(false);
    }
    origin.reference = true;
    origin.write(folder)?;
    Ok(true)
}

#[cfg(test)]
mod tests;
