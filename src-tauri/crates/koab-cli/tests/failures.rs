//! What goes wrong ends in one clear sentence, the right exit code, and nothing lost.

use crate::support::http::Refusing;
use crate::support::{Koab, Ran, ran, signal};
use std::fs;
use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::path::Path;
use std::process::Command;

/// One sentence on stderr that names these things, and this exit code.
fn refused(ran: &Ran, code: i32, named: &[&str]) {
    let said: Vec<&str> = ran.stderr.lines().filter(|line| line.starts_with("koab: ")).collect();
    assert_eq!((ran.code, said.len()), (code, 1), "{}\n{}", ran.stdout, ran.stderr);
    for name in named {
        assert!(said[0].contains(name), "`{name}` is not in: {}", said[0]);
    }
}

#[test]
fn what_cannot_be_run_is_said_before_anything_is_spent() {
    let koab = Koab::new();
    let refusing = Refusing::new();
    let dead = format!("http://{}/v1", refusing.address);
    for (code, words, named) in [
        (
            1,
            vec!["run", "--model", "openai_compat/m", "--base-url", &dead],
            vec!["no server answers at", &dead],
        ),
        (2, vec!["run", "--model", "openai_compat/m"], vec!["base URL"]),
        (2, vec!["run", "--model", "openai_compat/m", "--base-url", "localhost:1"], vec!["localhost:1"]),
        (2, vec!["run", "--model", "baseline/golden", "--base-url", "http://localhost:1"], vec!["base URL"]),
        (2, vec!["run", "--model", "nobody/m"], vec!["nobody"]),
        (2, vec!["run", "--model", "nobody/m", "--dry-run"], vec!["nobody"]),
        (2, vec!["run", "--model", "baseline/bronze"], vec!["bronze"]),
        (1, vec!["run", "--model", "baseline/golden", "--pack", "none-such"], vec!["none-such"]),
        (1, vec!["run", "--model", "baseline/golden", "--tasks", "L1-999"], vec!["L1-999"]),
        (2, vec!["run", "--model", "baseline/golden", "--levels", "L8"], vec!["L8"]),
        (
            1,
            vec!["run", "--model", "baseline/golden", "--cache-mode", "write"],
            vec!["TMAP_APP_KEY", "koab keys set", "--without-keys"],
        ),
        (2, vec!["run", "--model", "baseline/golden", "--timeout", "1e19"], vec!["86400"]),
        (2, vec!["run", "--model", "baseline/golden", "--temperature", "nan"], vec!["temperature"]),
        (
            2,
            vec!["run", "--model", "baseline/golden", "--evaluate", "--judge-models", "gpt-4o"],
            vec!["gpt-4o"],
        ),
        (1, vec!["run", "--resume", "no/such"], vec!["no/such"]),
        (1, vec!["evaluate", "--run", "no/such"], vec!["no/such"]),
        (1, vec!["evaluate", "--date", "20251219", "--model", "azure/gpt-4o"], vec!["azure/gpt-4o"]),
        (1, vec!["report", "show", "none"], vec!["none"]),
        (1, vec!["pack", "use", "none"], vec!["none"]),
        (1, vec!["pack", "import", "/no/such/folder"], vec!["/no/such/folder"]),
        (2, vec!["cache", "lookup", "MarketIndex_ls", "{"], vec!["not valid JSON"]),
    ] {
        refused(&koab.run(&words), code, &named);
        let json = koab.run(&[&words[..], &["--json"]].concat());
        let document: serde_json::Value =
            serde_json::from_str(&json.stdout).expect("one JSON document, also of a failure");
        assert!(document["error"]["message"].is_string(), "{words:?}: {document}");
    }
    assert_eq!(koab.json(&["runs", "list"]).as_array().unwrap().len(), 0, "no empty run is left behind");
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
    // A file system of 4 MB in a namespace of its own, filled up but for 160 KB once the pack is in.
    let script = r#"
        set -e
        mount -t tmpfs -o size=4m none "$KOAB_HOME"
        "$KOAB" pack list > /dev/null
        free=$(df --output=avail -k "$KOAB_HOME" | tail -n 1)
        head -c $(( (free - 160) * 1024 )) /dev/zero > "$KOAB_HOME/ballast"
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
    unshare.args(["--map-root-user", "--mount", "sh", "-c", script]).env("KOAB_HOME", koab.path());
    unshare.env("KOAB", env!("CARGO_BIN_EXE_koab")).env("KEEP", keep.path()).env("LC_ALL", "C.UTF-8");
    let ran = ran(unshare.output().expect("unshare starts"));
    if ran.stderr.contains("unshare failed") {
        let line = "SKIP: a_full_disk: needs a mount namespace";
        assert!(std::env::var_os("KOAB_REQUIRE_ALL").is_none(), "{line}");
        eprintln!("{line}");
        return;
    }
    refused(&ran, 1, &["full"]);
    // The last line may end within a letter: the disk was full there.
    let journal = fs::read(keep.path().join("journal.jsonl")).unwrap();
    let journal = String::from_utf8_lossy(&journal);
    assert!(journal.lines().filter(|line| line.contains(r#""type":"attempt""#)).count() >= 1, "{journal}");
    let resumed = fs::read_to_string(keep.path().join("resumed")).unwrap();
    assert!(resumed.starts_with("completed: 28/28"), "{resumed}");
}

#[cfg(unix)]
#[test]
fn ctrl_c_keeps_everything_so_far() {
    let koab = Koab::new();
    // A server that answers three times, takes the fourth request and never answers it.
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/v1", listener.local_addr().unwrap());
    let (hung, hangs) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        let (mut held, mut answers) = (Vec::new(), 3);
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let mut request = [0; 65_536];
            let read = stream.read(&mut request).unwrap_or(0);
            let (status, body) = if request[..read].starts_with(b"GET") {
                ("404 Not Found", "")
            } else if answers > 0 {
                answers -= 1;
                ("200 OK", r#"{"choices":[{"message":{"content":"답"},"finish_reason":"stop"}]}"#)
            } else {
                held.push(stream);
                hung.send(()).unwrap();
                continue;
            };
            let _ = write!(
                stream,
                "HTTP/1.1 {status}\r\nContent-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
                body.len()
            );
        }
    });
    let mut words = vec!["run", "--model", "openai_compat/m", "--base-url", &url];
    words.extend(["--concurrency", "1"]);
    let child = koab
        .command(&words)
        .stderr(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    hangs.recv_timeout(std::time::Duration::from_secs(60)).expect("the fourth attempt asks its model");
    signal(&child, "-INT");
    let ran = ran(child.wait_with_output().unwrap());
    assert_eq!(ran.code, 130, "{}", ran.stderr);
    assert!(ran.stdout.starts_with("cancelled (everything so far is kept): 3/28"), "{}", ran.stdout);
    let runs = koab.json(&["runs", "list"]);
    assert_eq!((&runs[0]["complete"], runs.as_array().unwrap().len()), (&false.into(), 1));
    let folder = std::path::Path::new(runs[0]["folder"].as_str().unwrap());
    let log = crate::support::read_json(&folder.join("L1.json"));
    let kept = log["results"].as_array().unwrap();
    assert_eq!(kept.len(), 3);
    assert!(kept.iter().all(|task| task["final_response"] == "답"), "{kept:?}");
    let journal = fs::read_to_string(folder.join("journal.jsonl")).unwrap();
    let attempts = journal.lines().filter(|line| line.contains(r#""type":"attempt""#));
    assert_eq!(attempts.count(), 3);
}

#[test]
fn a_run_is_deleted_by_its_whole_name_only() {
    let koab = Koab::new();
    let run = koab.json(&["run", "--model", "baseline/silent", "--levels", "L1"]);
    let id = koab.json(&["runs", "list"])[0]["id"].as_str().unwrap().to_owned();
    refused(&koab.run(&["runs", "delete", &id]), 2, &["--yes"]);
    refused(&koab.run(&["runs", "delete", "baseline_silent/2", "--yes"]), 1, &["baseline_silent/2"]);
    assert!(Path::new(run["run"]["folder"].as_str().unwrap()).is_dir());
    koab.ok(&["runs", "delete", &id, "--yes"]);
    assert!(!Path::new(run["run"]["folder"].as_str().unwrap()).exists());
}

/// A server that lists one model, answers every question with `status` and `body`, and counts nothing.
fn stub(status: &'static str, body: &'static str) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let url = format!("http://{}/v1", listener.local_addr().expect("its address"));
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.expect("a connection");
            let mut request = vec![0; 1 << 16];
            let read = stream.read(&mut request).unwrap_or(0);
            let (status, body) = if request[..read].starts_with(b"GET") {
                ("200 OK", r#"{"data": [{"id": "m"}]}"#)
            } else {
                (status, body)
            };
            let _ = write!(
                stream,
                "HTTP/1.1 {status}\r\nContent-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
                body.len()
            );
            let _ = stream.flush();
        }
    });
    url
}

const YES: &str = r#"{"choices": [{"message": {"role": "assistant", "content": "{\"reason\": \"r\", \"success\": true, \"score\": 5, \"confidence\": 1}"}, "finish_reason": "stop"}]}"#;

#[test]
fn judges_that_fail_never_look_like_low_scores() {
    let koab = Koab::new();
    let run = koab.json(&["run", "--model", "baseline/golden", "--levels", "L1"]);
    let folder = run["run"]["folder"].as_str().unwrap();
    let base = ["evaluate", "--run", folder, "--judge-models", "openai_compat/m", "--judge-base-url"];
    let prose = stub("200 OK", r#"{"choices": [{"message": {"content": "Yes!"}, "finish_reason": "stop"}]}"#);
    refused(&koab.run(&[&base[..], &[&prose]].concat()), 1, &["no judge gave an answer"]);
    let yes = stub("200 OK", YES);
    let scored = koab.json(&[&base[..], &[&yes]].concat());
    assert_eq!(scored[0]["levels"][0]["metrics"][0]["mean"], 1.0);
    assert!(!scored[0]["notes"].to_string().contains("judge"), "{}", scored[0]["notes"]);
    // Another server under the same model name is another judge: nothing of the first one's is taken for its own.
    refused(&koab.run(&[&base[..], &[&prose]].concat()), 1, &["no judge gave an answer"]);
    // A later scoring without a judge does not take the judged report's place.
    let unjudged = koab.json(&["evaluate", "--run", folder, "--no-judge"]);
    assert!(unjudged[0]["folder"].as_str().unwrap().ends_with(".unjudged"));
}

#[test]
fn a_failing_server_is_not_the_model_s_zero() {
    let koab = Koab::new();
    let url = stub("400 Bad Request", r#"{"error": {"message": "no"}}"#);
    let ran =
        koab.run(&["run", "--model", "openai_compat/m", "--base-url", &url, "--levels", "L1", "--json"]);
    assert_eq!(ran.code, 3, "{}", ran.stderr);
    let run: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    let folder = run["run"]["folder"].as_str().unwrap();
    let reports = koab.json(&["evaluate", "--run", folder, "--scorer", "corrected"]);
    for metric in reports[0]["levels"][0]["metrics"].as_array().unwrap() {
        let expected =
            if metric["metric"] == "RRR" { serde_json::json!(0.0) } else { serde_json::Value::Null };
        assert_eq!(metric["mean"], expected, "{metric}");
    }
    assert!(reports[0]["notes"][0].as_str().unwrap().starts_with("4 attempts failed for technical reasons"));
}

#[test]
fn a_closed_stderr_or_stdout_ends_nothing() {
    let koab = Koab::new();
    let script = r#""$KOAB" run --model baseline/golden --levels L1 2>&1 | true; sleep 1; "$KOAB" runs list"#;
    let mut sh = Command::new("sh");
    sh.args(["-c", script])
        .env("KOAB", env!("CARGO_BIN_EXE_koab"))
        .env("KOAB_HOME", koab.path())
        .env("LC_ALL", "C.UTF-8");
    let ran = ran(sh.output().unwrap());
    assert!(ran.stdout.contains(" complete"), "{}\n{}", ran.stdout, ran.stderr);
}

/// The system's folders would lie wherever one happens to stand.
#[cfg(unix)]
#[test]
fn a_home_that_is_no_full_path_is_refused_and_nothing_is_made() {
    let here = tempfile::tempdir().unwrap();
    for home in ["somewhere", ""] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_koab"));
        command
            .args(["pack", "list"])
            .current_dir(here.path())
            .env_remove("KOAB_HOME")
            .env_remove("XDG_DATA_HOME")
            .env_remove("XDG_CONFIG_HOME")
            .env("HOME", home)
            .env("LC_ALL", "C.UTF-8");
        let ran = ran(command.output().unwrap());
        refused(&ran, 2, &[&format!("HOME is `{home}`"), "--home or KOAB_HOME"]);
        assert_eq!(fs::read_dir(here.path()).unwrap().count(), 0);
    }
    let mut command = Command::new(env!("CARGO_BIN_EXE_koab"));
    let asked = here.path().join("asked");
    command.args(["pack", "list", "--home", asked.to_str().unwrap()]).env("HOME", "somewhere");
    assert_eq!(ran(command.output().unwrap()).code, 0);
}

#[test]
fn whoever_resumes_what_was_only_left_unscored_is_told_how_to_score_it() {
    let koab = Koab::new();
    refused(&koab.run(&["run", "--resume", "last"]), 1, &["there is none", "`koab run`"]);
    let run = koab.json(&["run", "--model", "baseline/golden", "--levels", "L1"]);
    let runs = koab.json(&["runs", "list"]);
    let id = runs[0]["id"].as_str().unwrap();
    let told = koab.run(&["run", "--resume", "last"]);
    refused(&told, 1, &[&format!("`koab score {id}`")]);
    for named in [id, "last", run["run"]["folder"].as_str().unwrap()] {
        let reports = koab.json(&["evaluate", named, "--no-judge"]);
        assert_eq!(reports[0]["model"], "baseline/golden");
    }
    assert_eq!(koab.json(&["runs", "show", "last"])["id"], id);
    refused(&koab.run(&["runs", "delete", "last", "--yes"]), 2, &["by its id"]);
}
