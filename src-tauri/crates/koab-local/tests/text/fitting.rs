//! A prompt that is too long loses whole messages in a fixed order, and never its markup.

use crate::text::conversations::{answered, called, reply, system, template, tools, user};
use koab_engine::ports::Message;
use koab_local::fitting::{FitError, Fitted, fit};
use proptest::prelude::*;
use serde_json::json;

const HERMES: &str = include_str!("templates/hermes.jinja");

/// Two exchanges that are over, with a call each, and one with two calls that is not.
fn turns() -> Vec<Message> {
    let answer = |id: &str| answered(id, &format!("{id} {}", "가나다라 ".repeat(60)));
    let call = |id: &'static str| (id, "Now", json!({}));
    vec![
        system(),
        user("첫 질문"),
        called("", &[call("c1")]),
        answer("c1"),
        reply("첫 답"),
        user("둘째 질문"),
        called("", &[call("c2")]),
        answer("c2"),
        reply("둘째 답"),
        user("끝 질문"),
        called("", &[call("c3"), call("c4")]),
        answer("c3"),
        answer("c4"),
    ]
}

/// A token a character will do: what counts is who counts.
fn count(prompt: &str) -> usize {
    prompt.chars().count()
}

fn fitted(room: usize) -> Result<Fitted, FitError> {
    fit(&turns(), &tools()[1..], &template(HERMES), &count, room)
}

#[test]
fn what_fits_is_whole() {
    let all = fitted(100_000).unwrap();
    assert_eq!(all.tokens, count(&all.prompt));
    assert_eq!((all.dropped.len(), all.dropped_exchanges), (0, 0));
    assert_eq!(fitted(all.tokens).unwrap(), all);
}

#[test]
fn the_oldest_results_go_first_one_by_one() {
    let all = fitted(100_000).unwrap();
    let less = fitted(all.tokens - 1).unwrap();
    assert_eq!(less.dropped, ["c1"]);
    assert_eq!(less.dropped_exchanges, 0);
    insta::assert_snapshot!(less.prompt.replace(&"가나다라 ".repeat(60), "… "), @r###"
    <|im_start|>system
    친절하게 답한다.

    Tools at hand:
    <tools>
    {"type": "function", "function": {"name": "Now", "description": "지금", "parameters": {"type": "object", "properties": {}, "required": []}}}
    </tools>
    Call one by <tool_call>{"name": …, "arguments": …}</tool_call>.<|im_end|>
    <|im_start|>user
    첫 질문<|im_end|>
    <|im_start|>assistant
    <tool_call>
    {"name": "Now", "arguments": {}}
    </tool_call><|im_end|>
    <|im_start|>user
    <tool_response>
    [This result was left out because the conversation has become too long.]
    </tool_response><|im_end|>
    <|im_start|>assistant
    첫 답<|im_end|>
    <|im_start|>user
    둘째 질문<|im_end|>
    <|im_start|>assistant
    <tool_call>
    {"name": "Now", "arguments": {}}
    </tool_call><|im_end|>
    <|im_start|>user
    <tool_response>
    c2 … 
    </tool_response><|im_end|>
    <|im_start|>assistant
    둘째 답<|im_end|>
    <|im_start|>user
    끝 질문<|im_end|>
    <|im_start|>assistant
    <tool_call>
    {"name": "Now", "arguments": {}}
    </tool_call>
    <tool_call>
    {"name": "Now", "arguments": {}}
    </tool_call><|im_end|>
    <|im_start|>user
    <tool_response>
    c3 … 
    </tool_response>
    <tool_response>
    c4 … 
    </tool_response><|im_end|>
    <|im_start|>assistant
    "###);
    let still = fitted(less.tokens - 1).unwrap();
    assert_eq!(still.dropped, ["c1", "c2"]);
}

#[test]
fn then_exchanges_that_are_over_go_whole() {
    let mut room = fitted(100_000).unwrap().tokens;
    let mut steps = Vec::new();
    let error = loop {
        match fitted(room) {
            Ok(fitted) => {
                steps.push((fitted.dropped.join(" "), fitted.dropped_exchanges));
                room = fitted.tokens - 1;
                assert!(fitted.prompt.contains("끝 질문") && fitted.prompt.contains("친절하게"));
                assert!(fitted.prompt.contains("\"name\": \"Now\", \"description\""));
            }
            Err(error) => break error,
        }
    };
    let steps: Vec<(&str, usize)> = steps.iter().map(|(ids, exchanges)| (ids.as_str(), *exchanges)).collect();
    assert_eq!(
        steps,
        [
            ("", 0),
            ("c1", 0),
            ("c1 c2", 0),
            ("c1 c2 c3", 0),
            ("c1 c2 c3 c4", 0),
            ("c1 c2 c3 c4", 1),
            ("c1 c2 c3 c4", 2),
        ]
    );
    let FitError::TooLong(too_long) = error else {
        panic!("{error}");
    };
    assert_eq!((too_long.needed, too_long.room), (room + 1, room));
    insta::assert_snapshot!(too_long.to_string().replace(&(room + 1).to_string(), "N").replace(&room.to_string(), "R"), @"the prompt needs N tokens without everything that can be left out, but the context has room for R; choose a larger --context, a smaller --max-tokens or fewer tools");
}

#[test]
fn what_a_template_refuses_is_the_templates_fault() {
    let refusing = template(
        "{% if messages | length > 4 %}{{ raise_exception('too many') }}{% endif %}{{ messages[0].content }}",
    );
    let error = fit(&turns(), &[], &refusing, &count, 10_000).unwrap_err();
    assert!(matches!(error, FitError::Template(_)), "{error}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn whatever_the_room_the_prompt_fits_or_says_so(room in 1usize..2500) {
        match fitted(room) {
            Ok(fitted) => {
                prop_assert!(fitted.tokens <= room);
                let opened = fitted.prompt.matches("<|im_start|>").count();
                prop_assert_eq!(opened, fitted.prompt.matches("<|im_end|>").count() + 1);
                let answers = fitted.prompt.matches("<tool_response>").count();
                prop_assert_eq!(answers, fitted.prompt.matches("</tool_response>").count());
            }
            Err(FitError::TooLong(error)) => prop_assert!(error.needed > error.room && error.room == room),
            Err(error) => prop_assert!(false, "{}", error),
        }
    }
}
