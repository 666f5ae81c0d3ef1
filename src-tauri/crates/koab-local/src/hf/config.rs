//! `config.json`: each setting that changes what the four architectures compute is understood, or
//! refused by name.
//!
//! A missing field has the default of the architecture's class in transformers.

use koab_core::say;
use koab_core::sentence::Sentence;
use serde_json::{Map, Value};

use super::architecture::Architecture;
use super::json::Fields;
use super::{FolderError, Rope};

/// llama.cpp's limit of layers (`LLAMA_MAX_LAYERS`).
const MAX_LAYERS: u64 = 512;

/// Settings of a model.
#[derive(Clone, Debug, PartialEq)]
pub struct Config {
    /// Architecture of the model.
    pub architecture: Architecture,
    /// Width of the model.
    pub hidden: u64,
    /// Number of layers.
    pub layers: u64,
    /// Number of query heads.
    pub heads: u64,
    /// Number of heads of keys and values.
    pub kv_heads: u64,
    /// Width of a head.
    pub head_dim: u64,
    /// Width inside the feed-forward part.
    pub intermediate: u64,
    /// Number of rows of the embeddings.
    pub vocab: u64,
    /// Tokens of context within which the converted model computes the same as the original.
    pub context: u64,
    /// Number that norms add to the mean square before the root.
    pub norm_eps: f64,
    /// Rotary positions.
    pub rope: Rope,
    /// Whether the output uses the matrix of the embeddings.
    pub tied: bool,
    /// Whether queries, keys and values have biases.
    pub qkv_bias: bool,
    /// Whether the output of attention has a bias.
    pub output_bias: bool,
    /// Whether the feed-forward part has biases.
    pub mlp_bias: bool,
    /// Notes for the user about the conversion, one sentence each.
    pub notes: Vec<Sentence>,
}

impl Config {
    /// Reads the settings from the content of `config.json`.
    ///
    /// # Errors
    /// When a setting is missing, is invalid, or would be computed wrongly.
    pub fn from_json(json: &Map<String, Value>) -> Result<Self, FolderError> {
        let fields = Fields { within: "", object: json };
        let architecture = architecture(&fields)?;
        for field in ["quantization_config", "compression_config"] {
            if fields.get(field).is_some() {
                let why = say!("the weights are quantized already: take the repository before quantization");
                return Err(fields.refused(field, why));
            }
        }
        if fields.object("auto_map")?.is_some_and(|map| map.contains_key("AutoModelForCausalLM")) {
            return Err(fields.refused("auto_map", say!("the model needs program code of its own")));
        }
        match fields.text("hidden_act")? {
            None | Some("silu" | "swish") => {}
            Some(_) => {
                return Err(fields.refused("hidden_act", say!("the architecture is built with silu here")));
            }
        }
        let required = |field, what| fields.size(field)?.ok_or(FolderError::Unsaid { field, what });
        let hidden = required("hidden_size", say!("the width of the model"))?;
        let layers = required("num_hidden_layers", say!("the number of layers"))?;
        if layers > MAX_LAYERS {
            return Err(fields.refused(
                "num_hidden_layers",
                say!("llama.cpp takes {MOST_LAYERS} at most", MOST_LAYERS = MAX_LAYERS),
            ));
        }
        let heads = required("num_attention_heads", say!("the number of heads"))?;
        let kv_heads = match fields.size("num_key_value_heads")? {
            Some(heads) => heads,
            None if json.contains_key("num_key_value_heads") || architecture == Architecture::Llama => heads,
            None => required("num_key_value_heads", say!("the number of heads of keys and values"))?,
        };
        if heads % kv_heads != 0 {
            let why = say!("the {heads} query heads cannot be divided evenly among them");
            return Err(fields.refused("num_key_value_heads", why));
        }
        let (norm_eps, mut notes) = (fields.number("rms_norm_eps")?.unwrap_or(1e-6), Vec::new());
        let head_dim = head_dim(&fields, architecture, hidden, heads)?;
        let rope = Rope::read(&fields, architecture)?;
        let context = required("max_position_embeddings", say!("the tokens of context"))?;
        let context = rope.context(context);
        let context = match window(&fields, architecture, layers)? {
            Some(window) if window < context => {
                notes.push(say!(
                    "The model looks back over only {window} tokens (sliding_window); here its context is limited to this length, up to which the window makes no difference."
                ));
                window
            }
            _ => context,
        };
        let attention_bias = fields.flag("attention_bias")?.unwrap_or(false);
        if architecture == Architecture::Qwen3 && attention_bias {
            return Err(fields.refused("attention_bias", say!("llama.cpp has no such bias in Qwen3")));
        }
        let llama = architecture == Architecture::Llama;
        Ok(Self {
            architecture,
            hidden,
            layers,
            heads,
            kv_heads,
            head_dim,
            intermediate: required("intermediate_size", say!("the width of the feed-forward part"))?,
            vocab: required("vocab_size", say!("the number of tokens"))?,
            context,
            norm_eps,
            rope,
            tied: fields.flag("tie_word_embeddings")?.unwrap_or(false),
            qkv_bias: architecture == Architecture::Qwen2 || (llama && attention_bias),
            output_bias: llama && attention_bias,
            mlp_bias: llama && fields.flag("mlp_bias")?.unwrap_or(false),
            notes,
        })
    }
}

