//! Applies human overrides to scores. The scores without overrides remain, too.

use crate::Library;
use crate::overrides::row;
use crate::run::Run;
use crate::wire::OverrideRow;
use koab_core::judge::{Answer, Opinion, Panel, Verdict, Verdicts, Votes};
use koab_core::level::Level;
use koab_core::log::LevelLog;
use koab_core::say;
use koab_core::score::MetricId;
use koab_core::sentence::Sentence;
use koab_models::local_models::LocalSettings;
use koab_report::{Dataset, EvaluationOptions};
use koab_store::overrides::Override;
use koab_workspace::WireError;
use std::collections::BTreeSet;

/// Verdicts after the application of human overrides.
pub struct OverriddenVerdicts {
    /// Verdicts with the overrides in place of judges.
    pub verdicts: Verdicts,
    /// Overrides that were applied, each with the level of its task.
    pub applied: Vec<(Level, OverrideRow)>,
    /// Caveats for the reader of the report.
    pub notes: Vec<Sentence>,
}

impl Library {
    /// Applies human overrides to verdicts. If the workspace has no overrides, the questions are
    /// not computed.
    pub fn overridden_verdicts(
        &self,
        run: &Run,
        dataset: &Dataset,
        options: &EvaluationOptions,
        verdicts: &Verdicts,
    ) -> Result<OverriddenVerdicts, WireError> {
        let mut overridden =
            OverriddenVerdicts { verdicts: verdicts.clone(), applied: Vec::new(), notes: Vec::new() };
        let overrides = self.holding()?;
        if overrides.is_empty() {
            return Ok(overridden);
        }
        let questions = match self.questions(run, dataset, options, None, &LocalSettings::default()) {
            Ok(questions) => questions,
            Err(error) => {
                let said_here = overrides.iter().filter(|o| o.place.run == run.entry.id).count();
                if said_here > 0 {
                    overridden.notes.push(say!("human overrides cannot be used here: {}", error.message));
                }
                return Ok(overridden);
            }
        };
        let mut used: BTreeSet<(String, MetricId, Option<String>)> = BTreeSet::new();
        for (i, question) in questions.questions.iter().enumerate() {
            // The oldest first, so that the latest override counts.
            for entry in overrides.iter().filter(|o| o.question_hash == questions.hash(i)) {
                used.insert((question.task_id.clone(), question.metric, entry.place.judge.clone()));
                let now = overridden.verdicts.about(&question.task_id, question.metric);
                let Some(instead) = replaced(now, entry, question.metric, question.votes, &options.panel)
                else {
                    continue;
                };
                overridden.verdicts.replace(&question.task_id, question.metric, instead);
                let mut row = row(entry, Some(true));
                row.place.task.clone_from(&question.task_id);
                overridden.applied.push((question.level.clone(), row));
            }
        }
        let evaluated = |task: &str| {
            let position = |log: &LevelLog| log.tasks.iter().find(|t| t.id == task).map(|t| t.position);
            let position = run.logs.iter().find_map(position);
            position.is_some_and(|p| options.sample_size.is_none_or(|size| p < size))
        };
        let outdated: BTreeSet<String> = overrides
            .iter()
            .map(|o| &o.place)
            .filter(|at| at.run == run.entry.id && evaluated(&at.task))
            .filter(|at| !used.contains(&(at.task.clone(), at.metric, at.judge.clone())))
            .map(|at| format!("{} {}", at.task, at.metric))
            .collect();
        if !outdated.is_empty() {
            let which = Vec::from_iter(outdated).join(", ");
            overridden.notes.push(say!(
                "human overrides do not apply any more, because the question has changed: {which}"
            ));
        }
        if !overridden.applied.is_empty() {
            let count = overridden.applied.len();
            overridden.notes.push(say!(
                "people overrode {count} verdicts; only figures that are marked so have the overrides, all other figures and the files stay as judged"
            ));
        }
        Ok(overridden)
    }
}

/// Returns the verdicts on a question after an override; `None` if the override changes none of
/// them.
pub(crate) fn replaced(
    now: &[Verdict],
    entry: &Override,
    metric: MetricId,
    votes: Votes,
    panel: &Panel,
) -> Option<Vec<Verdict>> {
    let opinion: Opinion = serde_json::from_value(entry.answer.clone()).ok()?;
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
    match (&entry.place.judge, votes) {
        (Some(judge), _) if !now.iter().any(|verdict| verdict.judge == *judge) => None,
        (Some(judge), _) => {
            let instead = |verdict: &Verdict| {
                if verdict.judge == *judge { word(judge) } else { verdict.clone() }
            };
            Some(now.iter().map(instead).collect())
        }
        // Without any judge, the person is the judge.
        (None, _) if judges.is_empty() => {
            let count = match votes {
                Votes::FirstJudge(count) => count.max(1),
                Votes::EachJudge => 1,
            };
            Some(vec![word(&entry.by); count])
        }
        (None, Votes::FirstJudge(count)) => Some(vec![word(&judges[0]); count.max(1)]),
        (None, Votes::EachJudge) => Some(judges.iter().map(|judge| word(judge)).collect()),
    }
}

#[cfg(test)]
mod tests;
