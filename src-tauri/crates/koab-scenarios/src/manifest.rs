//! Manifests: lists of benchmarks, and lists of a benchmark's files.
//!
//! The formats are those of the original tool: `{"scenarios": {name: place}}` for a library,
//! `{"files": {path: source}}` for a benchmark. This product adds `{"hashes": {path: SHA-256}}`.
//! Places and sources are URLs, or paths relative to the manifest. A manifest can come from
//! anybody, so every path in it must stay in the benchmark's folder.

use crate::benchmark::{folder_name, inside};
use koab_core::say;
use koab_core::sentence::Sentence;
use serde_json::{Map, Value};
use std::collections::BTreeSet;
use std::path::PathBuf;

/// File name of a manifest.
pub const MANIFEST: &str = "MANIFEST.json";
/// Maximum number of files of a benchmark.
pub const MOST_FILES: usize = 20_000;

/// A benchmark in a library.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BenchmarkEntry {
    /// Name of the benchmark, which is a valid folder name.
    pub name: String,
    /// Location of the benchmark: a URL, or a path relative to the library.
    pub place: String,
}

/// A file of a benchmark.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ManifestFile {
    /// Target path below the benchmark's folder.
    pub path: PathBuf,
    /// Source of the file: a URL, or a path relative to the benchmark's manifest.
    pub source: String,
    /// SHA-256 of the file in lower-case hexadecimal; `None` when the manifest has none.
    pub sha256: Option<String>,
}

/// Reads the manifest of a library. The benchmarks have the manifest's order.
///
/// # Errors
/// When the manifest is invalid. The error describes the first fault as the rest of a sentence that
/// begins with the manifest's name.
pub fn library(text: &[u8]) -> Result<Vec<BenchmarkEntry>, Sentence> {
    let document = object(text)?;
    entries(&document, "scenarios")?
        .iter()
        .map(|(name, place)| {
            folder_name(name).map_err(|why| say!("the benchmark {name:?} {why}"))?;
            let place = source(name, place)?;
            Ok(BenchmarkEntry { name: name.clone(), place })
        })
        .collect()
}

/// Reads the manifest of a benchmark. The files have the manifest's order.
///
/// # Errors
/// When the manifest is invalid. The error describes the first fault as the rest of a sentence that
/// begins with the manifest's name.
pub fn benchmark(text: &[u8]) -> Result<Vec<ManifestFile>, Sentence> {
    let document = object(text)?;
    let files_listed = entries(&document, "files")?;
    if files_listed.len() > MOST_FILES {
        return Err(say!("lists more than {MOST_FILES} files"));
    }
    let hashes = match document.get("hashes") {
        Some(_) => entries(&document, "hashes")?.clone(),
        None => Map::new(),
    };
    if let Some(stray) = hashes.keys().find(|path| !files_listed.contains_key(*path)) {
        return Err(say!("has a hash for {stray:?}, which is not one of its files"));
    }
    let files = files_listed
        .iter()
        .map(|(path, from)| {
            Ok(ManifestFile {
                path: target(path).map_err(|why| say!("the file {path:?} {why}"))?,
                source: source(path, from)?,
                sha256: hashes.get(path).map(|hash| sha256(path, hash)).transpose()?,
            })
        })
        .collect::<Result<Vec<_>, Sentence>>()?;
    check_distinct(&files)?;
    Ok(files)
}

/// Whether a place or source is a URL.
#[must_use]
pub fn is_address(place: &str) -> bool {
    let lower = place.to_ascii_lowercase();
    lower.starts_with("http://") || lower.starts_with("https://")
}

fn object(text: &[u8]) -> Result<Map<String, Value>, Sentence> {
    match serde_json::from_slice(text) {
        Ok(Value::Object(document)) => Ok(document),
        Ok(_) => Err(say!("is not a JSON object")),
        Err(error) => Err(say!("is not JSON: {error}")),
    }
}

fn entries<'a>(document: &'a Map<String, Value>, key: &str) -> Result<&'a Map<String, Value>, Sentence> {
    document.get(key).and_then(Value::as_object).ok_or_else(|| say!("has no object {key:?}"))
}

/// Reads a source. A relative path must be below the manifest's folder, like target paths.
fn source(name: &str, value: &Value) -> Result<String, Sentence> {
    let text = value
        .as_str()
        .filter(|text| !text.is_empty())
        .ok_or_else(|| say!("does not give the location of {name:?} as text"))?;
    if !is_address(text) {
        if text.contains([':', '?', '#', '%']) {
            return Err(say!("the source {text:?} holds one of : ? # %"));
        }
        inside(text).map_err(|why| say!("the source {text:?} {why}"))?;
    }
    Ok(text.to_owned())
}

