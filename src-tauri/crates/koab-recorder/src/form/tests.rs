use super::*;
use proptest::prelude::*;

fn call(session: u32, result: Option<&str>, error: Option<&str>) -> CallForm {
    CallForm {
        session,
        tool: "t".to_owned(),
        result: result.map(str::to_owned),
        error: error.map(str::to_owned),
        ..CallForm::default()
    }
}

#[test]
fn a_call_failed_where_the_server_said_so_in_either_way() {
    for (call, is_error, answer) in [
        (call(1, Some("{}"), None), false, "{}"),
        (call(1, Some(r#"{"isError":true}"#), None), true, r#"{"isError":true}"#),
        (call(1, Some(r#"{"isError":false}"#), None), false, r#"{"isError":false}"#),
        (call(1, None, Some(r#"{"code":1}"#)), true, r#"{"code":1}"#),
        // A mark that is no mark is none.
        (call(1, Some(r#"{"isError":"true"}"#), None), false, r#"{"isError":"true"}"#),
        (call(1, Some("[1]"), None), false, "[1]"),
        (call(1, None, None), false, "{}"),
    ] {
        assert_eq!((call.is_error(), call.answer()), (is_error, answer));
    }
}

#[test]
fn a_recording_that_cannot_be_read_says_where() {
    let whole = r#"{"format":1}"#.to_owned();
    let read = |server: &str, calls: &str| {
        let texts = (server.to_owned(), calls.to_owned());
        Recorded::read("p", &texts).map_err(|error| error.message.to_string())
    };
    let later = format!("{{\"format\":{}}}", FORMAT + 1);
    let said = read(&later, "").expect_err("refused");
    assert_eq!(said, "the recording of p is of a later version; update Ko-AgentBench Desktop");
    let said = read("no JSON", "").expect_err("refused");
    assert!(said.starts_with("the recording of p cannot be read: "), "{said}");
    let said = read(&whole, "{\"tool\":\"a\"}\nno JSON\n").expect_err("refused");
    assert!(said.starts_with("the recording of p cannot be read at line 2 of its calls: "), "{said}");
    let found =
        read(&whole, "\n{\"tool\":\"a\",\"session\":3}\n\n{\"tool\":\"b\",\"session\":7}\n").expect("read");
    assert_eq!((found.counts(), found.calls[1].tool.as_str()), ([2, 2], "b"));
    assert_eq!(read("{}", "").expect("an older one").counts(), [0, 0]);
}

proptest! {
    #![proptest_config(koab_draws::config(128))]

    /// What a pack keeps comes back letter for letter.
    #[test]
    fn a_recording_is_read_as_it_was_written(
        answers in prop::collection::vec(("[ -~가-힣\n\u{2028}]{0,20}", any::<bool>(), 1u32..4, prop::option::of("[ -~]{0,8}")), 0..6),
    ) {
        let calls: Vec<CallForm> = answers.iter().map(|(text, is_error, session, arguments)| {
            let text = serde_json::Value::from(text.as_str()).to_string();
            CallForm {
                arguments: arguments.clone(),
                masked: *is_error,
                ..call(*session, (!is_error).then_some(&text), is_error.then_some(&text))
            }
        }).collect();
        let recorded = Recorded { calls, ..Recorded::default() };
        let (server, lines) = recorded.texts();
        prop_assert_eq!(lines.lines().count(), recorded.calls.len());
        let read = Recorded::read("p", &(server, lines)).unwrap();
        prop_assert_eq!(&read.calls, &recorded.calls);
        let sessions: std::collections::BTreeSet<u32> = recorded.calls.iter().map(|call| call.session).collect();
        prop_assert_eq!(read.counts(), [recorded.calls.len() as u32, sessions.len() as u32]);
    }
}
