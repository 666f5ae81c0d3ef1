//! Expected calls, cost and time of work that is still to be done, for sweeps and gates.

use koab_library::{Estimate, JudgeEstimate};
use koab_runs::DryRun;
use serde::Serialize;

/// Expected cost of attempts and of judging them.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Cost {
    /// Model calls and judge calls; null where not known.
    pub calls: Option<f64>,
    /// USD of model calls and judge calls; null where the calls or a price are not known.
    pub usd: Option<f64>,
    /// Expected minutes; null where not known. Judging takes no additional time, because judges
    /// answer while attempts are made.
    pub minutes: Option<f64>,
}

impl Cost {
    /// No calls and no cost.
    pub(crate) const NOTHING: Self = Self { calls: Some(0.0), usd: Some(0.0), minutes: Some(0.0) };

    /// Cost of attempts without judging. Without an estimate the cost is not known, except for a
    /// baseline, which makes no API calls.
    pub(crate) fn of_attempts(model: &str, estimate: Option<&Estimate>) -> Self {
        match estimate {
            Some(estimate) => {
                Self { calls: Some(estimate.calls), usd: estimate.usd, minutes: estimate.minutes }
            }
            None if model.starts_with("baseline/") => Self::NOTHING,
            None => Self { calls: None, usd: None, minutes: None },
        }
    }

    /// Cost of judging.
    pub(crate) fn of_judges(judges: &[JudgeEstimate]) -> Self {
        Self {
            calls: Some(judges.iter().map(|judge| judge.calls).sum()),
            usd: judges.iter().map(|judge| judge.usd).sum(),
            minutes: Some(0.0),
        }
    }

    /// Cost of a run and of judging it.
    pub(crate) fn of_run(left: &DryRun) -> Self {
        let attempts = Self::of_attempts(&left.model, left.estimate.as_ref());
        attempts.and(Self::of_judges(&left.judges))
    }

    /// Sum of two costs. A figure of the sum is known only if it is known of both costs.
    pub(crate) fn and(self, other: Self) -> Self {
        let sum = |one: Option<f64>, other: Option<f64>| one.zip(other).map(|(one, other)| one + other);
        Self {
            calls: sum(self.calls, other.calls),
            usd: sum(self.usd, other.usd),
            minutes: sum(self.minutes, other.minutes),
        }
    }

    /// Cost multiplied by a factor.
    pub(crate) fn times(self, factor: f64) -> Self {
        let times = |part: Option<f64>| part.map(|part| part * factor);
        Self { calls: times(self.calls), usd: times(self.usd), minutes: times(self.minutes) }
    }
}

/// Sum of the costs of runs. Runs whose cost is not known are only counted; the sum is then a lower
/// bound.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct CostSum {
    pub(crate) calls: f64,
    pub(crate) usd: Option<f64>,
    pub(crate) minutes: f64,
    pub(crate) unknown: u32,
}

impl CostSum {
    pub(crate) fn from_costs(costs: impl Iterator<Item = Cost>) -> Self {
        let mut sum = Self { calls: 0.0, usd: Some(0.0), minutes: 0.0, unknown: 0 };
        for cost in costs {
            let (Some(calls), Some(minutes)) = (cost.calls, cost.minutes) else {
                sum.unknown += 1;
                continue;
            };
            sum.calls += calls;
            sum.minutes += minutes;
            sum.usd = sum.usd.zip(cost.usd).map(|(sum, usd)| sum + usd);
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cost(calls: f64, usd: Option<f64>) -> Cost {
        let estimate = Estimate { calls, usd, minutes: Some(2.0), ..Estimate::default() };
        Cost::of_attempts("openai/x", Some(&estimate))
    }

    #[test]
    fn what_nothing_is_known_of_is_no_nothing() {
        let unknown = Cost::of_attempts("openai/x", None);
        assert_eq!((unknown.calls, unknown.usd, unknown.minutes), (None, None, None));
        assert_eq!(Cost::of_attempts("baseline/golden", None), Cost::NOTHING);
        let sum = CostSum::from_costs([cost(3.0, Some(0.5)), unknown, cost(4.0, Some(0.25))].into_iter());
        assert_eq!((sum.calls, sum.usd, sum.minutes, sum.unknown), (7.0, Some(0.75), 4.0, 1));
        assert_eq!(unknown.and(Cost::NOTHING), unknown);
    }

    #[test]
    fn a_price_that_is_not_known_leaves_the_calls_known() {
        let sum = CostSum::from_costs([cost(3.0, None), cost(4.0, Some(0.25))].into_iter());
        assert_eq!((sum.calls, sum.usd, sum.unknown), (7.0, None, 0));
        assert_eq!(cost(3.0, Some(0.5)).times(2.0).usd, Some(1.0));
    }
}
