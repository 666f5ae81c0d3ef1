//! How far numbers can be compared, as the command line tells it: runs of the baselines under one departure each, the
//! published runs and reports, two reports with each other, and what goes with an export.
#![allow(clippy::unwrap_used, reason = "these are tests")]

mod published;

use crate::support::http::Local;
use crate::support::{Koab, ran, shared};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

/// A workspace with the published pack.
fn with_published(shared: &Path) -> Koab {
    let koab = Koab::new();
    koab.use_published(shared);
    koab
}

/// Makes a run and scores it without a judge; answers its report as `report show` tells it.
fn scored(koab: &Koab, words: &[&str]) -> Value {
    let made = koab.json(&[&["run"], words].concat());
    let folder = made["run"]["folder"].as_str().unwrap().to_owned();
    let scored = koab.json(&["evaluate", "--run", &folder, "--no-judge"]);
    let id = scored[0]["id"].as_str().unwrap();
    koab.json(&["report", "show", id])
}

fn verdict(view: &Value) -> &Value {
    &view["comparability"]["leaderboard"]
}

/// `grade`, then `aspect grade` of each finding.
fn short(judged: &Value) -> String {
    let mut text = judged["grade"].as_str().unwrap().to_owned();
    for finding in judged["findings"].as_array().unwrap() {
        let word = |key: &str| finding[key].as_str().unwrap().to_owned();
        text.push_str(&format!("; {} {}", word("aspect"), word("grade")));
    }
    text
}

fn reason<'a>(judged: &'a Value, aspect: &str) -> &'a str {
    let mut findings = judged["findings"].as_array().unwrap().iter();
    let found = findings.find(|finding| finding["aspect"] == aspect);
    found.unwrap_or_else(|| panic!("{aspect} in {judged}"))["reason"].as_str().unwrap()
}

#[test]
fn runs_on_the_published_pack_are_judged_by_what_departs() {
    let Some(shared) = shared("runs_on_the_published_pack_are_judged_by_what_departs") else {
        return;
    };
    let koab = with_published(&shared);

    // Nobody calls anything, so nothing is missing; only nobody judged.
    let silent = scored(&koab, &["--model", "baseline/silent"]);
    assert_eq!(short(verdict(&silent)), "limited; judges limited");
    assert_eq!(silent["comparability"]["facts"]["calls"]["value"]["misses"], json!([]));

    // The golden path itself meets gaps of the published recordings: nine of its calls hold placeholders.
    let golden = scored(&koab, &["--model", "baseline/golden"]);
    assert_eq!(short(verdict(&golden)), "not_comparable; recordings not_comparable; judges limited");
    insta::assert_snapshot!(reason(verdict(&golden), "recordings"), @"38 of 95 calls found no cached response (60.0 % were answered), in 26 of 91 attempts: the score says more about the gaps of the cache than about the model");

    let levels = scored(&koab, &["--model", "baseline/silent", "--levels", "L1,L2"]);
    assert_eq!(short(verdict(&levels)), "limited; coverage limited; judges limited");
    assert_eq!(reason(verdict(&levels), "coverage"), "levels are left out: L3, L4, L5, L6, L7");

    let corrected =
        scored(&koab, &["--model", "baseline/silent", "--protocol", "corrected", "--temperature", "0"]);
    assert_eq!(
        short(verdict(&corrected)),
        "not_comparable; protocol not_comparable; settings limited; judges limited"
    );

    let told = koab.ok(&["report", "show", golden["id"].as_str().unwrap(), "--lang", "ko"]).stdout;
    assert!(told.contains("[공개 리더보드와: 비교 불가]"), "{told}");
    assert!(told.contains("캐시 미스:"), "{told}");
    let run = koab.json(&["runs", "show", golden["run"].as_str().unwrap()]);
    assert_eq!(
        short(verdict(&run)),
        "not_comparable; recordings not_comparable",
        "a run alone has no judges"
    );
    assert_eq!(run["model"], "baseline/golden", "what was there stays there");
    assert_eq!(run["comparability"]["facts"]["calls"], golden["comparability"]["facts"]["calls"]);

    with_each_other(&koab, [&silent, &levels, &corrected]);
    exported(&koab, &golden);
}

