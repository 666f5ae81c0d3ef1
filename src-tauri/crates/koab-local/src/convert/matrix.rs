//! Converts one tensor from its source to its target, piece by piece. All cores share the rows of a
//! piece.

use std::num::NonZero;
use std::thread;

use half::{bf16, f16};

use super::ConvertError;
use super::plan::Step;
use super::reading::SourceReader;
use crate::hf::SourceKind;

mod blocks;
mod fault;

use fault::Fault;

/// Approximate number of weights in a piece: 16 MB as float32.
const PIECE_NUMBERS: u64 = 1 << 22;

/// Reads, converts and writes a tensor. `tell` is called before each piece with its offset in the
/// source file.
pub(super) fn through(
    step: &Step,
    reading: &mut SourceReader,
    shard: &str,
    tell: impl Fn(u64) -> Result<(), ConvertError>,
    mut write: impl FnMut(&[u8]) -> Result<(), ConvertError>,
) -> Result<(), ConvertError> {
    reading.forward(step.place.offset)?;
    let unwritable = || ConvertError::Unwritable(std::io::Error::other(step.target.name.clone()));
    let target_row = step.target.kind.bytes(step.row).ok_or_else(unwritable)? as usize;
    let source_row = (step.row * step.place.kind.bytes()) as usize;
    // Rows change places only within a head, so a piece consists of whole heads.
    let group = step.turned.unwrap_or(1);
    let rows_of_piece = (PIECE_NUMBERS / (step.row * group)).max(1) * group;
    let workers = thread::available_parallelism().map_or(1, NonZero::get);
    let (mut source, mut target) = (Vec::new(), Vec::new());
    let mut done = 0;
    while done < step.rows {
        tell(reading.at())?;
        let rows = rows_of_piece.min(step.rows - done) as usize;
        source.resize(rows * source_row, 0);
        target.resize(rows * target_row, 0);
        reading.read(&mut source)?;
        let each = rows.div_ceil(workers);
        thread::scope(|scope| {
            let source = source.as_slice();
            let mut parts = target.chunks_mut(each * target_row).enumerate();
            let first = parts.next();
            let convert = move |(part, target)| rows_of(step, source, part * each, target, target_row);
            let others: Vec<_> = parts.map(|part| scope.spawn(move || convert(part))).collect();
            reading.hash(source);
            let mut outcome = first.map_or(Ok(()), convert);
            for other in others {
                let other = other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
                outcome = outcome.and(other);
            }
            outcome
        })
        .map_err(|fault| match fault {
            Fault::NotFinite => ConvertError::NotFinite { tensor: step.source.clone(), shard: shard.into() },
            Fault::TooLarge(found) => ConvertError::TooLarge { tensor: step.source.clone(), found },
            Fault::Blocks => unwritable(),
        })?;
        write(&target)?;
        done += rows as u64;
    }
    Ok(())
}

/// Converts rows of a piece, from row `first` on, until `target` is full.
fn rows_of(
    step: &Step,
    source: &[u8],
    first: usize,
    target: &mut [u8],
    target_row: usize,
) -> Result<(), Fault> {
    let row = step.row as usize;
    let source_row = row * step.place.kind.bytes() as usize;
    let rows = target.len() / target_row;
    let mut numbers = Vec::with_capacity(rows * row);
    for at in first..first + rows {
        let from = step.turned.map_or(at, |head| origin(at, head as usize));
        decode(step.place.kind, &source[from * source_row..][..source_row], &mut numbers);
    }
    if !numbers.iter().all(|number| number.is_finite()) {
        return Err(Fault::NotFinite);
    }
    blocks::encode(step.target.kind, &numbers, row, target)
}

/// Source row of a target row within a head.
///
/// transformers rotates number `i` of the first half of a head with number `i` of the second half.
/// llama.cpp rotates each even number with the odd one behind it.
fn origin(row: usize, head: usize) -> usize {
    let (start, within) = (row - row % head, row % head);
    start + within / 2 + (within % 2) * (head / 2)
}

fn decode(kind: SourceKind, bytes: &[u8], into: &mut Vec<f32>) {
    match kind {
        SourceKind::F32 => into.extend(bytes.as_chunks().0.iter().map(|four| f32::from_le_bytes(*four))),
        SourceKind::F16 => {
            into.extend(bytes.as_chunks().0.iter().map(|two| f16::from_le_bytes(*two).to_f32()))
        }
        SourceKind::Bf16 => {
            into.extend(bytes.as_chunks().0.iter().map(|two| bf16::from_le_bytes(*two).to_f32()))
        }
    }
}
