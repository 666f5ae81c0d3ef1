//! What judges said, given out to the attempts that their questions are about.

use super::questions::{JudgeQuestions, QuestionAttempt};
use koab_core::judge::{Verdict, Verdicts};
use koab_core::sentence::Sentence;
use koab_engine::judging::Ballot;
use std::collections::BTreeMap;

/// What came of asking.
pub(crate) struct JudgeAnswers {
    /// About the attempts that the logs have.
    pub(crate) verdicts: Verdicts,
    /// About the others.
    pub(crate) later: LaterVerdicts,
    /// What a reader of the report must know.
    pub(crate) notes: Vec<Sentence>,
    /// Whether the caps left questions unasked.
    pub(crate) stopped: bool,
}

/// Verdicts about the attempts that the logs do not have.
///
/// Attempts that gave the same answer share a question: its verdict is kept once, and an attempt
/// costs four bytes.
#[derive(Default)]
pub(crate) struct LaterVerdicts {
    /// Task and verdict.
    given: Vec<(String, Verdict)>,
    /// Indices into `given`, by repetition.
    of_repetition: BTreeMap<u32, Vec<u32>>,
}

impl LaterVerdicts {
    /// The verdicts about the attempts of a repetition.
    pub(crate) fn of(&self, repetition: u32) -> Verdicts {
        let mut verdicts = Verdicts::none();
        for index in self.of_repetition.get(&repetition).into_iter().flatten() {
            let (task, verdict) = &self.given[*index as usize];
            verdicts.add(task, verdict.clone());
        }
        verdicts
    }
}

impl JudgeQuestions {
    /// Gives verdicts to the attempts that they are about: those that the logs have, and the
    /// others.
    pub(super) fn give_out(&self, said: Vec<(Ballot, Verdict)>) -> (Verdicts, LaterVerdicts) {
        let mut logged = Verdicts::none();
        let mut later = LaterVerdicts::default();
        for (ballot, verdict) in said {
            let task = &self.questions[ballot.question].task_id;
            let about = &self.about[ballot.question];
            if about.contains(&QuestionAttempt::Logged) {
                logged.add(task, verdict.clone());
            }
            let index = u32::try_from(later.given.len()).unwrap_or(u32::MAX);
            let mut is_later = false;
            for attempt in about {
                if let QuestionAttempt::Later(repetition) = attempt {
                    later.of_repetition.entry(*repetition).or_default().push(index);
                    is_later = true;
                }
            }
            if is_later {
                later.given.push((task.clone(), verdict));
            }
        }
        (logged, later)
    }
}
