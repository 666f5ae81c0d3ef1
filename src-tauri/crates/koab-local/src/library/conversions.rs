//! Converted models: `<models>/<org>--<name>/<precision>/model.gguf`, with a record in the same
//! folder.

use super::Library;
use super::entry::{Conversion, Entry, EntryOrigin};
use serde::Deserialize;
use std::fs;
use std::path::{Path, PathBuf};

/// File names of the converted model (`MODEL`) and of its record (`RECORD`). A conversion without a
/// record is unfinished.
const MODEL: &str = "model.gguf";
const RECORD: &str = "model.json";

/// The precisions, the most exact first.
const ORDER: [&str; 5] = ["float32", "float16", "bfloat16", "8bit", "4bit"];

/// The fields of `model.json` that are read; the converter writes more.
#[derive(Deserialize)]
struct Record {
    source: Source,
}

#[derive(Deserialize)]
struct Source {
    name: String,
    revision: Option<String>,
}

/// Folder of a model's conversions. The folder of an added path also depends on the path, because
/// another model may have the same name.
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
    let mut conversions: Vec<Conversion> = entries
        .filter_map(|entry| {
            let (precision, folder) = (entry.file_name().into_string().ok()?, entry.path());
            let path = folder.join(MODEL);
            let record = record(&folder).filter(|_| path.is_file())?;
            Some(Conversion { precision, path, bytes: size(&folder), revision: record.source.revision })
        })
        .collect();
    let rank = |one: &Conversion| ORDER.iter().position(|name| *name == one.precision).unwrap_or(ORDER.len());
    conversions.sort_by_key(|one| (rank(one), one.precision.clone()));
    conversions
}

/// The folders of conversions, each with the name of the source model.
pub(super) fn folders(models: &Path) -> Vec<(String, PathBuf)> {
    let entries = fs::read_dir(models).into_iter().flatten().flatten();
    let mut folders: Vec<(String, PathBuf)> = entries
        .filter_map(|entry| {
            let folder = entry.path();
            let mut precisions = fs::read_dir(&folder).ok()?.flatten();
            let record = precisions.find_map(|one| record(&one.path()))?;
            Some((record.source.name, folder))
        })
        .collect();
    folders.sort();
    folders
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

/// FNV-1a. It gives the same hash in every version of this program, and it does not need to be hard
/// to guess.
fn short_hash(text: &str) -> u32 {
    text.bytes().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}
