//! Answers from a record instead of a model.
//!
//! A request gets the answer that was recorded for the same request, in any API format. A repeated
//! request gets the next recorded answer. The order matters among equal requests only, so that
//! concurrent calls may arrive in another order than in the record.

use super::form::Form;
use super::forms::{Label, Route};
use super::neutral::Neutral;
use super::record::{Matched, RecordedCall};
use super::refusal::Refusal;
use koab_core::cache_key::sha256_hex;
use koab_core::say;
use koab_core::sentence::Sentence;
use serde_json::Value;

/// A record that is being replayed.
pub(super) struct Replay {
    calls: Vec<Played>,
    /// Whether a request that is not in the record may get the next answer that follows the same
    /// tool calls.
    loose: bool,
}

struct Played {
    call: RecordedCall,
    request: Neutral,
    used: bool,
}

impl Replay {
    /// Creates a replay of these calls, without calls whose callers disconnected before the answer.
    /// `max_tokens` is the output limit of requests that name no limit.
    pub(super) fn new(calls: Vec<RecordedCall>, max_tokens: u32, loose: bool) -> Self {
        let calls = calls.into_iter().filter(|call| call.status.is_some());
        Self {
            calls: calls
                .map(|call| Played {
                    request: Neutral::recorded(call.form, &call.request, max_tokens),
                    call,
                    used: false,
                })
                .collect(),
            loose,
        }
    }

    /// Recorded answer to a request; with [`Matched`] when the record does not contain exactly this
    /// request.
    ///
    /// # Errors
    /// 409 when the request was not recorded, or not often enough. The message names the first
    /// difference from the record.
    pub(super) fn next(
        &mut self,
        form: Form,
        request: &Neutral,
    ) -> Result<(&RecordedCall, Option<Matched>), Refusal> {
        let same = |played: &Played| played.request.hash == request.hash;
        let recorded = self.calls.iter().filter(|played| same(played)).count();
        let first = |accepts: &dyn Fn(&Played) -> bool| {
            let mut calls = self.calls.iter();
            calls.position(|played| !played.used && accepts(played))
        };
        // Among equal requests, one of the same form is preferred: its answer is returned
        // unchanged.
        let hit = first(&|played| same(played) && played.call.form == form)
            .or_else(|| first(&same))
            .map(|at| (at, None));
        // Agents write the time and their folder into prompts, but they repeat the tool calls so
        // far.
        let loosely = || {
            let at = first(&|played| played.request.answers == request.answers)?;
            Some((at, Some(Matched::Loosely)))
        };
        let hit = hit.or_else(|| (self.loose && recorded == 0).then(loosely)?);
        let Some((at, matched)) = hit else {
            return Err(self.unknown(&request.value, recorded));
        };
        self.calls[at].used = true;
        Ok((&self.calls[at].call, matched))
    }

    fn unknown(&self, request: &Value, recorded: usize) -> Refusal {
        let refusal = |message: Sentence| Refusal::new(409, "not_recorded", message);
        if recorded > 0 {
            return refusal(say!(
                "this request was recorded {recorded} times, and all of these answers were given already"
            ));
        }
        let unused = self.calls.iter().filter(|played| !played.used);
        let nearest = unused
            .map(|played| (differences(&played.request.value, request), played))
            // Among equally near requests, the first one is due next.
            .min_by_key(|(count, played)| (*count, played.call.call));
        match nearest {
            Some((_, played)) => {
                let place = first_difference("", &played.request.value, request);
                refusal(say!(
                    "this request is not in the record; nearest is call {}, which differs at {place}",
                    played.call.call
                ))
            }
            None => refusal(say!(
                "this request is not in the record, and all {} recorded answers were given already",
                self.calls.len()
            )),
        }
    }
}

/// Recorded answer, converted to the form of the current request.
pub(super) fn in_form(call: &RecordedCall, route: &Route, body: &Value) -> Value {
    if call.form == route.form {
        return call.response.clone();
    }
    if call.status == Some(200) {
        // Derived from the record, so that every replay has the same id and time.
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

/// Number of differing leaves of two JSON values.
fn differences(recorded: &Value, request: &Value) -> usize {
    match (recorded, request) {
        (Value::Object(a), Value::Object(b)) => {
            let changed: usize =
                a.iter().map(|(name, value)| b.get(name).map_or(1, |other| differences(value, other))).sum();
            changed + b.keys().filter(|name| !a.contains_key(*name)).count()
        }
        (Value::Array(a), Value::Array(b)) => {
            let changed: usize = a.iter().zip(b).map(|(a, b)| differences(a, b)).sum();
            changed + a.len().abs_diff(b.len())
        }
        _ => usize::from(recorded != request),
    }
}

/// Path of the first difference between two requests, with both values.
fn first_difference(place: &str, recorded: &Value, request: &Value) -> String {
    match (recorded, request) {
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
            // A few equal characters, to find the place by.
            let skipped = same.saturating_sub(20);
            let rest = |text: &str| Value::from(text.chars().skip(skipped).collect::<String>());
            let from = match skipped {
                0 => String::new(),
                _ => format!(" (from character {})", skipped + 1),
            };
            let (a, b) = (short(&rest(a)), short(&rest(b)));
            format!("{place}{from}: {a} was recorded and {b} came")
        }
        _ => format!("{place}: {} was recorded and {} came", short(recorded), short(request)),
    }
}

/// A value as JSON, cut to the length that a message can hold.
fn short(value: &Value) -> String {
    const MAX_CHARS: usize = 80;
    let text = value.to_string();
    if text.chars().count() <= MAX_CHARS {
        return text;
    }
    let start: String = text.chars().take(MAX_CHARS).collect();
    format!("{start}…")
}
