//! A topic of the table and a rule of it: how two sides are compared, and how one departs from the
//! published runs.

use crate::comparability::{
    Aspect, Caveat, Conditions, Fact, Facts, FindingCode, Grade, MERGE_SHARDS, NOT_MERGED, RUN_ALIKE,
    RunSettings,
};
use koab_core::say;
use koab_core::sentence::Sentence;

/// Facts that are known together or not at all, and the rules over them.
pub(in crate::comparability) struct Topic {
    pub(in crate::comparability) aspect: Aspect,
    /// Where it stands in the facts.
    pub(super) place: &'static str,
    /// Whether it is known, and why not; `None` where it does not matter.
    pub(in crate::comparability) known: fn(&Facts) -> Option<Result<(), Sentence>>,
    /// That it is not known, for a reason.
    pub(super) unknown: fn(Sentence) -> Sentence,
    /// What to do about that before the leaderboard.
    pub(super) mend: &'static str,
    pub(in crate::comparability) rules: &'static [Rule],
    /// Whether two sides that differ by its first rule are compared by no other.
    pub(in crate::comparability) first_decides: bool,
}

/// A rule of the table.
pub(in crate::comparability) struct Rule {
    pub(super) code: FindingCode,
    /// Where what it compares stands in the facts.
    pub(super) place: &'static str,
    pub(super) method: Method,
}

/// How two sides are compared, and what is said then. Two that differ are told how, and what makes
/// them alike.
pub(super) enum Method {
    /// An option that runs are started with: what it weighs, how it is written, how it departs from
    /// the published one.
    Option { grade: Grade, written: fn(&RunSettings) -> String, departs: fn(&RunSettings) -> Sentence },
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
pub(super) type Departure = (Grade, [Sentence; 2]);

/// What one of the published runs, that of gpt-5, was started with.
pub(super) const ALSO_PUBLISHED: &str = "--effort low";

impl Topic {
    pub(super) fn not_known(&self, reason: Sentence, remedy: &str) -> Caveat {
        Caveat {
            code: FindingCode::NotKnown,
            aspect: self.aspect,
            grade: Grade::Limited,
            place: self.place.to_owned(),
            reason: (self.unknown)(reason),
            remedy: remedy.into(),
        }
    }

    pub(super) fn departures(&self, facts: &Facts) -> Vec<Caveat> {
        match (self.known)(facts) {
            None => Vec::new(),
            Some(Err(reason)) => {
                let waits = reason == NOT_MERGED;
                let mend = if waits { MERGE_SHARDS } else { self.mend };
                vec![self.not_known(reason, mend)]
            }
            Some(Ok(())) => self.rules.iter().flat_map(|rule| rule.departures(self.aspect, facts)).collect(),
        }
    }
}

impl Rule {
    /// A rule that a run breaks by itself, so that it parts no two.
    pub(super) const fn alone(
        code: FindingCode,
        place: &'static str,
        departs: fn(&Facts) -> Vec<Departure>,
    ) -> Self {
        let method = Method::Measure {
            grade: |_, _| Grade::Comparable,
            departs,
            differ: |_, _| Sentence::EMPTY,
            alike: "",
        };
        Self { code, place, method }
    }

    /// What both sides are compared by, where that is a text.
    pub(in crate::comparability) fn text(&self, facts: &Facts) -> Option<String> {
        match self.method {
            Method::Option { written, .. } => facts.settings.value.as_ref().map(written),
            Method::Text { text, .. } => text(facts),
            Method::Measure { .. } => None,
        }
    }

    /// What it weighs that two sides differ, whose texts are alike or not; `comparable` where they
    /// do not.
    pub(in crate::comparability) fn grade(&self, one: &Conditions, other: &Conditions, alike: bool) -> Grade {
        match self.method {
            Method::Measure { grade, .. } => grade(one, other),
            _ if alike => Grade::Comparable,
            Method::Option { grade, .. } | Method::Text { grade, .. } => grade,
        }
    }

    pub(super) fn departures(&self, aspect: Aspect, facts: &Facts) -> Vec<Caveat> {
        let (text, published) = (self.text(facts), self.text(Facts::published()));
        let found = match &self.method {
            Method::Measure { departs, .. } => departs(facts),
            _ if text.is_none() || text == published => Vec::new(),
            _ if text.as_deref() == Some(ALSO_PUBLISHED) => Vec::new(),
            Method::Text { grade, departs, .. } => {
                departs(facts).map(|said| (*grade, said)).into_iter().collect()
            }
            Method::Option { grade, departs, .. } => {
                let settings = facts.settings.value.iter();
                let remedy = as_published(&published.unwrap_or_default());
                settings.map(|settings| (*grade, [departs(settings), remedy.clone()])).collect()
            }
        };
        let found = found.into_iter();
        found.map(|(grade, said)| self.finding(aspect, grade, said)).collect()
    }

    pub(super) fn difference(&self, aspect: Aspect, grade: Grade, one: &Facts, other: &Facts) -> Caveat {
        let said = match self.method {
            Method::Text { differ, alike, .. } | Method::Measure { differ, alike, .. } => {
                [differ(one, other), alike.into()]
            }
            Method::Option { .. } => {
                let [one, other] = [one, other].map(|side| self.text(side).unwrap_or_default());
                [say!("they were started differently: {one}, {other}"), RUN_ALIKE.into()]
            }
        };
        self.finding(aspect, grade, said)
    }

    pub(super) fn finding(&self, aspect: Aspect, grade: Grade, [reason, remedy]: [Sentence; 2]) -> Caveat {
        Caveat { code: self.code, aspect, grade, place: self.place.to_owned(), reason, remedy }
    }
}

/// A departure, if it is one.
pub(super) fn when(
    is: bool,
    grade: Grade,
    reason: impl FnOnce() -> Sentence,
    remedy: &str,
) -> Vec<Departure> {
    let departure = is.then(|| (grade, [reason(), remedy.into()]));
    departure.into_iter().collect()
}

/// Whether a fact is known, and why not.
pub(super) fn known<T>(fact: &Fact<T>) -> Option<Result<(), Sentence>> {
    Some(fact.get().map(drop).map_err(Clone::clone))
}

/// To run again with an option as the published runs had it.
pub(super) fn as_published(written: &str) -> Sentence {
    let without = written.strip_prefix("no ").or_else(|| written.strip_suffix(" -"));
    match without {
        Some(option) => say!("run again without {option}", option = format!("`{option}`")),
        None => say!("run again with {option}", option = format!("`{written}`")),
    }
}
