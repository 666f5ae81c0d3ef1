//! Which recorded call is most like one that is not recorded: for a reader who asks why a call was
//! missed.

use koab_core::args::NormalizedArgs;
use serde_json::{Map, Value};
use std::collections::BTreeSet;

/// The most similar of `recorded`, with the names of the arguments that differ. `None` when there
/// is none at all.
pub fn nearest<'a>(
    wanted: &NormalizedArgs,
    recorded: &'a [NormalizedArgs],
) -> Option<(&'a NormalizedArgs, Vec<String>)> {
    let wanted = fields(wanted);
    let likeness = |other: &NormalizedArgs| likeness(&wanted, &fields(other));
    let best = recorded
        .iter()
        .map(|args| (likeness(args), args))
        // The first of equals, so that the answer is the same every time.
        .reduce(|best, next| if next.0 > best.0 { next } else { best })?;
    let differing = names(&wanted, &fields(best.1))
        .into_iter()
        .filter(|name| wanted.get(name) != fields(best.1).get(name))
        .collect();
    Some((best.1, differing))
}

fn fields(args: &NormalizedArgs) -> Map<String, Value> {
    args.as_value().as_object().cloned().unwrap_or_default()
}

fn names(a: &Map<String, Value>, b: &Map<String, Value>) -> BTreeSet<String> {
    a.keys().chain(b.keys()).cloned().collect()
}

/// From 0 to 1: the share of arguments that agree; texts that nearly do count in part.
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
