//! Matches a task's calls with the entries of the golden path and compares their arguments, for
//! display.
//!
//! Metrics do not use this module: each metric has its own rule (`docs/spec/metrics.md` §3), and
//! [`super::evidence`] lists the calls that it used. Calls are compared by the same rules as in the
//! metrics, so that the display and the scores agree: tools by name, arguments by Python's
//! equality, L3 calls in the order of the path, and L6 repeats by tool and arguments together.

use super::task_context::{Signature, args_of, call_signature, signature, tool_of};
use crate::level::Level;
use crate::log::{LoggedCall, LoggedTask};
use crate::python::equal;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::HashSet;

/// Kind of an entry of the golden path or of the fallbacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "snake_case")]
pub enum GoldenKind {
    /// A call of the golden path.
    Call,
    /// A chance to answer from data that the conversation already contains (L6).
    Reuse,
    /// A fallback call after the injected failure (L5).
    Fallback,
}

/// One entry of the golden path, or a fallback.
#[derive(Clone, Debug, PartialEq)]
pub struct GoldenEntry {
    /// Kind of the entry.
    pub kind: GoldenKind,
    /// The tool; null if the entry calls none.
    pub tool: Option<String>,
    /// Arguments in the dataset; an empty object without arguments.
    pub args: Value,
    /// Step number in the path, if the task has step numbers (L3).
    pub step: Option<i64>,
    /// Whether the dataset's own turns already made this call (L6).
    pub seeded: bool,
    /// Position of the matching call in [`Matching::calls`]; null if no call matches.
    pub call: Option<usize>,
}

/// Relation of a call to the golden path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "snake_case")]
pub enum CallPlace {
    /// The call matches an entry of the path.
    Expected,
    /// The call matches an entry at another place of the path (L3).
    OutOfOrder,
    /// The call matches a fallback (L5).
    Fallback,
    /// The call repeats an earlier call with the same arguments. The earlier call may belong to a
    /// seeded turn.
    Repeat,
    /// The path has no such call, or all matching entries belong to other calls.
    Extra,
    /// The task has no golden path (L7).
    NoPath,
}

/// Result of the comparison of an argument with the golden one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "snake_case")]
pub enum ArgumentState {
    /// The values are equal.
    Same,
    /// One side leaves the argument out and the other side has its default value. Only the
    /// corrected scorer treats the two as equal.
    Default,
    /// The values differ.
    Wrong,
    /// Only the golden call has the argument.
    Missing,
    /// Only the model's call has the argument.
    Extra,
}

/// An argument of a call and of the golden call.
#[derive(Clone, Debug, PartialEq)]
pub struct ArgumentMatch {
    /// Name of the argument.
    pub name: String,
    /// The golden value, when there is one.
    pub golden: Option<Value>,
    /// The model's value, when there is one.
    pub given: Option<Value>,
    /// Result of the comparison.
    pub state: ArgumentState,
}

/// A call and its match in the golden path.
#[derive(Clone, Debug, PartialEq)]
pub struct CallMatch {
    /// Relation of the call to the path.
    pub place: CallPlace,
    /// Position in [`Matching::golden`] of the entry that the call matches. If there is no match,
    /// position of an entry with the same tool; null without such an entry.
    pub golden: Option<usize>,
    /// Comparison of the call's arguments with those of the entry at `golden`, the entry's
    /// arguments first. Empty if `golden` is null.
    pub arguments: Vec<ArgumentMatch>,
}

/// The calls of a task matched with its golden path.
#[derive(Clone, Debug, PartialEq)]
pub struct Matching {
    /// Entries of the path, then the fallbacks.
    pub golden: Vec<GoldenEntry>,
    /// The calls in order.
    pub calls: Vec<CallMatch>,
}

impl Matching {
    /// Matches the calls of a task with its golden path.
    pub fn new(level: &Level, task: &LoggedTask) -> Self {
        let mut golden = entries(task);
        let seeded: HashSet<Signature> = golden
            .iter()
            .filter(|entry| entry.seeded)
            .filter_map(|entry| Some(signature(entry.tool.as_deref()?, &entry.args)))
            .collect();
        let has_path = golden.iter().any(|entry| entry.kind != GoldenKind::Fallback);
        let mut places = vec![None; task.calls.len()];
        if *level == Level::L3 {
            in_order(&mut golden, &task.calls, &mut places);
        }
        by_tool(&mut golden, &task.calls, &mut places, *level == Level::L3);
        let mut known_calls = seeded;
        let calls = task.calls.iter().zip(places).map(|(call, place)| {
            let repeats = !known_calls.insert(call_signature(call));
            let same_tool =
                || golden.iter().position(|entry| entry.tool.as_deref().is_some_and(|tool| call.is_to(tool)));
            let (place, entry) = match place {
                Some((place, entry)) => (place, Some(entry)),
                None if repeats => (CallPlace::Repeat, same_tool()),
                None if !has_path => (CallPlace::NoPath, None),
                None => (CallPlace::Extra, same_tool()),
            };
            CallMatch {
                place,
                golden: entry,
                arguments: entry.map_or_else(Vec::new, |entry| {
                    compare(&golden[entry].args, &call.args, task.get("arg_schema"))
                }),
            }
        });
        let calls = calls.collect();
        Self { golden, calls }
    }
}

