//! Table of all differences between the two scorers, for documents and screens.
//!
//! `docs/spec/metrics.md` §11 has the reasons and the number of published results that each
//! affects.

use super::MetricId::{
    self, AdaptiveRoutingScore, ArgAcc, CallEm, ContextRetention, Coverage, DeltaStepsNorm, EffScore, EprCvr,
    FallbackSr, ProvAcc, RedundantCallRate, RefRecall, ReuseRate, SourceEpr, Sr,
};
use serde::Serialize;

/// A difference between the two scorers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Difference {
    /// Stable name.
    pub id: &'static str,
    /// Affected metrics; empty means all.
    pub metrics: &'static [MetricId],
    /// Rule of the leaderboard scorer.
    pub leaderboard: &'static str,
    /// Rule of the corrected scorer.
    pub corrected: &'static str,
}

const JUDGED: &[MetricId] = &[Sr, ArgAcc, EffScore, ContextRetention, RefRecall];

/// All differences between the leaderboard scorer and the corrected scorer.
pub const DIFFERENCES: &[Difference] = &[
    Difference {
        id: "judged-question",
        metrics: &[Sr, EffScore],
        leaderboard: "judges compare the answer with the first user turn, also on L6 and L7",
        corrected: "judges compare the answer of a conversation with its last user turn",
    },
    Difference {
        id: "golden-context",
        metrics: &[Sr],
        leaderboard: "judges are told that no tool results are known",
        corrected: "judges see the decisive fields of the results where the dataset names them",
    },
    Difference {
        id: "level-of-file",
        metrics: &[Sr],
        leaderboard: "the rule that an L5 task needs a fallback reads the task's own level, which L5-016 lacks",
        corrected: "the level is that of the file",
    },
    Difference {
        id: "seeded-answer",
        metrics: &[Sr, EffScore, ContextRetention, RefRecall],
        leaderboard: "the dataset's own answer is judged when the model gave none",
        corrected: "an answer that was seeded is not an answer",
    },
    Difference {
        id: "no-call",
        metrics: &[EprCvr],
        leaderboard: "0.0 for a task without calls",
        corrected: "unscored for a task without calls",
    },
    Difference {
        id: "injected-failure",
        metrics: &[EprCvr],
        leaderboard: "the injected failure counts as an invalid call",
        corrected: "failed calls to the injected tool are left out",
    },
    Difference {
        id: "argument-defaults",
        metrics: &[CallEm],
        leaderboard: "an argument given at its default differs from one left out",
        corrected: "defaults of `arg_schema` are filled in on both sides",
    },
    Difference {
        id: "least-steps",
        metrics: &[DeltaStepsNorm],
        leaderboard: "max(0, 1 − (calls − m)/m), 0.0 below m, m being `minimum_steps`",
        corrected: "min(1, m/calls), 0.0 without calls, m being at least the number of golden calls",
    },
    Difference {
        id: "provenance",
        metrics: &[ProvAcc],
        leaderboard: "steps are model turns, names are looked up at the top of a result, a list raises an error",
        corrected: "calls are found by the golden step's tool, values by path or by name at any depth; unscored \
                    without a data flow",
    },
    Difference {
        id: "results-that-count",
        metrics: &[Coverage, SourceEpr],
        leaderboard: "an object counts only by `items`, `places` or `total_count`",
        corrected: "an object without these keys counts when it is not empty",
    },
    Difference {
        id: "no-injection",
        metrics: &[AdaptiveRoutingScore, FallbackSr],
        leaderboard: "without an injected failure the first is left out of the mean and the second is 0.0",
        corrected: "both are unscored without an injected failure",
    },
    Difference {
        id: "reuse-formula",
        metrics: &[ReuseRate],
        leaderboard: "credited chances / chances; a reused call must have been made once in the tested turn",
        corrected: "reused / (reused + redundant); a seeded result counts as made; unscored when both are 0",
    },
    Difference {
        id: "seeded-repeats",
        metrics: &[RedundantCallRate],
        leaderboard: "only repeats within the tested turn are redundant, and the rate may be negative",
        corrected: "repeats of seeded calls are redundant too, and the rate stops at 0.0",
    },
    Difference {
        id: "no-chance",
        metrics: &[RedundantCallRate, ReuseRate],
        leaderboard: "1.0 and 0.0 for a task without a chance to reuse",
        corrected: "unscored for a task without a chance to reuse",
    },
    Difference {
        id: "answer-without-call",
        metrics: &[EffScore],
        leaderboard: "0.0 when a fulfilled request needed no call",
        corrected: "1.0 when a fulfilled request needed no call",
    },
    Difference {
        id: "least-calls",
        metrics: &[EffScore],
        leaderboard: "the least number of calls is counted from the golden path",
        corrected: "the dataset's `minimum_calls` is taken where it is known",
    },
    Difference {
        id: "failed-judge",
        metrics: JUDGED,
        leaderboard: "a failed judge counts as no success or grade 1",
        corrected: "the task is unscored and leaves its level without a mean, unless the other votes decide",
    },
    Difference {
        id: "metric-error",
        metrics: &[],
        leaderboard: "a metric that raises an error counts as 0.0",
        corrected: "unscored with the error as the reason",
    },
    Difference {
        id: "technical-failure",
        metrics: &[],
        leaderboard: "an attempt that ended with a dead server or a time limit scores as the model's",
        corrected: "such an attempt is unscored with the error as the reason",
    },
    Difference {
        id: "not-recorded",
        metrics: &[EprCvr],
        leaderboard: "a call that the pack has no cached response for is an invalid call",
        corrected: "such a call is left out",
    },
    Difference {
        id: "nothing-left",
        metrics: &[],
        leaderboard: "a mean over no task is 0.0",
        corrected: "a mean over no task is unscored",
    },
    Difference {
        id: "empty-cells",
        metrics: &[],
        leaderboard: "the summary table holds 0.0000 for a metric that the level does not have",
        corrected: "the cell is empty",
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique() {
        let mut ids: Vec<_> = DIFFERENCES.iter().map(|difference| difference.id).collect();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), DIFFERENCES.len());
    }
}
