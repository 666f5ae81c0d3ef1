use super::{distinct, judged_metric, opinion, row};
use crate::tests::desk::refused;
use koab_core::score::MetricId;
use koab_library::OverrideAnswer;
use koab_store::overrides::{Override, VerdictPlace};
use serde_json::{Value, json};

fn answer(success: Option<bool>, score: Option<u8>) -> OverrideAnswer {
    OverrideAnswer { success, score, by: "me".to_owned(), why: "read it".to_owned() }
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
        let opinion = opinion(MetricId::Sr, &answer(success, score));
        match is_taken {
            true => assert_eq!(opinion.unwrap().success, success),
            false => refused(opinion.map(drop), yes_no),
        }
    }
    let graded = MetricId::ALL.into_iter().find(|metric| {
        judged_metric(metric.name()).is_ok() && opinion(*metric, &answer(None, Some(3))).is_ok()
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
        let opinion = opinion(graded, &answer(success, score));
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
        place: VerdictPlace {
            run: "run".to_owned(),
            task: "L1-001".to_owned(),
            metric: MetricId::Sr,
            judge: None,
        },
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
    assert_eq!((yes.answer.success, yes.answer.score, yes.applies), (Some(true), None, Some(true)));
    let graded = row(&said(json!({"score": 4})), None);
    assert_eq!((graded.answer.success, graded.answer.score, graded.applies), (None, Some(4), None));
    let broken = row(&said(json!("text")), None);
    assert_eq!(
        (broken.answer.success, broken.answer.score),
        (None, None),
        "what cannot be read says nothing"
    );
    let rows = distinct([yes.clone(), no.clone(), yes.clone(), graded.clone(), no.clone()].into_iter());
    assert_eq!(rows, [yes, no, graded]);
}
