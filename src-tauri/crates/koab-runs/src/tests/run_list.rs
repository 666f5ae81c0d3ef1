use crate::tests::desk::{Desk, on_l1, refused};
use koab_core::level::Level;
use koab_core::protocol::Protocol;
use koab_core::run_record::RequestedSettings;
use koab_library::RunRequest;
use koab_library::options::{EvaluateOptions, RunChoice};

#[tokio::test]
async fn a_run_is_listed_with_what_it_was_made_of() {
    let desk = Desk::new();
    assert!(desk.runs.library.runs_list().unwrap().is_empty());
    let request = RunRequest {
        levels: vec![Level::L3, Level::L1],
        settings: RequestedSettings { protocol: Protocol::Corrected, ..on_l1("baseline/silent").settings },
        ..on_l1("baseline/silent")
    };
    let run = desk.run(request).await;
    let listed = desk.runs.library.runs_list().unwrap();
    assert_eq!(listed.len(), 1);
    let row = &listed[0];
    assert_eq!(
        (row.id.as_str(), row.model.as_str(), row.protocol),
        (run.as_str(), "baseline/silent", Some(Protocol::Corrected))
    );
    assert!(row.complete && row.held_by.is_none() && row.completes.is_none() && row.agent.is_none());
    assert!(row.pack.as_deref().is_some_and(|pack| pack.starts_with("starter@")));
    let levels: Vec<String> = row.levels.iter().map(|row| row.level.to_string()).collect();
    assert_eq!(levels, ["L1", "L3"], "in their order, however they were asked for");
    assert_eq!(desk.runs.library.run_show("last").unwrap().id, run);
    refused(desk.runs.library.run_show("none").map(drop), "none");
}

#[tokio::test]
async fn tags_are_trimmed_and_kept_once_and_a_note_of_one_s_own_stays() {
    let desk = Desk::new();
    let run = desk.made("baseline/silent").await;
    let tags = ["a", " b ", "a", "", " "].map(str::to_owned).into();
    let kept = desk.runs.library.run_remark(&run, tags, "mine".to_owned()).unwrap();
    assert_eq!((kept.tags, kept.note.as_str()), (vec!["a".to_owned(), "b".to_owned()], "mine"));
    desk.runs.library.run_note(&run, "of the gate".to_owned()).unwrap();
    assert_eq!(desk.runs.library.run_show(&run).unwrap().note, "mine");
    desk.runs.library.run_remark(&run, vec!["c".to_owned()], String::new()).unwrap();
    desk.runs.library.run_note(&run, "of the gate".to_owned()).unwrap();
    let shown = desk.runs.library.run_show(&run).unwrap();
    assert_eq!((shown.note.as_str(), shown.tags), ("of the gate", vec!["c".to_owned()]));
    let other = crate::Runs::at(desk.folder.path());
    assert_eq!(other.library.run_show(&run).unwrap().note, "of the gate", "another session sees it");
    refused(desk.runs.library.run_remark("none", Vec::new(), String::new()).map(drop), "none");
}

#[tokio::test]
async fn a_run_in_the_trash_comes_back_with_its_remark_and_one_that_is_deleted_does_not() {
    let desk = Desk::new();
    let run = desk.made("baseline/golden").await;
    desk.runs.library.run_remark(&run, vec!["kept".to_owned()], String::new()).unwrap();
    let tasks = desk.runs.library.run_tasks(&run).unwrap().len();
    desk.runs.run_trash(&run).unwrap();
    assert!(desk.runs.library.runs_list().unwrap().is_empty());
    refused(desk.runs.run_trash(&run), &run);
    desk.runs.run_restore(&run).unwrap();
    assert_eq!(desk.runs.library.run_show(&run).unwrap().tags, ["kept"]);
    assert_eq!(desk.runs.library.run_tasks(&run).unwrap().len(), tasks);
    assert!(desk.runs.run_restore(&run).is_err(), "it is back already");
    for word in ["..", "", "/", "none"] {
        assert!(desk.runs.run_trash(word).is_err(), "{word}");
        assert!(desk.runs.run_restore(word).is_err(), "{word}");
        assert!(desk.runs.run_delete(word).is_err(), "{word}");
    }
    desk.runs.run_delete(&run).unwrap();
    assert!(desk.runs.library.runs_list().unwrap().is_empty());
    assert!(desk.runs.run_restore(&run).is_err(), "it is gone for good");
}

#[tokio::test]
async fn a_report_outlives_its_run() {
    let desk = Desk::new();
    let run = desk.made("baseline/golden").await;
    let report = desk.scored(&run, Protocol::Leaderboard).await;
    let view = desk.runs.library.report_show(&report).unwrap().expect("a report");
    desk.runs.run_delete(&run).unwrap();
    let after = desk.runs.library.report_show(&report).unwrap().expect("a report");
    assert_eq!(serde_json::json!(after.overall), serde_json::json!(view.overall));
    assert_eq!(desk.runs.library.reports_library().unwrap().len(), 1);
}

#[tokio::test]
async fn a_run_with_a_damaged_file_is_listed_and_neither_gone_on_with_nor_removed() {
    let desk = Desk::new();
    let run = desk.made("baseline/silent").await;
    let folder = desk.runs.library.run_show(&run).unwrap().folder;
    let listed = || desk.runs.library.runs_list().unwrap().remove(0);
    assert!(listed().unreadable.is_none());
    let submission = std::path::Path::new(&folder).join(koab_cluster::SUBMISSION);
    std::fs::write(&submission, "{").unwrap();
    let row = listed();
    let why = row.unreadable.expect("said").to_string();
    assert!(why.contains("cluster.json") && why.contains("move it away"), "{why}");
    assert!(row.resume.is_none());
    refused(desk.runs.run_delete(&run).map(drop), "cluster.json");
    std::fs::remove_file(&submission).unwrap();
    std::fs::write(std::path::Path::new(&folder).join("run.json"), "{").unwrap();
    let row = listed();
    assert!(row.unreadable.expect("said").to_string().contains("run.json"));
    assert!(row.status.is_none() && row.resume.is_none() && !row.complete);
}

#[tokio::test]
async fn a_database_that_cannot_be_read_is_no_empty_data_set() {
    let desk = Desk::new();
    let run = desk.made("baseline/golden").await;
    let database = desk.runs.workspace.home().database();
    std::fs::write(&database, [7; 8192]).unwrap();
    let later = crate::Runs::at(desk.folder.path());
    let options = EvaluateOptions::published(RunChoice::Run(run));
    let read = later.library.read_run(&options).unwrap();
    refused(later.library.dataset(&read).map(drop), "koab.sqlite");
}
