use crate::tests::desk::{Desk, refused};
use koab_library::{OverrideRemoval, OverrideRequest};

fn request(metric: &str, success: Option<bool>, score: Option<u8>) -> OverrideRequest {
    OverrideRequest {
        run: "run".to_owned(),
        task: "L1-001".to_owned(),
        metric: metric.to_owned(),
        judge: None,
        success,
        score,
        by: "me".to_owned(),
        why: "read it".to_owned(),
    }
}

#[tokio::test]
async fn a_word_needs_somebody_a_reason_and_a_verdict() {
    let desk = Desk::new();
    let run = desk.made("baseline/golden").await;
    let word = |metric: &str| OverrideRequest { run: run.clone(), ..request(metric, Some(true), None) };
    let say = |request: OverrideRequest| desk.runs.scoring.verdict_override(&request).map(drop);
    for (request, part) in [
        (OverrideRequest { by: " ".to_owned(), ..word("SR") }, "an override needs who says so; name it"),
        (OverrideRequest { why: String::new(), ..word("SR") }, "an override needs why; name it"),
        (OverrideRequest { run: "none".to_owned(), ..word("SR") }, "none"),
        (OverrideRequest { task: "L9-001".to_owned(), ..word("SR") }, "L9-001"),
        (word("ToolAcc"), "no judge decides `ToolAcc`"),
        (
            OverrideRequest { judge: Some("j/1".to_owned()), ..word("SR") },
            "j/1 has not judged SR of L1-001; no judge has",
        ),
    ] {
        refused(say(request), part);
    }
    assert!(desk.runs.scoring.verdict_overrides(None).unwrap().is_empty());
}

#[tokio::test]
async fn a_word_is_listed_until_it_is_taken_back() {
    let desk = Desk::new();
    let run = desk.made("baseline/golden").await;
    let word =
        OverrideRequest { run: run.clone(), by: " me ".to_owned(), ..request("sr", Some(false), None) };
    let kept = desk.runs.scoring.verdict_override(&word).unwrap();
    assert_eq!(kept.len(), 1, "one word, whichever scorer asks");
    assert_eq!((kept[0].by.as_str(), kept[0].metric.as_str(), kept[0].success), ("me", "SR", Some(false)));
    let of_run = desk.runs.scoring.verdict_overrides(Some(&run)).unwrap();
    assert_eq!((of_run.len(), of_run[0].applies), (1, Some(true)));
    let removal = OverrideRemoval {
        run: run.clone(),
        task: "L1-001".to_owned(),
        metric: "SR".to_owned(),
        judge: None,
        by: "you".to_owned(),
    };
    let nobody = OverrideRemoval { by: " ".to_owned(), ..removal.clone() };
    refused(
        desk.runs.scoring.verdict_override_remove(&nobody).map(drop),
        "name the person who removes the override",
    );
    let other = OverrideRemoval { judge: Some("j/1".to_owned()), ..removal.clone() };
    let why = "there is no such override of SR on L1-001; `koab judge overrides` lists those there are";
    refused(desk.runs.scoring.verdict_override_remove(&other).map(drop), why);
    assert_eq!(desk.runs.scoring.verdict_override_remove(&removal).unwrap().len(), 1);
    refused(desk.runs.scoring.verdict_override_remove(&removal).map(drop), why);
    assert!(desk.runs.scoring.verdict_overrides(Some(&run)).unwrap().is_empty());
}
