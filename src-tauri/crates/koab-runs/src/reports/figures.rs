//! Numbers of a report beside those of its files: readings of the composite, intervals; and what
//! its files leave open.

use crate::wire::{CompositeFigure, PartFigure};
use koab_core::measured::Measured;
use koab_core::say;
use koab_core::score::composite::{Composite, CompositeVariant};
use koab_core::sentence::Sentence;
use koab_report::interval::{self, Intervals};
use koab_report::{ReadReport, Report};
use koab_store::intake::Origin;
use std::path::Path;

/// The intervals of a report, its levels drawn at once.
pub(crate) fn drawn_at_once(report: &Report) -> Intervals {
    let draws = std::thread::scope(|scope| {
        let levels = report.levels.iter();
        let drawing: Vec<_> = levels.map(|level| scope.spawn(|| interval::draw(level))).collect();
        let drawn = drawing.into_iter().map(std::thread::ScopedJoinHandle::join);
        // A level short would be a wrong number.
        drawn.map(|draws| draws.unwrap_or_else(|fault| std::panic::resume_unwind(fault))).collect()
    });
    interval::intervals_of(report, draws)
}

/// Every reading of the composite.
pub(crate) fn composites(report: &Report, found: Option<&Intervals>) -> Vec<CompositeFigure> {
    let of_reading = |variant: CompositeVariant| {
        let mut bounds = found.iter().flat_map(|found| &found.composites);
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

/// The readings of a report, first the one that it is shown in, each with what it counts, which
/// files of earlier versions do not say.
pub(crate) fn in_order(mut rows: Vec<CompositeFigure>) -> Vec<CompositeFigure> {
    let shown = CompositeVariant::SHOWN.name();
    rows.sort_by_key(|row| row.variant != shown);
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

/// What a report's files do not say or nobody here knows, one sentence each.
pub(crate) fn notes(read: &ReadReport, folder: &Path) -> Vec<Sentence> {
    let mut notes = Vec::new();
    if let Some(origin) = Origin::read(folder) {
        let day = origin.at.get(..10).unwrap_or(&origin.at);
        notes.push(say!("imported from {} on {day}", origin.source));
    }
    if !read.names_judges {
        notes.push(say!("the file does not say who judged"));
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
