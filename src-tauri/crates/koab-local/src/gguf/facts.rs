//! Facts of a model from the header of its GGUF file, for lists of models and for `koab doctor`.

use std::collections::BTreeMap;

use super::{Array, Header, Split, Value};

/// Facts of a model that a person or a memory estimate needs. A fact that the file does not contain
/// is `None`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Facts {
    /// llama.cpp's name of the architecture, such as `qwen2`.
    pub architecture: Option<String>,
    /// Name of the model.
    pub name: Option<String>,
    /// Short name of the licence.
    pub licence: Option<String>,
    /// Tokens of context that the model was trained for.
    pub context: Option<u64>,
    /// Number of layers.
    pub layers: Option<u64>,
    /// Width of the model.
    pub hidden: Option<u64>,
    /// Number of query heads of the first layer.
    pub heads: Option<u64>,
    /// Numbers in attention memory for each token of context: keys and values of all layers
    /// together.
    pub kept_per_token: Option<u64>,
    /// Number of tokens in the vocabulary.
    pub vocabulary: Option<u64>,
    /// Kind of vocabulary: `gpt2`, `llama`, ….
    pub tokenizer: Option<String>,
    /// Chat template.
    pub chat_template: Option<String>,
    /// Chat template for conversations with tools, if it is a separate one.
    pub tool_template: Option<String>,
    /// Part number and number of parts, for a file of a split model.
    pub split: Option<Split>,
    /// Numbers in this file's tensors.
    pub parameters: u64,
    /// Bytes of this file's tensors.
    pub weight_bytes: u64,
    /// Storage formats of matrices with the amount of numbers in each, the most used first.
    pub kinds: Vec<(String, u64)>,
}

impl Facts {
    /// Extracts the facts from a header.
    #[must_use]
    pub fn from_header(header: &Header) -> Self {
        let text = |key: &str| match header.facts.get(key) {
            Some(Value::Text(text)) => Some(text.clone()),
            _ => None,
        };
        let number = |key: &str| match header.facts.get(key) {
            Some(Value::Unsigned(number)) => Some(*number),
            _ => None,
        };
        let architecture = text("general.architecture");
        let own = |key: &str| architecture.as_ref().map(|name| format!("{name}.{key}"));
        let own_number = |key: &str| own(key).and_then(|key| number(&key));
        let layers = own_number("block_count");
        let hidden = own_number("embedding_length");
        let heads = own("attention.head_count").and_then(|key| per_layer(header, &key, layers));
        let first_heads = heads.as_ref().and_then(|heads| heads.first().copied());
        let kv_heads =
            own("attention.head_count_kv").and_then(|key| per_layer(header, &key, layers)).or(heads);
        let head = hidden.zip(first_heads).and_then(|(hidden, heads)| hidden.checked_div(heads));
        let key_width = own_number("attention.key_length").or(head);
        let value_width = own_number("attention.value_length").or(head);
        let kept_per_token = kv_heads.zip(key_width.zip(value_width)).and_then(|(heads, (key, value))| {
            heads
                .iter()
                .try_fold(0_u64, |sum, heads| sum.checked_add(heads.checked_mul(key.checked_add(value)?)?))
        });
        let split = number("split.count").filter(|count| *count > 1).zip(number("split.no"));
        let mut kinds = BTreeMap::new();
        let (mut parameters, mut weight_bytes) = (0_u64, 0_u64);
        for tensor in &header.tensors {
            let numbers = tensor.numbers();
            parameters = parameters.saturating_add(numbers);
            let bytes = tensor.kind.and_then(|kind| kind.bytes(numbers)).unwrap_or(0);
            weight_bytes = weight_bytes.saturating_add(bytes);
            if tensor.shape.len() > 1 {
                let name = tensor.kind.map_or("unknown", |kind| kind.name());
                let sum = kinds.entry(name.to_owned()).or_insert(0_u64);
                *sum = sum.saturating_add(numbers);
            }
        }
        let mut kinds: Vec<_> = kinds.into_iter().collect();
        kinds.sort_by_key(|(_, numbers)| std::cmp::Reverse(*numbers));
        Self {
            name: text("general.name"),
            licence: text("general.license"),
            context: own_number("context_length"),
            layers,
            hidden,
            heads: first_heads,
            kept_per_token,
            vocabulary: match header.facts.get("tokenizer.ggml.tokens") {
                Some(Value::Array(tokens)) => Some(tokens.count()),
                _ => None,
            },
            tokenizer: text("tokenizer.ggml.model"),
            chat_template: text("tokenizer.chat_template"),
            tool_template: text("tokenizer.chat_template.tool_use"),
            split: split.map(|(count, part)| Split { part, count }),
            parameters,
            weight_bytes,
            kinds,
            architecture,
        }
    }
}

/// A number for every layer. The file contains one number for all layers, or a list.
fn per_layer(header: &Header, key: &str, layers: Option<u64>) -> Option<Vec<u64>> {
    // llama.cpp's layer limit also limits the memory that a file can make this list take.
    let layers = usize::try_from(layers?).ok().filter(|layers| *layers <= 1024)?;
    match header.facts.get(key)? {
        Value::Unsigned(number) => Some(vec![*number; layers]),
        Value::Array(Array::Integers(all)) => all.iter().map(|number| u64::try_from(*number).ok()).collect(),
        _ => None,
    }
}
