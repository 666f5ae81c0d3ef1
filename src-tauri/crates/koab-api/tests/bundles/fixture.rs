//! A workspace with a run, its reports and its bundle.

use koab_api::finding::{Finding, Severity};
use koab_api::options::{EvaluateOptions, JudgeChoice, RunChoice};
use koab_api::{
    Api, BundleRequest, BundleWritten, Cancel, CheckName, EventSink, Level, Protocol, RunEvent, RunRequest,
};
use koab_api::{Verification, WireError, verify_bundle};
use koab_core::run_record::RequestedSettings;
use serde_json::{Map, Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

pub(crate) const JUDGES: [&str; 2] = ["openai/judge-a", "openai/judge-b"];

pub(crate) struct Fixture {
    pub(crate) folder: TempDir,
    pub(crate) api: Api,
    pub(crate) run: String,
    pub(crate) bundle: PathBuf,
}

impl Fixture {
    /// The golden baseline over the starter pack, by two judges and both scorers.
    pub(crate) async fn judged() -> Self {
        Self::new(RunRequest::published("one", "baseline/golden"), true).await
    }

    /// A task or two of each level, by two judges and both scorers: enough for every change, and quick to verify often.
    pub(crate) async fn few(model: &str) -> Self {
        let tasks = ["L1-001", "L1-002", "L2-001", "L3-001", "L4-001", "L5-001", "L6-001", "L7-001"];
        let options = RunRequest {
            tasks: tasks.map(str::to_owned).into(),
            settings: RequestedSettings { seed: Some(3), ..RequestedSettings::published() },
            ..RunRequest::published("one", model)
        };
        Self::new(options, true).await
    }

    /// One level, no judge.
    pub(crate) async fn small() -> Self {
        let options =
            RunRequest { levels: vec![Level::L1], ..RunRequest::published("one", "baseline/golden") };
        Self::new(options, false).await
    }

    pub(crate) async fn new(options: RunRequest, with_judges: bool) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let api = Api::open(Some(folder.path().join("home"))).unwrap();
        let run = run(&api, options).await;
        let judges = match with_judges {
            true => JudgeChoice::Replay(judged(&api, &run, folder.path())),
            false => JudgeChoice::Nobody,
        };
        let options = EvaluateOptions {
            judges,
            scorers: vec![Protocol::Leaderboard, Protocol::Corrected],
            evaluation_date: Some("2026-11-22T10:00:00".to_owned()),
            ..EvaluateOptions::published(RunChoice::Run(run.clone()))
        };
        api.runs.scoring.evaluate(options, &|_, _| {}, &Cancel::new()).await.unwrap();
        let bundle = folder.path().join("b.koab");
        let fixture = Self { folder, api, run, bundle };
        fixture.write(BundleRequest::default(), &fixture.bundle).await.unwrap();
        fixture
    }

    /// A bundle of the world's run.
    pub(crate) async fn write(&self, request: BundleRequest, to: &Path) -> Result<BundleWritten, WireError> {
        let request = BundleRequest { run: self.run.clone(), ..request };
        self.api.exchange.bundle_write(request, Vec::new(), to.to_owned(), &Cancel::new()).await
    }
}

/// Makes a run and gives its id.
pub(crate) async fn run(api: &Api, options: RunRequest) -> String {
    struct Nobody;
    impl EventSink for Nobody {
        fn send(&self, _: &RunEvent) {}
    }
    api.runs.run(options, std::sync::Arc::new(Nobody), Cancel::new()).await.unwrap();
    api.runs.library.runs_list().unwrap().remove(0).id
}

/// Answers of two judges to whatever the tasks of a run are asked, as a file to replay.
pub(crate) fn judged(api: &Api, run: &str, folder: &Path) -> PathBuf {
    let mut levels = Map::new();
    for (number, task) in api.runs.library.run_tasks(run).unwrap().into_iter().enumerate() {
        let vote = |judge: &str, success: bool| json!({"judge": judge, "success": success, "reason": format!("{} says {judge}", task.id)});
        let grade = |judge: &str, score: usize| json!({"judge": judge, "score": score, "reason": format!("{} by {judge}", task.id)});
        let both = |answer: &dyn Fn(&str, usize) -> Value| {
            vec![answer(JUDGES[0], 5), answer(JUDGES[1], number % 5 + 1)]
        };
        let grades = both(&grade);
        let answers = json!({
            "SR": [vote(JUDGES[0], true), vote(JUDGES[0], number % 3 > 0), vote(JUDGES[0], number % 2 > 0)],
            "ArgAcc": grades,
            "EffScore": both(&|judge, score| vote(judge, score > 2)),
            "ContextRetention": grades,
            "RefRecall": grades,
        });
        let level = levels.entry(task.level.to_string()).or_insert_with(|| json!({}));
        level[&task.id] = answers;
    }
    let path = folder.join("replay.json");
    fs::write(&path, Value::Object(levels).to_string()).unwrap();
    path
}

pub(crate) fn verify(bytes: &[u8]) -> Verification {
    verify_with(bytes, None).unwrap()
}

pub(crate) fn verify_with(bytes: &[u8], key: Option<&str>) -> Result<Verification, WireError> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("b.koab");
    fs::write(&path, bytes).unwrap();
    verify_bundle(&path, key, &|_, _| {}, &Cancel::new())
}

/// The checks as lines; only the failures when there are any.
pub(crate) fn summary(found: &Verification) -> String {
    let lines = found.checks.iter().filter(|check| found.ok || check.is_error());
    let line = |check: &Finding<CheckName>| {
        let state = match check.severity {
            Severity::Pass => "held",
            Severity::Error => "FAILED",
            _ => "open",
        };
        let name = serde_json::to_value(check.code).unwrap();
        format!("{state} {} {}", name.as_str().unwrap(), check.located())
    };
    lines.map(line).collect::<Vec<_>>().join("\n")
}

/// `../shared/<part>` beside the repository. Without it the test prints a `SKIP:` line, or fails when everything is
/// required.
pub(crate) fn shared(part: &str) -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../../shared").join(part);
    if path.exists() {
        return Some(path);
    }
    assert!(
        std::env::var_os("KOAB_REQUIRE_ALL").is_none_or(|value| value != "1"),
        "the reference material {part} is not beside the repository"
    );
    eprintln!("SKIP: ../shared/{part} is not beside the checkout");
    None
}

pub(crate) fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::write(target, fs::read(entry.path()).unwrap()).unwrap();
        }
    }
}
