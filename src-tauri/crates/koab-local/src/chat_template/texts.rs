//! Filters and methods that make text in Python's spelling, and the guards of [`super::guards`]. An
//! operation that can make a text longer is computed and charged before the text is made.

use super::budget::Budget;
use super::filters::{add, nth, pieces, refused};
use super::{guards, python_text};
use koab_core::say;
use minijinja::value::{Kwargs, from_args};
use minijinja::{Environment, Error, State, Value, filters};
use minijinja_contrib::pycompat;

/// Adds the filters that make text in Python's spelling, and the filters that charge the budget
/// ([`super::guards`]).
pub(super) fn add_texts(env: &mut Environment<'_>, budget: &Budget) {
    let b = budget.clone();
    add(env, "tojson", move |_, args| {
        let (positional, named) = from_args::<(&[Value], Kwargs)>(args)?;
        let (value, options) =
            positional.split_first().ok_or_else(|| refused(say!("tojson needs a value")))?;
        Ok(python_text::to_json(&b, value, options, &named)?.into())
    });
    let b = budget.clone();
    add(env, "string", move |_, args| Ok(python_text::to_text(&b, &nth(args, 0))?.into()));
    let b = budget.clone();
    env.add_filter(
        "join",
        move |value: Value, between: Option<Value>, attribute: Option<Value>, named: Kwargs| {
            let between = match between {
                Some(between) => between,
                None => named.get::<Option<Value>>("d")?.unwrap_or_else(|| "".into()),
            };
            let attribute = match attribute {
                Some(attribute) => Some(attribute),
                None => named.get::<Option<Value>>("attribute")?,
            };
            named.assert_all_used()?;
            let items = value.try_iter()?.checked().map(|item| match &attribute {
                Some(name) => item?.get_item(name),
                None => item,
            });
            join(&b, items, &python_text::to_text(&b, &between)?)
        },
    );
    let b = budget.clone();
    add(env, "replace", move |_, args| replace(&b, &nth(args, 0), &nth(args, 1), &nth(args, 2), None));
    let (b, indent) = (budget.clone(), Value::from_function(filters::indent));
    add(env, "indent", move |state, args| {
        // At most 64 blanks are charged for each line, so one call cannot fill the memory.
        let width = args.iter().filter_map(Value::as_i64).max().unwrap_or(0);
        if width > 64 || args.iter().any(|arg| arg.is_kwargs() && wide(arg)) {
            return Err(refused(say!("indent takes no more than 64 blanks")));
        }
        let lines = nth(args, 0).as_str().map_or(0, |text| text.lines().count() as u64 + 1);
        b.weigh_outside(&nth(args, 0))?;
        b.spend(64 * lines)?;
        indent.call(state, args)
    });
    for guard in [
        guards::TEXTS,
        guards::LENGTHS,
        guards::PART,
        guards::TIMES,
        guards::BUILT,
        guards::STORED,
        guards::TURN,
    ] {
        let b = budget.clone();
        add(env, guard, move |_, args| guarded(&b, guard, args));
    }
}

fn wide(named: &Value) -> bool {
    named.get_attr("width").is_ok_and(|width| width.as_i64().is_some_and(|width| width > 64))
}

/// Runs a guard. One operand is returned as it is. Several operands are returned as a list in the
/// engine's order of unpacking.
fn guarded(budget: &Budget, guard: &str, args: &[Value]) -> Result<Value, Error> {
    budget.in_time()?;
    let mut operands = args.to_vec();
    match guard {
        guards::TEXTS => {
            for operand in &mut operands {
                *operand = python_text::to_text(budget, operand)?.into();
            }
        }
        guards::LENGTHS => args.iter().try_for_each(|arg| budget.weigh_outside(arg))?,
        guards::PART => {
            budget.weigh_outside(&nth(args, 0))?;
            if nth(args, 0).len() == Some(0) {
                operands.iter_mut().skip(1).for_each(|place| *place = ().into());
            }
        }
        guards::TIMES => {
            let times = args.iter().filter_map(Value::as_usize).max().unwrap_or(1) as u64;
            for arg in args.iter().filter(|arg| !arg.is_number()) {
                let each = arg.as_str().map_or(24, str::len).max(1) as u64 * arg.len().unwrap_or(1) as u64;
                budget.spend(each.saturating_mul(times))?;
            }
        }
        guards::BUILT => budget.weigh(&nth(args, 0), false)?,
        guards::STORED => budget.weigh(&nth(args, 0), false)?,
        _ => {}
    }
    match <[Value; 1]>::try_from(operands) {
        Ok([one]) => Ok(one),
        Err(mut several) => {
            several.reverse();
            Ok(several.into())
        }
    }
}

/// Calls a Python method of a text, mapping or list.
pub(super) fn method(
    budget: &Budget,
    state: &mut State<'_, '_>,
    value: &Value,
    name: &str,
    args: &[Value],
) -> Result<Value, Error> {
    budget.weigh_outside(value)?;
    let Some(text) = value.as_str() else {
        return pycompat::unknown_method_callback(state, value, name, args);
    };
    let part = |of: Option<&str>| Value::from(of.unwrap_or(text));
    match name {
        "replace" => {
            let (old, new, count): (Value, Value, Option<i64>) = from_args(args)?;
            let count = count.and_then(|count| usize::try_from(count).ok());
            replace(budget, value, &old, &new, count)
        }
        "join" => {
            let (items,): (Value,) = from_args(args)?;
            join(budget, items.try_iter()?.checked(), text)
        }
        "removeprefix" => {
            let (prefix,): (&str,) = from_args(args)?;
            Ok(part(text.strip_prefix(prefix)))
        }
        "removesuffix" => {
            let (suffix,): (&str,) = from_args(args)?;
            Ok(part(text.strip_suffix(suffix)))
        }
        "format" if !small_widths(text) => {
            Err(refused(say!("format takes no widths of four digits or from arguments")))
        }
        "split" | "splitlines" => {
            pieces(budget, value)?;
            pycompat::unknown_method_callback(state, value, name, args)
        }
        _ => pycompat::unknown_method_callback(state, value, name, args),
    }
}

fn small_widths(format: &str) -> bool {
    let digits = format.as_bytes().windows(4).any(|four| four.iter().all(u8::is_ascii_digit));
    // In a field within a field, the width would come from the arguments.
    let mut fields = 0;
    let mut nested = false;
    for c in format.replace("{{", "").replace("}}", "").chars() {
        fields += i32::from(c == '{') - i32::from(c == '}');
        nested |= fields > 1;
    }
    !digits && !nested
}

fn join(
    budget: &Budget,
    items: impl Iterator<Item = Result<Value, Error>>,
    between: &str,
) -> Result<Value, Error> {
    let mut out = String::new();
    for (i, item) in items.enumerate() {
        if i > 0 {
            budget.spend(between.len() as u64)?;
            out.push_str(between);
        }
        out.push_str(&python_text::to_text(budget, &item?)?);
    }
    Ok(out.into())
}

fn replace(
    budget: &Budget,
    value: &Value,
    old: &Value,
    new: &Value,
    most: Option<usize>,
) -> Result<Value, Error> {
    let [text, old, new] = [value, old, new].map(|value| python_text::to_text(budget, value));
    let (text, old, new) = (text?, old?, new?);
    let most = most.unwrap_or(usize::MAX);
    let matches = text.matches(&old).take(most).count() as u64;
    budget.spend(matches.saturating_mul(new.len() as u64))?;
    Ok(text.replacen(&old, &new, most).into())
}
