//! Encodes numbers in the storage formats of llama.cpp. ggml itself makes the formats with blocks,
//! so they equal the output of llama.cpp's own quantization.

use half::{bf16, f16};
use llama_cpp_sys_2 as ggml;

use super::fault::Fault;
use crate::gguf::TensorKind;

/// Encodes whole rows into `target`, which must have exactly their size.
pub(super) fn encode(kind: TensorKind, numbers: &[f32], row: usize, target: &mut [u8]) -> Result<(), Fault> {
    match kind {
        TensorKind::F32 => {
            for (place, number) in target.as_chunks_mut().0.iter_mut().zip(numbers) {
                *place = number.to_le_bytes();
            }
        }
        TensorKind::F16 => {
            for (place, number) in target.as_chunks_mut().0.iter_mut().zip(numbers) {
                let half = f16::from_f32(*number);
                if half.is_infinite() {
                    return Err(Fault::TooLarge(*number));
                }
                *place = half.to_le_bytes();
            }
        }
        TensorKind::BF16 => {
            for (place, number) in target.as_chunks_mut().0.iter_mut().zip(numbers) {
                *place = bf16::from_f32(*number).to_le_bytes();
            }
        }
        TensorKind::Q8_0 => quantize(ggml::GGML_TYPE_Q8_0, kind, numbers, row, target)?,
        TensorKind::Q5_0 => quantize(ggml::GGML_TYPE_Q5_0, kind, numbers, row, target)?,
        TensorKind::Q4_K => quantize(ggml::GGML_TYPE_Q4_K, kind, numbers, row, target)?,
        TensorKind::Q6_K => quantize(ggml::GGML_TYPE_Q6_K, kind, numbers, row, target)?,
        _ => return Err(Fault::Blocks),
    }
    Ok(())
}

#[allow(unsafe_code, reason = "ggml's quantization has no safe binding")]
fn quantize(
    code: ggml::ggml_type,
    kind: TensorKind,
    numbers: &[f32],
    row: usize,
    target: &mut [u8],
) -> Result<(), Fault> {
    let whole = row > 0 && numbers.len().is_multiple_of(row) && (row as u64).is_multiple_of(kind.block());
    if !whole || kind.bytes(numbers.len() as u64) != Some(target.len() as u64) {
        return Err(Fault::Blocks);
    }
    let rows = numbers.len() / row;
    // SAFETY: `numbers` holds `rows` rows of `row` numbers, each row fills blocks of `kind`, and
    // `target` is exactly as large as those blocks (checked above; the sizes of `kind` are ggml's,
    // see the test). ggml reads and writes nothing else, takes null for "no weighting", and keeps
    // neither pointer.
    let bytes = unsafe {
        ggml::ggml_quantize_chunk(
            code,
            numbers.as_ptr(),
            target.as_mut_ptr().cast(),
            0,
            rows as i64,
            row as i64,
            std::ptr::null(),
        )
    };
    if bytes == target.len() { Ok(()) } else { Err(Fault::Blocks) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks the sizes that the SAFETY comments above rely on.
    #[test]
    #[allow(unsafe_code, reason = "asks ggml for its sizes")]
    fn the_sizes_of_blocks_are_those_of_ggml() {
        for code in 0..64 {
            let Some(kind) = TensorKind::of_code(code) else {
                continue;
            };
            let block = kind.block();
            // SAFETY: a pure function of a table, for a number that the table has.
            let bytes = unsafe { ggml::ggml_row_size(code as ggml::ggml_type, block as i64) };
            assert_eq!(kind.bytes(block), Some(bytes as u64), "{}", kind.name());
            // SAFETY: as above.
            assert_eq!(
                block as i64,
                unsafe { ggml::ggml_blck_size(code as ggml::ggml_type) },
                "{}",
                kind.name()
            );
        }
    }
}
