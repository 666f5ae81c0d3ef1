//! The table of rules: what two sides are compared by, what a difference weighs, and what is said of it.
//!
//! A side is a run, a report, or the published runs ([`Facts::published`]). One table serves a run against the published
//! ones ([`with_leaderboard`]), one against another ([`between`]), and the conditions that a library keeps of its reports
//! ([`Conditions`]).

mod coverage;
mod pack;
mod recordings;
mod scoring;
mod settings;
#[cfg(test)]
mod tests;

pub use coverage::{left_out, levels_left_out, run_levels};
pub use recordings::{HIT_RATE_COMPARABLE, HIT_RATE_LIMITED, LOST_COMPARABLE, LOST_LIMITED};
pub(super) use recordings::{grade_of_loss, grade_of_misses};
pub use scoring::scores_left_open;
pub(super) use scoring::unscored;

use super::{
    Aspect, Conditions, Fact, Facts, Finding, FindingCode, Grade, Judgement, RUN_ALIKE, RUN_HERE, RunSettings,
};
use crate::say;
use crate::sentence::Sentence;

/// How a run was scored, then how it was made.
pub(super) static TOPICS: [Topic; 10] = [
    scoring::SCORER,
    scoring::JUDGES,
    pack::TASKS,
    pack::TOOLS,
    settings::PROTOCOL,
    settings::SETTINGS,
    recordings::RECORDS,
    recordings::CALLS,
    coverage::COVERAGE,
    coverage::ATTEMPTS,
];

/// Facts that are known together or not at all, and the rules over them.
pub(super) struct Topic {
    aspect: Aspect,
    /// Where it stands in the facts.
    place: &'static str,
    /// Whether it is known, and why not; `None` where it does not matter.
    pub(super) known: fn(&Facts) -> Option<Result<(), Sentence>>,
    /// That it is not known, for a reason.
    unknown: fn(Sentence) -> Sentence,
    /// What to do about that before the leaderboard.
    mend: &'static str,
    pub(super) rules: &'static [Rule],
    /// Whether two sides that differ by its first rule are compared by no other.
    pub(super) first_decides: bool,
}

/// A rule of the table.
pub(super) struct Rule {
    code: FindingCode,
    /// Where what it compares stands in the facts.
    place: &'static str,
    how: How,
}

/// How two sides are compared, and what is said then. Two that differ are told how, and what makes them alike.
enum How {
    /// An option that runs are started with: what it weighs, how it is written, how it departs from the published one.
    Option {
        grade: Grade,
        written: fn(&RunSettings) -> String,
        departs: fn(&RunSettings) -> Sentence,
    },
    /// A text that both sides have alike or not; `None` where it does not matter.
    Text {
        grade: Grade,
        text: fn(&Facts) -> Option<String>,
        departs: fn(&Facts) -> Option<[Sentence; 2]>,
        differ: fn(&Facts, &Facts) -> Sentence,
        alike: &'static str,
    },
    /// Figures or lists that have a measure of their own.
    Measure {
        grade: fn(&Conditions, &Conditions) -> Grade,
        departs: fn(&Facts) -> Vec<Departure>,
        differ: fn(&Facts, &Facts) -> Sentence,
        alike: &'static str,
    },
}

/// How a run departs from the published ones: what it weighs, why, and what to do about it.
type Departure = (Grade, [Sentence; 2]);

/// How far a run or report can be compared with the published leaderboard.
pub fn with_leaderboard(facts: &Facts) -> Judgement {
    let (scoring, running) = TOPICS.split_at(2);
    let topics = running.iter().chain(scoring);
    Judgement::of(topics.flat_map(|topic| topic.departures(facts)).collect())
}

/// How far the numbers of two runs or reports can be compared. Nothing here asks whether either is like the
/// leaderboard's: two runs with the same odd settings are comparable.
pub fn between(one: &Facts, other: &Facts) -> Judgement {
    let differences = Conditions::of(one).differences(&Conditions::of(other));
    let found = differences.into_iter().map(|(topic, rule, grade)| match rule {
        Some(rule) => rule.difference(topic.aspect, grade, one, other),
        None => {
            let unknown = [one, other]
                .into_iter()
                .find_map(|side| (topic.known)(side)?.err());
            topic.not_known(unknown.unwrap_or_default(), RUN_HERE)
        }
    });
    Judgement::of(found.collect())
}

