//! An agent's attempt against its steps. Those are written down while calls arrive, so that their
//! numbers tell which began first, while the record has the replies in their order; the closing
//! reply made no call and stands in the record alone.

use super::conversation::{against_messages, other_step};
use koab_core::run_record::{AttemptRecord, CallRecord, StepLine, StepRecord};
use koab_core::say;
use koab_core::sentence::Sentence;

pub(super) fn against_steps(record: &AttemptRecord, noted: &[StepLine]) -> Result<(), Sentence> {
    let closing = record.final_response.as_deref();
    if record.steps.len() != noted.len() + usize::from(closing.is_some()) {
        return Err(say!(
            "has {steps} steps, and {found} were written down when they happened",
            steps = record.steps.len(),
            found = noted.len()
        ));
    }
    let last = noted.iter().map(|noted| noted.step.step).max();
    let mut open: Vec<&StepLine> = noted.iter().collect();
    let mut said = Vec::new();
    for step in &record.steps[..noted.len()] {
        let calls: Vec<&CallRecord> = record.calls.iter().filter(|call| call.step == step.step).collect();
        let fits = |noted: &&StepLine| {
            is_same(step, &noted.step) && has(&calls, &noted.calls, Some(noted.step.step) != last)
        };
        let Some(at) = open.iter().position(fits) else {
            return Err(other_step(step.step as usize));
        };
        said.push(open.remove(at).content.as_str());
    }
    let steps = &record.steps[..noted.len()];
    if let Some(stray) = record.calls.iter().find(|call| !steps.iter().any(|step| step.step == call.step)) {
        return Err(other_step(stray.step as usize));
    }
    said.extend(closing);
    against_messages(record, &said)
}

/// The same reply, whatever its number.
fn is_same(step: &StepRecord, noted: &StepRecord) -> bool {
    let noted = StepRecord { step: step.step, ..noted.clone() };
    *step == noted
}

/// Whether a step has the calls that were written down, in their order. `late` says that more may
/// have come when the next step had begun, and with it the line of this one was written.
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
