//! Human overrides of verdicts: stores, lists and removes them.
//!
//! An override belongs to a question (`JudgeQuestion::hash`). A run with the same answer has the
//! same question and therefore the same override. If a question changes, its override no longer
//! applies, and the user is informed.

use crate::Scoring;
use koab_core::judge::{AnswerSchema, Opinion};
use koab_core::say;
use koab_core::score::MetricId;
use koab_library::overrides::{distinct, row};
use koab_library::{OverrideAnswer, OverrideRemoval, OverrideRequest, OverrideRow};
use koab_store::overrides::{NewOverride, Override, VerdictPlace};
use koab_workspace::WireError;
use std::collections::BTreeSet;

impl Scoring {
    /// Stores a person's answer that overrides the answer of a judge. From the next scoring on, the
    /// `overridden` figures of reports include it, under both scorers.
    ///
    /// # Errors
    /// When the run, task or verdict does not exist, the metric needs another kind of answer, or
    /// the name of the person or the reason is missing.
    pub fn verdict_override(&self, request: &OverrideRequest) -> Result<Vec<OverrideRow>, WireError> {
        let metric = judged_metric(request.place.metric.name())?;
        let opinion = opinion(metric, &request.answer)?;
        let OverrideRequest { place, answer } = request;
        for (text, what) in [(&answer.by, "who says so"), (&answer.why, "why")] {
            if text.trim().is_empty() {
                return Err(WireError::bad_request(say!("an override needs {what}; name it")));
            }
        }
        let of_task = self.library.task_questions(&place.run, &place.task)?;
        let hashes = of_task.hashes(metric);
        if hashes.is_empty() {
            return Err(WireError::bad_request(say!(
                "{metric} of {} is decided without a judge, so there is no verdict to override",
                place.task
            )));
        }
        if let Some(judge) = &place.judge {
            self.has_said(judge, &hashes, place)?;
        }
        let place = VerdictPlace { run: of_task.run.clone(), ..place.clone() };
        let opinion = serde_json::to_value(&opinion).map_err(WireError::internal)?;
        let (by, why) = (answer.by.trim(), answer.why.trim());
        let new = NewOverride { place: &place, answer: &opinion, by, why };
        self.workspace.store()?.override_verdicts(&hashes, &new)?;
        let overrides = self.library.holding()?;
        let is_mine = |o: &&Override| hashes.contains(&o.question_hash) && o.place.judge == place.judge;
        let mine = overrides.iter().filter(is_mine);
        Ok(distinct(mine.map(|o| row(o, Some(true)))))
    }

    /// Removes an override. The score is then the judged one again. Returns the removed overrides.
    ///
    /// # Errors
    /// When the override does not exist, or the name of the person is missing.
    pub fn verdict_override_remove(&self, removal: &OverrideRemoval) -> Result<Vec<OverrideRow>, WireError> {
        let metric = judged_metric(removal.place.metric.name())?;
        if removal.by.trim().is_empty() {
            return Err(WireError::bad_request(say!("name the person who removes the override")));
        }
        // An override whose run or question no longer exists can still be removed, by its own run,
        // task and metric.
        let mut place = removal.place.clone();
        let mut hashes = BTreeSet::new();
        if let Ok(of_task) = self.library.task_questions(&place.run, &place.task) {
            place.run.clone_from(&of_task.run);
            hashes = of_task.hashes(metric);
        }
        let is_meant = |o: &&Override| {
            o.place == place || (o.place.judge == place.judge && hashes.contains(&o.question_hash))
        };
        let overrides = self.library.holding()?;
        let meant: Vec<&Override> = overrides.iter().filter(is_meant).collect();
        if meant.is_empty() {
            return Err(WireError::not_found(say!(
                "there is no such override of {metric} on {}; `koab judge overrides` lists those there are",
                place.task
            )));
        }
        for one in &meant {
            self.workspace.store()?.end_override(one.id, removal.by.trim())?;
        }
        Ok(distinct(meant.into_iter().map(|o| row(o, None))))
    }

