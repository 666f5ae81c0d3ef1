//! Import of packs of other benchmarks. They are recognised by their files and kept as their
//! authors wrote them.

use super::roots::{ImportRoots, Kind};
use super::{Origin, Watch, documents, source, write};
use crate::benchmarks::{BenchmarkCounts, PackFiles, PackHeader, benchmark, refuse_other_kind};
use crate::db::{self, Store};
use crate::error::{Error, Result};
use crate::packs::{self, PackInfo, RecordCounts};
use crate::table;
use koab_benchmarks::{ALL, Benchmark, Files, owners_in};
use koab_core::cache_key::sha256_hex;
use koab_core::finding::{Fault, Problem};
use koab_core::pack::{PACK_FORMAT, PackManifest};
use koab_core::sentence::Sentence;
use koab_core::{say, text_file};
use koab_engine::ports::Cancel;
use rusqlite::TransactionBehavior;
use serde::Deserialize;
use std::fs;
use std::path::{Path, PathBuf};

/// Maximum depth of folders in the search for a benchmark's files. In checkouts, the files are a
/// few folders down.
const MAX_DEPTH: usize = 8;
/// Maximum number of files that are listed. A checkout has a few thousand.
const MOST_FILES: usize = 200_000;

/// Files of one benchmark in a folder.
pub(super) struct BenchmarkFiles<'a> {
    benchmark: &'static dyn Benchmark,
    /// Each file's path in the pack, and its path in the folder.
    files: Vec<(String, String)>,
    folder: Folder<'a>,
}

struct Folder<'a> {
    root: &'a Path,
    inside: &'a ImportRoots,
    paths: Vec<String>,
    /// Whether the folder has more files than the limit.
    cut: bool,
}

impl Files for Folder<'_> {
    fn paths(&self) -> Vec<String> {
        self.paths.clone()
    }
    fn read(&self, path: &str) -> Result<Vec<u8>, Sentence> {
        let mut problems = Vec::new();
        let content = self.inside.read(&self.root.join(path), path, &mut problems);
        match (content, problems.pop()) {
            (Ok(Some(content)), _) => Ok(content),
            (Ok(None), Some(problem)) => Err(problem.sentence),
            (Ok(None), None) => Err(say!("is missing")),
            (Err(error), _) => Err(say!("{error}")),
        }
    }
}

/// Optional field of `pack.json` that names the benchmark.
#[derive(Deserialize)]
struct KindField {
    kind: Option<String>,
}

/// Folder of a benchmark inside a larger folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BenchmarkPlace {
    /// Folder with the files of only this benchmark.
    pub folder: PathBuf,
    /// Number of files in the folder that do not become part of the pack.
    pub others: usize,
}

/// Finds the benchmark in a folder. With `has_tasks` the folder counts as a pack of Ko-AgentBench
/// tasks unless its `pack.json` names a benchmark.
pub(super) fn detect<'a>(
    root: &'a Path,
    inside: &'a ImportRoots,
    has_tasks: bool,
    cancel: &Cancel,
) -> Result<Option<BenchmarkFiles<'a>>> {
    let Some((folder, mut owners)) = owners(root, inside, has_tasks, cancel)? else {
        return Ok(None);
    };
    if owners.len() > 1 {
        let names: Vec<_> = owners.iter().map(|(benchmark, _)| benchmark.name()).collect();
        return Err(Error::BadFile(say!(
            "the folder holds the files of several benchmarks ({names}); import the folder of each by itself",
            names = names.join(", ")
        )));
    }
    Ok(owners.pop().map(|(benchmark, files)| BenchmarkFiles { benchmark, files, folder }))
}

/// Folders of all benchmarks inside a folder.
pub(super) fn places(
    root: &Path,
    inside: &ImportRoots,
    has_tasks: bool,
    cancel: &Cancel,
) -> Result<Vec<BenchmarkPlace>> {
    let Some((folder, owners)) = owners(root, inside, has_tasks, cancel)? else {
        return Ok(Vec::new());
    };
    let mut places: Vec<BenchmarkPlace> = Vec::new();
    for (_, files) in owners {
        let own = own_folder(&files, &folder.paths);
        let below = folder.paths.iter().filter(|path| Path::new(path).starts_with(own));
        let place =
            BenchmarkPlace { folder: root.join(own), others: below.count().saturating_sub(files.len()) };
        if places.iter().all(|known| known.folder != place.folder) {
            places.push(place);
        }
    }
    Ok(places)
}

