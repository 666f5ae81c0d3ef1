//! Computes figures of a report that its published files do not contain: readings of the composite,
//! and intervals. Also makes notes on missing data.

use crate::wire::{CompositeFigure, PartFigure};
use koab_core::measured::Measured;
use koab_core::say;
use koab_core::score::composite::{Composite, CompositeVariant};
use koab_core::sentence::Sentence;
use koab_report::interval::{self, Intervals};
use koab_report::{ReadReport, Report};
use koab_store::intake::Origin;
use std::path::Path;

/// Computes the intervals of a report. The levels are computed in parallel.
pub fn drawn_at_once(report: &Report) -> Intervals {
    let draws = std::thread::scope(|scope| {
        let levels = report.levels.iter();
        let threads: Vec<_> = levels.map(|level| scope.spawn(|| interval::draw(level))).collect();
        let results = threads.into_iter().map(std::thread::ScopedJoinHandle::join);
        // Without the draws of a level, the intervals would be wrong.
        results.map(|draws| draws.unwrap_or_else(|fault| std::panic::resume_unwind(fault))).collect()
    });
    interval::intervals_of(report, draws)
}

/// Returns the composite in every reading.
pub(crate) fn composites(report: &Report, intervals: Option<&Intervals>) -> Vec<CompositeFigure> {
    let of_reading = |variant: CompositeVariant| {
        let mut bounds = intervals.iter().flat_map(|intervals| &intervals.composites);
        let composite = report.composite(variant);
        CompositeFigure {
            variant: variant.name(),
            reading: variant.reading().into(),
            parts: parts(&composite),
            figure: composite.composite.into(),
            overridden: None,
            range: bounds.find(|(of, _)| *of == variant).map(|(_, bounds)| bounds.clone().into()),
        }
    };
    CompositeVariant::ALL.into_iter().map(of_reading).collect()
}

/// Orders the readings of a report, beginning with the displayed one. Also adds the descriptions of
/// the readings, which files of earlier versions lack.
pub(crate) fn in_order(mut rows: Vec<CompositeFigure>) -> Vec<CompositeFigure> {
    let displayed = CompositeVariant::SHOWN.name();
    rows.sort_by_key(|row| row.variant != displayed);
    for row in &mut rows {
        if let Some(variant) = CompositeVariant::named(&row.variant) {
            row.reading = variant.reading().into();
        }
    }
    rows
}

fn parts(composite: &Composite) -> Vec<PartFigure> {
    let parts = [
        ("basic", 0.40, &composite.basic),
        ("error_handling", 0.20, &composite.error_handling),
        ("efficiency", 0.25, &composite.efficiency),
        ("context", 0.15, &composite.context),
    ];
    let figure = |(part, weight, value): (&str, f64, &Measured)| {
        Some(PartFigure { part: part.to_owned(), weight, value: *value.as_ref().ok()? })
    };
    let all: Option<Vec<PartFigure>> = parts.into_iter().map(figure).collect();
    all.unwrap_or_default()
}

/// Returns notes on missing data of a report, one sentence each. The files lack the data, or it is
/// unknown.
pub(crate) fn notes(read: &ReadReport, folder: &Path) -> Vec<Sentence> {
    let mut notes = Vec::new();
    if let Some(origin) = Origin::read(folder) {
        let day = origin.at.get(..10).unwrap_or(&origin.at);
        notes.push(say!("imported from {} on {day}", origin.source));
    }
    if !read.names_judges {
        notes.push(say!("the file does not name the judges"));
    }
    if read.report.levels.iter().all(|level| level.tasks.is_empty()) {
        notes.push(say!("only a summary was imported: scores of single tasks are not known"));
    }
    if let Some(sample) = read.report.sample_size {
        notes.push(say!("only the first {sample} tasks of each level were scored"));
    }
    notes.extend(read.left_out.iter().cloned());
    notes
}
