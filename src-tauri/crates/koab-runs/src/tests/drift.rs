use crate::tests::desk::{Desk, refused};
use crate::tests::pack::{MISSED, of_small};

#[tokio::test]
async fn a_run_drifts_from_nothing_that_stayed_the_same() {
    let desk = Desk::new();
    let run = desk.made("baseline/golden").await;
    let drift = desk.runs.library.drift(&run, "pack", None).unwrap();
    let totals = &drift.totals;
    assert!(totals.calls > 0 && totals.same == totals.calls, "{totals:?}");
    assert_eq!((drift.run.as_str(), drift.against.state.as_str()), (run.as_str(), "pack"));
    let by_task: u32 = drift.tasks.iter().map(|task| task.totals.calls).sum();
    let by_tool: u32 = drift.tools.iter().map(|tool| tool.totals.calls).sum();
    assert_eq!((by_task, by_tool), (totals.calls, totals.calls));
    assert!(drift.tasks.iter().all(|task| task.calls.len() as u32 == task.totals.calls));
    let one = desk.runs.library.drift(&run, "pack", Some("L1-001")).unwrap();
    assert_eq!((one.tasks.len(), one.tasks[0].task.as_str()), (1, "L1-001"));
    for (run, against, task) in
        [("none", "pack", None), (run.as_str(), "nowhere", None), (run.as_str(), "pack", Some("L9-001"))]
    {
        assert!(desk.runs.library.drift(run, against, task).is_err(), "{run} {against} {task:?}");
    }
}

#[tokio::test]
async fn a_run_without_calls_has_nothing_to_hold() {
    let desk = Desk::new();
    let run = desk.made("baseline/silent").await;
    let drift = desk.runs.library.drift(&run, "now", None).unwrap();
    assert_eq!((drift.totals.calls, drift.tasks.len(), drift.tools.len()), (0, 0, 0));
    assert!(desk.runs.library.drift(&run, "now", Some("L1-001")).unwrap().tasks.is_empty());
    refused(desk.runs.library.drift(&run, "now", Some("L9-001")).map(drop), "L9-001");
}

#[tokio::test]
async fn results_that_are_others_now_or_gone_or_new_are_told_apart() {
    let desk = Desk::with_pack();
    let run = desk.run(of_small()).await;
    // Same, differs, missing, found, still missing.
    let counts = |desk: &Desk| {
        let totals = desk.runs.library.drift(&run, "pack", None).unwrap().totals;
        [totals.same, totals.differs, totals.missing, totals.found, totals.still_missing]
    };
    assert_eq!(counts(&desk), [1, 0, 0, 0, 2]);
    for (records, wanted) in [
        (&[("가", "새로")][..], [0, 1, 0, 0, 2]),
        (&[("나", "하나")], [0, 0, 1, 0, 2]),
        (&[("가", "하나"), (MISSED, "셋")], [1, 0, 0, 2, 0]),
    ] {
        desk.import_pack("1.0.0", records);
        assert_eq!(counts(&desk), wanted, "{records:?}");
    }
    desk.import_pack("1.0.0", &[("가", "새로")]);
    let drift = desk.runs.library.drift(&run, "pack", Some("L1-001")).unwrap();
    let call = &drift.tasks[0].calls[0];
    assert_eq!((call.tool.as_str(), call.call), ("Search_x", 0));
    let places = call.places.as_ref().expect("where it differs");
    assert_eq!(places.total, 1);
    assert!(call.error.is_none() && call.reason.is_none() && call.recorded_at.is_some());
    let missed = desk.runs.library.drift(&run, "pack", Some("L1-002")).unwrap();
    let call = &missed.tasks[0].calls[0];
    assert!(call.reason.is_some() && call.places.is_none() && call.error.is_some());
}
