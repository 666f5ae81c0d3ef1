use super::*;
use crate::form::raw;

#[test]
fn what_no_pack_can_have_is_left_out_and_all_else_is_kept() {
    let mut capture = Capture::new(ServerForm::default(), Secrets::new([]), false);
    capture.most = 1 << 20;
    let big = format!(r#"{{"text":"{}"}}"#, "x".repeat(400_000));
    for text in [big.as_str(), &big, &big, "{}"] {
        let session = capture.ask();
        capture.keep(&AnsweredCall {
            session,
            played: None,
            tool: "big",
            arguments: None,
            answered: &Answered::Result(raw(text)),
            took: Duration::ZERO,
        });
    }
    assert_eq!((capture.recorded.calls.len(), capture.left_out), (3, 1));
    let (_, calls) = capture.recorded.texts();
    assert!(calls.len() <= 1 << 20, "{}", calls.len());
    assert_eq!(
        capture.remarks.iter().map(Sentence::to_string).collect::<Vec<_>>(),
        ["the recording is full at 1 MiB; stop it, and record what is left out as another pack"]
    );
}

const CANARY: &str = "canary-9f8e7d";

fn capture(mask: bool) -> Capture {
    Capture::new(ServerForm::default(), Secrets::new([CANARY.to_owned()]), mask)
}

fn answered(capture: &mut Capture, played: Option<usize>, tool: &str, text: &str) {
    let session = capture.ask();
    capture.keep(&AnsweredCall {
        session,
        played,
        tool,
        arguments: None,
        answered: &Answered::Result(raw(text)),
        took: Duration::ZERO,
    });
}

#[test]
fn a_remark_does_not_tell_a_value_that_is_the_name_of_a_field_or_of_a_tool() {
    let mut capture = capture(false);
    answered(&mut capture, None, "echo", &format!(r#"{{"structuredContent":{{"{CANARY}":1}}}}"#));
    answered(&mut capture, None, CANARY, "{}");
    capture.pass(CANARY);
    let long = "x".repeat(4000);
    answered(&mut capture, None, "echo", &format!(r#"{{"{long}":"{CANARY}"}}"#));
    let said = capture.remarks.iter().map(Sentence::to_string).collect::<Vec<_>>();
    assert_eq!(capture.left_out, 3);
    assert!(said.iter().all(|one| !one.contains(CANARY) && one.len() < 1000), "{said:?}");
    let (server, calls) = capture.recorded.texts();
    assert!(!server.contains(CANARY) && !calls.contains(CANARY), "{server}");
}

#[test]
fn what_a_server_says_of_its_protocol_is_looked_at_like_all_else() {
    let mut refused = capture(false);
    refused.recorded.server.protocol = CANARY.to_owned();
    assert!(refused.check_server().is_err());
    let mut masked = capture(true);
    masked.recorded.server.protocol = CANARY.to_owned();
    assert_eq!(masked.check_server(), Ok(()));
    assert_eq!(masked.recorded.server.protocol, "••••");
}

#[test]
fn methods_that_a_server_makes_up_are_counted_together() {
    let mut capture = capture(false);
    for number in 0..1000 {
        capture.pass(&format!("made/up-{number}"));
        capture.pass(&"x".repeat(100));
    }
    let passed = &capture.recorded.server.passed_through;
    assert!(passed.len() <= MAX_METHODS + 1, "{}", passed.len());
    assert_eq!(passed.values().sum::<u32>(), 2000);
}

#[test]
fn an_answer_that_is_left_out_does_not_shift_the_pairs_behind_it() {
    let mut capture = capture(false);
    answered(&mut capture, Some(0), "secret", &format!(r#""{CANARY}""#));
    answered(&mut capture, Some(0), "secret", "1");
    for text in ["1", "2"] {
        answered(&mut capture, Some(1), "clock", text);
    }
    capture.find_unsteady();
    let unsteady = &capture.recorded.server.unsteady;
    assert_eq!(unsteady.keys().map(String::as_str).collect::<Vec<_>>(), ["clock"]);
}

#[test]
fn what_two_answers_differ_in_is_named_by_the_weakest_rule() {
    for (one, other, what) in [
        (r#""a""#, r#""a""#, None),
        (r#""at 22:00:01""#, r#""at 22:00:02""#, Some("time")),
        (r#""127.0.0.1:80""#, r#""127.0.0.1:81""#, Some("ids")),
        (r#""22:00:01 localhost:1""#, r#""22:00:02 localhost:2""#, Some("ids")),
        (r#""1""#, r#""2""#, Some("counts")),
        (r#""22:00:01 1""#, r#""22:00:02 2""#, Some("counts")),
    ] {
        let found = Unsteady::between(one, other).map(Unsteady::name);
        assert_eq!(found, what, "{one} {other}");
    }
    let mut capture = capture(false);
    // Two pairs of one tool: the stronger difference stays.
    for (place, text) in [(0, r#""22:00:01""#), (0, r#""22:00:02""#), (1, "1"), (1, "2"), (2, "5"), (3, "6")]
    {
        answered(&mut capture, Some(place), "clock", text);
    }
    capture.find_unsteady();
    assert_eq!(capture.recorded.server.unsteady["clock"], "counts");
    let said =
        [("time", "hold the time"), ("ids", "ids or times"), ("counts", "the second answer was different")];
    for (what, part) in said {
        assert!(unsteady("t", what).to_string().contains(part), "{what}");
    }
}

#[test]
fn a_session_begins_where_the_one_before_had_calls() {
    let mut capture = capture(false);
    assert_eq!([capture.begin_session(), capture.begin_session()], [1, 1]);
    assert_eq!(capture.ask(), 1);
    assert_eq!(capture.begin_session(), 2);
    assert_eq!(capture.begin_session(), 2, "nothing was asked in it");
    answered(&mut capture, None, "late", "1");
    capture.begin_session();
    // An answer of the first session comes last.
    capture.keep(&AnsweredCall {
        session: 1,
        played: None,
        tool: "early",
        arguments: Some("{}"),
        answered: &Answered::Error(raw(r#"{"code":1}"#)),
        took: Duration::from_millis(7),
    });
    capture.by_session();
    let told: Vec<_> = capture
        .recorded
        .calls
        .iter()
        .map(|call| (call.ordinal, call.session, call.tool.as_str(), call.ms))
        .collect();
    assert_eq!(told, [(1, 1, "early", 7), (2, 2, "late", 0)]);
    let early = &capture.recorded.calls[0];
    assert_eq!(
        (early.result.as_deref(), early.error.as_deref(), early.is_error()),
        (None, Some(r#"{"code":1}"#), true)
    );
    assert_eq!(capture.recorded.counts(), [2, 2]);
}

#[test]
fn a_masked_answer_is_kept_without_the_value_and_says_so() {
    let mut capture = capture(true);
    answered(&mut capture, None, "echo", &format!(r#"{{"text":"key {CANARY}"}}"#));
    answered(&mut capture, None, "echo", r#"{"text":"nothing"}"#);
    let kept: Vec<_> = capture.recorded.calls.iter().map(|call| (call.answer(), call.masked)).collect();
    assert_eq!(kept, [(r#"{"text":"key ••••"}"#, true), (r#"{"text":"nothing"}"#, false)]);
    assert_eq!((capture.left_out, capture.remarks.len()), (0, 0));
}

#[test]
fn tools_of_a_pack_have_a_name_once_and_say_what_they_are_for() {
    let server = ServerForm {
        tools: [
            r#"{"name":"a","description":"A","inputSchema":{"type":"object","x":1}}"#,
            r#"{"name":"b","title":"B"}"#,
            r#"{"name":"c","description":"","inputSchema":[]}"#,
            r#"{"name":"a","description":"again"}"#,
            r#"{"name":""}"#,
            r#"{"title":"none"}"#,
            "no JSON",
        ]
        .map(str::to_owned)
        .to_vec(),
        ..ServerForm::default()
    };
    let told: Vec<_> =
        specs(&server).into_iter().map(|tool| (tool.name, tool.description, tool.parameters)).collect();
    let empty = serde_json::json!({"type": "object", "properties": {}});
    let expected = [
        ("a", "A", serde_json::json!({"type": "object", "x": 1})),
        ("b", "B", empty.clone()),
        ("c", "c", empty),
    ];
    assert_eq!(told, expected.map(|(name, said, schema)| (name.to_owned(), said.to_owned(), schema)));
    assert_eq!(name_of(r#"{"name":"a"}"#).as_deref(), Some("a"));
    assert_eq!((name_of("x"), name_of(r#"{"name":1}"#)), (None, None));
}
