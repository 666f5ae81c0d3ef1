//! Scoring with what people said instead of judges, beside the score as judged.

use crate::Library;
use crate::scoring::overrides::row;
use crate::scoring::run::Run;
use crate::wire::{OverrideRow, WireError};
use koab_core::judge::{Answer, Opinion, Panel, Verdict, Verdicts, Votes};
use koab_core::level::Level;
use koab_core::log::LevelLog;
use koab_core::say;
use koab_core::score::MetricId;
use koab_core::sentence::Sentence;
use koab_models::local_models::LocalSettings;
use koab_report::{Dataset, EvaluationOptions};
use koab_store::overrides::Override;
use std::collections::BTreeSet;

/// Verdicts with what people said in their place.
pub(crate) struct OverriddenVerdicts {
    pub(crate) verdicts: Verdicts,
    /// What entered them, with the level.
    pub(crate) applied: Vec<(Level, OverrideRow)>,
    /// What a reader of the report must know.
    pub(crate) notes: Vec<Sentence>,
}

impl Library {
    /// Puts what people said in the place of verdicts. Nothing is looked up when nobody ever said
    /// anything.
    pub(crate) fn overridden_verdicts(
        &self,
        run: &Run,
        dataset: &Dataset,
        options: &EvaluationOptions,
        verdicts: &Verdicts,
    ) -> Result<OverriddenVerdicts, WireError> {
        let mut overridden =
            OverriddenVerdicts { verdicts: verdicts.clone(), applied: Vec::new(), notes: Vec::new() };
        let held = self.holding()?;
        if held.is_empty() {
            return Ok(overridden);
        }
        let asked = match self.questions(run, dataset, options, None, &LocalSettings::default()) {
            Ok(asked) => asked,
            Err(error) => {
                let said_here = held.iter().filter(|o| o.run == run.entry.id).count();
                if said_here > 0 {
                    overridden.notes.push(say!(
                        "what people said instead of judges cannot be used here: {}",
                        error.message
                    ));
                }
                return Ok(overridden);
            }
        };
        let mut used: BTreeSet<(String, String, Option<String>)> = BTreeSet::new();
        for (i, question) in asked.questions.iter().enumerate() {
            // The oldest first, so that what was said last counts.
            for said in held.iter().filter(|o| o.question_hash == asked.hash(i)) {
                used.insert((question.task_id.clone(), question.metric.to_string(), said.judge.clone()));
                let now = overridden.verdicts.about(&question.task_id, question.metric);
                let Some(instead) = replaced(now, said, question.metric, question.votes, &options.panel)
                else {
                    continue;
                };
                overridden.verdicts.replace(&question.task_id, question.metric, instead);
                let mut row = row(said, Some(true));
                row.task.clone_from(&question.task_id);
                overridden.applied.push((question.level, row));
            }
        }
        let evaluated = |task: &str| {
            let position = |log: &LevelLog| log.tasks.iter().find(|t| t.id == task).map(|t| t.position);
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
            overridden.notes.push(say!(
                "what people said instead of judges does not apply any more, because the question has changed: {which}"
            ));
        }
        if !overridden.applied.is_empty() {
            let count = overridden.applied.len();
            overridden.notes.push(say!(
                "people overrode {count} verdicts; the figures marked so have them, all others and the files stay as judged"
            ));
        }
        Ok(overridden)
    }
}

/// The verdicts on a question with a person's word for those it stands for; null when that changes
/// nothing.
pub(crate) fn replaced(
    now: &[Verdict],
    said: &Override,
    metric: MetricId,
    votes: Votes,
    panel: &Panel,
) -> Option<Vec<Verdict>> {
    let opinion: Opinion = serde_json::from_value(said.answer.clone()).ok()?;
    let word =
        |judge: &str| Verdict { judge: judge.to_owned(), metric, answer: Answer::Answered(opinion.clone()) };
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
                if verdict.judge == *judge { word(judge) } else { verdict.clone() }
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

#[cfg(test)]
mod tests;
