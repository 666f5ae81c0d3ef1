//! The questions to judges about one task of a run, with the stored verdicts and overrides.

use crate::Library;
use crate::evaluation::evaluation_options;
use crate::options::{EvaluateOptions, RunChoice};
use crate::overrides::{distinct, row};
use crate::questions::JudgeQuestions;
use crate::run::Run;
use crate::wire::{QuestionVerdicts, StoredVerdict, TaskVerdicts};
use koab_core::judge::{Answer, Opinion, Verdict, Votes};
use koab_core::level::Level;
use koab_core::log::LevelLog;
use koab_core::protocol::Protocol;
use koab_core::say;
use koab_core::score::{MetricId, MetricSet, metrics_of};
use koab_store::verdicts::{StoredAnswer, VerdictRow};
use koab_workspace::WireError;
use std::collections::BTreeSet;

/// The questions about one task of a run, under both scorers.
pub struct TaskQuestions {
    /// Run id.
    pub run: String,
    level: Level,
    /// Task id.
    pub task: String,
    asked: Vec<(Protocol, JudgeQuestions)>,
}

impl TaskQuestions {
    /// Returns the hashes of the questions for a metric, without duplicates.
    pub fn hashes(&self, metric: MetricId) -> BTreeSet<String> {
        let of = |asked: &JudgeQuestions| -> Vec<String> {
            let places = 0..asked.questions.len();
            places
                .filter(|i| self.is_about(asked, *i) && asked.questions[*i].metric == metric)
                .map(|i| asked.hash(i).to_owned())
                .collect()
        };
        self.asked.iter().flat_map(|(_, asked)| of(asked)).collect()
    }

    fn is_about(&self, asked: &JudgeQuestions, question: usize) -> bool {
        asked.questions[question].task_id == self.task
    }
}

impl Library {
    /// Returns the questions about a task of a run with all stored verdicts and overrides, without
    /// judge calls.
    ///
    /// # Errors
    /// When the run or task does not exist, or its pack is not installed.
    pub fn verdicts_of_task(&self, run: &str, task: &str) -> Result<TaskVerdicts, WireError> {
        let of_task = self.task_questions(run, task)?;
        let overrides = self.holding()?;
        let mut questions: Vec<QuestionVerdicts> = Vec::new();
        for (scorer, asked) in &of_task.asked {
            for i in (0..asked.questions.len()).filter(|i| of_task.is_about(asked, *i)) {
                let hash = asked.hash(i);
                if let Some(same) = questions.iter_mut().find(|q| q.hash == hash) {
                    same.scorers.push(*scorer);
                    continue;
                }
                let question = &asked.questions[i];
                let rows = self.workspace.store()?.verdicts_on(hash)?;
                let on = overrides.iter().filter(|o| o.question_hash == hash);
                questions.push(QuestionVerdicts {
                    metric: question.metric,
                    scorers: vec![*scorer],
                    hash: hash.to_owned(),
                    system: question.system.clone(),
                    prompt: question.prompt.clone(),
                    yes_no: question.is_in_words() || question.schema.has("success"),
                    first_judge_only: matches!(question.votes, Votes::FirstJudge(_)),
                    verdicts: rows.into_iter().map(stored).collect(),
                    overrides: on.map(|o| row(o, Some(true))).collect(),
                });
            }
        }
        let judged_metrics = metrics_of(&of_task.level, MetricSet::All).filter(|metric| metric.is_judged());
        let decided = judged_metrics.filter(|metric| questions.iter().all(|q| q.metric != metric.id));
        let outdated = overrides.iter().filter(|o| {
            let mut still = questions.iter().flat_map(|q| &q.overrides).map(|row| &row.place);
            o.place.run == of_task.run
                && o.place.task == of_task.task
                && !still.any(|at| at.metric == o.place.metric && at.judge == o.place.judge)
        });
        Ok(TaskVerdicts {
            decided_by_log: decided.map(|metric| metric.id).collect(),
            outdated: distinct(outdated.map(|o| row(o, Some(false)))),
            run: of_task.run,
            task: of_task.task,
            questions,
        })
    }

    /// Returns the questions about a task.
    ///
    /// # Errors
    /// When the run or task does not exist, or its pack is not installed.
    pub fn task_questions(&self, run: &str, task: &str) -> Result<TaskQuestions, WireError> {
        // Task ids begin with their level; for other ids, all levels are read.
        let level = task.get(..2).and_then(|start| start.parse::<Level>().ok());
        let options = |levels: Vec<Level>| EvaluateOptions { levels, ..self.published(run) };
        let read = match level {
            Some(level) => {
                self.read_run(&options(vec![level])).or_else(|_| self.read_run(&options(Vec::new())))?
            }
            None => self.read_run(&options(Vec::new()))?,
        };
        let has = |log: &&LevelLog| log.tasks.iter().any(|t| t.id == task);
        let Some(level) = read.logs.iter().find(has).map(|log| log.level.clone()) else {
            return Err(WireError::not_found(say!("run {} has no task {task}", read.entry.id)));
        };
        Ok(TaskQuestions {
            asked: self.asked_by_both(&read)?,
            run: read.entry.id,
            level,
            task: task.to_owned(),
        })
    }

    /// Returns the published settings for scoring a run. `run` is the run's id in the window or its
    /// name on the command line.
    pub fn published(&self, run: &str) -> EvaluateOptions {
        let run = self.folder_of(run).unwrap_or_else(|| run.to_owned());
        EvaluateOptions::published(RunChoice::Run(run))
    }

    /// Returns the questions that the two scorers ask about a run.
    pub fn asked_by_both(&self, run: &Run) -> Result<Vec<(Protocol, JudgeQuestions)>, WireError> {
        let dataset = self.dataset(run)?;
        [Protocol::Leaderboard, Protocol::Corrected]
            .into_iter()
            .map(|scorer| {
                let options = EvaluateOptions::published(RunChoice::Run(run.entry.id.clone()));
                let of_scorer = evaluation_options(&options, run, scorer);
                let questions = self.questions(run, &dataset, &of_scorer, None, &options.judge_local)?;
                Ok((scorer, questions))
            })
            .collect()
    }
}

fn stored(kept: VerdictRow) -> StoredVerdict {
    let (mark, vote) = kept.version();
    let (vote, asked_with) = (vote as u32 + 1, mark.chars().take(8).collect());
    let (opinion, failure) = match kept.kept {
        StoredAnswer::Failure(reason) => (Opinion::default(), Some(reason)),
        StoredAnswer::Damaged => (Opinion::default(), Some(say!("the stored answer cannot be read"))),
        StoredAnswer::Answer(value) => {
            match serde_json::from_value::<Verdict>(value).map(|verdict| verdict.answer) {
                Ok(Answer::Answered(opinion)) => (opinion, None),
                Ok(Answer::Failed { reason, .. }) => (Opinion::default(), Some(reason)),
                Err(_) => (Opinion::default(), Some(say!("the stored answer cannot be read"))),
            }
        }
    };
    StoredVerdict {
        vote,
        asked_with,
        judge: kept.judge,
        success: opinion.success,
        score: opinion.score.and_then(|score| u8::try_from(score).ok()),
        confidence: opinion.confidence,
        reason: opinion.reason,
        failure,
        at: kept.at,
    }
}
