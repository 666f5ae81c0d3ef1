//! Scenario files: JSON Lines, one instance per line.
//!
//! - `id`: name of the instance and of its folder.
//! - `template`: a file (copied as `scenario.py`), a folder (its content is copied), or a list of
//!   `path` and `[path, target]`.
//! - `substitutions`: `{"file": {"find": "replace"}}`, or `{"find": "replace"}` for `scenario.py`.
//!   Older files call it `values`.
//! - `network`: `"none"` or `"bridge"`. Optional, an addition of this product.
//! - `timeout_s`: time limit of the trial in seconds. Optional, an addition of this product.
//! - `secrets`: names of the secrets that it needs. Optional, an addition of this product.
//!
//! Other keys are ignored, and so are blank lines and a byte order mark. Everything that can be
//! known before a trial runs is checked here, for all lines of all files, so that a mistake in the
//! last line does not cost an hour of running the others.

mod instance;
mod line;

pub use instance::{FileEdits, Instance, Network, TemplateCopy};

use crate::benchmark::{Benchmark, folder_name};
use crate::error::Problems;
use crate::expand::plan;
use crate::natural_order::natural;
use crate::substitute::unix_newlines;
use koab_core::finding::{Fault, Problem};
use koab_core::sentence::Sentence;
use koab_core::{say, text_file};
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

/// A scenario file that was read without problems.
#[derive(Clone, Debug)]
pub struct ScenarioFile {
    /// Path of the file as the user named it; `-` for standard input.
    pub path: PathBuf,
    /// Name of the scenario and of its folder in the results: the file's name without its last
    /// suffix.
    pub name: String,
    /// Instances in the file's order.
    pub instances: Vec<Instance>,
}

/// Reads a scenario file, or every `.jsonl` file of a folder in natural order.
///
/// Subfolders are left out; the suffix may be in any case. Templates may come from a file's own
/// benchmark and from `allowed` folders.
///
/// # Errors
/// All problems that were found.
pub fn read(path: &Path, allowed: &[PathBuf]) -> Result<Vec<ScenarioFile>, Problems> {
    let mut problems = Vec::new();
    let paths = if path.is_dir() {
        files_of(path).unwrap_or_else(|problem| {
            problems.push(problem);
            Vec::new()
        })
    } else {
        vec![path.to_owned()]
    };
    let mut files: Vec<ScenarioFile> = Vec::new();
    for path in paths {
        match read_one(&path, allowed) {
            Ok(file) => match files.iter().find(|other| same_folder(&other.name, &file.name)) {
                Some(other) => problems.push(problem(
                    &path,
                    say!(
                        "gives the same results folder {:?} as {}; rename one",
                        file.name,
                        other.path.display()
                    ),
                )),
                None => files.push(file),
            },
            Err(mut file_problems) => problems.append(&mut file_problems),
        }
    }
    if problems.is_empty() { Ok(files) } else { Err(Problems(problems)) }
}

/// Reads instances from `text`, for standard input. The scenario's name is `name`, and relative
/// templates start from `folder`.
///
/// # Errors
/// All problems that were found.
pub fn parse(name: &str, text: &str, folder: &Path, allowed: &[PathBuf]) -> Result<ScenarioFile, Problems> {
    parse_as(Path::new("-"), name, text, folder, allowed).map_err(Problems)
}

fn files_of(folder: &Path) -> Result<Vec<PathBuf>, Problem> {
    let unreadable = |error| problem(folder, say!("cannot be read: {error}"));
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        let suffix = path.extension().and_then(|suffix| suffix.to_str());
        if suffix.is_some_and(|suffix| suffix.eq_ignore_ascii_case("jsonl")) && path.is_file() {
            files.push(path);
        }
    }
    if files.is_empty() {
        return Err(problem(folder, say!("holds no .jsonl file")));
    }
    files.sort_by(|a, b| natural(&a.to_string_lossy(), &b.to_string_lossy()));
    Ok(files)
}

fn read_one(path: &Path, allowed: &[PathBuf]) -> Result<ScenarioFile, Vec<Problem>> {
    let wrong = |why: Sentence| vec![problem(path, why)];
    let name = path.file_stem().and_then(|name| name.to_str());
    let name = name.ok_or_else(|| wrong(say!("the file's name is not UTF-8")))?;
    let bytes = fs::read(path).map_err(|error| wrong(say!("cannot be read: {error}")))?;
    let text = String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        let line = 1 + error.as_bytes()[..at].iter().filter(|b| **b == b'\n').count();
        wrong(say!("line {line} is not UTF-8 text"))
    })?;
    let text = text_file::unmarked(text);
    let real = fs::canonicalize(path).map_err(|error| wrong(say!("cannot be found: {error}")))?;
    let folder = real.parent().unwrap_or(&real);
    parse_as(path, name, &text, folder, allowed)
}

fn parse_as(
    path: &Path,
    name: &str,
    text: &str,
    folder: &Path,
    allowed: &[PathBuf],
) -> Result<ScenarioFile, Vec<Problem>> {
    let mut problems = Vec::new();
    if let Err(why) = folder_name(name) {
        let why = say!("the scenario's name {name:?} {why}; rename the file");
        problems.push(problem(path, why));
    }
    let real = |folder: &PathBuf| fs::canonicalize(folder).ok();
    let allowed: Vec<PathBuf> = allowed.iter().filter_map(real).collect();
    let folder = fs::canonicalize(folder).unwrap_or_else(|_| folder.to_owned());
    let benchmark = Benchmark::around(&folder, &allowed);
    let mut instances: Vec<Instance> = Vec::new();
    let mut lines_of: HashMap<String, usize> = HashMap::new();
    let text = unix_newlines(text.strip_prefix('\u{feff}').unwrap_or(text));
    for (at, text) in text.split('\n').enumerate() {
        let line = at + 1;
        if text.trim().is_empty() {
            continue;
        }
        let mut report = |why| problems.push(problem(path, why).on_lines(line, line));
        let instance = match line::instance(text, line, &benchmark) {
            Ok(instance) => instance,
            Err(whys) => {
                whys.into_iter().for_each(report);
                continue;
            }
        };
        if let Some(first) = lines_of.insert(comparable(&instance.id), line) {
            report(say!("line {first} has the id {:?} already", instance.id));
        }
        if let Err(whys) = plan::build(&instance, &Default::default()) {
            whys.into_iter().for_each(report);
        }
        instances.push(instance);
    }
    if instances.is_empty() && problems.is_empty() {
        problems.push(problem(path, say!("holds no instance")));
    }
    if problems.is_empty() {
        Ok(ScenarioFile { path: path.to_owned(), name: name.to_owned(), instances })
    } else {
        Err(problems)
    }
}

fn problem(file: &Path, why: Sentence) -> Problem {
    Fault::Form.rejected(why).in_file(file.display().to_string())
}

/// Name of a folder for comparison: names that differ only in case are the same folder on Windows
/// and macOS.
fn comparable(name: &str) -> String {
    if cfg!(any(windows, target_os = "macos")) { name.to_lowercase() } else { name.to_owned() }
}

fn same_folder(a: &str, b: &str) -> bool {
    comparable(a) == comparable(b)
}
