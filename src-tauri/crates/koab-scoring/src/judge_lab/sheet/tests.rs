use super::{SheetAnswer, answer_text, from_csv, from_json, read};
use crate::tests::desk::{Desk, refused};
use koab_core::sheet::lf;
use koab_library::BlindAnswer;
use proptest::prelude::*;
use serde_json::{Value, json};

fn answer(text: &str) -> Option<BlindAnswer> {
    match read("line 2", text, "").ok()? {
        SheetAnswer::Answer(answer) => Some(answer),
        SheetAnswer::Empty => None,
    }
}

#[test]
fn answers_are_read_in_both_languages_and_in_any_case() {
    let yes_no = |success| (Some(success), None, false);
    for (texts, wanted) in [
        (&["yes", "Y", "TRUE", " 예 ", "성공"][..], yes_no(true)),
        (&["no", "N", "False", "아니요", "아니오", "실패"], yes_no(false)),
        (&["unsure", "?", "모름", "모르겠음"], (None, None, true)),
        (&["1"], (None, Some(1), false)),
        (&[" 5\n"], (None, Some(5), false)),
    ] {
        for text in texts {
            let answer = answer(text).expect(text);
            assert_eq!((answer.success, answer.score, answer.unsure), wanted, "{text}");
        }
    }
    for text in ["", " ", "\t"] {
        assert!(matches!(read("line 2", text, "x"), Ok(SheetAnswer::Empty)), "{text:?}");
    }
    for text in ["0", "6", "4.5", "-1", "maybe", "yes no", "예?"] {
        let lower = text.to_lowercase();
        let why =
            format!("line 2 answers `{lower}`; write yes or no, a grade from 1 to 5, unsure, or nothing");
        refused(read("line 2", text, "").map(drop), &why);
    }
}

fn csv(text: &str) -> Result<(String, Vec<u32>), koab_workspace::WireError> {
    from_csv(text).map(|(id, written)| (id, written.into_keys().collect()))
}

#[test]
fn a_table_is_of_one_queue_and_its_columns_may_stand_anywhere() {
    for (text, id, numbers) in [
        ("queue,number,your_answer\nq,1,yes\nq,2,\n", "q", vec![1, 2]),
        ("note,your_answer,number,queue\nx,5,7,q\n", "q", vec![7]),
        (" queue , number , your_answer \nq, 3 , no \n", "q", vec![3]),
        ("queue,number,your_answer,more\nq,1,yes\n", "q", vec![1]),
        // A later line of the same question counts.
        ("queue,number,your_answer\nq,1,yes\nq,1,no\n", "q", vec![1]),
        ("queue,number,your_answer\nq,1,\"예\"\n", "q", vec![1]),
    ] {
        assert_eq!(csv(text).expect(text), (id.to_owned(), numbers));
    }
    for (text, part) in [
        ("queue,number\nq,1\n", "the file has no column your_answer; is it one of `koab judge queue`?"),
        ("number,your_answer\n1,yes\n", "the file has no column queue"),
        ("queue,number,your_answer\n", "the file has no line"),
        ("", "the file has no column queue"),
        (
            "queue,number,your_answer\nq,1,yes\nr,2,yes\n",
            "line 3 belongs to the queue r, and the lines before it to q",
        ),
        ("queue,number,your_answer\nq,one,yes\n", "line 2 has no number of a question"),
        ("queue,number,your_answer\nq,-1,yes\n", "line 2 has no number of a question"),
        ("queue,number,your_answer\nq,1,yes\nq,2,9\n", "line 3 answers `9`"),
    ] {
        refused(csv(text), part);
    }
}

