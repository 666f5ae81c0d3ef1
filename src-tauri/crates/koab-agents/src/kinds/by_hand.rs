//! Agents with a window of their own. koab starts no program, and a person copies prompt and
//! answer.

use super::ended_from_here;
use crate::answer::cleaned;
use crate::program_end::ProgramEnd;
use crate::setup::{AgentResult, Setup};
use koab_core::say;
use koab_core::sentence::Sentence;
use koab_engine::ports::HandTask;

/// Runs an attempt. A person copies its prompt and its answer.
///
/// # Errors
/// When there is no person to copy the prompt.
pub(crate) async fn run(setup: &Setup<'_>, task: &str) -> Result<AgentResult, Sentence> {
    let Some(by_hand) = setup.by_hand else {
        return Err(say!("an agent that is used by hand needs a person who gives it the prompt"));
    };
    let task = HandTask {
        task: task.to_owned(),
        address: setup.values.fill("{mcp_token_url}"),
        prompt: setup.prompt.to_owned(),
    };
    let answer = tokio::select! {
        biased;
        () = setup.cancel.cancelled() => None,
        answer = by_hand.carry(task) => answer?,
    };
    let answer = answer.map(|text| cleaned(&text)).filter(|text| !text.is_empty());
    Ok(ended_from_here(setup, answer, None, &ProgramEnd::default()))
}
