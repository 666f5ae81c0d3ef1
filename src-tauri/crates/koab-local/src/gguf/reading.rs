//! Reads the values of facts (metadata entries of a header).

use koab_core::text;
use std::io::{BufRead, Seek};

use super::error::GgufError;
use super::source::Source;
use super::value::code;
use super::{Array, Value};

/// Maximum length of lists that are kept, such as heads by layer. Longer lists (vocabularies) are
/// only counted.
const MAX_KEPT_ITEMS: u64 = 4096;

impl Value {
    /// Reads a fact's value of the type with code `kind`.
    pub(super) fn read<R: BufRead + Seek>(
        source: &mut Source<R>,
        key: &str,
        kind: u32,
    ) -> Result<Self, GgufError> {
        let signed = |number: i64| u64::try_from(number).map_or(Value::Signed(number), Value::Unsigned);
        Ok(match kind {
            code::U8 => Value::Unsigned(u64::from(source.array::<1>()?[0])),
            code::I8 => signed(i64::from(i8::from_le_bytes(source.array()?))),
            code::U16 => Value::Unsigned(u64::from(u16::from_le_bytes(source.array()?))),
            code::I16 => signed(i64::from(i16::from_le_bytes(source.array()?))),
            code::U32 => Value::Unsigned(u64::from(source.u32()?)),
            code::I32 => signed(i64::from(i32::from_le_bytes(source.array()?))),
            code::F32 => Value::Float(f64::from(f32::from_le_bytes(source.array()?))),
            code::BOOL => Value::Bool(source.array::<1>()?[0] != 0),
            code::TEXT => Value::Text(source.text(text!("a text"))?),
            code::U64 => Value::Unsigned(source.u64()?),
            code::I64 => signed(i64::from_le_bytes(source.array()?)),
            code::F64 => Value::Float(f64::from_le_bytes(source.array()?)),
            code::ARRAY => Value::Array(read_array(source, key)?),
            code => {
                return Err(GgufError::ValueType { key: key.to_owned(), code });
            }
        })
    }
}

fn read_array<R: BufRead + Seek>(source: &mut Source<R>, key: &str) -> Result<Array, GgufError> {
    let kind = source.u32()?;
    let width = match kind {
        code::U8 | code::I8 | code::BOOL => 1,
        code::U16 | code::I16 => 2,
        code::U32 | code::I32 | code::F32 => 4,
        code::U64 | code::I64 | code::F64 | code::TEXT => 8,
        // Lists of lists do not occur; a hostile file would nest them without end.
        code => {
            return Err(GgufError::ValueType { key: key.to_owned(), code });
        }
    };
    let count = source.count(text!("the length of a list"), width)?;
    match kind {
        code::TEXT if count <= MAX_KEPT_ITEMS => {
            let texts: Result<_, _> = (0..count).map(|_| source.text(text!("a text of a list"))).collect();
            Ok(Array::Texts(texts?))
        }
        code::TEXT => {
            for _ in 0..count {
                let length = source.count(text!("the length of a text"), 1)?;
                source.skip(length)?;
            }
            Ok(Array::Counted(count))
        }
        code::F32 if count <= MAX_KEPT_ITEMS => {
            let floats: Result<_, GgufError> =
                (0..count).map(|_| Ok(f32::from_le_bytes(source.array()?))).collect();
            Ok(Array::Floats(floats?))
        }
        code::U32 | code::I32 if count <= MAX_KEPT_ITEMS => {
            let numbers: Result<_, GgufError> =
                (0..count).map(|_| Ok(i32::from_le_bytes(source.array()?))).collect();
            Ok(Array::Integers(numbers?))
        }
        _ => {
            source.skip(count.saturating_mul(width))?;
            Ok(Array::Counted(count))
        }
    }
}