fn entries(task: &LoggedTask) -> Vec<GoldenEntry> {
    let path = match task.get("golden_action") {
        bare @ Value::Object(_) => std::slice::from_ref(bare),
        _ => task.list("golden_action"),
    };
    let mut left_to_seed = task.seeded_results();
    let mut entry = |kind: GoldenKind, stated: &Value| {
        let tool = tool_of(stated).map(ToOwned::to_owned);
        let seeded = kind == GoldenKind::Call && tool.is_some() && left_to_seed > 0;
        left_to_seed -= usize::from(seeded);
        let kind = if tool.is_none() { GoldenKind::Reuse } else { kind };
        GoldenEntry {
            kind,
            tool,
            args: args_of(stated),
            step: stated.get("step").and_then(Value::as_i64),
            seeded,
            call: None,
        }
    };
    let mut entries: Vec<GoldenEntry> = path.iter().map(|stated| entry(GoldenKind::Call, stated)).collect();
    let fallbacks = task.list("fallback_options").iter();
    entries.extend(fallbacks.map(|stated| entry(GoldenKind::Fallback, stated)));
    entries
}

type GoldenMatch = Option<(CallPlace, usize)>;

/// Finds the longest sequence of path entries that the calls follow in order, compared by tool.
fn in_order(golden: &mut [GoldenEntry], calls: &[LoggedCall], places: &mut [GoldenMatch]) {
    let same =
        |entry: &GoldenEntry, call: &LoggedCall| entry.tool.as_deref().is_some_and(|tool| call.is_to(tool));
    // Length of the longest common subsequence from each pair of positions on. Both lists are
    // short.
    let mut longest = vec![vec![0_usize; calls.len() + 1]; golden.len() + 1];
    for g in (0..golden.len()).rev() {
        for c in (0..calls.len()).rev() {
            longest[g][c] = if same(&golden[g], &calls[c]) {
                longest[g + 1][c + 1] + 1
            } else {
                longest[g + 1][c].max(longest[g][c + 1])
            };
        }
    }
    let (mut g, mut c) = (0, 0);
    while g < golden.len() && c < calls.len() {
        if same(&golden[g], &calls[c]) {
            golden[g].call = Some(c);
            places[c] = Some((CallPlace::Expected, g));
            (g, c) = (g + 1, c + 1);
        } else if longest[g + 1][c] >= longest[g][c + 1] {
            g += 1;
        } else {
            c += 1;
        }
    }
}

/// Matches the remaining entries by tool. An entry takes the unmatched call with equal arguments,
/// or else the first unmatched call to its tool.
fn by_tool(golden: &mut [GoldenEntry], calls: &[LoggedCall], places: &mut [GoldenMatch], ordered: bool) {
    for exact in [true, false] {
        for (g, entry) in golden.iter_mut().enumerate() {
            let Some(tool) = entry.tool.as_deref() else {
                continue;
            };
            // A seeded call was made already; making it again is a repeat.
            if entry.call.is_some() || entry.seeded {
                continue;
            }
            let fits = |c: &usize| {
                places[*c].is_none()
                    && calls[*c].is_to(tool)
                    && (!exact || equal(&calls[*c].args, &entry.args))
            };
            let Some(c) = (0..calls.len()).find(fits) else {
                continue;
            };
            entry.call = Some(c);
            let place = match entry.kind {
                GoldenKind::Fallback => CallPlace::Fallback,
                _ if ordered => CallPlace::OutOfOrder,
                _ => CallPlace::Expected,
            };
            places[c] = Some((place, g));
        }
    }
}

