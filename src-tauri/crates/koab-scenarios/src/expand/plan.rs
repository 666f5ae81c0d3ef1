//! Plan of the files of a trial's folder, made before any file is written.

use crate::benchmark::{Benchmark, unreadable};
use crate::outcome::OUTCOME;
use crate::scenario_file::{Instance, TemplateCopy};
use crate::starter;
use koab_core::say;
use koab_core::sentence::Sentence;
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Files and folders by their path below the trial's folder. A folder comes before its content.
pub(crate) type Plan = BTreeMap<PathBuf, Node>;

/// A file or folder to create.
#[derive(Clone, Debug)]
pub(crate) enum Node {
    Folder,
    File(Content),
}

/// Content of a file to create.
#[derive(Clone, Debug)]
pub(crate) enum Content {
    Bytes(Vec<u8>),
    /// Copy of `source`. With `as_it_was`, its mode and modification time are copied too, as for
    /// files that are copied with their folder.
    Copy {
        source: PathBuf,
        as_it_was: bool,
    },
}

/// Maximum depth of template folders, greater than that of any real template. The limit ends loops
/// of links.
const MAX_DEPTH: usize = 64;

/// Plans the files of an instance's trials, before substitutions are applied. Each file with
/// substitutions must be in the plan.
///
/// # Errors
/// All problems, one sentence each.
pub(crate) fn build(instance: &Instance, extras: &Extras) -> Result<Plan, Vec<Sentence>> {
    let mut plan = Plan::new();
    for (name, text) in starter::FILES {
        plan.insert(PathBuf::from(name), Node::File(Content::Bytes(text.into())));
    }
    let mut problems = Vec::new();
    for copy in &instance.template {
        if let Err(why) = add(&mut plan, copy, &instance.benchmark) {
            problems.push(why);
        }
    }
    if let Some(requirements) = &extras.requirements {
        let node = Node::File(Content::Bytes(requirements.clone()));
        plan.insert(PathBuf::from("requirements.txt"), node);
    }
    for edits in &instance.substitutions {
        if !matches!(plan.get(&edits.file), Some(Node::File(_))) {
            let file = edits.file.display();
            problems.push(say!("has substitutions for {file}, which the template does not contain"));
        }
    }
    if plan.contains_key(Path::new(OUTCOME)) {
        problems.push(say!("contains {OUTCOME}, which only this program may write"));
    }
    if problems.is_empty() { Ok(plan) } else { Err(problems) }
}

fn add(plan: &mut Plan, copy: &TemplateCopy, benchmark: &Benchmark) -> Result<(), Sentence> {
    if copy.source.is_dir() {
        return merge(plan, &copy.source, &copy.target, benchmark, &mut Vec::new());
    }
    let into_folder =
        copy.target.as_os_str().is_empty() || matches!(plan.get(&copy.target), Some(Node::Folder));
    let target = match copy.source.file_name() {
        Some(name) if into_folder => copy.target.join(name),
        _ => copy.target.clone(),
    };
    let source = copy.source.clone();
    file(plan, &source, target, false)
}

/// Merges the content of `folder` into `target`. Links are followed if they lead to files that may
/// be copied.
fn merge(
    plan: &mut Plan,
    folder: &Path,
    target: &Path,
    benchmark: &Benchmark,
    above: &mut Vec<PathBuf>,
) -> Result<(), Sentence> {
    if above.len() > MAX_DEPTH || above.iter().any(|other| other == folder) {
        return Err(say!("the template folder {} leads into itself", folder.display()));
    }
    self::folder(plan, target)?;
    above.push(folder.to_owned());
    let not_listed =
        |error: io::Error| say!("the template folder {} {}", folder.display(), unreadable(&error));
    for entry in fs::read_dir(folder).map_err(not_listed)? {
        let entry = entry.map_err(not_listed)?;
        let (path, target) = (entry.path(), target.join(entry.file_name()));
        let real = fs::canonicalize(&path)
            .map_err(|error| say!("the template {} {}", path.display(), unreadable(&error)))?;
        benchmark.admit(&real).map_err(|why| say!("the template {} {why}", path.display()))?;
        if real.is_dir() {
            merge(plan, &real, &target, benchmark, above)?;
        } else {
            file(plan, &real, target, true)?;
        }
    }
    above.pop();
    Ok(())
}

fn folder(plan: &mut Plan, path: &Path) -> Result<(), Sentence> {
    for part in path.ancestors().filter(|part| !part.as_os_str().is_empty()) {
        match plan.get(part) {
            Some(Node::File(_)) => {
                return Err(say!("{} would be both a file and a folder", part.display()));
            }
            Some(Node::Folder) => {}
            None => {
                plan.insert(part.to_owned(), Node::Folder);
            }
        }
    }
    Ok(())
}

fn file(plan: &mut Plan, source: &Path, target: PathBuf, as_it_was: bool) -> Result<(), Sentence> {
    let is_file = fs::metadata(source).is_ok_and(|meta| meta.is_file());
    if !is_file {
        return Err(say!("the template {} is neither a file nor a folder", source.display()));
    }
    if let Some(parent) = target.parent() {
        folder(plan, parent)?;
    }
    if matches!(plan.get(&target), Some(Node::Folder)) {
        return Err(say!("{} would be both a file and a folder", target.display()));
    }
    let source = source.to_owned();
    plan.insert(target, Node::File(Content::Copy { source, as_it_was }));
    Ok(())
}

/// Files that the user adds to every trial of every template.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Extras {
    /// Content of `requirements.txt`, which replaces the template's before the substitutions.
    pub requirements: Option<Vec<u8>>,
    /// Content of `config.yaml`, which is written after the substitutions.
    ///
    /// Every trial's results contain a copy of this file, so it must not contain a key. The module
    /// `config_file` refuses a file that does.
    pub config: Option<Vec<u8>>,
}
