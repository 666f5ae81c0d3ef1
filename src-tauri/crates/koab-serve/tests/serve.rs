//! The server over real sockets: who is let in, what is answered, how it ends.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on ends")]

mod support;

use serde_json::{Value, json};
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::time::Duration;
use support::{Answer, start, start_with};

#[test]
fn the_page_is_served_with_the_windows_policy() {
    let server = start();
    let page = server.get("/");
    assert_eq!(page.status, 200);
    assert!(page.text().contains("the page"));
    assert_eq!(page.header("content-type"), Some("text/html; charset=utf-8"));
    assert_eq!(page.header("cache-control"), Some("no-store"));
    assert_eq!(page.header("x-content-type-options"), Some("nosniff"));
    assert_eq!(page.header("access-control-allow-origin"), None);
    let config: Value = serde_json::from_str(include_str!("../../../../tauri.conf.json")).unwrap();
    let policy = page.header("content-security-policy").unwrap();
    for (name, allowed) in config["app"]["security"]["csp"].as_object().unwrap() {
        let allowed = if name == "connect-src" { "'self'" } else { allowed.as_str().unwrap() };
        assert!(policy.split("; ").any(|rule| rule == format!("{name} {allowed}")), "{name}: {policy}");
    }
    let script = server.get("/assets/index-1.js");
    assert_eq!(script.header("content-type"), Some("text/javascript; charset=utf-8"));
    assert!(script.header("cache-control").unwrap().contains("immutable"));
    let icon = server.get("/favicon.ico");
    assert!(icon.header("cache-control").unwrap().contains("max-age"));
}

#[test]
fn nothing_outside_the_page_can_be_named() {
    let server = start();
    for path in [
        "/../secret.txt",
        "/assets/../../secret.txt",
        "/%2e%2e/secret.txt",
        "/..%2fsecret.txt",
        "//etc/passwd",
        "/etc/passwd",
        "/assets/link.txt",
        "/assets",
        "/nothing",
    ] {
        let answer = server.get(path);
        assert_eq!(answer.status, 404, "{path}");
        assert!(!answer.text().contains("secret"), "{path}");
    }
}

#[test]
fn a_link_works_once() {
    let server = start();
    let link = server.links.fresh().unwrap();
    let secret = link.split_once("#link=").unwrap().1.to_owned();
    let first = server.post("/api/session", None, json!({ "link": secret }));
    assert_eq!(first.status, 200);
    assert_eq!(first.header("cache-control"), Some("no-store"));
    let session = first.json()["session"].as_str().unwrap().to_owned();
    assert_eq!(server.call(&session, "app_info", json!({})).status, 200);

    let second = server.post("/api/session", None, json!({ "link": secret }));
    assert_eq!((second.status, second.code()), (401, "signed_out".to_owned()));
    assert_eq!(server.call(&secret, "app_info", json!({})).status, 401, "a link is no session");
    assert_eq!(server.call(&session, "app_info", json!({})).status, 200, "the session stays");
}

#[test]
fn a_fresh_link_voids_the_one_before_and_no_session() {
    let server = start();
    let session = server.session();
    let before = server.links.fresh().unwrap();
    let after = server.links.fresh().unwrap();
    let open = |link: &str| {
        let secret = link.split_once("#link=").unwrap().1;
        server.post("/api/session", None, json!({ "link": secret })).status
    };
    assert_eq!((open(&before), open(&after)), (401, 200));
    assert_eq!(server.call(&session, "app_info", json!({})).status, 200);
}

#[test]
fn without_a_session_nothing_is_called() {
    let server = start();
    for path in ["/api/call/app_info", "/api/stream/run_subscribe", "/api/upload"] {
        assert_eq!(server.post(path, None, json!({})).status, 401, "{path}");
        assert_eq!(server.post(path, Some("wrong"), json!({})).status, 401, "{path}");
        assert_eq!(server.post(path, Some(""), json!({})).status, 401, "{path}");
    }
}

