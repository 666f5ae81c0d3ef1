//! Offline: with the switch on nothing leaves this computer, everything that would is refused with one error, and the log
//! says what left and what did not.
#![allow(clippy::unwrap_used, reason = "these are tests")]

use crate::support::http::{Local, model};
use crate::support::{Koab, ReplayServer, published_runs, ran, shared};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

/// Nobody has this address, and nobody this name.
const NOBODYS: &str = "http://192.0.2.1:9/v1";
const UNNAMED: &str = "http://model.invalid:9/v1";

/// Requests in the log by purpose and host: let out, refused.
fn log(koab: &Koab) -> BTreeMap<String, (u64, u64)> {
    let view = koab.json(&["egress", "list"]);
    let mut found = BTreeMap::new();
    for row in view["rows"].as_array().unwrap() {
        let name = format!("{} {}", row["purpose"].as_str().unwrap(), row["host"].as_str().unwrap());
        let (requests, refused) = (row["requests"].as_u64().unwrap(), row["refused"].as_u64().unwrap());
        let sum: &mut (u64, u64) = found.entry(name).or_default();
        *sum = (sum.0 + requests - refused, sum.1 + refused);
    }
    found
}

fn asks<'a>(address: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let words = ["run", "--model", "openai_compat/m", "--base-url", address, "--json", "--quiet"];
    [&words, more].concat()
}

#[cfg(target_os = "linux")]
mod watched {
    use super::*;
    use crate::support::watched::{can_watch, watch, watch_with};
    use std::io::{BufRead as _, BufReader};
    use std::process::{Command, Stdio};

    /// Variables under which requests go where they are addressed to.
    const DIRECT: (&str, &str) = ("NO_PROXY", "*");

    #[test]
    fn a_whole_run_its_scoring_and_its_report_make_not_one_connection() {
        let test = "a_whole_run_its_scoring_and_its_report_make_not_one_connection";
        let Some(shared) = shared(test).filter(|_| can_watch(test)) else {
            return;
        };
        let koab = Koab::new();
        let path = |text: &str| shared.join(text).to_str().unwrap().to_owned();
        koab.use_published(&shared);
        koab.ok(&["offline", "on"]);

        // Nothing is asked of anybody.
        let made = watch(&koab, &["run", "--model", "baseline/golden", "--evaluate", "--json", "--quiet"]);
        assert_eq!((made.code, &made.tried), (0, &BTreeSet::new()), "{}", made.stdout);
        let document: Value = serde_json::from_str(&made.stdout).unwrap();
        assert_eq!((&document["run"]["done"], &document["run"]["failed"]), (&json!(91), &json!(0)));
        let folder = document["run"]["folder"].as_str().unwrap();

        // A model on this computer goes on working, and is all that is connected to.
        let server = ReplayServer::start(&shared, &[]);
        let (published, _, id) = &published_runs(&shared)[0];
        let model = format!("openai_compat/{published}");
        let address = server.base_url.trim_start_matches("http://").trim_end_matches("/v1");
        let words = ["run", "--model", &model, "--base-url", &server.base_url, "--json", "--quiet"];
        let made = watch(&koab, &words);
        assert!(matches!(made.code, 0 | 3), "{}", made.stdout);
        assert_eq!(made.tried, BTreeSet::from([address.to_owned()]));
        let document: Value = serde_json::from_str(&made.stdout).unwrap();
        assert_eq!(document["run"]["done"], 91);

        // Scoring with recorded judges and without any, and reports.
        let (logs, replay) = (path("parity/logs/benchmark_results"), path("parity/judge_replay.json"));
        let reports = koab.path().join("page.html");
        let report = fs::read_dir(koab.path().join("reports")).unwrap().next().unwrap().unwrap();
        for words in [
            &["evaluate", "--run", folder, "--no-judge"][..],
            &["evaluate", "--date", "20251219", "--model", id, "--logs", &logs, "--judge-replay", &replay],
            &["report", "list"],
            &["report", "export", report.file_name().to_str().unwrap(), "-o", reports.to_str().unwrap()],
            &["doctor"],
        ] {
            let made = watch(&koab, words);
            assert_eq!((made.code, made.tried), (0, BTreeSet::new()), "{words:?}: {}", made.stdout);
        }
        assert!(fs::metadata(reports).unwrap().len() > 10_000);
        assert_eq!(log(&koab), BTreeMap::new(), "nothing left, and nothing wanted to");

        // Whoever is on another computer is refused before a socket or a look-up: that this test could see either is the
        // next one's.
        for there in [NOBODYS, UNNAMED] {
            let made = watch_with(&koab, &asks(there, &["--levels", "L1"]), &[DIRECT]);
            let document: Value = serde_json::from_str(&made.stdout).unwrap();
            assert_eq!(
                (made.code, made.tried, &document["error"]["code"]),
                (1, BTreeSet::new(), &json!("offline"))
            );
        }
    }

