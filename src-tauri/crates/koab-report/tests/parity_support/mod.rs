//! Finds and reads the reference material beside the repository.

#![allow(dead_code, unreachable_pub, reason = "each test binary uses its own part of this")]
#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "this is part of tests")]

use koab_core::judge::{Panel, Verdicts};
use koab_core::level::Level;
use koab_core::log::LevelLog;
use koab_core::protocol::Protocol;
use koab_core::score::MetricSet;
use koab_report::{Dataset, EvaluationOptions, Report, evaluate};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

pub const JUDGE: &str = "azure/gpt-4.1-mini";

/// `../shared/<part>` beside the repository. Without it the test prints a `SKIP:` line, or fails when everything is
/// required.
pub fn shared(part: &str) -> Option<PathBuf> {
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

/// `../shared/<part>` beside the repository, or a data set that `cargo xtask setup parity` fetched. Without either the test
/// prints a `SKIP:` line, or fails when everything is required.
pub fn published(part: &str, set: &str) -> Option<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..");
    let fetched = std::env::var_os("KOAB_PARITY").map_or_else(|| root.join("target/parity"), PathBuf::from);
    let places = [root.join("../shared").join(part), fetched.join(set)];
    if let Some(path) = places.into_iter().find(|path| path.exists()) {
        return Some(path);
    }
    assert!(
        std::env::var_os("KOAB_REQUIRE_ALL").is_none_or(|value| value != "1"),
        "the reference material {part} is neither beside the repository nor fetched"
    );
    eprintln!("SKIP: ../shared/{part} is not beside the checkout; `cargo xtask setup parity` fetches it");
    None
}

pub fn text(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

pub fn json(path: &Path) -> Value {
    serde_json::from_str(&text(path)).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// A published run with everything that is needed to score it again.
pub struct Run {
    /// Folder name.
    pub model: String,
    pub logs: Vec<LevelLog>,
    pub verdicts: Verdicts,
}

/// The published runs in order of their names.
pub fn runs(parity: &Path) -> Vec<Run> {
    let replay = json(&parity.join("judge_replay.json"));
    let expected = json(&parity.join("expected.json"));
    let models = expected.as_object().unwrap().keys();
    models
        .map(|model| {
            let folder = parity.join("logs/benchmark_results/by_model").join(model);
            let run = fs::read_dir(folder).unwrap().next().unwrap().unwrap().path();
            let logs =
                Level::ALL.map(|level| LevelLog::read(&json(&run.join(format!("{level}.json")))).unwrap());
            let verdicts = Verdicts::from_replay(&replay, model).unwrap();
            Run { model: model.clone(), logs: logs.into(), verdicts }
        })
        .collect()
}

pub fn options(scorer: Protocol, metrics: MetricSet, evaluation_date: &str) -> EvaluationOptions {
    EvaluationOptions {
        scorer,
        metrics,
        panel: Panel { judges: vec![JUDGE.to_owned()], ..Panel::default() },
        execution_date: "20251219".to_owned(),
        evaluation_date: evaluation_date.to_owned(),
        ..EvaluationOptions::default()
    }
}

/// The leaderboard report of a run.
pub fn report(run: &Run, metrics: MetricSet, evaluation_date: &str) -> Report {
    let options = options(Protocol::Leaderboard, metrics, evaluation_date);
    evaluate(&run.logs, &Dataset::none(), &run.verdicts, &options)
}
