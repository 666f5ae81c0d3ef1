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
/// File in a folder that is complete; it names the versions, and was changed when the set was last asked for.
const STAMP: &str = "made-for.txt";

/// A virtual environment of Python with these packages, each as pip takes it (`name==version`, `-r file`). Returns the environment.
///
/// # Panics
/// When Python has no `venv` or pip fails.
#[must_use]
pub fn python(name: &str, packages: &[&str]) -> PathBuf {
    // An environment leads to the Python that made it.
    let versions = format!(
        "{}\n{}",
        said(Command::new("python3").arg("-VV")),
        packages.join("\n")
    );
    kept(name, &versions, |folder| {
        run(Command::new("python3")
            .args(["-m", "venv", "--clear"])
            .arg(folder));
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
        npm.args([
            "install",
            "--silent",
            "--no-save",
            "--no-audit",
            "--no-fund",
            "--prefix",
            ".",
        ]);
        run(npm.args(packages).current_dir(folder));
    })
}

/// A folder of the user's cache that `make` fills unless it is there already. Whoever comes meanwhile waits. `versions` names all that the
/// content depends on; another text is another folder.
///
/// # Panics
/// When the cache cannot be written, or `make` panics.
#[must_use]
pub fn kept(name: &str, versions: &str, make: impl FnOnce(&Path)) -> PathBuf {
    kept_in(&cache(), name, versions, make)
}

fn kept_in(cache: &Path, name: &str, versions: &str, make: impl FnOnce(&Path)) -> PathBuf {
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
        return folder;
    }
    remove_unused(cache);
    if folder.exists() {
        fs::remove_dir_all(&folder).expect("a half-made folder is removed");
    }
    fs::create_dir_all(&folder).expect("a folder is made");
    make(&folder);
    fs::write(stamp, complete).expect("written");
    folder
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
    let output = command
        .output()
        .unwrap_or_else(|error| panic!("{command:?}: {error}"));
    String::from_utf8_lossy(&output.stdout).trim().to_owned()
}

fn run(command: &mut Command) {
    let output = command
        .output()
        .unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(
        output.status.success(),
        "{command:?} ended with {}:\n{}",
        output.status,
        String::from_utf8_lossy(&output.stderr)
    );
}

#[cfg(test)]
mod tests;
