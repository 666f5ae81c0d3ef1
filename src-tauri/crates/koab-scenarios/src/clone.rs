//! Clones a benchmark into a folder: one shipped with the program, one in a local folder, or one
//! from an index on the web.
//!
//! A clone is all or nothing: the files are downloaded into a staging folder next to the target,
//! verified, and moved to the target at the end. No cloned script is run.

use super::prepare::bad_file;
use crate::Scenarios;
use crate::manifest::{self, BenchmarkEntry, MANIFEST, ManifestFile, is_address};
use include_dir::Dir;
use koab_core::cache_key::sha256_hex;
use koab_core::say;
use koab_core::sentence::Sentence;
use koab_core::sentence::ToSentence;
use koab_engine::egress::Purpose;
use koab_engine::ports::Cancel;
use koab_providers::Network;
use koab_providers::download::{DownloadError, fetch};
use koab_workspace::WireError;
use serde::Serialize;
use std::path::{Path, PathBuf};

/// Largest file of a benchmark, in bytes.
const MAX_FILE_BYTES: u64 = 1 << 30;
/// Prefix of the name of the staging folder.
const STAGING: &str = ".cloning-";
/// Folder that receives a benchmark which a forced clone replaces.
const TRASH: &str = ".trash";

/// Benchmark to clone, and its target folder.
#[derive(Clone, Debug, Default)]
pub struct CloneRequest {
    /// Name of a benchmark in the index, or its URL.
    pub name: String,
    /// URL or folder of the index; by default the benchmarks shipped with the program.
    pub index: Option<String>,
    /// The target; by default a folder of the benchmark's name in the working folder.
    pub target: Option<PathBuf>,
    /// Whether an existing target is replaced; it is moved to the trash next to it.
    pub force: bool,
    /// Further hosts that a manifest may name; the index's own host is always allowed.
    pub hosts: Vec<String>,
}

/// A benchmark that was cloned.
#[derive(Clone, Debug, Serialize)]
pub struct Cloned {
    /// Path of the benchmark's folder.
    pub folder: String,
    /// Paths of the files, in the manifest's order.
    pub files: Vec<String>,
    /// Files whose manifest entry has no hash, so that they could not be verified.
    pub unverified: Vec<String>,
    /// New path of the folder that was at the target's path before and that the clone moved.
    pub replaced: Option<String>,
    /// Script that prepares the benchmark. It was not run.
    pub init_script: Option<String>,
    /// Path of the readme.
    pub readme: Option<String>,
}

/// Source of manifests and files.
#[derive(Clone, Debug)]
enum CloneSource {
    Shipped(String),
    Folder(PathBuf),
    Web(String),
}

impl Scenarios {
    /// Names of the benchmarks in an index.
    ///
    /// # Errors
    /// When the index does not exist or cannot be read.
    pub async fn benchmarks(&self, index: Option<&str>) -> Result<Vec<String>, WireError> {
        let entries = CloneSource::index(index).library(&self.workspace.network()?, &[]).await?;
        Ok(entries.into_iter().map(|entry| entry.name).collect())
    }

    /// Clones a benchmark. `progress` receives the number of files done, the number of all files,
    /// and the path of the next file.
    ///
    /// # Errors
    /// When the request, the manifests or the files are wrong. The target is then unchanged.
    pub async fn clone_benchmark(
        &self,
        request: &CloneRequest,
        cancel: &Cancel,
        progress: &(dyn Fn(usize, usize, &str) + Sync),
    ) -> Result<Cloned, WireError> {
        let network = self.workspace.network()?;
        let (name, source) = tokio::select! {
            biased;
            () = cancel.cancelled() => return Err(stopped()),
            source = find(&network, request) => source?,
        };
        let target = match &request.target {
            Some(target) => target.clone(),
            None => PathBuf::from(&name),
        };
        let target = std::path::absolute(&target).map_err(WireError::storage)?;
        if !request.force && is_taken(&target) {
            return Err(WireError::bad_file(say!(
                "{} is there already: name another folder with --to, or replace it with --force, which puts it \
                     into the trash",
                target.display()
            )));
        }
        let parent = target
            .parent()
            .filter(|_| target.file_name().is_some())
            .ok_or_else(|| WireError::bad_request(say!("the target has to be a folder with a name")))?;
        std::fs::create_dir_all(parent).map_err(WireError::storage)?;
        let staging =
            tempfile::Builder::new().prefix(STAGING).tempdir_in(parent).map_err(WireError::storage)?;
        let gathered = staging.path().join("benchmark");
        std::fs::create_dir(&gathered).map_err(WireError::storage)?;
        let mut cloned = tokio::select! {
            biased;
            () = cancel.cancelled() => return Err(stopped()),
            cloned = gather(&network, &source, &request.hosts, &gathered, progress) => cloned?,
        };
        cloned.replaced = put(&gathered, &target)?;
        let there = |name: &&&str| target.join(name).is_file();
        cloned.folder = target.display().to_string();
        cloned.init_script = ["Scripts/init_tasks.py", "Scripts/download.py"]
            .iter()
            .find(there)
            .map(|name| (*name).to_owned());
        cloned.readme = ["README.md", "README.txt", "README"]
            .iter()
            .find(there)
            .map(|name| target.join(name).display().to_string());
        Ok(cloned)
    }
}

