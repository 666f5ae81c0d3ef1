use crate::tests::desk::{Desk, refused};
use koab_core::protocol::Protocol;
use koab_library::reports::lookup::neither;

#[tokio::test]
async fn a_word_means_a_report_by_its_own_name_or_by_its_run() {
    let desk = Desk::new();
    let run = desk.made("baseline/golden").await;
    let why = format!("run {run} has no report yet; score it with `koab score {run}`");
    refused(desk.runs.library.report_id(&run), &why);
    let report = desk.scored(&run, Protocol::Leaderboard).await;
    let folder = desk.runs.library.run_meant(&run).unwrap().run.folder.display().to_string();
    for (word, names_run) in
        [(report.as_str(), false), (run.as_str(), true), (folder.as_str(), true), ("last", true)]
    {
        let (id, entry) = desk.runs.library.report_meant(word).unwrap();
        assert_eq!(id, report, "{word}");
        // A report may have the name of its run.
        assert!(entry.is_some() == names_run || report == run, "{word}");
    }
    for word in ["none", "", "..", "../reports", "a/b"] {
        assert!(desk.runs.library.report_id(word).is_err(), "{word}");
    }
    refused(desk.runs.library.report_id("none"), &neither("none").message.to_string());
}

#[tokio::test]
async fn a_run_is_meant_by_its_id_its_folder_or_as_the_last() {
    let desk = Desk::new();
    refused(desk.runs.library.run_meant("last").map(drop), "");
    let first = desk.made("baseline/golden").await;
    for word in [first.as_str(), "last"] {
        assert_eq!(desk.runs.library.run_meant(word).unwrap().id, first);
    }
    let folder = desk.runs.library.run_meant(&first).unwrap().run.folder;
    assert_eq!(desk.runs.library.run_meant(&folder.display().to_string()).unwrap().id, first);
    for word in ["none", "", "..", "/"] {
        assert!(desk.runs.library.run_meant(word).is_err(), "{word}");
    }
}

#[tokio::test]
async fn of_two_reports_the_run_s_published_one_is_meant() {
    let desk = Desk::new();
    let run = desk.made("baseline/golden").await;
    let corrected = desk.scored(&run, Protocol::Corrected).await;
    assert_eq!(desk.runs.library.report_id(&run).unwrap(), corrected, "the only one that there is");
    let published = desk.scored(&run, Protocol::Leaderboard).await;
    assert_ne!(published, corrected);
    assert_eq!(desk.runs.library.report_id(&run).unwrap(), published);
    assert_eq!(desk.runs.library.report_id(&corrected).unwrap(), corrected);
}
