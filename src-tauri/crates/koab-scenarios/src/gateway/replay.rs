//! Answers from a record instead of a model.
//!
//! A request gets the answer that the same request got, in whatever form; the same request asked
//! again gets the next one. The order counts among equal requests only, so calls made at once may
//! come in another order than in the record.

use super::form::Form;
use super::forms::{Label, Route};
use super::neutral::Neutral;
use super::record::{Matched, RecordedCall};
use super::refusal::Refusal;
use koab_core::cache_key::sha256_hex;
use koab_core::say;
use koab_core::sentence::Sentence;
use serde_json::Value;

/// A record that is being played.
pub(super) struct Replay {
    calls: Vec<Played>,
    /// Whether a request that is not in the record may get the next answer to the same calls.
    loose: bool,
}

struct Played {
    call: RecordedCall,
    asked: Neutral,
    used: bool,
}

impl Replay {
    /// Plays these calls. Those whose callers left before the answer came have none to give.
    /// `max_tokens` counts for requests that name none.
    pub(super) fn new(calls: Vec<RecordedCall>, max_tokens: u32, loose: bool) -> Self {
        let calls = calls.into_iter().filter(|call| call.status.is_some());
        Self {
            calls: calls
                .map(|call| Played {
                    asked: Neutral::recorded(call.form, &call.request, max_tokens),
                    call,
                    used: false,
                })
                .collect(),
            loose,
        }
    }

    /// The recorded answer to a request, and how it was found where it was not by the request
    /// itself.
    ///
    /// # Errors
    /// 409 when it was not recorded, or not as often; the sentence names where it first differs
    /// from the record.
    pub(super) fn next(
        &mut self,
        form: Form,
        asked: &Neutral,
    ) -> Result<(&RecordedCall, Option<Matched>), Refusal> {
        let same = |played: &Played| played.asked.hash == asked.hash;
        let recorded = self.calls.iter().filter(|played| same(played)).count();
        let first = |wanted: &dyn Fn(&Played) -> bool| {
            let mut calls = self.calls.iter();
            calls.position(|played| !played.used && wanted(played))
        };
        // Of equal ones those of the same form are given as they were told.
        let found = first(&|played| same(played) && played.call.form == form)
            .or_else(|| first(&same))
            .map(|at| (at, None));
        // Agents write the time and their folder into prompts; what they have called so far they
        // cannot help but repeat.
        let loosely = || {
            let at = first(&|played| played.asked.answers == asked.answers)?;
            Some((at, Some(Matched::Loosely)))
        };
        let found = found.or_else(|| (self.loose && recorded == 0).then(loosely)?);
        let Some((at, matched)) = found else {
            return Err(self.unknown(&asked.value, recorded));
        };
        self.calls[at].used = true;
        Ok((&self.calls[at].call, matched))
    }

    fn unknown(&self, asked: &Value, recorded: usize) -> Refusal {
        let refused = |message: Sentence| Refusal::new(409, "not_recorded", message);
        if recorded > 0 {
            return refused(say!(
                "this request was recorded {recorded} times, and all of these answers are given"
            ));
        }
        let unused = self.calls.iter().filter(|played| !played.used);
        let nearest = unused
            .map(|played| (differences(&played.asked.value, asked), played))
            // Of equally near ones the first, which is due next.
            .min_by_key(|(count, played)| (*count, played.call.call));
        match nearest {
            Some((_, played)) => {
                let place = first_difference("", &played.asked.value, asked);
                refused(say!(
                    "this request is not in the record; nearest is call {}, which differs at {place}",
                    played.call.call
                ))
            }
            None => refused(say!(
                "this request is not in the record, and all {} recorded answers are given",
                self.calls.len()
            )),
        }
    }
}

/// A recorded answer in the form in which it is asked for now.
pub(super) fn in_form(call: &RecordedCall, route: &Route, body: &Value) -> Value {
    if call.form == route.form {
        return call.response.clone();
    }
    if call.status == Some(200) {
        // The same words each time.
        let created = ["created", "created_at"].iter().find_map(|name| call.response[name].as_u64());
        let id = sha256_hex(&format!("{} {}", call.trial, call.call));
        let label = Label {
            id: id[..32].to_owned(),
            created: created.unwrap_or_default(),
            model: route.model(body),
            stopped: None,
        };
        return route.write(&Route::for_form(call.form).reply(&call.response), &label, body);
    }
    let message = call.error.clone().unwrap_or_default();
    route.error(&Refusal::new(call.status.unwrap_or(500), "recorded_error", message))
}

/// How many leaves differ.
fn differences(recorded: &Value, asked: &Value) -> usize {
    match (recorded, asked) {
        (Value::Object(a), Value::Object(b)) => {
            let changed: usize =
                a.iter().map(|(name, value)| b.get(name).map_or(1, |other| differences(value, other))).sum();
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
            more.map_or_else(String::new, |name| first_difference(&inside(name), &Value::Null, &b[name]))
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
        _ => format!("{place}: {} was recorded and {} came", short(recorded), short(asked)),
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
