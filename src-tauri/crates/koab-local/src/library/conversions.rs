//! What was converted: `<models>/<org>--<name>/<precision>/model.gguf` with its record beside it.

use super::Library;
use super::entry::{Conversion, Entry, EntryOrigin};
use serde::Deserialize;
use std::fs;
use std::path::{Path, PathBuf};

/// The model's file in its folder, and the record beside it without which the conversion was not
/// finished.
const MODEL: &str = "model.gguf";
const RECORD: &str = "model.json";

/// The precisions, the most exact first.
const ORDER: [&str; 5] = ["float32", "float16", "bfloat16", "8bit", "4bit"];

/// What is read of `model.json`; the converter writes more.
#[derive(Deserialize)]
struct Record {
    source: Source,
}

#[derive(Deserialize)]
struct Source {
    name: String,
    revision: Option<String>,
}

/// Where conversions of a model lie. Of an added path the name alone could be another model's, so
/// its place counts too.
pub(super) fn home(library: &Library, entry: &Entry) -> PathBuf {
    let plain = |name: &str| name.replace(['/', '\\', ':'], "--");
    match &entry.origin {
        EntryOrigin::Hub { repo, .. } => library.models.join(plain(repo)),
        EntryOrigin::Converted => library.models.join(plain(&entry.name)),
        EntryOrigin::Added => {
            let name = entry.path.file_stem().unwrap_or_default().to_string_lossy();
            let place = entry.path.to_string_lossy();
            library.models.join(format!("{}-{:08x}", plain(&name), short_hash(&place)))
        }
    }
}

/// The conversions in a folder of the library, the most exact first.
pub(super) fn within(folder: &Path) -> Vec<Conversion> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut found: Vec<Conversion> = entries
        .filter_map(|entry| {
            let (precision, folder) = (entry.file_name().into_string().ok()?, entry.path());
            let path = folder.join(MODEL);
            let record = record(&folder).filter(|_| path.is_file())?;
            Some(Conversion { precision, path, bytes: size(&folder), revision: record.source.revision })
        })
        .collect();
    let rank = |one: &Conversion| ORDER.iter().position(|name| *name == one.precision).unwrap_or(ORDER.len());
    found.sort_by_key(|one| (rank(one), one.precision.clone()));
    found
}

/// The folders of conversions, each with the name of what was converted.
pub(super) fn folders(models: &Path) -> Vec<(String, PathBuf)> {
    let entries = fs::read_dir(models).into_iter().flatten().flatten();
    let mut found: Vec<(String, PathBuf)> = entries
        .filter_map(|entry| {
            let folder = entry.path();
            let mut conversions = fs::read_dir(&folder).ok()?.flatten();
            let record = conversions.find_map(|one| record(&one.path()))?;
            Some((record.source.name, folder))
        })
        .collect();
    found.sort();
    found
}

fn record(folder: &Path) -> Option<Record> {
    serde_json::from_slice(&fs::read(folder.join(RECORD)).ok()?).ok()
}

/// Bytes of all files below a folder.
pub(super) fn size(folder: &Path) -> u64 {
    let mut bytes = 0;
    koab_hub::walk(folder, &mut |path| {
        bytes += fs::symlink_metadata(path).map_or(0, |facts| facts.len());
    });
    bytes
}

/// FNV-1a: the same in every version of this program, and nothing depends on it being hard to
/// guess.
fn short_hash(text: &str) -> u32 {
    text.bytes().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}
