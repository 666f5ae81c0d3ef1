//! What people say instead of judges: keeping it, taking it back, and scoring with it beside the score as judged.
//!
//! An override belongs to a question (`JudgeQuestion::hash`). A run with the same answer asks the same question and has
//! the override too; a question that has changed since has it no more, and that is said.

use crate::Api;
use crate::evaluate::{Run, evaluation_options};
use crate::judges::Asked;
use crate::options::{EvaluateOptions, RunChoice};
use crate::wire::{OverrideRemoval, OverrideRequest, OverrideRow, QuestionVerdicts, StoredVerdict};
use crate::wire::{TaskVerdicts, WireError};
use koab_core::judge::{Answer, AnswerSchema, Opinion, Panel, Verdict, Verdicts, Votes};
use koab_core::level::Level;
use koab_core::protocol::Protocol;
use koab_core::report::{Dataset, EvaluationOptions};
use koab_core::score::{MetricId, MetricSet, metrics_of};
use koab_store::overrides::{NewOverride, Override};
use koab_store::verdicts::{Kept, KeptVerdict};
use std::collections::BTreeSet;

/// Verdicts with what people said in their place.
pub(crate) struct Overriding {
    pub(crate) verdicts: Verdicts,
    /// What entered them, with the level.
    pub(crate) applied: Vec<(Level, OverrideRow)>,
    /// What a reader of the report must know.
    pub(crate) notes: Vec<String>,
}

/// The questions about one task of a run, under both scorers.
struct TaskQuestions {
    run: String,
    level: Level,
    task: String,
    asked: Vec<(Protocol, Asked)>,
}

impl TaskQuestions {
    /// Hashes of a metric's questions, each once.
    fn hashes(&self, metric: MetricId) -> BTreeSet<String> {
        let of = |asked: &Asked| -> Vec<String> {
            let places = 0..asked.questions.len();
            places
                .filter(|i| self.is_about(asked, *i) && asked.questions[*i].metric == metric)
                .map(|i| asked.hash(i).to_owned())
                .collect()
        };
        self.asked.iter().flat_map(|(_, asked)| of(asked)).collect()
    }

    fn is_about(&self, asked: &Asked, question: usize) -> bool {
        asked.questions[question].task_id == self.task
    }
}

impl Api {
    /// Keeps a person's word against a judge's, beside the verdicts. It enters the `overridden` figures of reports from
    /// the next scoring on, for both scorers.
    ///
    /// # Errors
    /// When there is no such run, task or verdict, the metric asks for another kind of answer, or who and why are missing.
    pub fn verdict_override(&self, request: &OverrideRequest) -> Result<Vec<OverrideRow>, WireError> {
        let metric = judged_metric(&request.metric)?;
        let opinion = opinion(metric, request)?;
        for (text, what) in [(&request.by, "who says so"), (&request.why, "why")] {
            if text.trim().is_empty() {
                return Err(WireError::bad_request(format!(
                    "an override needs {what}; name it"
                )));
            }
        }
        let of_task = self.task_questions(&request.run, &request.task)?;
        let hashes = of_task.hashes(metric);
        if hashes.is_empty() {
            return Err(WireError::bad_request(format!(
                "{metric} of {} is decided without a judge, so there is no verdict to override",
                request.task
            )));
        }
        if let Some(judge) = &request.judge {
            self.has_said(judge, &hashes, request)?;
        }
        let answer = serde_json::to_value(&opinion).map_err(WireError::internal)?;
        let new: Vec<NewOverride<'_>> = hashes
            .iter()
            .map(|hash| NewOverride {
                question_hash: hash,
                judge: request.judge.as_deref(),
                run: &of_task.run,
                task: &of_task.task,
                metric: metric.name(),
                answer: &answer,
                by: request.by.trim(),
                why: request.why.trim(),
            })
            .collect();
        self.store()?.override_verdicts(&new)?;
        let held = self.holding()?;
        let mine = held
            .iter()
            .filter(|o| hashes.contains(&o.question_hash) && o.judge == request.judge);
        Ok(distinct(mine.map(|o| row(o, Some(true)))))
    }

