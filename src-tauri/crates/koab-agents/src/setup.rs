//! Input and result of running an agent of any kind.

use crate::container::{AttemptSocket, Containers};
use crate::definition::Definition;
use crate::folder::AttemptFolder;
use crate::placeholders::Values;
use crate::process::Output;
use koab_core::secrets::Secrets;
use koab_core::sentence::Sentence;
use koab_engine::ports::{AttemptHandle, ByHand, Cancel};
use std::collections::BTreeMap;

/// An attempt that is ready to start.
pub(crate) struct Setup<'a> {
    pub(crate) definition: &'a Definition,
    /// Containers for the agent, and the socket of its container.
    pub(crate) contained: Option<(&'a Containers, &'a AttemptSocket)>,
    pub(crate) values: Values,
    pub(crate) environment: BTreeMap<String, String>,
    pub(crate) place: AttemptFolder,
    pub(crate) output: Output,
    pub(crate) secrets: &'a Secrets,
    pub(crate) prompt: &'a str,
    /// Turns of the user after the first, which are sent one after the other.
    pub(crate) later_turns: &'a [String],
    pub(crate) handle: AttemptHandle,
    /// Person who copies the prompt to an agent that is used by hand.
    pub(crate) by_hand: Option<&'a ByHand>,
    pub(crate) cancel: &'a Cancel,
}

impl Setup<'_> {
    /// Records that the agent answered a turn of the user. Not called for the last turn.
    pub(crate) fn turn_ended(&self, answer: &str) {
        self.handle.turn_ended(&self.secrets.text(answer));
    }
}

/// Result of running an agent.
#[derive(Default)]
pub(crate) struct AgentResult {
    pub(crate) answer: Option<String>,
    pub(crate) failed: Option<Sentence>,
    pub(crate) exit: Option<i32>,
    /// Whether koab had to end a process that the agent started.
    pub(crate) outlived: bool,
    pub(crate) out_of_memory: bool,
}

impl AgentResult {
    /// Removes these secrets from the texts of the result.
    pub(crate) fn without(self, secrets: &Secrets) -> Self {
        Self {
            answer: self.answer.map(|text| secrets.text(&text)),
            failed: self.failed.map(|why| secrets.sentence(why)),
            ..self
        }
    }
}
