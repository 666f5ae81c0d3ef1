use crate::tests::desk::{Desk, refused};

#[tokio::test]
async fn a_run_that_koab_drove_has_none() {
    let desk = Desk::new();
    let run = desk.made("baseline/silent").await;
    assert!(desk.runs.library.run_conduct(&run).unwrap().is_none());
    refused(desk.runs.library.run_conduct("none").map(drop), "none");
}