    /// Takes an override back; the score is then as judged again. Returns what was taken back.
    ///
    /// # Errors
    /// When there is none, or nobody is named.
    pub fn verdict_override_remove(&self, removal: &OverrideRemoval) -> Result<Vec<OverrideRow>, WireError> {
        let metric = judged_metric(&removal.metric)?;
        if removal.by.trim().is_empty() {
            return Err(WireError::bad_request("name who takes the override back"));
        }
        // One whose run or question is gone can still be taken back, by the words it was made with.
        let (run, hashes) = match self.task_questions(&removal.run, &removal.task) {
            Ok(of_task) => (of_task.run.clone(), of_task.hashes(metric)),
            Err(_) => (removal.run.clone(), BTreeSet::new()),
        };
        let is_meant = |o: &&Override| {
            let is_said_here = o.run == run && o.task == removal.task && o.metric == metric.name();
            o.judge == removal.judge && (is_said_here || hashes.contains(&o.question_hash))
        };
        let held = self.holding()?;
        let meant: Vec<&Override> = held.iter().filter(is_meant).collect();
        if meant.is_empty() {
            return Err(WireError::not_found(format!(
                "there is no such override of {metric} on {}; `koab judge overrides` lists those there are",
                removal.task
            )));
        }
        for one in &meant {
            self.store()?.end_override(one.id, removal.by.trim())?;
        }
        Ok(distinct(meant.into_iter().map(|o| row(o, None))))
    }

    /// The overrides that hold: all, or those of a run, and then each with whether its question is still the same.
    ///
    /// # Errors
    /// When there is no such run, or the database cannot be read.
    pub fn verdict_overrides(&self, run: Option<&str>) -> Result<Vec<OverrideRow>, WireError> {
        let held = self.holding()?;
        let Some(run) = run else {
            return Ok(distinct(held.iter().map(|o| row(o, None))));
        };
        let run = self.read_run(&self.published(run))?;
        let mut hashes = BTreeSet::new();
        for (_, asked) in self.asked_by_both(&run)? {
            hashes.extend((0..asked.questions.len()).map(|i| asked.hash(i).to_owned()));
        }
        let rows = held.iter().filter_map(|o| {
            let applies = hashes.contains(&o.question_hash);
            (applies || o.run == run.entry.id).then(|| row(o, Some(applies)))
        });
        // Under one scorer the question may be the old one and under the other not: then it applies.
        let mut rows: Vec<OverrideRow> = distinct(rows);
        let applying: Vec<OverrideRow> = rows.iter().filter(|r| r.applies == Some(true)).cloned().collect();
        rows.retain(|r| {
            r.applies == Some(true)
                || !applying.iter().any(|other| {
                    OverrideRow {
                        applies: r.applies,
                        ..other.clone()
                    } == *r
                })
        });
        Ok(rows)
    }

