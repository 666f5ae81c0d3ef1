//! Tests two reports against each other, under each scorer that both runs have a report by.

use crate::Compare;
use crate::names::side_by_side;
use koab_analysis::paired::{DRAWS, MOST_DRAWS, PairOptions, PairTests, SEED, WantedFigure, compare_pair};
use koab_core::level::Level;
use koab_core::protocol::Protocol;
use koab_core::reason::Reason;
use koab_core::say;
use koab_core::sentence::Sentence;
use koab_library::ReportRow;
use koab_report::comparability::{Aspect, Caveat, Facts, Grade, Judgement, between, judges_differ};
use koab_workspace::WireError;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::sync::Arc;
use ts_rs::TS;

use koab_library::reports::detail::Open;

/// Reports to test against each other, and the options of the tests.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct PairsRequest {
    /// Report ids. The first report is compared with each of the others.
    pub ids: Vec<String>,
    /// Figures to test, which may be metrics or composites; empty for all.
    pub metrics: Vec<WantedFigure>,
    /// Seed of the random draws; null for the default.
    #[ts(type = "number | null")]
    pub seed: Option<u64>,
    /// Number of random draws; null for 10,000.
    pub draws: Option<u32>,
}

/// One of the two reports of a pair.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct PairSide {
    /// Report id.
    pub id: String,
    /// Model id.
    pub model: String,
    /// Name of the report within the pair, as in [`ComparedReport`](super::ComparedReport).
    pub name: String,
}

/// Two reports that are scored by the same rules.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ScoredPair {
    /// Rules that both reports are scored by; the rules of the first report if they differ.
    pub scorer: Protocol,
    /// The report that the other one is compared with.
    pub first: PairSide,
    /// The other report.
    pub second: PairSide,
    /// Comparability of the two reports.
    pub judgement: Judgement,
    /// The findings that forbid tests; empty when there are tests.
    pub refusal: Vec<Caveat>,
    /// The tests; null when a finding forbids them.
    pub tests: Option<PairTests>,
}

/// Two reports tested against each other.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct PairView {
    /// The pair under the first report's scorer, and then the pair of the same runs under the other
    /// scorer. Each is present only if both runs have a report by that scorer.
    ///
    /// If neither is present, the list has only the requested pair with the reason why it is not
    /// tested.
    pub pairs: Vec<ScoredPair>,
}

impl PairsRequest {
    /// Options of the tests.
    pub(super) fn options(&self) -> Result<PairOptions, WireError> {
        Ok(PairOptions {
            wanted: self.metrics.clone(),
            judged: None,
            seed: self.seed.unwrap_or(SEED),
            draws: draws(self.draws)?,
        })
    }
}

impl Compare {
    /// Tests two reports under each scorer that both runs have a report by.
    pub(super) fn pair_view(
        &self,
        ids: [&str; 2],
        options: &PairOptions,
        rows: &[ReportRow],
    ) -> Result<PairView, WireError> {
        let requested = [self.runs.library.open_report(ids[0])?, self.runs.library.open_report(ids[1])?];
        check_groups(&requested, options)?;
        let scorer = requested[0].loaded.report.scorer;
        let others = match scorer {
            Protocol::Leaderboard => Protocol::Corrected,
            Protocol::Corrected => Protocol::Leaderboard,
        };
        let mut pairs = Vec::new();
        for scorer in [scorer, others] {
            let of = |open: &Arc<Open>| self.scored_by(open, scorer, rows);
            if let (Some(first), Some(second)) = (of(&requested[0])?, of(&requested[1])?) {
                pairs.push(self.scored_pair(scorer, [&first, &second], options));
            }
        }
        if pairs.is_empty() {
            // This pair only has the reason why it is not tested.
            pairs.push(self.scored_pair(scorer, [&requested[0], &requested[1]], options));
        }
        Ok(PairView { pairs })
    }

