//! Who is let in, and where the gateway listens.

use crate::support::{Bench, Server, opened, question, says};
use koab_gateway::{Gateway, GatewayOptions, TrialCalls};
use serde_json::json;

#[tokio::test]
async fn without_the_token_of_a_living_trial_there_is_nothing() {
    let server = Server::start(|_, _| async { says(json!({"role": "assistant", "content": "a"})) }).await;
    let bench = Bench::new(&server).await;
    let (token, over) = (bench.trial("a"), bench.trial("over"));
    assert_ne!(token.expose(), over.expose());
    assert!(bench.gateway.end_trial(&over).await.is_some());
    assert!(bench.gateway.end_trial(&over).await.is_none());
    let body = question("q").to_string();
    for given in [None, Some("sk-koab-"), Some(""), Some(over.expose().as_str())] {
        let refused = bench.post(given, &body).await;
        assert_eq!(refused.refusal(), (401, "invalid_api_key".to_owned(), None), "{given:?}");
        assert!(!refused.head.contains("access-control"));
    }
    let get = |path: &str| format!("GET {path} HTTP/1.1\r\nhost: g\r\nconnection: close\r\n");
    for path in ["/", "/v1/models", "/anything"] {
        assert_eq!(bench.send(&format!("{}\r\n", get(path))).await.status, 401, "{path}");
    }
    assert_eq!(server.count(), 0);
    let with_token = |head: String| format!("{head}authorization: Bearer {}\r\n\r\n", token.expose());
    let models = bench.send(&with_token(get("/v1/models"))).await;
    assert_eq!(models.json()["data"][0]["id"], "openai_compat/m");
    assert_eq!(bench.send(&with_token(get("/v1/chat/completions"))).await.status, 405);
    assert_eq!(bench.send(&with_token(get("/v1/../etc/passwd"))).await.status, 404);
    let options =
        "OPTIONS /v1/chat/completions HTTP/1.1\r\nhost: g\r\norigin: http://x\r\nconnection: close\r\n";
    let asked = bench.send(&with_token(options.to_owned())).await;
    assert!(asked.status == 405 && !asked.head.contains("access-control"));
    let twice = format!("{}authorization: Bearer wrong\r\n", get("/v1/models"));
    assert_eq!(bench.send(&with_token(twice)).await.status, 401);
    assert_eq!(bench.post(Some(token.expose()), &body).await.status, 200);
}

#[tokio::test]
async fn a_body_beyond_the_limit_is_not_read() {
    let server = Server::start(|_, _| async { says(json!({"role": "assistant", "content": "a"})) }).await;
    let (bench, token) = Bench::ready(&server).await;
    let request = format!(
        "POST /v1/chat/completions HTTP/1.1\r\nhost: g\r\nconnection: close\r\nauthorization: Bearer {}\r\ncontent-length: 99999999999\r\n\r\n",
        token.expose()
    );
    assert_eq!(bench.send(&request).await.refusal(), (413, "body_too_large".to_owned(), None));
    let call = &bench.calls("t")[0];
    assert_eq!((call.status, &call.hash), (Some(413), &None));
}

#[tokio::test]
async fn it_listens_where_it_is_told_and_never_everywhere() {
    let server = Server::start(|_, _| async { says(json!({"role": "assistant", "content": "a"})) }).await;
    let bench = Bench::with(&server, |options| {
        // Documentation's own network: no computer has this address.
        options.listen.push([192, 0, 2, 1].into());
    })
    .await;
    let addresses: Vec<String> = bench.gateway.addresses().iter().map(|it| it.ip().to_string()).collect();
    assert_eq!(addresses, ["127.0.0.1"]);
    let port = bench.gateway.port();
    assert_eq!(
        bench.gateway.base_url("host.docker.internal"),
        format!("http://host.docker.internal:{port}/v1")
    );
    for (address, said) in [([0, 0, 0, 0], "every network"), ([192, 0, 2, 1], "cannot listen")] {
        let options =
            GatewayOptions { listen: vec![address.into()], ..GatewayOptions::new("baseline/silent") };
        let refused = Gateway::start(options, &bench.models).await.err().unwrap();
        assert!(refused.message.to_string().contains(said), "{refused}");
    }
}

#[tokio::test]
async fn it_does_not_start_without_a_key_or_with_caps_that_cannot_be_kept() {
    let folder = tempfile::tempdir().unwrap();
    let (_, models) = opened(folder.path().to_owned());
    let mut options = GatewayOptions::new("openai_compat/unpriced");
    options.base_url = Some("http://127.0.0.1:9/v1".to_owned());
    options.caps.max_cost = Some(1.0);
    let refused = Gateway::start(options.clone(), &models).await.err().unwrap();
    assert!(
        refused.message.to_string().contains("the price of openai_compat/unpriced is not known"),
        "{refused}"
    );
    options.caps.max_cost = None;
    let refused = Gateway::start(options, &models).await.err().unwrap();
    assert!(refused.message.to_string().contains("no server answers"), "{refused}");
}

#[tokio::test]
async fn a_record_of_another_trial_is_not_touched() {
    let server = Server::start(|_, _| async { says(json!({"role": "assistant", "content": "a"})) }).await;
    let bench = Bench::new(&server).await;
    std::fs::write(bench.record("t"), "precious").unwrap();
    let trial = |path| TrialCalls { name: "t".to_owned(), record_to: Some(path), ..TrialCalls::default() };
    let refused = bench.gateway.token_for(trial(bench.record("t"))).err().unwrap();
    assert!(refused.message.to_string().contains("earlier trial"), "{refused}");
    assert_eq!(std::fs::read_to_string(bench.record("t")).unwrap(), "precious");
    let nowhere = bench.folder.path().join("none").join("t.jsonl");
    let refused = bench.gateway.token_for(trial(nowhere)).err().unwrap();
    assert!(refused.message.to_string().contains("cannot be written"), "{refused}");
}
