//! The table of rules: what two sides are compared by, what a difference weighs, and what is said
//! of it.
//!
//! A side is a run, a report, or the published runs ([`Facts::published`]). One table serves a run
//! against the published ones ([`with_leaderboard`]), one against another ([`between`]), and the
//! conditions that a library keeps of its reports ([`super::Conditions`]).

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

/// How far a run or report can be compared with the published leaderboard.
pub fn with_leaderboard(facts: &Facts) -> Judgement {
    if let Some(other) = pack::other_benchmark(facts) {
        // Nothing else of it can be like or unlike the published runs.
        return Judgement::new(vec![other]);
    }
    let (scoring, running) = TOPICS.split_at(2);
    let topics = running.iter().chain(scoring);
    Judgement::new(topics.flat_map(|topic| topic.departures(facts)).collect())
}

/// How far the numbers of two runs or reports can be compared. Nothing here asks whether either is
/// like the leaderboard's: two runs with the same odd settings are comparable.
pub fn between(one: &Facts, other: &Facts) -> Judgement {
    let found = differences(one, other).into_iter().map(|(topic, rule, grade)| match rule {
        Some(rule) => rule.difference(topic.aspect, grade, one, other),
        None => {
            let unknown = [one, other].into_iter().find_map(|side| (topic.known)(side)?.err());
            topic.not_known(unknown.unwrap_or_default(), RUN_HERE)
        }
    });
    Judgement::new(found.collect())
}

/// Why figures that judges decide are not the same ones in both: known judges that differ, one
/// sentence.
pub fn judges_differ(one: &Facts, other: &Facts) -> Option<Sentence> {
    let rule = scoring::JUDGES.rules.first()?;
    let (first, second) = (rule.text(one)?, rule.text(other)?);
    let rule = match first == second {
        false => rule,
        true if scoring::are_at_different_addresses(one, other) => &scoring::JUDGES_AT,
        true => return None,
    };
    Some(rule.difference(Aspect::Judges, Grade::Limited, one, other).reason)
}
