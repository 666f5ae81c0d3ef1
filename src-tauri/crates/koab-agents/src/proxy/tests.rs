use super::{HEAD, HostLog, MAX_HOSTS, Route, answer, host_of, is_ours};
use proptest::prelude::*;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

/// The bytes that reach the run's listener when these are written one after another.
async fn heard(pieces: &[&str]) -> String {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let port = listener.local_addr().expect("an address").port();
    let (mut client, stream) = tokio::io::duplex(4096);
    let ours = Route { port, known_as: 8377, is_socket: false };
    let noted = HostLog::default();
    let asked = noted.clone();
    tokio::spawn(async move { answer(stream, ours, &asked).await });
    for piece in pieces {
        client.write_all(piece.as_bytes()).await.expect("written");
        tokio::task::yield_now().await;
    }
    let (mut inner, _) = listener.accept().await.expect("passed on");
    let mut heard = vec![0; 4096];
    let length = inner.read(&mut heard).await.expect("read");
    heard.truncate(length);
    assert!(noted.hosts().is_empty());
    String::from_utf8(heard).expect("text")
}

#[tokio::test]
async fn a_request_that_comes_in_two_pieces_is_read_as_one() {
    let heard = heard(&["POST http://127.0", ".0.1:8377/mcp HTTP/1.1\r\n\r\n"]).await;
    assert!(heard.starts_with("POST http://127.0.0.1:8377/mcp "), "{heard}");
}

#[tokio::test]
async fn the_head_of_a_tunnel_stays_outside_of_it() {
    let long = format!("Host: 127.0.0.1:8377\r\nUser-Agent: {}\r\n\r\n", "a".repeat(300));
    let heard = heard(&["CONNECT 127.0.0.1:8377 HTTP/1.1\r\n", &long, "GET /mcp HTTP/1.1\r\n\r\n"]).await;
    assert!(heard.starts_with("GET /mcp "), "{heard}");
}

#[test]
fn a_request_is_for_the_run_s_listener_or_for_nobody() {
    let named = Route { port: 1, known_as: 8377, is_socket: false };
    let socket = Route { is_socket: true, ..named };
    for (line, ours, ours_by_socket) in [
        ("POST http://127.0.0.1:8377/mcp HTTP/1.1", true, true),
        ("GET http://localhost:8377 HTTP/1.1", true, true),
        ("CONNECT 127.0.0.1:8377 HTTP/1.1", true, true),
        ("GET /mcp HTTP/1.1", false, true),
        ("GET http://127.0.0.1:8378/ HTTP/1.1", false, false),
        ("GET http://127.0.0.1/ HTTP/1.1", false, false),
        ("GET http://127.0.0.1:8377.example.com/ HTTP/1.1", false, false),
        ("GET http://127.0.0.1:8377@example.com/ HTTP/1.1", false, false),
        ("GET http://example.com/http://127.0.0.1:8377/ HTTP/1.1", false, false),
        ("CONNECT example.com:8377 HTTP/1.1", false, false),
        ("GET", false, false),
        ("", false, false),
        ("\u{16}\u{3}\u{1} tls", false, false),
    ] {
        let head = format!("{line}\r\nHost: 127.0.0.1:8377\r\n\r\n");
        assert_eq!(is_ours(head.as_bytes(), named), ours, "{line}");
        assert_eq!(is_ours(head.as_bytes(), socket), ours_by_socket, "{line}");
    }
}

