//! The command line in Korean: what the engine says in English is said in Korean as well, and `--json` stays English.
#![allow(clippy::unwrap_used, reason = "these are tests")]

use crate::support::Koab;
use koab_core::sentence::Language;
use std::fs;
use std::path::Path;

fn is_korean(text: &str) -> bool {
    text.chars().any(|c| ('가'..='힣').contains(&c))
}

#[test]
fn scores_say_in_korean_why_there_are_none() {
    let koab = Koab::new();
    let words = ["run", "--model", "baseline/silent", "--levels", "L1", "--evaluate"];
    let ran = koab.ok(&[&words[..], &["--lang", "ko"]].concat());
    for said in
        ["Judge 평가 없음 (4): L1 SR", "채점하지 않은 레벨입니다", "평가 모델(Judge): 없음", "비교 시 유의점"]
    {
        assert!(ran.stdout.contains(said), "{said}\n{}", ran.stdout);
    }
    // Options and other code keep their names.
    let words = ran.stdout.split('`').step_by(2).collect::<String>();
    for english in ["judge", "was not evaluated", "no tool", "cache"] {
        assert!(!words.contains(english), "{english}\n{}", ran.stdout);
    }
    // What is kept and what scripts read stays as it was.
    let report = &koab.json(&["report", "list"]);
    let report = report.get("reports").unwrap_or(report)[0]["id"].as_str().unwrap().to_owned();
    let file = koab.path().join("reports").join(&report).join("evaluation_report.json");
    assert!(fs::read_to_string(file).unwrap().contains("no judge was asked"));
}

/// Every line of the checks but names, versions and paths, on whatever machine this is.
#[test]
fn checks_are_said_in_korean_throughout() {
    let koab = Koab::new();
    koab.ok(&["pack", "list"]);
    let shown = koab.ok(&["doctor", "--lang", "ko"]).stdout;
    for check in koab.json(&["doctor"]).as_array().unwrap() {
        let [what, found, remedy] = ["what", "found", "remedy"].map(|field| check[field].as_str().unwrap());
        let is_data = what == "database" || (what == "keys" && !found.contains(' '));
        let is_version = what == "containers" && check["ok"] == true;
        for text in [what, found, remedy] {
            if text.is_empty() || (text == found && (is_data || is_version)) {
                continue;
            }
            let told = Language::KOREAN.text(text);
            let is_told = if told == text { !shown.contains(text) } else { shown.contains(told) };
            assert!(is_told && !is_korean(text), "{text}\n{shown}");
        }
    }
}

#[test]
fn errors_are_said_in_korean_and_kept_in_english() {
    let koab = Koab::new();
    let cases: &[(&[&str], &str)] = &[
        (&["runs", "show", "none/20250101_000000"], "실행 `none/20250101_000000`이 없습니다"),
        (&["report", "show", "none"], "`none`이라는 실행도 보고서도 없습니다"),
        (
            &["run", "--model", "openai/gpt-4o"],
            "openai에는 키가 필요합니다. `koab keys set OPENAI_API_KEY`로 저장하거나",
        ),
        (
            &["scenario", "run", "/nowhere"],
            "/nowhere: 읽을 수 없습니다: 파일이나 폴더가 없습니다(os error 2)",
        ),
        (&["pack", "use", "none"], "`none` 팩이 없습니다"),
        (&["run", "--model", "gpt-4o"], "`gpt-4o`는 모델 ID가 아닙니다"),
        (&["run", "--model", "nobody/x"], "`nobody`는 알 수 없는 제공자입니다"),
        (&["run", "--model", "baseline/brass"], "베이스라인 `brass`는 없습니다"),
        (&["run", "--model", "baseline/golden", "--levels", "L8"], "`L8`은 레벨이 아닙니다"),
        (&["run", "--resume", "last"], "중단된 실행도, 다른 실행도 없습니다"),
        (
            &["run", "--model", "openai_compat/x", "--base-url", "http://127.0.0.1:9/v1"],
            "http://127.0.0.1:9/v1에서 응답하는 서버가 없습니다(연결이 거부되었습니다",
        ),
        (
            &["run", "--model", "openai_compat/x", "--base-url", "localhost"],
            "기본 URL `localhost`에 http://나 https://가 없습니다",
        ),
        (
            &["evaluate", "--run", "none/20250101_000000", "--no-judge"],
            "실행 `none/20250101_000000`이 없습니다",
        ),
        (&["pack", "import", "/nowhere/at/all"], "/nowhere/at/all이 없습니다. 경로를 확인하세요"),
    ];
    for (words, said) in cases {
        let ran = koab.run(&[words, &["--lang", "ko"][..]].concat());
        assert_ne!(ran.code, 0, "{words:?}");
        assert!(ran.stderr.contains(said), "{words:?}\n{}", ran.stderr);
        let document = koab.run(&[words, &["--json"][..]].concat());
        let document: serde_json::Value = serde_json::from_str(&document.stdout).unwrap();
        assert!(!is_korean(document["error"]["message"].as_str().unwrap()), "{document}");
    }
}

