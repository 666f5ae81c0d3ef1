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
            let key = (
                call.tool.clone(),
                rules.arguments(call.arguments.as_deref(), None),
            );
            keys.push(key.clone());
            let of_session = sessions.entry(call.session).or_default();
            numbers.push(of_session.len());
            of_session.push(place);
            places.add(key, call.session, place);
        }
        Self {
            calls: recorded.calls.clone(),
            keys,
            places,
            sessions,
            numbers,
        }
    }

    /// The answer to the next such call of a session, by turn. Under `strict` nothing is answered whose predecessors were not made.
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
mod tests {
    use super::*;
    use koab_engine::canonical_arguments::canonical_text;

    fn call(session: u32, tool: &str, arguments: &str, result: &str) -> CallForm {
        CallForm {
            session,
            tool: tool.to_owned(),
            arguments: Some(arguments.to_owned()),
            result: Some(result.to_owned()),
            ..CallForm::default()
        }
    }

    fn book() -> AnswerTable {
        AnswerTable::new(&Recorded {
            calls: vec![
                call(1, "read", "{}", "empty"),
                call(1, "write", r#"{"a":1,"b":2000}"#, "done"),
                call(1, "read", "{}", "full"),
                call(2, "read", "{}", "other"),
            ],
            ..Recorded::default()
        })
    }

    fn canonical(text: &str) -> String {
        canonical_text(&serde_json::from_str(text).expect("JSON"))
    }

    #[test]
    fn calls_are_answered_by_turn() {
        let (book, mut turns) = (book(), ReplayTurns::default());
        let mut ask = |tool: &str, arguments: &str| {
            let found = book.answer(tool, canonical(arguments), &mut turns, false);
            found.map(|call| call.answer().to_owned())
        };
        let read: Vec<_> = (0..3).map(|_| ask("read", "{}")).collect();
        assert_eq!(read, ["empty", "full", "full"].map(|text| Some(text.to_owned())));
        assert_eq!(ask("write", r#"{"b":2000.0,"a":1}"#).as_deref(), Some("done"));
        assert_eq!(ask("write", r#"{"b":2001,"a":1}"#), None);
        assert_eq!(ask("write", r#"{"b":"2000","a":1}"#), None);
        // Another session begins anew.
        let mut turns = ReplayTurns::default();
        let found = book.answer("read", canonical("{}"), &mut turns, false);
        assert_eq!(found.map(CallForm::answer), Some("empty"));
    }

    #[test]
    fn under_strict_order_nothing_comes_from_the_future() {
        let (book, mut turns) = (book(), ReplayTurns::default());
        let mut ask = |tool: &str, arguments: &str| {
            let found = book.answer(tool, canonical(arguments), &mut turns, true);
            found.map(|call| call.answer().to_owned())
        };
        let write = r#"{"a":1,"b":2000}"#;
        assert_eq!(ask("write", write), None);
        assert_eq!(ask("read", "{}").as_deref(), Some("empty"));
        assert_eq!(ask("read", "{}"), None);
        assert_eq!(ask("write", write).as_deref(), Some("done"));
        assert_eq!(ask("read", "{}").as_deref(), Some("full"));
    }

    /// Made in their order, so many calls take no time: each looks at itself, not at all before it.
    #[test]
    fn strict_order_costs_no_more_in_a_long_session() {
        let calls = (0..60_000).map(|number| call(1, "read", &format!(r#"{{"n":{number}}}"#), "x"));
        let book = AnswerTable::new(&Recorded {
            calls: calls.collect(),
            ..Recorded::default()
        });
        let (mut turns, since) = (ReplayTurns::default(), std::time::Instant::now());
        for number in 0..60_000 {
            let asked = format!(r#"{{"n":{number}}}"#);
            assert!(book.answer("read", asked, &mut turns, true).is_some(), "{number}");
        }
        assert!(since.elapsed().as_secs() < 5, "{:?}", since.elapsed());
    }
}
