//! Loads a model. Errors that can be detected in advance are reported before loading; llama.cpp's
//! refusals become sentences.

use koab_core::sentence::Sentence;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use llama_cpp_2::model::LlamaModel;
use llama_cpp_2::model::params::LlamaModelParams;

use super::backend::backend;
use super::bytes::Bytes;
use super::context::{Context, Shape, can_cut_back};
use super::device::{Card, Device};
use super::error::LoadError;
use super::facts::Facts;
use super::{log, memory, threads};
use crate::gguf::{self, GgufError, Header, TensorKind, parts_of};

/// Maximum number of parallel generations; llama.cpp can hold 256 sequences.
const MAX_PARALLEL: u32 = 64;

/// Default context of one sequence in tokens, if the model was trained for that much.
const DEFAULT_CONTEXT_TOKENS: u32 = 8192;

/// Memory for the computation, in addition to weights and attention.
const SCRATCH_BYTES: u64 = 100 << 20;

/// Maximum bytes of weights of a model that one thread computes. With so little work, several
/// threads would mostly wait for each other.
const ONE_THREAD_BYTES: u64 = 32 << 20;

/// Tokens of a prompt that are computed at once, and reused only as a whole.
///
/// A processor computes 64 tokens at once as fast per token as llama.cpp's usual 512, and needs an
/// eighth of the memory for intermediate results. A card is faster with more tokens at once, and
/// re-reads an incomplete step quickly.
const STEP_TOKENS: u32 = 64;
const STEP_TOKENS_ON_CARD: u32 = 256;

/// Model to load, and its options.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoadSpec {
    /// Path of a GGUF file; the first file of a split model.
    pub path: PathBuf,
    /// Device that computes.
    pub device: Device,
    /// Tokens of context of one sequence. The model's trained context is the upper limit.
    pub context_per_sequence: u32,
    /// Number of sequences that generate at once, 1 to 64.
    pub parallel: u32,
    /// Number of threads. `None` means one per free physical core, or a single thread for a model
    /// of a few MB.
    pub threads: Option<u32>,
}

impl LoadSpec {
    /// Options for one sequence of up to 8,192 tokens, on the device that is available.
    #[must_use]
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self {
            path: path.into(),
            device: Device::Auto,
            context_per_sequence: DEFAULT_CONTEXT_TOKENS,
            parallel: 1,
            threads: None,
        }
    }
}

/// Number of tokens that the attention memory holds, for `parallel` conversations together.
/// llama.cpp gives each conversation a multiple of 256.
#[must_use]
pub const fn cells(context_per_sequence: u32, parallel: u32) -> u32 {
    match context_per_sequence.checked_next_multiple_of(256) {
        Some(context) => context.saturating_mul(parallel),
        None => u32::MAX,
    }
}

/// Facts and decisions that are known before anything is loaded.
pub(super) struct Plan {
    file: gguf::Facts,
    /// Bytes of all model files.
    weights: u64,
    is_laid_out_anew: bool,
    card: Option<Card>,
    shape: Shape,
    context_per_sequence: u32,
}

/// Checks the options and files without loading the weights.
pub(super) fn plan(spec: &LoadSpec) -> Result<Plan, LoadError> {
    check_processor()?;
    if !(1..=MAX_PARALLEL).contains(&spec.parallel) {
        return Err(LoadError::Parallel { asked: spec.parallel, most: MAX_PARALLEL });
    }
    if spec.context_per_sequence == 0 {
        return Err(LoadError::NoContext);
    }
    let file_error = |source| LoadError::File { path: spec.path.clone(), source };
    let header = Header::read(&spec.path).map_err(file_error)?;
    let mut weights = 0;
    for part in parts_of(&spec.path).map_err(file_error)? {
        weights += part.metadata().map_err(|error| file_error(GgufError::Io(error)))?.len();
    }
    let file = gguf::Facts::from_header(&header);
    backend();
    let card = spec.device.card()?;
    let trained = file.context.and_then(|context| u32::try_from(context).ok());
    let context_per_sequence = spec.context_per_sequence.min(trained.unwrap_or(u32::MAX).max(1));
    let shape = Shape {
        cells: cells(context_per_sequence, spec.parallel),
        sequences: spec.parallel,
        threads: spec.threads.unwrap_or_else(|| usual_threads(weights)).max(1),
        step: if card.is_some() { STEP_TOKENS_ON_CARD } else { STEP_TOKENS },
    };
    let plan = Plan {
        is_laid_out_anew: card.is_none() && is_laid_out_anew(&header),
        file,
        weights,
        card,
        shape,
        context_per_sequence,
    };
    if plan.card.is_none() {
        plan.check_memory(&spec.path, memory::available())?;
    }
    Ok(plan)
}

impl Plan {
    fn kv_bytes(&self) -> u64 {
        self.kv_bytes_per_token().unwrap_or(0).saturating_mul(u64::from(self.shape.cells))
    }

    /// Bytes of attention memory per token, at 16 bits per number. `None` for models without
    /// attention.
    fn kv_bytes_per_token(&self) -> Option<u64> {
        self.file.kept_per_token?.checked_mul(2)
    }

    fn check_memory(&self, path: &Path, available: Option<u64>) -> Result<(), LoadError> {
        let (weights, kv) = (self.weights, self.kv_bytes());
        let need = weights.saturating_add(kv).saturating_add(SCRATCH_BYTES);
        match available {
            Some(available) if need > available => Err(LoadError::TooLarge {
                path: path.to_owned(),
                need: Bytes(need),
                weights: Bytes(weights),
                kv: Bytes(kv),
                cells: self.shape.cells,
                available: Bytes(available),
            }),
            _ => Ok(()),
        }
    }

