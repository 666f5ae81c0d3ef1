//! The published pack in a workspace. Importing its 4,582 recorded answers takes seconds, so one workspace is made for all tests of a build and
//! copied. Tests about importing import for themselves.

use super::Koab;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

const DATABASE: &str = "koab.sqlite";

/// Copies the prepared workspace; the first test makes it while the others wait.
pub(super) fn copy_into(koab: &Koab, shared: &Path) {
    let target = koab.path().join(DATABASE);
    assert!(!target.exists(), "the workspace is not empty: {}", target.display());
    fs::copy(prepared(shared), target).expect("the prepared workspace is copied");
}

/// The database of a workspace into which this build imported the pack.
fn prepared(shared: &Path) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("published");
    fs::create_dir_all(&folder).expect("made");
    let lock = File::create(folder.join("lock")).expect("a lock file");
    lock.lock().expect("locked");
    let stamp = stamp(shared);
    let database = folder.join(format!("{stamp}.sqlite"));
    if database.exists() {
        return database;
    }
    // Those of earlier builds.
    for entry in fs::read_dir(&folder).expect("read").flatten() {
        if entry.path().extension().is_some_and(|extension| extension == "sqlite") {
            fs::remove_file(entry.path()).expect("removed");
        }
    }
    let koab = Koab::new();
    let pack = shared.join("ko-agentbench").display().to_string();
    koab.ok(&["pack", "import", &pack, "--use"]);
    let log = koab.path().join(format!("{DATABASE}-wal"));
    assert!(fs::metadata(&log).map_or(0, |log| log.len()) == 0, "all of it is in the database itself");
    let half = folder.join("half-made");
    fs::copy(koab.path().join(DATABASE), &half).expect("copied");
    fs::rename(half, &database).expect("renamed");
    database
}

/// Stands for the program and the pack's files.
fn stamp(shared: &Path) -> String {
    let time = |path: &Path| {
        let time = fs::metadata(path).and_then(|meta| meta.modified()).expect("a time");
        time.duration_since(SystemTime::UNIX_EPOCH).expect("after 1970").as_nanos()
    };
    let pack = shared.join("ko-agentbench");
    let catalog = pack.join("tool_catalog.json");
    format!("{}-{}-{}", time(Path::new(env!("CARGO_BIN_EXE_koab"))), time(&pack), time(&catalog))
}
