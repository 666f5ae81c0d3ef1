//! A queue drawn at random, and the score that people would have given, through the command line.

use super::lab::{A, again};
use super::server::Judges;
use super::{golden, refused};
use crate::support::{Koab, read_json};
use serde_json::{Value, json};
use std::path::Path;

/// Says no to what is marked `[2]`, yes to all else.
const THIRD: &str = "openai_compat/third";

/// A run of 84 tasks: the pack's 28, and twice again with a mark before what is asked. Their texts are there, too.
fn marked_run() -> (Koab, String, Vec<String>) {
    let (koab, run) = golden("L1,L2,L3,L4,L5,L6,L7");
    let mut texts = Vec::new();
    for level in 1..=7 {
        let file = Path::new(&run).join(format!("L{level}.json"));
        let mut log = read_json(&file);
        let tasks = log["results"].as_array().expect("tasks").clone();
        let mut all = Vec::new();
        for mark in 1..=3 {
            for task in &tasks {
                let mut task = task.clone();
                let id = task["task_id"].as_str().expect("an id").replace("-0", &format!("-{mark}"));
                let text = format!("[{mark}] {}", task["instruction"].as_str().expect("a text"));
                (task["task_id"], task["instruction"]) = (json!(id), json!(text));
                texts.push(text);
                all.push(task);
            }
        }
        log["results"] = json!(all);
        std::fs::write(&file, log.to_string()).expect("written");
    }
    (koab, run, texts)
}

/// What the person thinks: as the judge, but for some that the judge takes for right.
fn is_right(text: &str) -> bool {
    !text.contains("[2]") && !text.chars().count().is_multiple_of(7)
}

/// A queue as its reviewer gets it.
fn drawn(koab: &Koab, run: &str, more: &[&str]) -> Value {
    let base = ["judge", "queue", run, "--random", "--by", "Mina"];
    koab.json(&[&base[..], more].concat())
}

/// Fills a queue in and brings it back; an empty answer leaves the question out.
fn answer(koab: &Koab, mut queue: Value, say: impl Fn(usize, &str) -> &'static str) -> String {
    let questions = queue["questions"].as_array_mut().expect("questions");
    for (place, question) in questions.iter_mut().enumerate() {
        let inputs = question["inputs"].as_array().expect("texts");
        let asked = inputs.iter().find(|input| input["kind"] == "instruction");
        let text = asked.map_or("", |input| input["text"].as_str().expect("a text"));
        question["your_answer"] = json!(say(place, text));
    }
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("answers.json");
    std::fs::write(&file, queue.to_string()).expect("written");
    koab.json(&["judge", "answers", &file.display().to_string()]);
    queue["queue"].as_str().expect("an id").to_owned()
}

fn width(of: &Value) -> f64 {
    number(&of["high"]) - number(&of["low"])
}

fn number(of: &Value) -> f64 {
    of.as_f64().unwrap_or_else(|| panic!("{of} is no number"))
}

#[test]
fn what_people_would_have_said_stands_beside_the_judged_score() {
    let (koab, run, texts) = marked_run();
    let judges = Judges::start();
    let early = ["judge", "queue", &run, "--random", "--by", "Mina"];
    refused(&koab.run(&early), 2, "no judge has answered all questions of SR");
    koab.json(&again(std::slice::from_ref(&run), &judges, &[A, THIRD], &[]));
    let queue = drawn(&koab, &run, &["-k", "45", "--seed", "7"]);
    assert_eq!(queue, drawn(&koab, &run, &["-k", "45", "--seed", "7"]));
    let other = drawn(&koab, &run, &["-k", "45", "--seed", "8"]);
    assert_ne!(queue["questions"][0], other["questions"][0], "another seed, another draw");
    let questions = queue["questions"].as_array().expect("questions");
    assert_eq!(questions.len(), 45);
    let is_blind = |one: &Value| one["metric"] == "SR" && one.get("judges").is_none();
    assert!(questions.iter().all(is_blind));

    let id = answer(&koab, queue, |_, text| if is_right(text) { "yes" } else { "no" });
    refused(&koab.run(&["judge", "estimate", &id]), 2, "is still blind");
    let text = koab.ok(&["judge", "reveal", &id]).stdout;
    assert!(text.contains(&format!("koab judge estimate {id}")), "{text}");
    assert!(!text.contains("made of disagreements"), "{text}");

    let found = koab.json(&["judge", "estimate", &id]);
    assert_eq!(
        (&found["metric"], &found["counted"], &found["unsure"], &found["behind"]),
        (&json!("SR"), &json!(45), &json!(0), &json!(0))
    );
    let draw = &found["queue"]["draw"];
    assert_eq!((&found["queue"]["seed"], &draw["of"]), (&json!(7), &json!(84)));
    assert_eq!(number(&draw["probability"]), 45.0 / 84.0);
    let of_run = &found["runs"][0];
    assert_eq!((&of_run["questions"], &of_run["answers"]), (&json!(84), &json!(45)));
    let (human, rows) = (&of_run["human"], of_run["judges"].as_array().expect("judges"));
    let of = |judge: &str| rows.iter().find(|row| row["judge"] == judge).expect("the judge");
    // A judge that says the same of everything says nothing: people's word is left.
    assert_eq!((&of(A)["judged"], &of(A)["lambda"]), (&json!(1.0), &json!(0.0)));
    assert_eq!(of(A)["corrected"], *human);
    // One that knows something makes it finer, and stays beside it as it was.
    let third = of(THIRD);
    assert!((number(&third["judged"]) - 2.0 / 3.0).abs() < 1e-12, "{third}");
    let corrected = &third["corrected"];
    assert!(width(corrected) < 0.9 * width(human), "{third} and {human}");
    assert!(number(&corrected["value"]) < number(&third["judged"]), "the judge takes wrong for right");
    let truth = texts.iter().filter(|text| is_right(text)).count() as f64 / texts.len() as f64;
    assert!(number(&corrected["low"]) < truth && truth < number(&corrected["high"]), "{truth}: {third}");

    let shown = koab.ok(&["judge", "estimate", &id]).stdout;
    for part in ["people alone", "corrected", "0.6667", "1.0000", "45 of 84", "seed 7", "53.6 %"] {
        assert!(shown.contains(part), "{part} in\n{shown}");
    }
    let korean = koab.ok(&["--lang", "ko", "judge", "estimate", &id]).stdout;
    assert!(korean.contains("사람의 답만") && korean.contains("시드 7"), "{korean}");
}

