//! Finds the recorded call that is most similar to an unrecorded one. The difference explains to a
//! user why the cache had no response.

use koab_core::args::NormalizedArgs;
use serde_json::{Map, Value};
use std::collections::BTreeSet;

/// The most similar of the recorded arguments, with the names of the arguments that differ. `None`
/// when nothing is recorded.
pub fn nearest<'a>(
    wanted: &NormalizedArgs,
    recorded: &'a [NormalizedArgs],
) -> Option<(&'a NormalizedArgs, Vec<String>)> {
    let wanted_fields = fields(wanted);
    let likeness = |other: &NormalizedArgs| likeness(&wanted_fields, &fields(other));
    let best = recorded
        .iter()
        .map(|args| (likeness(args), args))
        // The first of equals, so that the result is deterministic.
        .reduce(|best, next| if next.0 > best.0 { next } else { best })?;
    let differing = names(&wanted_fields, &fields(best.1))
        .into_iter()
        .filter(|name| wanted_fields.get(name) != fields(best.1).get(name))
        .collect();
    Some((best.1, differing))
}

fn fields(args: &NormalizedArgs) -> Map<String, Value> {
    args.as_value().as_object().cloned().unwrap_or_default()
}

fn names(a: &Map<String, Value>, b: &Map<String, Value>) -> BTreeSet<String> {
    a.keys().chain(b.keys()).cloned().collect()
}

/// Similarity of two calls, from 0 to 1: the share of arguments that are equal. Texts that are only
/// similar count in part.
fn likeness(a: &Map<String, Value>, b: &Map<String, Value>) -> f64 {
    let names = names(a, b);
    if names.is_empty() {
        return 1.0;
    }
    let agreeing: f64 = names
        .iter()
        .map(|name| match (a.get(name), b.get(name)) {
            (Some(x), Some(y)) if x == y => 1.0,
            (Some(Value::String(x)), Some(Value::String(y))) => strsim::normalized_levenshtein(x, y) * 0.9,
            _ => 0.0,
        })
        .sum();
    agreeing / names.len() as f64
}

#[cfg(test)]
mod tests;
