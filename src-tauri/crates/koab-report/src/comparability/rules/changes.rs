//! Rules on changes of a run while it was being made. Other concurrency and another budget have no
//! weight; the list of facts has them. Tasks that were left out are a matter of coverage.

use super::rule::{Method, Rule, Topic};
use crate::comparability::{Aspect, Facts, FindingCode, Grade, RUN_ALIKE, RUN_UNCHANGED};
use koab_core::run_record::{ChangeRecord, RunChange};
use koab_core::say;
use koab_core::sentence::{Sentence, ToSentence as _};

pub(super) const CHANGES: Topic = Topic {
    aspect: Aspect::Settings,
    place: "changes",
    // A run of an earlier version could not be changed.
    known: |_| Some(Ok(())),
    unknown: |reason| reason,
    mend: RUN_UNCHANGED,
    rules: &[
        // As grave as another limit from the beginning on.
        changed(
            Grade::NotComparable,
            |facts| Some(text(facts, is_steps)),
            |facts| {
                let changes = said(facts, is_steps);
                departure(say!(
                    "the limit of model turns was changed while the run was being made: {changes}"
                ))
            },
            |one, other| {
                let [one, other] = [one, other].map(|side| said_or_none(side, is_steps));
                say!(
                    "the limit of model turns was changed in different ways while they were being made: {one}, {other}"
                )
            },
        ),
        changed(
            Grade::Limited,
            |facts| Some(text(facts, is_time)),
            |facts| {
                let changes = said(facts, is_time);
                departure(say!("the time limit was changed while the run was being made: {changes}"))
            },
            |one, other| {
                let [one, other] = [one, other].map(|side| said_or_none(side, is_time));
                say!(
                    "the time limit was changed in different ways while they were being made: {one}, {other}"
                )
            },
        ),
        changed(
            Grade::Limited,
            |facts| Some(text(facts, is_address)),
            |facts| {
                let changes = said(facts, is_address);
                departure(say!("not all attempts were answered by the same server: {changes}"))
            },
            |one, other| {
                let [one, other] = [one, other].map(|side| said_or_none(side, is_address));
                say!("the server was changed in different ways while they were being made: {one}, {other}")
            },
        ),
    ],
    first_decides: false,
};

const fn changed(
    grade: Grade,
    text: fn(&Facts) -> Option<String>,
    departs: fn(&Facts) -> Option<[Sentence; 2]>,
    differ: fn(&Facts, &Facts) -> Sentence,
) -> Rule {
    let method = Method::Text { grade, text, departs, differ, alike: RUN_ALIKE };
    Rule { code: FindingCode::ChangedRun, place: "changes", method }
}

fn departure(reason: Sentence) -> Option<[Sentence; 2]> {
    Some([reason, RUN_UNCHANGED.into()])
}

fn is_steps(change: &RunChange) -> bool {
    matches!(change, RunChange::MaxSteps { .. })
}

fn is_time(change: &RunChange) -> bool {
    matches!(change, RunChange::Timeout { .. })
}

fn is_address(change: &RunChange) -> bool {
    matches!(change, RunChange::BaseUrl { .. })
}

/// Text of the changes of a kind, with the numbers of attempts; empty without such a change.
fn text(facts: &Facts, is_of_kind: fn(&RunChange) -> bool) -> String {
    said(facts, is_of_kind).to_string()
}

fn said(facts: &Facts, is_of_kind: fn(&RunChange) -> bool) -> Sentence {
    let records = facts.changes.iter().filter(|record| is_of_kind(&record.change));
    let records: Vec<Sentence> = records.map(ChangeRecord::to_sentence).collect();
    if records.is_empty() { Sentence::EMPTY } else { Sentence::joined(records, "; ") }
}

fn said_or_none(facts: &Facts, is_of_kind: fn(&RunChange) -> bool) -> Sentence {
    let changes = said(facts, is_of_kind);
    if changes.is_empty() { say!("unchanged") } else { changes }
}
