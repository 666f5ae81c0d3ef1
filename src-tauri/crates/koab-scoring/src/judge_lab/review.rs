//! The blind review. A queue is made and stored with its questions, a reviewer answers it, and it
//! is revealed once. Then its answers can become overrides.
//!
//! A queue also stores data that its reviewer must not see (models, judges, votes). Only
//! [`Scoring::queue_reveal`] returns this data. After that, the answers can no longer be changed.

use super::gather::{LabInput, LabInputs, blinder};
use super::random_draw::draw;
use super::record::{Draw, OpenQueue, QueueQuestion, QueueRecord};
use crate::Scoring;
use crate::overrides::judged_metric;
use koab_analysis::judge_lab::{LabReason, Reviewed, Subject, against_people, queue};
use koab_core::cache_key::sha256_hex;
use koab_core::say;
use koab_library::{
    BlindAnswer, BlindQuestion, JudgeAnswer, LabLeftOut, OverrideAnswer, OverrideRequest, QueueApplied,
    QueueList, QueueRequest, QueueReveal, QueueSummary, QueueView, RevealedQuestion,
};
use koab_store::overrides::VerdictPlace;
use koab_store::queues::StoredQueue;
use koab_workspace::WireError;

/// Maximum number of questions of a queue.
const MAX_QUESTIONS: u32 = 500;
/// Default number of questions of a queue of disputed questions.
const DEFAULT_QUESTIONS: u32 = 20;

impl Scoring {
    /// Makes a queue of the most informative questions, or of random questions of a metric. If a
    /// queue with the same questions, verdicts, seed and reviewer exists, it is opened.
    ///
    /// # Errors
    /// When no run can be read, no reviewer is named, the judges disagree on no question, or too
    /// few questions could be drawn.
    pub fn queue_make(&self, request: &QueueRequest) -> Result<QueueView, WireError> {
        if request.by.trim().is_empty() {
            return Err(WireError::bad_request(say!("name who reviews")));
        }
        if request.most.is_some_and(|most| most == 0 || most > MAX_QUESTIONS) {
            return Err(WireError::bad_request(say!(
                "a queue has 1 to {MOST} questions",
                MOST = MAX_QUESTIONS
            )));
        }
        let gathering = self.lab_runs(&request.of)?;
        if let Some(metric) = request.metric {
            let (questions, drawn) = draw(&gathering, request, judged_metric(metric.name())?)?;
            return self.keep_queue(&gathering, request, questions, Some(drawn));
        }
        let subjects: Vec<Subject<'_>> = gathering.runs.iter().map(LabInput::subject).collect();
        let most = request.most.unwrap_or(DEFAULT_QUESTIONS) as usize;
        let picks = queue(&subjects, most, request.seed);
        if picks.is_empty() {
            return Err(WireError::bad_request(say!(
                "there is no question on which judges disagree; judge these runs with another judge, or draw questions at random"
            )));
        }
        let blinder = blinder(&gathering);
        let questions = picks
            .iter()
            .map(|pick| QueueQuestion::new(&gathering.runs[pick.subject], pick.item, &blinder, Some(pick)));
        self.keep_queue(&gathering, request, questions.collect(), None)
    }

    pub(super) fn keep_queue(
        &self,
        gathering: &LabInputs,
        request: &QueueRequest,
        questions: Vec<QueueQuestion>,
        draw: Option<Draw>,
    ) -> Result<QueueView, WireError> {
        let runs = gathering.runs.iter().map(|one| one.run.entry.id.clone());
        let record = QueueRecord {
            by: request.by.trim().to_owned(),
            seed: request.seed,
            scorer: request.of.scorer,
            runs: runs.collect(),
            questions,
            draw,
        };
        let document = serde_json::to_value(&record).map_err(WireError::internal)?;
        let id: String = sha256_hex(&document.to_string()).chars().take(10).collect();
        self.workspace.store()?.keep_queue(&id, &document)?;
        self.queue_open(&id)
    }

