//! Which of a repository's files make a model: the safetensors with what belongs to them, or one
//! GGUF model. Never both, and never pickles, which run code when they are opened.

use super::Kind;
use super::gguf_files::{self, Group};

/// A file of a repository.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RepositoryFile {
    /// Its path in the repository.
    pub path: String,
    /// Bytes.
    pub size: u64,
}

/// A model that a repository offers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offer {
    /// What the weights are kept as.
    pub kind: Kind,
    /// The first file of its weights, by which it can be chosen.
    pub file: String,
    /// How it was quantized, as the file's name says it.
    pub quantization: Option<String>,
    /// All files that it needs.
    pub files: Vec<RepositoryFile>,
}

/// What is wanted of a repository.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Want {
    /// The one model, or the safetensors where there are GGUF files beside them.
    #[default]
    Usual,
    /// The model that this file belongs to.
    File(String),
    /// A GGUF file quantized so: `4bit`, `8bit`, or as names of files have it, such as `Q5_K_M`.
    Quantization(String),
    /// All files whose paths fit one of these patterns with `*` and `?`.
    Include(Vec<String>),
}

/// Why nothing was chosen.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, koab_core::Say)]
pub enum ChoiceError {
    /// Weights as pickles alone.
    #[error(
        "it has its weights only as PyTorch files, which run code when they are opened; look for a repository of this model with safetensors or GGUF files"
    )]
    Pickles,
    /// No weights at all.
    #[error("it holds no model: neither safetensors nor a GGUF file")]
    Nothing,
    /// Several GGUF models and nothing said which.
    #[error("it has {} GGUF models; choose one with --file or --quantization: {}", .0.len(), .0.join(", "))]
    Several(Vec<String>),
    /// None is what was asked for.
    #[error("it has nothing that fits {asked}; it has {}", .there.join(", "))]
    NoneFits {
        /// What was asked for.
        asked: String,
        /// What is there.
        there: Vec<String>,
    },
}

/// What a safetensors model needs beside its weights. Licence and README say whose it is when no
/// network is there any more.
const BESIDE: [&str; 13] = [
    "config.json",
    "generation_config.json",
    "tokenizer.json",
    "tokenizer_config.json",
    "special_tokens_map.json",
    "added_tokens.json",
    "chat_template.jinja",
    "chat_template.json",
    "additional_chat_templates/tool_use.jinja",
    "model.safetensors.index.json",
    "README.md",
    "LICENSE",
    "LICENSE.txt",
];

/// The models that a repository's files make, safetensors first, then GGUF by size.
pub fn offers(files: &[RepositoryFile]) -> Vec<Offer> {
    let mut offers: Vec<Offer> = safetensors(files).into_iter().collect();
    let mut gguf: Vec<Offer> = gguf_files::groups(files.iter().map(|file| file.path.as_str()))
        .into_iter()
        .filter_map(|group| of_group(&group, files))
        .collect();
    gguf.sort_by_key(|offer| std::cmp::Reverse(offer.bytes()));
    offers.extend(gguf);
    offers
}

/// What to fetch.
///
/// # Errors
/// When there is nothing to fetch, or it is not clear what.
pub fn choose(files: &[RepositoryFile], want: &Want) -> Result<Offer, ChoiceError> {
    let offers = offers(files);
    let names = || offers.iter().map(|offer| offer.file.clone()).collect::<Vec<_>>();
    let none_fits = |asked: &str| ChoiceError::NoneFits { asked: asked.to_owned(), there: names() };
    match want {
        Want::Usual => match offers.as_slice() {
            [] if files.iter().any(|file| is_pickle(&file.path)) => Err(ChoiceError::Pickles),
            [] => Err(ChoiceError::Nothing),
            [first, ..] if first.kind == Kind::Safetensors => Ok(first.clone()),
            [only] => Ok(only.clone()),
            several => Err(ChoiceError::Several(several.iter().map(|offer| offer.file.clone()).collect())),
        },
        Want::File(name) => {
            let has = |offer: &&Offer| offer.files.iter().any(|file| file.path == *name);
            // README and the like belong to all; weights to one.
            let found = offers.iter().find(|offer| has(offer) && is_weights(name));
            found.cloned().ok_or_else(|| none_fits(name))
        }
        Want::Quantization(name) => {
            let found = quantized(name).iter().find_map(|form| {
                let fits =
                    |offer: &&Offer| offer.quantization.as_deref().is_some_and(|said| fits(form, said));
                offers.iter().find(fits)
            });
            // Where there is no GGUF file the weights are fetched, to be converted to what is
            // wanted.
            let found = found.or_else(|| {
                let gguf = offers.iter().any(|offer| offer.kind == Kind::Gguf);
                offers.first().filter(|_| !gguf)
            });
            found.cloned().ok_or_else(|| none_fits(name))
        }
        Want::Include(patterns) => {
            let wanted = |path: &str| patterns.iter().any(|pattern| fits(pattern, path));
            let files: Vec<RepositoryFile> =
                files.iter().filter(|file| wanted(&file.path)).cloned().collect();
            let weights = files.iter().find(|file| is_weights(&file.path)).or(files.first());
            let Some(weights) = weights else {
                return Err(none_fits(&patterns.join(", ")));
            };
            Ok(Offer {
                kind: if weights.path.ends_with(".gguf") { Kind::Gguf } else { Kind::Safetensors },
                quantization: gguf_files::quantization(weights.path.trim_end_matches(".gguf")),
                file: weights.path.clone(),
                files,
            })
        }
    }
}

