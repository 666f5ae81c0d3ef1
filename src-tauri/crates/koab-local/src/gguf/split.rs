//! Models that are split into several GGUF files: `name-00001-of-00003.gguf`, each with facts of
//! its own.

use std::path::{Path, PathBuf};

use super::error::GgufError;

/// Part number of a file, and the number of parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Split {
    /// Part number, from 0.
    pub part: u64,
    /// Number of parts, at least 2.
    pub count: u64,
}

/// All files of a model in order, given the path of one of them. For a model in one file, that
/// file.
///
/// # Errors
/// When a part is missing.
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

/// The name before the part number, and the number of parts.
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
