//! Writing a safetensors file: the length of a JSON header, the header, the tensors one behind the other.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use serde_json::{Map, Value, json};

use crate::Dtype;
use crate::random::Random;
use crate::tensor::Tensor;

/// Writes tensors into a file, number by number.
pub(crate) fn write(path: &Path, tensors: &[Tensor], dtype: Dtype, seed: u64) -> io::Result<()> {
    let mut header = Map::new();
    header.insert("__metadata__".into(), json!({"format": "pt"}));
    let mut at = 0;
    for tensor in tensors {
        let end = at + tensor.count() * dtype.bytes();
        let entry = json!({"dtype": name(dtype), "shape": tensor.shape, "data_offsets": [at, end]});
        header.insert(tensor.name.clone(), entry);
        at = end;
    }
    let mut header = Value::Object(header).to_string();
    while !header.len().is_multiple_of(8) {
        header.push(' ');
    }
    let mut file = BufWriter::with_capacity(1 << 20, File::create(path)?);
    file.write_all(&(header.len() as u64).to_le_bytes())?;
    file.write_all(header.as_bytes())?;
    for tensor in tensors {
        let mut random = Random::new(seed, &tensor.name);
        for _ in 0..tensor.count() {
            let weight = tensor.mean + random.around_zero(tensor.deviation);
            match dtype {
                Dtype::F32 => file.write_all(&weight.to_le_bytes())?,
                Dtype::Bf16 => file.write_all(&bf16(weight).to_le_bytes())?,
            }
        }
    }
    file.flush()
}

fn name(dtype: Dtype) -> &'static str {
    match dtype {
        Dtype::F32 => "F32",
        Dtype::Bf16 => "BF16",
    }
}

/// The nearest number of two bytes, ties to even. Weights are finite.
fn bf16(weight: f32) -> u16 {
    let bits = weight.to_bits();
    ((bits + 0x7fff + ((bits >> 16) & 1)) >> 16) as u16
}
