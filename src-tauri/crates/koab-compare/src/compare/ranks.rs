//! Ranks of compared reports, each with its interval.

use super::pair::{draws, forbidding, judged_otherwise};
use crate::Compare;
use koab_analysis::paired::SEED;
use koab_analysis::paired::ranks::{Counts, RankOptions, RankedBy, Ranking, rank};
use koab_core::reason::Reason;
use koab_core::score::composite::CompositeVariant;
use koab_core::sentence::Sentence;
use koab_report::Report;
use koab_report::comparability::{Facts, between};
use koab_workspace::WireError;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Rankings of the same reports by several figures.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct RanksView {
    /// Report ids. The lists of the rankings have the same order.
    pub reports: Vec<String>,
    /// Ranking by the composite score, then by success rate.
    pub rankings: Vec<Ranking>,
}

impl Compare {
    /// Ranks reports by the tasks that all of them have. A report that may not be compared with the
    /// first report gets a reason instead of a rank.
    ///
    /// # Errors
    /// The errors of [`Compare::compare`]; also when the number of draws is out of bounds.
    pub fn compare_ranks(
        &self,
        ids: &[String],
        seed: Option<u64>,
        asked_draws: Option<u32>,
    ) -> Result<RanksView, WireError> {
        let draws = draws(asked_draws)?;
        let ids = super::wanted(ids)?;
        let read = self.open_all(&ids)?;
        // The same reading of the composite as in the comparison, even if a report is not ranked.
        let options = RankOptions { seed: seed.unwrap_or(SEED), draws, reading: CompositeVariant::SHOWN };
        let facts: Vec<Facts> = read.iter().map(|one| self.runs.library.facts_of(&one.open.loaded)).collect();
        let fit = |place: usize| -> Result<&Report, Sentence> {
            if place > 0 {
                let judgement = between(&facts[0], &facts[place]);
                if let Some(finding) = forbidding(&judgement).into_iter().next() {
                    return Err(Reason::NotWithFirst { reason: finding.reason }.into());
                }
                if let Some(reason) = judged_otherwise(&facts[0], &facts[place]) {
                    return Err(Reason::NotWithFirst { reason }.into());
                }
            }
            Ok(read[place].report())
        };
        let reports: Vec<Result<&Report, Sentence>> = (0..read.len()).map(fit).collect();
        Ok(RanksView {
            reports: ids.into_iter().cloned().collect(),
            rankings: RankedBy::ALL.map(|by| rank(&reports, by, options, &on_threads)).into(),
        })
    }
}

/// Distributes blocks of random draws over all processors.
fn on_threads(blocks: &[usize], count: &(dyn Fn(&[usize]) -> Counts + Sync)) -> Vec<Counts> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let share = blocks.len().div_ceil(threads).max(1);
    std::thread::scope(|scope| {
        let workers: Vec<_> = blocks.chunks(share).map(|blocks| scope.spawn(move || count(blocks))).collect();
        let done = workers.into_iter().map(std::thread::ScopedJoinHandle::join);
        // Without a count the ranks would be wrong, so a panic is passed on.
        done.map(|counts| counts.unwrap_or_else(|fault| std::panic::resume_unwind(fault))).collect()
    })
}
