//! Brings a benchmark into a folder: from those shipped with the program, a folder, or an index on
//! the web.
//!
//! All or nothing: files are gathered in a folder beside the target, verified, and put in its place
//! at the end. Nothing that is brought is run.

use super::prepare::bad_file;
use crate::Scenarios;
use include_dir::Dir;
use koab_core::cache_key::sha256_hex;
use koab_core::say;
use koab_core::sentence::Sentence;
use koab_core::sentence::ToSentence;
use koab_engine::egress::Purpose;
use koab_engine::ports::Cancel;
use koab_providers::download::{DownloadError, fetch};
use koab_sandbox::manifest::{self, BenchmarkEntry, MANIFEST, ManifestFile, is_address};
use koab_workspace::WireError;
use serde::Serialize;
use std::path::{Path, PathBuf};

/// More bytes than this a file of a benchmark may not have.
const MOST_BYTES: u64 = 1 << 30;
/// What is being gathered lies in a folder with this at the beginning of its name.
const STAGING: &str = ".cloning-";
/// Where a benchmark goes that makes room for another one.
const TRASH: &str = ".trash";

/// What to clone, and where to.
#[derive(Clone, Debug, Default)]
pub struct CloneRequest {
    /// Name of a benchmark in the index, or the address of one.
    pub name: String,
    /// Address or folder of the index; by default the benchmarks shipped with the program.
    pub index: Option<String>,
    /// The target; by default a folder of the benchmark's name in the working folder.
    pub target: Option<PathBuf>,
    /// Replaces a target that is there, which goes to the trash beside it.
    pub force: bool,
    /// Hosts beside the index's own that a manifest may name.
    pub hosts: Vec<String>,
}

/// A benchmark that was cloned.
#[derive(Clone, Debug, Serialize)]
pub struct Cloned {
    /// Its folder.
    pub folder: String,
    /// Its files, in the manifest's order.
    pub files: Vec<String>,
    /// Those that came without a hash to verify them by.
    pub unverified: Vec<String>,
    /// Where the folder is now that was in the way.
    pub replaced: Option<String>,
    /// The script that prepares it, which was not run.
    pub init_script: Option<String>,
    /// What to read first.
    pub readme: Option<String>,
}

/// Where manifests and files come from.
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
    /// When there is none, or it cannot be read.
    pub async fn benchmarks(&self, index: Option<&str>) -> Result<Vec<String>, WireError> {
        let listed = CloneSource::index(index).library(&[]).await?;
        Ok(listed.into_iter().map(|one| one.name).collect())
    }

    /// Clones a benchmark. `progress` hears how many files there are, how many came, and the next
    /// one.
    ///
    /// # Errors
    /// What is wrong with the request, the manifests or the files; the target is as it was then.
    pub async fn clone_benchmark(
        &self,
        request: &CloneRequest,
        cancel: &Cancel,
        progress: &(dyn Fn(usize, usize, &str) + Sync),
    ) -> Result<Cloned, WireError> {
        let (name, source) = tokio::select! {
            biased;
            () = cancel.cancelled() => return Err(stopped()),
            found = find(request) => found?,
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
            cloned = gather(&source, &request.hosts, &gathered, progress) => cloned?,
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

/// The benchmark's name and source.
async fn find(request: &CloneRequest) -> Result<(String, CloneSource), WireError> {
    if is_address(&request.name) {
        let address = format!("{}/", request.name.trim_end_matches('/'));
        let name = address.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
        return Ok((name.to_owned(), CloneSource::Web(address.clone())));
    }
    let index = CloneSource::index(request.index.as_deref());
    let listed = index.library(&request.hosts).await?;
    let found = listed.iter().find(|one| one.name == request.name);
    let found = found.ok_or_else(|| {
        let names: Vec<&str> = listed.iter().map(|one| one.name.as_str()).collect();
        WireError::not_found(say!(
            "there is no benchmark {:?} in {}; there are: {}",
            request.name,
            index.shown(),
            names.join(", ")
        ))
    })?;
    let folder = format!("{}/", found.place.trim_end_matches('/'));
    Ok((found.name.clone(), index.at(&folder)))
}

async fn gather(
    source: &CloneSource,
    hosts: &[String],
    folder: &Path,
    progress: &(dyn Fn(usize, usize, &str) + Sync),
) -> Result<Cloned, WireError> {
    let files = source.benchmark(hosts).await?;
    let mut cloned = Cloned {
        folder: String::new(),
        files: Vec::new(),
        unverified: Vec::new(),
        replaced: None,
        init_script: None,
        readme: None,
    };
    for (done, file) in files.iter().enumerate() {
        let shown = file.path.display().to_string();
        progress(done, files.len(), &shown);
        let bytes = source.at(&file.source).read(hosts, source).await?;
        match &file.sha256 {
            Some(wanted) => verify(&shown, &bytes, wanted)?,
            None => cloned.unverified.push(shown.clone()),
        }
        let target = folder.join(&file.path);
        if let Some(parent) = target.parent() {
            std::fs::create_dir_all(parent).map_err(WireError::storage)?;
        }
        std::fs::write(&target, bytes).map_err(WireError::storage)?;
        cloned.files.push(shown);
    }
    progress(files.len(), files.len(), "");
    Ok(cloned)
}

fn verify(file: &str, bytes: &[u8], wanted: &str) -> Result<(), WireError> {
    let found = sha256_hex(bytes);
    if found == wanted {
        return Ok(());
    }
    Err(WireError::bad_file(say!(
        "{file} is not what the manifest says: its SHA-256 is {found}, not {wanted}; nothing was cloned"
    )))
}

fn is_taken(target: &Path) -> bool {
    let empty = std::fs::read_dir(target).is_ok_and(|mut entries| entries.next().is_none());
    target.symlink_metadata().is_ok() && !empty
}

/// Puts the gathered folder in the place of the target, and says where the old one is now.
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
            // As it was before; when even that fails, the error names the disk.
            let _ = std::fs::rename(old, target);
        }
        return Err(WireError::storage(error));
    }
    Ok(replaced.map(|old| old.display().to_string()))
}