/// Why figures that judges decide are not the same ones in both: known judges that differ, one sentence.
pub fn judges_differ(one: &Facts, other: &Facts) -> Option<Sentence> {
    let rule = scoring::JUDGES.rules.first()?;
    let (first, second) = (rule.text(one)?, rule.text(other)?);
    (first != second).then(|| rule.difference(Aspect::Judges, Grade::Limited, one, other).reason)
}

impl Topic {
    fn not_known(&self, reason: Sentence, remedy: &str) -> Finding {
        Finding {
            code: FindingCode::NotKnown,
            aspect: self.aspect,
            grade: Grade::Limited,
            place: self.place.to_owned(),
            reason: (self.unknown)(reason),
            remedy: remedy.into(),
        }
    }

    fn departures(&self, facts: &Facts) -> Vec<Finding> {
        match (self.known)(facts) {
            None => Vec::new(),
            Some(Err(reason)) => vec![self.not_known(reason, self.mend)],
            Some(Ok(())) => self
                .rules
                .iter()
                .flat_map(|rule| rule.departures(self.aspect, facts))
                .collect(),
        }
    }
}

impl Rule {
    /// A rule that a run breaks by itself, so that it parts no two.
    const fn alone(code: FindingCode, place: &'static str, departs: fn(&Facts) -> Vec<Departure>) -> Self {
        let how = How::Measure {
            grade: |_, _| Grade::Comparable,
            departs,
            differ: |_, _| Sentence::EMPTY,
            alike: "",
        };
        Self { code, place, how }
    }

    /// What both sides are compared by, where that is a text.
    pub(super) fn text(&self, facts: &Facts) -> Option<String> {
        match self.how {
            How::Option { written, .. } => facts.settings.value.as_ref().map(written),
            How::Text { text, .. } => text(facts),
            How::Measure { .. } => None,
        }
    }

    /// What it weighs that two sides differ, whose texts are alike or not; `comparable` where they do not.
    pub(super) fn grade(&self, one: &Conditions, other: &Conditions, alike: bool) -> Grade {
        match self.how {
            How::Measure { grade, .. } => grade(one, other),
            _ if alike => Grade::Comparable,
            How::Option { grade, .. } | How::Text { grade, .. } => grade,
        }
    }

    fn departures(&self, aspect: Aspect, facts: &Facts) -> Vec<Finding> {
        let (text, published) = (self.text(facts), self.text(Facts::published()));
        let found = match &self.how {
            How::Measure { departs, .. } => departs(facts),
            _ if text.is_none() || text == published => Vec::new(),
            _ if text.as_deref() == Some(settings::ALSO_PUBLISHED) => Vec::new(),
            How::Text { grade, departs, .. } => {
                departs(facts).map(|said| (*grade, said)).into_iter().collect()
            }
            How::Option { grade, departs, .. } => {
                let settings = facts.settings.value.iter();
                let remedy = settings::as_published(&published.unwrap_or_default());
                settings
                    .map(|settings| (*grade, [departs(settings), remedy.clone()]))
                    .collect()
            }
        };
        let found = found.into_iter();
        found
            .map(|(grade, said)| self.finding(aspect, grade, said))
            .collect()
    }

    fn difference(&self, aspect: Aspect, grade: Grade, one: &Facts, other: &Facts) -> Finding {
        let said = match self.how {
            How::Text { differ, alike, .. } | How::Measure { differ, alike, .. } => {
                [differ(one, other), alike.into()]
            }
            How::Option { .. } => {
                let [one, other] = [one, other].map(|side| self.text(side).unwrap_or_default());
                [
                    say!("they were started differently: {one}, {other}"),
                    RUN_ALIKE.into(),
                ]
            }
        };
        self.finding(aspect, grade, said)
    }

    fn finding(&self, aspect: Aspect, grade: Grade, [reason, remedy]: [Sentence; 2]) -> Finding {
        Finding {
            code: self.code,
            aspect,
            grade,
            place: self.place.to_owned(),
            reason,
            remedy,
        }
    }
}

/// A departure, if it is one.
fn when(is: bool, grade: Grade, reason: impl FnOnce() -> Sentence, remedy: &str) -> Vec<Departure> {
    let departure = is.then(|| (grade, [reason(), remedy.into()]));
    departure.into_iter().collect()
}

/// Whether a fact is known, and why not.
fn known<T>(fact: &Fact<T>) -> Option<Result<(), Sentence>> {
    Some(fact.get().map(drop).map_err(Clone::clone))
}
