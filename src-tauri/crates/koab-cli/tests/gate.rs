//! A gate from its baseline to its exit code, against a scripted model and judge.

use crate::support::Koab;
use crate::support::http::{Local, chat, models};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::{Arc, Mutex};

/// `good` and `bad` answer as they are called; a judge finds good answers right.
fn server() -> Local {
    Local::start(|request| {
        if !request.line.starts_with("POST") {
            return models(&["good", "bad", "judge"]);
        }
        let model = request.body["model"].as_str().unwrap_or_default().to_owned();
        let said = request.body["messages"].to_string();
        (
            200,
            match model.as_str() {
                "judge" => chat(&json!({ "reason": "r", "success": said.contains("좋은 답변") }).to_string()),
                "good" => chat("좋은 답변입니다."),
                _ => chat("모르겠습니다."),
            },
        )
    })
}

/// A workspace with a scored run of the good model on one level.
fn with_baseline(server: &Local) -> (Koab, String, String) {
    let koab = Koab::new();
    let url = format!("{}/v1", server.address);
    let run = koab.json(
        &[
            &["run", "--model", "openai_compat/good", "--base-url", &url, "--levels", "L2", "--evaluate"][..],
            &["--judge-base-url", &url, "--judge-models", "openai_compat/judge"],
        ]
        .concat(),
    );
    let report = run["reports"][0]["id"].as_str().expect("an id").to_owned();
    (koab, url, report)
}

