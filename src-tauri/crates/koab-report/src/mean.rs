//! Mean of a metric over a level, with the counts behind it (`docs/spec/metrics.md` §2.1).

use koab_core::measured::Figure;
use koab_core::protocol::Protocol;
use koab_core::python::naive_sum;
use koab_core::reason::Reason;
use koab_core::score::{Metric, MetricId, Score};
use koab_core::sentence::Sentence;
use serde::{Deserialize, Serialize};

/// Mean of a metric over the tasks of a level.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LevelMean {
    /// Metric of the mean.
    pub metric: MetricId,
    /// Value of the mean, or the reason for its absence.
    #[serde(flatten)]
    pub figure: Figure,
    /// Number of tasks in the mean, errors included; `None` where the file does not contain it.
    pub scored: Option<usize>,
    /// Number of tasks in the mean on which the metric raised an error, which counts as 0.0.
    pub errored: usize,
    /// Number of tasks without a score.
    pub unscored: usize,
    /// Number of tasks that the metric does not apply to.
    pub not_applicable: usize,
    /// Reasons why tasks have no score, each with its number of tasks, in order of first
    /// appearance.
    pub unscored_reasons: Vec<(Sentence, usize)>,
}

impl LevelMean {
    /// Creates a mean without any known score.
    fn new(metric: MetricId) -> Self {
        Self {
            metric,
            figure: Err(Sentence::EMPTY).into(),
            scored: None,
            errored: 0,
            unscored: 0,
            not_applicable: 0,
            unscored_reasons: Vec::new(),
        }
    }

    /// Creates a mean from a file, without single scores. Under the published rules a mean with a
    /// value covers all evaluated tasks.
    pub(super) fn from_file(metric: MetricId, value: Option<f64>, evaluated: Option<usize>) -> Self {
        let mut mean = Self::new(metric);
        mean.scored = evaluated.filter(|_| value.is_some());
        mean.set(value);
        mean
    }

