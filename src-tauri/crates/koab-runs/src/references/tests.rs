use super::{Measure, mark, placed};
use crate::tests::desk::{Desk, refused};
use crate::wire::StandingPoint;
use koab_core::protocol::Protocol;
use koab_core::say;
use koab_store::intake::Origin;
use proptest::prelude::*;

fn point(model: &str, value: Option<f64>, own: bool) -> StandingPoint {
    StandingPoint {
        id: model.to_owned(),
        model: model.to_owned(),
        own,
        figure: value.ok_or_else(|| say!("nothing was scored")).into(),
        range: Err(say!("no range")).into(),
    }
}

#[test]
fn the_best_is_first_and_equals_have_one_rank() {
    for (points, order, rank, of) in [
        (
            vec![("own", Some(0.5), true), ("a", Some(0.9), false), ("b", Some(0.1), false)],
            ["a", "own", "b"],
            Some(2),
            3,
        ),
        (
            vec![("own", Some(0.5), true), ("a", Some(0.5), false), ("b", Some(0.5), false)],
            ["a", "b", "own"],
            Some(1),
            3,
        ),
        (
            vec![("own", Some(0.5), true), ("a", None, false), ("b", Some(0.9), false)],
            ["b", "own", "a"],
            Some(2),
            2,
        ),
        (vec![("own", None, true), ("a", Some(0.0), false), ("b", None, false)], ["a", "b", "own"], None, 1),
    ] {
        let points = points.into_iter().map(|(model, value, own)| point(model, value, own)).collect();
        let placed = placed(Measure::Success, points);
        let models: Vec<&str> = placed.points.iter().map(|point| point.model.as_str()).collect();
        assert_eq!(models, order);
        assert_eq!((placed.rank, placed.of), (rank, of));
        assert_eq!(placed.reason.is_some(), rank.is_none(), "without a rank the reason is said");
        assert_eq!((placed.measure.as_str(), placed.reading.is_none()), ("SR", true));
    }
}

proptest! {
    #![proptest_config(koab_draws::config(256))]

    /// A rank is one more than the number of those with a better value, whatever the order.
    #[test]
    fn a_rank_counts_those_that_are_better(
        own in 0..5_u8, others in proptest::collection::vec(proptest::option::of(0..5_u8), 0..8),
    ) {
        let mut points = vec![point("own", Some(f64::from(own)), true)];
        points.extend(others.iter().map(|value| point("other", value.map(f64::from), false)));
        let better = others.iter().flatten().filter(|value| **value > own).count();
        let placed = placed(Measure::Success, points);
        prop_assert_eq!(placed.rank, Some(better as u32 + 1));
        prop_assert_eq!(placed.of as usize, 1 + others.iter().flatten().count());
        let values: Vec<f64> = placed.points.iter().map(|point| point.figure.value().unwrap_or(-1.0)).collect();
        prop_assert!(values.is_sorted_by(|one, other| one >= other), "{:?}", values);
    }
}

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