impl CloneSource {
    fn index(given: Option<&str>) -> Self {
        match given {
            None => Self::Shipped(String::new()),
            Some(address) if is_address(address) => Self::Web(format!("{}/", address.trim_end_matches('/'))),
            Some(folder) => Self::Folder(PathBuf::from(folder)),
        }
    }

    /// What lies at a checked relative path from here, or at an address.
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

    fn shown(&self) -> Sentence {
        match self {
            Self::Shipped(_) => say!("the benchmarks shipped with the program"),
            Self::Folder(folder) => folder.display().to_string().into(),
            Self::Web(address) => address.into(),
        }
    }

    async fn library(&self, hosts: &[String]) -> Result<Vec<BenchmarkEntry>, WireError> {
        let bytes = self.at(MANIFEST).read(hosts, self).await?;
        manifest::library(&bytes).map_err(|why| bad_file(say!("{MANIFEST} of {} {why}", self.shown())))
    }

    async fn benchmark(&self, hosts: &[String]) -> Result<Vec<ManifestFile>, WireError> {
        let bytes = self.at(MANIFEST).read(hosts, self).await?;
        manifest::benchmark(&bytes).map_err(|why| bad_file(say!("{MANIFEST} of {} {why}", self.shown())))
    }

    /// The bytes here. `from` is the source whose manifest led here: only its own host is asked, or
    /// one of `hosts`.
    async fn read(&self, hosts: &[String], from: &Self) -> Result<Vec<u8>, WireError> {
        match self {
            Self::Shipped(path) => shipped()
                .and_then(|all| all.get_file(all.path().join(path)))
                .map(|file| file.contents().to_vec())
                .ok_or_else(|| WireError::not_found(say!("the program brings no {path}"))),
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
                let named = matches!(from, Self::Web(own) if host(own) == host(address));
                let host = host(address);
                if !named && !hosts.iter().any(|allowed| allowed.eq_ignore_ascii_case(&host)) {
                    return Err(bad_file(say!(
                        "the manifest of {} names a file on another host, {host}: allow it with --host {host}",
                        from.shown()
                    )));
                }
                fetch(address, MOST_BYTES, Purpose::Benchmark).await.map_err(|error| match error {
                    DownloadError::Offline(offline) => offline.into(),
                    error => WireError::not_found(error.to_sentence()),
                })
            }
        }
    }
}

/// The benchmarks in the program.
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
