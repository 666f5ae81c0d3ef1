//! Scans the disk for models and makes the list.

use super::entry::{Entry, EntryOrigin, Kind};
use super::gguf_files::{self, Group};
use super::{Facts, Library, added, conversions};
use koab_core::say;
use koab_core::sentence::Sentence;
use koab_core::sentence::ToSentence;
use koab_hub::Repository;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// All models, by name: the shared cache, added paths, and conversions whose source is gone.
pub(super) fn all(library: &Library) -> Vec<Entry> {
    let mut entries = Vec::new();
    let mut folders = BTreeSet::new();
    for (repo, cache) in Repository::all_models(&library.hub) {
        let commits = cache.commits();
        let models =
            commits.first().map_or_else(Vec::new, |commit| of_commit(library, &repo, &cache, commit));
        folders.extend(models.iter().map(|entry| conversions::home(library, entry)));
        entries.extend(models);
    }
    let added = with_clear_names(added::paths(library).iter().map(|path| at(library, path)).collect());
    folders.extend(added.iter().map(|entry| conversions::home(library, entry)));
    entries.extend(added);
    for (name, folder) in conversions::folders(&library.models) {
        if !folders.contains(&folder) {
            entries.extend(left_over(name, &folder));
        }
    }
    entries.sort_by_key(|entry| entry.name.to_lowercase());
    entries
}

/// The models of a repository at a branch, tag or commit (or the beginning of a commit).
pub(super) fn at_revision(library: &Library, repo: &str, revision: &str) -> Option<Vec<Entry>> {
    let cache = Repository::of_model(&library.hub, repo);
    let commit = cache.refs().remove(revision);
    let is_it = |commit: &String| revision.len() >= 6 && commit.starts_with(revision);
    let commit = commit.or_else(|| cache.commits().into_iter().find(is_it))?;
    let mut entries = of_commit(library, repo, &cache, &commit);
    for entry in &mut entries {
        entry.name = format!("{}@{revision}", entry.name);
    }
    Some(entries).filter(|entries| !entries.is_empty())
}

fn of_commit(library: &Library, repo: &str, cache: &Repository, commit: &str) -> Vec<Entry> {
    let files = cache.files(commit);
    let mut commits = cache.commits();
    commits.sort_by_key(|other| other != commit);
    let snapshot = cache.snapshot(commit);
    let entry = |name: String, kind, path: PathBuf, (facts, problem): (Facts, Option<Sentence>)| {
        let mut entry = Entry {
            name,
            kind,
            origin: EntryOrigin::Hub {
                repo: repo.to_owned(),
                commit: commit.to_owned(),
                commits: commits.clone(),
            },
            path,
            bytes: 0,
            facts,
            conversions: Vec::new(),
            problem,
        };
        if kind == Kind::Safetensors {
            entry.conversions = conversions::within(&conversions::home(library, &entry));
        }
        entry
    };
    let mut entries = Vec::new();
    let has = |name: &str| files.iter().any(|(path, _)| path == name);
    let weights = |path: &str| path.ends_with(".safetensors") && !path.contains('/');
    // A repository whose weights are not fetched yet is an incomplete model; one with only a
    // tokenizer is not a model.
    let has_weights = has("model.safetensors.index.json") || files.iter().any(|(path, _)| weights(path));
    if has("config.json") && has_weights {
        let mut one =
            entry(repo.to_owned(), Kind::Safetensors, snapshot.clone(), Facts::of_folder(&snapshot));
        one.bytes = bytes(&files, |path| !path.ends_with(".gguf"));
        entries.push(one);
    }
    let groups = gguf_files::groups(files.iter().map(|(path, _)| path.as_str()));
    let alone = groups.len() == 1 && entries.is_empty();
    for group in groups {
        let Some(first) = group.files.first() else {
            continue;
        };
        let name = if alone { repo.to_owned() } else { format!("{repo}/{}", group.name()) };
        let mut one = entry(name, Kind::Gguf, snapshot.join(first), gguf(&group, &snapshot));
        one.bytes = bytes(&files, |path| group.files.iter().any(|file| file == path));
        entries.push(one);
    }
    entries
}

fn gguf(group: &Group, snapshot: &Path) -> (Facts, Option<Sentence>) {
    let parts: Vec<PathBuf> = group.files.iter().map(|file| snapshot.join(file)).collect();
    let (mut facts, problem) = Facts::of_gguf(&parts);
    facts.quantization = gguf_files::quantization(&group.stem).or(facts.quantization);
    facts.licence = facts.licence.or_else(|| Facts::licence_beside(snapshot));
    if group.missing.is_empty() {
        return (facts, problem);
    }
    let missing = group.missing.join(", ");
    (facts, Some(say!("{missing} is not there; fetch the rest")))
}

fn bytes(files: &[(String, PathBuf)], counts: impl Fn(&str) -> bool) -> u64 {
    let of = |(_, path): &(String, PathBuf)| fs::metadata(path).map_or(0, |facts| facts.len());
    files.iter().filter(|(path, _)| counts(path)).map(of).sum()
}

/// The model at an added path. If the path no longer exists, the entry has a problem.
fn at(library: &Library, path: &Path) -> Entry {
    added::entry_of(library, path).unwrap_or_else(|error| Entry {
        name: path.file_stem().unwrap_or_default().to_string_lossy().into_owned(),
        kind: if path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("gguf")) {
            Kind::Gguf
        } else {
            Kind::Safetensors
        },
        origin: EntryOrigin::Added,
        path: path.to_owned(),
        bytes: 0,
        facts: Facts::default(),
        conversions: Vec::new(),
        problem: Some(error.to_sentence()),
    })
}

/// Names added paths by their whole path if two have the same name.
fn with_clear_names(mut entries: Vec<Entry>) -> Vec<Entry> {
    let names: Vec<String> = entries.iter().map(|entry| entry.name.clone()).collect();
    for entry in &mut entries {
        if names.iter().filter(|name| **name == entry.name).count() > 1 {
            entry.name = entry.path.display().to_string();
        }
    }
    entries
}

/// Entry for a converted model whose source is gone; the most exact conversion represents it.
fn left_over(name: String, folder: &Path) -> Option<Entry> {
    let conversions = conversions::within(folder);
    let first = conversions.first()?;
    let (facts, problem) = Facts::of_gguf(std::slice::from_ref(&first.path));
    Some(Entry {
        name,
        kind: Kind::Gguf,
        origin: EntryOrigin::Converted,
        path: first.path.clone(),
        bytes: 0,
        facts,
        conversions,
        problem,
    })
}
