//! Facts of a loaded model.

use std::path::PathBuf;
use std::time::Duration;

/// Facts of a loaded model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Facts {
    /// Path of the model file; the first file of a split model.
    pub path: PathBuf,
    /// Architecture, as the file names it.
    pub architecture: String,
    /// Number of parameters.
    pub parameters: u64,
    /// Bytes of the weights.
    pub weights_bytes: u64,
    /// Bytes of the whole attention memory; `None` for models without attention.
    pub kv_bytes: Option<u64>,
    /// Number of layers.
    pub layers: u32,
    /// Number of layers on the card; the other layers are on the processor.
    pub layers_on_card: u32,
    /// Longest context that the model was trained for.
    pub context_trained: u32,
    /// Tokens of context of one sequence: as requested, but not more than trained.
    pub context_per_sequence: u32,
    /// Number of sequences that generate at once.
    pub parallel: u32,
    /// Number of threads that compute.
    pub threads: u32,
    /// Display name of the device.
    pub device: String,
    /// Size of the vocabulary.
    pub vocabulary: u32,
    /// Chat template in the model file, if there is one.
    pub chat_template: Option<String>,
    /// Whether a sequence in memory can be cut back to any length. If not (recurrent models), all
    /// prompts are read from their beginning.
    pub can_cut_back: bool,
    /// Time that loading took.
    pub loading: Duration,
}