    /// Number of layers for the card: all, or as many as fit into its free memory. llama.cpp counts
    /// the output as a layer.
    fn layers_on_card(&self) -> u32 {
        let Some(card) = &self.card else { return 0 };
        let layers = self.file.layers.and_then(|layers| u32::try_from(layers).ok());
        let layers = layers.unwrap_or(0).saturating_add(1);
        let need = self.weights.saturating_add(self.kv_bytes()).max(1);
        let free = card.free.saturating_sub(5 * SCRATCH_BYTES);
        if card.free == 0 || need <= free {
            return layers;
        }
        u32::try_from(u128::from(layers) * u128::from(free) / u128::from(need)).unwrap_or(layers)
    }
}

/// Whether the processor's code repacks these weights while loading (ggml-cpu, `repack.cpp`). If
/// so, they are read instead of mapped, otherwise they would be in memory twice.
fn is_laid_out_anew(header: &Header) -> bool {
    use TensorKind as Kind;
    let mut anew = vec![Kind::Q4_0, Kind::Q4_K, Kind::IQ4_NL, Kind::MXFP4];
    if cfg!(target_arch = "aarch64") {
        anew.extend([Kind::Q8_0, Kind::Q5_K, Kind::Q6_K]);
    }
    let mut kinds = header.tensors.iter().filter_map(|tensor| tensor.kind);
    kinds.any(|kind| anew.contains(&kind))
}

/// A model that is ready to compute.
pub(super) struct Loaded {
    // Declared before the model, because it points into it and must be dropped first.
    pub(super) context: Context,
    pub(super) model: Arc<LlamaModel>,
    pub(super) facts: Facts,
    /// Maximum number of tokens that are computed at once.
    pub(super) step: usize,
}

/// Loads a model, which takes seconds to minutes.
pub(super) fn load(spec: &LoadSpec, plan: &Plan, alarm: &Arc<AtomicBool>) -> Result<Loaded, LoadError> {
    let started = Instant::now();
    let path = &spec.path;
    let layers_on_card = plan.layers_on_card();
    // The list is passed even if it is empty; without one llama.cpp would use any device.
    let cards: Vec<usize> = plan.card.iter().map(|card| card.index).collect();
    let params = LlamaModelParams::default()
        .with_n_gpu_layers(layers_on_card)
        .with_use_mmap(!plan.is_laid_out_anew)
        .with_devices(&cards)
        .map_err(|error| refused(path, plan, error.to_string().into()))?;
    log::forget();
    let model = LlamaModel::load_from_file(backend(), path, &params)
        .map_err(|_| refused(path, plan, log::reason()))?;
    let model = Arc::new(model);
    memory::give_back();
    log::forget();
    let context = Context::new(&model, plan.shape, alarm).ok_or_else(|| LoadError::Context {
        path: path.clone(),
        cells: plan.shape.cells,
        reason: log::reason(),
    })?;
    let per_token = plan.kv_bytes_per_token();
    let facts = Facts {
        path: path.clone(),
        architecture: plan.file.architecture.clone().unwrap_or_default(),
        parameters: model.n_params(),
        weights_bytes: model.size(),
        kv_bytes: per_token.map(|bytes| bytes.saturating_mul(u64::from(context.cells()))),
        layers: model.n_layer(),
        layers_on_card: layers_on_card.min(model.n_layer()),
        context_trained: model.n_ctx_train(),
        context_per_sequence: plan.context_per_sequence,
        parallel: spec.parallel,
        threads: plan.shape.threads,
        device: plan.card.as_ref().map_or_else(|| "CPU".to_owned(), |card| card.name.clone()),
        vocabulary: u32::try_from(model.n_vocab()).unwrap_or(0),
        chat_template: model.chat_template(None).ok().and_then(|template| template.to_string().ok()),
        can_cut_back: can_cut_back(&model),
        loading: started.elapsed(),
    };
    Ok(Loaded { context, model, facts, step: plan.shape.step as usize })
}

/// Number of threads if none is requested.
fn usual_threads(weights: u64) -> u32 {
    if weights < ONE_THREAD_BYTES { 1 } else { threads::free_cores() }
}

/// Converts llama.cpp's refusal to an error.
fn refused(path: &Path, plan: &Plan, reason: Sentence) -> LoadError {
    let path = path.to_owned();
    if reason.template().contains("unknown model architecture") {
        let architecture = plan.file.architecture.clone().unwrap_or_default();
        LoadError::UnknownArchitecture { path, architecture }
    } else {
        LoadError::Refused { path, reason }
    }
}

/// Checks the instruction sets that llama.cpp is compiled for; without them it would end the
/// process.
#[cfg(target_arch = "x86_64")]
fn check_processor() -> Result<(), LoadError> {
    let needs = [
        ("AVX2", is_x86_feature_detected!("avx2")),
        ("FMA", is_x86_feature_detected!("fma")),
        ("F16C", is_x86_feature_detected!("f16c")),
        ("BMI2", is_x86_feature_detected!("bmi2")),
    ];
    let missing: Vec<&str> = needs.iter().filter(|(_, there)| !there).map(|(name, _)| *name).collect();
    if missing.is_empty() {
        return Ok(());
    }
    Err(LoadError::Processor { missing: missing.join(", ") })
}

#[cfg(not(target_arch = "x86_64"))]
#[expect(clippy::unnecessary_wraps, reason = "as the other one")]
fn check_processor() -> Result<(), LoadError> {
    Ok(())
}
