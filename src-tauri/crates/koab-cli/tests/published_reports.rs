//! The published reports, made again from the published logs and the recorded judge answers.

use crate::support::{Koab, published_runs, read_json, shared};
use serde_json::Value;
use std::fs;

/// Lists that the published code fills from hash sets, whose order differs from one start of Python to the next. They
/// are compared as sets; everything else byte by byte.
fn as_sets(value: &mut Value) {
    match value {
        Value::Object(map) => {
            for (key, value) in map.iter_mut() {
                let unordered = matches!(
                    key.as_str(),
                    "required_tools"
                        | "covered_tools"
                        | "missing_tools"
                        | "fallback_candidates"
                        | "fallback_tools"
                );
                if let (true, Value::Array(items)) = (unordered, &mut *value) {
                    items.sort_by_key(ToString::to_string);
                }
                if let ("source_eprs", Value::Object(tools)) = (key.as_str(), &mut *value) {
                    tools.sort_keys();
                }
                as_sets(value);
            }
        }
        Value::Array(items) => items.iter_mut().for_each(as_sets),
        _ => {}
    }
}

#[test]
fn published_logs_and_judge_answers_give_the_published_reports() {
    let Some(shared) = shared("published_logs_and_judge_answers_give_the_published_reports") else {
        return;
    };
    let koab = Koab::new();
    let path = |text: &str| shared.join(text).to_str().expect("a path").to_owned();
    let (logs, replay) = (path("parity/logs/benchmark_results"), path("parity/judge_replay.json"));
    let mut compared = [0; 5];
    for (folder, _, id) in published_runs(&shared) {
        let name = format!("{folder}_20251219");
        let published = shared.join("parity/reports").join(&name);
        let report = read_json(&published.join("evaluation_report.json"));
        let date = report["summary"]["evaluation_date"].as_str().expect("a date");
        let base =
            ["evaluate", "--logs", &logs, "--date", "20251219", "--model", &id, "--judge-replay", &replay];
        let output = koab.path().join("head");
        let out = ["--output", output.to_str().expect("a path"), "--evaluation-date", date];
        koab.ok(&[&base[..], &out].concat());
        for (i, file) in ["evaluation_summary.csv", "evaluation_report.md"].into_iter().enumerate() {
            let (ours, theirs) = (fs::read(output.join(&name).join(file)), fs::read(published.join(file)));
            assert!(ours.expect(file) == theirs.expect(file), "{name}/{file}");
            compared[i] += 1;
        }
        let ours = fs::read_to_string(output.join(&name).join("evaluation_report.json")).expect("our report");
        let theirs =
            fs::read_to_string(published.join("evaluation_report.json")).expect("the published report");
        let [mut ours, mut theirs] = [ours, theirs].map(|t| serde_json::from_str::<Value>(&t).expect("JSON"));
        as_sets(&mut ours);
        as_sets(&mut theirs);
        // As texts: the order of keys counts, which equality of JSON values would ignore.
        let [ours, theirs] = [ours, theirs].map(|value| value.to_string());
        assert!(ours == theirs, "{name}/evaluation_report.json");
        compared[2] += 1;

        let output = koab.path().join("all");
        let out =
            ["--output", output.to_str().expect("a path"), "--evaluation-date", date, "--metrics", "all"];
        koab.ok(&[&base[..], &out].concat());
        let published = shared.join("parity/reports_with_removed_metrics").join(&name);
        for (i, file) in ["evaluation_summary.csv", "evaluation_report.md"].into_iter().enumerate() {
            let (ours, theirs) = (fs::read(output.join(&name).join(file)), fs::read(published.join(file)));
            assert!(ours.expect(file) == theirs.expect(file), "{name}/{file} with the removed metrics");
            compared[3 + i] += 1;
        }
    }
    let combined = koab.path().join("combined.csv");
    let head = koab.path().join("head");
    koab.ok(&["report", "combine", head.to_str().expect("a path"), "-o", combined.to_str().expect("a path")]);
    let expected = fs::read(shared.join("parity/combined_expected.csv")).expect("the published table");
    assert!(fs::read(&combined).expect("our table") == expected, "the combined table");
    println!(
        "equal: {compared:?} of 8 each (CSV, Markdown, JSON, CSV and Markdown with removed metrics), combined CSV"
    );
    assert_eq!(compared, [8; 5]);
}

#[test]
fn scoring_never_writes_over_a_report_made_elsewhere() {
    let Some(shared) = shared("scoring_never_writes_over_a_report_made_elsewhere") else {
        return;
    };
    let koab = Koab::new();
    let path = |text: &str| shared.join(text).to_str().expect("a path").to_owned();
    let name = "azure_gpt-4o_20251219";
    koab.ok(&["report", "import", &path("parity/reports"), &path("parity/logs")]);
    let file = |id: &str| koab.path().join("reports").join(id).join("evaluation_report.json");
    let published =
        fs::read(shared.join("parity/reports").join(name).join("evaluation_report.json")).expect("read");
    assert_eq!(fs::read(file(name)).expect("read"), published);
    for scorer in ["leaderboard", "corrected"] {
        for _ in 0..2 {
            let words = [
                "evaluate",
                "--date",
                "20251219",
                "--model",
                "azure/gpt-4o",
                "--no-judge",
                "--scorer",
                scorer,
            ];
            let ran = koab.ok(&words);
            assert_eq!(fs::read(file(name)).expect("read"), published);
            let said = format!("{}{}", ran.stdout, ran.stderr);
            let stands = said.contains("was made elsewhere and is kept; this report was saved beside it");
            assert_eq!(stands, scorer == "leaderboard", "{said}");
        }
    }
    let mut ids: Vec<String> = koab
        .json(&["report", "list"])
        .as_array()
        .expect("rows")
        .iter()
        .filter_map(|row| Some(row["id"].as_str()?.to_owned()))
        .filter(|id| id.starts_with(name))
        .collect();
    ids.sort();
    assert_eq!(ids, [name, "azure_gpt-4o_20251219.corrected", "azure_gpt-4o_20251219.rescored"]);
}
