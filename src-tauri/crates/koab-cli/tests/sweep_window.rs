//! Sweeps as the window asks for them, by the commands of the table: it and the command line see the same ones.

use crate::support::Koab;
use crate::support::http::{Local, chat, models};
use koab_api::{Api, ErrorCode, JobKind, Nobody, RunRequest, WireError};
use serde_json::{Value, json};
use std::fs;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// A workspace with a window on it.
struct Window {
    koab: Koab,
    api: Api,
}

impl Window {
    fn open() -> Self {
        let koab = Koab::new();
        let api = Api::open(Some(koab.path().to_owned())).expect("opened");
        Self { koab, api }
    }

    async fn call(&self, command: &str, args: Value) -> Result<Value, WireError> {
        let answer = self.api.call(command, args, Arc::new(Nobody)).await?;
        Ok(serde_json::from_str(&answer).expect("JSON"))
    }

    async fn ok(&self, command: &str, args: Value) -> Value {
        self.call(command, args).await.expect(command)
    }

    async fn until(&self, what: &str, holds: impl AsyncFn() -> bool) {
        let waiting = async {
            while !holds().await {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        let waited = tokio::time::timeout(Duration::from_secs(170), waiting).await;
        assert!(waited.is_ok(), "waited in vain until {what}");
    }

    fn job(&self) -> Option<koab_api::Job> {
        let mut jobs = self.api.workspace.jobs().into_iter();
        jobs.rfind(|job| job.kind == JobKind::Sweep)
    }

    /// Starts a sweep and waits until it is over.
    async fn sweep(&self, file: &Value) -> String {
        let id = self.ok("sweep_start", json!({ "file": file })).await;
        self.until("the sweep is over", async || self.job().is_some_and(|job| job.finished)).await;
        id.as_str().expect("an id").to_owned()
    }

    async fn show(&self, id: &str) -> Value {
        self.ok("sweep_show", json!({ "id": id })).await
    }
}

const SWEEP: &str = r#"name = "prompts"
metric = "CallEM"
levels = ["L1"]
[[models]]
id = "baseline/golden"
[settings]
temperature = [0.0, 1.0]
system_prompt = ["none", "short.txt"]
[baseline]
temperature = 1.0
system_prompt = "none"
"#;

#[tokio::test]
async fn the_window_and_the_command_line_see_the_same_sweeps() {
    let window = Window::open();
    let koab = &window.koab;
    assert_eq!(window.ok("sweeps_list", json!({})).await, json!([]));
    let path = koab.path().join("mine").join("sweep.toml");
    let beside = path.with_file_name("short.txt");
    fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
    fs::write(&path, SWEEP).expect("written");
    fs::write(&beside, "짧게 답하세요.\n").expect("written");
    let table = koab.json(&["sweep", path.to_str().expect("UTF-8")]);

    // Begun on the command line, it is in the window with its text, also when its files are gone.
    fs::remove_file(&beside).expect("removed");
    let rows = window.ok("sweeps_list", json!({})).await;
    let row = &rows[0];
    assert_eq!(
        (&row["name"], &row["cells"], &row["made"], &row["runs"]),
        (&json!("prompts"), &json!(4), &json!(4), &json!(4)),
        "{rows}"
    );
    let first = row["id"].as_str().expect("an id");
    let shown = window.show(first).await;
    assert_eq!(shown["table"]["cells"], table["cells"]);
    assert_eq!(shown["plan"]["attempts"], 0);
    assert_eq!(shown["file"]["texts"]["short.txt"], "짧게 답하세요.\n");
    assert_eq!(shown["file"]["packs"], json!(["starter"]));

    // One value more is another sweep that keeps what there is.
    let mut file = shown["file"].clone();
    file["settings"]["temperature"] = json!([0.0, 0.5, 1.0]);
    let plan = window.ok("sweep_plan", json!({ "file": file })).await;
    let runs = plan["runs"].as_array().expect("runs");
    let new = runs.iter().filter(|run| run["state"] == "new").count();
    assert_eq!((runs.len(), new), (6, 2), "{plan}");
    let second = window.sweep(&file).await;
    assert_ne!(second, first);
    let shown = window.show(&second).await;
    assert_eq!((&shown["table"]["done"], &shown["plan"]["attempts"]), (&json!(6), &json!(0)), "{shown}");
    assert_eq!(window.ok("sweeps_list", json!({})).await.as_array().map(Vec::len), Some(2));

    // Saved as one file it is the same on the command line, and opened it is the same in the form.
    let saved = window.ok("sweep_save", json!({ "file": shown["file"] })).await;
    let elsewhere = koab.path().join("saved.toml");
    fs::write(&elsewhere, saved["text"].as_str().expect("a text")).expect("written");
    let word = elsewhere.to_str().expect("UTF-8");
    assert_eq!(koab.json(&["sweep", word, "--dry-run"])["attempts"], 0);
    let opened =
        window.ok("sweep_open", json!({ "paths": [beside.with_file_name("none.md"), elsewhere] })).await;
    assert_eq!(opened, shown["file"]);
    // A higher budget is the same sweep.
    let mut richer = shown["file"].clone();
    richer["max_total_tokens"] = json!(1_000_000);
    assert_eq!(window.sweep(&richer).await, second);

    window.ok("sweep_forget", json!({ "id": first })).await;
    assert_eq!(window.ok("sweeps_list", json!({})).await.as_array().map(Vec::len), Some(1));
    assert_eq!(koab.json(&["runs", "list"]).as_array().map(Vec::len), Some(6));
    for (id, code) in [(first, ErrorCode::NotFound), ("../../koab", ErrorCode::NotFound)] {
        let refused = window.call("sweep_show", json!({ "id": id })).await;
        assert_eq!(refused.expect_err("refused").code, code);
    }
    // A text that is not in the form is none of the working folder.
    let mut elsewhere = shown["file"].clone();
    elsewhere["settings"]["system_prompt"] = json!(["none", "Cargo.toml"]);
    for command in ["sweep_plan", "sweep_save"] {
        let refused = window.call(command, json!({ "file": elsewhere })).await;
        let said = refused.expect_err("refused").message.to_string();
        assert!(said.contains("Cargo.toml has no text"), "{said}");
    }
    // What is wrong with the sweep is said, not that what lies beside it is none.
    let (broken, tools) = (koab.path().join("broken.toml"), koab.path().join("tools.toml"));
    fs::write(&broken, "[[models]]\nident = 1\n").expect("written");
    fs::write(&tools, "Tool = \"x\"\n").expect("written");
    for paths in [[&broken, &tools], [&tools, &broken]] {
        let refused = window.call("sweep_open", json!({ "paths": paths })).await;
        let said = refused.expect_err("refused").message.to_string();
        assert!(said.contains("broken.toml, line"), "{said}");
    }
    let mut nobody = shown["file"].clone();
    nobody["models"] = json!([]);
    let refused = window.call("sweep_plan", json!({ "file": nobody })).await;
    let said = refused.expect_err("refused").message.to_string();
    assert!(said.contains("names no model"), "{said}");
}

#[tokio::test]
async fn a_sweep_is_cancelled_and_started_again_and_queued_runs_wait_for_it() {
    let delay = Arc::new(AtomicU64::new(100));
    let takes = Arc::clone(&delay);
    let server = Local::start(move |request| {
        if !request.line.starts_with("POST") {
            return models(&["cold"]);
        }
        std::thread::sleep(Duration::from_millis(takes.load(Ordering::SeqCst)));
        (200, chat("모르겠습니다."))
    });
    let window = Window::open();
    let path = window.koab.path().join("sweep.toml");
    // What may be a secret in an address is in no kept file, and the runs are found all the same.
    let address = server.address.replace("://", "://name:geheim@");
    let text = SWEEP
        .replace(
            "baseline/golden\"",
            &format!("openai_compat/cold\"\nbase_url = \"{address}/v1?key=geheim\""),
        )
        .replace("system_prompt = [\"none\", \"short.txt\"]\n", "")
        .replace("system_prompt = \"none\"\n", "")
        .replace("name = ", "concurrency = 1\nname = ");
    fs::write(&path, text).expect("written");
    let file = window.ok("sweep_open", json!({ "paths": [path] })).await;
    let id = window.ok("sweep_start", json!({ "file": file })).await;
    let id = id.as_str().expect("an id").to_owned();
    let kept =
        fs::read_to_string(window.koab.path().join("sweeps").join(format!("{id}.toml"))).expect("kept");
    assert!(kept.contains("openai_compat/cold") && !kept.contains("geheim"), "{kept}");
    window.until("an attempt is over", async || window.job().is_some_and(|job| job.done > 0)).await;
    let busy = window.call("sweep_start", json!({ "file": file })).await;
    assert_eq!(busy.expect_err("refused").code, ErrorCode::Busy);
    let refused = window.call("sweep_forget", json!({ "id": id })).await;
    assert_eq!(refused.expect_err("refused").code, ErrorCode::Busy);
    let run =
        RunRequest { tasks: vec!["L1-001".into()], ..RunRequest::published("waits", "baseline/golden") };
    let now = window.ok("run_queue", json!({ "requests": [run] })).await;
    assert_eq!((&now["current"], now["queue"].as_array().map(Vec::len)), (&Value::Null, Some(1)), "{now}");

    let job = window.job().expect("a job");
    window.ok("job_cancel", json!({ "id": job.id })).await;
    window.until("it is cancelled", async || window.job().is_some_and(|job| job.finished)).await;
    let error = window.job().and_then(|job| job.error).expect("it says so");
    assert_eq!(error.code, ErrorCode::Cancelled);
    window
        .until("the run that waited is over", async || {
            let now = window.ok("runs_now", json!({})).await;
            now["current"].is_null() && now["ended"].as_array().is_some_and(|ended| ended.len() == 1)
        })
        .await;
    let shown = window.show(&id).await;
    let begun = &shown["plan"]["runs"][0];
    assert_eq!((&begun["state"], &begun["outcome"]), (&json!("begun"), &json!("cancelled")), "{shown}");
    assert_eq!(shown["plan"]["runs"][1]["run"], Value::Null);
    // What is missing of the address is said, and nobody is asked without it.
    let notes = shown["table"]["notes"].to_string();
    assert!(notes.contains("was kept without its password and query"), "{notes}");
    let refused = window.call("sweep_start", json!({ "file": shown["file"] })).await;
    let said = refused.expect_err("refused").message.to_string();
    assert!(said.contains("give it again"), "{said}");

    delay.store(0, Ordering::SeqCst);
    assert_eq!(window.sweep(&file).await, id);
    let shown = window.show(&id).await;
    assert_eq!((&shown["table"]["done"], &shown["plan"]["attempts"]), (&json!(2), &json!(0)), "{shown}");
    assert_eq!(shown["table"]["cells"][0]["results"][0]["run"], begun["run"]);
}
