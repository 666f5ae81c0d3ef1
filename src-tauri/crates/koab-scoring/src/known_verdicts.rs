//! Verdicts that a scoring has before its first call: stored verdicts, failures of the workers'
//! judges, and verdicts that reports contain.

use super::judge_context::JudgeContext;
use crate::Scoring;
use koab_core::judge::Verdict;
use koab_core::sentence::Sentence;
use koab_engine::judging::{Ballot, JudgingResult};
use koab_library::questions::{JudgeQuestions, StoredBallot};
use koab_workspace::WireError;
use std::collections::{BTreeMap, BTreeSet};

/// Known verdicts by ballot. A [`Ballot`] is one vote of one judge on one question.
pub(super) struct KnownVerdicts {
    pub(super) verdicts: BTreeMap<Ballot, Verdict>,
    /// Ballots with a stored answer that cannot be read.
    pub(super) unreadable: BTreeSet<Ballot>,
}

impl KnownVerdicts {
    /// Returns the result of a scoring that makes no calls. `total` is the number of its ballots.
    pub(super) fn without_calls(self, total: usize) -> JudgingResult {
        JudgingResult {
            stopped: (self.verdicts.len() < total).then_some(Sentence::EMPTY),
            verdicts: self.verdicts.into_iter().collect(),
            unusable: Vec::new(),
        }
    }
}

impl Scoring {
    /// Looks up the verdicts of all ballots. If the scoring asks judges again, no verdict counts as
    /// known.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub(super) fn known_verdicts(
        &self,
        context: &JudgeContext<'_>,
        questions: &JudgeQuestions,
        ballots: &[Ballot],
    ) -> Result<KnownVerdicts, WireError> {
        let store = self.workspace.store()?;
        let names = &context.options.panel.judges;
        let (mut verdicts, mut unreadable) = (BTreeMap::new(), BTreeSet::new());
        for &ballot in ballots.iter().filter(|_| !context.again) {
            let judge = &names[ballot.judge];
            if let Some(failed) = context.failed.get(&questions.owned_key(ballot, judge)) {
                verdicts.insert(ballot, failed.clone());
                continue;
            }
            match questions.stored(store, ballot, judge)? {
                StoredBallot::Answer(verdict) => {
                    verdicts.insert(ballot, verdict);
                }
                StoredBallot::Unreadable => {
                    unreadable.insert(ballot);
                }
                StoredBallot::Nothing => {
                    let question = &questions.questions[ballot.question];
                    let votes =
                        context.recorded.map(|verdicts| verdicts.about(&question.task_id, question.metric));
                    let verdict = votes.and_then(|votes| recorded_vote(votes, judge, ballot.vote));
                    verdicts.extend(verdict.map(|verdict| (ballot, verdict)));
                }
            }
        }
        Ok(KnownVerdicts { verdicts, unreadable })
    }
}

/// Returns a judge's vote among recorded verdicts on a question; `None` if the judge failed or did
/// not vote.
pub(crate) fn recorded_vote(votes: &[Verdict], judge: &str, vote: usize) -> Option<Verdict> {
    let voted = votes.iter().filter(|one| one.judge == judge).nth(vote)?;
    voted.failure().is_none().then(|| voted.clone())
}