fn gate<'a>([url, baseline, model]: [&'a str; 3], more: &[&'a str]) -> Vec<&'a str> {
    [
        &[
            "gate",
            "--baseline",
            baseline,
            "--model",
            model,
            "--base-url",
            url,
            "--margin",
            "20pp",
            "--levels",
            "L2",
        ][..],
        &["--judge-base-url", url, "--baseline-model", "openai_compat/good", "--baseline-url", url],
        more,
        &["--judge-models", "openai_compat/judge"],
    ]
    .concat()
}

#[test]
fn an_equal_passes_a_worse_one_fails_and_too_few_attempts_leave_it_open() {
    let server = server();
    let (koab, url, report) = with_baseline(&server);
    let folder = koab.path().join("out");
    fs::create_dir(&folder).expect("a folder");
    let file = |name: &str| folder.join(name).display().to_string();
    let (junit, markdown) = (file("gate.xml"), file("gate.md"));

    let plan = koab.json(&gate([&url, &report, "openai_compat/good"], &["--dry-run"]));
    assert!(plan["planned_attempts"].as_u64() > Some(0) && plan["limit"].is_null(), "{plan}");
    let calls = plan["calls"].as_f64();
    let attempts = plan["planned_attempts"].as_f64();
    assert!(calls > attempts && plan["minutes"].is_number(), "judges are asked as well: {plan}");
    assert!(plan["usd"].is_null(), "no price is known: {plan}");

    let failed = koab.run(&gate(
        [&url, &report, "openai_compat/bad"],
        &["--json", "--quiet", "--junit", &junit, "--markdown", &markdown],
    ));
    assert_eq!(failed.code, 4, "{}\n{}", failed.stdout, failed.stderr);
    let answer: Value = serde_json::from_str(&failed.stdout).expect("one JSON document");
    assert_eq!((&answer["verdict"], &answer["difference"]), (&json!("fail"), &json!(-1.0)));
    assert!(answer["attempts"].as_u64() < plan["planned_attempts"].as_u64(), "{answer}");
    let xml = fs::read_to_string(&junit).expect("the JUnit file");
    assert!(xml.contains("<failure message=\"fail: ") && xml.contains("failures=\"1\""), "{xml}");
    let page = fs::read_to_string(&markdown).expect("the Markdown file");
    assert!(page.contains("| SR | −1.0000 |") && page.contains("koab gate: failed"), "{page}");

    assert!(answer["runs"].as_array().map(Vec::len) >= Some(2), "both sides were run");
    assert_eq!((&answer["tasks"], &answer["scorer"]), (&answer["of"], &json!("leaderboard")));
    assert!(answer["seed"].is_u64() && answer["remarks"].is_array(), "{answer}");
    let passed = koab.run(&gate([&url, &report, "openai_compat/good"], &["--json", "--quiet"]));
    assert_eq!(passed.code, 0, "{}\n{}", passed.stdout, passed.stderr);

    let open = koab.run(&gate([&url, &report, "openai_compat/bad"], &["--max-attempts", "2"]));
    assert_eq!(open.code, 5, "{}\n{}", open.stdout, open.stderr);
    assert!(open.stdout.contains("allow more attempts"), "{}", open.stdout);
}

/// A judge that says otherwise about every fifth question that it is asked again, and what it was asked.
#[derive(Default)]
struct Contradictions {
    asked: HashMap<String, Asked>,
    /// Questions that were asked again.
    again: u64,
}

#[derive(Default)]
struct Asked {
    times: u32,
    otherwise: bool,
}

/// Votes of one asking.
const VOTES: u32 = 3;

impl Contradictions {
    fn says(&mut self, question: &str) -> bool {
        let asked = self.asked.entry(question.to_owned()).or_default();
        asked.times += 1;
        // Counted and not drawn: which questions there are depends on the order in which answers came.
        if asked.times == VOTES + 1 {
            self.again += 1;
            asked.otherwise = self.again.is_multiple_of(5);
        }
        !asked.otherwise
    }

    /// Questions that were asked again, and those of them about which it said otherwise.
    fn again(&self) -> (u64, u64) {
        let otherwise = self.asked.values().filter(|asked| asked.otherwise).count();
        (self.again, otherwise as u64)
    }
}

#[test]
fn how_often_the_judge_contradicts_itself_is_measured_named_and_no_part_of_the_score() {
    let state: Arc<Mutex<(u32, Contradictions)>> = Arc::default();
    let of_server = Arc::clone(&state);
    let server = Local::start(move |request| {
        if !request.line.starts_with("POST") {
            let models = ["good", "judge"].map(|id| json!({ "id": id }));
            return (200, json!({ "object": "list", "data": models }));
        }
        let mut state = of_server.lock().expect("no panic");
        let said = request.body["messages"].to_string();
        let answer = if request.body["model"] == "judge" {
            // Fields for every metric: what cannot be used would be asked for once more.
            json!({ "reason": "r", "success": state.1.says(&said), "score": 5, "confidence": 1 }).to_string()
        } else {
            // No two answers are alike, so that each has a verdict of its own.
            state.0 += 1;
            format!("좋은 답변입니다. {}", state.0)
        };
        (200, chat(&answer))
    });
    let koab = Koab::new();
    let url = format!("{}/v1", server.address);
    let judges = ["--judge-base-url", &url, "--judge-models", "openai_compat/judge"];
    let run = ["run", "--model", "openai_compat/good", "--base-url", &url, "--evaluate"];
    let run = koab.json(&[&run[..], &judges].concat());
    let report = run["reports"][0]["id"].as_str().expect("an id").to_owned();
    let folder = koab.path().join("out");
    fs::create_dir(&folder).expect("a folder");
    let [junit, markdown] = ["gate.xml", "gate.md"].map(|name| folder.join(name).display().to_string());
    let gate = |more: &[&str]| {
        let sides = [
            &["gate", "--baseline", &report, "--model", "openai_compat/good", "--base-url", &url][..],
            &["--baseline-model", "openai_compat/good", "--baseline-url", &url, "--margin", "20pp"],
        ];
        let ran = koab.run(&[&sides.concat()[..], more, &["--json", "--quiet"], &judges].concat());
        assert_eq!(ran.code, 0, "{}{}", ran.stdout, ran.stderr);
        serde_json::from_str::<Value>(&ran.stdout).expect("one document")
    };

    let answer = gate(&["--judge-again", "55", "--junit", &junit, "--markdown", &markdown]);
    let (asked, otherwise) = state.lock().expect("no panic").1.again();
    let flips = &answer["flips"];
    assert_eq!((&flips["asked"], &flips["differed"]), (&json!(asked), &json!(otherwise)));
    assert!((50..=55).contains(&asked) && otherwise > 0, "{flips}");
    let share = flips["share"].as_f64().expect("a share");
    assert!((share - otherwise as f64 / asked as f64).abs() < 1e-12, "{flips}");
    assert!(flips["interval"][0].as_f64() < Some(share) && flips["interval"][1].as_f64() > Some(share));
    assert_eq!((&flips["measured"], &flips["undone"]), (&json!(true), &json!(true)));
    assert_eq!(answer["difference"], json!(0.0), "what it said the second time is no score");
    let named = answer["flaky"].as_array().expect("tasks").iter();
    let named: u64 = named.filter_map(|one| one["judge_flips"].as_u64()).sum();
    assert_eq!(named, otherwise, "{answer}");
    let xml = fs::read_to_string(&junit).expect("the JUnit file");
    let property = format!("<property name=\"judge.flip_rate\" value=\"{share}\"");
    assert!(xml.contains(&property) && xml.contains("name=\"judge.flaky_tasks\""), "{xml}");
    let page = fs::read_to_string(&markdown).expect("the Markdown file");
    assert!(page.contains(&format!("| verdicts changed by the judge | {otherwise}/{asked}: ")), "{page}");
    assert!(page.contains("the test allows for it"), "{page}");

    let few = gate(&["--judge-again", "7"]);
    assert_eq!((&few["flips"]["asked"], &few["flips"]["undone"]), (&json!(7), &json!(false)), "{few}");
    assert!(
        few["attempts"].as_u64() < answer["attempts"].as_u64(),
        "it is known to contradict itself: {answer}"
    );
    assert!(gate(&["--judge-again", "0"])["flips"].is_null());
}

/// The action of a CI, run as a CI does.
#[cfg(unix)]
#[test]
fn the_action_says_what_the_gate_says_and_others_read_its_file() {
    let server = server();
    let (koab, url, report) = with_baseline(&server);
    let action = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../.github/actions/gate/gate.sh");
    let program = koab.command(&[]).get_program().to_owned();
    let programs = Path::new(&program).parent().expect("a folder");
    let path = std::env::join_paths([programs, "/usr/bin".as_ref(), "/bin".as_ref()]).expect("a path");
    let act = |model: &str, more: &[(&str, &str)]| {
        let folder = koab.path().join(format!("ci-{model}-{}", more.len()));
        fs::create_dir(&folder).expect("a folder");
        let mut command = koab.command(&[]);
        let mut script = Command::new("bash");
        script.arg(&action).current_dir(&folder).env_clear();
        for (name, value) in command.env("PATH", &path).get_envs() {
            if let Some(value) = value {
                script.env(name, value);
            }
        }
        script
            .env("GITHUB_OUTPUT", folder.join("output"))
            .env("GITHUB_STEP_SUMMARY", folder.join("summary"))
            .env("GATE_HOME", koab.path())
            .env("GATE_BASELINE", &report)
            .env("GATE_BASELINE_MODEL", "openai_compat/good")
            .env("GATE_MODEL", format!("openai_compat/{model}"))
            .env("GATE_JUDGE_MODELS", "openai_compat/judge")
            .env("GATE_LEVELS", "L2")
            .env("GATE_MARGIN", "20pp");
        for name in ["GATE_BASE_URL", "GATE_BASELINE_URL", "GATE_JUDGE_BASE_URL"] {
            script.env(name, &url);
        }
        script.envs(more.iter().copied());
        (crate::support::ran(script.output().expect("bash starts")), folder)
    };
    let read = |folder: &Path, name: &str| fs::read_to_string(folder.join(name)).expect("a file");

    let (failed, folder) = act("bad", &[]);
    assert_eq!(failed.code, 4, "{}{}", failed.stdout, failed.stderr);
    assert!(read(&folder, "output").starts_with("verdict=fail\njunit="));
    assert!(read(&folder, "summary").contains("koab gate: failed"));
    reads(&folder.join("gate.xml"), [1, 1, 0]);

    let (passed, folder) = act("good", &[]);
    assert_eq!(passed.code, 0, "{}{}", passed.stdout, passed.stderr);
    reads(&folder.join("gate.xml"), [1, 0, 0]);

    let few = ("GATE_MAX_ATTEMPTS", "2");
    let (open, folder) = act("bad", &[few]);
    assert_eq!(open.code, 5, "{}{}", open.stdout, open.stderr);
    reads(&folder.join("gate.xml"), [1, 0, 1]);
    let (open, folder) = act("bad", &[few, ("GATE_INCONCLUSIVE", "pass")]);
    assert_eq!(open.code, 0, "{}{}", open.stdout, open.stderr);
    assert!(read(&folder, "output").starts_with("verdict=inconclusive\n"));

    let (wrong, _) = act("good", &[few, ("GATE_MARGIN", "5"), ("GATE_ALPHA", "0.05")]);
    assert_eq!(wrong.code, 2, "{}{}", wrong.stdout, wrong.stderr);
}

/// Has a reader of others count tests, failures and errors.
#[cfg(unix)]
fn reads(file: &Path, counts: [u32; 3]) {
    let Some(program) = std::env::var_os("KOAB_TEST_JUNITPARSER") else {
        crate::support::skip(
            "the_action_says_what_the_gate_says_and_others_read_its_file",
            "junitparser, which KOAB_TEST_JUNITPARSER names",
        );
        return;
    };
    let python = Path::new(&program).with_file_name("python");
    let count = "import sys, junitparser\nfile = junitparser.JUnitXml.fromfile(sys.argv[1])\nprint(file.tests, file.failures, file.errors)";
    let said = Command::new(python).args(["-c", count]).arg(file).output().expect("Python starts");
    let said = crate::support::ran(said);
    assert_eq!(said.stdout.trim(), counts.map(|count| count.to_string()).join(" "), "{}", said.stderr);
}

#[test]
fn what_cannot_be_gated_is_said_in_a_sentence() {
    let koab = Koab::new();
    let gate = |more: &[&str]| {
        let words = ["gate", "--baseline", "nowhere", "--model", "baseline/golden"];
        koab.run(&[&words[..], more].concat())
    };
    for (more, said) in [
        (&["--metric", "ToolAcc"][..], "nowhere"),
        (&["--margin", "5"], "give points, such as 5pp"),
        (&[], "name a judge with --judge-models"),
    ] {
        let ran = gate(more);
        assert!(ran.code != 0 && ran.stderr.contains(said), "{more:?}: {} {}", ran.code, ran.stderr);
    }
}
