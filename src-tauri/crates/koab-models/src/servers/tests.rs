use super::*;
use std::io::{Read as _, Write as _};
use std::net::TcpListener;

/// A server on this machine that answers everything so; it lives as long as the test's process.
fn server(status: u16, body: &'static str) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = format!("http://{}/v1", listener.local_addr().expect("an address"));
    std::thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let mut asked = [0; 4096];
            let _ = stream.read(&mut asked);
            let length = body.len();
            let answer = format!(
                "HTTP/1.1 {status} Said\r\ncontent-type: application/json\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{body}"
            );
            let _ = stream.write_all(answer.as_bytes());
        }
    });
    address
}

#[tokio::test]
async fn servers_on_this_machine_are_found_with_their_models() {
    let folder = tempfile::tempdir().expect("a folder");
    let models = Models::at(folder.path());
    let open = server(200, r#"{"object":"list","data":[{"id":"Qwen/Qwen3-8B"},{"id":"tiny"}]}"#);
    let guarded = server(401, r#"{"error":"no key"}"#);
    let other = server(200, r#"{"hello":"world"}"#);
    let found = models.servers_find(&[open.clone(), guarded.clone(), other]).await.expect("asked");
    let ours: Vec<_> = found.iter().filter(|one| one.provider == "openai_compat").collect();
    let shown: Vec<_> =
        ours.iter().map(|one| (one.base_url.as_str(), one.wants_key, one.models.join(" "))).collect();
    let names = "openai_compat/Qwen/Qwen3-8B openai_compat/tiny".to_owned();
    assert_eq!(shown, [(open.as_str(), false, names), (guarded.as_str(), true, String::new())]);
}

#[tokio::test]
async fn another_machine_is_not_asked() {
    let folder = tempfile::tempdir().expect("a folder");
    let models = Models::at(folder.path());
    for address in ["http://192.0.2.1:8000/v1", "http://localhost.evil.example/v1", "no address"] {
        let said = models.servers_find(&[address.to_owned()]).await.expect_err("refused").message.to_string();
        assert!(said.starts_with(&format!("{address} is not an address on this machine")), "{said}");
    }
}

#[tokio::test]
async fn the_models_of_a_server_are_sorted_and_a_probe_says_whether_one_calls_tools() {
    let folder = tempfile::tempdir().expect("a folder");
    let models = Models::at(folder.path());
    let listing = server(200, r#"{"object":"list","data":[{"id":"b"},{"id":"a"}]}"#);
    let found = models.models_at("openai_compat", Some(&listing)).await.expect("asked");
    assert_eq!(found, Some(vec!["a".to_owned(), "b".to_owned()]));
    let calling = server(
        200,
        r#"{"choices":[{"message":{"role":"assistant","content":null,"tool_calls":[{"id":"1","type":"function","function":{"name":"weather_today","arguments":"{\"city\":\"서울\"}"}}]},"finish_reason":"tool_calls"}],"usage":{"prompt_tokens":5,"completion_tokens":2,"total_tokens":7}}"#,
    );
    let probe = models.model_probe("openai_compat/m", Some(&calling)).await.expect("asked");
    assert_eq!((probe.called, probe.text.as_str(), probe.tokens), (true, "", Some(7)));
    // Another tool, or arguments that are no object, are no call.
    for call in [r#"{"name":"other","arguments":"{}"}"#, r#"{"name":"weather_today","arguments":"[]"}"#] {
        let body = format!(
            r#"{{"choices":[{{"message":{{"role":"assistant","content":null,"tool_calls":[{{"id":"1","type":"function","function":{call}}}]}},"finish_reason":"tool_calls"}}]}}"#
        );
        let at = server(200, Box::leak(body.into_boxed_str()));
        let probe = models.model_probe("openai_compat/m", Some(&at)).await.expect("asked");
        assert_eq!((probe.called, probe.tokens), (false, None), "{call}");
    }
    let talking = server(
        200,
        r#"{"choices":[{"message":{"role":"assistant","content":" 모릅니다. "},"finish_reason":"stop"}]}"#,
    );
    let probe = models.model_probe("openai_compat/m", Some(&talking)).await.expect("asked");
    assert_eq!((probe.called, probe.text.as_str()), (false, "모릅니다."));
}