/// Arguments of both calls: the golden ones in their order, then those that only the model's call
/// has.
pub fn compare(golden: &Value, given: &Value, schema: &Value) -> Vec<ArgumentMatch> {
    let none = Map::new();
    let (golden, given) = (golden.as_object().unwrap_or(&none), given.as_object().unwrap_or(&none));
    let is_default = |name: &str, value: &Value| {
        schema.get(name).and_then(|schema| schema.get("default")).is_some_and(|default| equal(default, value))
    };
    let mut arguments = Vec::new();
    for (name, expected) in golden {
        let value = given.get(name);
        let state = match value {
            Some(value) if equal(expected, value) => ArgumentState::Same,
            Some(_) => ArgumentState::Wrong,
            None if is_default(name, expected) => ArgumentState::Default,
            None => ArgumentState::Missing,
        };
        arguments.push(ArgumentMatch {
            name: name.clone(),
            golden: Some(expected.clone()),
            given: value.cloned(),
            state,
        });
    }
    for (name, value) in given.iter().filter(|(name, _)| !golden.contains_key(*name)) {
        let state = if is_default(name, value) { ArgumentState::Default } else { ArgumentState::Extra };
        arguments.push(ArgumentMatch { name: name.clone(), golden: None, given: Some(value.clone()), state });
    }
    arguments
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn matching(level: Level, task: &Value) -> Matching {
        Matching::new(&level, &LoggedTask::read(0, task).unwrap())
    }

    fn places(matching: &Matching) -> Vec<(CallPlace, Option<usize>)> {
        matching.calls.iter().map(|call| (call.place, call.golden)).collect()
    }

    fn call(tool: &str, args: Value) -> Value {
        json!({"step": 1, "tool_name": tool, "arguments": args, "success": true})
    }

    #[test]
    fn arguments_are_compared_one_by_one_with_the_metrics_equality() {
        let found = matching(
            Level::L1,
            &json!({
                "golden_action": [{"tool": "A", "args": {"q": "가", "n": 1, "page": 1, "sort": "sim"}}],
                "arg_schema": {"page": {"default": 1}, "size": {"default": 10}},
                "tool_calls": [call("A", json!({"n": 1.0, "q": "나", "size": 10, "x": null}))],
            }),
        );
        let states: Vec<_> = found.calls[0]
            .arguments
            .iter()
            .map(|argument| (argument.name.as_str(), argument.state))
            .collect();
        assert_eq!(
            states,
            [
                ("q", ArgumentState::Wrong),
                ("n", ArgumentState::Same),
                ("page", ArgumentState::Default),
                ("sort", ArgumentState::Missing),
                ("size", ArgumentState::Default),
                ("x", ArgumentState::Extra),
            ]
        );
    }

    #[test]
    fn a_path_is_walked_in_its_order_on_l3_and_in_any_elsewhere() {
        let task = json!({
            "golden_action": [{"step": 1, "tool": "A"}, {"step": 2, "tool": "B"}, {"step": 3, "tool": "C"}],
            "tool_calls": [call("B", json!({})), call("A", json!({})), call("B", json!({"x": 1})), call("D", json!({}))],
        });
        let walked = matching(Level::L3, &task);
        assert_eq!(
            places(&walked),
            [
                (CallPlace::Extra, Some(1)),
                (CallPlace::Expected, Some(0)),
                (CallPlace::Expected, Some(1)),
                (CallPlace::Extra, None),
            ]
        );
        assert_eq!(walked.golden[2].call, None);
        let anyhow = matching(Level::L4, &task);
        assert_eq!(
            anyhow.golden.iter().map(|entry| entry.call).collect::<Vec<_>>(),
            [Some(1), Some(0), None]
        );
        let swapped = json!({
            "golden_action": [{"tool": "A"}, {"tool": "B"}],
            "tool_calls": [call("B", json!({})), call("A", json!({}))],
        });
        let swapped = places(&matching(Level::L3, &swapped));
        assert!(swapped.iter().any(|(place, _)| *place == CallPlace::OutOfOrder), "{swapped:?}");
    }

    #[test]
    fn equal_arguments_win_over_the_first_call_to_the_tool() {
        let task = json!({
            "golden_action": [{"tool": "A", "args": {"q": 1}}],
            "tool_calls": [call("A", json!({"q": 2})), call("A", json!({"q": 1}))],
        });
        assert_eq!(
            places(&matching(Level::L1, &task)),
            [(CallPlace::Extra, Some(0)), (CallPlace::Expected, Some(0))]
        );
    }

    #[test]
    fn fallbacks_repeats_of_seeded_calls_and_tasks_without_a_path_are_told_apart() {
        let fallback = json!({
            "golden_action": [{"tool": "A"}], "fallback_options": [{"tool": "B"}],
            "tool_calls": [call("A", json!({})), call("A", json!({})), call("B", json!({"q": 1}))],
        });
        assert_eq!(
            places(&matching(Level::L5, &fallback)),
            [(CallPlace::Expected, Some(0)), (CallPlace::Repeat, Some(0)), (CallPlace::Fallback, Some(1)),]
        );
        let seeded = json!({
            "golden_action": [{"tool": "A", "args": {"q": 1}}, {"action": "context_used"}],
            "tool_calls": [call("A", json!({"q": 1}))],
            "conversation_log": {"messages": [{"role": "tool", "tool_call_id": "seed_call_2_1", "content": {}}]},
        });
        let seeded = matching(Level::L6, &seeded);
        assert_eq!(places(&seeded), [(CallPlace::Repeat, Some(0))]);
        assert!(seeded.golden[0].seeded && seeded.golden[1].kind == GoldenKind::Reuse);
        let free = matching(Level::L7, &json!({"golden_action": [], "tool_calls": [call("A", json!({}))]}));
        assert_eq!(places(&free), [(CallPlace::NoPath, None)]);
    }
}
