//! Matching of calls with recorded answers.

use crate::form::{CallForm, Recorded};
use koab_engine::repeated_calls::AnswersByTurn;
use std::collections::HashMap;

/// Key of a call: its tool and canonical arguments.
type Key = (String, String);

/// Recorded answers, found by the key of a call.
pub(crate) struct AnswerTable {
    calls: Vec<CallForm>,
    /// Key of each recorded call, in recorded order.
    keys: Vec<Key>,
    /// Positions of the recorded answers to each call.
    places: AnswersByTurn<Key, usize>,
    /// Positions of the recorded calls of each session, in order.
    sessions: HashMap<u32, Vec<usize>>,
    /// Number of each recorded call within its session, in recorded order.
    numbers: Vec<usize>,
}

/// Calls that a session of a replay has made so far.
#[derive(Debug, Default)]
pub(crate) struct ReplayTurns {
    /// Number of times that each call was made.
    made: HashMap<Key, usize>,
    /// Whether each recorded call was made, in recorded order.
    done: Vec<bool>,
    /// Number of calls at the start of each recorded session that have all been made.
    whole: HashMap<u32, usize>,
}

impl AnswerTable {
    pub(crate) fn new(recorded: &Recorded) -> Self {
        let rules = &recorded.server.normalize;
        let mut places = AnswersByTurn::default();
        let mut keys = Vec::new();
        let mut sessions: HashMap<u32, Vec<usize>> = HashMap::new();
        let mut numbers = Vec::new();
        for (place, call) in recorded.calls.iter().enumerate() {
            let key = (call.tool.clone(), rules.arguments(call.arguments.as_deref(), None));
            keys.push(key.clone());
            let of_session = sessions.entry(call.session).or_default();
            numbers.push(of_session.len());
            of_session.push(place);
            places.add(key, call.session, place);
        }
        Self { calls: recorded.calls.clone(), keys, places, sessions, numbers }
    }

    /// Next recorded answer to a call. With `strict`, there is an answer only if all earlier calls
    /// of its recorded session have been made.
    pub(crate) fn answer(
        &self,
        tool: &str,
        arguments: String,
        turns: &mut ReplayTurns,
        strict: bool,
    ) -> Option<&CallForm> {
        let key = (tool.to_owned(), arguments);
        let before = turns.made.get(&key).copied().unwrap_or_default();
        let place = *self.places.answer(&key, before)?;
        let session = self.calls[place].session;
        let whole = turns.whole.entry(session).or_default();
        if strict && *whole < self.numbers[place] {
            return None;
        }
        turns.made.insert(key, before + 1);
        turns.done.resize(self.calls.len(), false);
        turns.done[place] = true;
        // Every call is passed at most once per session of the replay.
        let of_session = self.sessions.get(&session).map(Vec::as_slice).unwrap_or_default();
        while of_session.get(*whole).is_some_and(|next| turns.done[*next]) {
            *whole += 1;
        }
        Some(&self.calls[place])
    }

    /// Canonical arguments of all recorded calls of a tool.
    pub(crate) fn arguments_of(&self, tool: &str) -> Vec<&str> {
        let of_tool = self.keys.iter().filter(|(name, _)| name == tool);
        of_tool.map(|(_, arguments)| arguments.as_str()).collect()
    }

    /// First recorded call of a tool that the server does not have.
    pub(crate) fn unknown(&self, known: impl Fn(&str) -> bool) -> Option<&CallForm> {
        self.calls.iter().find(|call| !known(&call.tool))
    }
}

#[cfg(test)]
mod tests;
