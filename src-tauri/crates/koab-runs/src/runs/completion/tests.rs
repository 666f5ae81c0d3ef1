use crate::tests::desk::{Desk, on_l1, refused};
use crate::tests::pack::{MISSED, RECORDED, of_small};
use koab_core::run_record::RequestedSettings;
use koab_library::{Origin, RunRequest};

fn completing(run: &str) -> RunRequest {
    RunRequest { origin: Origin::Completes { run: run.to_owned() }, ..on_l1("baseline/golden") }
}

#[tokio::test]
async fn a_run_that_missed_nothing_is_not_made_again() {
    let desk = Desk::new();
    let run = desk.made("baseline/golden").await;
    let why = format!("the run {run} missed no call, so there is nothing to make again");
    refused(desk.runs.settled(&completing(&run)).map(drop), &why);
    refused(desk.runs.settled(&completing("none")).map(drop), "none");
}

#[test]
fn every_other_request_is_made_as_it_is_but_for_the_model_s_name() {
    let desk = Desk::new();
    let request = RunRequest {
        settings: RequestedSettings { repetitions: 3, seed: Some(7), ..on_l1("baseline/golden").settings },
        ..on_l1("baseline/golden")
    };
    let settled = desk.runs.settled(&request).unwrap();
    assert_eq!(
        (settled.model.as_str(), settled.settings.repetitions, settled.settings.seed),
        ("baseline/golden", 3, Some(7))
    );
    assert_eq!((settled.levels, settled.origin), (request.levels, Origin::New));
}

#[tokio::test]
async fn tasks_whose_misses_are_answered_by_now_are_made_again() {
    let desk = Desk::with_pack();
    let run = desk
        .run(RunRequest {
            settings: RequestedSettings { repetitions: 2, ..of_small().settings },
            ..of_small()
        })
        .await;
    let why = format!(
        "none of the calls that the run {run} missed has an answer yet; fill them first with `koab cache fill {run}`"
    );
    refused(desk.runs.settled(&completing(&run)).map(drop), &why);
    desk.import_pack("1.0.0", &[RECORDED, &[(MISSED, "셋")]].concat());
    let settled = desk.runs.settled(&completing(&run)).unwrap();
    assert_eq!(settled.tasks, ["L1-002", "L1-003"], "not the one whose call was recorded");
    assert_eq!(settled.origin, Origin::Completes { run: run.clone() });
    assert_eq!((settled.settings.repetitions, settled.with_overlay), (2, true), "the run's own settings");
    let completed = desk.run(completing(&run)).await;
    assert_ne!(completed, run);
    let shown = desk.runs.library.run_show(&completed).unwrap();
    assert_eq!(shown.completes.as_deref(), Some(run.as_str()));
    assert_eq!(desk.runs.library.cache_misses(&completed).unwrap().misses.len(), 0);
    assert_eq!(desk.runs.library.cache_misses(&run).unwrap().misses.len(), 4, "the old run stays as it was");
}

#[tokio::test]
async fn a_pack_that_is_another_one_by_now_completes_no_run() {
    let desk = Desk::with_pack();
    let run = desk.run(of_small()).await;
    desk.import_pack("2.0.0", &[RECORDED, &[(MISSED, "셋")]].concat());
    assert!(desk.runs.settled(&completing(&run)).is_err());
}
