use super::replaced;
use koab_core::judge::{Answer, Opinion, Panel, Verdict, Votes};
use koab_core::say;
use koab_core::score::MetricId;
use koab_store::overrides::{Override, VerdictPlace};
use serde_json::{Value, json};

fn said(judge: Option<&str>, answer: Value) -> Override {
    Override {
        id: 1,
        question_hash: "h".to_owned(),
        place: VerdictPlace {
            run: "run".to_owned(),
            task: "L1-001".to_owned(),
            metric: MetricId::Sr,
            judge: judge.map(str::to_owned),
        },
        answer,
        by: "me".to_owned(),
        why: "read it".to_owned(),
        at: "2026-01-01".to_owned(),
        ended_by: None,
        ended_at: None,
    }
}

/// What a judge said; null where it failed.
fn verdict(judge: &str, success: Option<bool>) -> Verdict {
    let answer = match success {
        Some(_) => Answer::Answered(Opinion { success, ..Opinion::default() }),
        None => Answer::Failed { reason: say!("no answer"), unanswered: false },
    };
    Verdict { judge: judge.to_owned(), metric: MetricId::Sr, answer }
}

fn panel(judges: &[&str]) -> Panel {
    Panel { judges: judges.iter().copied().map(str::to_owned).collect(), ..Panel::default() }
}

#[test]
fn a_persons_word_stands_where_verdicts_stood() {
    let yes = Some(true);
    let no = Some(false);
    let now = [verdict("a", no), verdict("b", None), verdict("a", no)];
    for (what, judge, votes, judges, now, wanted) in [
        (
            "of one judge: all votes of that judge",
            Some("a"),
            Votes::FirstJudge(3),
            &["a", "b"][..],
            &now[..],
            Some(vec![("a", yes), ("b", None), ("a", yes)]),
        ),
        (
            "a judge that failed gets an answer",
            Some("b"),
            Votes::EachJudge,
            &["a", "b"],
            &now,
            Some(vec![("a", no), ("b", yes), ("a", no)]),
        ),
        ("of a judge that was not asked", Some("c"), Votes::EachJudge, &["a", "b", "c"], &now, None),
        (
            "of all: the first judge's votes",
            None,
            Votes::FirstJudge(3),
            &["b", "a"],
            &now,
            Some(vec![("b", yes); 3]),
        ),
        (
            "a question takes one vote at least",
            None,
            Votes::FirstJudge(0),
            &["b"],
            &now,
            Some(vec![("b", yes)]),
        ),
        (
            "of all: each judge of the panel once",
            None,
            Votes::EachJudge,
            &["b", "a"],
            &now,
            Some(vec![("b", yes), ("a", yes)]),
        ),
        (
            "without a panel: whoever judged, once each",
            None,
            Votes::EachJudge,
            &[],
            &now,
            Some(vec![("a", yes), ("b", yes)]),
        ),
        ("nobody judged: the person is the judge", None, Votes::EachJudge, &[], &[], Some(vec![("me", yes)])),
        (
            "and has the votes of the first judge",
            None,
            Votes::FirstJudge(3),
            &[],
            &[],
            Some(vec![("me", yes); 3]),
        ),
    ] {
        let instead =
            replaced(now, &said(judge, json!({"success": true})), MetricId::Sr, votes, &panel(judges));
        let wanted = wanted.map(|wanted| {
            let verdicts = wanted.into_iter();
            verdicts.map(|(judge, success)| verdict(judge, success)).collect::<Vec<_>>()
        });
        assert_eq!(instead, wanted, "{what}");
    }
}

#[test]
fn a_word_that_cannot_be_read_replaces_nothing() {
    let now = [verdict("a", Some(false))];
    for answer in [json!("yes"), json!({"success": "yes"}), json!(1)] {
        let word = said(None, answer.clone());
        let instead = replaced(&now, &word, MetricId::Sr, Votes::EachJudge, &panel(&["a"]));
        assert_eq!(instead, None, "{answer}");
    }
}
