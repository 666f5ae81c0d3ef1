//! Nothing outside a benchmark's folder and its row names it.

use koab_benchmarks::ALL;
use std::fs;
use std::path::{Path, PathBuf};

/// Where the code of the product is, below the root.
const SOURCES: [&str; 4] = ["src-tauri/crates", "src-tauri/src", "ui/src", "xtask/src"];

/// Where naming one is the matter itself: the list of all, beside the folders of each.
const LIST: &str = "src-tauri/crates/koab-benchmarks/src/lib.rs";

#[test]
fn nothing_outside_its_folder_and_its_row_names_a_benchmark() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..");
    let mut files = Vec::new();
    for sources in SOURCES {
        collect(&root.join(sources), &mut files);
    }
    assert!(files.len() > 500, "{} files were looked at", files.len());
    let mut named = Vec::new();
    for path in files {
        let relative = path.strip_prefix(&root).unwrap_or(&path).to_string_lossy().replace('\\', "/");
        let text = fs::read_to_string(&path).unwrap_or_default();
        for benchmark in ALL {
            // Parts of one benchmark share its folder: `NAME_PART`.
            let folder = benchmark.name().split('_').next().unwrap_or_default();
            let own = format!("src-tauri/crates/koab-benchmarks/src/{folder}");
            if relative.starts_with(&own) || relative == LIST {
                continue;
            }
            let lines = code(&text).filter(|(_, line)| line.to_lowercase().contains(benchmark.name()));
            named.extend(lines.map(|(number, line)| format!("{relative}:{number}: {}", line.trim())));
        }
    }
    assert!(named.is_empty(), "{}", named.join("\n"));
}

/// Lines that are neither comments nor tests.
fn code(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut skips = Skips::Nothing;
    let lines = text.lines().enumerate().map(|(at, line)| (at + 1, line));
    lines
        .filter(move |(_, line)| !skips.takes(line))
        .filter(|(_, line)| {
            let line = line.trim_start();
            !["//", "/*", "* ", "*/", "<!--"].iter().any(|comment| line.starts_with(comment))
        })
        // An example of a command has to name one.
        .filter(|(_, line)| !line.contains("after_help"))
}

/// The item behind `#[cfg(test)]`, and no more: the rest of the file is code again.
enum Skips {
    Nothing,
    Begins,
    Goes,
}

impl Skips {
    fn takes(&mut self, line: &str) -> bool {
        let (next, takes) = match self {
            Self::Nothing if line.starts_with("#[cfg(test)]") => (Self::Begins, true),
            Self::Nothing => (Self::Nothing, false),
            Self::Begins if line.starts_with("#[") => (Self::Begins, true),
            Self::Begins if line.ends_with([';', '}']) => (Self::Nothing, true),
            Self::Begins => (Self::Goes, true),
            Self::Goes if line.starts_with('}') => (Self::Nothing, true),
            Self::Goes => (Self::Goes, true),
        };
        *self = next;
        takes
    }
}

#[test]
fn code_behind_a_module_of_tests_is_looked_at() {
    let text = "#[cfg(test)]\nmod tests;\n// a\nb\n<p>c</p>\n#[cfg(test)]\n#[expect(x)]\nmod tests {\n    d\n}\n*e = 1;\n<!-- f -->";
    let lines: Vec<_> = code(text).collect();
    assert_eq!(lines, [(4, "b"), (5, "<p>c</p>"), (11, "*e = 1;")]);
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for path in entries.flatten().map(|entry| entry.path()) {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_dir() {
            if name != "tests" {
                collect(&path, files);
            }
        } else if [".rs", ".ts", ".svelte"].iter().any(|ending| name.ends_with(ending))
            && !name.contains(".test.")
            && name != "tests.rs"
        {
            files.push(path);
        }
    }
}
