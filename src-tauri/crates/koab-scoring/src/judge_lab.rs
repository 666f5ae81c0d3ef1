//! The judge lab (`docs/design/judges.md`): compares several judges on the same runs.
//!
//! The statistics are in `koab_analysis::judge_lab`. This module collects the runs and their
//! verdicts ([`gather`]), calls judges for missing answers ([`judge_again`]), prepares
//! disagreements for people ([`review`], [`sheet`]), and draws random questions for them
//! ([`random`]).

mod gather;
mod judge_again;
mod judge_names;
mod random;
mod random_draw;
mod record;
mod review;
mod sheet;

use crate::Scoring;
use gather::LabInput;
use koab_analysis::judge_lab::{LabAgreement, Subject, agreement, coverage, effect_of, flips, judges, queue};
use koab_core::say;
use koab_core::sentence::Sentence;
use koab_library::{LabRequest, LabRun, LabView};
use koab_workspace::WireError;
use std::collections::BTreeSet;

impl Scoring {
    /// Compares several judges on the same runs: the answered questions, the agreement, and the
    /// effect on scores and ranks.
    ///
    /// # Errors
    /// When no run or report is named, or none of them can be read.
    pub fn judge_lab(&self, request: &LabRequest) -> Result<LabView, WireError> {
        let gathering = self.lab_runs(request)?;
        let subjects: Vec<Subject<'_>> = gathering.runs.iter().map(LabInput::subject).collect();
        let judges = judges(&subjects);
        let coverage = coverage(&subjects, &judges);
        let counts = |judge: &&String| {
            let is_few = || coverage.iter().any(|row| row.judge == **judge && row.few);
            !request.without.contains(judge) && (request.with.contains(judge) || !is_few())
        };
        let together: Vec<String> = judges.iter().filter(counts).cloned().collect();
        let runs = gathering.runs.iter().map(|one| LabRun {
            id: one.run.entry.id.clone(),
            model: self.library.model_name(&one.model, one.base_url()),
            questions: one.items.len() as u32,
            tasks: one.run.logs.iter().map(|log| log.tasks.len() as u32).sum(),
            reports: one.reports.clone(),
        });
        Ok(LabView {
            runs: runs.collect(),
            scorer: request.scorer,
            agreement: agreement_of(&subjects, &judges, &together),
            effect: effect_of(&subjects, &together),
            flips: flips(&subjects, &together),
            coverage,
            together,
            disagreements: queue(&subjects, usize::MAX, 0).len() as u32,
            notes: notes(&gathering.runs),
            left_out: gathering.left_out,
        })
    }
}

/// Returns the agreement of judges. Pairs are compared for all judges. Figures of more than two
/// judges include only the judges in `together`.
fn agreement_of(subjects: &[Subject<'_>], all: &[String], together: &[String]) -> Vec<LabAgreement> {
    let mut rows = agreement(subjects, all);
    if together.len() < all.len() {
        for (row, whole) in rows.iter_mut().zip(agreement(subjects, together)) {
            let pairs = std::mem::take(&mut row.pairs);
            *row = LabAgreement { pairs, ..whole };
        }
    }
    rows
}

/// Returns sentences about differences between the runs that limit the comparison.
fn notes(runs: &[LabInput]) -> Vec<Sentence> {
    let mut notes = Vec::new();
    let tasks = |one: &LabInput| -> BTreeSet<String> {
        let tasks = one.run.logs.iter().flat_map(|log| &log.tasks);
        tasks.map(|task| task.id.clone()).collect()
    };
    let differs = runs.first().map(tasks).filter(|first| runs.iter().any(|one| tasks(one) != *first));
    if differs.is_some() {
        notes.push(say!("the runs do not have the same tasks, so their ranks compare different questions"));
    }
    if runs.iter().all(|one| one.items.is_empty()) {
        notes.push(say!("the logs decide every metric here, so there is no question for a judge"));
    }
    notes
}
