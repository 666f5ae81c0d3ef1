//! Files of the benchmark, and their names in a pack.

use super::source::{Set, Turn};
use crate::benchmark::Files;

/// Name of a set's file in a pack.
pub(super) fn set_file(set: Set) -> String {
    format!("tasks/{}.jsonl", set.prefix())
}

/// Name of a rubric's file in a pack.
pub(super) fn rubric_file(turn: Turn) -> String {
    format!("tasks/rubric_{}.txt", turn.name())
}

/// Name of the system message's file in a pack.
pub(super) const SYSTEM_PROMPT: &str = "tasks/system_prompt.txt";

/// Names of files that are copied together with the data, from the data's folder or a folder above.
const NOTICES: [&str; 3] = ["LICENSE", "NOTICE", "NOTICE.md"];

/// Path in the pack and path in `files` of each file; empty where `files` do not belong to this
/// benchmark.
pub(super) fn find(files: &dyn Files) -> Vec<(String, String)> {
    let paths = files.paths();
    let sets = sets(&paths);
    let Some((_, first)) = sets.first() else {
        return Vec::new();
    };
    let folder = folder_of(first);
    let beside =
        Turn::ALL.map(rubric_file).into_iter().chain([SYSTEM_PROMPT.to_owned()]).filter_map(|file| {
            let name = last(&file).to_owned();
            let path = in_folder(&paths, folder, &name).or_else(|| shallowest(&paths, &name))?;
            Some((file, path))
        });
    let notices = NOTICES.into_iter().filter_map(|name| {
        let path = ancestors(folder).find_map(|folder| in_folder(&paths, folder, name))?;
        Some((name.to_owned(), path))
    });
    let beside: Vec<_> = beside.chain(notices).collect();
    sets.into_iter().chain(beside).collect()
}

/// Whether the name of a file shows that it may belong to this benchmark.
pub(super) fn is_file(name: &str) -> bool {
    let beside = || Turn::ALL.map(rubric_file).into_iter().chain([SYSTEM_PROMPT.to_owned()]);
    name.starts_with("FunctionChat-") || NOTICES.contains(&name) || beside().any(|file| last(&file) == name)
}

/// Sets whose files are present, under the authors' file names or those of a pack.
fn sets(paths: &[String]) -> Vec<(String, String)> {
    let original: Vec<_> = Set::ALL
        .into_iter()
        .filter_map(|set| {
            let name = format!("FunctionChat-{}.jsonl", set.name());
            Some((set_file(set), shallowest(paths, &name)?))
        })
        .collect();
    if !original.is_empty() {
        return original;
    }
    let packed: Vec<_> = Set::ALL
        .into_iter()
        .filter_map(|set| {
            let file = set_file(set);
            let inside = format!("/{file}");
            let path = paths.iter().filter(|path| **path == file || path.ends_with(&inside));
            Some((file.clone(), nearest(path)?))
        })
        .collect();
    // A pack of another benchmark can have a file of dialogues, too.
    let is_ours = packed.iter().any(|(file, _)| *file != set_file(Set::Dialog));
    if is_ours { packed } else { Vec::new() }
}

/// Path of the file with this name that has the fewest parent folders. Letter case is ignored,
/// since the authors write `Singlecall` in one file name.
fn shallowest(paths: &[String], name: &str) -> Option<String> {
    nearest(paths.iter().filter(|path| last(path).eq_ignore_ascii_case(name)))
}

fn nearest<'a>(paths: impl Iterator<Item = &'a String>) -> Option<String> {
    paths.min_by_key(|path| (path.matches('/').count(), *path)).cloned()
}

fn in_folder(paths: &[String], folder: &str, name: &str) -> Option<String> {
    paths.iter().find(|path| folder_of(path) == folder && last(path) == name).cloned()
}

/// Folder and all its parent folders, the nearest first; the root is the last one.
fn ancestors(folder: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(folder), |folder| (!folder.is_empty()).then(|| folder_of(folder)))
}

fn folder_of(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

fn last(path: &str) -> &str {
    path.rsplit_once('/').map_or(path, |(_, name)| name)
}