fn stopped() -> WireError {
    WireError::cancelled(say!("stopped; nothing was cloned"))
}

/// Name and source of the requested benchmark.
async fn find(network: &Network, request: &CloneRequest) -> Result<(String, CloneSource), WireError> {
    if is_address(&request.name) {
        let address = format!("{}/", request.name.trim_end_matches('/'));
        let name = address.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
        return Ok((name.to_owned(), CloneSource::Web(address.clone())));
    }
    let index = CloneSource::index(request.index.as_deref());
    let entries = index.library(network, &request.hosts).await?;
    let entry = entries.iter().find(|entry| entry.name == request.name).ok_or_else(|| {
        let names: Vec<&str> = entries.iter().map(|entry| entry.name.as_str()).collect();
        WireError::not_found(say!(
            "there is no benchmark {:?} in {}; there are: {}",
            request.name,
            index.description(),
            names.join(", ")
        ))
    })?;
    let folder = format!("{}/", entry.place.trim_end_matches('/'));
    Ok((entry.name.clone(), index.at(&folder)))
}

async fn gather(
    network: &Network,
    source: &CloneSource,
    hosts: &[String],
    folder: &Path,
    progress: &(dyn Fn(usize, usize, &str) + Sync),
) -> Result<Cloned, WireError> {
    let files = source.benchmark(network, hosts).await?;
    let mut cloned = Cloned {
        folder: String::new(),
        files: Vec::new(),
        unverified: Vec::new(),
        replaced: None,
        init_script: None,
        readme: None,
    };
    for (done, file) in files.iter().enumerate() {
        let path = file.path.display().to_string();
        progress(done, files.len(), &path);
        let bytes = source.at(&file.source).read(network, hosts, source).await?;
        match &file.sha256 {
            Some(hash) => verify(&path, &bytes, hash)?,
            None => cloned.unverified.push(path.clone()),
        }
        let target = folder.join(&file.path);
        if let Some(parent) = target.parent() {
            std::fs::create_dir_all(parent).map_err(WireError::storage)?;
        }
        std::fs::write(&target, bytes).map_err(WireError::storage)?;
        cloned.files.push(path);
    }
    progress(files.len(), files.len(), "");
    Ok(cloned)
}

fn verify(file: &str, bytes: &[u8], wanted: &str) -> Result<(), WireError> {
    let hash = sha256_hex(bytes);
    if hash == wanted {
        return Ok(());
    }
    Err(WireError::bad_file(say!(
        "{file} is not what the manifest says: its SHA-256 is {found}, not {wanted}; nothing was cloned",
        found = hash
    )))
}

fn is_taken(target: &Path) -> bool {
    let empty = std::fs::read_dir(target).is_ok_and(|mut entries| entries.next().is_none());
    target.symlink_metadata().is_ok() && !empty
}

/// Moves the staged folder to the target. If a folder was replaced, returns the new path of that
/// folder.
fn put(gathered: &Path, target: &Path) -> Result<Option<String>, WireError> {
    let parent = target.parent().unwrap_or(target);
    let mut replaced = None;
    if is_taken(target) {
        let trash = parent.join(TRASH);
        std::fs::create_dir_all(&trash).map_err(WireError::storage)?;
        let name = target.file_name().unwrap_or_default().to_string_lossy();
        let mut old = trash.join(&*name);
        let mut copy = 1;
        while old.symlink_metadata().is_ok() {
            copy += 1;
            old = trash.join(format!("{name}-{copy}"));
        }
        std::fs::rename(target, &old).map_err(WireError::storage)?;
        replaced = Some(old);
    } else if target.is_dir() {
        std::fs::remove_dir(target).map_err(WireError::storage)?;
    }
    if let Err(error) = std::fs::rename(gathered, target) {
        if let Some(old) = &replaced {
            // Restores the old folder. When that fails too, the error below names the disk.
            let _ = std::fs::rename(old, target);
        }
        return Err(WireError::storage(error));
    }
    Ok(replaced.map(|old| old.display().to_string()))
}

