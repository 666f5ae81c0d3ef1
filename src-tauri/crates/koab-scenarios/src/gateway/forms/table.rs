//! Fields of bodies: what is done with each, in a table a form.
//!
//! Three of the forms have most of these fields at the top of their bodies, under the same names or
//! others.

use super::fields;
use crate::gateway::refusal::Refusal;
use crate::gateway::request::{BOOK_KEEPING, GatewayRequest};
use koab_core::say;
use serde_json::Value;

/// Reads a field of a form's own.
pub(super) type Reader = fn(&mut GatewayRequest, &str, &Value) -> Result<(), Refusal>;

/// What is done with a field.
#[derive(Clone, Copy)]
pub(super) enum Field {
    /// Nothing here: it is read together with others.
    Elsewhere,
    /// Only true or false.
    Truth,
    /// True is as the model likes; false asks for one call.
    SeveralCalls,
    /// Sampling temperature.
    Temperature,
    /// Sampling seed.
    Seed,
    /// Reasoning effort by its name.
    Effort,
    /// Output tokens at most.
    Limit,
    /// Texts at which the answer ends, so many at most.
    Stops(usize),
    /// Does not change the answer, or not so that it could not be carried without: stays here and
    /// is named.
    LeftOut,
    /// The same, but these values ask for what is done anyway.
    LeftOutBut(fn(&Value) -> bool),
    /// Only these values, which ask for what is done anyway.
    Usual(fn(&Value) -> bool),
    /// As its reader says.
    Own(Reader),
}

/// Fields of a form by their names.
pub(super) type Table = [(&'static str, Field)];

/// What the forms have in common.
const COMMON: &Table = &[
    ("model", Field::Elsewhere),
    ("stream", Field::Truth),
    ("temperature", Field::Temperature),
    ("top_p", Field::LeftOutBut(|value| value.as_f64() == Some(1.0))),
    ("service_tier", Field::LeftOutBut(|value| value == "auto" || value == "default")),
];

/// Reads all fields of a body by a form's own table, and those that it has in common with the
/// others. Null is how clients write a field that is not there.
///
/// # Errors
/// The first field that makes no sense or cannot be carried.
pub(super) fn read(
    asked: &mut GatewayRequest,
    body: &serde_json::Map<String, Value>,
    own: &Table,
) -> Result<(), Refusal> {
    for (name, value) in body.iter().filter(|(_, value)| !value.is_null()) {
        let known = own.iter().chain(COMMON).find(|(known, _)| known == name);
        match known {
            Some((name, field)) => one(asked, name, *field, value)?,
            None if BOOK_KEEPING.contains(&name.as_str()) => asked.leave_out(name),
            None => return Err(fields::unknown(name)),
        }
    }
    Ok(())
}

fn one(asked: &mut GatewayRequest, name: &str, field: Field, value: &Value) -> Result<(), Refusal> {
    match field {
        Field::Truth | Field::SeveralCalls if !value.is_boolean() => {
            return Err(Refusal::field(name, say!("must be true or false")));
        }
        Field::Elsewhere | Field::Truth => {}
        Field::SeveralCalls => asked.one_call = value == false,
        Field::Temperature => fields::temperature(asked, name, value)?,
        Field::Seed => fields::seed(asked, name, value)?,
        Field::Effort => fields::effort(asked, name, value)?,
        Field::Limit => fields::limit(asked, name, value)?,
        Field::Stops(most) => fields::stops(asked, name, value, most)?,
        Field::LeftOut => asked.leave_out(name),
        Field::LeftOutBut(usual) if !usual(value) => asked.leave_out(name),
        Field::Usual(usual) if !usual(value) => return Err(fields::unknown(name)),
        Field::LeftOutBut(_) | Field::Usual(_) => {}
        Field::Own(read) => read(asked, name, value)?,
    }
    Ok(())
}
