use crate::tests::desk::{Desk, refused};
use koab_core::protocol::Protocol;

#[tokio::test]
async fn a_report_that_was_deleted_comes_back_as_it_was() {
    let desk = Desk::new();
    let run = desk.made("baseline/golden").await;
    let report = desk.scored(&run, Protocol::Leaderboard).await;
    let folder = desk.folder.path().join("reports").join(&report);
    let text = std::fs::read(folder.join("evaluation_report.json")).unwrap();
    let deleted = desk.runs.library.report_delete(&report).unwrap();
    assert!(!folder.exists() && desk.runs.library.reports_library().unwrap().is_empty());
    refused(desk.runs.library.report_delete(&report).map(drop), &report);
    assert_eq!(desk.runs.library.report_restore(&deleted.key).unwrap(), report);
    assert_eq!(std::fs::read(folder.join("evaluation_report.json")).unwrap(), text);
    assert!(desk.runs.library.report_restore(&deleted.key).is_err(), "it is back already");
    for word in ["..", "", "none", "../runs"] {
        assert!(desk.runs.library.report_delete(word).is_err(), "{word}");
        assert!(desk.runs.library.report_restore(word).is_err(), "{word}");
    }
}

#[tokio::test]
async fn each_report_is_a_row_with_its_run_and_its_rules() {
    let desk = Desk::new();
    let run = desk.made("baseline/golden").await;
    let published = desk.scored(&run, Protocol::Leaderboard).await;
    let corrected = desk.scored(&run, Protocol::Corrected).await;
    let rows = desk.runs.library.reports_library().unwrap();
    assert_eq!(rows.len(), 2);
    for id in [published, corrected] {
        let row = rows.iter().find(|row| row.id == id).unwrap();
        assert_eq!(row.run.as_deref(), Some(run.as_str()));
        assert!(!row.reference);
        assert_eq!(row.model, "baseline/golden");
    }
    // A folder that is no report is no row, and takes no other one away.
    let broken = desk.folder.path().join("reports/broken");
    std::fs::create_dir_all(&broken).unwrap();
    std::fs::write(broken.join("evaluation_report.json"), "{ broken").unwrap();
    let good = desk.runs.library.reports_library().unwrap().into_iter().filter(|row| row.run.is_some());
    assert_eq!(good.count(), 2);
}
