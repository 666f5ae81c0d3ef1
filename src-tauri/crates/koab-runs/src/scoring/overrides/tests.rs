use super::{distinct, judged_metric, opinion, row};
use crate::tests::desk::{Desk, refused};
use koab_core::score::MetricId;
use koab_library::{OverrideRemoval, OverrideRequest};
use koab_store::overrides::Override;
use serde_json::{Value, json};

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

#[test]
fn a_metric_that_no_judge_decides_is_refused_with_those_that_one_does() {
    for (name, metric) in [("SR", MetricId::Sr), ("sr", MetricId::Sr), ("Sr", MetricId::Sr)] {
        assert_eq!(judged_metric(name).unwrap(), metric);
    }
    for name in ["", "ArgAcc ", "ToolAcc", "none"] {
        refused(judged_metric(name).map(drop), &format!("no judge decides `{name}`; judges decide "));
    }
    let why = judged_metric("none").err().map(|error| error.message.to_string());
    assert!(why.is_some_and(|why| why.contains("SR")));
}

#[test]
fn an_answer_is_of_the_kind_that_the_metric_asks_for() {
    let yes_no = "is yes or no; give --success yes or no";
    for (success, score, is_taken) in [
        (Some(true), None, true),
        (Some(false), None, true),
        (None, None, false),
        (None, Some(3), false),
        (Some(true), Some(3), false),
    ] {
        let opinion = opinion(MetricId::Sr, &request("SR", success, score));
        match is_taken {
            true => assert_eq!(opinion.unwrap().success, success),
            false => refused(opinion.map(drop), yes_no),
        }
    }
    let graded = MetricId::ALL.into_iter().find(|metric| {
        judged_metric(metric.name()).is_ok() && opinion(*metric, &request("", None, Some(3))).is_ok()
    });
    let graded = graded.expect("a metric with grades");
    for (success, score, is_taken) in [
        (None, Some(1), true),
        (None, Some(5), true),
        (None, Some(0), false),
        (None, Some(6), false),
        (None, None, false),
        (Some(true), None, false),
    ] {
        let opinion = opinion(graded, &request("", success, score));
        match is_taken {
            true => assert_eq!(opinion.unwrap().score, score.map(i64::from)),
            false => refused(opinion.map(drop), "is a grade; give --score 1 to 5"),
        }
    }
}

fn said(answer: Value) -> Override {
    Override {
        id: 1,
        question_hash: "h".to_owned(),
        judge: None,
        run: "run".to_owned(),
        task: "L1-001".to_owned(),
        metric: "SR".to_owned(),
        answer,
        by: "me".to_owned(),
        why: "read it".to_owned(),
        at: "2026-01-01".to_owned(),
        ended_by: None,
        ended_at: None,
    }
}

#[test]
fn a_word_about_two_questions_is_one_to_people() {
    let yes = row(&said(json!({"success": true})), Some(true));
    let no = row(&said(json!({"success": false})), Some(true));
    assert_eq!((yes.success, yes.score, yes.applies), (Some(true), None, Some(true)));
    let graded = row(&said(json!({"score": 4})), None);
    assert_eq!((graded.success, graded.score, graded.applies), (None, Some(4), None));
    let broken = row(&said(json!("text")), None);
    assert_eq!((broken.success, broken.score), (None, None), "what cannot be read says nothing");
    let rows = distinct([yes.clone(), no.clone(), yes.clone(), graded.clone(), no.clone()].into_iter());
    assert_eq!(rows, [yes, no, graded]);
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
