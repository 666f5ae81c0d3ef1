//! What a way to an agent is given, and what it gives back.

use crate::container::{AttemptSocket, Containers};
use crate::definition::Definition;
use crate::folder::AttemptFolder;
use crate::placeholders::Values;
use crate::process::Output;
use koab_core::secrets::Secrets;
use koab_core::sentence::Sentence;
use koab_engine::ports::{AttemptHandle, ByHand, Cancel};
use std::collections::BTreeMap;

/// An attempt that is ready to be started.
pub(crate) struct Setup<'a> {
    pub(crate) definition: &'a Definition,
    /// The containers that it runs in, and its way out of one.
    pub(crate) contained: Option<(&'a Containers, &'a AttemptSocket)>,
    pub(crate) values: Values,
    pub(crate) environment: BTreeMap<String, String>,
    pub(crate) place: AttemptFolder,
    pub(crate) output: Output,
    pub(crate) secrets: &'a Secrets,
    pub(crate) prompt: &'a str,
    /// What its user says then, turn by turn.
    pub(crate) later_turns: &'a [String],
    pub(crate) handle: AttemptHandle,
    /// Whoever carries the prompt to an agent that is used by hand.
    pub(crate) by_hand: Option<&'a ByHand>,
    pub(crate) cancel: &'a Cancel,
}

impl Setup<'_> {
    /// The agent answered a turn of its user's, which is not the last.
    pub(crate) fn turn_ended(&self, answer: &str) {
        self.handle.turn_ended(&self.secrets.text(answer));
    }
}

/// How a program ended.
#[derive(Default)]
pub(crate) struct AgentResult {
    pub(crate) answer: Option<String>,
    pub(crate) failed: Option<Sentence>,
    pub(crate) exit: Option<i32>,
    /// Whether something that it started had to be ended.
    pub(crate) outlived: bool,
    pub(crate) out_of_memory: bool,
}

impl AgentResult {
    /// The same, whose words hold none of these secrets.
    pub(crate) fn without(self, secrets: &Secrets) -> Self {
        Self {
            answer: self.answer.map(|text| secrets.text(&text)),
            failed: self.failed.map(|why| secrets.sentence(why)),
            ..self
        }
    }
}
