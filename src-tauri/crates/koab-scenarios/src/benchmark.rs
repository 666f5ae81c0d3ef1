//! Folders that a scenario file may take its templates from, and the resolution of the paths that
//! it names.
//!
//! A scenario file can come from anybody, and the files that it names are copied to where an agent
//! reads them. A path that leads out of the benchmark, directly or through a link, is therefore
//! refused, and so are files that hold keys.

use koab_core::say;
use koab_core::sentence::Sentence;
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

/// Names of the original tools' key files, which are in the same folders as their scenarios.
const KEY_FILES: [&str; 6] = ["ENV", "ENV.json", "ENV.yaml", "ENV.yml", ".env", "OAI_CONFIG_LIST"];

/// Folders that may contain templates of a scenario file.
#[derive(Clone, Debug)]
pub(crate) struct Benchmark {
    /// Canonical path of the scenario file's folder; relative paths start there.
    folder: PathBuf,
    /// Canonical path of the benchmark's folder.
    root: PathBuf,
    /// Canonical paths of further folders that the user allows.
    allowed: Vec<PathBuf>,
}

impl Benchmark {
    /// Creates the benchmark around a scenario file's folder. `folder` and `allowed` are canonical
    /// paths.
    pub(crate) fn around(folder: &Path, allowed: &[PathBuf]) -> Self {
        Self { folder: folder.to_owned(), root: root_of(folder), allowed: allowed.to_vec() }
    }

    /// Canonical path of a template.
    ///
    /// # Errors
    /// The reason why the path may not be used, worded as the rest of a sentence.
    pub(crate) fn resolve(&self, written: &str) -> Result<PathBuf, Sentence> {
        if written.is_empty() {
            return Err(say!("a template path is empty"));
        }
        let path = fs::canonicalize(self.folder.join(written))
            .map_err(|error| say!("the template {written:?} {}", unreadable(&error)))?;
        self.admit(&path).map_err(|why| say!("the template {written:?} {why}"))?;
        Ok(path)
    }

    /// Checks that a file may be copied from this canonical path.
    pub(crate) fn admit(&self, path: &Path) -> Result<(), Sentence> {
        let roots = self.allowed.iter().chain([&self.root]);
        let Some(root) = roots.into_iter().find(|root| path.starts_with(root)) else {
            return Err(say!(
                "leads out of the benchmark's folder {}; allow its folder to use it",
                self.root.display()
            ));
        };
        let name = path.file_name().and_then(|name| name.to_str());
        let holds_keys = path.parent() == Some(root) && name.is_some_and(|name| KEY_FILES.contains(&name));
        if holds_keys {
            return Err(say!("would hand {} with its keys to the scenario", path.display()));
        }
        Ok(())
    }
}

/// Root of the benchmark: the parent of `Tasks`, or, in older benchmarks, the folder that contains
/// `Templates`.
fn root_of(folder: &Path) -> PathBuf {
    let Some(parent) = folder.parent() else {
        return folder.to_owned();
    };
    let name = folder.file_name().and_then(|name| name.to_str());
    let in_tasks = name.is_some_and(|name| name.eq_ignore_ascii_case("tasks"));
    let has_templates = |folder: &Path| folder.join("Templates").is_dir();
    if in_tasks || (!has_templates(folder) && has_templates(parent)) {
        parent.to_owned()
    } else {
        folder.to_owned()
    }
}

/// Reason why a template cannot be read, worded as the rest of a sentence.
pub(crate) fn unreadable(error: &io::Error) -> Sentence {
    match error.kind() {
        io::ErrorKind::NotFound => say!("does not exist"),
        _ => say!("cannot be read: {error}"),
    }
}

/// Parses a path below a trial's folder. The result has no `.` components and is empty for the
/// folder itself.
///
/// # Errors
/// The reason why the path may not be used, worded as the rest of a sentence that begins with the
/// path.
pub(crate) fn inside(written: &str) -> Result<PathBuf, Sentence> {
    if written.contains('\\') {
        return Err(say!("holds a backslash; separate folders by /"));
    }
    if written.contains(char::is_control) {
        return Err(say!("holds a control character"));
    }
    let mut path = PathBuf::new();
    for part in Path::new(written).components() {
        match part {
            Component::CurDir => {}
            Component::Normal(part) => path.push(part),
            _ => return Err(say!("leads out of the trial's folder")),
        }
    }
    Ok(path)
}

/// Checks that `name` is a valid folder name on every system.
///
/// # Errors
/// The reason why the name is not valid, worded as the rest of a sentence.
pub(crate) fn folder_name(name: &str) -> Result<(), Sentence> {
    if name.is_empty() {
        return Err(say!("is empty"));
    }
    if name.len() > 255 {
        return Err(say!("is longer than the 255 bytes a folder's name can have"));
    }
    if let Some(bad) = name.chars().find(|c| matches!(c, '/' | '\\') || c.is_control()) {
        return Err(say!("holds {bad:?}, which a folder's name cannot"));
    }
    if name.starts_with('.') {
        return Err(say!("begins with a full stop; such folders are the product's own"));
    }
    if name.trim() != name {
        return Err(say!("begins or ends with a space"));
    }
    if cfg!(windows) && (name.ends_with('.') || name.contains(['<', '>', ':', '"', '|', '?', '*'])) {
        return Err(say!("is not a folder's name on Windows"));
    }
    Ok(())
}
