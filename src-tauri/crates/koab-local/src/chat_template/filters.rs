//! What templates may call: Jinja's filters and functions and the Python methods that chat
//! templates use, each paid for.
//!
//! A filter that is not here is unknown, as it would be to Hugging Face's own engine.

use super::budget::Budget;
use koab_core::say;
use koab_core::sentence::Sentence;
use minijinja::value::{Rest, ValueKind, ValueOrKwargs};
use minijinja::{Environment, Error, ErrorKind, State, Value, filters, functions};

/// What a character costs that becomes a value of its own.
const PIECE: u64 = 32;

/// Gives an environment its filters, functions and methods.
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
        // These put what they were given into new lists.
        let deepens = matches!(name, "items" | "dictsort" | "groupby" | "map");
        let adds_up = name == "sum";
        let budget = budget.clone();
        add(env, name, move |state, args| {
            args.iter().try_for_each(|arg| pieces(&budget, arg))?;
            if adds_up {
                only_numbers(args)?;
            }
            let made = filter.call(state, args)?;
            if deepens {
                budget.weigh(&made, false)?;
            }
            Ok(made)
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
    // The engine's own range is walked anew for each item that is asked of it.
    let (b, range) = (budget.clone(), Value::from_function(functions::range));
    env.add_function("range", move |state: &mut State<'_, '_>, args: Rest<Value>| -> Result<Value, Error> {
        let numbers = range.call(state, &args)?;
        b.weigh_outside(&numbers)?;
        Ok(numbers.try_iter()?.collect())
    });
}

/// Tests in which Python answers otherwise than the engine.
fn add_tests(env: &mut Environment<'_>) {
    use ValueKind::{Bool, Iterable, Map, Number, Seq, String, Undefined};
    let one_of = |kinds: &'static [ValueKind]| move |value: &Value| kinds.contains(&value.kind());
    env.add_test("iterable", one_of(&[String, Seq, Map, Iterable, Undefined]));
    env.add_test("sequence", one_of(&[String, Seq, Map, Undefined]));
    env.add_test("number", one_of(&[Number, Bool]));
}

/// Pays for a text that is taken apart into its characters or words.
pub(super) fn pieces(budget: &Budget, value: &Value) -> Result<(), Error> {
    match value.as_str() {
        Some(text) => budget.spend(PIECE * text.len() as u64),
        None => budget.weigh_outside(value),
    }
}

/// Texts and lists would be added up without being paid for.
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