fn with_each_other(koab: &Koab, [silent, levels, corrected]: [&Value; 3]) {
    let id = |view: &Value| view["id"].as_str().unwrap().to_owned();
    let compared = koab.json(&["report", "compare", &id(silent), &id(levels), &id(corrected)]);
    let with_first = |at: usize| compared["reports"][at]["standing"]["with_first"].clone();
    assert_eq!(with_first(0), Value::Null);
    assert_eq!(short(&with_first(1)), "limited; coverage limited");
    assert_eq!(
        reason(&with_first(1), "coverage"),
        "they have different levels: L1, L2, L3, L4, L5, L6, L7; L1, L2"
    );
    assert_eq!(short(&with_first(2)), "not_comparable; protocol not_comparable; settings limited");
    let told = koab.ok(&["report", "compare", &id(silent), &id(corrected)]).stdout;
    assert!(
        told.contains("[not comparable] they were run under different protocols: leaderboard, corrected"),
        "{told}"
    );
}

/// The published files keep every byte; what they cannot say lies beside them.
fn exported(koab: &Koab, view: &Value) {
    let (id, folder) = (view["id"].as_str().unwrap(), view["folder"].as_str().unwrap());
    let out = tempfile::tempdir().unwrap();
    for (format, file) in [
        ("csv", "evaluation_summary.csv"),
        ("md", "evaluation_report.md"),
        ("json", "evaluation_report.json"),
    ] {
        let path = out.path().join(format!("report.{format}"));
        koab.ok(&["report", "export", id, "--format", format, "-o", path.to_str().unwrap()]);
        assert_eq!(fs::read(&path).unwrap(), fs::read(Path::new(folder).join(file)).unwrap());
        let beside = fs::read_to_string(out.path().join(format!("report.comparability.{format}"))).unwrap();
        match format {
            "csv" => assert!(
                beside.starts_with(
                    "kind,name,value,grade,what_to_do\r\nverdict,leaderboard,not comparable,not_comparable,\r\n"
                ),
                "{beside}"
            ),
            "md" => assert!(
                beside.contains("**With the published leaderboard: not comparable**"),
                "{beside}"
            ),
            _ => {
                let read: Value = serde_json::from_str(&beside).unwrap();
                assert_eq!(read, view["comparability"]);
            }
        }
    }
    let page = out.path().join("report.html");
    koab.ok(&["report", "export", id, "-o", page.to_str().unwrap(), "--lang", "ko"]);
    let html = fs::read_to_string(&page).unwrap();
    assert!(html.contains("<span class=\"verdict not_comparable\">리더보드와: 비교 불가</span>"), "{html}");
    assert!(!out.path().join("report.comparability.html").exists(), "it is within");
}

/// One word of one tool: the tasks are the published ones, the numbers are not comparable.
#[test]
fn a_changed_word_of_a_tool_is_named() {
    let Some(shared) = shared("a_changed_word_of_a_tool_is_named") else {
        return;
    };
    let (koab, folder) = (Koab::new(), tempfile::tempdir().unwrap());
    let published = shared.join("ko-agentbench");
    fs::create_dir_all(folder.path().join("tasks")).unwrap();
    for level in 1..=7 {
        let file = format!("tasks/L{level}.json");
        fs::copy(published.join(&file), folder.path().join(&file)).unwrap();
    }
    let mut catalog: Value =
        serde_json::from_str(&fs::read_to_string(published.join("tool_catalog.json")).unwrap()).unwrap();
    let tool = catalog.as_array_mut().unwrap().iter_mut().find(|tool| tool["name"] == "WebSearch_daum");
    let tool = tool.unwrap();
    tool["description"] = format!("{}!", tool["description"].as_str().unwrap()).into();
    fs::write(folder.path().join("tool_catalog.json"), catalog.to_string()).unwrap();
    koab.ok(&["pack", "import", folder.path().to_str().unwrap(), "--use"]);
    let silent = scored(&koab, &["--model", "baseline/silent"]);
    assert_eq!(
        short(verdict(&silent)),
        "not_comparable; tools not_comparable; recordings limited; judges limited"
    );
    assert_eq!(
        reason(verdict(&silent), "tools"),
        "the name, description or schema of offered tools is not the published one: WebSearch_daum"
    );
}

