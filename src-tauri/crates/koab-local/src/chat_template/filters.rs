//! Functions available to templates: Jinja's filters and functions, and the Python methods that
//! chat templates use. Each call is charged to the budget.
//!
//! A filter that is not listed here is unknown, as it is to Hugging Face's engine.

use super::budget::Budget;
use koab_core::say;
use koab_core::sentence::Sentence;
use minijinja::value::{Rest, ValueKind, ValueOrKwargs};
use minijinja::{Environment, Error, ErrorKind, State, Value, filters, functions};

/// Bytes charged for each character that becomes a value of its own.
const PIECE_BYTES: u64 = 32;

/// Adds the filters, functions and tests to an environment.
pub(super) fn add_filters(env: &mut Environment<'_>, budget: &Budget) {
    let cheap = [
        ("length", Value::from_function(filters::length)),
        ("count", Value::from_function(filters::length)),
        ("first", Value::from_function(filters::first)),
        ("last", Value::from_function(filters::last)),
        ("default", Value::from_function(filters::default)),
        ("d", Value::from_function(filters::default)),
        ("abs", Value::from_function(filters::abs)),
        ("int", Value::from_function(filters::int)),
        ("float", Value::from_function(filters::float)),
        ("round", Value::from_function(filters::round)),
        ("upper", Value::from_function(filters::upper)),
        ("lower", Value::from_function(filters::lower)),
        ("title", Value::from_function(filters::title)),
        ("capitalize", Value::from_function(filters::capitalize)),
        ("trim", Value::from_function(filters::trim)),
        ("safe", Value::from_function(filters::safe)),
        ("attr", Value::from_function(filters::attr)),
    ];
    for (name, filter) in cheap {
        let budget = budget.clone();
        add(env, name, move |state, args| {
            args.iter().try_for_each(|arg| budget.weigh_outside(arg))?;
            filter.call(state, args)
        });
    }
    let through = [
        ("list", Value::from_function(filters::list)),
        ("reverse", Value::from_function(filters::reverse)),
        ("items", Value::from_function(filters::items)),
        ("dictsort", Value::from_function(filters::dictsort)),
        ("sort", Value::from_function(filters::sort)),
        ("unique", Value::from_function(filters::unique)),
        ("groupby", Value::from_function(filters::groupby)),
        ("min", Value::from_function(filters::min)),
        ("max", Value::from_function(filters::max)),
        ("sum", Value::from_function(filters::sum)),
        ("map", Value::from_function(filters::map)),
        ("select", Value::from_function(filters::select)),
        ("reject", Value::from_function(filters::reject)),
        ("selectattr", Value::from_function(filters::selectattr)),
        ("rejectattr", Value::from_function(filters::rejectattr)),
        ("escape", Value::from_function(filters::escape)),
        ("e", Value::from_function(filters::escape)),
    ];
    for (name, filter) in through {
        // These put their inputs into new lists.
        let deepens = matches!(name, "items" | "dictsort" | "groupby" | "map");
        let adds_up = name == "sum";
        let budget = budget.clone();
        add(env, name, move |state, args| {
            args.iter().try_for_each(|arg| pieces(&budget, arg))?;
            if adds_up {
                only_numbers(args)?;
            }
            let value = filter.call(state, args)?;
            if deepens {
                budget.weigh(&value, false)?;
            }
            Ok(value)
        });
    }
    add_functions(env, budget);
    add_tests(env);
}

pub(super) fn add(
    env: &mut Environment<'_>,
    name: &'static str,
    filter: impl Fn(&mut State<'_, '_>, &[Value]) -> Result<Value, Error> + Send + Sync + 'static,
) {
    env.add_filter(
        name,
        move |state: &mut State<'_, '_>, args: Rest<ValueOrKwargs>| -> Result<Value, Error> {
            filter(state, &args.into_values())
        },
    );
}

fn add_functions(env: &mut Environment<'_>, budget: &Budget) {
    for (name, function) in [
        ("dict", Value::from_function(functions::dict)),
        ("namespace", Value::from_function(functions::namespace)),
    ] {
        let b = budget.clone();
        env.add_function(
            name,
            move |state: &mut State<'_, '_>, args: Rest<ValueOrKwargs>| -> Result<Value, Error> {
                let args = args.into_values();
                args.iter().try_for_each(|arg| b.weigh(arg, false))?;
                function.call(state, &args)
            },
        );
    }
    // The engine's own range is computed anew for each item that is read from it.
    let (b, range) = (budget.clone(), Value::from_function(functions::range));
    env.add_function("range", move |state: &mut State<'_, '_>, args: Rest<Value>| -> Result<Value, Error> {
        let numbers = range.call(state, &args)?;
        b.weigh_outside(&numbers)?;
        Ok(numbers.try_iter()?.collect())
    });
}

/// Adds the tests whose results differ between Python and the engine.
fn add_tests(env: &mut Environment<'_>) {
    use ValueKind::{Bool, Iterable, Map, Number, Seq, String, Undefined};
    let one_of = |kinds: &'static [ValueKind]| move |value: &Value| kinds.contains(&value.kind());
    env.add_test("iterable", one_of(&[String, Seq, Map, Iterable, Undefined]));
    env.add_test("sequence", one_of(&[String, Seq, Map, Undefined]));
    env.add_test("number", one_of(&[Number, Bool]));
}

/// Charges the budget for a text that is split into characters or words.
pub(super) fn pieces(budget: &Budget, value: &Value) -> Result<(), Error> {
    match value.as_str() {
        Some(text) => budget.spend(PIECE_BYTES * text.len() as u64),
        None => budget.weigh_outside(value),
    }
}

/// Rejects texts and lists, because the engine would concatenate them without a charge.
fn only_numbers(args: &[Value]) -> Result<(), Error> {
    for item in nth(args, 0).try_iter()?.checked() {
        if matches!(item?.kind(), ValueKind::String | ValueKind::Seq | ValueKind::Iterable) {
            return Err(refused(say!("sum takes numbers only")));
        }
    }
    Ok(())
}

pub(super) fn nth(args: &[Value], at: usize) -> Value {
    args.get(at).cloned().unwrap_or_default()
}

pub(super) fn refused(why: Sentence) -> Error {
    super::refusal::refused(ErrorKind::InvalidOperation, why)
}