    /// The report itself if it is scored by these rules. Otherwise a report of the same run that is
    /// scored by them, if there is one.
    fn scored_by(
        &self,
        open: &Arc<Open>,
        scorer: Protocol,
        rows: &[ReportRow],
    ) -> Result<Option<Arc<Open>>, WireError> {
        if open.loaded.report.scorer == scorer {
            return Ok(Some(Arc::clone(open)));
        }
        let own = &open.detail.row;
        let of_run = |row: &&ReportRow| {
            row.run.is_some() && row.run == own.run && row.scorer == scorer && row.problem.is_none()
        };
        let mut siblings: Vec<&ReportRow> = rows.iter().filter(of_run).collect();
        // A report with the same judges is preferred, then one with more tasks.
        siblings.sort_by_key(|row| (row.judges != own.judges, std::cmp::Reverse(row.tasks), row.id.clone()));
        siblings.first().map(|row| self.runs.library.open_report(&row.id)).transpose()
    }

    fn scored_pair(&self, scorer: Protocol, both: [&Arc<Open>; 2], options: &PairOptions) -> ScoredPair {
        let facts = both.map(|open| self.runs.library.facts_of(&open.loaded));
        let judgement = between(&facts[0], &facts[1]);
        let refusal = forbidding(&judgement);
        let options = PairOptions { judged: judged_otherwise(&facts[0], &facts[1]), ..options.clone() };
        let models = both.map(|open| {
            let address = open.detail.row.address.as_deref();
            self.runs.library.model_name(&open.loaded.report.model, address)
        });
        let sides = [0, 1].map(|at| (models[at].as_str(), both[at].folder.id.as_str()));
        let names = side_by_side(&sides);
        let [first, second] = [0, 1].map(|at| PairSide {
            id: sides[at].1.to_owned(),
            model: models[at].clone(),
            name: names[at].clone(),
        });
        ScoredPair {
            scorer,
            first,
            second,
            tests: refusal
                .is_empty()
                .then(|| compare_pair(&both[0].loaded.report, &both[1].loaded.report, &options)),
            refusal,
            judgement,
        }
    }
}

/// Findings that forbid a test. Missing tasks do not forbid it, because only tasks of both reports
/// are compared.
pub(super) fn forbidding(judgement: &Judgement) -> Vec<Caveat> {
    let grave = judgement.findings.iter().filter(|finding| finding.grade == Grade::NotComparable);
    grave.filter(|finding| finding.aspect != Aspect::Coverage).cloned().collect()
}

/// Reason why judged figures are not tested: the judges differ.
pub(super) fn judged_otherwise(first: &Facts, second: &Facts) -> Option<Sentence> {
    judges_differ(first, second).map(|reason| Reason::JudgedOtherwise { reason }.into())
}

pub(super) fn draws(asked: Option<u32>) -> Result<usize, WireError> {
    let draws = asked.map_or(DRAWS, |draws| draws as usize);
    if (1..=MOST_DRAWS).contains(&draws) {
        Ok(draws)
    } else {
        Err(WireError::bad_request(say!("draws can be 1 to {MOST_DRAWS}, not {draws}")))
    }
}

/// Refuses figures of a group that neither report has.
fn check_groups(both: &[Arc<Open>; 2], options: &PairOptions) -> Result<(), WireError> {
    let levels = both.iter().flat_map(|open| &open.loaded.report.levels);
    let there: BTreeSet<&Level> = levels.map(|level| &level.level).collect();
    let mut wanted_levels = options.wanted.iter().filter_map(|figure| figure.level.as_ref());
    match wanted_levels.find(|level| !there.contains(level)) {
        None => Ok(()),
        Some(level) => {
            let groups: Vec<&str> = there.iter().map(|level| level.as_str()).collect();
            Err(WireError::bad_request(say!(
                "neither report has the group {level}; their groups are {groups}",
                groups = groups.join(", ")
            )))
        }
    }
}
