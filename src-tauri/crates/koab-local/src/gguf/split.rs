//! Models split into several GGUF files: `name-00001-of-00003.gguf`, each with facts of its own.

use std::path::{Path, PathBuf};

use super::error::GgufError;

/// Which part of how many a file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Split {
    /// From 0.
    pub part: u64,
    /// At least 2.
    pub count: u64,
}

/// The files of a model by the name of one of them, the first one first. A model in one file is
/// that file.
///
/// # Errors
/// A part that is not there.
pub fn parts_of(path: &Path) -> Result<Vec<PathBuf>, GgufError> {
    let alone = vec![path.to_owned()];
    let Some(name) = path.file_name().and_then(|name| name.to_str()) else {
        return Ok(alone);
    };
    let Some((stem, count)) = numbered(name) else {
        return Ok(alone);
    };
    let mut parts = Vec::new();
    for part in 1..=count {
        let name = format!("{stem}-{part:05}-of-{count:05}.gguf");
        let path = path.with_file_name(&name);
        if !path.is_file() {
            return Err(GgufError::MissingPart { count, missing: name });
        }
        parts.push(path);
    }
    Ok(parts)
}

/// The name before the numbers, and how many parts there are.
fn numbered(name: &str) -> Option<(&str, u64)> {
    let stem = name.strip_suffix(".gguf")?;
    let (rest, count) = stem.rsplit_once("-of-")?;
    let (stem, part) = rest.rsplit_once('-')?;
    let number = |digits: &str| {
        (digits.len() == 5 && digits.bytes().all(|digit| digit.is_ascii_digit()))
            .then(|| digits.parse::<u64>().ok())?
    };
    let (part, count) = (number(part)?, number(count)?);
    (count >= 1 && (1..=count).contains(&part)).then_some((stem, count))
}