fn target(written: &str) -> Result<PathBuf, Sentence> {
    let path = inside(written)?;
    if path.as_os_str().is_empty() || written.ends_with('/') {
        return Err(say!("names no file"));
    }
    for part in path.iter().map(|part| part.to_string_lossy()) {
        if part.len() > 255 {
            return Err(say!("has a part longer than 255 bytes"));
        }
        if part.contains(['<', '>', ':', '"', '|', '?', '*']) || part.ends_with(['.', ' ']) {
            return Err(say!("is not a valid path on every system"));
        }
        // Settings in a repository's folder can run programs.
        if part.eq_ignore_ascii_case(".git") {
            return Err(say!("is in a repository's own folder"));
        }
    }
    Ok(path)
}

fn sha256(path: &str, value: &Value) -> Result<String, Sentence> {
    let text = value.as_str().unwrap_or_default().to_ascii_lowercase();
    if text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        Ok(text)
    } else {
        Err(say!("the hash of {path:?} is not a SHA-256 in hexadecimal"))
    }
}

/// Checks that no file is listed twice, ignoring case, and that no file has the path of another
/// file's folder.
fn check_distinct(files: &[ManifestFile]) -> Result<(), Sentence> {
    let lower = |path: &std::path::Path| path.to_string_lossy().to_lowercase();
    let mut names = BTreeSet::new();
    for file in files {
        if !names.insert(lower(&file.path)) {
            return Err(say!("lists {} twice", file.path.display()));
        }
    }
    for file in files {
        let mut above = file.path.ancestors().skip(1);
        if let Some(folder) = above.find(|folder| names.contains(&lower(folder))) {
            return Err(say!("lists {} as a file and as a folder", folder.display()));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::path::Component;

    fn files(path: &str, from: &str) -> Result<Vec<ManifestFile>, Sentence> {
        benchmark(serde_json::json!({ "files": { path: from } }).to_string().as_bytes())
    }

    #[test]
    fn what_leads_out_or_collides_is_refused() {
        for path in [
            "../x",
            "a/../../x",
            "/etc/x",
            "C:\\x",
            "c:x",
            "a\\b",
            "",
            ".",
            "a/",
            "a\u{0}b",
            ".git/config",
            "a/.GIT/hooks/x",
            "x.",
            "con?",
        ] {
            assert!(files(path, "README.md").is_err(), "{path:?}");
        }
        for from in ["../x", "/etc/passwd", "file:///etc/passwd", "ftp://h/x", "a%2f..%2fx", ""] {
            assert!(files("x", from).is_err(), "{from:?}");
        }
        assert!(files("a/./b", "https://h/x").is_ok());
        for text in [
            r#"{"files": {"a": "a", "A": "a"}}"#,
            r#"{"files": {"a": "a", "a/b": "a"}}"#,
            r#"{"files": {"a": "a"}, "hashes": {"b": "00"}}"#,
            r#"{"files": {"a": "a"}, "hashes": {"a": "00"}}"#,
            r#"{"files": {"a": 1}}"#,
            r#"{"files": []}"#,
            "[]",
            "{",
        ] {
            assert!(benchmark(text.as_bytes()).is_err(), "{text}");
        }
        assert!(library(br#"{"scenarios": {"../x": "x/"}}"#).is_err());
        assert!(library(br#"{"scenarios": {"x": "../x/"}}"#).is_err());
    }

    proptest! {
        #[test]
        fn whatever_a_manifest_says_targets_stay_inside(parts in prop::collection::vec("(\\.\\.|\\.|/|\\\\|[a-c]{1,2}|:|~|가|\u{0}){0,3}", 0..5), byte in any::<Vec<u8>>()) {
            let path = parts.join("/");
            if let Ok(files) = files(&path, "x") {
                for file in files {
                    prop_assert!(file.path.components().all(|part| matches!(part, Component::Normal(_))), "{path:?}");
                    prop_assert!(file.path.components().next().is_some());
                }
            }
            if let Ok(listed) = files("x", &path) {
                prop_assert!(!listed[0].source.starts_with('/') && !listed[0].source.split('/').any(|part| part == ".."));
            }
            let _never_a_panic = (benchmark(&byte), library(&byte));
        }
    }
}