/// The innermost folder around a benchmark's data that also has its licence. Without a licence, the
/// folder of the data.
fn own_folder<'a>(files: &'a [(String, String)], paths: &[String]) -> &'a Path {
    let above = |path: &'a str| Path::new(path).parent().unwrap_or(Path::new(""));
    let is_data = |pack: &str| pack.contains('/');
    let mut data = files.iter().filter(|(pack, _)| is_data(pack)).map(|(_, from)| above(from));
    let mut own = data.next().unwrap_or(Path::new(""));
    for folder in data {
        while !folder.starts_with(own) {
            own = own.parent().unwrap_or(Path::new(""));
        }
    }
    let manifest = own.join("pack.json");
    if own.ends_with("tasks") && paths.iter().any(|path| Path::new(path) == manifest) {
        own = own.parent().unwrap_or(Path::new(""));
    }
    let notices = files.iter().filter(|(pack, _)| !is_data(pack)).map(|(_, from)| above(from));
    let around = notices.filter(|folder| own.starts_with(folder));
    around.max_by_key(|folder| folder.components().count()).unwrap_or(own)
}

type Owners = Vec<(&'static dyn Benchmark, koab_benchmarks::PackFiles)>;

fn owners<'a>(
    root: &'a Path,
    inside: &'a ImportRoots,
    has_tasks: bool,
    cancel: &Cancel,
) -> Result<Option<(Folder<'a>, Owners)>> {
    let mut folder = Folder { root, inside, paths: Vec::new(), cut: false };
    if has_tasks && kind_in(&folder, "tasks/pack.json")?.is_none() {
        return Ok(None);
    }
    list(&mut folder, cancel)?;
    let owners = owners_in(&ALL, &folder);
    Ok(Some((folder, owners)))
}