impl Offer {
    /// Bytes of all its files.
    pub fn bytes(&self) -> u64 {
        self.files.iter().map(|file| file.size).sum()
    }
}

fn safetensors(files: &[RepositoryFile]) -> Option<Offer> {
    let top = |file: &&RepositoryFile| !file.path.contains('/') && file.path.ends_with(".safetensors");
    let weights: Vec<&RepositoryFile> = files.iter().filter(top).collect();
    // Some repositories hold the same weights a second time, in the form of their makers
    // (`consolidated`).
    let usual: Vec<&RepositoryFile> =
        weights.iter().copied().filter(|file| file.path.starts_with("model")).collect();
    let mut chosen = if usual.is_empty() { weights } else { usual };
    chosen.retain(|file| !file.path.contains("adapter"));
    let first = chosen.first()?.path.clone();
    let beside = files.iter().filter(|file| BESIDE.contains(&file.path.as_str()));
    Some(Offer {
        kind: Kind::Safetensors,
        file: first,
        quantization: None,
        files: beside.chain(chosen).cloned().collect(),
    })
}

fn of_group(group: &Group, files: &[RepositoryFile]) -> Option<Offer> {
    if !group.missing.is_empty() {
        return None;
    }
    let beside = |path: &str| ["README.md", "LICENSE", "LICENSE.txt"].contains(&path);
    let needed = files.iter().filter(|file| group.files.contains(&file.path) || beside(&file.path));
    Some(Offer {
        kind: Kind::Gguf,
        file: group.files.first()?.clone(),
        quantization: gguf_files::quantization(&group.stem),
        files: needed.cloned().collect(),
    })
}

/// The forms that a wish stands for, the best first. Patterns, because makers spell them
/// differently.
fn quantized(name: &str) -> Vec<String> {
    let forms: &[&str] = match name.to_lowercase().as_str() {
        "4bit" => &["Q4_K_M", "Q4_K*", "UD_Q4_K*", "Q4_*", "MXFP4", "IQ4*"],
        "8bit" => &["Q8_0", "Q8*", "UD_Q8*"],
        "float16" | "f16" => &["F16", "FP16"],
        "bfloat16" | "bf16" => &["BF16"],
        "float32" | "f32" => &["F32"],
        other => return vec![other.to_uppercase()],
    };
    forms.iter().map(|form| (*form).to_owned()).collect()
}

fn is_weights(path: &str) -> bool {
    path.ends_with(".safetensors") || path.ends_with(".gguf")
}

fn is_pickle(path: &str) -> bool {
    [".bin", ".pt", ".pth", ".ckpt"].iter().any(|ending| path.ends_with(ending))
}

/// Whether a text fits a pattern in which `*` stands for anything, slashes too, and `?` for one
/// letter.
fn fits(pattern: &str, text: &str) -> bool {
    let (pattern, text): (Vec<char>, Vec<char>) = (pattern.chars().collect(), text.chars().collect());
    let (mut p, mut t) = (0, 0);
    // Where the last star was, and how much it has swallowed so far.
    let mut star: Option<(usize, usize)> = None;
    while t < text.len() {
        match pattern.get(p) {
            Some('*') => {
                star = Some((p, t));
                p += 1;
            }
            Some(c) if *c == '?' || *c == text[t] => {
                p += 1;
                t += 1;
            }
            _ => match &mut star {
                Some((at, swallowed)) => {
                    *swallowed += 1;
                    (p, t) = (*at + 1, *swallowed);
                }
                None => return false,
            },
        }
    }
    pattern[p..].iter().all(|c| *c == '*')
}

#[cfg(test)]
mod tests;
