//! The part of an attempt that stays unchanged in a fork and that the fork continues.

use super::parts::{ForkPart, Speaker, first_of_step, parts};
use super::{ForkEdit, ForkEditTo, ForkFault};
use crate::event::AnswerSource;
use crate::run_record::{AttemptRecord, CallRecord, StepRecord};
use crate::tool::ToolFault;
use serde_json::{Value, json};

/// The part of an attempt that a fork continues, with the fork's changes applied.
#[derive(Clone, Debug, PartialEq)]
pub struct ForkPrefix {
    /// The conversation in the log's form.
    pub messages: Vec<Value>,
    /// Number of messages before the first turn that the model took itself.
    pub given: usize,
    /// Turns of the model that belong to the prefix.
    pub steps: Vec<StepRecord>,
    /// Tool calls in the turns of the prefix.
    pub calls: Vec<CallRecord>,
    /// Phase of the continuation: 1, or 2 in the conversation with the fallback tools.
    pub phase: u8,
}

/// Creates the prefix of a fork at a step.
///
/// If the model's turn in this step or an answer to its calls is changed, the step belongs to the
/// prefix and the model continues after it. Otherwise the model repeats the step. `system` becomes
/// the system message.
///
/// # Errors
/// [`ForkFault`] with the reason and a remedy.
pub fn begin(
    record: &AttemptRecord,
    step: u32,
    edits: &[ForkEdit],
    system: Option<&str>,
) -> Result<ForkPrefix, ForkFault> {
    let steps = record.steps.len() as u32;
    if step == 0 || step > steps {
        return Err(ForkFault::NoStep { step, steps });
    }
    let parts = parts(record);
    let first = parts.iter().position(|part| part.step.is_some());
    let first = first.ok_or(ForkFault::NotKept { step })?;
    let own = first_of_step(&parts, step).ok_or(ForkFault::NotKept { step })?;
    let after = (own + 1..parts.len()).find(|at| parts[*at].step != Some(step)).unwrap_or(parts.len());
    check(edits, &parts, after, step)?;
    let keeps_step = edits.iter().any(|edit| edit.at as usize >= own);
    let until = if keeps_step { after } else { own };
    let kept_steps = if keeps_step { step } else { step - 1 };
    let calls: Vec<CallRecord> =
        record.calls.iter().filter(|call| call.step <= kept_steps).cloned().collect();
    let phase = record.steps[step as usize - 1].phase;
    // A conversation that was begun again may be kept_steps without the one before it, which the
    // model does not see any more.
    let missing = parts[first].step.unwrap_or(1) - 1;
    let is_earlier_phase = record.steps[..missing as usize].iter().all(|step| step.phase < phase);
    // Every call of a kept_steps step was answers; without that no server would take the
    // conversation.
    let answers = parts[..until].iter().filter(|part| part.call.is_some()).count();
    if !is_earlier_phase || answers != calls.iter().filter(|call| call.step > missing).count() {
        return Err(ForkFault::NotKept { step });
    }
    let is_answer = keeps_step && !calls.iter().any(|call| call.step == step);
    if is_answer && parts.get(after).is_none_or(|next| next.role != Speaker::User) {
        return Err(ForkFault::Ends { step });
    }
    let mut prefix = ForkPrefix {
        messages: record.messages[..until].to_vec(),
        given: first,
        steps: record.steps[..kept_steps as usize].to_vec(),
        calls,
        phase,
    };
    for edit in edits {
        prefix.apply(edit, parts[edit.at as usize])?;
    }
    if let Some(text) = system {
        if parts[0].role == Speaker::System {
            prefix.messages.remove(0);
            prefix.given -= 1;
        }
        let message = json!({ "role": "system", "content": text });
        prefix.messages.insert(0, message);
        prefix.given += 1;
    }
    Ok(prefix)
}

fn check(edits: &[ForkEdit], parts: &[ForkPart], after: usize, step: u32) -> Result<(), ForkFault> {
    for (n, edit) in edits.iter().enumerate() {
        let at = edit.at;
        let Some(part) = parts.get(at as usize) else {
            let messages = parts.len() as u32;
            return Err(ForkFault::NoMessage { at, messages });
        };
        if at as usize >= after {
            return Err(ForkFault::Later { at, step });
        }
        if edits[..n].iter().any(|other| other.at == at) {
            return Err(ForkFault::Twice { at });
        }
        match (&edit.to, part.role == Speaker::Tool) {
            (ForkEditTo::Text { .. }, true) => return Err(ForkFault::NoText { at }),
            (ForkEditTo::Result { .. } | ForkEditTo::Error { .. }, false) => {
                return Err(ForkFault::NoResult { at });
            }
            _ => {}
        }
    }
    Ok(())
}

impl ForkPrefix {
    fn apply(&mut self, edit: &ForkEdit, part: ForkPart) -> Result<(), ForkFault> {
        let at = edit.at;
        let call = part.call.and_then(|place| self.calls.get_mut(place));
        let content = match &edit.to {
            ForkEditTo::Text { text } => Value::from(text.as_str()),
            ForkEditTo::Result { json } => {
                let result: Value = serde_json::from_str(json)
                    .map_err(|error| ForkFault::NoJson { at, cause: error.to_string() })?;
                if let Some(call) = call {
                    call.success = true;
                    call.error = None;
                    call.owner = None;
                    call.source = AnswerSource::Hit;
                    call.result = Some(result.clone());
                }
                result
            }
            ForkEditTo::Error { error_type } if error_type.trim().is_empty() => {
                return Err(ForkFault::NoKind { at });
            }
            ForkEditTo::Error { error_type } => {
                let fault = ToolFault::injected(error_type.trim());
                if let Some(call) = call {
                    call.success = false;
                    call.error = Some(fault.to_string());
                    call.owner = Some(fault.owner());
                    call.source = AnswerSource::Injected;
                    call.result = None;
                }
                fault.shown()
            }
        };
        self.messages[at as usize]["content"] = content;
        Ok(())
    }
}
