//! Options of models inside this program, shared by `koab run` and `koab models doctor`.

use super::heading::{JUDGES, LOCAL};
use super::words::{HIDDEN, Word, one_of};
use clap::Args;
use koab_api::local_models::{ComputeDevice, Dtype, LocalSettings, MOST_THREADS, Quantization};

/// Options of a model inside this program.
#[derive(Debug, Args)]
pub(crate) struct LocalArgs {
    /// Make the weights smaller: 4 bits (`Q4_K`) or 8 (`Q8_0`); converted once and kept
    #[arg(help_heading = LOCAL, long, value_parser = one_of(QUANTIZATIONS))]
    pub(crate) quantization: Option<Quantization>,
    /// Device of the model
    #[arg(help_heading = LOCAL, long, value_parser = one_of(DEVICES), default_value = "auto")]
    pub(crate) device: ComputeDevice,
    /// Number format of weights that are not quantized
    #[arg(help_heading = LOCAL, long, value_parser = one_of(DTYPES), default_value = "auto", conflicts_with = "quantization")]
    pub(crate) dtype: Dtype,
    /// Tokens of one conversation (default: what the model was trained for, 16384 at most)
    #[arg(help_heading = LOCAL, long, value_name = "TOKENS", value_parser = clap::value_parser!(u32).range(256..))]
    pub(crate) context: Option<u32>,
    /// Format of tool calls: hermes, llama3, mistral, …, or auto for any of them (default: as the
    /// chat template says)
    #[arg(help_heading = LOCAL, long, value_name = "FORM")]
    pub(crate) tool_form: Option<String>,
    /// Restrict tool calls to the tools' schemas by a grammar; not under the leaderboard protocol
    #[arg(help_heading = LOCAL, long)]
    pub(crate) constrained: bool,
    /// Number of threads (default: one for each free core); another number may change the last bits
    /// of the results
    #[arg(help_heading = LOCAL, long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=i64::from(MOST_THREADS)))]
    pub(crate) threads: Option<u32>,
}

impl LocalArgs {
    /// Converts the arguments to the engine's settings.
    pub(crate) fn settings(&self) -> LocalSettings {
        LocalSettings {
            quantization: self.quantization,
            dtype: self.dtype,
            device: self.device,
            context: self.context,
            tool_form: self.tool_form.clone(),
            constrained: self.constrained,
            threads: self.threads,
        }
    }
}

/// Options of judges inside this program.
#[derive(Debug, Args)]
pub(crate) struct JudgeLocalArgs {
    /// Weights of judges inside this program (local/…): 4 bits or 8 (default: as published)
    #[arg(help_heading = JUDGES, long, value_parser = one_of(QUANTIZATIONS), requires = "judge_models")]
    pub(crate) judge_quantization: Option<Quantization>,
    /// Number format of their weights that are not quantized (default: as published)
    #[arg(
        help_heading = JUDGES,
        long,
        value_parser = one_of(DTYPES),
        requires = "judge_models",
        conflicts_with = "judge_quantization"
    )]
    pub(crate) judge_dtype: Option<Dtype>,
    /// Tokens of a question to those judges and its answer (default: what the model was trained
    /// for, 16384 at most)
    #[arg(help_heading = JUDGES, long, value_name = "TOKENS", requires = "judge_models", value_parser = clap::value_parser!(u32).range(256..))]
    pub(crate) judge_context: Option<u32>,
}

impl JudgeLocalArgs {
    /// Converts the arguments to the engine's settings.
    pub(crate) fn settings(&self) -> LocalSettings {
        LocalSettings {
            quantization: self.judge_quantization,
            dtype: self.judge_dtype.unwrap_or_default(),
            context: self.judge_context,
            ..LocalSettings::default()
        }
    }
}

const QUANTIZATIONS: &[Word<Quantization>] =
    &[("4bit", "`Q4_K`", Quantization::FourBit), ("8bit", "`Q8_0`", Quantization::EightBit)];

const DEVICES: &[Word<ComputeDevice>] = &[
    (
        "auto",
        "A graphics processor if there is one that this build knows, else the processor",
        ComputeDevice::Auto,
    ),
    ("cpu", "The processor", ComputeDevice::Cpu),
    ("cuda", "NVIDIA", ComputeDevice::Cuda),
    ("metal", "Apple", ComputeDevice::Metal),
    ("vulkan", "Vulkan", ComputeDevice::Vulkan),
];

const DTYPES: &[Word<Dtype>] = &[
    ("auto", "As published", Dtype::Auto),
    ("float16", "16 bits", Dtype::Float16),
    ("fp16", HIDDEN, Dtype::Float16),
    ("bfloat16", "16 bits with the exponents of 32", Dtype::Bfloat16),
    ("bf16", HIDDEN, Dtype::Bfloat16),
    ("float32", "32 bits", Dtype::Float32),
    ("fp32", HIDDEN, Dtype::Float32),
];