    /// The questions about a task of a run with all stored verdicts and overrides. Asks nobody.
    ///
    /// # Errors
    /// When there is no such run or task, or its pack is not installed.
    pub fn verdicts_of_task(&self, run: &str, task: &str) -> Result<TaskVerdicts, WireError> {
        let of_task = self.task_questions(run, task)?;
        let held = self.holding()?;
        let mut questions: Vec<QuestionVerdicts> = Vec::new();
        for (scorer, asked) in &of_task.asked {
            for i in (0..asked.questions.len()).filter(|i| of_task.is_about(asked, *i)) {
                let hash = asked.hash(i);
                if let Some(same) = questions.iter_mut().find(|q| q.hash == hash) {
                    same.scorers.push(*scorer);
                    continue;
                }
                let question = &asked.questions[i];
                let kept = self.store()?.verdicts_on(hash)?;
                let on = held.iter().filter(|o| o.question_hash == hash);
                questions.push(QuestionVerdicts {
                    metric: question.metric.to_string(),
                    scorers: vec![*scorer],
                    hash: hash.to_owned(),
                    system: question.system.clone(),
                    prompt: question.prompt.clone(),
                    yes_no: question.schema.has("success"),
                    first_judge_only: matches!(question.votes, Votes::FirstJudge(_)),
                    verdicts: kept.into_iter().map(stored).collect(),
                    overrides: on.map(|o| row(o, Some(true))).collect(),
                });
            }
        }
        let judged = metrics_of(of_task.level, MetricSet::All).filter(|metric| metric.is_judged());
        let decided = judged.filter(|metric| questions.iter().all(|q| q.metric != metric.id.name()));
        let outdated = held.iter().filter(|o| {
            let still = questions.iter().flat_map(|q| &q.overrides);
            o.run == of_task.run
                && o.task == of_task.task
                && !still
                    .clone()
                    .any(|row| row.metric == o.metric && row.judge == o.judge)
        });
        Ok(TaskVerdicts {
            decided_by_log: decided.map(|metric| metric.id.to_string()).collect(),
            outdated: distinct(outdated.map(|o| row(o, Some(false)))),
            run: of_task.run,
            task: of_task.task,
            questions,
        })
    }

    /// Puts what people said in the place of verdicts. Nothing is looked up when nobody ever said anything.
    pub(crate) fn overriding(
        &self,
        run: &Run,
        dataset: &Dataset,
        options: &EvaluationOptions,
        verdicts: &Verdicts,
    ) -> Result<Overriding, WireError> {
        let mut overriding = Overriding {
            verdicts: verdicts.clone(),
            applied: Vec::new(),
            notes: Vec::new(),
        };
        let held = self.holding()?;
        if held.is_empty() {
            return Ok(overriding);
        }
        let asked = match self.asked(run, dataset, options, None) {
            Ok(asked) => asked,
            Err(error) => {
                let said_here = held.iter().filter(|o| o.run == run.entry.id).count();
                if said_here > 0 {
                    overriding.notes.push(format!(
                        "what people said instead of judges cannot be used here: {}",
                        error.message
                    ));
                }
                return Ok(overriding);
            }
        };
        let mut used: BTreeSet<(String, String, Option<String>)> = BTreeSet::new();
        for (i, question) in asked.questions.iter().enumerate() {
            // The oldest first, so that what was said last counts.
            for said in held.iter().filter(|o| o.question_hash == asked.hash(i)) {
                used.insert((
                    question.task_id.clone(),
                    question.metric.to_string(),
                    said.judge.clone(),
                ));
                let now = overriding.verdicts.of(&question.task_id, question.metric);
                let Some(instead) = replaced(now, said, question.metric, question.votes, &options.panel)
                else {
                    continue;
                };
                overriding
                    .verdicts
                    .replace(&question.task_id, question.metric, instead);
                let mut row = row(said, Some(true));
                row.task.clone_from(&question.task_id);
                overriding.applied.push((question.level, row));
            }
        }
        let evaluated = |task: &str| {
            let position =
                |log: &koab_core::log::LevelLog| log.tasks.iter().find(|t| t.id == task).map(|t| t.position);
            let position = run.logs.iter().find_map(position);
            position.is_some_and(|p| options.sample_size.is_none_or(|size| p < size))
        };
        let outdated: BTreeSet<String> = held
            .iter()
            .filter(|o| o.run == run.entry.id && evaluated(&o.task))
            .filter(|o| !used.contains(&(o.task.clone(), o.metric.clone(), o.judge.clone())))
            .map(|o| format!("{} {}", o.task, o.metric))
            .collect();
        if !outdated.is_empty() {
            let which = Vec::from_iter(outdated).join(", ");
            overriding.notes.push(format!(
                "what people said instead of judges does not apply any more, because the question has changed: {which}"
            ));
        }
        if !overriding.applied.is_empty() {
            let count = overriding.applied.len();
            overriding.notes.push(format!(
                "people overrode {count} verdicts; the figures marked so have them, all others and the files stay as judged"
            ));
        }
        Ok(overriding)
    }

