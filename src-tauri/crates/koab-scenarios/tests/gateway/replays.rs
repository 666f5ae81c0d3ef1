//! Records, and answers out of them.

use crate::support::{Bench, Server, question, says};
use koab_core::sensitive::Sensitive;
use koab_scenarios::gateway::{TrialCalls, read_calls, request_hash};
use serde_json::{Value, json};
use std::path::Path;

/// A server that never answers the same question alike.
async fn moody() -> Server {
    Server::start(|at, _| async move {
        match at {
            3 => (
                "429 Too Many Requests\r\nretry-after: 99\r\n".to_owned(),
                "{}".to_owned(),
            ),
            _ => says(json!({"role": "assistant", "content": format!("answer {at}")})),
        }
    })
    .await
}

fn replay(bench: &Bench, from: &Path, to: &str) -> Sensitive<String> {
    let trial = TrialCalls {
        name: "again".to_owned(),
        record_to: Some(bench.record(to)),
        replay_from: Some(from.to_owned()),
    };
    bench.gateway.token_for(trial).unwrap()
}

/// Asks all of these, and says what came: status, the headers that clients go by, and body.
async fn conversation(bench: &Bench, token: &Sensitive<String>, questions: &[Value]) -> Vec<String> {
    let mut told = Vec::new();
    for question in questions {
        let answer = bench.ask(token, question).await;
        let headers: Vec<&str> = answer
            .head
            .lines()
            .filter(|line| line.contains("retry"))
            .collect();
        told.push(format!("{} {headers:?} {}", answer.status, answer.body));
    }
    told
}

#[tokio::test]
async fn a_replay_gives_the_same_bytes_twice_without_a_model() {
    let server = moody().await;
    let live = Bench::new(&server).await;
    let token = live.trial("live");
    let mut streamed = question("b");
    streamed["stream"] = true.into();
    let mut refused = question("c");
    refused["n"] = 5.into();
    let questions = [
        question("a"),
        question("a"),
        streamed,
        question("limited"),
        refused,
    ];
    let told = conversation(&live, &token, &questions).await;
    let recorded = live.gateway.end_trial(&token).await.unwrap();
    assert_eq!((recorded.count, recorded.failed), (5, 2));
    assert!(
        told[3].starts_with("429") && told[3].contains("retry-after: 99"),
        "{told:?}"
    );

    let bench = Bench::replaying().await;
    for to in ["first", "second"] {
        let token = replay(&bench, &live.record("live"), to);
        assert_eq!(conversation(&bench, &token, &questions).await, told);
        let calls = bench.gateway.end_trial(&token).await.unwrap();
        assert_eq!((calls.count, calls.failed, calls.replayed), (5, 2, 5));
        assert_eq!(
            (calls.input_tokens, calls.cost_usd),
            (recorded.input_tokens, recorded.cost_usd)
        );
    }
    assert_eq!(bench.gateway.spent().usd, Some(0.0));
    let again = read_calls(&bench.record("second")).unwrap();
    assert!(again.iter().all(|call| call.replayed));

    // Another order of different questions, book-keeping and the order of fields do not matter.
    let token = replay(&bench, &bench.record("second"), "third");
    let mut first = json!({"user": "x", "messages": questions[0]["messages"], "model": "m"});
    assert_eq!(request_hash(&first), request_hash(&questions[0]));
    let other = conversation(&bench, &token, &[questions[2].clone(), first.clone()]).await;
    assert_eq!(other, [told[2].clone(), told[0].clone()]);

    first["temperature"] = 0.5.into();
    let differs = bench.ask(&token, &first).await;
    assert_eq!(differs.refusal(), (409, "not_recorded".to_owned(), None));
    assert!(differs.head.contains("x-should-retry: false"));
    insta::assert_snapshot!(differs.json()["error"]["message"].as_str().unwrap(), @"this request is not in the record; nearest is call 2, which differs at temperature: null was recorded and 0.5 came");
    let long = "0123456789".repeat(20);
    let asked = bench.ask(&token, &question(&format!("{long}x"))).await;
    assert!(asked.body.contains("differs at messages[0].content"), "{asked:?}");
    for _ in 0..2 {
        bench.ask(&token, &question("a")).await;
    }
    let over = bench.ask(&token, &question("a")).await;
    insta::assert_snapshot!(over.json()["error"]["message"].as_str().unwrap(), @"this request was recorded 2 times, and all of these answers are given");
}

#[tokio::test]
async fn a_record_that_was_cut_off_is_read_up_to_there() {
    let server = moody().await;
    let live = Bench::new(&server).await;
    let token = live.trial("t");
    let told = conversation(&live, &token, &[question("a"), question("b")]).await;
    let path = live.record("t");
    let bytes = std::fs::read(&path).unwrap();
    std::fs::write(&path, &bytes[..bytes.len() - 10]).unwrap();
    assert_eq!(read_calls(&path).unwrap().len(), 1);
    let bench = Bench::replaying().await;
    let token = replay(&bench, &path, "again");
    assert_eq!(conversation(&bench, &token, &[question("a")]).await, told[..1]);
    assert_eq!(bench.ask(&token, &question("b")).await.status, 409);

    let text = String::from_utf8(bytes)
        .unwrap()
        .replacen("\"call\":1", "\"call\":\"x\"", 1);
    std::fs::write(&path, text).unwrap();
    let refused = read_calls(&path).unwrap_err().message;
    assert!(
        refused.to_string().contains("line 1 is no recorded model call"),
        "{refused}"
    );
}

#[tokio::test]
async fn a_gateway_of_records_asks_for_one_and_one_of_models_for_none() {
    let bench = Bench::replaying().await;
    let refused = bench.gateway.token_for(TrialCalls::default()).err().unwrap();
    assert!(
        refused.message.to_string().contains("answers from records alone"),
        "{refused}"
    );
    let server = moody().await;
    let live = Bench::new(&server).await;
    let trial = TrialCalls {
        replay_from: Some("calls.jsonl".into()),
        ..TrialCalls::default()
    };
    assert!(live.gateway.token_for(trial).is_err());
}