    /// Returns all queues, the newest first.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn queues_list(&self) -> Result<QueueList, WireError> {
        let mut list = QueueList { queues: Vec::new(), unreadable: Vec::new() };
        for stored in self.workspace.store()?.queues()? {
            match self.opened(stored) {
                Ok(open) => list.queues.push(open.summary()),
                Err(error) => list.unreadable.push(error.message),
            }
        }
        Ok(list)
    }

    /// Returns a queue as its reviewer sees it.
    ///
    /// # Errors
    /// When the queue does not exist, or is damaged.
    pub fn queue_open(&self, id: &str) -> Result<QueueView, WireError> {
        let open = self.open_queue(id)?;
        let questions = open.numbered().map(|(number, question)| BlindQuestion {
            number,
            metric: question.metric,
            yes_no: question.is_yes_no(),
            inputs: question.inputs.clone(),
            answer: open.answers.get(&number).cloned(),
        });
        Ok(QueueView { questions: questions.collect(), queue: open.summary() })
    }

    /// Stores an answer in place of the earlier answer. `None` removes the answer.
    ///
    /// # Errors
    /// When the question does not exist, needs another kind of answer, or the queue was revealed.
    pub fn queue_answer(
        &self,
        id: &str,
        number: u32,
        answer: Option<&BlindAnswer>,
    ) -> Result<QueueSummary, WireError> {
        let open = self.open_queue(id)?;
        let Some((_, question)) = open.numbered().find(|(at, _)| *at == number) else {
            let questions = open.kept.questions.len();
            return Err(WireError::not_found(say!(
                "the queue {id} has no question {number}; its questions are 1 to {questions}"
            )));
        };
        if open.stored.revealed_at.is_some() {
            return Err(WireError::bad_request(say!(
                "the queue {id} was revealed, so an answer now would not be blind; make a new one"
            )));
        }
        match answer {
            Some(answer) => {
                check(question, number, answer)?;
                let answer = serde_json::to_value(answer).map_err(WireError::internal)?;
                self.workspace.store()?.answer_queue(id, number, &answer)?;
            }
            None => {
                self.workspace.store()?.unanswer_queue(id, number)?;
            }
        }
        Ok(self.open_queue(id)?.summary())
    }

    /// Reveals the models and the judges' answers. After that, the reviewer's answers can no longer
    /// be changed.
    ///
    /// # Errors
    /// When the queue does not exist, or has no answer.
    pub fn queue_reveal(&self, id: &str) -> Result<QueueReveal, WireError> {
        let open = self.open_queue(id)?;
        if open.answers.is_empty() {
            return Err(WireError::bad_request(say!(
                "no question of the queue {id} is answered yet; answer first, since a revealed queue is not blind any more"
            )));
        }
        self.workspace.store()?.reveal_queue(id)?;
        let open = self.open_queue(id)?;
        let reviewed: Vec<Reviewed> = open
            .numbered()
            .map(|(number, question)| Reviewed {
                task: question.task.clone(),
                metric: question.metric,
                judges: question.judges.clone(),
                person: open.answers.get(&number).and_then(number_of),
            })
            .collect();
        let is_empty = reviewed.iter().all(|one| one.person.is_none());
        let questions = open.numbered().map(|(number, question)| RevealedQuestion {
            number,
            run: question.run.clone(),
            model: self.library.model_name_in(&question.model, Some(&question.run)),
            task: question.task.clone(),
            metric: question.metric,
            judges: question
                .judges
                .iter()
                .map(|(judge, answer)| judge_answer(question, judge, *answer))
                .collect(),
            answer: open.answers.get(&number).cloned(),
            weight: question.weight,
            disagreement: question.disagreement,
            effect: question.effect,
            swaps: question.swaps,
        });
        Ok(QueueReveal {
            judges: against_people(&reviewed),
            questions: questions.collect(),
            reason: is_empty.then(|| LabReason::NobodyReviewed {}.into()),
            queue: open.summary(),
        })
    }

    /// Turns the answers of a revealed queue into overrides, for all judges of each question.
    ///
    /// # Errors
    /// When the queue does not exist or is still blind, or no person is named.
    pub fn queue_apply(&self, id: &str, by: &str) -> Result<QueueApplied, WireError> {
        let open = self.open_queue(id)?;
        if open.stored.revealed_at.is_none() {
            return Err(WireError::bad_request(say!("the queue {id} is still blind; reveal it first")));
        }
        if by.trim().is_empty() {
            return Err(WireError::bad_request(say!("name who applies the answers")));
        }
        let mut done = QueueApplied { applied: 0, left: 0, refused: Vec::new() };
        for (number, question) in open.numbered() {
            let Some(answer) = open.answers.get(&number).filter(|answer| number_of(answer).is_some()) else {
                done.left += 1;
                continue;
            };
            match self.apply_one(id, &open.kept.by, by.trim(), question, answer) {
                Ok(()) => done.applied += 1,
                Err(error) => done.refused.push(LabLeftOut {
                    id: format!("{} {}", question.task, question.metric),
                    reason: error.message,
                }),
            }
        }
        if done.applied > 0 {
            self.workspace.store()?.queue_applied(id, by.trim())?;
        }
        Ok(done)
    }

    /// Deletes a queue with its answers. Overrides that were made from the answers are not deleted.
    ///
    /// # Errors
    /// When the queue does not exist.
    pub fn queue_remove(&self, id: &str) -> Result<(), WireError> {
        if self.workspace.store()?.remove_queue(id)? {
            return Ok(());
        }
        Err(none(id))
    }

    pub(super) fn open_queue(&self, id: &str) -> Result<OpenQueue, WireError> {
        let stored = self.workspace.store()?.queue(id)?.ok_or_else(|| none(id))?;
        self.opened(stored)
    }

    fn opened(&self, stored: StoredQueue) -> Result<OpenQueue, WireError> {
        let damaged = |error: serde_json::Error| {
            WireError::bad_file(say!("the queue {} in koab.sqlite is damaged: {error}", stored.id))
        };
        let record: QueueRecord = serde_json::from_value(stored.document.clone()).map_err(damaged)?;
        let answers = self.workspace.store()?.queue_answers(&stored.id)?.into_iter();
        // An unreadable answer is an error, not a question without an answer.
        let answers = answers
            .map(|one| Ok((one.number, serde_json::from_value(one.answer).map_err(damaged)?)))
            .collect::<Result<_, WireError>>()?;
        Ok(OpenQueue { stored, kept: record, answers })
    }

    fn apply_one(
        &self,
        id: &str,
        reviewer: &str,
        by: &str,
        question: &QueueQuestion,
        answer: &BlindAnswer,
    ) -> Result<(), WireError> {
        let of_task = self.library.task_questions(&question.run, &question.task)?;
        if !of_task.hashes(question.metric).contains(&question.hash) {
            return Err(WireError::bad_request(say!(
                "the question has changed since the queue was made, so the answer does not apply to it"
            )));
        }
        let mut why = format!("blind review {id}");
        if by != reviewer {
            why.push_str(&format!(", applied by {by}"));
        }
        if !answer.note.trim().is_empty() {
            why.push_str(&format!(": {}", answer.note.trim()));
        }
        self.verdict_override(&OverrideRequest {
            place: VerdictPlace {
                run: question.run.clone(),
                task: question.task.clone(),
                metric: question.metric,
                judge: None,
            },
            answer: OverrideAnswer {
                success: answer.success,
                score: answer.score,
                by: reviewer.to_owned(),
                why,
            },
        })
        .map(|_| ())
    }
}

