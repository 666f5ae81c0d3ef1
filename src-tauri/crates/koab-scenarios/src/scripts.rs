//! Runs the Python that a benchmark brings beside its scenarios: the script that prepares it, and
//! the one that reads its results. In a container, unless the user says otherwise; results are
//! handed over as a copy.

use super::prepare::bad_file;
use super::tables::scenario_folders;
use crate::Scenarios;
use koab_core::say;
use koab_core::sentence::Sentence;
use koab_engine::files::name_of;
use koab_engine::ports::Cancel;
use koab_sandbox::console::Console;
use koab_sandbox::docker::{Container, Mounts};
use koab_sandbox::native::Native;
use koab_sandbox::outcome::Limits;
use koab_sandbox::process_end::ProcessEnd;
use koab_sandbox::scenario_file::Network;
use koab_sandbox::trial::TrialRuntime;
use koab_workspace::WireError;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Longest time of a script, seconds.
const TIME: u64 = 3600;
/// More than this a script does not print.
const OUTPUT: u64 = 64 << 20;
/// The script that reads a benchmark's results, as benchmarks of the original have it.
const CUSTOM: &str = "custom_tabulate.py";
/// Finds Python, and keeps what goes to the other channel apart.
const PYTHON: &str = r#"exec "$(command -v python3 || command -v python)" "$@" 2>stderr.txt"#;

/// A benchmark's own reading of its results.
#[derive(Clone, Debug, Default)]
pub struct ScriptRequest {
    /// The results of a scenario, or a results folder.
    pub folder: String,
    /// The script.
    pub script: PathBuf,
    /// Values separated by commas.
    pub csv: bool,
    /// On this computer itself; the user agreed.
    pub native: bool,
    /// The image; by default the product's own.
    pub docker_image: Option<String>,
}

impl Scenarios {
    /// The script that reads a benchmark's results: `custom_tabulate.py` in the folder or its
    /// `Scripts`. Results are never searched for one, since they may come from anybody.
    #[must_use]
    pub fn script(benchmark: &Path) -> Option<PathBuf> {
        ["Scripts", "scripts", ""]
            .iter()
            .map(|folder| benchmark.join(folder).join(CUSTOM))
            .find(|script| script.is_file())
    }

    /// Names of scenarios, and what the benchmark's script prints for each on its two channels.
    ///
    /// # Errors
    /// When there are no results, no container engine, or the script fails.
    pub async fn script_tables(
        &self,
        request: &ScriptRequest,
        cancel: &Cancel,
        said: &mut (dyn FnMut(&Sentence) + Send),
    ) -> Result<Vec<(String, String, String)>, WireError> {
        let folders = scenario_folders(Path::new(&request.folder))?;
        if !request.script.is_file() {
            return Err(WireError::not_found(say!("{} is not a file", request.script.display())));
        }
        let runtime = if request.native {
            TrialRuntime::Native
        } else {
            self.containers(request.docker_image.as_deref(), cancel, said).await?
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
    /// Templates that the script names by their place in the container are named relative to
    /// `Tasks` afterwards.
    ///
    /// # Errors
    /// When there is no container engine, or the script fails.
    pub async fn init(
        &self,
        benchmark: &Path,
        script: &str,
        docker_image: Option<&str>,
        cancel: &Cancel,
        said: &mut (dyn FnMut(&Sentence) + Send),
    ) -> Result<(), WireError> {
        let runtime = self.containers(docker_image, cancel, said).await?;
        let benchmark = benchmark.canonicalize().map_err(WireError::storage)?;
        let module = Path::new(script).file_stem().unwrap_or_default().to_string_lossy();
        let start = format!("import sys; sys.path.insert(0, 'Scripts'); import {module}; {module}.main()");
        let ended =
            python(&runtime, &benchmark, &[], Network::Bridge, &["-c", &start], cancel, &mut |text| {
                said(&text.trim_end().into())
            })
            .await;
        let errors = benchmark.join("stderr.txt");
        let other = fs::read(&errors).unwrap_or_default();
        let _not_there = fs::remove_file(&errors);
        ended.map_err(|error| {
            let other = String::from_utf8_lossy(&other);
            let last = other.trim_end().lines().last().unwrap_or_default();
            WireError::new(error.code, format!("{script} {}; {last}", error.message))
        })?;
        relocate(&benchmark).map_err(WireError::storage)
    }
}

/// What the script needs, in one folder: a copy of the results, the scripts, our module. Gives the
/// script's name.
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

/// Copies files and folders; links are left out, since results of others could lead anywhere by
/// them.
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

/// Runs Python in `folder` and gives what it printed. `sealed` are names in the folder that it
/// cannot change.
async fn python(
    runtime: &TrialRuntime,
    folder: &Path,
    sealed: &[&str],
    network: Network,
    words: &[&str],
    cancel: &Cancel,
    seen: &mut (dyn FnMut(&str) + Send),
) -> Result<String, WireError> {
    let logs = tempfile::tempdir().map_err(WireError::storage)?;
    let log = logs.path().join("log");
    let mut console = Console::create(&log, OUTPUT, &[]).map_err(WireError::storage)?;
    let mut command = vec!["sh", "-c", PYTHON, "sh"];
    command.extend(words);
    let environment = BTreeMap::new();
    let limits = Limits { timeout_s: Some(TIME), network: Some(network), ..Limits::usual() };
    let folder = folder.canonicalize().map_err(WireError::storage)?;
    let ended = match runtime {
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
            container.run(&mut console, cancel, seen).await
        }
        TrialRuntime::Native => {
            let native = Native {
                command: &command,
                environment: &environment,
                folder: &folder,
                time: Some(Duration::from_secs(TIME)),
            };
            native.run(&mut console, cancel, seen).await
        }
    };
    console.finish().map_err(WireError::storage)?;
    match ended.map_err(WireError::storage)? {
        ProcessEnd::Exited { code: 0, .. } => fs::read_to_string(&log).map_err(WireError::storage),
        ProcessEnd::Exited { code, .. } => Err(bad_file(say!("ended with code {code}"))),
        ProcessEnd::TimedOut => Err(bad_file(say!("took longer than {TIME} seconds"))),
        ProcessEnd::Cancelled => Err(WireError::cancelled(say!("was stopped"))),
        ProcessEnd::NotStarted { why } | ProcessEnd::Lost { why } => {
            Err(bad_file(say!("did not run to its end: {why}")))
        }
    }
}

/// Makes templates relative that a script in the container wrote with the container's path.
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
        let moved = text.replace("\"/workspace/", "\"../");
        if moved != text {
            fs::write(&path, moved)?;
        }
    }
    Ok(())
}
