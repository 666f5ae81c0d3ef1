//! Order, names and formats of the tensors in the converted file, and whether their rows change
//! places.

use crate::gguf::{TensorKind, TensorPlan};
use crate::hf::{Architecture, Folder, Part, TensorRange, TensorSpec};

use super::Precision;

/// Conversion of one tensor.
pub(super) struct Step {
    /// Name of the tensor in the source.
    pub(super) source: String,
    /// Position of the tensor in the source's files.
    pub(super) place: TensorRange,
    /// Name, shape and format in the converted file.
    pub(super) target: TensorPlan,
    /// Number of rows. A vector that is reordered counts each number as a row.
    pub(super) rows: u64,
    /// Numbers in a row.
    pub(super) row: u64,
    /// Width of a head, if the rows of each head are reordered for llama.cpp's rotary positions.
    pub(super) turned: Option<u64>,
}

/// All conversion steps, in the order of the source's files.
pub(super) struct Plan {
    pub(super) steps: Vec<Step>,
    /// Content of an additional first tensor: the divisor of each rotary frequency.
    pub(super) slowdowns: Option<Vec<f32>>,
}

impl Plan {
    pub(super) fn new(folder: &Folder, precision: Precision) -> Self {
        let config = folder.config();
        let turns = matches!(config.architecture, Architecture::Llama | Architecture::Mistral);
        let step = |(spec, place): &(TensorSpec, TensorRange)| {
            let rotary = matches!(spec.part, Part::Query | Part::QueryBias | Part::Key | Part::KeyBias);
            let turned = (turns && rotary).then_some(config.head_dim);
            let (rows, row, kind) = match (spec.shape.as_slice(), turned) {
                ([rows, row], _) => (*rows, *row, precision.kind(spec.part, *row)),
                ([numbers], Some(_)) => (*numbers, 1, TensorKind::F32),
                (shape, _) => (1, shape.iter().product(), TensorKind::F32),
            };
            let mut shape = spec.shape.clone();
            shape.reverse();
            let target = TensorPlan { name: name(spec), shape, kind };
            Step { source: spec.name.clone(), place: place.clone(), target, rows, row, turned }
        };
        let mut steps: Vec<Step> = folder.tensors().iter().map(step).collect();
        steps.sort_by_key(|step| (step.place.shard, step.place.offset));
        Self { steps, slowdowns: config.rope.slowdowns(config.head_dim) }
    }

    /// The tensors of the converted file, in order.
    pub(super) fn tensors(&self) -> Vec<TensorPlan> {
        let slowdowns = self.slowdowns.as_ref().map(|all| TensorPlan {
            name: "rope_freqs.weight".into(),
            shape: vec![all.len() as u64],
            kind: TensorKind::F32,
        });
        slowdowns.into_iter().chain(self.steps.iter().map(|step| step.target.clone())).collect()
    }
}

/// llama.cpp's name of a tensor.
fn name(spec: &TensorSpec) -> String {
    let part = match spec.part {
        Part::Embedding => "token_embd.weight",
        Part::OutputNorm => "output_norm.weight",
        Part::Output => "output.weight",
        Part::AttentionNorm => "attn_norm.weight",
        Part::Query => "attn_q.weight",
        Part::QueryBias => "attn_q.bias",
        Part::QueryNorm => "attn_q_norm.weight",
        Part::Key => "attn_k.weight",
        Part::KeyBias => "attn_k.bias",
        Part::KeyNorm => "attn_k_norm.weight",
        Part::Value => "attn_v.weight",
        Part::ValueBias => "attn_v.bias",
        Part::AttentionOutput => "attn_output.weight",
        Part::AttentionOutputBias => "attn_output.bias",
        Part::FeedForwardNorm => "ffn_norm.weight",
        Part::Gate => "ffn_gate.weight",
        Part::GateBias => "ffn_gate.bias",
        Part::Up => "ffn_up.weight",
        Part::UpBias => "ffn_up.bias",
        Part::Down => "ffn_down.weight",
        Part::DownBias => "ffn_down.bias",
    };
    match spec.layer {
        Some(layer) => format!("blk.{layer}.{part}"),
        None => part.to_owned(),
    }
}
