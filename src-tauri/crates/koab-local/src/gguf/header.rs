//! The header of a GGUF file: its facts (metadata entries) and the list of its tensors.

use koab_core::say;
use koab_core::text;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead, BufReader, Seek};
use std::path::Path;

use super::error::GgufError;
use super::source::Source;
use super::{ALIGNMENT, MAGIC, TensorKind, Value};

/// Maximum number of facts or tensors; no model has more.
const MAX_ENTRIES: u64 = 1 << 17;

/// One entry of the list of tensors.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tensor {
    /// llama.cpp's name of the tensor.
    pub name: String,
    /// Dimensions, the length of a row first.
    pub shape: Vec<u64>,
    /// Storage format; `None` if this reader does not know it.
    pub kind: Option<TensorKind>,
    /// Offset from the start of all tensors.
    pub offset: u64,
}

impl Tensor {
    /// Number of elements.
    #[must_use]
    pub fn numbers(&self) -> u64 {
        self.shape.iter().product()
    }
}

/// Header of a GGUF file.
#[derive(Clone, Debug, PartialEq)]
pub struct Header {
    /// GGUF version, 2 or 3.
    pub version: u32,
    /// Metadata by name, such as `general.architecture`.
    pub facts: BTreeMap<String, Value>,
    /// Tensors in this file.
    pub tensors: Vec<Tensor>,
    /// Offset of the first tensor in the file.
    pub data_at: u64,
    /// Bytes of the whole file.
    pub file_bytes: u64,
}

impl Header {
    /// Reads a file's header.
    ///
    /// # Errors
    /// The fault in one sentence, without the file's name.
    pub fn read(path: &Path) -> Result<Self, GgufError> {
        Self::from_reader(BufReader::with_capacity(1 << 16, File::open(path)?))
    }

    /// Reads the header from the front of a seekable source.
    ///
    /// # Errors
    /// The errors of [`Header::read`].
    pub fn from_reader(file: impl BufRead + Seek) -> Result<Self, GgufError> {
        let mut source = Source::new(file)?;
        if source.total() < 4 || source.array()? != MAGIC {
            return Err(GgufError::Magic);
        }
        match source.u32()? {
            version @ 2..=3 => Self::rest(&mut source, version),
            version if version.swap_bytes() <= 3 => Err(GgufError::BigEndian),
            version => Err(GgufError::Version(version)),
        }
    }

    fn rest<R: BufRead + Seek>(source: &mut Source<R>, version: u32) -> Result<Self, GgufError> {
        let tensor_count =
            limited(source.count(text!("the number of tensors"), 32)?, text!("the number of tensors"))?;
        let fact_count = limited(
            source.count(text!("the number of metadata entries"), 13)?,
            text!("the number of metadata entries"),
        )?;
        let mut facts = BTreeMap::new();
        for _ in 0..fact_count {
            let key = source.text(text!("the name of a metadata entry"))?;
            let kind = source.u32()?;
            let value = Value::read(source, &key, kind)?;
            if facts.contains_key(&key) {
                return Err(GgufError::Twice(key));
            }
            facts.insert(key, value);
        }
        let alignment = match facts.get("general.alignment") {
            None => ALIGNMENT,
            Some(Value::Unsigned(alignment)) if alignment.is_power_of_two() && *alignment <= 1 << 20 => {
                *alignment
            }
            Some(other) => {
                let count = if let Value::Unsigned(alignment) = other { *alignment } else { 0 };
                return Err(GgufError::Count { what: "general.alignment".into(), count });
            }
        };
        let mut tensors = Vec::new();
        for _ in 0..tensor_count {
            tensors.push(read_tensor(source, alignment)?);
        }
        let data_at = source.at().next_multiple_of(alignment);
        for tensor in &tensors {
            let Some(bytes) = tensor.kind.and_then(|kind| kind.bytes(tensor.numbers())) else {
                continue;
            };
            let end = data_at.saturating_add(tensor.offset).saturating_add(bytes);
            if end > source.total() {
                return Err(GgufError::CutOffTensor {
                    tensor: tensor.name.clone(),
                    end,
                    bytes: source.total(),
                });
            }
        }
        Ok(Self { version, facts, tensors, data_at, file_bytes: source.total() })
    }
}

fn limited(count: u64, what: &'static str) -> Result<u64, GgufError> {
    if count > MAX_ENTRIES { Err(GgufError::Count { what: what.into(), count }) } else { Ok(count) }
}

fn read_tensor<R: BufRead + Seek>(source: &mut Source<R>, alignment: u64) -> Result<Tensor, GgufError> {
    let name = source.text(text!("the name of a tensor"))?;
    let wrong = |what| GgufError::Tensor { tensor: name.clone(), what };
    let sides = source.u32()?;
    if sides > 4 {
        return Err(wrong(say!("more than four dimensions")));
    }
    let mut shape = Vec::new();
    let mut numbers = 1_u64;
    for _ in 0..sides {
        let side = source.u64()?;
        numbers = numbers
            .checked_mul(side)
            .ok_or_else(|| wrong(say!("more numbers than any file has room for")))?;
        shape.push(side);
    }
    let kind = TensorKind::of_code(source.u32()?);
    if kind.is_some_and(|kind| kind.bytes(shape.first().copied().unwrap_or(1)).is_none()) {
        return Err(wrong(say!("rows that do not fill the blocks of its type")));
    }
    let offset = source.u64()?;
    if !offset.is_multiple_of(alignment) {
        return Err(wrong(say!("an offset that is not aligned")));
    }
    Ok(Tensor { name, shape, kind, offset })
}