impl CloneSource {
    fn index(index: Option<&str>) -> Self {
        match index {
            None => Self::Shipped(String::new()),
            Some(address) if is_address(address) => Self::Web(format!("{}/", address.trim_end_matches('/'))),
            Some(folder) => Self::Folder(PathBuf::from(folder)),
        }
    }

    /// Source at a URL, or at a path relative to `self`.
    fn at(&self, source: &str) -> Self {
        if is_address(source) {
            return Self::Web(source.to_owned());
        }
        let source = source.trim_start_matches("./");
        match self {
            Self::Shipped(here) => Self::Shipped(format!("{here}{source}")),
            Self::Folder(here) => Self::Folder(here.join(source)),
            Self::Web(here) => Self::Web(format!("{here}{source}")),
        }
    }

    fn description(&self) -> Sentence {
        match self {
            Self::Shipped(_) => say!("the benchmarks shipped with the program"),
            Self::Folder(folder) => folder.display().to_string().into(),
            Self::Web(address) => address.into(),
        }
    }

    async fn library(&self, network: &Network, hosts: &[String]) -> Result<Vec<BenchmarkEntry>, WireError> {
        let bytes = self.at(MANIFEST).read(network, hosts, self).await?;
        manifest::library(&bytes).map_err(|why| bad_file(say!("{MANIFEST} of {} {why}", self.description())))
    }

    async fn benchmark(&self, network: &Network, hosts: &[String]) -> Result<Vec<ManifestFile>, WireError> {
        let bytes = self.at(MANIFEST).read(network, hosts, self).await?;
        manifest::benchmark(&bytes)
            .map_err(|why| bad_file(say!("{MANIFEST} of {} {why}", self.description())))
    }

    /// Bytes of the file at this source. `from` is the source whose manifest names the file: a web
    /// file is fetched only from the host of `from` or from one of `hosts`.
    async fn read(&self, network: &Network, hosts: &[String], from: &Self) -> Result<Vec<u8>, WireError> {
        match self {
            Self::Shipped(path) => shipped()
                .and_then(|all| all.get_file(all.path().join(path)))
                .map(|file| file.contents().to_vec())
                .ok_or_else(|| WireError::not_found(say!("the program does not contain {path}"))),
            Self::Folder(path) => {
                let unreadable = |error| bad_file(say!("{} cannot be read: {error}", path.display()));
                let real = path.canonicalize().map_err(unreadable)?;
                if let Self::Folder(root) = from {
                    let root = root.canonicalize().map_err(unreadable)?;
                    if !real.starts_with(&root) {
                        return Err(bad_file(say!(
                            "{} is a link that leads out of {}",
                            path.display(),
                            root.display()
                        )));
                    }
                }
                std::fs::read(&real).map_err(unreadable)
            }
            Self::Web(address) => {
                let is_same_host = matches!(from, Self::Web(own) if host(own) == host(address));
                let host = host(address);
                if !is_same_host && !hosts.iter().any(|allowed| allowed.eq_ignore_ascii_case(&host)) {
                    return Err(bad_file(say!(
                        "the manifest of {} names a file on another host, {host}: allow it with --host {host}",
                        from.description()
                    )));
                }
                fetch(network, address, MAX_FILE_BYTES, Purpose::Benchmark).await.map_err(|error| match error
                {
                    DownloadError::Offline(offline) => offline.into(),
                    error => WireError::not_found(error.to_sentence()),
                })
            }
        }
    }
}

/// Benchmarks shipped with the program.
fn shipped() -> Option<&'static Dir<'static>> {
    koab_workspace::starter::TASKS.get_dir("scenarios")
}

/// Host and port of an address, in lower case.
fn host(address: &str) -> String {
    let (_, rest) = address.split_once("://").unwrap_or(("", address));
    let end = rest.find(['/', '?', '#', '\\']).unwrap_or(rest.len());
    let host = &rest[..end];
    host.rsplit('@').next().unwrap_or(host).to_ascii_lowercase()
}
