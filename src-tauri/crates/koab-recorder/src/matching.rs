//! Which recorded answer a call gets.

use crate::form::{CallForm, Recorded};
use serde_json::Value;
use std::collections::HashMap;

/// A call by tool and canonical arguments.
type Key = (String, String);

/// The answers of a recording, found by call.
pub(crate) struct Book {
    calls: Vec<CallForm>,
    /// The keys of the calls, by their place.
    keys: Vec<Key>,
    /// Places of the answers to each call, by recorded session, in their order.
    places: HashMap<Key, Vec<(u32, Vec<usize>)>>,
}

/// What a session of a replay has asked so far.
#[derive(Debug, Default)]
pub(crate) struct Turns {
    /// How often each call was made.
    made: HashMap<Key, usize>,
    /// Recorded calls that were made, by their place.
    done: Vec<bool>,
}

impl Book {
    pub(crate) fn new(recorded: &Recorded) -> Self {
        let rules = &recorded.server.normalize;
        let mut places: HashMap<Key, Vec<(u32, Vec<usize>)>> = HashMap::new();
        let mut keys = Vec::new();
        for (place, call) in recorded.calls.iter().enumerate() {
            let key = (
                call.tool.clone(),
                rules.arguments(call.arguments.as_deref(), None),
            );
            keys.push(key.clone());
            let sessions = places.entry(key).or_default();
            match sessions.last_mut() {
                Some((session, of)) if *session == call.session => of.push(place),
                _ => sessions.push((call.session, vec![place])),
            }
        }
        Self {
            calls: recorded.calls.clone(),
            keys,
            places,
        }
    }

    /// The answer to the next such call of a session: the one of that turn, and after the last that one for ever. The first recorded
    /// session that has the call answers it. Under `strict` nothing is answered whose predecessors were not made.
    pub(crate) fn answer(
        &self,
        tool: &str,
        arguments: String,
        turns: &mut Turns,
        strict: bool,
    ) -> Option<&CallForm> {
        let key = (tool.to_owned(), arguments);
        let (_, places) = self.places.get(&key)?.first()?;
        let made = turns.made.entry(key).or_default();
        let place = *places.get(*made).or(places.last())?;
        turns.done.resize(self.calls.len(), false);
        if strict {
            let session = self.calls[place].session;
            let before = (0..place).filter(|other| self.calls[*other].session == session);
            if before.into_iter().any(|other| !turns.done[other]) {
                return None;
            }
        }
        *made += 1;
        turns.done[place] = true;
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

/// One spelling of equal values: keys sorted, numbers by value, texts as they are.
pub(crate) fn canonical_value(value: &Value) -> String {
    let mut text = String::new();
    write(value, &mut text);
    text
}

fn write(value: &Value, text: &mut String) {
    match value {
        Value::Object(fields) => {
            let mut names: Vec<&String> = fields.keys().collect();
            names.sort();
            text.push('{');
            for (place, name) in names.into_iter().enumerate() {
                if place > 0 {
                    text.push(',');
                }
                text.push_str(&Value::from(name.as_str()).to_string());
                text.push(':');
                write(&fields[name], text);
            }
            text.push('}');
        }
        Value::Array(items) => {
            text.push('[');
            for (place, item) in items.iter().enumerate() {
                if place > 0 {
                    text.push(',');
                }
                write(item, text);
            }
            text.push(']');
        }
        // `2000` is `2000.0`: clients change the spelling. Beyond 2^53 they are told apart by their digits.
        Value::Number(number) => match number.as_f64() {
            Some(real) if real.fract() == 0.0 && real.abs() < 9_007_199_254_740_992.0 => {
                text.push_str(&(real as i64).to_string());
            }
            _ => text.push_str(&number.to_string()),
        },
        other => text.push_str(&other.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(session: u32, tool: &str, arguments: &str, result: &str) -> CallForm {
        CallForm {
            session,
            tool: tool.to_owned(),
            arguments: Some(arguments.to_owned()),
            result: Some(result.to_owned()),
            ..CallForm::default()
        }
    }

    fn book() -> Book {
        Book::new(&Recorded {
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
        canonical_value(&serde_json::from_str(text).expect("JSON"))
    }

    #[test]
    fn calls_are_answered_by_turn() {
        let (book, mut turns) = (book(), Turns::default());
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
        let mut turns = Turns::default();
        let found = book.answer("read", canonical("{}"), &mut turns, false);
        assert_eq!(found.map(CallForm::answer), Some("empty"));
    }

    #[test]
    fn under_strict_order_nothing_comes_from_the_future() {
        let (book, mut turns) = (book(), Turns::default());
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

    #[test]
    fn numbers_are_compared_by_value_and_texts_as_they_are() {
        assert_eq!(
            canonical(r#"{"b":[1.0,-0.5],"a":"é"}"#),
            r#"{"a":"é","b":[1,-0.5]}"#
        );
        assert_ne!(canonical("9007199254740993"), canonical("9007199254740992"));
        assert_eq!(canonical("1e3"), canonical("1000"));
    }
}
