//! What goes wrong ends in one clear sentence, the right exit code, and nothing lost.

mod support;

use std::fs;
use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::path::Path;
use std::process::Command;
use support::{Koab, Ran, ran};

/// One sentence on stderr that names these things, and this exit code.
fn refused(ran: &Ran, code: i32, named: &[&str]) {
    let said: Vec<&str> = ran
        .stderr
        .lines()
        .filter(|line| line.starts_with("koab: "))
        .collect();
    assert_eq!(
        (ran.code, said.len()),
        (code, 1),
        "{}\n{}",
        ran.stdout,
        ran.stderr
    );
    for name in named {
        assert!(said[0].contains(name), "`{name}` is not in: {}", said[0]);
    }
}

#[test]
fn what_cannot_be_run_is_said_before_anything_is_spent() {
    let koab = Koab::new();
    // A port that nobody listens on.
    let dead = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let dead = format!("http://{dead}/v1");
    for (words, named) in [
        (
            vec!["run", "--model", "openai_compat/m", "--base-url", &dead],
            vec!["no server answers at", &dead],
        ),
        (vec!["run", "--model", "openai_compat/m"], vec!["--base-url"]),
        (
            vec!["run", "--model", "openai_compat/m", "--base-url", "localhost:1"],
            vec!["localhost:1"],
        ),
        (vec!["run", "--model", "nobody/m"], vec!["nobody"]),
        (vec!["run", "--model", "baseline/bronze"], vec!["bronze"]),
        (
            vec!["run", "--model", "baseline/golden", "--pack", "none-such"],
            vec!["none-such"],
        ),
        (
            vec!["run", "--model", "baseline/golden", "--tasks", "L1-999"],
            vec!["L1-999"],
        ),
        (
            vec!["run", "--model", "baseline/golden", "--levels", "L8"],
            vec!["L8"],
        ),
        (
            vec!["run", "--model", "baseline/golden", "--cache-mode", "write"],
            vec!["--cache-mode"],
        ),
        (vec!["run", "--resume", "no/such"], vec!["no/such"]),
        (vec!["evaluate", "--run", "no/such"], vec!["no/such"]),
        (
            vec!["evaluate", "--date", "20251219", "--model", "azure/gpt-4o"],
            vec!["azure/gpt-4o"],
        ),
        (vec!["report", "show", "none"], vec!["none"]),
        (vec!["pack", "use", "none"], vec!["none"]),
        (vec!["pack", "import", "/no/such/folder"], vec!["/no/such/folder"]),
    ] {
        refused(&koab.run(&words), 1, &named);
    }
    assert_eq!(
        koab.json(&["runs", "list"]).as_array().unwrap().len(),
        0,
        "no empty run is left behind"
    );
}

#[test]
fn wrong_usage_has_a_code_of_its_own() {
    let koab = Koab::new();
    for words in [
        &["run"][..],
        &["run", "--model", "baseline/golden", "--max-steps", "0"],
        &["evaluate", "--model", "azure/gpt-4o"],
        &["evaluate", "--run", "x", "--no-judge", "--judge-replay", "f"],
        &["fly"],
    ] {
        assert_eq!(koab.run(words).code, 2, "{words:?}");
    }
}

#[test]
fn a_server_without_the_model_is_named_with_what_it_has() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/v1", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let _ = stream.read(&mut [0; 4096]);
            let body = r#"{"data": [{"id": "qwen3-8b"}]}"#;
            let _ = write!(
                stream,
                "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
                body.len()
            );
        }
    });
    let ran = Koab::new().run(&["run", "--model", "openai_compat/qwen4-8b", "--base-url", &url]);
    refused(&ran, 1, &["qwen4-8b", "qwen3-8b"]);
}

#[test]
fn logs_that_cannot_be_read_are_named() {
    let koab = Koab::new();
    let run = koab.json(&["run", "--model", "baseline/silent", "--levels", "L1,L2"]);
    let folder = run["run"]["folder"].as_str().unwrap();
    let log = Path::new(folder).join("L2.json");
    let text = fs::read_to_string(&log).unwrap();
    fs::write(&log, &text[..text.floor_char_boundary(text.len() / 2)]).unwrap();
    refused(&koab.run(&["evaluate", "--run", folder]), 1, &["L2.json"]);
    fs::write(&log, "{\"metadata\": {}}").unwrap();
    refused(&koab.run(&["evaluate", "--run", folder]), 1, &["L2.json"]);
    koab.ok(&["evaluate", "--run", folder, "--levels", "L1"]);
}

