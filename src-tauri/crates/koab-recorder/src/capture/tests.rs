use super::*;
use crate::form::raw;

#[test]
fn what_no_pack_can_have_is_left_out_and_all_else_is_kept() {
    let mut capture = Capture::new(ServerForm::default(), Secrets::default(), false);
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
        capture
            .remarks
            .iter()
            .map(Sentence::to_string)
            .collect::<Vec<_>>(),
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
    answered(
        &mut capture,
        None,
        "echo",
        &format!(r#"{{"structuredContent":{{"{CANARY}":1}}}}"#),
    );
    answered(&mut capture, None, CANARY, "{}");
    capture.pass(CANARY);
    let long = "x".repeat(4000);
    answered(&mut capture, None, "echo", &format!(r#"{{"{long}":"{CANARY}"}}"#));
    let said = capture
        .remarks
        .iter()
        .map(Sentence::to_string)
        .collect::<Vec<_>>();
    assert_eq!(capture.left_out, 3);
    assert!(
        said.iter().all(|one| !one.contains(CANARY) && one.len() < 1000),
        "{said:?}"
    );
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
    assert!(passed.len() <= METHODS + 1, "{}", passed.len());
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
