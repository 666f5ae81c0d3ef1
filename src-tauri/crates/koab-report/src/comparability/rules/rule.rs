//! Types for the table of rules. A rule compares two sides, and describes how a run departs from
//! the published runs.

use crate::comparability::{
    Aspect, Caveat, Conditions, Fact, Facts, FindingCode, Grade, MERGE_SHARDS, NOT_MERGED, RUN_ALIKE,
    SettingsFacts,
};
use koab_core::say;
use koab_core::sentence::Sentence;

/// Group of facts that are known together or not at all, with the rules that compare them.
pub(in crate::comparability) struct Topic {
    pub(in crate::comparability) aspect: Aspect,
    /// Path of the facts in [`Facts`].
    pub(super) place: &'static str,
    /// Whether the facts are known, with the reason if not; `None` where the topic does not apply.
    pub(in crate::comparability) known: fn(&Facts) -> Option<Result<(), Sentence>>,
    /// Creates the sentence for unknown facts from the reason.
    pub(super) unknown: fn(Sentence) -> Sentence,
    /// Remedy when the facts are unknown in a comparison with the leaderboard.
    pub(super) mend: &'static str,
    pub(in crate::comparability) rules: &'static [Rule],
    /// Whether the other rules are skipped if the two sides differ by the topic's first rule.
    pub(in crate::comparability) first_decides: bool,
}

/// Rule that compares one fact.
pub(in crate::comparability) struct Rule {
    pub(super) code: FindingCode,
    /// Path of the compared fact in [`Facts`].
    pub(super) place: &'static str,
    pub(super) method: Method,
}

/// Method of comparing two sides, with the sentence for a difference and the remedy that removes
/// it.
pub(super) enum Method {
    /// Option of a run. It has the weight of a difference, the option as the user writes it, and
    /// the sentence about a departure from the published value.
    Option { grade: Grade, written: fn(&SettingsFacts) -> String, departs: fn(&SettingsFacts) -> Sentence },
    /// Text that is compared for equality; `None` where the rule does not apply.
    Text {
        grade: Grade,
        text: fn(&Facts) -> Option<String>,
        departs: fn(&Facts) -> Option<[Sentence; 2]>,
        differ: fn(&Facts, &Facts) -> Sentence,
        alike: &'static str,
    },
    /// Figures or lists that are compared by a function of the rule.
    Measure {
        grade: fn(&Conditions, &Conditions) -> Grade,
        departs: fn(&Facts) -> Vec<Departure>,
        differ: fn(&Facts, &Facts) -> Sentence,
        alike: &'static str,
    },
}

/// Departure of a run from the published runs: weight, reason and remedy.
pub(super) type Departure = (Grade, [Sentence; 2]);

/// Option that only one published run has (gpt-5).
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
    /// Rule about a single run. It never gives a difference between two runs.
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

    /// Text that is compared; `None` if the rule compares no text.
    pub(in crate::comparability) fn text(&self, facts: &Facts) -> Option<String> {
        match self.method {
            Method::Option { written, .. } => facts.settings.value.as_ref().map(written),
            Method::Text { text, .. } => text(facts),
            Method::Measure { .. } => None,
        }
    }

    /// Weight of the difference between two sides; `comparable` if they do not differ. `alike`
    /// states whether their texts are equal.
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

/// The departure if the condition is true, else nothing.
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

/// Remedy: repeat the run with the option's published value.
pub(super) fn as_published(written: &str) -> Sentence {
    let without = written.strip_prefix("no ").or_else(|| written.strip_suffix(" -"));
    match without {
        Some(option) => say!("run again without {option}", option = format!("`{option}`")),
        None => say!("run again with {option}", option = format!("`{written}`")),
    }
}