fn architecture(fields: &Fields<'_>) -> Result<Architecture, FolderError> {
    let unsaid = FolderError::Unsaid { field: "architectures", what: say!("the kind of model") };
    let list = fields.get("architectures").and_then(Value::as_array).ok_or(unsaid)?;
    let names: Vec<&str> = list.iter().filter_map(Value::as_str).collect();
    let by_class = |name: &str| Architecture::ALL.into_iter().find(|one| one.class() == name);
    match names.as_slice() {
        [name] => by_class(name).ok_or_else(|| FolderError::Architecture { found: (*name).to_owned() }),
        names => Err(FolderError::Architecture { found: names.join(" + ") }),
    }
}

fn head_dim(
    fields: &Fields<'_>,
    architecture: Architecture,
    hidden: u64,
    heads: u64,
) -> Result<u64, FolderError> {
    let by_width = || {
        let why = say!("hidden_size {hidden} cannot be divided among that many heads");
        if hidden.is_multiple_of(heads) {
            Ok(hidden / heads)
        } else {
            Err(fields.refused("num_attention_heads", why))
        }
    };
    let head_dim = match (fields.size("head_dim")?, architecture) {
        // The class of Qwen2 has no such setting: the width of its heads follows from the width of
        // the model.
        (Some(dim), Architecture::Qwen2) if dim != by_width()? => {
            return Err(fields
                .refused("head_dim", say!("heads of Qwen2 are as wide as hidden_size over their number")));
        }
        (Some(dim), _) => dim,
        (None, Architecture::Qwen3) if !fields.object.contains_key("head_dim") => 128,
        (None, _) => by_width()?,
    };
    if head_dim % 2 != 0 {
        return Err(fields.refused("head_dim", say!("rotary positions turn pairs of numbers")));
    }
    Ok(head_dim)
}

/// Width in tokens of the sliding attention window, if a layer has one. `None` if every layer
/// attends to all tokens.
fn window(fields: &Fields<'_>, architecture: Architecture, layers: u64) -> Result<Option<u64>, FolderError> {
    let mut sliding = match architecture {
        Architecture::Llama => false,
        Architecture::Mistral => true,
        Architecture::Qwen2 | Architecture::Qwen3 => {
            let from = fields.get("max_window_layers").and_then(Value::as_u64).unwrap_or(28);
            fields.flag("use_sliding_window")?.unwrap_or(false) && from < layers
        }
    };
    if let Some(types) = fields.get("layer_types").filter(|_| architecture != Architecture::Llama) {
        let types: Vec<&str> = types.as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        if types.len() as u64 != layers || types.iter().any(|one| !one.ends_with("_attention")) {
            return Err(fields.refused("layer_types", say!("it does not name each layer's attention")));
        }
        if let Some(other) = types.iter().find(|one| !matches!(**one, "full_attention" | "sliding_attention"))
        {
            return Err(fields.refused("layer_types", say!("{other} is unknown")));
        }
        sliding = sliding || types.contains(&"sliding_attention");
    }
    if !sliding {
        return Ok(None);
    }
    match fields.size("sliding_window")? {
        None if !fields.object.contains_key("sliding_window") => Ok(Some(4096)),
        window => Ok(window),
    }
}
