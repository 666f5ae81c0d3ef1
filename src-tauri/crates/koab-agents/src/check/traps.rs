//! Problems of an agent that a check finds, as sentences with advice.

use super::model::{FAILED, Observation, TOOL};
use crate::answer::excerpt;
use crate::check_result::AgentCheck;
use crate::definition::Definition;
use koab_core::run_record::AttemptRecord;
use koab_core::say;
use koab_core::sentence::Sentence;

/// Words in the output of an agent that requires approval for a call.
const APPROVAL: [&str; 6] = ["approv", "permission", "denied", "not allowed", "reject", "cancel"];
/// Words in the output of an agent that rejects the arguments of a call.
const ARGUMENTS: [&str; 5] = ["argument", "parameter", "required", "valid", "schema"];

/// Problems of an agent in the check's first attempt, whose tool returns an answer. (In the second
/// attempt the tool fails.) `listed` means that the agent requested the list of tools.
pub(super) fn of_call(
    definition: &Definition,
    checked: &AgentCheck,
    record: &AttemptRecord,
    seen: &Observation,
    listed: bool,
) -> Vec<Sentence> {
    let mut traps = Vec::new();
    let facts = record.agent.clone().unwrap_or_default();
    if facts.model_calls == 0 {
        traps.push(say!("it never called the model: look at the address and the key that its settings name"));
    } else if checked.offered_as.is_none() {
        traps.push(not_offered(checked, listed));
    } else if !checked.call_arrived && facts.unmade > 0 {
        traps.push(not_made(seen.told.as_deref()));
    }
    if checked.call_arrived && !checked.answer_equal {
        match &record.final_response {
            Some(answer) => {
                let start: String = answer.chars().take(200).collect();
                traps.push(say!("its answer is not what the model said: {start}"));
            }
            None => traps.push(say!("no answer was found where the definition looks for it")),
        }
    }
    if facts.changed > 0 {
        let call = record.calls.iter().find(|call| call.tool == TOOL);
        let arguments = call.map(|call| call.arguments.to_string()).unwrap_or_default();
        traps.push(say!(
            "it changes the arguments of calls on their way, here to {}: switch off the feature that fills in or rewrites arguments, or scores measure the agent's arguments instead of the model's",
            excerpt(&arguments)
        ));
    }
    if let Some(verified) = &definition.verified
        && checked.version.as_ref().is_some_and(|version| version != verified)
    {
        traps.push(say!("the definition was tried with version {verified}; this is another one"));
    }
    traps.extend(record.error.clone().filter(|_| !checked.answer_equal));
    traps
}

/// Problem of an agent that does not offer the task's tool to its model.
fn not_offered(checked: &AgentCheck, listed: bool) -> Sentence {
    let is_search = |name: &String| name.contains("search") && name.contains("tool");
    match checked.own_tools.iter().find(|name| is_search(name)) {
        _ if !listed => say!(
            "it never asked for the task's tools: look at the MCP server in its settings, at its address and at the token"
        ),
        Some(search) => say!(
            "it does not offer the task's tools at once but a search for them ({search}): give the model a name that the agent does not know, or switch off the agent's tool search",
            search = excerpt(search)
        ),
        None => say!(
            "it has the list of the task's tools and does not offer them to its model: look for a list of tools that are allowed, or for a limit on how many it offers"
        ),
    }
}

/// Problem of an agent that did not make a call that its model requested. `answer` is the tool
/// message that the model received instead.
fn not_made(answer: Option<&str>) -> Sentence {
    let Some(answer) = answer else {
        return say!(
            "the model asked for the call, and the agent neither made it nor told its model why: look for an approval mode that asks somebody, and for tools that have to be allowed"
        );
    };
    let lower = answer.to_lowercase();
    let has = |words: &[&str]| words.iter().any(|word| lower.contains(word));
    let answer = excerpt(answer);
    if has(&APPROVAL) {
        say!(
            "it refuses the call because nobody approved it: choose an approval mode without questions, or allow the tools of this MCP server; its model was told: {answer}"
        )
    } else if has(&ARGUMENTS) {
        say!(
            "it refuses the call because of its arguments, which the tool accepts as they are: switch off the agent's own check of arguments; its model was told: {answer}"
        )
    } else {
        say!(
            "the model asked for the call and the agent did not make it: look for an approval mode that asks somebody, and for tools that have to be allowed; its model was told: {answer}"
        )
    }
}

/// Whether an attempt with a failing tool continues until the model ends it, and the problems of
/// the agent.
pub(super) fn of_failures(record: &AttemptRecord) -> (bool, Vec<Sentence>) {
    let goes_on = record.final_response.as_deref() == Some(FAILED);
    let mut traps = Vec::new();
    if !goes_on {
        traps.push(say!(
            "it ends at a failed call instead of telling its model: raise the number of its retries (pydantic-ai: `retries`, `max_retries`), or attempts with a failure, as in L5, end there"
        ));
    }
    let repeated = record.agent.as_ref().map_or(0, |facts| facts.by_agent);
    if repeated > 0 {
        traps.push(say!(
            "it repeats a failed call by itself ({repeated} times), without a request of its model: set the agent's own retries of tools to 0, since each retry counts as a call"
        ));
    }
    (goes_on, traps)
}

#[cfg(test)]
mod tests;
