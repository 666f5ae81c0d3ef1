//! Folders and GGUF files that the user added: their paths are stored in `<models>/added.json`.
//! They are never copied or deleted.

use super::entry::{Entry, EntryOrigin, Kind};
use super::{Facts, Library, LibraryError, conversions, gguf_files};
use koab_core::say;
use koab_core::sentence::Sentence;
use koab_engine::atomic::{self, Readers};
use koab_engine::files::name_of;
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::{Path, PathBuf};

const LIST: &str = "added.json";

#[derive(Default, Serialize, Deserialize)]
struct List {
    paths: Vec<PathBuf>,
}

/// The stored paths.
pub(super) fn paths(library: &Library) -> Vec<PathBuf> {
    read(library).paths
}

fn read(library: &Library) -> List {
    let text = fs::read(library.models.join(LIST)).unwrap_or_default();
    serde_json::from_slice(&text).unwrap_or_default()
}

fn write(library: &Library, list: &List) -> Result<(), LibraryError> {
    let path = library.models.join(LIST);
    let disk = LibraryError::disk(&path);
    fs::create_dir_all(&library.models).map_err(&disk)?;
    let text = serde_json::to_string_pretty(list).map_err(|error| disk(error.into()))?;
    atomic::write(&path, Readers::Everyone, text + "\n").map_err(&disk)
}

/// Stores a path that contains a model.
pub(super) fn add(library: &Library, path: &Path) -> Result<Entry, LibraryError> {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let entry = entry_of(library, &path)?;
    if let Some(why) = &entry.problem {
        return Err(refused(&path, why.clone()));
    }
    let mut list = read(library);
    if !list.paths.contains(&entry.path) {
        list.paths.push(entry.path.clone());
        write(library, &list)?;
    }
    // The list may name the entry differently, depending on the other added paths.
    let entries = library.list();
    let same = |other: &Entry| other.path == entry.path && other.origin == EntryOrigin::Added;
    Ok(entries.into_iter().find(same).unwrap_or(entry))
}

/// Removes a path from the list.
pub(super) fn forget(library: &Library, path: &Path) -> Result<(), LibraryError> {
    let mut list = read(library);
    list.paths.retain(|stored| stored != path);
    write(library, &list)
}

/// The model at a path, named after the last part of the path.
pub(super) fn entry_of(library: &Library, path: &Path) -> Result<Entry, LibraryError> {
    let name = |path: &Path| name_of(path);
    if path.is_dir() {
        let files: Vec<String> = fs::read_dir(path)
            .map_err(LibraryError::disk(path))?
            .flatten()
            .filter_map(|entry| entry.file_name().into_string().ok())
            .collect();
        if files.iter().any(|file| file == "config.json")
            && files.iter().any(|file| file.ends_with(".safetensors"))
        {
            let (facts, problem) = Facts::of_folder(path);
            return Ok(entry(
                library,
                name(path),
                Kind::Safetensors,
                path,
                (facts, problem),
                conversions::size(path),
            ));
        }
        let groups = gguf_files::groups(files.iter().map(String::as_str));
        return match groups.as_slice() {
            [] => Err(refused(path, say!("it holds neither config.json with safetensors nor a GGUF file"))),
            [only] => of_gguf(library, &path.join(only.files.first().map_or("", String::as_str))),
            several => {
                let names: Vec<&str> =
                    several.iter().filter_map(|group| Some(group.files.first()?.as_str())).collect();
                Err(refused(
                    path,
                    say!("it holds several GGUF models; name one of them: {}", names.join(", ")),
                ))
            }
        };
    }
    if !path.is_file() {
        return Err(refused(path, say!("nothing is at this path; check the path")));
    }
    of_gguf(library, path)
}

fn of_gguf(library: &Library, path: &Path) -> Result<Entry, LibraryError> {
    let file = name_of(path);
    if !file.to_lowercase().ends_with(".gguf") {
        return Err(refused(path, say!("only a GGUF file or a Hugging Face folder is a model")));
    }
    let parent = path.parent().unwrap_or(path);
    let names: Vec<String> = fs::read_dir(parent)
        .map_err(LibraryError::disk(parent))?
        .flatten()
        .filter_map(|entry| entry.file_name().into_string().ok())
        .collect();
    let groups = gguf_files::groups(names.iter().map(String::as_str));
    let Some(group) = groups.iter().find(|group| group.files.contains(&file)) else {
        return Err(refused(path, say!("it is a part of a model (pictures, adapter), not a model")));
    };
    let first = parent.join(group.files.first().map_or("", String::as_str));
    let bytes = group.files.iter().filter_map(|name| Some(fs::metadata(parent.join(name)).ok()?.len())).sum();
    let parts: Vec<PathBuf> = group.files.iter().map(|name| parent.join(name)).collect();
    let (mut facts, mut problem) = Facts::of_gguf(&parts);
    facts.quantization = gguf_files::quantization(&group.stem).or(facts.quantization);
    facts.licence = facts.licence.or_else(|| Facts::licence_beside(parent));
    if !group.missing.is_empty() {
        problem = Some(say!("{} is missing beside it", group.missing.join(", ")));
    }
    Ok(entry(library, group.name().to_owned(), Kind::Gguf, &first, (facts, problem), bytes))
}

fn entry(
    library: &Library,
    name: String,
    kind: Kind,
    path: &Path,
    (facts, problem): (Facts, Option<Sentence>),
    bytes: u64,
) -> Entry {
    let mut entry = Entry {
        name,
        kind,
        origin: EntryOrigin::Added,
        path: path.to_owned(),
        bytes,
        facts,
        conversions: Vec::new(),
        problem,
    };
    entry.conversions = conversions::within(&conversions::home(library, &entry));
    entry
}

fn refused(path: &Path, why: impl Into<Sentence>) -> LibraryError {
    LibraryError::NotAModel { path: path.display().to_string(), why: why.into() }
}
