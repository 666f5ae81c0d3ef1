//! The folder a scenario file may take its templates from, and how a path in the file becomes one
//! in it.
//!
//! A scenario file can come from anybody. What it names is copied to where an agent reads it, so a
//! path that leads out of the benchmark, written as such or through a link, is refused, and so are
//! the files where keys are kept.

use koab_core::say;
use koab_core::sentence::Sentence;
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

/// Names under which the original tools keep keys beside their scenarios.
const KEY_FILES: [&str; 6] = ["ENV", "ENV.json", "ENV.yaml", "ENV.yml", ".env", "OAI_CONFIG_LIST"];

/// Where templates of a scenario file may lie.
#[derive(Clone, Debug)]
pub(crate) struct Benchmark {
    /// The real folder of the scenario file, which relative paths start from.
    folder: PathBuf,
    /// The real folder of the whole benchmark.
    root: PathBuf,
    /// Further real folders that the user allows.
    allowed: Vec<PathBuf>,
}

impl Benchmark {
    /// `folder` and `allowed` are real paths.
    pub(crate) fn around(folder: &Path, allowed: &[PathBuf]) -> Self {
        Self { folder: folder.to_owned(), root: root_of(folder), allowed: allowed.to_vec() }
    }

    /// The real path of a template.
    ///
    /// # Errors
    /// Why it may not be used, as the rest of a sentence.
    pub(crate) fn resolve(&self, written: &str) -> Result<PathBuf, Sentence> {
        if written.is_empty() {
            return Err(say!("a template path is empty"));
        }
        let path = fs::canonicalize(self.folder.join(written))
            .map_err(|error| say!("the template {written:?} {}", unreadable(&error)))?;
        self.admit(&path).map_err(|why| say!("the template {written:?} {why}"))?;
        Ok(path)
    }

    /// Whether a real path may be copied from.
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

/// A benchmark keeps its scenario files in `Tasks` beside `Templates`; older ones lie beside their
/// `Templates`.
fn root_of(folder: &Path) -> PathBuf {
    let Some(parent) = folder.parent() else {
        return folder.to_owned();
    };
    let name = folder.file_name().and_then(|name| name.to_str());
    let in_tasks = name.is_some_and(|name| name.eq_ignore_ascii_case("tasks"));
    let beside = |folder: &Path| folder.join("Templates").is_dir();
    if in_tasks || (!beside(folder) && beside(parent)) { parent.to_owned() } else { folder.to_owned() }
}

/// The rest of a sentence about a template.
pub(crate) fn unreadable(error: &io::Error) -> Sentence {
    match error.kind() {
        io::ErrorKind::NotFound => say!("does not exist"),
        _ => say!("cannot be read: {error}"),
    }
}

/// A path below a trial's folder, without `.` in it; empty for the folder itself.
///
/// # Errors
/// Why it may not be used, as the rest of a sentence that begins with the path.
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

/// Whether `name` can be the name of a folder everywhere.
///
/// # Errors
/// Why it cannot, as the rest of a sentence.
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