#[test]
fn what_scripts_read_of_the_causes_is_english_whatever_the_language() {
    let koab = Koab::new();
    let causes = ["report", "atlas", "--causes", "--lang", "ko"];
    assert!(is_korean(&koab.ok(&causes).stdout));
    let document = koab.ok(&[&causes[..], &["--json"]].concat()).stdout;
    assert!(!is_korean(&document), "{document}");
}

#[test]
fn what_stands_inside_a_sentence_is_korean_as_well() {
    let koab = Koab::new();
    let keys = koab.path().join("keys.env");
    fs::write(&keys, "GROQ_API_KEY=\nnonsense\n").unwrap();
    let pack = koab.path().join("pack");
    fs::create_dir_all(pack.join("tasks")).unwrap();
    let task = r#"[{"task_id": "L1-001", "task_level": 1, "instruction": "x", "minimum_steps": "a"}]"#;
    fs::write(pack.join("tasks/L1.json"), task).unwrap();
    let cases: &[(&[&str], &str)] = &[
        (&["pack", "lint", pack.to_str().unwrap()], "minimum_steps: 형식이 맞지 않습니다(필요: 정수)"),
        (&["cache", "lookup", "StockPrice_ls", "{\"shcode\": 1}"], "(필요: 문자열, 입력: 정수)"),
        (&["cache", "lookup", "MarketIndex_ls", "[]"], "(배열)"),
        (&["cache", "lookup", "MarketIndex_ls", "{\"jisu\": \"none\"}"], "캐시된 응답이 없습니다"),
        (
            &["keys", "import", keys.to_str().unwrap()],
            "GROQ_API_KEY(1번째 줄): 비어 있습니다. 제공자가 보여 준 키를 그대로 넣으세요, 2번째 줄은",
        ),
    ];
    for (words, said) in cases {
        let ran = koab.run(&[words, &["--lang", "ko"][..]].concat());
        let told = ran.stdout + &ran.stderr;
        assert!(told.contains(said), "{words:?}\n{told}");
    }
}

#[test]
fn settings_of_a_run_that_cannot_be_read_name_the_run() {
    let koab = Koab::new();
    let ran = koab.json(&["run", "--model", "baseline/golden", "--levels", "L1"]);
    let folder = Path::new(ran["run"]["folder"].as_str().unwrap());
    let file = folder.join("run.json");
    let mut run: serde_json::Value = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
    run["spec"]["local"] = serde_json::json!({ "device": 3 });
    fs::write(&file, run.to_string()).unwrap();
    let date = folder.file_name().unwrap().to_str().unwrap();
    let id = format!("baseline_golden/{date}");
    let resumed = koab.run(&["run", "--resume", &id, "--lang", "ko"]);
    let said = format!("실행 {id}: run.json에 적힌 로컬 모델의 설정을 읽을 수 없습니다");
    assert!(resumed.stderr.contains(&said), "{}", resumed.stderr);
}

#[test]
fn a_run_from_elsewhere_is_counted_as_its_log_says_and_never_as_0() {
    let koab = Koab::new();
    let folder = koab.path().join("logs/benchmark_results/by_model/some_model/20251219_135528");
    fs::create_dir_all(&folder).unwrap();
    let long = "x".repeat(70_000);
    for (level, log) in [
        (
            "L1",
            r#"{"metadata": {"model": "some/model", "level": "L1", "total_tasks": 11}, "results": ["#
                .to_owned(),
        ),
        ("L2", r#"{"metadata": {"model": "some/model", "level": "L2"}, "results": []}"#.to_owned()),
        ("L3", r#"{"metadata": {"level": "L3", "total_tasks": "some"}, "results": []}"#.to_owned()),
        ("L4", format!(r#"{{"results": ["{long}"], "metadata": {{"level": "L4", "total_tasks": 3}}}}"#)),
        ("L5", r#"{"results": [], "metadata": {"level": "L5", "total_tasks": 3}}"#.to_owned()),
    ] {
        fs::write(folder.join(format!("{level}.json")), log).unwrap();
    }
    let runs = koab.json(&["runs", "list"]);
    let counts: Vec<_> = runs[0]["levels"].as_array().unwrap().iter().map(|l| l["tasks"].as_u64()).collect();
    assert_eq!(counts, [Some(11), None, None, None, Some(3)]);
    let shown = koab.ok(&["runs", "list"]).stdout;
    assert!(shown.contains("L1:11 L2:— L3:— L4:— L5:3"), "{shown}");
    assert!(shown.contains("the log does not say how many tasks it has"), "{shown}");
    let shown = koab.ok(&["runs", "list", "--lang", "ko"]).stdout;
    assert!(shown.contains("로그가 과제 수를 알려 주지 않습니다"), "{shown}");
}
