//! Checks the arguments of the graded call, one by one (L1).

use crate::atlas::case::Case;
use crate::atlas::cause::Cause;
use crate::atlas::facts::{numbers, plain};
use crate::atlas::finding::Finding;
use koab_core::level::Level;
use koab_core::log::LoggedTask;
use koab_core::python::to_str;
use koab_core::score::MetricId::{ArgAcc, CallEm, Sr};
use koab_core::score::{ArgumentMatch, ArgumentState, args_of, compare_arguments, tool_of};
use serde_json::Value;

pub(super) fn find(case: &Case<'_>) -> Vec<Finding> {
    let golden = case.task().list("golden_action").first();
    let single = Some(case.task().get("golden_action")).filter(|value| value.is_object());
    let Some(golden) = golden.or(single).filter(|_| *case.attempt.cx.level == Level::L1) else {
        return Vec::new();
    };
    let graded = tool_of(golden).and_then(|tool| case.calls().iter().position(|call| call.is_to(tool)));
    let Some(place) = graded else { return Vec::new() };
    let call = &case.calls()[place];
    let schema = case.task().get("arg_schema");
    let arguments = compare_arguments(&args_of(golden), &call.args, schema);
    let findings = arguments.iter().filter_map(|argument| {
        let cause = match cause_of(argument)? {
            Cause::WrongArgument | Cause::ArgumentForm if matches_instruction(case.task(), argument) => {
                Cause::GoldenDiffers
            }
            cause => cause,
        };
        let metrics = match cause {
            // A judge who marks down a default contradicts the log, which is a cause of its own.
            Cause::DefaultArgument => vec![CallEm],
            Cause::ArgumentForm => vec![CallEm],
            Cause::WrongArgument | Cause::MissingArgument => vec![CallEm, ArgAcc, Sr],
            _ => vec![CallEm, ArgAcc],
        };
        let finding = Finding::new(cause, &metrics).at(place, call).argument(&argument.name);
        Some(finding.expected(argument.golden.as_ref()).found(argument.given.as_ref()))
    });
    findings.collect()
}

/// Whether the model used a value from the task's text while the golden call has another value.
fn matches_instruction(task: &LoggedTask, argument: &ArgumentMatch) -> bool {
    let Some((golden, given)) = argument.golden.as_ref().zip(argument.given.as_ref()) else {
        return false;
    };
    let instruction = to_str(task.get("instruction"));
    // Short values occur in any text.
    let says = |value: &Value| {
        let text = to_str(value);
        text.chars().count() >= 4 && instruction.contains(&text)
    };
    says(given) && !says(golden)
}

/// Cause that follows from the comparison of an argument; `None` where the argument is equal.
pub(super) fn cause_of(argument: &ArgumentMatch) -> Option<Cause> {
    match argument.state {
        ArgumentState::Same => None,
        ArgumentState::Default => Some(Cause::DefaultArgument),
        ArgumentState::Missing => Some(Cause::MissingArgument),
        ArgumentState::Extra => Some(Cause::ExtraArgument),
        ArgumentState::Wrong => {
            let same = argument.golden.as_ref().zip(argument.given.as_ref());
            let form = same.is_some_and(|(golden, given)| is_form(golden, given));
            Some(if form { Cause::ArgumentForm } else { Cause::WrongArgument })
        }
    }
}

/// Whether two values have the same meaning in different notations: other spaces, punctuation and
/// letter case, a number as text, or the same coordinates with fewer digits.
fn is_form(golden: &Value, given: &Value) -> bool {
    let text = |value: &Value| match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(flag) => Some(flag.to_string()),
        _ => None,
    };
    let (Some(golden), Some(given)) = (text(golden), text(given)) else {
        return false;
    };
    let bare = plain(&golden);
    if !bare.is_empty() && bare == plain(&given) {
        // Without marks 1.5 and 15 would be the same.
        let (one, other) = (numbers(&golden), numbers(&given));
        return one.len() == other.len() && one.iter().zip(&other).all(|(a, b)| a.value == b.value);
    }
    let (one, other) = (numbers(&golden), numbers(&given));
    let skeleton =
        |text: &str| text.chars().filter(|c| !c.is_ascii_digit() && !".,- ".contains(*c)).collect::<String>();
    let near = |a: f64, b: f64, step: f64| (a - b).abs() <= step / 2.0 * 1.000_001;
    !one.is_empty()
        && one.len() == other.len()
        && skeleton(&golden) == skeleton(&given)
        && one.iter().zip(&other).all(|(a, b)| {
            let step = a.step.max(b.step);
            // Whole numbers are not rounded.
            step < 1.0 && a.step != b.step && near(a.value, b.value, step)
        })
}