#[test]
fn unsure_answers_widen_and_what_lies_behind_one_left_out_does_not_count() {
    let (koab, run, _) = marked_run();
    let judges = Judges::start();
    koab.json(&again(std::slice::from_ref(&run), &judges, &[THIRD], &[]));
    let sure = |_: usize, text: &str| if is_right(text) { "yes" } else { "no" };
    let human = |by: &str, say: &dyn Fn(usize, &str) -> &'static str| {
        let queue = koab.json(&["judge", "queue", &run, "--random", "--by", by]);
        let id = answer(&koab, queue, say);
        koab.ok(&["judge", "reveal", &id]);
        (koab.json(&["judge", "estimate", &id]), id)
    };
    let (whole, _) = human("Mina", &sure);
    assert_eq!(whole["counted"], 60, "sixty are drawn unless told otherwise");
    let unsure = |place: usize, text: &str| {
        if place.is_multiple_of(10) { "unsure" } else { sure(place, text) }
    };
    let (wider, id) = human("Jun", &unsure);
    assert_eq!((&wider["counted"], &wider["unsure"]), (&json!(60), &json!(6)));
    let (one, other) = (&whole["runs"][0]["human"], &wider["runs"][0]["human"]);
    assert!(width(other) > width(one) + 0.08, "{one} {other}");
    let text = koab.ok(&["judge", "estimate", &id]).stdout;
    assert!(text.contains("6 unsure answers"), "{text}");

    // The 21st is left out: the twenty before it count, and are too few.
    let (few, id) = human("Sora", &|place, text| {
        if place == 20 { "" } else { sure(place, text) }
    });
    assert_eq!((&few["counted"], &few["behind"]), (&json!(20), &json!(39)));
    let row = &few["runs"][0]["judges"][0];
    assert!(row["corrected"].is_null() && row["judged"].is_number(), "{row}");
    let reason = row["reason"].as_str().expect("a reason");
    assert!(reason.contains("20 answers of people are too few"), "{reason}");
    let text = koab.ok(&["judge", "estimate", &id]).stdout;
    assert!(text.contains("question 21 was skipped") && text.contains("too few"), "{text}");
    // Nor does one answer to everything show how answers vary.
    let (same, _) = human("Ara", &|_, _| "yes");
    let reason = same["runs"][0]["judges"][0]["reason"].as_str().expect("a reason");
    assert!(reason.contains("are the same"), "{reason}");
}

#[test]
fn nothing_is_estimated_from_disputed_questions_or_drawn_of_too_few() {
    let (koab, run) = golden("L1,L7");
    let judges = Judges::start();
    koab.json(&again(std::slice::from_ref(&run), &judges, &[A, "openai_compat/b"], &[]));
    let disputed = koab.json(&["judge", "queue", &run, "-k", "40", "--by", "Mina"]);
    let id = answer(&koab, disputed, |_, _| "unsure");
    koab.ok(&["judge", "reveal", &id]);
    refused(&koab.run(&["judge", "estimate", &id]), 2, "not drawn with known chances");
    for (more, named) in
        [(&[][..], "ask judges 8 questions of SR"), (&["--metric", "Speed"], "no judge decides `Speed`")]
    {
        let base = ["judge", "queue", &run, "--random", "--by", "Mina"];
        refused(&koab.run(&[&base[..], more].concat()), 2, named);
    }
}
