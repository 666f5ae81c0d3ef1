//! Which recorded answer a call gets.

use crate::form::{CallForm, Recorded};
use koab_engine::repeated_calls::AnswersByTurn;
use std::collections::HashMap;

/// A call by tool and canonical arguments.
type Key = (String, String);

/// The answers of a recording, found by call.
pub(crate) struct AnswerTable {
    calls: Vec<CallForm>,
    /// The keys of the calls, by their place.
    keys: Vec<Key>,
    /// Places of the answers to each call.
    places: AnswersByTurn<Key, usize>,
    /// Places of each session's calls, in their order.
    sessions: HashMap<u32, Vec<usize>>,
    /// The number of each call in its session, by its place.
    numbers: Vec<usize>,
}

/// What a session of a replay has asked so far.
#[derive(Debug, Default)]
pub(crate) struct ReplayTurns {
    /// How often each call was made.
    made: HashMap<Key, usize>,
    /// Recorded calls that were made, by their place.
    done: Vec<bool>,
    /// How many calls of each recorded session were made, counted up to the first that was not.
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

    /// The answer to the next such call of a session, by turn. Under `strict` nothing is answered
    /// whose predecessors were not made.
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
        // Each call is passed once a session of the replay.
        let of_session = self.sessions.get(&session).map(Vec::as_slice).unwrap_or_default();
        while of_session.get(*whole).is_some_and(|next| turns.done[*next]) {
            *whole += 1;
        }
        Some(&self.calls[place])
    }

    /// The canonical arguments of all recorded calls to a tool.
    pub(crate) fn arguments_of(&self, tool: &str) -> Vec<&str> {
        let of_tool = self.keys.iter().filter(|(name, _)| name == tool);
        of_tool.map(|(_, arguments)| arguments.as_str()).collect()
    }

    /// A recorded answer to a call of a tool that the server does not have.
    pub(crate) fn unknown(&self, known: impl Fn(&str) -> bool) -> Option<&CallForm> {
        self.calls.iter().find(|call| !known(&call.tool))
    }
}

#[cfg(test)]
mod tests;
