//! Assigns the answers of judges to the attempts that the questions are about.

use koab_core::judge::{Verdict, Verdicts};
use koab_core::sentence::Sentence;
use koab_engine::judging::Ballot;
use koab_library::questions::{JudgeQuestions, QuestionAttempt};
use std::collections::BTreeMap;

/// Result of asking judges.
pub(crate) struct JudgeAnswers {
    /// Verdicts on the attempts in the logs.
    pub(crate) verdicts: Verdicts,
    /// Verdicts on the attempts that are not in the logs.
    pub(crate) later: LaterVerdicts,
    /// Caveats for the reader of the report.
    pub(crate) notes: Vec<Sentence>,
    /// Whether the caps left questions unanswered.
    pub(crate) stopped: bool,
}

/// Verdicts on the attempts that the logs do not contain.
///
/// Attempts with the same answer share a question. The verdict on the question is stored once, and
/// each further attempt takes four bytes.
#[derive(Default)]
pub(crate) struct LaterVerdicts {
    /// Verdicts, each with the id of its task.
    given: Vec<(String, Verdict)>,
    /// Indices into `given`, by the number of the repetition.
    of_repetition: BTreeMap<u32, Vec<u32>>,
}

impl LaterVerdicts {
    /// Returns the verdicts on the attempts of a repetition.
    pub(crate) fn of(&self, repetition: u32) -> Verdicts {
        let mut verdicts = Verdicts::none();
        for index in self.of_repetition.get(&repetition).into_iter().flatten() {
            let (task, verdict) = &self.given[*index as usize];
            verdicts.add(task, verdict.clone());
        }
        verdicts
    }
}

/// Assigns verdicts to the attempts in the logs and to all other attempts.
pub(super) fn give_out(
    questions: &JudgeQuestions,
    ballots: Vec<(Ballot, Verdict)>,
) -> (Verdicts, LaterVerdicts) {
    let mut logged = Verdicts::none();
    let mut later = LaterVerdicts::default();
    for (ballot, verdict) in ballots {
        let task = &questions.questions[ballot.question].task_id;
        let about = &questions.about[ballot.question];
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