    fn holding(&self) -> Result<Vec<Override>, WireError> {
        let mut all = self.store()?.overrides()?;
        all.retain(Override::holds);
        Ok(all)
    }

    /// Refuses an override of a judge that has said nothing.
    fn has_said(
        &self,
        judge: &str,
        hashes: &BTreeSet<String>,
        request: &OverrideRequest,
    ) -> Result<(), WireError> {
        let mut judges = BTreeSet::new();
        for hash in hashes {
            judges.extend(
                self.store()?
                    .verdicts_on(hash)?
                    .into_iter()
                    .map(|kept| kept.judge),
            );
        }
        if judges.contains(judge) {
            return Ok(());
        }
        let said = if judges.is_empty() {
            "nobody has".to_owned()
        } else {
            format!("{} did", Vec::from_iter(judges).join(", "))
        };
        Err(WireError::not_found(format!(
            "{judge} has not judged {} of {}; {said}",
            request.metric, request.task
        )))
    }

    fn task_questions(&self, run: &str, task: &str) -> Result<TaskQuestions, WireError> {
        // Ids begin with their level; where one does not, all levels are read.
        let level = task.get(..2).and_then(|start| start.parse::<Level>().ok());
        let options = |levels: Vec<Level>| EvaluateOptions {
            levels,
            ..self.published(run)
        };
        let read = match level {
            Some(level) => self
                .read_run(&options(vec![level]))
                .or_else(|_| self.read_run(&options(Vec::new())))?,
            None => self.read_run(&options(Vec::new()))?,
        };
        let has = |log: &&koab_core::log::LevelLog| log.tasks.iter().any(|t| t.id == task);
        let Some(level) = read.logs.iter().find(has).map(|log| log.level) else {
            return Err(WireError::not_found(format!(
                "run {} has no task {task}",
                read.entry.id
            )));
        };
        Ok(TaskQuestions {
            asked: self.asked_by_both(&read)?,
            run: read.entry.id,
            level,
            task: task.to_owned(),
        })
    }

    /// A run as the window or the command line names it, with the published settings.
    fn published(&self, run: &str) -> EvaluateOptions {
        let run = self.folder_of(run).unwrap_or_else(|| run.to_owned());
        EvaluateOptions::published(RunChoice::Run(run))
    }

    /// The questions of a run under the two scorers.
    fn asked_by_both(&self, run: &Run) -> Result<Vec<(Protocol, Asked)>, WireError> {
        let dataset = self.dataset(run);
        [Protocol::Leaderboard, Protocol::Corrected]
            .into_iter()
            .map(|scorer| {
                let options = EvaluateOptions::published(RunChoice::Run(run.entry.id.clone()));
                let options = evaluation_options(&options, run, scorer);
                Ok((scorer, self.asked(run, &dataset, &options, None)?))
            })
            .collect()
    }
}

/// The verdicts on a question with a person's word for those it stands for; null when that changes nothing.
fn replaced(
    now: &[Verdict],
    said: &Override,
    metric: MetricId,
    votes: Votes,
    panel: &Panel,
) -> Option<Vec<Verdict>> {
    let opinion: Opinion = serde_json::from_value(said.answer.clone()).ok()?;
    let word = |judge: &str| Verdict {
        judge: judge.to_owned(),
        metric,
        answer: Answer::Answered(opinion.clone()),
    };
    let mut judges = panel.judges.clone();
    if judges.is_empty() {
        for verdict in now {
            if !judges.contains(&verdict.judge) {
                judges.push(verdict.judge.clone());
            }
        }
    }
    match (&said.judge, votes) {
        (Some(judge), _) if !now.iter().any(|verdict| verdict.judge == *judge) => None,
        (Some(judge), _) => {
            let instead = |verdict: &Verdict| {
                if verdict.judge == *judge {
                    word(judge)
                } else {
                    verdict.clone()
                }
            };
            Some(now.iter().map(instead).collect())
        }
        // Nobody was asked: the person is the judge.
        (None, _) if judges.is_empty() => {
            let count = match votes {
                Votes::FirstJudge(count) => count.max(1),
                Votes::EachJudge => 1,
            };
            Some(vec![word(&said.by); count])
        }
        (None, Votes::FirstJudge(count)) => Some(vec![word(&judges[0]); count.max(1)]),
        (None, Votes::EachJudge) => Some(judges.iter().map(|judge| word(judge)).collect()),
    }
}

