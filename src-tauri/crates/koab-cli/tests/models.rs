//! Models on this disk: fetched from a hub, listed, verified, deleted, added; and model servers on this machine.

mod disk;
mod pulls;
mod servers;

use crate::support::hub::Hub;
use crate::support::{Koab, Ran};
use serde_json::json;
use std::path::PathBuf;

/// The name of the model that most tests fetch.
const TINY: &str = "tiny/model";

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

    fn run_with(&self, words: &[&str], environment: &[(&str, &str)]) -> Ran {
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
            .env("HF_HOME", self.koab.path().join("hf"))
            .envs(environment.iter().copied());
        crate::support::ran(command.output().expect("koab starts"))
    }

    fn run(&self, words: &[&str]) -> Ran {
        self.run_with(words, &[])
    }

    fn ok(&self, words: &[&str]) -> serde_json::Value {
        let ran = self.run(&[words, &["--json", "--quiet"]].concat());
        assert_eq!(ran.code, 0, "koab {words:?}\n{}\n{}", ran.stdout, ran.stderr);
        serde_json::from_str(&ran.stdout).expect("one JSON document")
    }

    /// Runs, insists on a failure, and gives its sentence without what differs from run to run.
    fn sentence(&self, words: &[&str]) -> String {
        let ran = self.run(&[words, &["--quiet"]].concat());
        assert_ne!(ran.code, 0, "koab {words:?} worked: {}", ran.stdout);
        ran.stderr
            .trim()
            .replace(&self.hub.address, "HUB")
            .replace(&self.koab.path().display().to_string(), "HOME")
    }
}

/// Bytes that differ from place to place.
fn noise(length: usize) -> Vec<u8> {
    (0..length as u64)
        .map(|at| (at.wrapping_mul(2_654_435_761) >> 13) as u8)
        .collect()
}

/// A repository as model makers leave them: two weights, a tokenizer, and much that no run needs.
fn tiny_model() -> Vec<(&'static str, Vec<u8>)> {
    let config = json!({ "architectures": ["Qwen2ForCausalLM"], "max_position_embeddings": 4096 });
    let index = json!({ "weight_map": { "a": "model-00001-of-00002.safetensors", "b": "model-00002-of-00002.safetensors" } });
    vec![
        (".gitattributes", b"*.safetensors filter=lfs".to_vec()),
        ("README.md", b"---\nlicense: apache-2.0\n---\n# Tiny".to_vec()),
        ("config.json", config.to_string().into_bytes()),
        ("model-00001-of-00002.safetensors", noise(300_000)),
        ("model-00002-of-00002.safetensors", noise(200_000)),
        ("model.safetensors.index.json", index.to_string().into_bytes()),
        ("pytorch_model.bin", noise(999)),
        ("tokenizer.json", noise(5_000)),
        ("tokenizer_config.json", b"{}".to_vec()),
    ]
}
