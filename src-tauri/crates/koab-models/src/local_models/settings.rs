//! Settings of a local model, and the facts that a run records about it.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Quantization of a local model's weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub enum Quantization {
    /// `Q4_K`, with `Q6_K` for embeddings and output.
    #[serde(rename = "4bit")]
    FourBit,
    /// `Q8_0`.
    #[serde(rename = "8bit")]
    EightBit,
}

/// Number format of weights that are not quantized.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "lowercase")]
#[ts(export)]
pub enum Dtype {
    /// The format of the published model.
    #[default]
    Auto,
    /// 16 bits, IEEE 754.
    Float16,
    /// 16 bits with the exponent range of float32.
    Bfloat16,
    /// 32 bits.
    Float32,
}

/// Device that computes a local model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "lowercase")]
#[ts(export)]
pub enum ComputeDevice {
    /// A graphics processor if this program was built for one and the machine has one, else the
    /// processor.
    #[default]
    Auto,
    /// The processor.
    Cpu,
    /// An NVIDIA card.
    Cuda,
    /// An Apple GPU.
    Metal,
    /// Any card with Vulkan.
    Vulkan,
}

/// Maximum number of threads that a model computes with.
pub const MOST_THREADS: u32 = 512;

/// Options of a local model.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(default)]
#[ts(export)]
pub struct LocalSettings {
    /// Quantization; `null` means none. It must be `null` for GGUF files, which are already
    /// quantized.
    pub quantization: Option<Quantization>,
    /// Number format of weights that are not quantized.
    pub dtype: Dtype,
    /// Device that computes.
    pub device: ComputeDevice,
    /// Tokens of one conversation; `null` means the trained context, at most 16,384.
    pub context: Option<u32>,
    /// Form of tool calls (`hermes`, `llama3`, `mistral` …, `auto` for all of them); `null` means
    /// the form of the model's template.
    pub tool_form: Option<String>,
    /// Whether a grammar constrains tool calls to the tools' schemas. The leaderboard protocol
    /// refuses it.
    pub constrained: bool,
    /// Number of threads; `null` means one per idle physical core. The number may affect the last
    /// bits of a result, so a run records it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional = nullable)]
    pub threads: Option<u32>,
}

impl LocalSettings {
    /// Name of the requested precision; `None` means as published.
    pub fn precision(&self) -> Option<&'static str> {
        match (self.quantization, self.dtype) {
            (Some(Quantization::FourBit), _) => Some("4bit"),
            (Some(Quantization::EightBit), _) => Some("8bit"),
            (None, Dtype::Float16) => Some("float16"),
            (None, Dtype::Bfloat16) => Some("bfloat16"),
            (None, Dtype::Float32) => Some("float32"),
            (None, Dtype::Auto) => None,
        }
    }
}

/// Facts that a run records about its local model.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct LocalRun {
    /// Requested settings, with the actual number of threads. Runs of earlier versions do not
    /// contain the number.
    #[serde(flatten)]
    pub settings: LocalSettings,
    /// Name of the weights' precision.
    ///
    /// If the weights were converted here, it is the precision, such as `8bit`. For a GGUF file it
    /// is the quantization in the file's name, such as `Q4_K_M`, or else the format of most
    /// weights. Null in runs of earlier versions with a GGUF file.
    pub precision: Option<String>,
    /// SHA-256 of the loaded weights; for a split GGUF file, over its parts one after another.
    pub sha256: Option<String>,
    /// Bytes of the loaded weights.
    pub weights_bytes: u64,
    /// Tokens of one conversation, as loaded.
    pub context_used: u32,
    /// Conversations at once.
    pub parallel: u32,
    /// Format of tool calls in the model's text, such as `hermes`.
    pub form: String,
    /// Whether only calls in [`LocalRun::form`] were read. Earlier versions accepted every known
    /// form.
    #[serde(default)]
    pub reads_form_alone: bool,
}

#[cfg(test)]
mod tests;
