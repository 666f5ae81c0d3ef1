//! A program with a window of its own: nothing is started, a person carries prompt and answer.

use super::ended_from_here;
use crate::answer::cleaned;
use crate::over::Over;
use crate::ready::{Ended, Ready};
use koab_core::say;
use koab_core::sentence::Sentence;
use koab_engine::ports::HandTask;

/// Has it carried.
///
/// # Errors
/// When there is nobody to carry it.
pub(crate) async fn run(ready: &Ready<'_>, task: &str) -> Result<Ended, Sentence> {
    let Some(by_hand) = ready.by_hand else {
        return Err(say!(
            "nobody is here to carry the prompt of an agent that is used by hand"
        ));
    };
    let task = HandTask {
        task: task.to_owned(),
        address: ready.values.fill("{mcp_token_url}"),
        prompt: ready.prompt.to_owned(),
    };
    let answer = tokio::select! {
        biased;
        () = ready.cancel.cancelled() => None,
        answer = by_hand.carry(task) => answer?,
    };
    let answer = answer.map(|text| cleaned(&text)).filter(|text| !text.is_empty());
    Ok(ended_from_here(ready, answer, None, &Over::default()))
}