fn judged_metric(name: &str) -> Result<MetricId, WireError> {
    let judged = |metric: &MetricId| AnswerSchema::of(*metric).is_some();
    let found = MetricId::ALL
        .into_iter()
        .filter(judged)
        .find(|metric| metric.name().eq_ignore_ascii_case(name));
    found.ok_or_else(|| {
        let all: Vec<&str> = MetricId::ALL
            .iter()
            .filter(|m| judged(m))
            .map(|m| m.name())
            .collect();
        WireError::bad_request(format!(
            "no judge decides `{name}`; judged are {}",
            all.join(", ")
        ))
    })
}

fn opinion(metric: MetricId, request: &OverrideRequest) -> Result<Opinion, WireError> {
    let is_yes_no = AnswerSchema::of(metric).is_some_and(|schema| schema.has("success"));
    match (is_yes_no, request.success, request.score) {
        (true, Some(success), None) => Ok(Opinion {
            success: Some(success),
            ..Opinion::default()
        }),
        (false, None, Some(score @ 1..=5)) => Ok(Opinion {
            score: Some(i64::from(score)),
            ..Opinion::default()
        }),
        (true, ..) => Err(WireError::bad_request(format!(
            "{metric} is yes or no; give --success yes or no"
        ))),
        (false, ..) => Err(WireError::bad_request(format!(
            "{metric} is a grade; give --score 1 to 5"
        ))),
    }
}

fn row(said: &Override, applies: Option<bool>) -> OverrideRow {
    let opinion: Opinion = serde_json::from_value(said.answer.clone()).unwrap_or_default();
    OverrideRow {
        run: said.run.clone(),
        task: said.task.clone(),
        metric: said.metric.clone(),
        judge: said.judge.clone(),
        success: opinion.success,
        score: opinion.score.and_then(|score| u8::try_from(score).ok()),
        by: said.by.clone(),
        why: said.why.clone(),
        at: said.at.clone(),
        applies,
    }
}

/// One word about two questions (one a scorer) is one override to people.
fn distinct(rows: impl Iterator<Item = OverrideRow>) -> Vec<OverrideRow> {
    let mut seen = Vec::new();
    for row in rows {
        if !seen.contains(&row) {
            seen.push(row);
        }
    }
    seen
}

fn stored(kept: KeptVerdict) -> StoredVerdict {
    let (mark, vote) = kept
        .prompt_version
        .rsplit_once('#')
        .unwrap_or((&kept.prompt_version, "0"));
    let (opinion, failure) = match kept.kept {
        Kept::Failure(reason) => (Opinion::default(), Some(reason)),
        Kept::Damaged => (
            Opinion::default(),
            Some("the stored answer cannot be read".to_owned()),
        ),
        Kept::Answer(value) => match serde_json::from_value::<Verdict>(value).map(|verdict| verdict.answer) {
            Ok(Answer::Answered(opinion)) => (opinion, None),
            Ok(Answer::Failed { reason }) => (Opinion::default(), Some(reason)),
            Err(_) => (
                Opinion::default(),
                Some("the stored answer cannot be read".to_owned()),
            ),
        },
    };
    StoredVerdict {
        vote: vote.parse::<u32>().unwrap_or(0) + 1,
        asked_with: mark.chars().take(8).collect(),
        judge: kept.judge,
        success: opinion.success,
        score: opinion.score.and_then(|score| u8::try_from(score).ok()),
        confidence: opinion.confidence,
        reason: opinion.reason,
        failure,
        at: kept.at,
    }
}