/// Returns the answer as a number, for comparisons with judges; `None` for an unsure answer or a
/// skipped question.
pub(super) fn number_of(answer: &BlindAnswer) -> Option<i64> {
    answer.success.map(i64::from).or(answer.score.map(i64::from))
}

fn judge_answer(question: &QueueQuestion, judge: &str, answer: i64) -> JudgeAnswer {
    JudgeAnswer {
        judge: judge.to_owned(),
        success: question.is_yes_no().then_some(answer > 0),
        score: u8::try_from(answer).ok().filter(|_| !question.is_yes_no()),
    }
}

/// Checks that an answer has the kind that the question needs.
pub(super) fn check(question: &QueueQuestion, number: u32, answer: &BlindAnswer) -> Result<(), WireError> {
    let fits = match (question.is_yes_no(), answer.success, answer.score) {
        (_, None, None) => true,
        (true, Some(_), None) => !answer.unsure,
        (false, None, Some(1..=5)) => !answer.unsure,
        _ => false,
    };
    if fits {
        return Ok(());
    }
    Err(WireError::bad_request(if question.is_yes_no() {
        say!("answer question {number} with yes, no or unsure, or with nothing to skip it")
    } else {
        say!("answer question {number} with a grade from 1 to 5 or unsure, or with nothing to skip it")
    }))
}

fn none(id: &str) -> WireError {
    WireError::not_found(say!("there is no queue {id}; `koab judge queues` lists those there are"))
}