#[test]
fn a_host_is_what_was_asked_for_and_nothing_that_is_no_name() {
    for (line, host) in [
        ("CONNECT api.openai.com:443 HTTP/1.1", Some("api.openai.com")),
        ("GET http://example.com/a?b HTTP/1.1", Some("example.com")),
        ("GET http://example.com?b HTTP/1.1", Some("example.com")),
        ("GET http://10.0.0.1:99/ HTTP/1.1", Some("10.0.0.1")),
        ("GET /path HTTP/1.1", None),
        ("GET http://user:key@example.com/ HTTP/1.1", Some("user")),
        ("CONNECT key=secret:443 HTTP/1.1", None),
        ("CONNECT 한글:443 HTTP/1.1", None),
        ("CONNECT", None),
    ] {
        assert_eq!(host_of(format!("{line}\r\n").as_bytes()).as_deref(), host, "{line}");
    }
    assert_eq!(host_of(format!("CONNECT {}:1 HTTP/1.1\r\n", "a".repeat(254)).as_bytes()), None);
    assert_eq!(host_of(b"CONNECT \xff:1 HTTP/1.1\r\n"), None);
}

#[test]
fn hosts_are_kept_once_sorted_and_not_without_end() {
    let log = HostLog::default();
    for name in ["b.com", "a.com", "b.com"] {
        log.clone().note(name.to_owned());
    }
    assert_eq!(log.hosts(), ["a.com", "b.com"]);
    for number in 0..2 * MAX_HOSTS {
        log.note(format!("{number}.com"));
    }
    assert_eq!(log.hosts().len(), MAX_HOSTS);
}

/// What is answered to bytes that come in these pieces, and the hosts that are noted.
async fn answered(pieces: &[&[u8]]) -> (String, Vec<String>) {
    let (mut client, stream) = tokio::io::duplex(4096);
    let noted = HostLog::default();
    let asked = noted.clone();
    let ours = Route { port: 1, known_as: 8377, is_socket: false };
    let answering = tokio::spawn(async move { answer(stream, ours, &asked).await });
    for piece in pieces {
        client.write_all(piece).await.expect("written");
        tokio::task::yield_now().await;
    }
    client.shutdown().await.expect("shut down");
    let mut text = String::new();
    client.read_to_string(&mut text).await.expect("an answer");
    answering.await.expect("answered");
    (text, noted.hosts())
}

#[tokio::test]
async fn everything_else_is_refused_and_its_host_noted() {
    for (head, hosts) in [
        ("CONNECT api.openai.com:443 HTTP/1.1\r\nHost: x\r\n\r\n", vec!["api.openai.com"]),
        ("GET http://example.com/ HTTP/1.1\r\n\r\n", vec!["example.com"]),
        ("GET / HTTP/1.1\r\nHost: 127.0.0.1:8377\r\n\r\n", vec![]),
        // It leaves before its line is whole.
        ("CONNECT cut.off", vec!["cut.off"]),
        ("", vec![]),
    ] {
        let (text, noted) = answered(&[head.as_bytes()]).await;
        assert!(text.starts_with("HTTP/1.1 403 Forbidden\r\n"), "{head}: {text}");
        assert_eq!(noted, hosts, "{head}");
    }
    let endless = vec![b'a'; HEAD];
    let (text, noted) = answered(&[b"CONNECT ", &endless[8..]]).await;
    assert!(text.starts_with("HTTP/1.1 403 "), "{text}");
    assert!(noted.is_empty());
}

proptest! {
    #![proptest_config(koab_draws::config(64))]

    #[test]
    fn any_cut_of_a_request_notes_the_same_host(cuts in proptest::collection::vec(1..9_usize, 1..20)) {
        let head = b"CONNECT api.example-1.com:443 HTTP/1.1\r\nHost: api.example-1.com\r\n\r\n";
        let (mut pieces, mut rest, mut sizes) = (Vec::new(), &head[..], cuts.iter().cycle());
        while !rest.is_empty() {
            let (piece, more) = rest.split_at(rest.len().min(*sizes.next().expect("a cycle")));
            pieces.push(piece);
            rest = more;
        }
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        let (text, noted) = runtime.block_on(answered(&pieces));
        prop_assert!(text.starts_with("HTTP/1.1 403 "));
        prop_assert_eq!(noted, ["api.example-1.com"]);
    }
}
