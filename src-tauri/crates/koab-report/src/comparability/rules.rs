//! Table of rules: each rule has a fact that is compared, the weight of a difference, and its
//! sentences.
//!
//! A side is a run, a report, or the published runs ([`Facts::published`]). One table serves the
//! comparison of a run with the published runs ([`with_leaderboard`]), of two runs ([`between`]),
//! and of the conditions that a library stores for its reports ([`super::Conditions`]).

mod changes;
mod coverage;
mod pack;
mod recordings;
mod rule;
mod scoring;
mod settings;
mod table;
#[cfg(test)]
mod tests;

pub use coverage::{left_out, levels_left_out, run_levels};
pub(super) use rule::{Rule, Topic};
pub use scoring::scores_left_open;
pub(super) use scoring::unscored;
pub(super) use table::TOPICS;

use super::differences::differences;
use super::{Aspect, Facts, Grade, Judgement, RUN_HERE};
use koab_core::sentence::Sentence;

/// Comparability of a run or report with the published leaderboard.
pub fn with_leaderboard(facts: &Facts) -> Judgement {
    if let Some(other) = pack::other_benchmark(facts) {
        // No other fact of such a run can be compared with the published runs.
        return Judgement::new(vec![other]);
    }
    let (scoring, running) = TOPICS.split_at(2);
    let topics = running.iter().chain(scoring);
    Judgement::new(topics.flat_map(|topic| topic.departures(facts)).collect())
}

/// Comparability of two runs or reports. They need not be comparable with the leaderboard: two runs
/// with the same unusual settings are comparable.
pub fn between(one: &Facts, other: &Facts) -> Judgement {
    let findings = differences(one, other).into_iter().map(|(topic, rule, grade)| match rule {
        Some(rule) => rule.difference(topic.aspect, grade, one, other),
        None => {
            let unknown = [one, other].into_iter().find_map(|side| (topic.known)(side)?.err());
            topic.not_known(unknown.unwrap_or_default(), RUN_HERE)
        }
    });
    Judgement::new(findings.collect())
}

/// Sentence with the reason why figures that judges decide are not comparable: the judges of both
/// sides are known and differ.
pub fn judges_differ(one: &Facts, other: &Facts) -> Option<Sentence> {
    let rule = scoring::JUDGES.rules.first()?;
    let (first, second) = (rule.text(one)?, rule.text(other)?);
    let rule = if first != second {
        rule
    } else if scoring::are_at_different_addresses(one, other) {
        &scoring::JUDGES_AT
    } else {
        return None;
    };
    Some(rule.difference(Aspect::Judges, Grade::Limited, one, other).reason)
}
