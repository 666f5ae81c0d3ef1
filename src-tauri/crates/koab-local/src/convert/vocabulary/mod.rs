//! The vocabulary in the GGUF file, made from `tokenizer.json`: for other programs that use
//! llama.cpp, and for the engine's pieces of text.
//!
//! This application itself splits text by `tokenizer.json`, which is copied into the converted
//! model's folder. Where llama.cpp cannot express that file exactly, the most similar vocabulary is
//! written and the user gets a note.

mod file;
mod splits;

use koab_core::say;
use koab_core::sentence::Sentence;
use std::collections::{BTreeMap, HashSet};
use std::fs;

use super::ConvertError;
use crate::gguf::{Array, Value};
use crate::hf::TokenizerFiles;

use file::{Model, TokenizerJson, Vocab};

/// llama.cpp's kinds of token (`enum llama_token_type`).
mod kind {
    pub(super) const NORMAL: i32 = 1;
    pub(super) const UNKNOWN: i32 = 2;
    pub(super) const CONTROL: i32 = 3;
    pub(super) const USER_DEFINED: i32 = 4;
    pub(super) const UNUSED: i32 = 5;
    pub(super) const BYTE: i32 = 6;
}

/// Facts of a GGUF header, and notes for the user.
pub(super) type HeaderFacts = (Vec<(String, Value)>, Vec<Sentence>);

/// Facts about a vocabulary for embeddings with `rows` rows.
pub(super) fn header_facts(files: &TokenizerFiles, rows: u64) -> Result<HeaderFacts, ConvertError> {
    let json = fs::read(&files.tokenizer)
        .map_err(|source| ConvertError::Unreadable { file: files.tokenizer.clone(), source })?;
    let json: TokenizerJson = serde_json::from_slice(&json)
        .map_err(|error| ConvertError::Tokenizer(say!("is not valid: {error}; fetch it again")))?;
    let mut words = Words::new(rows, &json)?;
    let (mut facts, mut notes) = match &json.model.vocab {
        Vocab::Pairs(vocab) if json.splits_bytes() => bytes(&json, vocab, &mut words)?,
        Vocab::Pairs(vocab) if json.model.byte_fallback => pieces(&json, vocab, &mut words)?,
        Vocab::Scored(vocab) => unigram(vocab, &mut words)?,
        Vocab::Pairs(_) => {
            let kind = json.model.kind.as_deref();
            let kind = kind.map_or_else(|| say!("an unnamed kind"), Sentence::from);
            let text = say!(
                "is of a kind ({kind}) that llama.cpp does not have; look for a GGUF file of this model"
            );
            return Err(ConvertError::Tokenizer(text));
        }
    };
    words.added(&json, &mut notes)?;
    let ids = words.ids();
    let id = |name: &Option<String>| name.as_ref().and_then(|name| ids.get(name.as_str()).copied());
    let eos = id(&files.eos).or_else(|| files.ends.first().copied());
    let mut fact = |key: &str, value: Option<Value>| {
        facts.extend(value.map(|value| (format!("tokenizer.ggml.{key}"), value)));
    };
    fact("bos_token_id", id(&files.bos).map(Value::from));
    fact("eos_token_id", eos.map(Value::from));
    // llama.cpp takes one more end of an answer by number, and others by their usual names.
    let other = files.ends.iter().find(|end| Some(**end) != eos && u64::from(**end) < rows);
    fact("eot_token_id", other.map(|id| Value::from(*id)));
    fact("unknown_token_id", id(&files.unk).map(Value::from));
    fact("padding_token_id", id(&files.pad).map(Value::from));
    let begins =
        files.adds_bos.unwrap_or_else(|| files.bos.as_ref().is_some_and(|bos| json.begins_with(bos)));
    fact("add_bos_token", Some(begins.into()));
    fact("add_eos_token", Some(files.adds_eos.unwrap_or(false).into()));
    fact("tokens", Some(Value::Array(Array::Texts(words.tokens))));
    fact("token_type", Some(Value::Array(Array::Integers(words.kinds))));
    if !words.scores.is_empty() {
        fact("scores", Some(Value::Array(Array::Floats(words.scores))));
    }
    Ok((facts, notes))
}

/// Byte pairs over bytes that are written as letters: llama.cpp's `gpt2`.
fn bytes(
    json: &TokenizerJson,
    vocab: &BTreeMap<String, u64>,
    words: &mut Words,
) -> Result<HeaderFacts, ConvertError> {
    for (token, id) in vocab {
        words.put(*id, token, kind::NORMAL)?;
    }
    let (split, is_exact) = splits::name(json);
    let note = say!(
        "llama.cpp has no name for how this tokenizer splits text; other programs that use the converted file may \
                split some texts otherwise."
    );
    let merges = json.model.merges.iter().map(|pair| pair.text()).collect();
    let facts = vec![
        ("tokenizer.ggml.model".to_owned(), "gpt2".into()),
        ("tokenizer.ggml.pre".to_owned(), split.into()),
        ("tokenizer.ggml.merges".to_owned(), Value::Array(Array::Texts(merges))),
    ];
    Ok((facts, if is_exact { Vec::new() } else { vec![note] }))
}

