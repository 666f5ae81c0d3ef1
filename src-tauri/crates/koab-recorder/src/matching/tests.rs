use super::*;
use koab_engine::canonical_arguments::canonical_text;
use proptest::prelude::*;

fn call(session: u32, tool: &str, arguments: &str, result: &str) -> CallForm {
    CallForm {
        session,
        tool: tool.to_owned(),
        arguments: Some(arguments.to_owned()),
        result: Some(result.to_owned()),
        ..CallForm::default()
    }
}

fn book() -> AnswerTable {
    AnswerTable::new(&Recorded {
        calls: vec![
            call(1, "read", "{}", "empty"),
            call(1, "write", r#"{"a":1,"b":2000}"#, "done"),
            call(1, "read", "{}", "full"),
            call(2, "read", "{}", "other"),
        ],
        ..Recorded::default()
    })
}

fn canonical(text: &str) -> String {
    canonical_text(&serde_json::from_str(text).expect("JSON"))
}

#[test]
fn calls_are_answered_by_turn() {
    let (book, mut turns) = (book(), ReplayTurns::default());
    let mut ask = |tool: &str, arguments: &str| {
        let found = book.answer(tool, canonical(arguments), &mut turns, false);
        found.map(|call| call.answer().to_owned())
    };
    let read: Vec<_> = (0..3).map(|_| ask("read", "{}")).collect();
    assert_eq!(read, ["empty", "full", "full"].map(|text| Some(text.to_owned())));
    assert_eq!(ask("write", r#"{"b":2000.0,"a":1}"#).as_deref(), Some("done"));
    assert_eq!(ask("write", r#"{"b":2001,"a":1}"#), None);
    assert_eq!(ask("write", r#"{"b":"2000","a":1}"#), None);
    // Another session begins anew.
    let mut turns = ReplayTurns::default();
    let found = book.answer("read", canonical("{}"), &mut turns, false);
    assert_eq!(found.map(CallForm::answer), Some("empty"));
}

#[test]
fn under_strict_order_nothing_comes_from_the_future() {
    let (book, mut turns) = (book(), ReplayTurns::default());
    let mut ask = |tool: &str, arguments: &str| {
        let found = book.answer(tool, canonical(arguments), &mut turns, true);
        found.map(|call| call.answer().to_owned())
    };
    let write = r#"{"a":1,"b":2000}"#;
    assert_eq!(ask("write", write), None);
    assert_eq!(ask("read", "{}").as_deref(), Some("empty"));
    assert_eq!(ask("read", "{}"), None);
    assert_eq!(ask("write", write).as_deref(), Some("done"));
    assert_eq!(ask("read", "{}").as_deref(), Some("full"));
}

/// Each call looks at itself, not at all before it: looking at all would be 1,800,000,000 steps, which no test's time allows.
#[test]
fn strict_order_costs_no_more_in_a_long_session() {
    let calls = (0..60_000).map(|number| call(1, "read", &format!(r#"{{"n":{number}}}"#), "x"));
    let book = AnswerTable::new(&Recorded { calls: calls.collect(), ..Recorded::default() });
    let mut turns = ReplayTurns::default();
    for number in 0..60_000 {
        let asked = format!(r#"{{"n":{number}}}"#);
        assert!(book.answer("read", asked, &mut turns, true).is_some(), "{number}");
    }
}

/// Sessions of calls to two tools with few arguments, so that the same call comes again; each answer is another text.
fn sessions() -> impl Strategy<Value = Vec<Vec<(u8, u8)>>> {
    prop::collection::vec(prop::collection::vec((0u8..2, 0u8..3), 1..8), 1..4)
}

fn recorded(sessions: &[Vec<(u8, u8)>]) -> (AnswerTable, Vec<CallForm>) {
    let mut calls = Vec::new();
    for (session, of_session) in sessions.iter().enumerate() {
        for (tool, argument) in of_session {
            let number = calls.len();
            let arguments = format!(r#"{{"n":{argument}}}"#);
            calls.push(call(
                session as u32 + 1,
                &format!("t{tool}"),
                &arguments,
                &format!("answer {number}"),
            ));
        }
    }
    let table = AnswerTable::new(&Recorded { calls: calls.clone(), ..Recorded::default() });
    (table, calls)
}

fn asked<'a>(
    table: &'a AnswerTable,
    call: &CallForm,
    turns: &mut ReplayTurns,
    strict: bool,
) -> Option<&'a str> {
    let arguments = canonical(call.arguments.as_deref().unwrap_or_default());
    table.answer(&call.tool, arguments, turns, strict).map(CallForm::answer)
}

proptest! {
    #![proptest_config(koab_draws::config(200))]

    /// What was recorded in the first session is replayed letter for letter, under strict order as well.
    #[test]
    fn the_first_session_is_replayed_as_it_was(sessions in sessions(), strict in any::<bool>()) {
        let (table, calls) = recorded(&sessions);
        let mut turns = ReplayTurns::default();
        for call in calls.iter().filter(|call| call.session == 1) {
            let found = asked(&table, call, &mut turns, strict);
            prop_assert_eq!(found, Some(call.answer()));
        }
    }

    /// Whatever is asked in whatever order, only what was recorded of that very call is answered, by turn, and the last one again and again.
    #[test]
    fn a_call_is_answered_by_its_own_answers_in_their_order(
        sessions in sessions(),
        order in prop::collection::vec(any::<prop::sample::Index>(), 1..30),
    ) {
        let (table, calls) = recorded(&sessions);
        let mut turns = ReplayTurns::default();
        let mut given: HashMap<(String, String), Vec<String>> = HashMap::new();
        for place in order {
            let call = place.get(&calls);
            let key = (call.tool.clone(), call.arguments.clone().unwrap());
            let found = asked(&table, call, &mut turns, false).unwrap().to_owned();
            given.entry(key).or_default().push(found);
        }
        for ((tool, arguments), given) in given {
            // Of the sessions that have the call, the first one says the answers.
            let same = |call: &&CallForm| call.tool == tool && call.arguments.as_deref() == Some(&arguments);
            let first = calls.iter().find(same).unwrap().session;
            let own: Vec<&str> = calls.iter().filter(same).filter(|call| call.session == first).map(CallForm::answer).collect();
            for (turn, answer) in given.iter().enumerate() {
                prop_assert_eq!(answer, own[turn.min(own.len() - 1)]);
            }
        }
    }

    /// Under strict order an answer is given only when all calls before it were made, and what is not answered changes nothing.
    #[test]
    fn nothing_comes_from_the_future_in_any_order(
        session in prop::collection::vec((0u8..2, 0u8..3), 1..8),
        order in prop::collection::vec(any::<prop::sample::Index>(), 1..30),
    ) {
        let (table, calls) = recorded(&[session]);
        let mut turns = ReplayTurns::default();
        let mut made = vec![false; calls.len()];
        for place in order {
            let call = place.get(&calls);
            let Some(found) = asked(&table, call, &mut turns, true) else { continue };
            let at = calls.iter().position(|call| call.answer() == found).unwrap();
            prop_assert!(made[..at].iter().all(|is_made| *is_made), "{at} of {made:?}");
            made[at] = true;
        }
    }

    /// The order of fields and the form of numbers do not make another call, other values do.
    #[test]
    fn arguments_count_by_what_they_say(number in 0u16..500, text in "[a-z가-힣]{0,6}") {
        let written = format!(r#"{{"a":{number},"b":"{text}"}}"#);
        let table = AnswerTable::new(&Recorded {
            calls: vec![call(1, "t", &written, "x")],
            ..Recorded::default()
        });
        let is_found = |arguments: &str| {
            table.answer("t", canonical(arguments), &mut ReplayTurns::default(), false).is_some()
        };
        let turned = format!(r#"{{ "b": "{text}", "a": {number}.0 }}"#);
        let quoted = format!(r#"{{"a":"{number}","b":"{text}"}}"#);
        let other = format!(r#"{{"a":{},"b":"{text}"}}"#, number + 1);
        prop_assert!(is_found(&written) && is_found(&turned));
        prop_assert!(!is_found(&quoted) && !is_found(&other));
    }
}

#[test]
fn a_tool_that_the_server_does_not_have_shows_what_was_said_of_another() {
    let table = book();
    let found = table.unknown(|tool| tool == "read");
    assert_eq!(found.map(|call| call.tool.as_str()), Some("write"));
    assert!(table.unknown(|_| true).is_none());
    assert_eq!(table.arguments_of("read"), ["{}"; 3]);
    assert_eq!(table.arguments_of("gone"), [""; 0]);
}
