//! What the user may choose of a model inside the application, and what a run writes down of it.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// How much smaller the weights are made.
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

/// The numbers of weights that are not quantized.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "lowercase")]
#[ts(export)]
pub enum Dtype {
    /// As the model was published.
    #[default]
    Auto,
    /// 16 bits, as IEEE 754 has them.
    Float16,
    /// 16 bits with the exponents of 32.
    Bfloat16,
    /// 32 bits.
    Float32,
}

/// Where a model computes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "lowercase")]
#[ts(export)]
pub enum ComputeDevice {
    /// A graphics processor if this program was built for one and it is there, else the processor.
    #[default]
    Auto,
    /// The processor.
    Cpu,
    /// NVIDIA's.
    Cuda,
    /// Apple's.
    Metal,
    /// Any with Vulkan.
    Vulkan,
}

/// Threads that a model computes with at most.
pub const MOST_THREADS: u32 = 512;

/// How a model inside the application runs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(default)]
#[ts(export)]
pub struct LocalSettings {
    /// Quantization; `null` means none. GGUF files have their own and take none.
    pub quantization: Option<Quantization>,
    /// Numbers of weights that are not quantized.
    pub dtype: Dtype,
    /// Where it computes.
    pub device: ComputeDevice,
    /// Tokens of one conversation; `null` means what the model was trained for, at most 16,384.
    pub context: Option<u32>,
    /// How tool calls are written (`hermes`, `llama3`, `mistral` …, `auto` for any of them); `null`
    /// means as the model's template says.
    pub tool_form: Option<String>,
    /// Whether tool calls are held to the tools' schemas by a grammar; refused under the
    /// leaderboard protocol.
    pub constrained: bool,
    /// Threads that compute; `null` means one a physical core that is free. With another number the
    /// last bits of a result may differ, so a run writes down how many computed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional = nullable)]
    pub threads: Option<u32>,
}

impl LocalSettings {
    /// The precision that was asked for, in words; `None` means as published.
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

/// What a run with such a model writes down of it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct LocalRun {
    /// What was asked for, with the number of threads that computed. Runs of earlier versions do
    /// not say that.
    #[serde(flatten)]
    pub settings: LocalSettings,
    /// The weights' precision in words: `8bit` where they were converted here, `Q4_K_M` of a GGUF
    /// file as its name says it, or else the kind that most of its numbers have. Null in runs of
    /// earlier versions with a GGUF file.
    pub precision: Option<String>,
    /// SHA-256 of the weights as they were loaded, of a split GGUF file over its parts one after
    /// another.
    pub sha256: Option<String>,
    /// Bytes of the weights as they were loaded.
    pub weights_bytes: u64,
    /// Tokens of one conversation as it was loaded.
    pub context_used: u32,
    /// Conversations at once.
    pub parallel: u32,
    /// How tool calls were written.
    pub form: String,
    /// Whether calls were read in that form alone. Earlier versions took every markup they knew.
    #[serde(default)]
    pub reads_form_alone: bool,
}

#[cfg(test)]
mod tests;