    /// Without this nobody would know whether the test above sees anything.
    #[test]
    fn without_the_switch_the_same_words_are_seen_to_leave() {
        if !can_watch("without_the_switch_the_same_words_are_seen_to_leave") {
            return;
        }
        let koab = Koab::new();
        let made = watch_with(&koab, &asks(NOBODYS, &["--levels", "L1"]), &[DIRECT]);
        assert!(made.code == 1 && made.tried.contains("192.0.2.1:9"), "{:?}", made.tried);
        let made = watch_with(&koab, &asks(UNNAMED, &["--levels", "L1"]), &[DIRECT]);
        assert!(
            made.code == 1 && made.tried.iter().any(|address| address.ends_with(":53")),
            "{:?}",
            made.tried
        );
        let (out, no) = log(&koab).values().fold((0, 0), |sum, (out, no)| (sum.0 + out, sum.1 + no));
        assert!(out >= 2 && no == 0, "{out} {no}");
    }

    #[test]
    fn a_start_asks_nobody_for_anything() {
        if !can_watch("a_start_asks_nobody_for_anything") {
            return;
        }
        let koab = Koab::new();
        // Without a window beside it, it says so or prints its help.
        let made = watch_with(&koab, &[], &[("DISPLAY", ""), ("WAYLAND_DISPLAY", "")]);
        assert_eq!(made.tried, BTreeSet::new(), "{}", made.stdout);

        let page = tempfile::tempdir().unwrap();
        fs::write(page.path().join("index.html"), "<!doctype html><title>page</title>").unwrap();
        let trace = koab.path().join("serve.trace");
        let serve = koab.command(&["serve", "--json", "--ui", page.path().to_str().unwrap()]);
        let words: Vec<String> = serve.get_args().map(|word| word.to_string_lossy().into_owned()).collect();
        let mut watched = Command::new("strace")
            .args(["-f", "-qq", "-e", "trace=connect,sendto,sendmsg,sendmmsg", "-o"])
            .arg(&trace)
            // The process to end by its id, before it becomes the server.
            .args(["sh", "-c", "echo $$; exec \"$0\" \"$@\""])
            .arg(serve.get_program())
            .args(words)
            .env("KOAB_HOME", koab.path())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(watched.stdout.take().unwrap()).lines().map(Result::unwrap);
        let id = lines.next().unwrap();
        assert!(lines.any(|line| line.contains("http://127.0.0.1:")), "its link is there");
        assert!(Command::new("kill").arg(&id).status().unwrap().success());
        lines.for_each(drop);
        watched.wait().unwrap();
        let trace = fs::read_to_string(trace).unwrap();
        let network: Vec<&str> = trace.lines().filter(|line| line.contains("sa_family=AF_INET")).collect();
        assert_eq!(network, Vec::<&str>::new());
        assert_eq!(log(&koab), BTreeMap::new());
    }
}

