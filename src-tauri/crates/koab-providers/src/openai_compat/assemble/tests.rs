mod dialects;

use super::*;
use proptest::prelude::*;
use serde_json::json;

/// Cuts a text at these places, wherever characters allow.
fn cut<'a>(text: &'a str, at: &[usize]) -> Vec<&'a str> {
    let mut places: Vec<usize> =
        at.iter().map(|at| at % (text.len() + 1)).filter(|at| text.is_char_boundary(*at)).collect();
    places.sort_unstable();
    places.push(text.len());
    let mut pieces = Vec::new();
    let mut from = 0;
    for to in places {
        pieces.push(&text[from..to]);
        from = to;
    }
    pieces
}

fn push(answer: &mut Answer<'_>, delta: &Value) -> bool {
    let chunk = json!({ "choices": [{ "delta": delta }] }).to_string();
    answer.push(&serde_json::from_str(&chunk).expect("a chunk"))
}

#[test]
fn an_answer_of_as_many_bytes_as_are_kept_is_kept() {
    let mut answer = Answer::default();
    push(&mut answer, &json!({ "content": "x".repeat(KEPT_BYTES) }));
    assert!(!answer.is_too_long());
    assert_eq!(answer.text().len(), KEPT_BYTES);
    push(&mut answer, &json!({ "content": "x" }));
    assert!(answer.is_too_long());
    assert_eq!(answer.text().len(), KEPT_BYTES, "what comes behind is left out");
}

proptest! {
    #[test]
    fn calls_come_out_whole_however_they_are_cut_and_mixed(
        texts in prop::collection::vec("\\PC{0,40}", 1..5),
        cuts in prop::collection::vec(prop::collection::vec(any::<usize>(), 0..4), 5),
        // As many turns as there can be pieces.
        order in prop::collection::vec(0..5_usize, 20),
    ) {
        let arguments: Vec<String> = texts.iter().map(|text| json!({ "q": text }).to_string()).collect();
        let mut pieces: Vec<Vec<&str>> = arguments.iter().zip(&cuts).map(|(text, at)| cut(text, at)).collect();
        let mut answer = Answer::default();
        for (index, _) in arguments.iter().enumerate() {
            let begin = json!({"index": index, "id": format!("c{index}"), "function": {"name": "f", "arguments": ""}});
            let output = push(&mut answer, &json!({ "tool_calls": [begin] }));
            prop_assert!(output);
        }
        for turn in &order {
            let mut from_turn = (0..pieces.len()).map(|n| (turn + n) % pieces.len());
            let Some(at) = from_turn.find(|at| !pieces[*at].is_empty()) else { break };
            let piece = pieces[at].remove(0);
            push(&mut answer, &json!({ "tool_calls": [{"index": at, "function": {"arguments": piece}}] }));
        }
        let calls = answer.assemble(&[], 1).expect("an answer").calls;
        let whole: Vec<String> = calls.into_iter().map(|call| call.arguments).collect();
        prop_assert_eq!(whole, arguments);
    }

    #[test]
    fn text_comes_out_whole_and_nothing_is_no_token(
        text in "\\PC{0,60}",
        at in prop::collection::vec(any::<usize>(), 0..6),
    ) {
        let mut answer = Answer::default();
        for piece in cut(&text, &at) {
            let output = push(&mut answer, &json!({ "content": piece }));
            prop_assert_eq!(output, !piece.is_empty());
        }
        prop_assert_eq!(answer.assemble(&[], 1).expect("an answer").content, text);
    }

    /// Whatever is valid JSON in a tool call's fields is taken without complaint, and ids end up distinct.
    #[test]
    fn strange_calls_do_no_harm(ids in prop::collection::vec(prop_oneof![
        Just(Value::Null),
        Just(json!("")),
        Just(json!("same")),
        Just(json!(7)),
        Just(json!({"x": 1})),
        Just(json!("call_3_1")),
    ], 0..6)) {
        let call = |id: &Value| json!({"index": id, "id": id, "function": {"name": "f", "arguments": id}});
        let calls: Vec<Value> = ids.iter().map(call).collect();
        let mut answer = Answer::default();
        push(&mut answer, &json!({ "tool_calls": calls }));
        let calls = answer.assemble(&[], 3).expect("an answer").calls;
        let mut distinct: Vec<&str> = calls.iter().map(|call| call.id.as_str()).collect();
        distinct.sort_unstable();
        distinct.dedup();
        prop_assert_eq!(distinct.len(), calls.len());
    }
}
