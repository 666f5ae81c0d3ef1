//! Tests the first of several reports against each of the others, and states a conclusion for each
//! pair in one sentence.
//!
//! All interfaces use this computation, so that a pair has the same corrected p-value in its
//! sentence and in its table.

use super::pair::{PairSide, PairView, PairsRequest, ScoredPair};
use crate::Compare;
use koab_analysis::paired::{Conclusion, PairTests, conclude, correct_together, refuse};
use koab_core::protocol::Protocol;
use koab_core::say;
use koab_report::comparability::Grade;
use koab_workspace::WireError;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Conclusion from the tests of two reports, with the comparability of the reports.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct PairConclusion {
    /// Rules that both reports are scored by; the rules of the first report if they differ.
    pub scorer: Protocol,
    /// The report that the other one is compared with.
    pub first: PairSide,
    /// The other report.
    pub second: PairSide,
    /// Comparability of the two reports.
    pub grade: Grade,
    /// Conclusion from the tests.
    pub conclusion: Conclusion,
}

/// Tests of the first report against each of the others, in the requested order.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct PairsView {
    /// Conclusion from the first report against each of the others, under the first report's
    /// scorer. The other scorer is used if one of the two runs has no report by that scorer.
    pub conclusions: Vec<PairConclusion>,
    /// Statistical tests of the first report against each of the others, under each scorer.
    pub pairs: Vec<PairView>,
}

impl Compare {
    /// Tests the first report against each of the others, under each scorer that both runs have a
    /// report by. Each family of tests is corrected over all these pairs.
    ///
    /// # Errors
    /// The errors of [`Compare::compare`]; also when the number of draws is out of bounds.
    pub fn compare_pairs(&self, request: &PairsRequest) -> Result<PairsView, WireError> {
        let ids = super::wanted(&request.ids)?;
        let options = request.options()?;
        let rows = self.runs.library.reports_library()?;
        let (first, others) = (ids[0], &ids[1..]);
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let share = others.len().div_ceil(threads);
        let tested: Vec<Result<Vec<PairView>, WireError>> = std::thread::scope(|scope| {
            let test = |ids: &[&String]| {
                ids.iter().map(|second| self.pair_view([first, second], &options, &rows)).collect()
            };
            let workers: Vec<_> = others.chunks(share).map(|ids| scope.spawn(move || test(ids))).collect();
            let done = workers.into_iter().map(std::thread::ScopedJoinHandle::join);
            done.map(|tested| {
                tested.unwrap_or_else(|_| Err(WireError::internal(say!("reading a report ended early"))))
            })
            .collect()
        });
        let views: Vec<Vec<PairView>> = tested.into_iter().collect::<Result<_, _>>()?;
        let mut pairs = views.concat();
        for place in 0..2 {
            correct_place(&mut pairs, place);
        }
        Ok(PairsView { conclusions: conclusions(&pairs), pairs })
    }
}

/// Applies the Holm correction to the p values of all views' tests under one scorer. `place` is the
/// index of that scorer's pair in [`PairView::pairs`].
fn correct_place(views: &mut [PairView], place: usize) {
    let mut pairs: Vec<&mut ScoredPair> = views
        .iter_mut()
        .filter_map(|view| view.pairs.get_mut(place))
        .filter(|pair| pair.tests.is_some())
        .collect();
    let mut tests: Vec<PairTests> = pairs.iter_mut().filter_map(|pair| pair.tests.take()).collect();
    correct_together(&mut tests);
    for (pair, tests) in pairs.into_iter().zip(tests) {
        pair.tests = Some(tests);
    }
}

/// Conclusions from pairs that were tested together.
pub(super) fn conclusions(views: &[PairView]) -> Vec<PairConclusion> {
    let pairs = views.iter().filter_map(|view| view.pairs.first());
    let conclusion = |pair: &ScoredPair| {
        let names = [&pair.first, &pair.second].map(|side| side.name.as_str());
        match &pair.tests {
            Some(tests) => conclude(tests, names),
            None => {
                refuse(&pair.refusal.first().map(|finding| finding.reason.clone()).unwrap_or_default(), names)
            }
        }
    };
    let concluded = pairs.map(|pair| PairConclusion {
        scorer: pair.scorer,
        first: pair.first.clone(),
        second: pair.second.clone(),
        grade: pair.judgement.grade,
        conclusion: conclusion(pair),
    });
    concluded.collect()
}
