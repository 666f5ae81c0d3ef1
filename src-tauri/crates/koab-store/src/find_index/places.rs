//! Places of an attempt's texts as one value of a row, and the numbers of the text fields.

use super::attempts::{put, take};
use koab_core::find::TextField;
use std::io;

/// Place of a text in an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    /// Number of the field.
    pub(super) field: u64,
    /// Id of the argument's name in the table `word`; 0 for other fields.
    pub(super) name: u64,
    /// Number of the message or call.
    pub(super) number: u64,
    /// Id of the text.
    pub(super) text: u64,
}

/// Number of a field in the index. An argument's name is stored separately.
pub(super) fn field_number(field: &TextField) -> u64 {
    match field {
        TextField::Answer => 0,
        TextField::Error => 1,
        TextField::Argument(_) => 2,
        TextField::Said => 3,
        TextField::Result => 4,
        TextField::Ask => 5,
    }
}

/// Field with this number.
pub(super) fn field_of(number: u64, name: impl FnOnce() -> Option<String>) -> TextField {
    match number {
        0 => TextField::Answer,
        1 => TextField::Error,
        2 => TextField::Argument(name()),
        3 => TextField::Said,
        4 => TextField::Result,
        _ => TextField::Ask,
    }
}

pub(super) fn write(places: &[Place]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for place in places {
        for number in [place.field, place.name, place.number, place.text] {
            put(number, &mut bytes);
        }
    }
    bytes
}

/// Reads the places of an attempt.
///
/// # Errors
/// When the bytes end within a place.
pub(super) fn read(mut bytes: &[u8]) -> io::Result<Vec<Place>> {
    let mut places = Vec::new();
    while !bytes.is_empty() {
        let mut next = || take(&mut bytes);
        places.push(Place { field: next()?, name: next()?, number: next()?, text: next()? });
    }
    Ok(places)
}