    /// Lists all overrides in effect, or those of a run. For a run, the result shows whether the
    /// question of each override is unchanged.
    ///
    /// # Errors
    /// When the run does not exist, or the database cannot be read.
    pub fn verdict_overrides(&self, run: Option<&str>) -> Result<Vec<OverrideRow>, WireError> {
        let overrides = self.library.holding()?;
        let Some(run) = run else {
            return Ok(distinct(overrides.iter().map(|o| row(o, None))));
        };
        let run = self.library.read_run(&self.library.published(run))?;
        let mut hashes = BTreeSet::new();
        for (_, questions) in self.library.asked_by_both(&run)? {
            hashes.extend((0..questions.questions.len()).map(|i| questions.hash(i).to_owned()));
        }
        let rows = overrides.iter().filter_map(|o| {
            let applies = hashes.contains(&o.question_hash);
            (applies || o.place.run == run.entry.id).then(|| row(o, Some(applies)))
        });
        // The question may be unchanged under one scorer only: the override then applies.
        let mut rows: Vec<OverrideRow> = distinct(rows);
        let applying: Vec<OverrideRow> = rows.iter().filter(|r| r.applies == Some(true)).cloned().collect();
        rows.retain(|r| {
            r.applies == Some(true)
                || !applying.iter().any(|other| OverrideRow { applies: r.applies, ..other.clone() } == *r)
        });
        Ok(rows)
    }

    /// Rejects an override of a judge that has no verdict on the question.
    fn has_said(
        &self,
        judge: &str,
        hashes: &BTreeSet<String>,
        place: &VerdictPlace,
    ) -> Result<(), WireError> {
        let mut judges = BTreeSet::new();
        for hash in hashes {
            judges.extend(self.workspace.store()?.verdicts_on(hash)?.into_iter().map(|kept| kept.judge));
        }
        if judges.contains(judge) {
            return Ok(());
        }
        let VerdictPlace { metric, task, .. } = place;
        let others = Vec::from_iter(judges).join(", ");
        Err(WireError::not_found(if others.is_empty() {
            say!("{judge} has not judged {metric} of {task}; no judge has")
        } else {
            say!("{judge} has not judged {metric} of {task}; {others} did")
        }))
    }
}

/// Metric with this name in any case of letters.
///
/// # Errors
/// When judges decide no such metric.
pub fn judged_metric(name: &str) -> Result<MetricId, WireError> {
    let is_judged = |metric: &MetricId| AnswerSchema::for_metric(*metric).is_some();
    let named_metric =
        MetricId::ALL.into_iter().filter(is_judged).find(|metric| metric.name().eq_ignore_ascii_case(name));
    named_metric.ok_or_else(|| {
        let all: Vec<&str> = MetricId::ALL.iter().filter(|m| is_judged(m)).map(|m| m.name()).collect();
        WireError::bad_request(say!("no judge decides `{name}`; judges decide {}", all.join(", ")))
    })
}

fn opinion(metric: MetricId, answer: &OverrideAnswer) -> Result<Opinion, WireError> {
    let is_yes_no = AnswerSchema::for_metric(metric).is_some_and(|schema| schema.has("success"));
    match (is_yes_no, answer.success, answer.score) {
        (true, Some(success), None) => Ok(Opinion { success: Some(success), ..Opinion::default() }),
        (false, None, Some(score @ 1..=5)) => {
            Ok(Opinion { score: Some(i64::from(score)), ..Opinion::default() })
        }
        (true, ..) => Err(WireError::bad_request(say!("{metric} is yes or no; give --success yes or no"))),
        (false, ..) => Err(WireError::bad_request(say!("{metric} is a grade; give --score 1 to 5"))),
    }
}

#[cfg(test)]
mod tests;
