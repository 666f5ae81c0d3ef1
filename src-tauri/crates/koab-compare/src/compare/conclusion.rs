//! What the tests of the first report against each other one come to, a sentence each.

use super::pair::{PairSide, PairView, ScoredPair};
use crate::Compare;
use koab_analysis::paired::{Conclusion, PairOptions, PairTests, conclude, correct_together, refuse};
use koab_core::protocol::Protocol;
use koab_core::say;
use koab_report::comparability::Grade;
use koab_runs::WireError;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// What the tests of two reports come to, with how far the two can be compared at all.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct PairConclusion {
    /// The rules that both are scored by; of a pair that shares none, the first one's.
    pub scorer: Protocol,
    /// The one that the other is compared with.
    pub first: PairSide,
    /// The other.
    pub second: PairSide,
    /// How far the two can be compared.
    pub grade: Grade,
    /// What it comes to.
    pub conclusion: Conclusion,
}

/// The first report against each other one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ConclusionsView {
    /// In the order asked for. Each is under the first report's scorer where both runs have such a report, and all of them are
    /// corrected together.
    pub pairs: Vec<PairConclusion>,
}

impl Compare {
    /// Concludes from the tests of the first report against each other one.
    ///
    /// # Errors
    /// As [`Compare::compare`].
    pub fn compare_conclusions(&self, ids: &[String]) -> Result<ConclusionsView, WireError> {
        let wanted = super::wanted(ids)?;
        let options = PairOptions::default();
        let rows = self.runs.reports_library()?;
        let (first, others) = (wanted[0], &wanted[1..]);
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let share = others.len().div_ceil(threads);
        let tested: Vec<Result<Vec<PairView>, WireError>> = std::thread::scope(|scope| {
            let test = |ids: &[&String]| {
                ids.iter()
                    .map(|second| self.pair_view([first, second], &options, &rows))
                    .collect()
            };
            let workers: Vec<_> = others
                .chunks(share)
                .map(|ids| scope.spawn(move || test(ids)))
                .collect();
            let done = workers.into_iter().map(std::thread::ScopedJoinHandle::join);
            done.map(|tested| {
                tested.unwrap_or_else(|_| Err(WireError::internal(say!("a report’s reader ended early"))))
            })
            .collect()
        });
        let views: Vec<Vec<PairView>> = tested.into_iter().collect::<Result<_, _>>()?;
        Ok(conclusions(&views.concat()))
    }
}

/// Concludes from pairs that are tested already.
pub fn conclusions(views: &[PairView]) -> ConclusionsView {
    let pairs: Vec<&ScoredPair> = views.iter().filter_map(|view| view.pairs.first()).collect();
    let mut tests: Vec<PairTests> = pairs.iter().filter_map(|pair| pair.tests.clone()).collect();
    correct_together(&mut tests);
    let mut tests = tests.into_iter();
    let conclusion = |pair: &ScoredPair| {
        let names = [&pair.first, &pair.second].map(|side| side.model.as_str());
        let names = match names {
            // The same model twice, or one whose file does not name it.
            [one, other] if one == other || one.is_empty() || other.is_empty() => {
                [&pair.first, &pair.second].map(|side| side.id.as_str())
            }
            names => names,
        };
        match pair.tests.as_ref().and_then(|_| tests.next()) {
            Some(tests) => conclude(&tests, names),
            None => refuse(
                &pair
                    .refusal
                    .first()
                    .map(|finding| finding.reason.clone())
                    .unwrap_or_default(),
                names,
            ),
        }
    };
    let conclusions: Vec<Conclusion> = pairs.iter().copied().map(conclusion).collect();
    let concluded = pairs
        .into_iter()
        .zip(conclusions)
        .map(|(pair, conclusion)| PairConclusion {
            scorer: pair.scorer,
            first: pair.first.clone(),
            second: pair.second.clone(),
            grade: pair.judgement.grade,
            conclusion,
        });
    ConclusionsView {
        pairs: concluded.collect(),
    }
}
