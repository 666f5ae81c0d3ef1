//! The kept workspaces: each unpacked into a folder of its own, asked by the binary or as the window asks.

use crate::support::{Koab, read_json};
use koab_api::{Api, Nobody};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A workspace as a version left it.
pub(crate) struct OldWorkspace {
    /// The version, by its folder's name.
    pub(crate) version: String,
    pub(crate) koab: Koab,
    /// What the version itself said of it.
    pub(crate) expected: Value,
    /// What lay beside the workspace: a bundle and a folder for the leaderboard.
    beside: tempfile::TempDir,
}

impl OldWorkspace {
    fn open(folder: &Path) -> Self {
        let (koab, beside) = (Koab::new(), tempfile::tempdir().expect("a folder"));
        let version = folder.file_name().expect("a name").to_string_lossy().into_owned();
        // All versions are in one archive, because their packs are the same bytes.
        let packed = fs::File::open(folder.with_file_name("workspaces.tar.zst")).expect("the workspaces");
        let mut archive = tar::Archive::new(zstd::Decoder::new(packed).expect("zstd"));
        for entry in archive.entries().expect("a tar") {
            let mut entry = entry.expect("an entry");
            let path = entry.path().expect("a name").into_owned();
            let Ok(path) = path.strip_prefix(&version) else {
                continue;
            };
            let target = match path.strip_prefix("ws") {
                Ok(within) => koab.path().join(within),
                Err(_) => beside.path().join(path),
            };
            if entry.header().entry_type().is_dir() {
                fs::create_dir_all(target).expect("a folder");
            } else {
                entry.unpack(target).expect("unpacked");
            }
        }
        Self { version, expected: read_json(&folder.join("expected.json")), koab, beside }
    }

    /// The folder of a run by its name in the README.
    pub(crate) fn run(&self, name: &str) -> PathBuf {
        let id = self.expected["runs"][name].as_str().expect("a run");
        self.koab.path().join("logs/benchmark_results/by_model").join(id)
    }

    /// A word of a command line, with the place of what lies beside the workspace.
    pub(crate) fn word(&self, word: &str) -> String {
        if !word.starts_with("submission") {
            return word.to_owned();
        }
        let place = self.beside.path().join(word);
        place.to_str().expect("UTF-8").to_owned()
    }

    /// What the window is answered.
    pub(crate) fn window(&self, command: &str, args: &Value) -> Value {
        let runtime = tokio::runtime::Runtime::new().expect("a runtime");
        let api = Api::open(Some(self.koab.path().to_owned())).expect("the workspace opens");
        let answer = runtime.block_on(api.call(command, args.clone(), Arc::new(Nobody)));
        let answer = answer.unwrap_or_else(|error| panic!("{}: {command} {args}: {error:?}", self.version));
        serde_json::from_str(&answer).expect("JSON")
    }
}

/// Does it with every kept workspace, each unpacked anew.
pub(crate) fn each(mut check: impl FnMut(&OldWorkspace)) {
    let here = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/workspaces");
    let entries = fs::read_dir(here).expect("this folder").flatten();
    let mut versions: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    versions.retain(|path| path.join("expected.json").is_file());
    versions.sort();
    assert!(versions.len() >= 2, "{versions:?}");
    for folder in versions {
        check(&OldWorkspace::open(&folder));
    }
}

/// Whether everything that was said still is: later versions may say more, so an object may have other keys besides.
pub(crate) fn holds(said: &Value, now: &Value, at: &str, differences: &mut Vec<String>) {
    match (said, now) {
        (Value::Object(said), Value::Object(now)) => {
            for (key, value) in said {
                let found = now.get(key).unwrap_or(&Value::Null);
                holds(value, found, &format!("{at}.{key}"), differences);
            }
        }
        (Value::Array(said), Value::Array(now)) if said.len() == now.len() => {
            for (place, (said, now)) in said.iter().zip(now).enumerate() {
                holds(said, now, &format!("{at}[{place}]"), differences);
            }
        }
        (Value::Number(said), Value::Number(now)) => {
            // Of the last digit another processor's mathematics may have another one.
            let near = said
                .as_f64()
                .zip(now.as_f64())
                .is_some_and(|(said, now)| (said - now).abs() <= 1e-9 * said.abs().max(1.0));
            if !near {
                differences.push(format!("{at}: {said} became {now}"));
            }
        }
        _ if said == now => {}
        _ => differences.push(format!("{at}: {said} became {now}")),
    }
}
