//! Checks of the paths in an archive. The archive is not trusted to say where a file is written.

use koab_core::say;
use koab_core::sentence::Sentence;
use std::path::PathBuf;

/// Decision about an entry, by its name.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum EntryPath {
    /// A file of a pack, with its path inside the destination folder.
    Wanted(PathBuf),
    /// A file that no pack needs.
    Unwanted,
    /// A name that leads out of the folder or that systems interpret differently, and the reason.
    Hostile(Sentence),
}

const FILES: [&str; 5] =
    ["tool_catalog.json", "tool_catalog.py", "prompts.yaml", "judge_prompts.yaml", "pack.json"];
const FOLDERS: [&str; 2] = ["tasks", "cache"];
const ENDINGS: [&str; 4] = ["json", "jsonl", "yaml", "yml"];
const REPORT_ENDINGS: [&str; 3] = ["csv", "md", "py"];

/// Selection of the files that are unpacked from an archive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Selection {
    /// Files that a pack needs.
    Pack,
    /// All files that koab can read: packs, logs, reports.
    Readable,
}

/// Classifies the name of a file in an archive. Both slashes separate folders, since systems
/// differ.
pub(super) fn judge(name: &str, wanted: Selection) -> EntryPath {
    if name.starts_with(['/', '\\']) {
        return EntryPath::Hostile(say!("is an absolute path"));
    }
    if name.contains('\0') {
        return EntryPath::Hostile(say!("has a zero character in its name"));
    }
    let mut parts = Vec::new();
    for part in name.split(['/', '\\']) {
        match part {
            "" | "." => {}
            // Windows drops dots and spaces at the end of a name, so `.. ` is `..` there.
            _ if part.trim_end_matches(['.', ' ']).is_empty() => {
                return EntryPath::Hostile(say!("leads out of the archive"));
            }
            _ => parts.push(part),
        }
    }
    let is_drive = |part: &str| {
        part.len() >= 2 && part.as_bytes()[0].is_ascii_alphabetic() && part.as_bytes()[1] == b':'
    };
    if parts.first().is_some_and(|first| is_drive(first)) {
        return EntryPath::Hostile(say!("names a drive"));
    }
    if !is_wanted(&parts, wanted) {
        return EntryPath::Unwanted;
    }
    // After a colon, Windows writes into a hidden stream of the file before it.
    let odd = |c: char| c == ':' || c.is_control();
    if parts.iter().any(|part| part.contains(odd) || part.ends_with(['.', ' '])) {
        return EntryPath::Hostile(say!("has a name that is not valid on every system"));
    }
    EntryPath::Wanted(parts.iter().collect())
}

fn is_wanted(parts: &[&str], wanted: Selection) -> bool {
    let Some((file, folders)) = parts.split_last() else {
        return false;
    };
    if parts.iter().any(|part| part.starts_with('.')) || folders.contains(&"__MACOSX") {
        return false;
    }
    // Files of other benchmarks are recognised by their names, in any folder.
    if FILES.contains(file) || koab_benchmarks::ALL.iter().any(|benchmark| benchmark.is_file(file)) {
        return true;
    }
    let ending = file.rsplit_once('.').map(|(_, ending)| ending);
    if wanted == Selection::Readable {
        return ending.is_some_and(|ending| ENDINGS.contains(&ending) || REPORT_ENDINGS.contains(&ending));
    }
    ending.is_some_and(|ending| ENDINGS.contains(&ending))
        && folders.iter().any(|part| FOLDERS.contains(part))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::path::{Component, Path};

    #[test]
    fn names_are_judged() {
        let wanted = |path: &str| EntryPath::Wanted(PathBuf::from(path));
        for (name, verdict) in [
            ("tasks/L1.json", wanted("tasks/L1.json")),
            ("./repo//bench/tasks/./L1.json", wanted("repo/bench/tasks/L1.json")),
            ("repo\\cache\\Tool\\ab\\abc.json", wanted("repo/cache/Tool/ab/abc.json")),
            ("bench/tools/tool_catalog.py", wanted("bench/tools/tool_catalog.py")),
            ("bench/tools/naver.py", EntryPath::Unwanted),
            ("logs/run:0/L1.json", EntryPath::Unwanted),
            ("__MACOSX/tasks/L1.json", EntryPath::Unwanted),
            (".git/tasks/L1.json", EntryPath::Unwanted),
            ("", EntryPath::Unwanted),
            ("../tasks/L1.json", EntryPath::Hostile(say!("leads out of the archive"))),
            ("tasks/../../L1.json", EntryPath::Hostile(say!("leads out of the archive"))),
            ("tasks\\..\\..\\x", EntryPath::Hostile(say!("leads out of the archive"))),
            ("tasks/.. /L1.json", EntryPath::Hostile(say!("leads out of the archive"))),
            ("/etc/passwd", EntryPath::Hostile(say!("is an absolute path"))),
            ("\\\\server\\share", EntryPath::Hostile(say!("is an absolute path"))),
            ("C:/tasks/L1.json", EntryPath::Hostile(say!("names a drive"))),
            ("c:evil", EntryPath::Hostile(say!("names a drive"))),
            (
                "tasks/L1.json:stream.json",
                EntryPath::Hostile(say!("has a name that is not valid on every system")),
            ),
            ("tasks/a\u{1}.json", EntryPath::Hostile(say!("has a name that is not valid on every system"))),
            ("tasks /L1.json", EntryPath::Unwanted),
            ("tasks/\0.json", EntryPath::Hostile(say!("has a zero character in its name"))),
        ] {
            assert_eq!(judge(name, Selection::Pack), verdict, "{name:?}");
        }
    }

    proptest! {
        /// Whatever an entry is called, what is written stays below the folder.
        #[test]
        fn no_name_leads_out(name in r"(tasks|cache|\.\.|\.|[a-zA-Z]:|/|\\| |\.json|[a-c가\x00:]){0,12}") {
            if let EntryPath::Wanted(path) = judge(&name, Selection::Pack) {
                prop_assert!(!path.as_os_str().is_empty());
                for part in Path::new(&path).components() {
                    prop_assert!(matches!(part, Component::Normal(_)), "{name:?} became {path:?}");
                }
            }
        }

        /// A name with a part that is nothing but dots is never written anywhere.
        #[test]
        fn parents_are_always_refused(before in "[a-z/]{0,9}", after in "[a-z/.]{0,9}", slash in r"[/\\]") {
            let name = format!("{before}{slash}..{slash}{after}");
            prop_assert!(matches!(judge(&name, Selection::Pack), EntryPath::Hostile(_)), "{name:?}");
        }
    }
}
