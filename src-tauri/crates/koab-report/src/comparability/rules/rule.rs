//! Topics and rules of the table: the comparison of two sides, and the departure of one side from
//! the published runs.

use crate::comparability::{
    Aspect, Caveat, Conditions, Fact, Facts, FindingCode, Grade, MERGE_SHARDS, NOT_MERGED, RUN_ALIKE,
    RunSettings,
};
use koab_core::say;
use koab_core::sentence::Sentence;

/// Facts that are known together or not at all, with the rules over them.
pub(in crate::comparability) struct Topic {
    pub(in crate::comparability) aspect: Aspect,
    /// Path of the facts in [`Facts`].
    pub(super) place: &'static str,
    /// Whether the facts are known, with the reason if not; `None` where the topic does not apply.
    pub(in crate::comparability) known: fn(&Facts) -> Option<Result<(), Sentence>>,
    /// Sentence that says that the facts are unknown, from the reason.
    pub(super) unknown: fn(Sentence) -> Sentence,
    /// Remedy for unknown facts in the comparison with the leaderboard.
    pub(super) mend: &'static str,
    pub(in crate::comparability) rules: &'static [Rule],
    /// Whether a difference by the topic's first rule makes its other rules irrelevant.
    pub(in crate::comparability) first_decides: bool,
}

/// A rule of the table.
pub(in crate::comparability) struct Rule {
    pub(super) code: FindingCode,
    /// Path of the compared fact in [`Facts`].
    pub(super) place: &'static str,
    pub(super) method: Method,
}

/// Comparison of two sides, with its sentences: a difference has a description and a remedy that
/// makes both alike.
pub(super) enum Method {
    /// Option that runs are started with: weight of a difference, notation of the option, sentence
    /// about a departure from the published one.
    Option { grade: Grade, written: fn(&RunSettings) -> String, departs: fn(&RunSettings) -> Sentence },
    /// Text that is the same on both sides or not; `None` where it does not apply.
    Text {
        grade: Grade,
        text: fn(&Facts) -> Option<String>,
        departs: fn(&Facts) -> Option<[Sentence; 2]>,
        differ: fn(&Facts, &Facts) -> Sentence,
        alike: &'static str,
    },
    /// Figures or lists with a measure of their own.
    Measure {
        grade: fn(&Conditions, &Conditions) -> Grade,
        departs: fn(&Facts) -> Vec<Departure>,
        differ: fn(&Facts, &Facts) -> Sentence,
        alike: &'static str,
    },
}

/// Departure of a run from the published ones: weight, reason and remedy.
pub(super) type Departure = (Grade, [Sentence; 2]);

/// Option of one published run, that of gpt-5.
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
    /// Rule about one run alone; it never makes a difference between two runs.
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

    /// Text that both sides are compared by; `None` if the rule compares no text.
    pub(in crate::comparability) fn text(&self, facts: &Facts) -> Option<String> {
        match self.method {
            Method::Option { written, .. } => facts.settings.value.as_ref().map(written),
            Method::Text { text, .. } => text(facts),
            Method::Measure { .. } => None,
        }
    }

    /// Weight of the difference between two sides; `comparable` where they do not differ. `alike`
    /// says whether their texts are equal.
    pub(in crate::comparability) fn grade(&self, one: &Conditions, other: &Conditions, alike: bool) -> Grade {
        match self.method {
            Method::Measure { grade, .. } => grade(one, other),
            _ if alike => Grade::Comparable,
            Method::Option { grade, .. } | Method::Text { grade, .. } => grade,
        }
    }

    pub(super) fn departures(&self, aspect: Aspect, facts: &Facts) -> Vec<Caveat> {
        let (text, published) = (self.text(facts), self.text(Facts::published()));
        let departures = match &self.method {
            Method::Measure { departs, .. } => departs(facts),
            _ if text.is_none() || text == published => Vec::new(),
            _ if text.as_deref() == Some(ALSO_PUBLISHED) => Vec::new(),
            Method::Text { grade, departs, .. } => {
                departs(facts).map(|sentences| (*grade, sentences)).into_iter().collect()
            }
            Method::Option { grade, departs, .. } => {
                let settings = facts.settings.value.iter();
                let remedy = as_published(&published.unwrap_or_default());
                settings.map(|settings| (*grade, [departs(settings), remedy.clone()])).collect()
            }
        };
        let departures = departures.into_iter();
        departures.map(|(grade, sentences)| self.finding(aspect, grade, sentences)).collect()
    }

    pub(super) fn difference(&self, aspect: Aspect, grade: Grade, one: &Facts, other: &Facts) -> Caveat {
        let sentences = match self.method {
            Method::Text { differ, alike, .. } | Method::Measure { differ, alike, .. } => {
                [differ(one, other), alike.into()]
            }
            Method::Option { .. } => {
                let [one, other] = [one, other].map(|side| self.text(side).unwrap_or_default());
                [say!("they were started differently: {one}, {other}"), RUN_ALIKE.into()]
            }
        };
        self.finding(aspect, grade, sentences)
    }

    pub(super) fn finding(&self, aspect: Aspect, grade: Grade, [reason, remedy]: [Sentence; 2]) -> Caveat {
        Caveat { code: self.code, aspect, grade, place: self.place.to_owned(), reason, remedy }
    }
}

/// Departure, if the condition holds.
pub(super) fn when(
    is: bool,
    grade: Grade,
    reason: impl FnOnce() -> Sentence,
    remedy: &str,
) -> Vec<Departure> {
    let departure = is.then(|| (grade, [reason(), remedy.into()]));
    departure.into_iter().collect()
}

/// Whether a fact is known, with the reason if not.
pub(super) fn known<T>(fact: &Fact<T>) -> Option<Result<(), Sentence>> {
    Some(fact.get().map(drop).map_err(Clone::clone))
}

/// Remedy: run again with an option as in the published runs.
pub(super) fn as_published(written: &str) -> Sentence {
    let without = written.strip_prefix("no ").or_else(|| written.strip_suffix(" -"));
    match without {
        Some(option) => say!("run again without {option}", option = format!("`{option}`")),
        None => say!("run again with {option}", option = format!("`{written}`")),
    }
}