    /// Computes the mean as the published code does: summed from left to right without
    /// compensation.
    ///
    /// Under the leaderboard rules, a level with an unscored task has no mean, since a mean over
    /// fewer tasks would look like the published figure. For a judged metric this is so under both
    /// rules: tasks that need no judge are the failed ones, so a mean without the judged tasks
    /// would be too low. Otherwise an unscored task is left out, because it has nothing to measure.
    pub(super) fn compute<'a>(
        metric: &Metric,
        scorer: Protocol,
        scores: impl Iterator<Item = &'a Score>,
    ) -> Self {
        let mut mean = Self::new(metric.id);
        let mut values = Vec::new();
        for score in scores {
            match score {
                Score::Scored { .. } => {}
                Score::Errored { .. } => mean.errored += 1,
                Score::NotApplicable { .. } => mean.not_applicable += 1,
                Score::Unscored { reason } => mean.count_unscored(reason),
            }
            values.extend(score.value());
        }
        mean.scored = Some(values.len());
        let needs_all = scorer == Protocol::Leaderboard || metric.is_judged();
        let value = match (scorer, values.len()) {
            _ if needs_all && mean.unscored > 0 => None,
            (Protocol::Leaderboard, 0) => Some(0.0),
            (Protocol::Corrected, 0) => None,
            (_, count) => Some(naive_sum(values) / count as f64),
        };
        mean.set(value);
        mean
    }

    /// SR over the items of a group of another benchmark. Each item has its score and whether it is
    /// settled.
    ///
    /// An item without a score is settled if the rules leave it out or a judge gave no verdict;
    /// such an item is in no mean. It is not settled if its attempt failed or no judge was called;
    /// then the group has no mean.
    pub fn of_items<'a>(items: impl Iterator<Item = (&'a Score, bool)>) -> Self {
        let mut mean = Self::new(MetricId::Sr);
        let (settled, open): (Vec<_>, Vec<_>) = items.partition(|(_, is_settled)| *is_settled);
        // Unsettled items come first, since their reason explains the missing mean.
        for (score, _) in open.iter().chain(&settled) {
            if let Score::Unscored { reason } = score {
                mean.count_unscored(reason);
            }
        }
        let is_open = mean.unscored > 0 && open.iter().any(|(score, _)| score.value().is_none());
        let values: Vec<f64> = settled.iter().chain(&open).filter_map(|(score, _)| score.value()).collect();
        mean.scored = Some(values.len());
        let count = values.len();
        mean.set((!is_open && count > 0).then(|| naive_sum(values) / count as f64));
        mean
    }

    /// RRR: share of tasks with an answer. All tasks count.
    pub(super) fn of_answers(answered: usize, tasks: usize) -> Self {
        let share = if tasks == 0 { 0.0 } else { answered as f64 / tasks as f64 };
        Self::from_file(MetricId::Rrr, Some(share), Some(tasks))
    }

    fn count_unscored(&mut self, reason: &Sentence) {
        self.unscored += 1;
        match self.unscored_reasons.iter_mut().find(|(known, _)| known == reason) {
            Some((_, count)) => *count += 1,
            None => self.unscored_reasons.push((reason.clone(), 1)),
        }
    }

    /// Sets the mean. If it has no value, the counts give the reason.
    pub(super) fn set(&mut self, value: Option<f64>) {
        self.figure = value.ok_or_else(|| self.explain()).into();
    }

    /// Reason why there is no mean, from the counts.
    fn explain(&self) -> Sentence {
        let Some((reason, count)) = self.unscored_reasons.first() else {
            let is_known = self.scored == Some(0) && self.unscored == 0;
            return Sentence::from(if is_known { Reason::NoTaskOfMetric {} } else { Reason::FileSilent {} });
        };
        let Some(scored) = self.scored else {
            return reason.clone();
        };
        let tasks = scored + self.unscored + self.not_applicable;
        if *count == tasks {
            reason.clone()
        } else {
            let some = Reason::SomeUnscored {
                unscored: self.unscored.to_string(),
                tasks: tasks.to_string(),
                reason: reason.clone(),
            };
            some.into()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use koab_core::level::Level;
    use koab_core::score::{MetricSet, metrics_of};
    use serde_json::json;

    fn registered(id: MetricId) -> &'static Metric {
        metrics_of(&Level::L1, MetricSet::All).find(|metric| metric.id == id).unwrap()
    }

    #[test]
    fn an_item_that_is_settled_without_a_score_leaves_its_group_a_mean() {
        let [one, zero] = [1.0, 0.0].map(|value| Score::scored(value, json!({})));
        let none = Score::unscored(Reason::NoToolCalled {});
        for (items, mean, scored, unscored) in [
            (vec![(&one, true), (&zero, true)], Some(0.5), 2, 0),
            (vec![(&one, true), (&none, true)], Some(1.0), 1, 1),
            (vec![(&one, true), (&none, false)], None, 1, 1),
            (vec![(&one, false)], Some(1.0), 1, 0),
            (vec![(&none, true)], None, 0, 1),
            (vec![], None, 0, 0),
        ] {
            let found = LevelMean::of_items(items.iter().copied());
            assert_eq!(found.figure.value(), mean, "{items:?}");
            assert_eq!((found.scored, found.unscored), (Some(scored), unscored), "{items:?}");
        }
    }

    #[test]
    fn a_missing_score_is_never_counted_as_zero() {
        let one = Score::scored(1.0, json!({}));
        let none = Score::unscored(Reason::NoToolCalled {});
        let error = Score::Errored { error: "x".to_owned() };
        let other = Score::NotApplicable { details: json!({}) };
        for (scores, leaderboard, corrected, judged) in [
            (vec![&one, &error], Some(0.5), Some(0.5), Some(0.5)),
            (vec![&one, &other], Some(1.0), Some(1.0), Some(1.0)),
            (vec![&one, &none], None, Some(1.0), None),
            (vec![&none], None, None, None),
            (vec![&other], Some(0.0), None, None),
        ] {
            let mean = |id, scorer| {
                LevelMean::compute(registered(id), scorer, scores.iter().copied()).figure.value()
            };
            assert_eq!(mean(MetricId::EprCvr, Protocol::Leaderboard), leaderboard, "{scores:?}");
            assert_eq!(mean(MetricId::EprCvr, Protocol::Corrected), corrected, "{scores:?}");
            assert_eq!(mean(MetricId::Sr, Protocol::Corrected), judged, "{scores:?}");
        }
        let mean =
            LevelMean::compute(registered(MetricId::Sr), Protocol::Leaderboard, [&one, &none].into_iter());
        assert_eq!(*mean.figure.reason().unwrap(), "1 of 2 tasks are unscored: no tool was called");
        assert_eq!((mean.scored, mean.unscored), (Some(1), 1));
    }
}
