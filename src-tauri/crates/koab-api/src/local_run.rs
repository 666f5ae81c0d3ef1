//! Models inside the application as runs and judges use them: what the user may choose, and making such a model ready.
//!
//! Ready means found on the disk, converted at the wanted precision (once; it is kept) and loaded. One model is loaded in a
//! process; whoever asks for the same one shares it, and it goes when the last user lets go. What lies on the disk and how
//! it came there is [`crate::local`]'s.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

#[cfg(feature = "local")]
mod doctor;
#[cfg(feature = "local")]
mod engine;
#[cfg(feature = "local")]
mod need;
#[cfg(feature = "local")]
mod opening;
mod trial;
mod wire;
#[cfg(feature = "local")]
pub(crate) use opening::Loaded;

pub(crate) use trial::Trials;
pub use trial::{LocalEngine, LocalNeed, LocalStep, LocalTrial, LocalTrialRequest};
pub use wire::{LocalAdvice, LocalExamination, LongestPrompt};

/// Conversations at once, when the user does not say.
pub(crate) const PARALLEL: u32 = 4;

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
    /// How tool calls are written (`hermes`, `llama3`, `mistral` …); `null` means as the model's template says.
    pub tool_form: Option<String>,
    /// Whether tool calls are held to the tools' schemas by a grammar; refused under the leaderboard protocol.
    pub constrained: bool,
}

impl LocalSettings {
    /// The precision that was asked for, in words; `None` means as published.
    pub(crate) fn precision(&self) -> Option<&'static str> {
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
    /// What was asked for.
    #[serde(flatten)]
    pub settings: LocalSettings,
    /// The weights' precision in words, such as `8bit`; null for a GGUF file, which has its own.
    pub precision: Option<String>,
    /// SHA-256 of the weights, where they were converted here; null for a GGUF file, which nobody has read to its end.
    pub sha256: Option<String>,
    /// Bytes of the weights as they were loaded.
    pub weights_bytes: u64,
    /// Tokens of one conversation as it was loaded.
    pub context_used: u32,
    /// Conversations at once.
    pub parallel: u32,
    /// How tool calls were written.
    pub form: String,
}

#[cfg(not(feature = "local"))]
mod absent {
    use crate::Api;
    use crate::local_run::{LocalRun, LocalSettings};
    use crate::wire::WireError;
    use koab_engine::ports::ModelAdapter;
    use std::sync::Arc;

    impl Api {
        pub(crate) async fn open_local(
            &self,
            _: &str,
            _: &LocalSettings,
            _: Option<u32>,
        ) -> Result<(Arc<dyn ModelAdapter>, LocalRun), WireError> {
            Err(WireError::bad_request(MISSING))
        }

        pub(crate) async fn local_choices(&self) -> Result<Vec<crate::wire::ModelSummary>, WireError> {
            Ok(Vec::new())
        }

        /// Loads a model of this disk and says what it can do here.
        ///
        /// # Errors
        /// Always: this build has no models.
        pub async fn local_doctor(
            &self,
            _: &str,
            _: &LocalSettings,
            _: Option<u32>,
        ) -> Result<super::LocalExamination, WireError> {
            Err(WireError::bad_request(MISSING))
        }

        pub(crate) async fn check_local(&self, _: &str, _: &LocalSettings) -> Result<(), WireError> {
            Err(WireError::bad_request(MISSING))
        }

        pub(super) async fn examine_local(
            &self,
            _: &str,
            _: &LocalSettings,
            _: Option<u32>,
            _: &(dyn Fn(u32, u32) + Sync),
        ) -> Result<super::LocalExamination, WireError> {
            Err(WireError::bad_request(MISSING))
        }

        /// What a model would need.
        ///
        /// # Errors
        /// Always: this build has no models.
        pub fn local_need(&self, _: &super::LocalTrialRequest) -> Result<super::LocalNeed, WireError> {
            Err(WireError::bad_request(MISSING))
        }

        /// What this build computes on, and the forms of tool calls that it reads: nothing.
        ///
        /// # Errors
        /// None today; the window handles it like every command.
        pub fn local_engine(&self) -> Result<super::LocalEngine, WireError> {
            Ok(super::LocalEngine {
                devices: Vec::new(),
                tool_forms: Vec::new(),
            })
        }
    }

    const MISSING: &str = "this build has no models of its own (cargo feature `local`); serve the model with Ollama, vLLM, LM Studio or llama.cpp and ask for ollama/…, vllm/…, lmstudio/… or llamacpp/…";
}
