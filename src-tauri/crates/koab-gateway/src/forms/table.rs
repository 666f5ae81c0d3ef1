//! Tables of the fields of request bodies, one table for each form, with the treatment of each
//! field.
//!
//! Three of the forms have most of these fields at the top level of their bodies, some under other
//! names.

use super::fields;
use crate::refusal::Refusal;
use crate::request::{BOOK_KEEPING, GatewayRequest};
use koab_core::say;
use serde_json::Value;

/// Reader of a field that only one form has.
pub(super) type Reader = fn(&mut GatewayRequest, &str, &Value) -> Result<(), Refusal>;

/// Treatment of a field.
#[derive(Clone, Copy)]
pub(super) enum Field {
    /// The field is read elsewhere, together with others.
    Elsewhere,
    /// The field must be a bool. Its value has no effect here.
    Truth,
    /// The field must be a bool: false allows only one call, true any number.
    SeveralCalls,
    /// Sampling temperature.
    Temperature,
    /// Sampling seed.
    Seed,
    /// Reasoning effort by its name.
    Effort,
    /// Maximum of output tokens.
    Limit,
    /// Stop sequences, at most this many.
    Stops(usize),
    /// The field is not forwarded but listed in the answer, since it changes the answer little or
    /// not at all.
    LeftOut,
    /// The field is not forwarded. It is listed in the answer unless this function is true for its
    /// value, which is then the default.
    LeftOutUnless(fn(&Value) -> bool),
    /// The field is refused unless this function is true for its value, which is then the default.
    Usual(fn(&Value) -> bool),
    /// The field is read by this function of the form.
    Own(Reader),
}

/// Names and treatments of a form's fields.
pub(super) type Table = [(&'static str, Field)];

/// Fields that the forms have in common.
const COMMON: &Table = &[
    ("model", Field::Elsewhere),
    ("stream", Field::Truth),
    ("temperature", Field::Temperature),
    ("top_p", Field::LeftOutUnless(|value| value.as_f64() == Some(1.0))),
    ("service_tier", Field::LeftOutUnless(|value| value == "auto" || value == "default")),
];

/// Reads all fields of a body, using the table of its form and the table that all forms share. A
/// null field counts as missing.
///
/// # Errors
/// When a field is invalid or cannot be forwarded; the first such field is named.
pub(super) fn read(
    request: &mut GatewayRequest,
    body: &serde_json::Map<String, Value>,
    own: &Table,
) -> Result<(), Refusal> {
    for (name, value) in body.iter().filter(|(_, value)| !value.is_null()) {
        let entry = own.iter().chain(COMMON).find(|(known, _)| known == name);
        match entry {
            Some((name, field)) => one(request, name, *field, value)?,
            None if BOOK_KEEPING.contains(&name.as_str()) => request.leave_out(name),
            None => return Err(fields::unknown(name)),
        }
    }
    Ok(())
}

fn one(request: &mut GatewayRequest, name: &str, field: Field, value: &Value) -> Result<(), Refusal> {
    match field {
        Field::Truth | Field::SeveralCalls if !value.is_boolean() => {
            return Err(Refusal::field(name, say!("must be true or false")));
        }
        Field::Elsewhere | Field::Truth => {}
        Field::SeveralCalls => request.one_call = value == false,
        Field::Temperature => fields::temperature(request, name, value)?,
        Field::Seed => fields::seed(request, name, value)?,
        Field::Effort => fields::effort(request, name, value)?,
        Field::Limit => fields::limit(request, name, value)?,
        Field::Stops(most) => fields::stops(request, name, value, most)?,
        Field::LeftOut => request.leave_out(name),
        Field::LeftOutUnless(usual) if !usual(value) => request.leave_out(name),
        Field::Usual(usual) if !usual(value) => return Err(fields::unknown(name)),
        Field::LeftOutUnless(_) | Field::Usual(_) => {}
        Field::Own(read) => read(request, name, value)?,
    }
    Ok(())
}
