use crate::tests::desk::{Desk, on_l1, refused};
use koab_core::protocol::Protocol;
use koab_library::RunRequest;
use koab_library::options::{EvaluateOptions, RunChoice};
use koab_report::comparability::Grade;
use serde_json::json;

#[tokio::test]
async fn a_run_of_the_starter_pack_is_not_one_of_the_leaderboard() {
    let desk = Desk::new();
    let run = desk.made("baseline/golden").await;
    let verdict = desk.runs.library.run_comparability(&run).unwrap();
    assert_eq!(verdict.leaderboard.grade, Grade::NotComparable);
    let facts = &verdict.facts;
    let pack = facts.pack.value.as_ref().map(|pack| json!(pack)).unwrap();
    assert!(pack.to_string().contains("starter"), "{pack}");
    let shown = desk.runs.library.run_shown(&run).unwrap();
    assert_eq!(json!(shown.comparability), json!(verdict));
    assert_eq!(shown.run.id, run);
    assert!(shown.conduct.is_none());
    refused(desk.runs.library.run_comparability("none").map(drop), "none");
    refused(desk.runs.library.run_shown("none").map(drop), "none");
    refused(desk.runs.library.report_comparability("none").map(drop), "none");
}

#[tokio::test]
async fn a_report_keeps_what_was_known_when_its_run_is_gone() {
    let desk = Desk::new();
    let run = desk.made("baseline/golden").await;
    let report = desk.scored(&run, Protocol::Leaderboard).await;
    let before = desk.runs.library.report_comparability(&report).unwrap();
    let counted: u32 = before.facts.tasks.value.iter().flatten().map(|level| level.count).sum();
    assert_eq!(counted as usize, desk.runs.library.run_tasks(&run).unwrap().len());
    std::fs::remove_dir_all(desk.runs.library.run_meant(&run).unwrap().run.folder).unwrap();
    let other = crate::Runs::at(desk.folder.path());
    let after = other.library.report_comparability(&report).unwrap();
    assert_eq!(json!(after.facts), json!(before.facts));
    assert_eq!(after.leaderboard.grade, before.leaderboard.grade);
}

#[tokio::test]
async fn only_levels_that_were_scored_have_calls_in_a_report() {
    let desk = Desk::new();
    let request = RunRequest {
        levels: ["L1", "L3"].map(|level| level.parse().unwrap()).into(),
        ..on_l1("baseline/golden")
    };
    let run = desk.run(request).await;
    let options = EvaluateOptions {
        levels: vec!["L3".parse().unwrap()],
        ..EvaluateOptions::published(RunChoice::Run(run.clone()))
    };
    let scored = desk.runs.scoring.evaluate(options, &|_, _| {}, &koab_engine::ports::Cancel::new()).await;
    let report = scored.unwrap().reports.remove(0).id;
    let facts = desk.runs.library.report_comparability(&report).unwrap().facts;
    let levels: Vec<String> =
        (facts.tasks.value.iter().flatten()).map(|level| level.level.to_string()).collect();
    assert_eq!(levels, ["L3"]);
    let calls = facts.calls.value.unwrap();
    assert!(calls.levels.iter().all(|row| row.level.as_ref().is_some_and(|level| level.to_string() == "L3")));
    let of_run = desk.runs.library.run_comparability(&run).unwrap().facts.calls.value.unwrap();
    assert_eq!(of_run.levels.len(), 2, "the run has both");
}
