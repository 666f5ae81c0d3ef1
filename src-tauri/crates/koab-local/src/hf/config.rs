//! `config.json`: every setting that changes what the four architectures compute, understood or
//! refused by name.
//!
//! What a missing field means is what transformers' class of the architecture takes it to mean.

use koab_core::say;
use koab_core::sentence::Sentence;
use serde_json::{Map, Value};

use super::architecture::Architecture;
use super::json::Fields;
use super::{FolderError, Rope};

/// llama.cpp's limit (`LLAMA_MAX_LAYERS`).
const MOST_LAYERS: u64 = 512;

/// A model's settings.
#[derive(Clone, Debug, PartialEq)]
pub struct Config {
    /// What kind of model it is.
    pub architecture: Architecture,
    /// Width of the model.
    pub hidden: u64,
    /// Number of layers.
    pub layers: u64,
    /// Heads of queries.
    pub heads: u64,
    /// Heads of keys and values.
    pub kv_heads: u64,
    /// Width of a head.
    pub head_dim: u64,
    /// Width inside the feed-forward part.
    pub intermediate: u64,
    /// Rows of the embeddings.
    pub vocab: u64,
    /// Tokens of context within which the converted model computes what the original does.
    pub context: u64,
    /// What norms add below the root.
    pub norm_eps: f64,
    /// Rotary positions.
    pub rope: Rope,
    /// The output uses the embeddings' matrix.
    pub tied: bool,
    /// Queries, keys and values have biases.
    pub qkv_bias: bool,
    /// The output of attention has a bias.
    pub output_bias: bool,
    /// The feed-forward part has biases.
    pub mlp_bias: bool,
    /// What a user should know of the conversion, one sentence each.
    pub notes: Vec<Sentence>,
}

impl Config {
    /// Reads the settings out of `config.json`.
    ///
    /// # Errors
    /// A setting that is missing, makes no sense, or would be computed wrongly.
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
            return Err(fields.refused("auto_map", say!("the model computes by a program of its own")));
        }
        match fields.text("hidden_act")? {
            None | Some("silu" | "swish") => {}
            Some(_) => {
                return Err(fields.refused("hidden_act", say!("the architecture is built with silu here")));
            }
        }
        let needed = |field, what| fields.size(field)?.ok_or(FolderError::Unsaid { field, what });
        let hidden = needed("hidden_size", say!("the width of the model"))?;
        let layers = needed("num_hidden_layers", say!("the number of layers"))?;
        if layers > MOST_LAYERS {
            return Err(fields.refused("num_hidden_layers", say!("llama.cpp takes {MOST_LAYERS} at most")));
        }
        let heads = needed("num_attention_heads", say!("the number of heads"))?;
        let kv_heads = match fields.size("num_key_value_heads")? {
            Some(heads) => heads,
            None if json.contains_key("num_key_value_heads") || architecture == Architecture::Llama => heads,
            None => needed("num_key_value_heads", say!("the number of heads of keys and values"))?,
        };
        if heads % kv_heads != 0 {
            let why = say!("the {heads} heads of queries cannot be shared out evenly");
            return Err(fields.refused("num_key_value_heads", why));
        }
        let (norm_eps, mut notes) = (fields.number("rms_norm_eps")?.unwrap_or(1e-6), Vec::new());
        let head_dim = head_dim(&fields, architecture, hidden, heads)?;
        let rope = Rope::read(&fields, architecture)?;
        let context = needed("max_position_embeddings", say!("the tokens of context"))?;
        let context = rope.context(context);
        let context = match window(&fields, architecture, layers)? {
            Some(window) if window < context => {
                notes.push(say!(
                    "The model looks back over {window} tokens only (sliding_window); here its context ends there, where \
                     both are the same."
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
            intermediate: needed("intermediate_size", say!("the width of the feed-forward part"))?,
            vocab: needed("vocab_size", say!("the number of tokens"))?,
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
    let named: Vec<&str> = list.iter().filter_map(Value::as_str).collect();
    let known = |name: &str| Architecture::ALL.into_iter().find(|known| known.class() == name);
    match named.as_slice() {
        [name] => known(name).ok_or_else(|| FolderError::Architecture { found: (*name).to_owned() }),
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
        let why = say!("hidden_size {hidden} cannot be shared out to that many heads");
        if hidden.is_multiple_of(heads) {
            Ok(hidden / heads)
        } else {
            Err(fields.refused("num_attention_heads", why))
        }
    };
    let head_dim = match (fields.size("head_dim")?, architecture) {
        // The class of Qwen2 has no such setting: its heads are what the width leaves.
        (Some(said), Architecture::Qwen2) if said != by_width()? => {
            return Err(fields
                .refused("head_dim", say!("heads of Qwen2 are as wide as hidden_size over their number")));
        }
        (Some(said), _) => said,
        (None, Architecture::Qwen3) if !fields.object.contains_key("head_dim") => 128,
        (None, _) => by_width()?,
    };
    if head_dim % 2 != 0 {
        return Err(fields.refused("head_dim", say!("rotary positions turn pairs of numbers")));
    }
    Ok(head_dim)
}

/// Over how many tokens some layer looks back, if not over all.
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