/// The benchmark that a `pack.json` names, if any. An unknown name is an error.
fn kind_in(folder: &Folder<'_>, path: &str) -> Result<Option<&'static dyn Benchmark>> {
    let content = folder.read(path).unwrap_or_default();
    let header: Option<KindField> = serde_json::from_slice(&content).ok();
    header.and_then(|header| header.kind).as_deref().map(benchmark).transpose()
}

fn list(folder: &mut Folder<'_>, cancel: &Cancel) -> Result<()> {
    let mut open = vec![(PathBuf::new(), 0)];
    while let Some((below, depth)) = open.pop() {
        if cancel.is_cancelled() {
            return Err(Error::Cancelled);
        }
        let path = folder.root.join(&below);
        let entries = fs::read_dir(&path).map_err(|error| Error::io("read", &path, &error))?;
        for entry in entries.filter_map(std::result::Result::ok) {
            let (name, entry_path) = (entry.file_name(), entry.path());
            let Some(name) = name.to_str().filter(|name| !name.starts_with('.')) else {
                continue;
            };
            let kind = entry.file_type().map_err(|error| Error::io("read", &entry_path, &error))?;
            match folder.inside.kind(&entry_path, kind) {
                Ok(Kind::File) if folder.paths.len() == MOST_FILES => folder.cut = true,
                Ok(Kind::File) => {
                    let parts = below.iter().filter_map(|part| part.to_str()).chain([name]);
                    folder.paths.push(parts.collect::<Vec<_>>().join("/"));
                }
                Ok(Kind::Folder) if depth < MAX_DEPTH && name != "__MACOSX" && name != "node_modules" => {
                    open.push((below.join(name), depth + 1));
                }
                _ => {}
            }
        }
    }
    folder.paths.sort();
    Ok(())
}

impl BenchmarkFiles<'_> {
    /// Writes the pack of the benchmark into the database. On an error, nothing is written.
    pub(super) fn import(
        self,
        store: &Store,
        shown: &Path,
        origin: Option<&Origin>,
        watch: Watch<'_>,
        problems: &mut Vec<Problem>,
    ) -> Result<PackInfo> {
        let refuse = |why: Sentence| {
            Error::BadFile(say!("{shown}: {why}; nothing was imported", shown = shown.display()))
        };
        let mut rows = Vec::new();
        for (path, from) in &self.files {
            let content = self.folder.read(from).map_err(|why| refuse(say!("{from} {why}")))?;
            let content = text_file::decode(content).map_err(|why| refuse(say!("{from} {why}")))?;
            rows.push(documents::row(path.clone(), content));
        }
        let files = PackFiles(rows);
        let items = self.benchmark.items(&files).map_err(|error| refuse(error.0))?;
        if items.is_empty() {
            return Err(refuse(say!("holds no item")));
        }
        let counts = BenchmarkCounts::count(self.benchmark, &items);
        counts.check(self.benchmark, &items).map_err(refuse)?;
        let manifest = self.manifest(&files, origin)?;
        self.remark(&manifest, &files, problems);
        if self.folder.cut {
            let why = say!(
                "only {MOST_FILES} files of the folder were looked at, and items may be missing; import the benchmark's own folder"
            );
            problems.push(Fault::Missing.warning(why));
        }
        if watch.cancel.is_cancelled() {
            return Err(Error::Cancelled);
        }
        write_rows(store, &manifest, &counts, &files, problems)
    }

    /// The manifest of the pack: the pack's own `pack.json`, or a new one from its files and
    /// origin.
    fn manifest(&self, files: &PackFiles, origin: Option<&Origin>) -> Result<PackManifest> {
        if let Some(path) = self.manifest_path()
            && let Some(stated) = kind_in(&self.folder, &path)?
        {
            let (stated, found) = (stated.name(), self.benchmark.name());
            if stated != found {
                return Err(Error::BadFile(say!(
                    "{path} says that the pack is of the benchmark `{stated}`, and its files are those of `{found}`; nothing was imported"
                )));
            }
            let root = self.folder.root.join(&path);
            let root = root.parent().and_then(Path::parent).unwrap_or(self.folder.root);
            return source::manifest(root, self.folder.inside, self.folder.root);
        }
        let hashes: String = files.0.iter().map(|row| format!("{} {}\n", row.path, row.sha256)).collect();
        let source = match origin {
            Some(origin) => origin.source.clone(),
            None => self.benchmark.source().to_owned(),
        };
        Ok(PackManifest {
            format: PACK_FORMAT,
            name: self.benchmark.name().to_owned(),
            version: sha256_hex(&hashes)[..12].to_owned(),
            title: self.benchmark.title().to_owned(),
            source,
            licence: self.benchmark.licence().to_owned(),
            sha256: files.0.iter().map(|row| (row.path.clone(), row.sha256.clone())).collect(),
            ..PackManifest::default()
        })
    }

    /// Path of `pack.json`, if the folder of tasks contains it.
    fn manifest_path(&self) -> Option<String> {
        let path = self.files.iter().map(|(_, from)| from).find_map(|from| {
            let (folder, _) = from.rsplit_once('/')?;
            folder.ends_with("tasks").then(|| format!("{folder}/pack.json"))
        })?;
        self.folder.paths.contains(&path).then_some(path)
    }

    fn remark(&self, manifest: &PackManifest, files: &PackFiles, problems: &mut Vec<Problem>) {
        if let Some(what) = self.benchmark.left_beside(&self.folder) {
            problems.push(Fault::Missing.warning(what));
        }
        if !files.0.iter().any(|row| row.path.to_ascii_uppercase().starts_with("LICEN")) {
            problems.push(
                Fault::Missing
                    .warning(say!("is not beside the data, but is needed to pass the pack on"))
                    .in_file("LICENSE"),
            );
        }
        for row in &files.0 {
            if manifest.sha256.get(&row.path).is_some_and(|stated| *stated != row.sha256) {
                let why = say!(
                    "is not the file whose hash the manifest states; it was changed after the pack was made"
                );
                problems.push(Fault::Changed.warning(why).in_file(&row.path));
            }
        }
    }
}

fn write_rows(
    store: &Store,
    manifest: &PackManifest,
    counts: &BenchmarkCounts,
    files: &PackFiles,
    problems: &[Problem],
) -> Result<PackInfo> {
    let header = write::json(&PackHeader { manifest, counts: Some(counts) });
    let name = &manifest.name;
    let mut connection = store.writer()?;
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    refuse_other_kind(&transaction, name, Some(&counts.kind))?;
    packs::set_aside(&transaction, name, &manifest.version)?;
    table::pack::delete(&transaction, name)?;
    let id = table::pack::insert(&transaction, name, &manifest.version, &header)?;
    for row in &files.0 {
        table::document::insert(&transaction, id, row)?;
    }
    let generation = write::next_generation(&transaction)?;
    let records = write::json(&RecordCounts::default());
    table::pack::finish(&transaction, id, &header, &records, generation, &write::json(&problems))?;
    transaction.commit()?;
    db::give_space_back(&connection);
    store.pack_info(name)
}

#[cfg(test)]
mod tests;
