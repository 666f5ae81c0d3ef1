//! Cost and time of a report in relation to those of the first report.

use koab_core::level::Level;
use koab_core::say;
use koab_core::sentence::Sentence;
use koab_report::Report;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Cost and time of a report, divided by those of the first report.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct Effort {
    /// Cost of the run divided by the cost of the first report's run.
    pub usd_times: Option<f64>,
    /// Reason why there is no ratio of costs.
    pub usd_reason: Option<Sentence>,
    /// Mean seconds per task divided by those of the first report.
    pub seconds_times: Option<f64>,
    /// Reason why there is no ratio of times.
    pub seconds_reason: Option<Sentence>,
}

/// Cost and time of a run, and the facts that must be equal for a ratio of two runs.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Taken {
    /// Levels with their numbers of tasks.
    pub(super) tasks: Vec<(Level, Option<usize>)>,
    /// Number of attempts per task.
    pub(super) attempts: u32,
    /// Cost of the run in USD, or the reason why it is not known.
    pub(super) usd: Result<f64, Sentence>,
    /// Mean seconds per task, or the reason why they are not known.
    pub(super) seconds: Result<f64, Sentence>,
}

impl Taken {
    /// Reads what a run took. A run without a manifest has one attempt per task, as published.
    pub(super) fn new(report: &Report, attempts: Option<u32>, usd: Result<f64, Sentence>) -> Self {
        let seconds = report.figure("average_execution_time");
        Self {
            tasks: report.levels.iter().map(|level| (level.level.clone(), level.total_tasks)).collect(),
            attempts: attempts.unwrap_or(1),
            usd,
            seconds: seconds.ok_or_else(|| say!("the report does not say how long its tasks took")),
        }
    }

    /// This run in relation to the first one.
    pub(super) fn beside(&self, first: &Self) -> Effort {
        let other_tasks = (self.tasks != first.tasks).then(|| say!("the two runs have different tasks"));
        let other_attempts = (self.attempts != first.attempts)
            .then(|| say!("the two runs have different numbers of attempts"));
        let (usd_times, usd_reason) =
            ratio(&self.usd, &first.usd, other_tasks.clone().or(other_attempts), || {
                say!("the run of the first report cost nothing")
            });
        let (seconds_times, seconds_reason) =
            ratio(&self.seconds, &first.seconds, other_tasks, || say!("the first report has no time"));
        Effort { usd_times, usd_reason, seconds_times, seconds_reason }
    }
}

/// Ratio of two numbers, or the reason why it is unknown.
fn ratio(
    own: &Result<f64, Sentence>,
    first: &Result<f64, Sentence>,
    unlike: Option<Sentence>,
    of_nothing: impl Fn() -> Sentence,
) -> (Option<f64>, Option<Sentence>) {
    let ratio = match (own, first) {
        (Err(reason), _) | (_, Err(reason)) => Err(reason.clone()),
        (Ok(own), Ok(first)) => match unlike {
            Some(reason) => Err(reason),
            None if *first <= 0.0 => Err(of_nothing()),
            None => Ok(own / first),
        },
    };
    (ratio.as_ref().ok().copied(), ratio.err())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn taken(usd: Option<f64>, seconds: Option<f64>) -> Taken {
        Taken {
            tasks: vec![("L1".parse().unwrap(), Some(11))],
            attempts: 1,
            usd: usd.ok_or_else(|| "no price".into()),
            seconds: seconds.ok_or_else(|| "no time".into()),
        }
    }

    #[test]
    fn a_ratio_needs_both_numbers_of_the_same_tasks_and_attempts() {
        let full = taken(Some(0.5), Some(10.0));
        let other_tasks = Taken { tasks: vec![("L1".parse().unwrap(), Some(10))], ..full.clone() };
        let thrice = Taken { attempts: 3, ..full.clone() };
        let number = |number: f64| (Some(number), None);
        let none = |reason: &str| (None, Some(reason.to_owned()));
        let unlike = "the two runs have different tasks";
        for (own, first, usd, seconds) in [
            (taken(Some(12.0), Some(18.9)), full.clone(), number(24.0), number(1.89)),
            (full.clone(), full.clone(), number(1.0), number(1.0)),
            // A model that costs nothing costs no part of another one.
            (taken(Some(0.0), Some(5.0)), full.clone(), number(0.0), number(0.5)),
            (
                full.clone(),
                taken(Some(0.0), Some(0.0)),
                none("the run of the first report cost nothing"),
                none("the first report has no time"),
            ),
            (taken(None, Some(20.0)), full.clone(), none("no price"), number(2.0)),
            (full.clone(), taken(None, None), none("no price"), none("no time")),
            (full.clone(), other_tasks, none(unlike), none(unlike)),
            (thrice, full, none("the two runs have different numbers of attempts"), number(1.0)),
        ] {
            let found = own.beside(&first);
            let said = |reason: Option<Sentence>| reason.map(|reason| reason.to_string());
            assert_eq!((found.usd_times, said(found.usd_reason)), usd, "{own:?} {first:?}");
            assert_eq!((found.seconds_times, said(found.seconds_reason)), seconds, "{own:?} {first:?}");
        }
    }
}