#[test]
fn another_host_or_origin_is_refused_whatever_else_is_right() {
    let server = start();
    let (session, ours) = (server.session(), server.host());
    let ask = |host: &str, origin: Option<&str>, path: &str| -> u16 {
        let origin = origin.map(|o| format!("Origin: {o}\r\n")).unwrap_or_default();
        let host = if host.is_empty() { String::new() } else { format!("Host: {host}\r\n") };
        let request = format!(
            "POST {path} HTTP/1.0\r\n{host}{origin}Authorization: Bearer {session}\r\nContent-Length: 2\r\n\r\n{{}}"
        );
        server.raw(request.as_bytes()).status
    };
    let call = "/api/call/app_info";
    let good = format!("http://{ours}");
    assert_eq!(ask(&ours, Some(&good), call), 200);
    let port = server.port;
    let local = format!("localhost:{port}");
    assert_eq!(ask(&local, Some(&format!("http://{local}")), call), 200);

    for host in ["evil.example", &format!("evil.example:{port}"), "127.0.0.1", "127.0.0.1:1", "localhost", ""]
    {
        assert_eq!(ask(host, Some(&format!("http://{host}")), call), 403, "host {host}");
        assert_eq!(ask(host, Some(&good), call), 403, "host {host}");
    }
    for origin in [
        "http://evil.example",
        "null",
        "",
        &format!("https://{ours}"),
        &format!("http://{local}"),
        &format!("http://{ours}.evil.example"),
        "http://127.0.0.1:1",
    ] {
        assert_eq!(ask(&ours, Some(origin), call), 403, "origin {origin}");
    }
    assert_eq!(ask(&ours, None, call), 403, "a call without an origin");
    assert_eq!(ask("evil.example", None, "/"), 403, "the page under another name");
    let absolute = format!("http://evil.example{call}");
    assert_eq!(ask(&ours, Some(&good), &absolute), 403, "two hosts");
    // Both of a doubled header could be the one that counts elsewhere.
    let doubled = format!("GET / HTTP/1.0\r\nHost: {ours}\r\nHost: evil.example\r\n\r\n");
    assert!(server.raw(doubled.as_bytes()).status >= 400);
}

#[test]
fn no_other_page_is_ever_invited() {
    let server = start();
    let request = format!(
        "OPTIONS /api/call/app_info HTTP/1.0\r\nHost: {}\r\nOrigin: http://evil.example\r\nAccess-Control-Request-Method: POST\r\nAccess-Control-Request-Headers: authorization\r\n\r\n",
        server.host()
    );
    let answer = server.raw(request.as_bytes());
    assert_eq!(answer.status, 403);
    assert!(!answer.head.to_lowercase().contains("access-control-allow"), "{}", answer.head);
}

#[test]
fn errors_of_commands_come_with_their_code_and_a_status() {
    let server = start();
    let session = server.session();
    let unknown = server.call(&session, "drop_everything", json!({}));
    assert_eq!((unknown.status, unknown.code()), (400, "bad_request".to_owned()));
    assert_eq!(unknown.json()["message"]["args"]["command"], "drop_everything");
    let missing = server.call(&session, "run_cancel", json!({ "run": "no/such" }));
    assert_eq!((missing.status, missing.code()), (404, "not_found".to_owned()));
    assert_eq!(missing.header("cache-control"), Some("no-store"));
    let garbage = server.post_bytes("/api/call/packs_list", Some(&session), b"{");
    assert_eq!((garbage.status, garbage.code()), (400, "bad_request".to_owned()));
    assert_eq!(server.call(&session, "packs_list", json!({})).json()[0]["name"], "starter");
}

#[test]
fn too_long_a_body_is_refused() {
    let server = start();
    let session = server.session();
    let long = vec![b' '; 5 << 20];
    for path in ["/api/call/app_info", "/api/stream/run_start", "/api/session"] {
        let answer = server.post_bytes(path, Some(&session), &long);
        assert_eq!((answer.status, answer.code()), (413, "bad_request".to_owned()), "{path}");
    }
}

#[test]
fn a_run_streams_its_events_in_order_and_is_there_for_whoever_comes_later() {
    let server = start();
    let session = server.session();
    let request = json!({ "request": {
        "run": "r1", "pack": null, "model": "baseline/golden", "base_url": null, "levels": ["L1"],
        "protocol": "leaderboard", "repetitions": 1, "concurrency": null,
    }});
    let lines = server.stream(&session, "run_start", request);
    assert_eq!(lines.iter().filter(|line| line.get("answer").is_some()).count(), 1);
    let events = events_of(&lines);
    assert_eq!(events[0]["kind"]["type"], "run_started");
    assert_eq!(events.last().unwrap()["kind"]["type"], "run_finished");
    assert_eq!(events.last().unwrap()["kind"]["outcome"], "completed");
    assert!(lines.len() < events.len() / 2, "{} lines for {} events", lines.len(), events.len());

    let again = server.stream(&session, "run_subscribe", json!({ "run": "r1" }));
    assert_eq!(again.len(), 1);
    assert_eq!(again[0]["answer"]["finished"], true);
    // Whoever comes later hears of the start and the end as they were, and of each task once.
    let later = again[0]["answer"]["events"].as_array().unwrap();
    assert_eq!((later.first(), later.last()), (events.first(), events.last()));
    let of_tasks = &later[1..later.len() - 1];
    assert_eq!(of_tasks.len(), 4);
    for event in of_tasks {
        let so_far = &event["kind"]["so_far"];
        assert_eq!((&so_far["ends"], &so_far["kept"]), (&json!("a"), &json!(0)), "{so_far}");
    }

    let refused = server.stream(&session, "run_start", json!({ "request": {} }));
    assert_eq!(refused[0]["error"]["code"], "bad_request");
}

