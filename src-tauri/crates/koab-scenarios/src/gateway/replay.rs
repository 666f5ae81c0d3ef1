//! Answers from a record instead of a model.
//!
//! A request gets the answer that the same request got; the same request asked again gets the next one. The order counts
//! among equal requests only, so calls made at once may come in another order than in the record.

use super::form::Form;
use super::record::{RecordedCall, relevant, request_hash};
use super::refusal::Refusal;
use koab_core::say;
use koab_core::sentence::Sentence;
use serde_json::Value;

/// A record that is being played.
pub(super) struct Replay {
    calls: Vec<RecordedCall>,
    used: Vec<bool>,
}

impl Replay {
    /// Plays these calls. Those whose callers left before the answer came have none to give.
    pub(super) fn new(calls: Vec<RecordedCall>) -> Self {
        let mut calls: Vec<RecordedCall> = calls.into_iter().filter(|call| call.status.is_some()).collect();
        for call in &mut calls {
            call.request = relevant(call.request.take());
        }
        Self {
            used: vec![false; calls.len()],
            calls,
        }
    }

    /// The recorded answer to a request.
    ///
    /// # Errors
    /// 409 when it was not recorded, or not as often; the sentence names where it first differs from the record.
    pub(super) fn next(&mut self, form: Form, request: &Value) -> Result<&RecordedCall, Refusal> {
        let hash = request_hash(request);
        let same = |at: &usize| {
            let call = &self.calls[*at];
            call.form == form && call.hash.as_deref() == Some(&hash)
        };
        let all: Vec<usize> = (0..self.calls.len()).filter(same).collect();
        match all.iter().find(|at| !self.used[**at]) {
            Some(&at) => {
                self.used[at] = true;
                Ok(&self.calls[at])
            }
            None => Err(self.unknown(&relevant(request.clone()), all.len())),
        }
    }

    fn unknown(&self, request: &Value, recorded: usize) -> Refusal {
        let refused = |message: Sentence| Refusal::new(409, "not_recorded", message);
        if recorded > 0 {
            return refused(say!(
                "this request was recorded {recorded} times, and all of these answers are given"
            ));
        }
        let unused = self.calls.iter().zip(&self.used).filter(|(_, used)| !**used);
        let nearest = unused
            .map(|(call, _)| (differences(&call.request, request), call))
            // Of equally near ones the first, which is due next.
            .min_by_key(|(count, call)| (*count, call.call));
        match nearest {
            Some((_, call)) => {
                let place = first_difference("", &call.request, request);
                refused(say!(
                    "this request is not in the record; nearest is call {}, which differs at {place}",
                    call.call
                ))
            }
            None => refused(say!(
                "this request is not in the record, and all {} recorded answers are given",
                self.calls.len()
            )),
        }
    }
}

/// How many leaves differ.
fn differences(recorded: &Value, asked: &Value) -> usize {
    match (recorded, asked) {
        (Value::Object(a), Value::Object(b)) => {
            let changed: usize = a
                .iter()
                .map(|(name, value)| b.get(name).map_or(1, |other| differences(value, other)))
                .sum();
            changed + b.keys().filter(|name| !a.contains_key(*name)).count()
        }
        (Value::Array(a), Value::Array(b)) => {
            let changed: usize = a.iter().zip(b).map(|(a, b)| differences(a, b)).sum();
            changed + a.len().abs_diff(b.len())
        }
        _ => usize::from(recorded != asked),
    }
}

/// Where two requests first differ, and how.
fn first_difference(place: &str, recorded: &Value, asked: &Value) -> String {
    match (recorded, asked) {
        (Value::Object(a), Value::Object(b)) => {
            let inside = |name: &str| match place {
                "" => name.to_owned(),
                _ => format!("{place}.{name}"),
            };
            let differs = a.iter().find(|(name, value)| b.get(*name) != Some(value));
            if let Some((name, value)) = differs {
                return first_difference(&inside(name), value, b.get(name).unwrap_or(&Value::Null));
            }
            let more = b.keys().find(|name| !a.contains_key(*name));
            more.map_or_else(String::new, |name| {
                first_difference(&inside(name), &Value::Null, &b[name])
            })
        }
        (Value::Array(a), Value::Array(b)) => match a.iter().zip(b).position(|(a, b)| a != b) {
            Some(at) => first_difference(&format!("{place}[{at}]"), &a[at], &b[at]),
            None => format!("{place}: {} items were recorded and {} came", a.len(), b.len()),
        },
        (Value::String(a), Value::String(b)) => {
            let same = a.chars().zip(b.chars()).take_while(|(a, b)| a == b).count();
            // A little of what is alike, to find the place by.
            let skipped = same.saturating_sub(20);
            let rest = |text: &str| Value::from(text.chars().skip(skipped).collect::<String>());
            let from = match skipped {
                0 => String::new(),
                _ => format!(" (from character {})", skipped + 1),
            };
            let (a, b) = (short(&rest(a)), short(&rest(b)));
            format!("{place}{from}: {a} was recorded and {b} came")
        }
        _ => format!(
            "{place}: {} was recorded and {} came",
            short(recorded),
            short(asked)
        ),
    }
}

/// A value, cut to what a sentence bears.
fn short(value: &Value) -> String {
    const MOST: usize = 80;
    let text = value.to_string();
    if text.chars().count() <= MOST {
        return text;
    }
    let start: String = text.chars().take(MOST).collect();
    format!("{start}…")
}
