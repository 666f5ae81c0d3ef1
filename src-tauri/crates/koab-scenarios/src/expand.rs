//! Creates one trial's folder.
//!
//! The order is that of the original tool: starter files, template copies, the user's
//! `requirements.txt`, substitutions, the user's `config.yaml`, `run.sh`. Everything is written to
//! a staging folder and then renamed, so a trial's folder is never partial, and the folder of a
//! task never exists without a trial (the original tool would fail on such a folder).

pub(crate) mod plan;

use crate::config_file::CONFIG_YAML;
use crate::error::{Error, Result};
use crate::layout::{Layout, TrialId};
use crate::run_script::{RUN_SH, RunScript};
use crate::scenario_file::{FileEdits, Instance};
use crate::substitute::substitute;
use koab_core::say;
use koab_core::sentence::Sentence;
pub use plan::Extras;

use plan::{Content, Node, Plan};
use sha2::{Digest as _, Sha256};
use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::Path;

/// Result of creating a trial's folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expanded {
    /// Probable mistakes that do not stop the trial, such as find strings that do not occur.
    pub warnings: Vec<Sentence>,
    /// SHA-256 of names and contents of all files except `run.sh`: equal for trials with the same
    /// input.
    pub template_sha256: String,
}

/// Creates the folder of `trial` below `layout`.
///
/// # Errors
/// When a template can no longer be read, a file with substitutions is not UTF-8 text, the disk
/// refuses, or the trial's folder already exists. Nothing is left behind then.
pub fn expand(
    layout: &Layout,
    trial: &TrialId,
    instance: &Instance,
    extras: &Extras,
    script: &RunScript,
) -> Result<Expanded> {
    let plan = plan_files(instance, extras)?;
    let staging = layout.staging()?;
    layout.keep_out_of(instance)?;
    // The staging folder is private; the inner folder, which is renamed, has the usual permissions.
    let folder = staging.path().join("trial");
    fs::create_dir(&folder).map_err(Error::io(say!("create"), &folder))?;
    for (name, node) in &plan {
        write(&folder.join(name), node)?;
    }
    let mut warnings = Vec::new();
    for edits in &instance.substitutions {
        warnings.append(&mut edit(&folder, edits)?);
    }
    if let Some(config) = &extras.config {
        put(&folder.join(CONFIG_YAML), config)?;
    }
    let template_sha256 = hash(&folder, &plan, extras)?;
    put(&folder.join(RUN_SH), script.text(&folder).as_bytes())?;
    layout.place(&folder, trial)?;
    Ok(Expanded { warnings, template_sha256 })
}

/// Warnings of [`expand`] for a dry run, which writes nothing.
///
/// # Errors
/// Same as [`expand`], as far as the errors can be known in advance.
pub fn warnings(instance: &Instance, extras: &Extras) -> Result<Vec<Sentence>> {
    let plan = plan_files(instance, extras)?;
    let mut warnings = Vec::new();
    for edits in &instance.substitutions {
        let path = Path::new(&edits.file);
        let bytes = match plan.get(path) {
            Some(Node::File(Content::Bytes(bytes))) => bytes.clone(),
            Some(Node::File(Content::Copy { source, .. })) => {
                fs::read(source).map_err(Error::io(say!("read"), source))?
            }
            Some(Node::Folder) | None => continue,
        };
        let text = text(path, bytes)?;
        warnings.append(&mut unused(edits, &substitute(&text, &edits.pairs).unused));
    }
    Ok(warnings)
}

fn plan_files(instance: &Instance, extras: &Extras) -> Result<Plan> {
    plan::build(instance, extras)
        .map_err(|whys| Error::Bad { path: instance.id.clone().into(), why: Sentence::joined(whys, "; ") })
}