#[cfg(target_os = "linux")]
#[test]
fn a_folder_that_cannot_be_written_is_named() {
    let koab = Koab::new();
    // The kernel's own file system refuses even root.
    let words = ["--home", "/proc/koab", "run", "--model", "baseline/golden"];
    refused(&koab.run(&words), 1, &["/proc/koab", "--home"]);
    koab.ok(&["--home", "/proc/koab", "models", "list"]);
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_ends_the_run_with_one_sentence_and_loses_nothing() {
    let koab = Koab::new();
    // A file system of 4 MB in a namespace of its own, filled up but for 64 KB once the pack is in.
    let script = r#"
        set -e
        mount -t tmpfs -o size=4m none "$KOAB_HOME"
        "$KOAB" pack list > /dev/null
        free=$(df --output=avail -k "$KOAB_HOME" | tail -n 1)
        head -c $(( (free - 64) * 1024 )) /dev/zero > "$KOAB_HOME/ballast"
        set +e
        "$KOAB" run --model baseline/golden --quiet
        code=$?
        cat "$KOAB_HOME"/logs/benchmark_results/by_model/*/*/journal.jsonl > "$KEEP/journal.jsonl"
        rm "$KOAB_HOME/ballast"
        "$KOAB" run --quiet --resume "$(echo "$KOAB_HOME"/logs/benchmark_results/by_model/*/*)" > "$KEEP/resumed"
        exit $code
    "#;
    let keep = tempfile::tempdir().unwrap();
    let mut unshare = Command::new("unshare");
    unshare
        .args(["--map-root-user", "--mount", "sh", "-c", script])
        .env("KOAB_HOME", koab.path());
    unshare
        .env("KOAB", env!("CARGO_BIN_EXE_koab"))
        .env("KEEP", keep.path())
        .env("LC_ALL", "C.UTF-8");
    let ran = ran(unshare.output().expect("unshare starts"));
    if ran.stderr.contains("unshare failed") {
        let line = "SKIP: a_full_disk: needs a mount namespace";
        assert!(std::env::var_os("KOAB_REQUIRE_ALL").is_none(), "{line}");
        eprintln!("{line}");
        return;
    }
    refused(&ran, 1, &["full"]);
    let journal = fs::read_to_string(keep.path().join("journal.jsonl")).unwrap();
    assert!(
        journal
            .lines()
            .filter(|line| line.contains(r#""type":"attempt""#))
            .count()
            >= 1,
        "{journal}"
    );
    let resumed = fs::read_to_string(keep.path().join("resumed")).unwrap();
    assert!(resumed.starts_with("completed: 28/28"), "{resumed}");
}

#[cfg(unix)]
#[test]
fn ctrl_c_keeps_everything_so_far() {
    let koab = Koab::new();
    // A server that takes a request and never answers.
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/v1", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        let mut held = Vec::new();
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let mut request = [0; 4096];
            let read = stream.read(&mut request).unwrap_or(0);
            if request[..read].starts_with(b"GET") {
                let _ = write!(
                    stream,
                    "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
                );
            } else {
                held.push(stream);
            }
        }
    });
    let mut child = koab
        .command(&["run", "--model", "openai_compat/m", "--base-url", &url])
        .stderr(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    // The first line on stderr says that the run has begun.
    let mut first = [0; 1];
    child.stderr.as_mut().unwrap().read_exact(&mut first).unwrap();
    let killed = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status()
        .unwrap();
    assert!(killed.success());
    let ran = ran(child.wait_with_output().unwrap());
    assert_eq!(ran.code, 130, "{}", ran.stderr);
    assert!(
        ran.stdout
            .starts_with("cancelled (everything so far is kept): 0/28"),
        "{}",
        ran.stdout
    );
    let runs = koab.json(&["runs", "list"]);
    assert_eq!(
        (&runs[0]["complete"], runs.as_array().unwrap().len()),
        (&false.into(), 1)
    );
}