/// Tasks of one's own are not comparable, whatever else is as published.
#[test]
fn the_starter_pack_is_no_leaderboard() {
    let koab = Koab::new();
    let golden = scored(&koab, &["--model", "baseline/golden"]);
    assert_eq!(verdict(&golden)["grade"], "not_comparable");
    assert!(reason(verdict(&golden), "tasks").starts_with("the tasks of pack starter@"), "{golden}");
    let listed = koab.json(&["report", "list"]);
    assert_eq!(verdict(&listed[0]), verdict(&golden));
}

/// What the live APIs answered was answered at another time.
#[test]
fn answers_of_real_services_are_a_limit_of_their_own() {
    let koab = Koab::new();
    let folder = tempfile::tempdir().unwrap();
    let tools = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../tasks/tools");
    let tool = fs::read_to_string(tools.join("CryptoPrice_bithumb.json")).unwrap();
    let tool: Value = serde_json::from_str(&tool).unwrap();
    let task = json!({ "task_id": "L1-001", "instruction": "시세", "task_level": 1, "task_category": "Single",
        "golden_action": [{ "tool": "CryptoPrice_bithumb", "args": { "markets": "KRW-BTC" } }],
        "resp_schema": { "type": "string" } });
    fs::create_dir_all(folder.path().join("tasks")).unwrap();
    fs::write(folder.path().join("tasks/L1.json"), json!([task]).to_string()).unwrap();
    fs::write(folder.path().join("tool_catalog.json"), json!([tool]).to_string()).unwrap();
    koab.ok(&["pack", "import", folder.path().to_str().unwrap(), "--use"]);
    let service = Local::start(|_| (200, json!([{ "market": "KRW-BTC", "trade_price": 1 }])));
    let words = ["run", "--model", "baseline/golden", "--cache-mode", "write", "--json", "--quiet"];
    let made = ran(koab.command(&words).env("KOAB_BITHUMB_URL", &service.address).output().unwrap());
    assert_eq!(made.code, 0, "{}{}", made.stdout, made.stderr);
    let made: Value = serde_json::from_str(&made.stdout).unwrap();
    let run = koab.json(&["runs", "show", made["run"]["folder"].as_str().unwrap()]);
    let findings = verdict(&run)["findings"].as_array().unwrap().clone();
    let live =
        "1 of 1 calls were answered by live APIs or saved responses, at another time than the published runs";
    assert!(findings.iter().any(|finding| finding["reason"] == live), "{findings:?}");
    assert_eq!(run["comparability"]["facts"]["cache"]["value"]["source"], "write");
}

/// The published runs say nothing of how they were answered, so they are limited and never comparable; compared with the
/// published recordings their calls are answered as an independent count has it.
#[test]
fn the_published_runs_and_reports_are_limited_with_the_figures_of_an_independent_count() {
    let Some(shared) = shared("the_published_runs_and_reports_are_limited") else {
        return;
    };
    let koab = with_published(&shared);
    for part in ["parity/logs/benchmark_results", "parity/reports"] {
        koab.ok(&["report", "import", shared.join(part).to_str().unwrap()]);
    }
    let reports = koab.json(&["report", "list"]);
    assert_eq!(reports.as_array().unwrap().len(), 8);
    for (model, levels) in published::CALLS {
        let view = koab.json(&["report", "show", &format!("{model}_20251219")]);
        assert_eq!(verdict(&view)["grade"], "limited", "{model}");
        let calls = &view["comparability"]["facts"]["calls"]["value"];
        assert_eq!(calls["basis"], "reckoned");
        let counted: Vec<[u64; 6]> = calls["levels"]
            .as_array()
            .unwrap()
            .iter()
            .map(|level| {
                ["attempts", "touched", "hit", "miss", "injected", "refused"]
                    .map(|key| level[key].as_u64().unwrap())
            })
            .collect();
        assert_eq!(counted, levels, "{model}");
        let aspects = short(verdict(&view));
        assert!(
            aspects.starts_with("limited; tasks limited; tools limited; settings limited; recordings limited; recordings limited"),
            "{model}: {aspects}"
        );
        assert!(
            !aspects.contains("judges limited"),
            "{model}: the published judge is the published judge: {aspects}"
        );
    }
    let two = ["azure_gpt-4o_20251219", "azure_gpt-5_20251219"];
    let compared = koab.json(&["report", "compare", two[0], two[1]]);
    assert_eq!(compared["reports"][1]["standing"]["with_first"]["grade"], "limited");
}