fn write(path: &Path, node: &Node) -> Result<()> {
    match node {
        Node::Folder => fs::create_dir_all(path).map_err(Error::io(say!("create"), path)),
        Node::File(Content::Bytes(bytes)) => put(path, bytes),
        Node::File(Content::Copy { source, as_it_was }) => {
            parent(path)?;
            if *as_it_was {
                fs::copy(source, path).map_err(Error::io(say!("copy"), source))?;
                make_writable(path);
                keep_time(source, path);
                return Ok(());
            }
            let mut from = File::open(source).map_err(Error::io(say!("read"), source))?;
            let mut to = File::create(path).map_err(Error::io(say!("write"), path))?;
            io::copy(&mut from, &mut to).map_err(Error::io(say!("copy"), source))?;
            Ok(())
        }
    }
}

/// Makes the copy of a read-only template writable, so that the copy can be edited.
#[cfg(unix)]
fn make_writable(path: &Path) {
    use std::os::unix::fs::PermissionsExt as _;
    if let Ok(meta) = fs::metadata(path) {
        let _ = fs::set_permissions(path, fs::Permissions::from_mode(meta.permissions().mode() | 0o200));
    }
}

#[cfg(not(unix))]
fn make_writable(path: &Path) {
    if let Ok(meta) = fs::metadata(path) {
        let mut permissions = meta.permissions();
        permissions.set_readonly(false);
        let _ = fs::set_permissions(path, permissions);
    }
}

/// Copies the modification time; failures are ignored.
fn keep_time(source: &Path, path: &Path) {
    let modified = fs::metadata(source).and_then(|meta| meta.modified());
    if let (Ok(modified), Ok(file)) = (modified, File::options().write(true).open(path)) {
        let _ = file.set_modified(modified);
    }
}

fn put(path: &Path, bytes: &[u8]) -> Result<()> {
    parent(path)?;
    fs::write(path, bytes).map_err(Error::io(say!("write"), path))
}

fn parent(path: &Path) -> Result<()> {
    let parent = path.parent().unwrap_or(path);
    fs::create_dir_all(parent).map_err(Error::io(say!("create"), parent))
}

fn edit(folder: &Path, edits: &FileEdits) -> Result<Vec<Sentence>> {
    let path = folder.join(&edits.file);
    let bytes = fs::read(&path).map_err(Error::io(say!("read"), &path))?;
    let edited = substitute(&text(&edits.file, bytes)?, &edits.pairs);
    fs::write(&path, edited.text).map_err(Error::io(say!("write"), &path))?;
    Ok(unused(edits, &edited.unused))
}

fn text(name: &Path, bytes: Vec<u8>) -> Result<String> {
    String::from_utf8(bytes).map_err(|_| Error::bad(name, say!("has substitutions but is not UTF-8 text")))
}

fn unused(edits: &FileEdits, unused: &[usize]) -> Vec<Sentence> {
    let finds = unused.iter().filter_map(|at| edits.pairs.get(*at));
    finds.map(|(find, _)| say!("{} does not contain {find:?}", edits.file.display())).collect()
}

/// Hash over the name, length and content of each file, in the order of names.
fn hash(folder: &Path, plan: &Plan, extras: &Extras) -> Result<String> {
    let config = extras.config.as_ref().map(|_| Path::new(CONFIG_YAML));
    let mut files: Vec<&Path> = plan
        .iter()
        .filter(|(_, node)| matches!(node, Node::File(_)))
        .map(|(name, _)| name.as_path())
        .chain(config)
        .collect();
    files.sort_unstable();
    files.dedup();
    let mut hash = Sha256::new();
    let mut buffer = vec![0; 64 * 1024];
    for name in files {
        let path = folder.join(name);
        let mut file = File::open(&path).map_err(Error::io(say!("read"), &path))?;
        let length = file.metadata().map_err(Error::io(say!("read"), &path))?.len();
        let name = name.to_string_lossy().replace('\\', "/");
        hash.update((name.len() as u64).to_le_bytes());
        hash.update(name.as_bytes());
        hash.update(length.to_le_bytes());
        loop {
            let read = file.read(&mut buffer).map_err(Error::io(say!("read"), &path))?;
            if read == 0 {
                break;
            }
            hash.update(&buffer[..read]);
        }
    }
    Ok(hex::encode(hash.finalize()))
}
