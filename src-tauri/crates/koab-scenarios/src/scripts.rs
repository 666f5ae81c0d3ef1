//! Runs the Python scripts of a benchmark: the one that prepares it and the one that tabulates its
//! results. They run in a container unless the user says otherwise, and they get a copy of the
//! results.

use super::prepare::bad_file;
use super::tables::scenario_folders;
use crate::Scenarios;
use crate::console::Console;
use crate::docker::{Container, Mounts};
use crate::native::Native;
use crate::outcome::Limits;
use crate::process_end::ProcessEnd;
use crate::scenario_file::Network;
use crate::trial::TrialRuntime;
use koab_core::say;
use koab_core::sentence::Sentence;
use koab_engine::files::name_of;
use koab_engine::ports::Cancel;
use koab_workspace::WireError;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Time limit of a script, seconds.
const SCRIPT_TIMEOUT_S: u64 = 3600;
/// Maximum number of bytes that a script may print.
const MAX_OUTPUT_BYTES: u64 = 64 << 20;
/// Name of the script that tabulates results in benchmarks of the original tool.
const CUSTOM: &str = "custom_tabulate.py";
/// Shell command that finds Python and redirects stderr to a file.
const PYTHON: &str = r#"exec "$(command -v python3 || command -v python)" "$@" 2>stderr.txt"#;

/// Request to tabulate results with a benchmark's own script.
#[derive(Clone, Debug, Default)]
pub struct ScriptRequest {
    /// Path of a scenario's results, or of a results folder.
    pub folder: String,
    /// Path of the script.
    pub script: PathBuf,
    /// Whether the script prints comma-separated values.
    pub csv: bool,
    /// Whether the script runs on this computer itself; the user must have agreed.
    pub native: bool,
    /// Container image; by default the product's own.
    pub docker_image: Option<String>,
}

impl Scenarios {
    /// Path of the script that tabulates a benchmark's results: `custom_tabulate.py` in its folder
    /// or in `Scripts`. Result folders are not searched, since they may come from anybody.
    #[must_use]
    pub fn script(benchmark: &Path) -> Option<PathBuf> {
        ["Scripts", "scripts", ""]
            .iter()
            .map(|folder| benchmark.join(folder).join(CUSTOM))
            .find(|script| script.is_file())
    }

    /// Outputs of the benchmark's script, one entry per scenario: its name, the stdout and the
    /// stderr of the script.
    ///
    /// # Errors
    /// When there are no results, no container engine, or the script fails.
    pub async fn script_tables(
        &self,
        request: &ScriptRequest,
        cancel: &Cancel,
        on_progress: &mut (dyn FnMut(&Sentence) + Send),
    ) -> Result<Vec<(String, String, String)>, WireError> {
        let folders = scenario_folders(Path::new(&request.folder))?;
        if !request.script.is_file() {
            return Err(WireError::not_found(say!("{} is not a file", request.script.display())));
        }
        let runtime = if request.native {
            TrialRuntime::Native
        } else {
            self.containers(request.docker_image.as_deref(), cancel, on_progress).await?
        };
        let mut tables = Vec::new();
        for folder in folders {
            let name = name_of(&folder);
            let work = tempfile::tempdir().map_err(WireError::storage)?;
            let script = stage(work.path(), &folder, &name, &request.script).map_err(WireError::storage)?;
            let results = format!("results/{name}");
            let mut words = vec!["main.py", &script, &results];
            if request.csv {
                words.push("--csv");
            }
            let sealed = ["results", "scripts", "stub", "main.py"];
            let printed =
                python(&runtime, work.path(), &sealed, Network::None, &words, cancel, &mut |_| {}).await;
            let other = fs::read(work.path().join("stderr.txt")).unwrap_or_default();
            let other = String::from_utf8_lossy(&other).into_owned();
            let text = printed.map_err(|error| {
                let last = other.trim_end().lines().last().unwrap_or_default();
                WireError::new(error.code, format!("{} {}; {last}", request.script.display(), error.message))
            })?;
            tables.push((name, text, other));
        }
        Ok(tables)
    }

    /// Runs the script that prepares a cloned benchmark, in a container that reaches the network.
    ///
    /// The script writes container paths of templates into task files. Afterwards these are
    /// replaced by paths relative to `Tasks`.
    ///
    /// # Errors
    /// When there is no container engine, or the script fails.
    pub async fn init(
        &self,
        benchmark: &Path,
        script: &str,
        docker_image: Option<&str>,
        cancel: &Cancel,
        on_progress: &mut (dyn FnMut(&Sentence) + Send),
    ) -> Result<(), WireError> {
        let runtime = self.containers(docker_image, cancel, on_progress).await?;
        let benchmark = benchmark.canonicalize().map_err(WireError::storage)?;
        let module = Path::new(script).file_stem().unwrap_or_default().to_string_lossy();
        let start = format!("import sys; sys.path.insert(0, 'Scripts'); import {module}; {module}.main()");
        let result =
            python(&runtime, &benchmark, &[], Network::Bridge, &["-c", &start], cancel, &mut |text| {
                on_progress(&text.trim_end().into())
            })
            .await;
        let errors = benchmark.join("stderr.txt");
        let other = fs::read(&errors).unwrap_or_default();
        let _not_there = fs::remove_file(&errors);
        result.map_err(|error| {
            let other = String::from_utf8_lossy(&other);
            let last = other.trim_end().lines().last().unwrap_or_default();
            WireError::new(error.code, format!("{script} {}; {last}", error.message))
        })?;
        relocate(&benchmark).map_err(WireError::storage)
    }
}