#[test]
fn a_document_has_a_queue_and_numbered_questions() {
    let of = |document: &Value| from_json(&document.to_string()).map(|(id, written)| (id, written.len()));
    for answer in [json!("yes"), json!(true), json!(false), json!(3), json!(""), Value::Null, json!("?")] {
        let document =
            json!({"queue": "q", "questions": [{"number": 1, "your_answer": answer, "note": "n"}]});
        assert_eq!(of(&document).expect("read"), ("q".to_owned(), 1), "{answer}");
    }
    assert_eq!(of(&json!({"queue": "q", "questions": []})).expect("read"), ("q".to_owned(), 0));
    for (document, part) in [
        (json!({"questions": []}), "the file has no `queue` with `questions`"),
        (json!({"queue": "q"}), "the file has no `queue` with `questions`"),
        (json!({"queue": 1, "questions": []}), "the file has no `queue` with `questions`"),
        (
            json!({"queue": "q", "questions": [{"your_answer": "yes"}]}),
            "a question of the file has no number",
        ),
        (json!({"queue": "q", "questions": [{"number": -1}]}), "a question of the file has no number"),
        (
            json!({"queue": "q", "questions": [{"number": 1_u64 << 40}]}),
            "a question of the file has no number",
        ),
        (json!({"queue": "q", "questions": [{"number": 4, "your_answer": [1]}]}), "question 4 answers `[1]`"),
        (json!({"queue": "q", "questions": [{"number": 4, "your_answer": 4.5}]}), "question 4 answers `4.5`"),
    ] {
        refused(of(&document), part);
    }
    refused(from_json("{").map(drop), "the file is not JSON: ");
}

fn answers() -> impl Strategy<Value = BlindAnswer> {
    let said = prop_oneof![
        any::<bool>().prop_map(|success| (Some(success), None, false)),
        (1..=5_u8).prop_map(|score| (None, Some(score), false)),
        Just((None, None, true)),
    ];
    // A sheet's cell loses the blanks around it.
    (said, "([a-z가,\"\n;]{0,8}[a-z가])?").prop_map(|((success, score, unsure), note)| BlindAnswer {
        success,
        score,
        unsure,
        note: note.trim().to_owned(),
    })
}

proptest! {
    #![proptest_config(koab_draws::config(128))]

    /// What a reviewer wrote comes back, through a table and through a document.
    #[test]
    fn answers_are_read_back_as_they_were_written(all in proptest::collection::btree_map(0..99_u32, answers(), 1..8)) {
        let mut rows = vec![["queue", "number", "your_answer", "note"].map(str::to_owned).to_vec()];
        let mut questions = Vec::new();
        for (number, answer) in &all {
            rows.push(vec!["q".to_owned(), number.to_string(), answer_text(answer), answer.note.clone()]);
            questions.push(json!({"number": number, "your_answer": answer_text(answer), "note": answer.note}));
        }
        let document = json!({"queue": "q", "questions": questions}).to_string();
        for (id, read) in [from_csv(&lf(rows)).unwrap(), from_json(&document).unwrap()] {
            prop_assert_eq!(id, "q");
            prop_assert_eq!(read.len(), all.len());
            for (number, line) in read {
                let SheetAnswer::Answer(line) = line else {
                    panic!("{number} is answered");
                };
                let wanted = &all[&number];
                prop_assert_eq!(
                    (line.success, line.score, line.unsure, &line.note),
                    (wanted.success, wanted.score, wanted.unsure, &wanted.note)
                );
            }
        }
    }
}

#[test]
fn a_file_of_no_queue_or_no_text_is_refused() {
    let desk = Desk::new();
    let file = desk.folder.path().join("sheet.csv");
    refused(desk.scoring.queue_import(&file).map(drop), "sheet.csv cannot be read: ");
    std::fs::write(&file, [0xff, 0xfe, 0]).unwrap();
    refused(desk.scoring.queue_import(&file).map(drop), "is not text in UTF-8 or CP949; save it as UTF-8");
    std::fs::write(&file, "queue,number,your_answer\nnone,1,yes\n").unwrap();
    refused(desk.scoring.queue_import(&file).map(drop), "none");
    refused(desk.scoring.queue_export("none", "csv").map(drop), "none");
}
