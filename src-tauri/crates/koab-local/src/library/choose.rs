//! Selects the files of a repository that form a model: safetensors with their other files, or one
//! GGUF model.
//!
//! The two formats are never selected together. Pickles are never selected, because they can run
//! code when they are opened.

use super::Kind;
use super::gguf_files::{self, Group};

/// Path and size of a file on the hub.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RepositoryFile {
    /// Path in the repository.
    pub path: String,
    /// Size in bytes.
    pub size: u64,
}

/// A model that a repository offers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offer {
    /// Format of the weights.
    pub kind: Kind,
    /// First file of the weights, which identifies the model.
    pub file: String,
    /// Quantization, according to the file's name.
    pub quantization: Option<String>,
    /// All files that the model needs.
    pub files: Vec<RepositoryFile>,
}

/// Choice of a model in a repository.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Want {
    /// The only model, or the safetensors if there are GGUF files as well.
    #[default]
    Usual,
    /// The model that this file belongs to.
    File(String),
    /// A GGUF file with this quantization: `4bit`, `8bit`, or a name such as `Q5_K_M`.
    Quantization(String),
    /// All files whose paths match one of these patterns with `*` and `?`.
    Include(Vec<String>),
}

/// Reason why no files were selected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, koab_core::Say)]
pub enum ChoiceError {
    /// The weights are only available as pickles.
    #[error(
        "it has its weights only as PyTorch files, which run code when they are opened; look for a repository of this model with safetensors or GGUF files"
    )]
    Pickles,
    /// The repository has no weights.
    #[error("it holds no model: neither safetensors nor a GGUF file")]
    Nothing,
    /// The repository has several GGUF models, and none was named.
    #[error("it has {} GGUF models; choose one with --file or --quantization: {}", .0.len(), .0.join(", "))]
    Several(Vec<String>),
    /// No model matches the request.
    #[error("it has nothing that fits {asked}; it has {}", .there.join(", "))]
    NoneFits {
        /// Name or pattern of the request.
        asked: String,
        /// First files of the models that the repository has.
        there: Vec<String>,
    },
}

/// Files that a safetensors model needs in addition to its weights. Licence and README identify the
/// authors when there is no network.
const COMPANIONS: [&str; 13] = [
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

/// The models in a repository's files: safetensors first, then GGUF by size, the largest first.
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

/// Selects the files to fetch.
///
/// # Errors
/// When no model matches the request, or several do.
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
            // README and similar files belong to all models, weights to one.
            let offer = offers.iter().find(|one| has(one) && is_weights(name));
            offer.cloned().ok_or_else(|| none_fits(name))
        }
        Want::Quantization(name) => {
            let offer = quantized(name).iter().find_map(|form| {
                let fits =
                    |offer: &&Offer| offer.quantization.as_deref().is_some_and(|name| fits(form, name));
                offers.iter().find(fits)
            });
            // Without a GGUF file the weights are fetched, to be converted to the requested
            // precision.
            let offer = offer.or_else(|| {
                let gguf = offers.iter().any(|offer| offer.kind == Kind::Gguf);
                offers.first().filter(|_| !gguf)
            });
            offer.cloned().ok_or_else(|| none_fits(name))
        }
        Want::Include(patterns) => {
            let matches = |path: &str| patterns.iter().any(|pattern| fits(pattern, path));
            let files: Vec<RepositoryFile> =
                files.iter().filter(|file| matches(&file.path)).cloned().collect();
            let weights = files.iter().find(|file| is_weights(&file.path)).or(files.first());
            let Some(weights) = weights else {
                return Err(none_fits(&patterns.join(", ")));
            };
            Ok(Offer {
                kind: if is_gguf(&weights.path) { Kind::Gguf } else { Kind::Safetensors },
                quantization: gguf_files::quantization(weights.path.trim_end_matches(".gguf")),
                file: weights.path.clone(),
                files,
            })
        }
    }
}

impl Offer {
    /// Bytes of all files.
    pub fn bytes(&self) -> u64 {
        self.files.iter().map(|file| file.size).sum()
    }
}

fn safetensors(files: &[RepositoryFile]) -> Option<Offer> {
    let top = |file: &&RepositoryFile| !file.path.contains('/') && file.path.ends_with(".safetensors");
    let weights: Vec<&RepositoryFile> = files.iter().filter(top).collect();
    // Some repositories contain the same weights twice, the second time in their maker's format
    // (`consolidated`).
    let usual: Vec<&RepositoryFile> =
        weights.iter().copied().filter(|file| file.path.starts_with("model")).collect();
    let mut chosen = if usual.is_empty() { weights } else { usual };
    chosen.retain(|file| !file.path.contains("adapter"));
    let first = chosen.first()?.path.clone();
    let companions = files.iter().filter(|file| COMPANIONS.contains(&file.path.as_str()));
    Some(Offer {
        kind: Kind::Safetensors,
        file: first,
        quantization: None,
        files: companions.chain(chosen).cloned().collect(),
    })
}

fn of_group(group: &Group, files: &[RepositoryFile]) -> Option<Offer> {
    if !group.missing.is_empty() {
        return None;
    }
    let is_companion = |path: &str| ["README.md", "LICENSE", "LICENSE.txt"].contains(&path);
    let files = files.iter().filter(|file| group.files.contains(&file.path) || is_companion(&file.path));
    Some(Offer {
        kind: Kind::Gguf,
        file: group.files.first()?.clone(),
        quantization: gguf_files::quantization(&group.stem),
        files: files.cloned().collect(),
    })
}

/// File name patterns of a requested quantization, the best first. Makers spell the names
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
    path.ends_with(".safetensors") || is_gguf(path)
}

fn is_gguf(path: &str) -> bool {
    path.to_lowercase().ends_with(".gguf")
}

fn is_pickle(path: &str) -> bool {
    [".bin", ".pt", ".pth", ".ckpt"].iter().any(|ending| path.ends_with(ending))
}

/// Whether a text matches a pattern. `*` matches any text, including slashes, and `?` matches one
/// character.
fn fits(pattern: &str, text: &str) -> bool {
    let (pattern, text): (Vec<char>, Vec<char>) = (pattern.chars().collect(), text.chars().collect());
    let (mut p, mut t) = (0, 0);
    // Positions of the last star in the pattern and of the text after the part that it has matched.
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
