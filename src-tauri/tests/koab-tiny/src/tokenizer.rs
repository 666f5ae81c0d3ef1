//! The tokenizer's files: `tokenizer.json`, `tokenizer_config.json` with the chat template, `special_tokens_map.json`.

use std::fs;
use std::io;
use std::path::Path;

use serde_json::{Map, Value, json};

use crate::{Architecture, Shape, Vocabulary, bpe, spm};

/// What the configuration has to know of the tokenizer.
pub(crate) struct Tokens {
    /// How many there are.
    pub(crate) count: u64,
    /// The one that begins a text.
    pub(crate) bos: Option<u64>,
    /// Those that end an answer, the text's end first or last as the family has it.
    pub(crate) ends: Vec<u64>,
    /// The one that fills up.
    pub(crate) pad: Option<u64>,
}

/// What differs between the families beside the vocabulary.
struct Family {
    special: &'static [&'static str],
    /// Special in name only: markup that a decoder keeps, as the tool tags of Qwen.
    plain: &'static [&'static str],
    bos: Option<&'static str>,
    /// Put before every text by `tokenizer.json` itself.
    adds_bos: bool,
    eos: &'static str,
    ends: &'static [&'static str],
    pad: Option<&'static str>,
    template: &'static str,
}

fn family(architecture: Architecture) -> Family {
    match architecture {
        Architecture::Qwen2 | Architecture::Qwen3 => Family {
            special: &["<|endoftext|>", "<|im_start|>", "<|im_end|>"],
            plain: &[
                "<tool_call>",
                "</tool_call>",
                "<tool_response>",
                "</tool_response>",
                "<think>",
                "</think>",
            ],
            bos: None,
            adds_bos: false,
            eos: "<|im_end|>",
            ends: &["<|im_end|>", "<|endoftext|>"],
            pad: Some("<|endoftext|>"),
            template: include_str!("../templates/qwen.jinja"),
        },
        Architecture::Llama => Family {
            special: &[
                "<|begin_of_text|>",
                "<|end_of_text|>",
                "<|finetune_right_pad_id|>",
                "<|start_header_id|>",
                "<|end_header_id|>",
                "<|eom_id|>",
                "<|eot_id|>",
                "<|python_tag|>",
            ],
            plain: &[],
            bos: Some("<|begin_of_text|>"),
            adds_bos: true,
            eos: "<|eot_id|>",
            ends: &["<|end_of_text|>", "<|eom_id|>", "<|eot_id|>"],
            pad: Some("<|finetune_right_pad_id|>"),
            template: include_str!("../templates/llama.jinja"),
        },
        Architecture::Mistral => Family {
            special: &[
                "<unk>",
                "<s>",
                "</s>",
                "[INST]",
                "[/INST]",
                "[TOOL_CALLS]",
                "[AVAILABLE_TOOLS]",
                "[/AVAILABLE_TOOLS]",
                "[TOOL_RESULTS]",
                "[/TOOL_RESULTS]",
            ],
            plain: &[],
            bos: Some("<s>"),
            adds_bos: true,
            eos: "</s>",
            ends: &["</s>"],
            pad: None,
            template: include_str!("../templates/mistral.jinja"),
        },
    }
}

/// Writes the files.
pub(crate) fn write(folder: &Path, shape: &Shape) -> io::Result<Tokens> {
    let family = family(shape.architecture);
    let named: Vec<&str> = family.special.iter().chain(family.plain).copied().collect();
    let parts = match shape.vocabulary {
        Vocabulary::ByteLevel => bpe::parts(shape.architecture, &named),
        Vocabulary::SentencePiece => spm::parts(&named),
    };
    let id = |token: &str| parts.special.iter().find(|(_, name)| name == token).map(|(id, _)| *id);

    let added: Vec<Value> = parts
        .special
        .iter()
        .map(|(id, token)| {
            json!({
                "id": id, "content": token, "single_word": false, "lstrip": false, "rstrip": false,
                "normalized": false, "special": !family.plain.contains(&token.as_str()),
            })
        })
        .collect();
    let mut tokenizer = json!({
        "version": "1.0",
        "truncation": null,
        "padding": null,
        "added_tokens": added,
        "post_processor": post_processor(shape, &family, &id),
    });
    if let (Some(tokenizer), Value::Object(json)) = (tokenizer.as_object_mut(), parts.json) {
        tokenizer.extend(json);
    }
    fs::write(folder.join("tokenizer.json"), format!("{tokenizer:#}\n"))?;

    let mut decoder = Map::new();
    for token in &added {
        let mut entry = token.clone();
        if let Some(entry) = entry.as_object_mut() {
            entry.remove("id");
        }
        decoder.insert(token["id"].to_string(), entry);
    }
    let mut config = json!({
        "added_tokens_decoder": decoder,
        "bos_token": family.bos,
        // As it is in the repository, whatever a checkout makes of the ends of lines.
        "chat_template": family.template.replace("\r\n", "\n"),
        "clean_up_tokenization_spaces": false,
        "eos_token": family.eos,
        "model_max_length": shape.context,
        "pad_token": family.pad,
        "tokenizer_class": match shape.architecture {
            Architecture::Qwen2 | Architecture::Qwen3 => "Qwen2Tokenizer",
            Architecture::Llama => "PreTrainedTokenizerFast",
            Architecture::Mistral => "LlamaTokenizer",
        },
        "unk_token": matches!(shape.vocabulary, Vocabulary::SentencePiece).then_some("<unk>"),
    });
    if let Some(config) = config.as_object_mut() {
        match shape.architecture {
            Architecture::Qwen2 | Architecture::Qwen3 => {
                config.insert("add_bos_token".into(), json!(false));
            }
            Architecture::Llama => {}
            Architecture::Mistral => {
                config.insert("add_bos_token".into(), json!(true));
                config.insert("add_eos_token".into(), json!(false));
            }
        }
    }
    fs::write(folder.join("tokenizer_config.json"), format!("{config:#}\n"))?;
    let map = json!({"bos_token": family.bos, "eos_token": family.eos, "pad_token": family.pad});
    fs::write(folder.join("special_tokens_map.json"), format!("{map:#}\n"))?;
    Ok(Tokens {
        count: parts.count,
        bos: family.bos.and_then(id),
        ends: family.ends.iter().filter_map(|token| id(token)).collect(),
        pad: family.pad.and_then(id),
    })
}

fn post_processor(shape: &Shape, family: &Family, id: &dyn Fn(&str) -> Option<u64>) -> Value {
    let byte_level =
        json!({"type": "ByteLevel", "add_prefix_space": true, "trim_offsets": false, "use_regex": true});
    let begins = family.bos.filter(|_| family.adds_bos).map(|bos| {
        json!({
            "type": "TemplateProcessing",
            "single": [{"SpecialToken": {"id": bos, "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}}],
            "pair": [
                {"SpecialToken": {"id": bos, "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}},
                {"SpecialToken": {"id": bos, "type_id": 1}}, {"Sequence": {"id": "B", "type_id": 1}},
            ],
            "special_tokens": {bos: {"id": bos, "ids": [id(bos)], "tokens": [bos]}},
        })
    });
    match (shape.vocabulary, begins) {
        (Vocabulary::ByteLevel, Some(begins)) => {
            json!({"type": "Sequence", "processors": [byte_level, begins]})
        }
        (Vocabulary::ByteLevel, None) => byte_level,
        (Vocabulary::SentencePiece, begins) => begins.unwrap_or(Value::Null),
    }
}
