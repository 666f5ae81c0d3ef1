//! Packs and what is published of them, fetched from a hub or as archives of repositories, against a server on this machine.

mod archives;
mod benchmarks;
mod checkout;
mod disk;
mod files;
mod own;
mod published;
mod pulls;

use crate::support::hub::Hub;
use crate::support::{Koab, Ran};
use serde_json::Value;
use std::path::PathBuf;
use std::process::Command;

/// The dataset that most tests fetch.
const BENCHMARK: &str = "huggingface-KREW/Ko-AgentBench";

/// A workspace whose hub and cache are the test's own.
struct Here {
    koab: Koab,
    hub: Hub,
}

impl Here {
    fn new() -> Self {
        Self {
            koab: Koab::new(),
            hub: Hub::start(),
        }
    }

    fn cache(&self) -> PathBuf {
        self.koab.path().join("hf/hub")
    }

    fn command(&self, words: &[&str]) -> Command {
        let mut command = self.koab.command(words);
        for name in [
            "HF_HUB_CACHE",
            "HUGGINGFACE_HUB_CACHE",
            "HF_TOKEN",
            "HUGGINGFACE_API_KEY",
            "HF_HUB_OFFLINE",
        ] {
            command.env_remove(name);
        }
        command
            .env("HF_ENDPOINT", &self.hub.address)
            .env("HF_HOME", self.koab.path().join("hf"));
        command
    }

    fn run(&self, words: &[&str]) -> Ran {
        crate::support::ran(self.command(words).output().expect("koab starts"))
    }

    fn ok(&self, words: &[&str]) -> Value {
        let ran = self.run(&[words, &["--json", "--quiet"]].concat());
        assert_eq!(ran.code, 0, "koab {words:?}\n{}\n{}", ran.stdout, ran.stderr);
        serde_json::from_str(&ran.stdout).expect("one JSON document")
    }

    /// Runs, insists on a failure, and gives its sentence without what differs from run to run.
    fn sentence(&self, words: &[&str]) -> String {
        let ran = self.run(&[words, &["--quiet"]].concat());
        assert_ne!(ran.code, 0, "koab {words:?} worked: {}", ran.stdout);
        self.plain(ran.stderr.trim())
    }

    fn plain(&self, text: &str) -> String {
        text.replace(&self.hub.address, "HUB")
            .replace(&self.koab.path().display().to_string(), "HOME")
    }

    /// Names of the installed packs.
    fn packs(&self) -> Vec<String> {
        let packs = self.ok(&["pack", "list"]);
        let name = |pack: &Value| pack["name"].as_str().expect("a name").to_owned();
        packs.as_array().expect("a list").iter().map(name).collect()
    }
}
