//! Detection of a pack's layout from the files in a folder.

use koab_core::sentence::Sentence;
use koab_core::text;
use std::fs;
use std::path::{Path, PathBuf};

/// Maximum depth of the pack below the given folder. Archives wrap their content in one or two
/// folders.
const MAX_DEPTH: usize = 3;

/// Layout of a pack, with the root folder of its paths.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Layout {
    pub(super) kind: Kind,
    pub(super) root: PathBuf,
}

/// Layouts of published packs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// `tasks/pack.json`, `tasks/L1.json`, `tasks/tools/*.json`, `tasks/judge_prompts.yaml`,
    /// `cache/<tool>.jsonl`.
    Starter,
    /// The published data: `tasks/L1.json`, `tool_catalog.json`, `judge_prompts.yaml`,
    /// `cache/<tool>/<xx>/<key>.json`.
    Published,
    /// A checkout of the benchmark's repository: `bench/tasks/L1.json`,
    /// `bench/tools/tool_catalog.py`, `bench/runner/prompts.yaml`, `bench/cache/`.
    Checkout,
}

/// Layout of `folder`, or of the only folder inside it.
pub(super) fn detect(folder: &Path) -> Option<Layout> {
    let mut root = folder.to_owned();
    for _ in 0..MAX_DEPTH {
        if let Some(kind) = kind_of(&root) {
            return Some(Layout { kind, root });
        }
        root = only_folder_in(&root)?;
    }
    None
}

/// Root folder of a pack, if the user gave the pack's folder of tasks. Without the files next to
/// that folder, the tasks would have no tools.
pub(super) fn around(folder: &Path) -> Option<PathBuf> {
    if detect(folder).is_some() || !(folder.join("pack.json").is_file() || has_levels(folder)) {
        return None;
    }
    let folder = folder.canonicalize().ok()?;
    let tasks = ["tasks", "bench/tasks"];
    let above = folder.ancestors().skip(1).take(2);
    let mut packs = above.filter(|root| is_pack(root) && tasks.iter().any(|at| root.join(at) == folder));
    packs.next().map(Path::to_path_buf)
}

/// Whether a folder is the root of a pack.
pub(super) fn is_pack(folder: &Path) -> bool {
    kind_of(folder).is_some()
}

fn kind_of(root: &Path) -> Option<Kind> {
    if root.join("tasks/pack.json").is_file() {
        Some(Kind::Starter)
    } else if has_levels(&root.join("bench/tasks")) {
        Some(Kind::Checkout)
    } else if has_levels(&root.join("tasks")) {
        Some(Kind::Published)
    } else {
        None
    }
}

/// Whether files at these paths make a pack with tools. All paths may begin with one or two
/// wrapping folders.
pub(super) fn is_pack_layout(paths: &[&str]) -> bool {
    let has_tools =
        paths.iter().any(|path| path.ends_with("tool_catalog.json") || path.ends_with("tool_catalog.py"));
    let below = |path: &str, place: &str| {
        let folders = path.strip_suffix(place).unwrap_or("-");
        folders.is_empty() || (folders.ends_with('/') && folders.matches('/').count() < MAX_DEPTH)
    };
    let is_level = |path: &str| {
        koab_core::level::Level::ALL.iter().any(|level| below(path, &format!("tasks/{level}.json")))
    };
    let is_task = |path: &&str| below(path, "tasks/pack.json") || (has_tools && is_level(path));
    paths.iter().any(is_task) || !koab_benchmarks::owners_in(&koab_benchmarks::ALL, &Names(paths)).is_empty()
}

/// Names of files without their content: reading a file fails. The names are enough to recognise a
/// benchmark.
struct Names<'a>(&'a [&'a str]);

impl koab_benchmarks::Files for Names<'_> {
    fn paths(&self) -> Vec<String> {
        self.0.iter().map(|path| (*path).to_owned()).collect()
    }
    fn read(&self, _path: &str) -> Result<Vec<u8>, Sentence> {
        Err(text!("is missing").into())
    }
}

fn has_levels(tasks: &Path) -> bool {
    koab_core::level::Level::ALL.iter().any(|level| tasks.join(format!("{level}.json")).is_file())
}

fn only_folder_in(root: &Path) -> Option<PathBuf> {
    let entries = fs::read_dir(root).ok()?.filter_map(Result::ok);
    let mut folders = entries.filter(|entry| {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        // Files that operating systems add to archives are ignored.
        entry.path().is_dir() && !name.starts_with('.') && name != "__MACOSX"
    });
    match (folders.next(), folders.next()) {
        (Some(only), None) => Some(only.path()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Makes the files and says what they are.
    fn check(files: &[&str]) -> Option<(Kind, String)> {
        let folder = tempfile::tempdir().expect("a folder");
        for file in files {
            let path = folder.path().join(file);
            fs::create_dir_all(path.parent().expect("a parent")).expect("made");
            fs::write(path, "[]").expect("written");
        }
        let layout = detect(folder.path())?;
        let root = layout.root.strip_prefix(folder.path()).expect("inside").display().to_string();
        Some((layout.kind, root))
    }

    #[test]
    fn layouts_are_found_by_content() {
        let at = |kind, root: &str| Some((kind, root.to_owned()));
        for (files, found) in [
            (&["tasks/pack.json", "tasks/L1.json"][..], at(Kind::Starter, "")),
            (&["tasks/L3.json", "tool_catalog.json"][..], at(Kind::Published, "")),
            (&["bench/tasks/L7.json", "README.md"][..], at(Kind::Checkout, "")),
            (
                &["repo-main/bench/tasks/L1.json", "repo-main/x", "__MACOSX/y"][..],
                at(Kind::Checkout, "repo-main"),
            ),
            (&["a/b/tasks/L1.json"][..], at(Kind::Published, "a/b")),
            (&["a/b/c/d/tasks/L1.json"][..], None),
            (&["a/tasks/L1.json", "b/x"][..], None),
            (&["tasks/L8.json"][..], None),
            (&[][..], None),
        ] {
            assert_eq!(check(files), found, "{files:?}");
        }
    }
}
