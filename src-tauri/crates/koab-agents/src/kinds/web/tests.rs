use super::{Address, get, post};
use crate::tests::desk::serve;
use crate::tests::refused;
use serde_json::json;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

#[test]
fn only_servers_of_this_computer_have_an_address() {
    for (text, port, path) in [
        ("http://127.0.0.1:8080/ask", 8080, "/ask"),
        ("http://localhost:1/a/b?c=d", 1, "/a/b?c=d"),
        ("http://0.0.0.0:65535", 65535, "/"),
        ("http://127.0.0.1", 80, "/"),
        ("http://localhost/x", 80, "/x"),
    ] {
        let address = Address::read(text).expect(text);
        assert_eq!((address.port, address.path()), (port, path), "{text}");
        assert_eq!(address.at("/other").path(), "/other");
        assert_eq!(address.at("/other").port, port);
    }
    for text in [
        "",
        "127.0.0.1:8080",
        "https://127.0.0.1:8080/",
        "http://example.com/",
        "http://127.0.0.1.example.com:80/",
        "http://user@127.0.0.1:80/",
        "http://127.0.0.2:80/",
        "http://127.0.0.1:65536/",
        "http://127.0.0.1:port/",
        "http://127.0.0.1:/",
        "http://[::1]:80/",
        "http:///path",
    ] {
        let why = format!(
            "{text} is not an address of a server on this computer, such as http://127.0.0.1:{{port}}/"
        );
        refused(Address::read(text), &why);
    }
}

async fn address(status: u16, text: &'static str) -> Address {
    let port = serve(move |_| std::future::ready((status, text.to_owned()))).await;
    Address::read(&format!("http://127.0.0.1:{port}/ask")).expect("an address")
}

#[tokio::test]
async fn an_answer_is_its_text_and_a_refusal_a_sentence() {
    for (status, text, sentence) in [
        (200, "fine", None),
        (204, "", None),
        (302, "elsewhere", Some("its server answered 302: elsewhere")),
        (401, "who\u{7} are you", Some("its server answered 401: who are you")),
        (503, "", Some("its server answered 503: ")),
    ] {
        let at = address(status, text).await;
        for answer in [get(&at).await, post(&at, &json!({}), &[]).await] {
            match sentence {
                None => assert_eq!(answer.expect("an answer"), text),
                Some(why) => refused(answer, why),
            }
        }
    }
}

#[tokio::test]
async fn a_request_has_its_host_its_headers_and_its_body() {
    let (send, mut receive) = tokio::sync::mpsc::unbounded_channel();
    let port = serve(move |asked| {
        send.send(asked).expect("the test listens");
        std::future::ready((200, String::new()))
    })
    .await;
    let at = Address::read(&format!("http://localhost:{port}/ask?x=1")).expect("an address");
    post(&at, &json!({"q": "무엇"}), &[("A2A-Version", "1.0")]).await.expect("an answer");
    let asked = receive.recv().await.expect("a request");
    assert_eq!((asked.path.as_str(), &asked.body), ("/ask?x=1", &json!({"q": "무엇"})));
    assert!(asked.head.starts_with("post "), "{}", asked.head);
    for header in [
        &format!("host: 127.0.0.1:{port}"),
        "content-type: application/json",
        "accept: application/json",
        "a2a-version: 1.0",
    ] {
        assert!(asked.head.contains(header), "{header}: {}", asked.head);
    }
}

/// A server that takes one connection, reads some of it, writes these bytes and leaves.
async fn raw(bytes: &'static [u8]) -> Address {
    let listener = tokio::net::TcpListener::bind(("127.0.0.1", 0)).await.expect("a port");
    let port = listener.local_addr().expect("an address").port();
    tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.expect("a connection");
        let _length = stream.read(&mut [0; 64]).await.expect("a request");
        stream.write_all(bytes).await.expect("written");
    });
    Address::read(&format!("http://127.0.0.1:{port}/")).expect("an address")
}

#[tokio::test]
async fn a_server_that_leaves_or_writes_no_http_is_told() {
    for bytes in [
        &b""[..],
        b"HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf",
        b"no http at all\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nconten",
    ] {
        let why = get(&raw(bytes).await).await.expect_err("a lost connection").to_string();
        assert!(why.starts_with("the connection to its server was lost: "), "{why}");
    }
    let nobody = Address::read("http://127.0.0.1:1/").expect("an address");
    assert!(!nobody.is_there().await);
    let why = get(&nobody).await.expect_err("nobody listens").to_string();
    assert!(why.starts_with("its server cannot be reached: "), "{why}");
}
