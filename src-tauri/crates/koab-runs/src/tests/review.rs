use crate::tests::desk::{Desk, refused};
use koab_core::score::MetricId;
use koab_library::BlindAnswer;
use serde_json::{Value, json};

/// Keeps a queue of two questions about a run: whether it succeeded, on which judges disagree, and a
/// grade.
fn keep_queue(desk: &Desk, run: &str, hash: &str) {
    let question = |metric: &str, hash: &str, judges: Value| {
        json!({"run": run, "model": "hidden/model", "task": "L1-001", "metric": metric, "hash": hash, "weight": 0.0,
            "disagreement": 0.0, "effect": 0.0, "swaps": 0.0, "judges": judges, "inputs": []})
    };
    let queue = json!({"by": "me", "seed": 7, "scorer": "leaderboard", "runs": [run], "questions": [
        question("SR", hash, json!({"j/1": 1, "j/2": 0})),
        question("ArgAcc", "changed", json!({"j/1": 4})),
    ]});
    let store = desk.runs.workspace.store().unwrap();
    store.keep_queue("q", &queue).unwrap();
}

fn yes_no(success: bool) -> BlindAnswer {
    BlindAnswer { success: Some(success), ..BlindAnswer::default() }
}

fn grade(score: u8) -> BlindAnswer {
    BlindAnswer { score: Some(score), ..BlindAnswer::default() }
}

fn unsure(answer: BlindAnswer) -> BlindAnswer {
    BlindAnswer { unsure: true, ..answer }
}

#[test]
fn an_answer_is_of_the_kind_that_its_question_asks_for() {
    let desk = Desk::new();
    keep_queue(&desk, "run", "h");
    let skipped = BlindAnswer::default();
    for (number, answer, is_taken) in [
        (1, yes_no(true), true),
        (1, unsure(skipped.clone()), true),
        (1, skipped.clone(), true),
        (1, grade(3), false),
        (1, unsure(yes_no(true)), false),
        (1, BlindAnswer { score: Some(3), ..yes_no(true) }, false),
        (2, grade(1), true),
        (2, grade(5), true),
        (2, unsure(skipped.clone()), true),
        (2, grade(0), false),
        (2, grade(6), false),
        (2, yes_no(true), false),
        (2, unsure(grade(3)), false),
    ] {
        let kept = desk.runs.scoring.queue_answer("q", number, Some(&answer));
        match is_taken {
            true => {
                kept.unwrap();
                let view = desk.runs.scoring.queue_open("q").unwrap();
                assert_eq!(view.questions[number as usize - 1].answer, Some(answer));
            }
            false => refused(kept, &format!("answer question {number} with ")),
        }
    }
    for number in [0, 3] {
        let why = format!("the queue q has no question {number}; its questions are 1 to 2");
        refused(desk.runs.scoring.queue_answer("q", number, Some(&skipped)), &why);
    }
    assert_eq!(desk.runs.scoring.queue_answer("q", 1, None).unwrap().answered, 1);
    refused(desk.runs.scoring.queue_answer("none", 1, None), "there is no queue none");
}

#[test]
fn nothing_of_models_and_judges_is_shown_before_the_queue_is_revealed() {
    let desk = Desk::new();
    keep_queue(&desk, "run", "h");
    let blind = serde_json::to_value(desk.runs.scoring.queue_open("q").unwrap()).unwrap();
    let text = blind["questions"].to_string();
    assert!(!text.contains("hidden/model") && !text.contains("j/1"), "{text}");
    refused(desk.runs.scoring.queue_reveal("q"), "no question of the queue q is answered yet");
    refused(desk.runs.scoring.queue_apply("q", "me"), "the queue q is still blind; reveal it first");
    desk.runs.scoring.queue_answer("q", 1, Some(&yes_no(false))).unwrap();
    let open = desk.runs.scoring.queue_reveal("q").unwrap();
    assert_eq!(open.questions[0].model, "hidden/model");
    let judges: Vec<_> = open.questions[0]
        .judges
        .iter()
        .map(|judge| (judge.judge.as_str(), judge.success, judge.score))
        .collect();
    assert_eq!(judges, [("j/1", Some(true), None), ("j/2", Some(false), None)]);
    let graded = &open.questions[1].judges[0];
    assert_eq!((graded.success, graded.score), (None, Some(4)));
    assert!(open.queue.revealed_at.is_some() && open.reason.is_none());
    refused(
        desk.runs.scoring.queue_answer("q", 1, Some(&yes_no(true))),
        "the queue q was revealed, so an answer now would not be blind; make a new one",
    );
}

#[tokio::test]
async fn answers_become_overrides_of_the_questions_that_still_stand() {
    let desk = Desk::new();
    let run = desk.made("baseline/golden").await;
    let of_task = desk.runs.library.task_questions(&run, "L1-001").unwrap();
    let hash = of_task.hashes(MetricId::Sr).into_iter().next().unwrap();
    keep_queue(&desk, &run, &hash);
    let noted = BlindAnswer { note: " 틀림 ".to_owned(), ..yes_no(false) };
    desk.runs.scoring.queue_answer("q", 1, Some(&noted)).unwrap();
    desk.runs.scoring.queue_answer("q", 2, Some(&grade(2))).unwrap();
    desk.runs.scoring.queue_reveal("q").unwrap();
    refused(desk.runs.scoring.queue_apply("q", " "), "name who applies the answers");
    let done = desk.runs.scoring.queue_apply("q", "you").unwrap();
    assert_eq!((done.applied, done.left, done.refused.len()), (1, 0, 1));
    assert_eq!(done.refused[0].id, "L1-001 ArgAcc");
    let words = desk.runs.scoring.verdict_overrides(Some(&run)).unwrap();
    assert_eq!(words.len(), 1);
    let said = &words[0].answer;
    assert_eq!(
        (said.by.as_str(), said.success, said.why.as_str()),
        ("me", Some(false), "blind review q, applied by you: 틀림")
    );
    desk.runs.scoring.queue_remove("q").unwrap();
    refused(desk.runs.scoring.queue_remove("q"), "there is no queue q");
    assert!(desk.runs.scoring.queues_list().unwrap().queues.is_empty());
    let kept = desk.runs.scoring.verdict_overrides(Some(&run)).unwrap();
    assert_eq!(kept.len(), 1, "an override stays without its queue");
}