/// Collects the inputs of the script in one folder: a copy of the results, the scripts next to it,
/// and modules that replace the original tool's packages, which the script imports. Returns the
/// script's file name.
fn stage(work: &Path, results: &Path, name: &str, script: &Path) -> std::io::Result<String> {
    copy(results, &work.join("results").join(name))?;
    let scripts = work.join("scripts");
    fs::create_dir_all(&scripts)?;
    let beside = script.parent().filter(|folder| *folder != Path::new(""));
    for entry in fs::read_dir(beside.unwrap_or(Path::new(".")))? {
        let entry = entry?;
        let python = entry.path().extension().is_some_and(|extension| extension == "py");
        if python && entry.file_type()?.is_file() {
            fs::copy(entry.path(), scripts.join(entry.file_name()))?;
        }
    }
    let file = script.file_name().unwrap_or_default();
    fs::copy(script, scripts.join(file))?;
    for package in ["autogenbench", "agbench"] {
        let folder = work.join("stub").join(package);
        fs::create_dir_all(&folder)?;
        fs::write(folder.join("__init__.py"), "")?;
        fs::write(folder.join("tabulate_cmd.py"), include_str!("../data/tabulate/tabulate_cmd.py"))?;
    }
    fs::write(work.join("main.py"), include_str!("../data/tabulate/main.py"))?;
    Ok(file.to_string_lossy().into_owned())
}

/// Copies files and folders. Links are skipped: in results made by others they could point
/// anywhere.
fn copy(from: &Path, to: &Path) -> std::io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let (kind, target) = (entry.file_type()?, to.join(entry.file_name()));
        if kind.is_dir() {
            copy(&entry.path(), &target)?;
        } else if kind.is_file() {
            fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}

/// Runs Python in `folder` and returns its stdout. Python cannot change the entries of the folder
/// that are in `sealed`.
async fn python(
    runtime: &TrialRuntime,
    folder: &Path,
    sealed: &[&str],
    network: Network,
    words: &[&str],
    cancel: &Cancel,
    on_output: &mut (dyn FnMut(&str) + Send),
) -> Result<String, WireError> {
    let logs = tempfile::tempdir().map_err(WireError::storage)?;
    let log = logs.path().join("log");
    let mut console = Console::create(&log, MAX_OUTPUT_BYTES, &[]).map_err(WireError::storage)?;
    let mut command = vec!["sh", "-c", PYTHON, "sh"];
    command.extend(words);
    let environment = BTreeMap::new();
    let limits = Limits { timeout_s: Some(SCRIPT_TIMEOUT_S), network: Some(network), ..Limits::usual() };
    let folder = folder.canonicalize().map_err(WireError::storage)?;
    let end = match runtime {
        TrialRuntime::Docker { engine, image, owner } => {
            let container = Container {
                engine,
                owner,
                image,
                command: &command,
                environment: &environment,
                mounts: Mounts { folder: &folder, read_only: sealed },
                relay: None,
                limits: &limits,
            };
            container.run(&mut console, cancel, on_output).await
        }
        TrialRuntime::Native => {
            let native = Native {
                command: &command,
                environment: &environment,
                folder: &folder,
                time: Some(Duration::from_secs(SCRIPT_TIMEOUT_S)),
            };
            native.run(&mut console, cancel, on_output).await
        }
    };
    console.finish().map_err(WireError::storage)?;
    match end.map_err(WireError::storage)? {
        ProcessEnd::Exited { code: 0, .. } => fs::read_to_string(&log).map_err(WireError::storage),
        ProcessEnd::Exited { code, .. } => Err(bad_file(say!("ended with code {code}"))),
        ProcessEnd::TimedOut => {
            Err(bad_file(say!("took longer than {TIME} seconds", TIME = SCRIPT_TIMEOUT_S)))
        }
        ProcessEnd::Cancelled => Err(WireError::cancelled(say!("was stopped"))),
        ProcessEnd::NotStarted { why } | ProcessEnd::Lost { why } => {
            Err(bad_file(say!("did not run to its end: {why}")))
        }
    }
}

/// Replaces container paths of templates in task files with paths relative to `Tasks`.
fn relocate(benchmark: &Path) -> std::io::Result<()> {
    let tasks = benchmark.join("Tasks");
    if !tasks.is_dir() {
        return Ok(());
    }
    for entry in fs::read_dir(tasks)? {
        let entry = entry?;
        let path = entry.path();
        let jsonl = path.extension().is_some_and(|extension| extension == "jsonl");
        if !jsonl || !entry.file_type()?.is_file() {
            continue;
        }
        let text = fs::read_to_string(&path)?;
        let relocated = text.replace("\"/workspace/", "\"../");
        if relocated != text {
            fs::write(&path, relocated)?;
        }
    }
    Ok(())
}