/// Byte pairs in the manner of `SentencePiece`: llama.cpp's `llama`, which merges by scores.
///
/// The score of a token is the rank of the pair that makes it, as in the `SentencePiece` file that
/// such a `tokenizer.json` was made from.
fn pieces(
    json: &TokenizerJson,
    vocab: &BTreeMap<String, u64>,
    words: &mut Words,
) -> Result<HeaderFacts, ConvertError> {
    for (token, id) in vocab {
        words.put(*id, token, piece_kind(&json.model, token))?;
    }
    words.scores = vec![-(json.model.merges.len() as f32) - 1.0; words.tokens.len()];
    for (rank, pair) in json.model.merges.iter().enumerate().rev() {
        if let Some(score) = vocab.get(&pair.whole()).and_then(|id| words.scores.get_mut(*id as usize)) {
            *score = -(rank as f32);
        }
    }
    let facts = vec![
        ("tokenizer.ggml.model".to_owned(), "llama".into()),
        ("tokenizer.ggml.pre".to_owned(), "default".into()),
        ("tokenizer.ggml.add_space_prefix".to_owned(), json.puts_blank_first().into()),
    ];
    let note = say!(
        "The tokenizer merges fewer pairs than llama.cpp would; other programs that use the converted file may split \
                some texts otherwise."
    );
    Ok((facts, if merges_all(json, vocab) { Vec::new() } else { vec![note] }))
}

/// Whether the tokenizer has a merge for every two pieces that form a third piece. llama.cpp merges
/// all such pieces, so only then does it split texts equally.
fn merges_all(json: &TokenizerJson, vocab: &BTreeMap<String, u64>) -> bool {
    let added: HashSet<&str> = json.added_tokens.iter().map(|token| token.content.as_str()).collect();
    let plain = |piece: &str| {
        vocab.contains_key(piece) && !added.contains(piece) && piece_kind(&json.model, piece) == kind::NORMAL
    };
    let halves = |piece: &String| {
        let cuts = piece.char_indices().skip(1);
        cuts.filter(|(cut, _)| plain(&piece[..*cut]) && plain(&piece[*cut..])).count()
    };
    vocab.keys().filter(|piece| plain(piece)).map(halves).sum::<usize>() <= json.model.merges.len()
}

fn piece_kind(model: &Model, token: &str) -> i32 {
    let byte = token.len() == 6 && token.starts_with("<0x") && token.ends_with('>');
    match token {
        _ if byte => kind::BYTE,
        token if Some(token) == model.unk_token.as_deref() => kind::UNKNOWN,
        _ => kind::NORMAL,
    }
}

/// Pieces with log-probabilities (Unigram). llama.cpp has such vocabularies only for other
/// architectures; merging by score is the best approximation.
fn unigram(vocab: &[(String, f64)], words: &mut Words) -> Result<HeaderFacts, ConvertError> {
    words.scores = vec![0.0; words.tokens.len()];
    for (id, (token, score)) in vocab.iter().enumerate() {
        words.put(id as u64, token, if id == 0 { kind::UNKNOWN } else { kind::NORMAL })?;
        words.scores[id] = *score as f32;
    }
    let facts = vec![
        ("tokenizer.ggml.model".to_owned(), "llama".into()),
        ("tokenizer.ggml.pre".to_owned(), "default".into()),
    ];
    let note = say!(
        "The tokenizer is of the Unigram kind, which llama.cpp only approximates; other programs that use the converted file split texts otherwise."
    );
    Ok((facts, vec![note]))
}

/// Lists of tokens, kinds and scores, with one entry per row of the embeddings.
struct Words {
    tokens: Vec<String>,
    kinds: Vec<i32>,
    scores: Vec<f32>,
}

impl Words {
    /// Fills all rows with unused placeholder tokens.
    fn new(rows: u64, json: &TokenizerJson) -> Result<Self, ConvertError> {
        let count = json.added_tokens.iter().map(|token| token.id + 1).max().unwrap_or(0);
        if count > rows {
            return Err(too_many(count - 1, rows));
        }
        let tokens = (0..rows).map(|id| format!("[PAD{id}]")).collect();
        Ok(Self { tokens, kinds: vec![kind::UNUSED; rows as usize], scores: Vec::new() })
    }

    fn put(&mut self, id: u64, token: &str, kind: i32) -> Result<(), ConvertError> {
        let rows = self.tokens.len() as u64;
        let at = usize::try_from(id).ok().filter(|at| *at < self.tokens.len());
        let at = at.ok_or_else(|| too_many(id, rows))?;
        token.clone_into(&mut self.tokens[at]);
        self.kinds[at] = kind;
        Ok(())
    }

    /// Adds the added tokens: markup, and words that are never split.
    fn added(&mut self, json: &TokenizerJson, notes: &mut Vec<Sentence>) -> Result<(), ConvertError> {
        for token in &json.added_tokens {
            let unknown = self.kinds.get(token.id as usize) == Some(&kind::UNKNOWN);
            let kind = if unknown {
                kind::UNKNOWN
            } else if token.special {
                kind::CONTROL
            } else {
                kind::USER_DEFINED
            };
            self.put(token.id, &token.content, kind)?;
        }
        if self.ids().len() < self.tokens.len() {
            notes.push(say!("Several tokens of this tokenizer have the same text."));
        }
        Ok(())
    }

    fn ids(&self) -> BTreeMap<&str, u32> {
        self.tokens.iter().zip(0..).map(|(token, id)| (token.as_str(), id)).collect()
    }
}

fn too_many(id: u64, rows: u64) -> ConvertError {
    let text = say!(
        "has a token with the number {id}, but the embeddings have only {rows} rows; the files are of different models"
    );
    ConvertError::Tokenizer(text)
}
