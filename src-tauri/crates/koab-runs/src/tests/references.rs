use crate::tests::desk::{Desk, refused};
use koab_core::protocol::Protocol;
use koab_library::references::mark;
use koab_store::intake::Origin;

#[tokio::test]
async fn without_references_a_report_stands_alone() {
    let desk = Desk::new();
    let run = desk.made("baseline/golden").await;
    let report = desk.scored(&run, Protocol::Leaderboard).await;
    let standing = desk.runs.library.report_standing(&report).unwrap();
    assert_eq!((standing.references, standing.measures.len(), standing.left_out.len()), (0, 0, 0));
    assert!(desk.runs.library.references().unwrap().reports.is_empty());
    refused(desk.runs.library.references_remove().map(drop), "there is no reference set; bring one with");
    refused(desk.runs.library.references_restore().map(drop), "the trash has no report of a reference set");
    refused(desk.runs.library.report_standing("none").map(drop), "none");
    let folder = desk.folder.path().join("reports").join(&report);
    assert!(!mark(&folder).unwrap(), "a report that was made here is no reference");
}

#[tokio::test]
async fn a_reference_set_goes_and_comes_back_as_a_whole() {
    let desk = Desk::new();
    let mut ids = Vec::new();
    for (model, scorer) in [
        ("baseline/golden", Protocol::Leaderboard),
        ("baseline/silent", Protocol::Leaderboard),
        ("baseline/silent", Protocol::Corrected),
    ] {
        let run = desk.made(model).await;
        ids.push(desk.scored(&run, scorer).await);
    }
    for id in &ids[1..] {
        let folder = desk.folder.path().join("reports").join(id);
        let mut origin = Origin::read(&folder).unwrap_or_default();
        origin.reference = true;
        origin.write(&folder).unwrap();
    }
    assert_eq!(desk.runs.library.references().unwrap().reports.len(), 2);
    let standing = desk.runs.library.report_standing(&ids[0]).unwrap();
    assert_eq!(standing.references, 2);
    let left: Vec<(&str, String)> =
        (standing.left_out.iter()).map(|one| (one.id.as_str(), one.reason.to_string())).collect();
    let other_rules = "is scored by the leaderboard's rules, this report by the corrected ones";
    let wanted = match left.first() {
        Some((_, why)) if why == other_rules => other_rules,
        _ => "is scored by the corrected rules",
    };
    assert_eq!(left, [(ids[2].as_str(), wanted.to_owned())]);
    assert_eq!(desk.runs.library.references_remove().unwrap().len(), 2);
    assert!(desk.runs.library.references().unwrap().reports.is_empty());
    let mut restored = desk.runs.library.references_restore().unwrap();
    restored.sort();
    let mut wanted = ids[1..].to_vec();
    wanted.sort();
    assert_eq!(restored, wanted);
}
