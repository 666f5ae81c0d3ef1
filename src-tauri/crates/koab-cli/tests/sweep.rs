//! Sweeps from their files to their tables, against scripted models.

mod judged;
mod killed;
mod refused;
mod texts;

use crate::support::Koab;
use crate::support::http::{Local, chat, models};
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// `warm` answers well at a temperature of 0.7 and badly else, `cold` badly; a judge finds good answers right. Counts what models
/// are asked.
fn server() -> (Local, Arc<AtomicUsize>) {
    let asked = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&asked);
    let server = Local::start(move |request| {
        if !request.line.starts_with("POST") {
            return models(&["warm", "cold", "judge"]);
        }
        let said = request.body["messages"].to_string();
        let is_warm = request.body["model"] == "warm" && request.body["temperature"] == 0.7;
        let reply = match request.body["model"].as_str() {
            Some("judge") => {
                chat(&json!({ "reason": "r", "success": said.contains("좋은 답변") }).to_string())
            }
            _ => {
                count.fetch_add(1, Ordering::SeqCst);
                std::thread::sleep(Duration::from_millis(5));
                chat(if is_warm { "좋은 답변입니다." } else { "모르겠습니다." })
            }
        };
        (200, reply)
    });
    (server, asked)
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..")
}

/// A folder's files without what belongs to scenarios.
fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder");
    for entry in fs::read_dir(from).expect("a folder").flatten() {
        let (path, name) = (entry.path(), entry.file_name());
        if path.is_file() {
            fs::copy(&path, to.join(name)).expect("copied");
        } else if name != "scenarios" {
            copy(&path, &to.join(name));
        }
    }
}

/// A workspace with two packs and a file of 2 models × 3 temperatures × 2 packs.
fn prepared(url: &str) -> (Koab, PathBuf) {
    let koab = Koab::new();
    let folder = koab.path().join("second");
    copy(&root().join("tasks"), &folder.join("tasks"));
    copy(&root().join("cache"), &folder.join("cache"));
    let manifest = folder.join("tasks/pack.json");
    let mut text: Value = crate::support::read_json(&manifest);
    text["name"] = "second".into();
    fs::write(&manifest, text.to_string()).expect("written");
    koab.ok(&["pack", "import", folder.to_str().expect("UTF-8")]);
    let file = koab.path().join("sweep.toml");
    let text = format!(
        r#"name = "temperatures"
packs = ["starter", "second"]
levels = ["L1", "L2", "L3"]
repetitions = 2
concurrency = 2
[[models]]
id = "openai_compat/warm"
base_url = "{url}"
[[models]]
id = "openai_compat/cold"
base_url = "{url}"
[settings]
temperature = [0.0, 0.7, 1.0]
[judges]
models = ["openai_compat/judge"]
base_url = "{url}"
[baseline]
model = "openai_compat/cold"
temperature = 0.7
"#
    );
    fs::write(&file, text).expect("written");
    (koab, file)
}

fn swept(koab: &Koab, word: &str) -> (i32, Value) {
    let ran = koab.run(&["sweep", word, "--json"]);
    let table = serde_json::from_str(&ran.stdout);
    (ran.code, table.unwrap_or_else(|error| panic!("{error}: {} {}", ran.stdout, ran.stderr)))
}
