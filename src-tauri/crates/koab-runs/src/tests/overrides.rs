use crate::tests::desk::{Desk, refused};
use koab_core::score::MetricId;
use koab_library::{OverrideAnswer, OverrideRemoval, OverrideRequest};
use koab_store::overrides::VerdictPlace;

fn place(run: &str, metric: MetricId) -> VerdictPlace {
    VerdictPlace { run: run.to_owned(), task: "L1-001".to_owned(), metric, judge: None }
}

fn answer(success: bool) -> OverrideAnswer {
    OverrideAnswer { success: Some(success), score: None, by: " me ".to_owned(), why: "read it".to_owned() }
}

#[tokio::test]
async fn a_word_needs_somebody_a_reason_and_a_verdict() {
    let desk = Desk::new();
    let run = desk.made("baseline/golden").await;
    let (sr, yes) = (place(&run, MetricId::Sr), answer(true));
    let nobody = OverrideAnswer { by: " ".to_owned(), ..yes.clone() };
    let no_reason = OverrideAnswer { why: String::new(), ..yes.clone() };
    let judged = VerdictPlace { judge: Some("j/1".to_owned()), ..sr.clone() };
    for (place, answer, part) in [
        (sr.clone(), nobody, "an override needs who says so; name it"),
        (sr.clone(), no_reason, "an override needs why; name it"),
        (place("none", MetricId::Sr), yes.clone(), "none"),
        (VerdictPlace { task: "L9-001".to_owned(), ..sr }, yes.clone(), "L9-001"),
        (place(&run, MetricId::ToolAcc), yes.clone(), "no judge decides `ToolAcc`"),
        (judged, yes, "j/1 has not judged SR of L1-001; no judge has"),
    ] {
        refused(desk.runs.scoring.verdict_override(&OverrideRequest { place, answer }).map(drop), part);
    }
    assert!(desk.runs.scoring.verdict_overrides(None).unwrap().is_empty());
}

#[tokio::test]
async fn a_word_is_listed_until_it_is_taken_back() {
    let desk = Desk::new();
    let run = desk.made("baseline/golden").await;
    let word = OverrideRequest { place: place(&run, MetricId::Sr), answer: answer(false) };
    let kept = desk.runs.scoring.verdict_override(&word).unwrap();
    assert_eq!(kept.len(), 1, "one word, whichever scorer asks");
    let (at, said) = (&kept[0].place, &kept[0].answer);
    assert_eq!((said.by.as_str(), at.metric, said.success), ("me", MetricId::Sr, Some(false)));
    let of_run = desk.runs.scoring.verdict_overrides(Some(&run)).unwrap();
    assert_eq!((of_run.len(), of_run[0].applies), (1, Some(true)));
    let removal = OverrideRemoval { place: place(&run, MetricId::Sr), by: "you".to_owned() };
    let nobody = OverrideRemoval { by: " ".to_owned(), ..removal.clone() };
    refused(
        desk.runs.scoring.verdict_override_remove(&nobody).map(drop),
        "name the person who removes the override",
    );
    let mut other = removal.clone();
    other.place.judge = Some("j/1".to_owned());
    let why = "there is no such override of SR on L1-001; `koab judge overrides` lists those there are";
    refused(desk.runs.scoring.verdict_override_remove(&other).map(drop), why);
    assert_eq!(desk.runs.scoring.verdict_override_remove(&removal).unwrap().len(), 1);
    refused(desk.runs.scoring.verdict_override_remove(&removal).map(drop), why);
    assert!(desk.runs.scoring.verdict_overrides(Some(&run)).unwrap().is_empty());
}