#[test]
fn every_kind_of_outward_call_is_refused_with_one_code() {
    let koab = Koab::new();
    let made = koab.json(&["run", "--model", "baseline/golden", "--levels", "L1"]);
    let folder = made["run"]["folder"].as_str().unwrap();
    let scenarios = koab.path().join("one.jsonl");
    fs::create_dir_all(koab.path().join("T")).unwrap();
    fs::write(koab.path().join("T/scenario.py"), "print(1)").unwrap();
    fs::write(&scenarios, r#"{"id": "one", "template": "T", "substitutions": {}}"#).unwrap();
    let scenarios = scenarios.to_str().unwrap();
    let judges = ["--judge-models", "openai_compat/j", "--judge-base-url", "http://judge.example/v1"];
    let judged = [&["evaluate", "--run", folder][..], &judges].concat();
    let rows: [(&[&str], &str); 8] = [
        (
            &["run", "--model", "openai_compat/m", "--base-url", "http://model.example/v1"],
            "model model.example",
        ),
        (&judged, "judge judge.example"),
        (&["pack", "pull", "org/name"], "pack huggingface.co"),
        (&["pack", "pull", "--archive", "https://git.example/org/name"], "archive git.example"),
        (&["models", "pull", "org/name"], "weights huggingface.co"),
        (
            &["scenario", "clone", "bench", "--index", "https://bench.example/index"],
            "benchmark bench.example",
        ),
        (&["scenario", "run", scenarios, "--yes"], "engine 192.0.2.1:2375"),
        (&["run", "--model", "baseline/golden", "--cache-mode", "write"], "service"),
    ];
    let keys = [
        "ALADIN_API_KEY",
        "DAUM_API_KEY",
        "Directions_Client_ID",
        "Directions_Client_Secret",
        "KAKAO_REST_API_KEY",
        "KIS_APP_KEY",
        "KIS_APP_SECRET",
        "LS_APP_KEY",
        "LS_APP_SECRET",
        "NAVER_CLIENT_ID",
        "NAVER_CLIENT_SECRET",
        "TMAP_APP_KEY",
    ];
    let mut known = BTreeSet::new();
    for (words, line) in rows {
        let mut command = koab.command(&[words, &["--offline", "--json", "--quiet"]].concat());
        command.env("DOCKER_HOST", "tcp://192.0.2.1:2375").env_remove("HF_ENDPOINT");
        for key in keys {
            command.env(key, "a-key");
        }
        let made = ran(command.output().unwrap());
        let document: Value =
            serde_json::from_str(&made.stdout).unwrap_or_else(|_| panic!("{words:?}: {}", made.stderr));
        let error = &document["error"];
        assert_eq!((made.code, &error["code"]), (1, &json!("offline")), "{words:?}: {document}");
        let message = error["message"].as_str().unwrap();
        assert!(
            message.ends_with(", but koab is offline; leave out --offline to allow the request"),
            "{message}"
        );
        // What is asked at the start of a run has no request behind it yet.
        if line != "service" {
            known.insert(line.to_owned());
        }
    }
    let found = log(&koab);
    assert_eq!(found.keys().cloned().collect::<BTreeSet<_>>(), known);
    assert!(found.values().all(|(out, refused)| *out == 0 && *refused > 0), "{found:?}");
}

#[test]
fn spans_stay_here_and_the_run_goes_on() {
    let koab = Koab::new();
    let words = [
        "run",
        "--model",
        "baseline/golden",
        "--levels",
        "L1",
        "--otlp-endpoint",
        "http://spans.example:4318",
    ];
    let made = koab.json(&[&words, &["--offline"][..]].concat());
    let spans = &made["run"]["spans"];
    assert_eq!(spans["sent"], 0);
    assert_eq!(
        spans["reason"],
        "the collector of spans needs spans.example:4318, but koab is offline; leave out --offline to allow the request"
    );
    let found = log(&koab);
    assert!(found["collector spans.example:4318"].1 > 0, "{found:?}");
}

/// A model on another computer, as far as koab can tell: its name is asked of a proxy, which is here.
struct Beyond {
    proxy: Local,
    answered: Arc<AtomicUsize>,
}

impl Beyond {
    /// After so many answers the workspace is switched offline by another process, and that request is never answered.
    fn start(koab: &Koab, answers: usize) -> Self {
        let inner = model("stop");
        let address = inner.address.clone();
        let answered = Arc::new(AtomicUsize::new(0));
        let (count, home) = (Arc::clone(&answered), koab.path().to_owned());
        let turned = Mutex::new(());
        let proxy = Local::start(move |request| {
            let _keep = &inner;
            if !request.line.starts_with("POST") {
                return (200, json!({ "object": "list", "data": [{ "id": "m" }] }));
            }
            let _one = turned.lock();
            if count.load(Ordering::SeqCst) == answers {
                let made = std::process::Command::new(env!("CARGO_BIN_EXE_koab"))
                    .args(["offline", "on"])
                    .env("KOAB_HOME", &home)
                    .output();
                assert!(made.unwrap().status.success());
                count.fetch_add(1, Ordering::SeqCst);
                drop(_one);
                // Whoever waits for this has to give up by itself.
                loop {
                    std::thread::park();
                }
            }
            count.fetch_add(1, Ordering::SeqCst);
            (200, crate::support::http::ask(&address, &request.body))
        });
        Self { proxy, answered }
    }

    fn run(&self, koab: &Koab, words: &[&str]) -> crate::support::Ran {
        let mut command = koab.command(words);
        for name in ["no_proxy", "NO_PROXY", "HTTP_PROXY", "all_proxy", "ALL_PROXY"] {
            command.env_remove(name);
        }
        command.env("http_proxy", &self.proxy.address);
        ran(command.output().unwrap())
    }
}

#[test]
fn a_switch_in_another_process_stops_a_run_at_once_and_it_is_resumed() {
    let koab = Koab::new();
    let beyond = Beyond::start(&koab, 5);
    let words = asks("http://model.example/v1", &["--levels", "L1", "--concurrency", "2"]);
    let made = beyond.run(&koab, &words);
    let document: Value = serde_json::from_str(&made.stdout).unwrap_or_else(|_| panic!("{}", made.stderr));
    let run = &document["run"];
    assert_eq!((made.code, &run["outcome"]), (1, &json!("failed")), "{document}");
    assert_eq!(
        run["reason"],
        "the model needs model.example, but koab is offline; switch offline off in the settings or with `koab offline off` to allow the request"
    );
    // No attempt is compared with the model.
    assert_eq!(run["failed"], 0);
    let (done, planned) = (run["done"].as_u64().unwrap(), run["planned"].as_u64().unwrap());
    assert!(done < planned, "{done} of {planned}");
    let (out, refused) = log(&koab)["model model.example"];
    assert!(out > 5 && refused <= 2, "{out} {refused}");

    let id = run["folder"].as_str().unwrap();
    let still = beyond.run(&koab, &["run", "--resume", id, "--json", "--quiet"]);
    assert_eq!(still.code, 1, "{}", still.stdout);
    koab.ok(&["offline", "off"]);
    beyond.answered.store(usize::MAX / 2, Ordering::SeqCst);
    let made = beyond.run(&koab, &["run", "--resume", id, "--json", "--quiet"]);
    let document: Value = serde_json::from_str(&made.stdout).unwrap_or_else(|_| panic!("{}", made.stderr));
    assert_eq!(
        (made.code, &document["run"]["outcome"], &document["run"]["done"]),
        (0, &json!("completed"), &json!(planned)),
        "{document}"
    );
}

#[test]
fn the_log_is_read_filtered_and_cleared_and_holds_nothing_but_host_and_purpose() {
    let koab = Koab::new();
    let beyond = Beyond::start(&koab, usize::MAX);
    let words = asks(
        "http://user:canary-pw@model.example/canary-path/v1?key=canary-query",
        &["--levels", "L1", "--tasks", "L1-001"],
    );
    let made = beyond.run(&koab, &words);
    assert_eq!(made.code, 0, "{}", made.stderr);
    let document: Value = serde_json::from_str(&made.stdout).unwrap();
    assert_eq!(
        (&document["run"]["done"], &document["run"]["planned"]),
        (&json!(1), &json!(1)),
        "one task was asked for"
    );
    let found = log(&koab);
    assert_eq!(found.keys().collect::<Vec<_>>(), ["model model.example"]);
    // Every answer that was given was asked for by a request that is in the log.
    let (out, refused) = found["model model.example"];
    let answered = beyond.answered.load(Ordering::SeqCst) as u64;
    assert!(answered > 0 && out >= answered && refused == 0, "{out} {answered} {refused}");
    let kept = fs::read_to_string(koab.path().join("egress/egress.jsonl")).unwrap();
    assert!(!kept.contains("canary"), "{kept}");
    assert_eq!(koab.json(&["egress", "list", "--since", "2999-01-01"])["requests"], 0);
    assert_eq!(koab.json(&["egress", "list", "--since", "1h"])["requests"], found["model model.example"].0);
    assert_eq!(koab.run(&["egress", "list", "--since", "soon"]).code, 2);
    assert_eq!(koab.run(&["egress", "clear"]).code, 2);
    assert_eq!(koab.json(&["egress", "clear", "--yes"])["requests"], found["model model.example"].0);
    assert!(koab.ok(&["egress", "list"]).stdout.starts_with("Nothing has left this computer."));
}

#[test]
fn the_switch_is_told_and_the_environment_goes_before_it() {
    let koab = Koab::new();
    let told = |variable: &str, words: &[&str]| {
        let mut command = koab.command(&[words, &["--json"]].concat());
        command.env("KOAB_OFFLINE", variable);
        let made = ran(command.output().unwrap());
        assert_eq!(made.code, 0, "{}", made.stderr);
        serde_json::from_str::<Value>(&made.stdout).unwrap()
    };
    let view = |on: bool, kept: bool, forced: Value| json!({ "on": on, "kept": kept, "forced": forced });
    assert_eq!(told("", &["offline"]), view(false, false, Value::Null));
    assert_eq!(told("1", &["offline", "status"]), view(true, false, json!("environment")));
    assert_eq!(told("0", &["offline", "on"]), view(true, true, Value::Null));
    assert_eq!(told("", &["offline", "--offline"]), view(true, true, json!("option")));
    assert_eq!(told("1", &["offline", "off"]), view(true, false, json!("environment")));
    let checks = told("1", &["doctor"]);
    let network = checks.as_array().unwrap().iter().find(|check| check["what"] == "network").unwrap();
    assert!(
        network["ok"] == true && network["found"].as_str().unwrap().starts_with("offline: "),
        "{network}"
    );
}
