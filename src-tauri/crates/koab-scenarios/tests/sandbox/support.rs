//! Small benchmarks to test with, and the way to the reference material.

use koab_scenarios::error::{Error, Problems};
use koab_scenarios::expand::{Expanded, Extras, expand};
use koab_scenarios::layout::{Layout, TrialId};
use koab_scenarios::outcome::Setting;
use koab_scenarios::run_script::RunScript;
use koab_scenarios::scenario_file::{self, ScenarioFile};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// A folder of the recorded results of the original tool. Without it the test says so and passes.
pub(crate) fn reference(name: &str) -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../../shared/autogenbench").join(name);
    if path.exists() {
        return Some(path);
    }
    skip(&format!("../shared/autogenbench/{name} is not beside the checkout"));
    None
}

/// Says that a test cannot run here, or fails where everything is required.
#[expect(clippy::print_stderr, reason = "a skipped test says so")]
pub(crate) fn skip(why: &str) {
    assert!(std::env::var_os("KOAB_REQUIRE_ALL").is_none_or(|value| value != "1"), "required: {why}");
    eprintln!("SKIP: {why}");
}

/// A folder with these files.
pub(crate) fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for (file, content) in files {
        put(folder.path(), file, content);
    }
    folder
}

pub(crate) fn put(folder: &Path, file: &str, content: impl AsRef<[u8]>) {
    let path = folder.join(file);
    fs::create_dir_all(path.parent().expect("a parent")).expect("made");
    fs::write(path, content).expect("written");
}

/// A benchmark with a folder template `T` and a file template `one.py`, and `lines` as its scenario file.
pub(crate) fn benchmark(lines: &str) -> TempDir {
    folder(&[
        ("Templates/T/scenario.py", "print(\"hi\")\n"),
        ("Templates/T/prompt.txt", "__PROMPT__\n"),
        ("Templates/one.py", "print(\"single\")\n"),
        ("Tasks/a.jsonl", lines),
    ])
}

pub(crate) fn read(benchmark: &TempDir) -> Result<Vec<ScenarioFile>, Problems> {
    scenario_file::read(&benchmark.path().join("Tasks/a.jsonl"), &[])
}

pub(crate) fn problems(lines: &str) -> Vec<String> {
    let benchmark = benchmark(lines);
    let folder = format!("{}/", fs::canonicalize(benchmark.path()).expect("there").display());
    let Err(Problems(problems)) = read(&benchmark) else {
        panic!("{lines} was accepted");
    };
    problems
        .iter()
        .map(|problem| problem.located().to_string().replace(&folder, ""))
        .map(|problem| problem.replace(&format!("{}/", benchmark.path().display()), ""))
        .collect()
}

pub(crate) fn script(setting: Setting) -> RunScript {
    RunScript { setting, version: "1.2.3".to_owned() }
}

pub(crate) fn id(file: &ScenarioFile, instance: usize) -> TrialId {
    TrialId { scenario: file.name.clone(), instance: file.instances[instance].id.clone(), repetition: 0 }
}

/// Expands an instance's first trial into `results`.
pub(crate) fn make(
    results: &Path,
    file: &ScenarioFile,
    instance: usize,
    extras: &Extras,
) -> Result<Expanded, Error> {
    let layout = Layout::new(results);
    let trial = id(file, instance);
    expand(&layout, &trial, &file.instances[instance], extras, &script(Setting::Native))
}

/// Names and contents of all files below a folder.
pub(crate) fn tree(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    fn walk(root: &Path, folder: &Path, found: &mut BTreeMap<String, Vec<u8>>) {
        for entry in fs::read_dir(folder).expect("readable") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                walk(root, &path, found);
            } else {
                let name = path.strip_prefix(root).expect("below").to_string_lossy().replace('\\', "/");
                found.insert(name, fs::read(&path).expect("readable"));
            }
        }
    }
    let mut found = BTreeMap::new();
    walk(folder, folder, &mut found);
    found
}
