//! Rules on the source of answers to tool calls, and on cache misses.

use super::rule::{Departure, Method, Rule, Topic, known, when};
use crate::comparability::loss::{grade_of_loss, grade_of_misses};
use crate::comparability::{
    Aspect, CallFacts, CallsBasis, Conditions, EARLIER_VERSION, FILL_MISSES, Fact, Facts, FindingCode, Grade,
    LevelCalls, MADE_ELSEWHERE, RUN_ALIKE, RUN_HERE, RecordingsFrom, SAME_TIME, USE_PUBLISHED, percent,
};
use koab_core::say;
use koab_core::sentence::Sentence;

pub(super) const RECORDS: Topic = Topic {
    aspect: Aspect::Recordings,
    place: "records_sha256",
    known: |facts| known(&recordings(facts)),
    unknown: |reason| say!("whether the cached responses are the published ones is not known: {reason}"),
    mend: RUN_HERE,
    rules: &[
        Rule {
            code: FindingCode::OtherRecordings,
            place: "records_sha256",
            method: Method::Text {
                grade: Grade::Limited,
                text: |facts| recordings(facts).value,
                departs: |facts| {
                    let pack = facts.pack_label();
                    let reason = say!("the cached responses of pack {pack} are not the published ones");
                    let departure = [reason, USE_PUBLISHED.into()];
                    facts.snapshot().is_none().then_some(departure)
                },
                differ: |one, other| {
                    let [one, other] = [one, other].map(|side| recordings(side).value.unwrap_or_default());
                    say!("their calls were answered from different caches: {one}, {other}")
                },
                alike: RUN_ALIKE,
            },
        },
        Rule::alone(FindingCode::OtherRecordings, "cache", from_snapshot),
    ],
    first_decides: false,
};

pub(super) const CALLS: Topic = Topic {
    aspect: Aspect::Recordings,
    place: "calls",
    known: |facts| {
        Some(match facts.calls.get() {
            Ok(calls) if calls.basis == CallsBasis::Recorded => Ok(()),
            Ok(_) => Err(MADE_ELSEWHERE.into()),
            Err(reason) => Err(reason.clone()),
        })
    },
    unknown: |reason| say!("how the tool calls were answered is not known: {reason}"),
    mend: RUN_HERE,
    rules: &[
        Rule {
            code: FindingCode::LowHitRate,
            place: "calls",
            method: Method::Measure {
                grade: Conditions::grade_of_misses,
                departs: missed,
                differ: missed_unequally,
                alike: FILL_MISSES,
            },
        },
        Rule {
            code: FindingCode::OtherRecordings,
            place: "calls",
            method: Method::Measure {
                grade: Conditions::grade_of_times,
                departs: answered_elsewhere,
                differ: |_, _| say!("both had calls answered by live APIs, each at its own time"),
                alike: SAME_TIME,
            },
        },
    ],
    first_decides: false,
};

/// Beginning of the hash that identifies the source of a run's answers.
fn recordings(facts: &Facts) -> Fact<String> {
    let cache = match facts.cache.get() {
        Ok(cache) => cache,
        Err(reason) => return Fact::unknown(reason.clone()),
    };
    let sha256: Result<&String, Sentence> = if cache.source == RecordingsFrom::Snapshot {
        cache.sha256.as_ref().ok_or_else(|| EARLIER_VERSION.into())
    } else {
        // Every other source extends the pack's cached responses; the outcomes of the calls show
        // the additions.
        facts.records_sha256.get().map_err(Clone::clone)
    };
    match sha256 {
        Ok(sha256) => Fact::known(sha256.chars().take(12).collect()),
        Err(reason) => Fact::unknown(reason),
    }
}

fn from_snapshot(facts: &Facts) -> Vec<Departure> {
    let is_published = recordings(facts).value == recordings(Facts::published()).value;
    let name = facts.snapshot().filter(|_| !is_published);
    let reason = || {
        let name = name.unwrap_or_default();
        say!("tool calls were answered from the snapshot {name} instead of the published cache")
    };
    when(name.is_some(), Grade::Limited, reason, SAME_TIME)
}

fn whole(facts: &Facts) -> LevelCalls {
    let calls = facts.calls.value.as_ref();
    calls.map_or_else(|| LevelCalls::none(None), CallFacts::whole)
}

fn missed(facts: &Facts) -> Vec<Departure> {
    let calls = whole(facts);
    let grade = grade_of_misses(&calls);
    when(calls.miss > 0, grade, || misses(&calls, grade), FILL_MISSES)
}

/// Sentence about cache misses, which depends on their weight.
fn misses(calls: &LevelCalls, grade: Grade) -> Sentence {
    let (miss, asked, touched, attempts) = (calls.miss, calls.lookups(), calls.touched, calls.attempts);
    let rate = percent(calls.answered_rate().unwrap_or(0.0));
    match grade {
        Grade::Comparable => say!(
            "{miss} of {asked} calls found no cached response, in {touched} of {attempts} attempts: too few to make two models differ"
        ),
        Grade::Limited => say!(
            "{miss} of {asked} calls found no cached response ({rate} were answered), in {touched} of {attempts} attempts; the published runs were made with the live APIs and had almost no misses"
        ),
        Grade::NotComparable => say!(
            "{miss} of {asked} calls found no cached response ({rate} were answered), in {touched} of {attempts} attempts: the score says more about the gaps of the cache than about the model"
        ),
    }
}

fn missed_unequally(one: &Facts, other: &Facts) -> Sentence {
    let (first, second) = (whole(one), whole(other));
    if grade_of_loss(first.lost(), second.lost()) > Grade::Comparable {
        let [one, other] = [first.lost(), second.lost()].map(percent);
        say!("cache misses affected them unequally: {one} and {other} of their attempts")
    } else {
        // The shares are alike, but both consist mostly of gaps, and the missing calls differ from
        // model to model.
        misses(&first, Grade::NotComparable)
    }
}

fn answered_elsewhere(facts: &Facts) -> Vec<Departure> {
    let calls = whole(facts);
    let (count, asked) = (calls.live + calls.overlay, calls.lookups());
    let reason = || {
        say!(
            "{count} of {asked} calls were answered by live APIs or saved responses, at another time than the published runs"
        )
    };
    when(count > 0, Grade::Limited, reason, SAME_TIME)
}
