//! What is known of a loaded model.

use std::path::PathBuf;
use std::time::Duration;

/// A loaded model, in numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Facts {
    /// The file, the first one of a split model.
    pub path: PathBuf,
    /// Kind of model, as the file names it.
    pub architecture: String,
    /// Parameters.
    pub parameters: u64,
    /// Bytes of the weights.
    pub weights_bytes: u64,
    /// Bytes of the memory of attention, all of it. Nothing for models without attention.
    pub kv_bytes: Option<u64>,
    /// Layers.
    pub layers: u32,
    /// Of these, layers on the card; the rest is on the processor.
    pub layers_on_card: u32,
    /// The longest context that the model was trained for.
    pub context_trained: u32,
    /// Tokens that one sequence may have: as asked, but not more than trained.
    pub context_per_sequence: u32,
    /// Sequences that generate at once.
    pub parallel: u32,
    /// Threads that compute.
    pub threads: u32,
    /// Where it computes, for people.
    pub device: String,
    /// Size of the vocabulary.
    pub vocabulary: u32,
    /// Its chat template, when the file has one.
    pub chat_template: Option<String>,
    /// Whether what is in memory of a sequence can be cut back to any length. Without it (recurrent
    /// models) all prompts are read from their beginning.
    pub can_cut_back: bool,
    /// What loading took.
    pub loading: Duration,
}