fn events_of(lines: &[Value]) -> Vec<Value> {
    let lists = lines.iter().filter_map(|line| line["events"].as_array());
    lists.flatten().cloned().collect()
}

/// Body of an upload of files: set, path and content of each.
fn upload_of(files: &[(&str, &str, &[u8])]) -> Vec<u8> {
    let entry = |(set, path, content): &(&str, &str, &[u8])| json!({ "set": set, "path": path, "bytes": content.len() });
    let list: Vec<Value> = files.iter().map(entry).collect();
    let mut body = format!("{}\n", Value::from(list)).into_bytes();
    files.iter().for_each(|(_, _, content)| body.extend_from_slice(content));
    body
}

#[test]
fn files_are_kept_until_the_end_and_no_longer() {
    let mut server = start();
    let session = server.session();
    let send_all = |files: &[(&str, &str, &[u8])]| -> Answer {
        server.post_bytes("/api/upload", Some(&session), &upload_of(files))
    };
    let send = |path: &str, bytes: &[u8]| send_all(&[("s-1", path, bytes)]);
    let path_of = |answer: &Answer| answer.json()["paths"][0].as_str().unwrap().to_owned();
    let one = path_of(&send("보고서.json", b"{}"));
    assert_eq!(std::fs::read(&one).unwrap(), b"{}");
    assert!(one.ends_with("보고서.json"), "{one}");
    let again = send("보고서.json", b"[]");
    assert_eq!(
        (again.status, std::fs::read(&one).unwrap()),
        (400, b"{}".to_vec()),
        "nothing is written over"
    );
    let folder = send("run/a/L1.json", b"1").json();
    assert_eq!(folder, send("run/L2.json", b"2").json(), "files of one folder lie in one");
    let folder = std::path::PathBuf::from(folder["paths"][0].as_str().unwrap());
    assert_eq!(std::fs::read(folder.join("a/L1.json")).unwrap(), b"1");
    let several =
        send_all(&[("s-2", "run/1", b"one"), ("s-2", "run/2", b""), ("s-3", "3", b"three\n")]).json();
    let several: Vec<&str> = several["paths"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
    assert_eq!(several[0], several[1]);
    assert_eq!(std::fs::read(std::path::Path::new(several[0]).join("1")).unwrap(), b"one");
    assert_eq!(std::fs::read(std::path::Path::new(several[0]).join("2")).unwrap(), b"");
    assert_eq!(std::fs::read(several[2]).unwrap(), b"three\n");
    for body in [&b""[..], b"[]", b"nothing\n", b"[{}]\n", b"[]\nmore"] {
        let answer = server.post_bytes("/api/upload", Some(&session), body);
        assert_eq!((answer.status, answer.code()), (400, "bad_request".to_owned()), "{body:?}");
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let root = folder.parent().unwrap().parent().unwrap();
        assert_eq!(std::fs::metadata(root).unwrap().permissions().mode() & 0o777, 0o700);
    }
    for path in ["../x", "a/../../x", "/etc/x", "", "a\\b", "c:x", "a\0b", "."] {
        assert_eq!(send(path, b"x").status, 400, "{path}");
    }
    assert_eq!(send_all(&[("..", "x", b"x")]).status, 400);
    let big = send("big.json", &vec![b'x'; 2_000]);
    assert_eq!((big.status, big.code()), (413, "bad_request".to_owned()));
    assert!(!folder.with_file_name("big.json").exists(), "half a file is none");
    assert_eq!(send("a.json", &[b'x'; 900]).status, 200);
    assert_eq!(send("b.json", &[b'x'; 900]).status, 413, "all files together are too much");
    server.stop();
    assert!(!folder.exists() && !std::path::Path::new(&one).exists());
}

#[test]
fn stopping_cancels_the_run_under_way_and_keeps_what_was_done() {
    let model = support::SilentModel::start();
    let mut server = start();
    let session = server.session();
    let request = json!({ "request": {
        "run": "r1", "pack": null, "model": "openai_compat/silent", "base_url": model.base_url(), "levels": ["L1"],
        "protocol": "leaderboard", "repetitions": 1, "concurrency": 2,
    }});
    let mut stream = server.open_stream(&session, "run_start", &request);
    stream.until(|line| {
        events_of(std::slice::from_ref(line)).iter().any(|e| e["kind"]["type"] == "attempt_started")
    });
    let stopped = server.stop();
    assert!(stopped.cancelled_a_run);
    let last = events_of(&stream.rest()).pop().unwrap();
    assert_eq!(
        (last["kind"]["type"].as_str(), last["kind"]["outcome"].as_str()),
        (Some("run_finished"), Some("cancelled"))
    );
    let folder = last["kind"]["folder"].as_str().unwrap();
    assert!(std::path::Path::new(folder).join("run.json").is_file());
}

#[test]
fn a_page_that_follows_the_jobs_hears_of_them_and_does_not_hold_the_end() {
    let mut server = start();
    let session = server.session();
    let mut stream = server.open_stream(&session, "jobs_subscribe", &json!({}));
    stream.until(|line| line["answer"] == json!([]));
    let import = server.call(&session, "import_files", json!({ "paths": ["nowhere.zip"] }));
    assert_eq!(import.status, 200);
    stream.until(|line| {
        let [job] = &events_of(std::slice::from_ref(line))[..] else {
            return false;
        };
        (&job["kind"], &job["finished"]) == (&json!("import"), &json!(true))
    });
    let began = std::time::Instant::now();
    assert!(!server.stop().cancelled_a_run);
    assert!(began.elapsed() < Duration::from_secs(2), "{:?}", began.elapsed());
    assert!(stream.rest().is_empty());
}

#[test]
fn stopping_an_idle_server_cancels_nothing_and_frees_the_port() {
    let mut server = start();
    let port = server.port;
    // A connection that a browser keeps open must not hold the end.
    let mut idle = TcpStream::connect(("127.0.0.1", port)).unwrap();
    write!(idle, "GET / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n").unwrap();
    let mut first = [0; 12];
    idle.read_exact(&mut first).unwrap();
    assert_eq!(&first, b"HTTP/1.1 200");
    let stopped = server.stop();
    assert!(!stopped.cancelled_a_run);
    assert!(TcpStream::connect(("127.0.0.1", port)).is_err());
}

#[test]
fn a_page_that_goes_away_leaves_its_run_going() {
    let server = start();
    let session = server.session();
    let request = json!({ "request": {
        "run": "r1", "pack": null, "model": "baseline/golden", "base_url": null, "levels": ["L1", "L2", "L3"],
        "protocol": "leaderboard", "repetitions": 3, "concurrency": 1,
    }});
    drop(server.open_stream(&session, "run_start", &request));
    // The run may not have begun when the page went; whoever subscribes then waits for its end.
    let lines = server.subscribed(&session, "r1");
    let last = lines
        .iter()
        .filter_map(|line| line["events"].as_array().or(line["answer"]["events"].as_array()))
        .flatten()
        .next_back()
        .cloned()
        .unwrap();
    assert_eq!(last["kind"]["outcome"], "completed");
}

#[test]
fn a_folder_without_a_page_and_a_taken_port_are_said_so() {
    let empty = tempfile::tempdir().unwrap();
    let error = koab_serve::Site::from_folder(empty.path()).err().unwrap();
    assert!(error.message.to_string().contains("index.html"), "{}", error.message);
    let server = start();
    let error = support::bind(server.port).err().unwrap();
    assert!(error.message.to_string().contains(&format!("port {}", server.port)), "{}", error.message);
}

#[test]
fn files_that_did_not_come_whole_do_not_count() {
    let mut server = start();
    let session = server.session();
    let send = |name: &str, bytes: usize| -> Answer {
        server.post_bytes("/api/upload", Some(&session), &upload_of(&[("s-1", name, &vec![b'x'; bytes])]))
    };
    for number in 0..3 {
        let body = upload_of(&[("s-1", &format!("{number}.json"), &[b'x'; 900])]);
        let mut request = server.request("/api/upload", Some(&session), &body);
        request.truncate(request.len() - 100);
        server.broken_off(&request);
        assert_eq!(send(&format!("{number}.big"), 1_200).status, 413);
    }
    let whole = send("0.json", 900);
    assert_eq!(whole.status, 200, "{}", whole.text());
    let more = send("more.json", 900);
    assert_eq!(more.status, 413, "what came whole counts");
    let rest = send("more.json", 600);
    assert_eq!(rest.status, 200, "{}", rest.text());
    server.stop();
}

#[test]
fn a_head_that_does_not_come_ends_the_connection() {
    let mut server = start_with(Duration::from_millis(200));
    for beginning in ["", "GET / HTTP/1.1\r\nHost: x\r\n", "GET"] {
        // Comes back when the server has closed the connection.
        server.half_a_head(beginning.as_bytes());
    }
    assert_eq!(server.get("/").status, 200);
    server.stop();
}
