//! Compares an agent's attempt with its steps.
//!
//! Steps are written to the journal while calls arrive, and their numbers show which step began
//! first. The record of the attempt contains the replies in their order. The last reply made no
//! call and is only in the record.

use super::conversation::{against_messages, other_step};
use koab_core::run_record::{AttemptRecord, CallRecord, StepLine, StepRecord};
use koab_core::say;
use koab_core::sentence::Sentence;

pub(super) fn against_steps(record: &AttemptRecord, noted: &[StepLine]) -> Result<(), Sentence> {
    let closing = record.final_response.as_deref();
    if record.steps.len() != noted.len() + usize::from(closing.is_some()) {
        return Err(say!(
            "has {steps} steps, and {found} were recorded as they happened",
            steps = record.steps.len(),
            found = noted.len()
        ));
    }
    let last = noted.iter().map(|noted| noted.step.step).max();
    let mut open: Vec<&StepLine> = noted.iter().collect();
    let mut replies = Vec::new();
    for step in &record.steps[..noted.len()] {
        let calls: Vec<&CallRecord> = record.calls.iter().filter(|call| call.step == step.step).collect();
        let fits = |noted: &&StepLine| {
            is_same(step, &noted.step) && has(&calls, &noted.calls, Some(noted.step.step) != last)
        };
        let Some(at) = open.iter().position(fits) else {
            return Err(other_step(step.step as usize));
        };
        replies.push(open.remove(at).content.as_str());
    }
    let steps = &record.steps[..noted.len()];
    if let Some(stray) = record.calls.iter().find(|call| !steps.iter().any(|step| step.step == call.step)) {
        return Err(other_step(stray.step as usize));
    }
    replies.extend(closing);
    against_messages(record, &replies)
}

/// Whether two steps are equal apart from their numbers.
fn is_same(step: &StepRecord, noted: &StepRecord) -> bool {
    let noted = StepRecord { step: step.step, ..noted.clone() };
    *step == noted
}

/// Whether a step has the recorded calls in their order. With `late`, the step may have further
/// calls.
///
/// Calls of a step may arrive after the next step has begun and after the step itself was recorded.
fn has(calls: &[&CallRecord], noted: &[CallRecord], late: bool) -> bool {
    let mut rest = calls.iter();
    let all = noted.iter().all(|noted| {
        rest.any(|call| {
            let noted = CallRecord { step: call.step, ..noted.clone() };
            **call == noted
        })
    });
    all && (late || calls.len() == noted.len())
}
