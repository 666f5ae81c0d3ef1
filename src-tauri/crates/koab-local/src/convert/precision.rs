//! Precisions of a conversion, and the storage format of each tensor.

use koab_core::say;
use koab_core::sentence::Sentence;
use std::fmt;
use std::str::FromStr;

use crate::gguf::TensorKind;
use crate::hf::{Folder, Part, SourceKind};

/// Precision of the converted weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Precision {
    /// float32: four bytes per weight.
    F32,
    /// float16: two bytes per weight, IEEE 754.
    F16,
    /// bfloat16: two bytes per weight, the upper half of a float32.
    BF16,
    /// `8bit`: `Q8_0`, one byte per weight and two for every 32 weights.
    Q8_0,
    /// `4bit`: `Q4_K`; embeddings and output `Q6_K`.
    Q4,
}

impl Precision {
    /// All precisions, the most exact first.
    pub const ALL: [Precision; 5] = [Self::F32, Self::F16, Self::BF16, Self::Q8_0, Self::Q4];

    /// Name for options and folders.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::F32 => "float32",
            Self::F16 => "float16",
            Self::BF16 => "bfloat16",
            Self::Q8_0 => "8bit",
            Self::Q4 => "4bit",
        }
    }

    /// Precision of most of a folder's weights, which the option `auto` means.
    #[must_use]
    pub fn as_stored(folder: &Folder) -> Self {
        let bytes_as = |kind: SourceKind| -> u64 {
            folder
                .tensors()
                .iter()
                .filter(|(_, place)| place.kind == kind)
                .map(|(_, place)| place.bytes)
                .sum()
        };
        let all =
            [(SourceKind::F32, Self::F32), (SourceKind::F16, Self::F16), (SourceKind::Bf16, Self::BF16)];
        all.into_iter().max_by_key(|(kind, _)| bytes_as(*kind)).map_or(Self::F32, |(_, precision)| precision)
    }

    /// Storage format of a matrix with rows of `row` numbers.
    ///
    /// If a row does not fill the blocks of the format, llama.cpp's rule applies: `Q4_K` becomes
    /// `Q5_0`, and `Q6_K` becomes `Q8_0`. If a row does not fill those smaller blocks either, the
    /// format is F16.
    #[must_use]
    pub fn kind(self, part: Part, row: u64) -> TensorKind {
        let formats: &[TensorKind] = match self {
            Self::F32 => &[TensorKind::F32],
            Self::F16 => &[TensorKind::F16],
            Self::BF16 => &[TensorKind::BF16],
            Self::Q8_0 => &[TensorKind::Q8_0],
            Self::Q4 if matches!(part, Part::Embedding | Part::Output) => {
                &[TensorKind::Q6_K, TensorKind::Q8_0]
            }
            Self::Q4 => &[TensorKind::Q4_K, TensorKind::Q5_0],
        };
        let fits = |kind: &&TensorKind| row.is_multiple_of(kind.block());
        formats.iter().find(fits).copied().unwrap_or(TensorKind::F16)
    }

    /// llama.cpp's number for a file of this precision (`enum llama_ftype`).
    pub(super) fn file_type(self) -> u32 {
        match self {
            Self::F32 => 0,
            Self::F16 => 1,
            Self::BF16 => 32,
            Self::Q8_0 => 7,
            // "mostly Q4_K, small" is the most similar mixture.
            Self::Q4 => 14,
        }
    }
}

impl fmt::Display for Precision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Precision {
    type Err = Sentence;

    fn from_str(text: &str) -> Result<Self, Sentence> {
        Ok(match text.to_ascii_lowercase().as_str() {
            "float32" | "fp32" | "f32" => Self::F32,
            "float16" | "fp16" | "f16" => Self::F16,
            "bfloat16" | "bf16" => Self::BF16,
            "8bit" | "8-bit" | "q8_0" => Self::Q8_0,
            "4bit" | "4-bit" | "q4_k" => Self::Q4,
            _ => {
                let names = Self::ALL.map(Self::name).join(", ");
                return Err(say!("{text} is not a precision; there are {names}"));
            }
        })
    }
}
