use crate::tests::desk::{Desk, on_l1, refused};
use crate::wire::RunRequest;

fn completing(run: &str) -> RunRequest {
    RunRequest {
        misses_of: Some(run.to_owned()),
        ..on_l1("baseline/golden")
    }
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
        repetitions: 3,
        seed: Some(7),
        ..on_l1("baseline/golden")
    };
    let settled = desk.runs.settled(&request).unwrap();
    assert_eq!(
        (settled.model.as_str(), settled.repetitions, settled.seed),
        ("baseline/golden", 3, Some(7))
    );
    assert_eq!((settled.levels, settled.completes), (request.levels, None));
}
