//! Writes a GGUF file from front to back: the header with every tensor's offset, which is known in
//! advance, then the tensors' bytes.

use koab_core::say;
use std::io::{self, Write};

use super::value::code;
use super::{ALIGNMENT, Array, MAGIC, TensorKind, Value};

/// A tensor to be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TensorPlan {
    /// llama.cpp's name of the tensor, such as `blk.0.attn_q.weight`.
    pub name: String,
    /// Dimensions in ggml's order: the length of a row first.
    pub shape: Vec<u64>,
    /// Storage format.
    pub kind: TensorKind,
}

impl TensorPlan {
    /// Bytes of the tensor's numbers.
    ///
    /// # Errors
    /// When a row does not fill blocks of the format.
    pub fn bytes(&self) -> io::Result<u64> {
        let row = self.shape.first().copied().unwrap_or(1);
        let rows: u64 = self.shape.iter().skip(1).product();
        let bytes = self.kind.bytes(row).and_then(|bytes| bytes.checked_mul(rows));
        bytes.ok_or_else(|| {
            let (kind, block) = (self.kind.name(), self.kind.block());
            io::Error::other(say!("{}: rows of {row} do not fill {kind} blocks of {block}", self.name))
        })
    }
}

/// Writer of one file. The bytes given to [`Writer::write`] fill the first tensor, then the next.
#[derive(Debug)]
pub struct Writer<W> {
    out: W,
    /// Names and bytes of the tensors that are not begun, in reverse order.
    open: Vec<(String, u64)>,
    /// Bytes that the current tensor still lacks.
    lacking: u64,
    /// Bytes of padding after the current tensor.
    padding: u64,
}

impl<W: Write> Writer<W> {
    /// Writes the header.
    ///
    /// # Errors
    /// When `out` fails, or the rows of a tensor do not fill blocks.
    pub fn new(mut out: W, facts: &[(String, Value)], tensors: &[TensorPlan]) -> io::Result<Self> {
        let mut header = Vec::new();
        header.extend(MAGIC);
        header.extend(3_u32.to_le_bytes());
        header.extend((tensors.len() as u64).to_le_bytes());
        header.extend((facts.len() as u64).to_le_bytes());
        for (key, value) in facts {
            put_text(&mut header, key);
            put_value(&mut header, value)?;
        }
        let mut at = 0_u64;
        let mut open = Vec::new();
        for tensor in tensors {
            put_text(&mut header, &tensor.name);
            header.extend((tensor.shape.len() as u32).to_le_bytes());
            tensor.shape.iter().for_each(|side| header.extend(side.to_le_bytes()));
            header.extend(tensor.kind.code().to_le_bytes());
            header.extend(at.to_le_bytes());
            let bytes = tensor.bytes()?;
            at += bytes.next_multiple_of(ALIGNMENT);
            open.push((tensor.name.clone(), bytes));
        }
        header.resize(header.len().next_multiple_of(ALIGNMENT as usize), 0);
        out.write_all(&header)?;
        open.reverse();
        let mut writer = Self { out, open, lacking: 0, padding: 0 };
        writer.turn()?;
        Ok(writer)
    }

    /// Appends bytes to the current tensor. They must not exceed it.
    ///
    /// # Errors
    /// When `out` fails, or there are more bytes than the current tensor takes.
    pub fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        let lacking = self.lacking.checked_sub(bytes.len() as u64);
        self.lacking = lacking.ok_or_else(|| io::Error::other(say!("more bytes than the tensor takes")))?;
        self.out.write_all(bytes)?;
        self.turn()
    }

    /// Pads a full tensor and continues with the next.
    fn turn(&mut self) -> io::Result<()> {
        while self.lacking == 0 {
            self.out.write_all(&[0; ALIGNMENT as usize][..self.padding as usize])?;
            self.padding = 0;
            let Some((_, bytes)) = self.open.pop() else { break };
            self.lacking = bytes;
            self.padding = bytes.next_multiple_of(ALIGNMENT) - bytes;
        }
        Ok(())
    }

    /// Finishes the file.
    ///
    /// # Errors
    /// When the bytes of a tensor are missing.
    pub fn finish(self) -> io::Result<W> {
        if self.lacking > 0 {
            return Err(io::Error::other(say!("{} bytes of a tensor were not written", self.lacking)));
        }
        Ok(self.out)
    }
}

fn put_text(into: &mut Vec<u8>, text: &str) {
    into.extend((text.len() as u64).to_le_bytes());
    into.extend(text.as_bytes());
}

/// Writes a value. Whole numbers take the four bytes that llama.cpp expects, or eight if they are
/// larger; floating-point numbers take four.
fn put_value(into: &mut Vec<u8>, value: &Value) -> io::Result<()> {
    let mut kind = |code: u32| into.extend(code.to_le_bytes());
    match value {
        Value::Unsigned(number) => match u32::try_from(*number) {
            Ok(number) => {
                kind(code::U32);
                into.extend(number.to_le_bytes());
            }
            Err(_) => {
                kind(code::U64);
                into.extend(number.to_le_bytes());
            }
        },
        Value::Signed(number) => {
            kind(code::I64);
            into.extend(number.to_le_bytes());
        }
        Value::Float(number) => {
            kind(code::F32);
            into.extend((*number as f32).to_le_bytes());
        }
        Value::Bool(yes) => {
            kind(code::BOOL);
            into.push(u8::from(*yes));
        }
        Value::Text(text) => {
            kind(code::TEXT);
            put_text(into, text);
        }
        Value::Array(array) => {
            kind(code::ARRAY);
            let mut head = |code: u32| {
                into.extend(code.to_le_bytes());
                into.extend(array.count().to_le_bytes());
            };
            match array {
                Array::Integers(all) => {
                    head(code::I32);
                    all.iter().for_each(|number| into.extend(number.to_le_bytes()));
                }
                Array::Floats(all) => {
                    head(code::F32);
                    all.iter().for_each(|number| into.extend(number.to_le_bytes()));
                }
                Array::Texts(all) => {
                    head(code::TEXT);
                    all.iter().for_each(|text| put_text(into, text));
                }
                Array::Counted(_) => {
                    return Err(io::Error::other(say!("a list that was only counted cannot be written")));
                }
            }
        }
    }
    Ok(())
}
