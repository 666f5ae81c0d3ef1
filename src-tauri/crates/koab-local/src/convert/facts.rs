//! Facts in the header of the converted file: settings under llama.cpp's names, vocabulary, chat
//! template.

use super::vocabulary::{self, HeaderFacts};
use super::{ConvertError, Precision};
use crate::gguf::Value;
use crate::hf::{Architecture, Folder, Scaling};

/// Facts of a folder's model at a precision, and notes for the user.
pub(super) fn header_facts(folder: &Folder, precision: Precision) -> Result<HeaderFacts, ConvertError> {
    let config = folder.config();
    let source = folder.source();
    let architecture = match config.architecture {
        Architecture::Qwen2 => "qwen2",
        Architecture::Qwen3 => "qwen3",
        // Mistral computes as Llama does once its sliding window is out of reach.
        Architecture::Llama | Architecture::Mistral => "llama",
    };
    let mut facts: Vec<(String, Value)> = Vec::new();
    let mut fact = |key: &str, value: Value| facts.push((key.to_owned(), value));
    fact("general.architecture", architecture.into());
    fact("general.type", "model".into());
    fact("general.name", source.name.as_str().into());
    if let Some(licence) = &source.licence {
        fact("general.license", licence.as_str().into());
    }
    fact("general.file_type", precision.file_type().into());
    fact("general.quantization_version", 2_u32.into());
    let mut own = |key: &str, value: Value| fact(&format!("{architecture}.{key}"), value);
    own("block_count", config.layers.into());
    own("context_length", config.context.into());
    own("embedding_length", config.hidden.into());
    own("feed_forward_length", config.intermediate.into());
    own("attention.head_count", config.heads.into());
    own("attention.head_count_kv", config.kv_heads.into());
    own("attention.key_length", config.head_dim.into());
    own("attention.value_length", config.head_dim.into());
    own("attention.layer_norm_rms_epsilon", config.norm_eps.into());
    own("rope.dimension_count", config.head_dim.into());
    own("rope.freq_base", config.rope.theta.into());
    own("vocab_size", config.vocab.into());
    match config.rope.scaling {
        // Llama 3's rule is written as a tensor.
        None | Some(Scaling::Llama3 { .. }) => {}
        Some(Scaling::Linear { factor }) => {
            own("rope.scaling.type", "linear".into());
            own("rope.scaling.factor", factor.into());
        }
        Some(Scaling::Yarn { factor, original }) => {
            own("rope.scaling.type", "yarn".into());
            own("rope.scaling.factor", factor.into());
            own("rope.scaling.original_context_length", original.into());
        }
    }
    let (words, notes) = vocabulary::header_facts(folder.tokenizer(), config.vocab)?;
    facts.extend(words);
    for (name, template) in &folder.tokenizer().templates {
        let key = match name.as_str() {
            "default" => "tokenizer.chat_template".to_owned(),
            name => format!("tokenizer.chat_template.{name}"),
        };
        facts.push((key, template.as_str().into()));
    }
    Ok((facts, notes))
}
