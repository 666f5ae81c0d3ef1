//! `koab report atlas`: the published reports and logs sorted, with and without a report, and the files that it writes.

use crate::support::benchmark_packs::{self, installed, made, run_of};
use crate::support::http::{Local, calls, completion, models};
use crate::support::{Koab, copy, read_json, shared};
use koab_api::{Api, AtlasBy, Cause, Level};
use koab_api::{AtlasExport, AtlasFormat};
use koab_core::sentence::Language;
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

const MODELS: [&str; 2] = ["azure_gpt-4o", "azure_gpt-5"];

/// A workspace with the published reports and, where asked for, the logs of two models.
fn workspace(shared: &Path, with_logs: bool) -> (tempfile::TempDir, Api) {
    let home = tempfile::tempdir().expect("a folder");
    for model in MODELS {
        let report = format!("{model}_20251219");
        copy(&shared.join("parity/reports").join(&report), &home.path().join("reports").join(&report));
        if with_logs {
            let logs = Path::new("logs/benchmark_results/by_model").join(model);
            copy(&shared.join("parity").join(&logs), &home.path().join(&logs));
        }
    }
    let api = Api::open(Some(home.path().to_owned())).expect("a workspace");
    (home, api)
}

fn ids() -> Vec<String> {
    MODELS.iter().map(|model| format!("{model}_20251219")).collect()
}

#[test]
fn reports_are_sorted_and_written_in_every_form() {
    let Some(shared) = shared("reports_are_sorted_and_written_in_every_form") else {
        return;
    };
    let (_home, api) = workspace(&shared, true);
    let view = api.compare.atlas(&ids()).expect("an atlas");
    assert_eq!(view.attempts.len(), 2 * 91);
    assert!(view.sources.iter().all(|source| source.is_report && source.judged && source.why_not.is_none()));
    let found = |task: &str| {
        let attempt = view.attempts.iter().find(|one| one.source == 0 && one.task == task);
        attempt.expect("the attempt").sorted.primary()
    };
    assert_eq!(found("L5-002"), Some(Cause::FallbackUnused));
    // The same attempt alone, as the transcript shows it.
    let run = view.sources[0].run.clone().expect("a run");
    let alone =
        api.compare.atlas_attempt(&run, "L5-002", Some(&ids()[0])).expect("sorted").expect("an attempt");
    assert_eq!(Some(&alone), view.attempts.iter().find(|one| one.task == "L5-002").map(|one| &one.sorted));

    let written = |format, levels: Vec<Level>, causes: Vec<Cause>| {
        let asked =
            AtlasExport { ids: ids(), format, by: AtlasBy::Model, levels, causes, language: "ko".to_owned() };
        api.compare.atlas_export(&asked).expect("a file")
    };
    let csv = written(AtlasFormat::Csv, vec![Level::L5], vec![Cause::FallbackUnused]);
    assert!(
        csv.name == "atlas.csv" && csv.text.lines().skip(1).all(|line| line.contains(",L5,L5-")),
        "{}",
        csv.text
    );
    let json: serde_json::Value =
        serde_json::from_str(&written(AtlasFormat::Json, vec![], vec![]).text).expect("JSON");
    let attempts = json["attempts"].as_array().expect("attempts");
    assert_eq!(attempts.len(), 2 * 91);
    // A cause that no attempt has first is no row of nothing: the last column counts it behind another one.
    let lossy = |one: &&Value| one["sorted"]["state"] == "lossy";
    let causes = |one: &Value| -> Vec<String> {
        let findings = one["sorted"]["findings"].as_array().expect("findings");
        let named = findings.iter().map(|finding| finding["cause"].as_str().unwrap_or_default());
        named
            .filter_map(|cause| Some(cause.parse::<Cause>().ok()?.label(Language::ENGLISH).0.to_owned()))
            .collect()
    };
    let table = view.table(AtlasBy::Level, Language::ENGLISH);
    for row in &table.rows {
        let (name, also) = (&row[0], row.last().expect("a count"));
        let behind = attempts.iter().filter(lossy).filter(|one| {
            let causes = causes(one);
            causes.first() != Some(name) && causes.contains(name)
        });
        assert_eq!(also.replace('·', "0"), behind.count().to_string(), "{name}");
        assert!(row[1..].iter().any(|count| count != "·"), "{name}");
    }
    assert!(written(AtlasFormat::Markdown, vec![], vec![]).text.contains("## 원인 × 모델"));
    assert!(written(AtlasFormat::Svg, vec![], vec![]).text.contains("azure/gpt-5"));
}

#[test]
fn without_logs_there_is_a_reason_and_without_a_report_no_judges_cause() {
    let Some(shared) = shared("without_logs_there_is_a_reason_and_without_a_report_no_judges_cause") else {
        return;
    };
    let (_home, api) = workspace(&shared, false);
    let view = api.compare.atlas(&ids()).expect("an atlas");
    assert!(view.attempts.is_empty());
    assert!(view.sources.iter().all(|source| {
        source.why_not.as_ref().is_some_and(|why| why.to_string().contains("not in the workspace"))
    }));
    let nothing = api.compare.atlas(&["nothing".to_owned()]).expect_err("no such report");
    assert_eq!(
        nothing.message,
        "there is neither a run nor a report `nothing`; `koab runs list` and `koab report list` show those there are"
    );

    let (_home, api) = workspace(&shared, true);
    let run = api.compare.atlas(&ids()).expect("an atlas").sources[0].run.clone().expect("a run");
    // A run's name means its report as long as there is one, and its logs alone without.
    let named = api.compare.atlas(std::slice::from_ref(&run)).expect("an atlas");
    assert_eq!(named.sources[0].id, ids()[0]);
    api.runs.library.report_delete(&ids()[0]).expect("deleted");
    let view = api.compare.atlas(&[run]).expect("an atlas");
    assert!(!view.sources[0].is_report && !view.sources[0].judged);
    let judged = |cause: Cause| {
        view.causes
            .iter()
            .any(|one| one.id == cause && one.needs == koab_analysis::atlas::CauseNeeds::Verdicts)
    };
    let findings = view.attempts.iter().flat_map(|attempt| &attempt.sorted.findings);
    assert!(findings.count() > 20);
    for attempt in &view.attempts {
        let findings = &attempt.sorted.findings;
        // Where no fallback was called the rules deny success without a judge, and what the answer says stands beside that.
        let by_rule = findings.iter().any(|finding| finding.cause == Cause::FallbackUnused);
        assert!(
            by_rule || findings.iter().all(|finding| !judged(finding.cause)),
            "{}: {findings:?}",
            attempt.task
        );
    }
    assert!(
        view.attempts
            .iter()
            .all(|attempt| { attempt.sorted.unscored.iter().all(|metric| metric.name() != "FSM") })
    );
}

/// A run of four items of BFCL, of which `multiple_1` alone is right, and the first cause of a run of Ko-AgentBench beside it.
fn two_benchmarks() -> (Koab, [String; 2], String) {
    let groups = [("multiple", 3), ("irrelevance", 1)];
    let (koab, _folder) = installed(|below| benchmark_packs::bfcl(below, &groups));
    let server = Local::start(|request| {
        if request.line.starts_with("GET") {
            return models(&["m"]);
        }
        let is_right = request.body["messages"].to_string().contains("multiple_1");
        let number = if is_right { 3 } else { 4 };
        let call = calls("math_square", &json!({ "n": number }).to_string());
        (200, completion(&call))
    });
    let items = run_of(&koab, "bfcl", "m", &server);
    let attempts = made(&koab, &["run", "--model", "baseline/random", "--pack", "starter"]);
    let sorted = koab.json(&["report", "atlas", &attempts]);
    let mut findings = sorted["attempts"].as_array().expect("attempts").iter();
    let first = findings.find_map(|attempt| attempt["sorted"]["findings"][0]["cause"].as_str());
    let cause = first.expect("a cause").to_owned();
    (koab, [items, attempts], cause)
}

#[test]
fn items_that_are_not_there_or_not_chosen_are_in_no_figure() {
    let (koab, [items, attempts], cause) = two_benchmarks();
    let told = |words: &[&str]| koab.ok(&[&["report", "atlas"], words].concat()).stdout;
    let wrong = "with a score were answered wrong";
    let whole = told(&[&items]);
    assert!(whole.contains(&format!("3 of 4 items {wrong}")), "{whole}");
    let of_group = told(&[&items, "--level", "multiple"]);
    assert!(of_group.contains(&format!("2 of 3 items {wrong}")), "{of_group}");
    let of_cause = told(&[&items, &attempts, "--cause", &cause]);
    assert!(
        !of_cause.contains(wrong) && of_cause.contains("no item of this benchmark is chosen"),
        "{of_cause}"
    );

    // A report without what its benchmark says of each item.
    let report = koab.json(&["evaluate", &items])[0]["id"].clone();
    let report = report.as_str().expect("an id");
    let path = koab.path().join("reports").join(report).join("report_view.json");
    let mut kept: Value = read_json(&path);
    kept.as_object_mut().expect("an object").remove("items");
    fs::write(&path, kept.to_string()).expect("written");
    let without = told(&[report]);
    assert!(!without.contains(wrong) && without.contains("are not saved with this report"), "{without}");
}

#[test]
fn one_table_of_two_benchmarks_is_refused_and_json_has_both() {
    let (koab, [items, attempts], _) = two_benchmarks();
    for format in ["csv", "markdown", "svg"] {
        let refused = koab.run(&["report", "atlas", &attempts, &items, "--format", format]);
        assert_ne!(refused.code, 0, "{}", refused.stdout);
        let said = format!("take JSON, or leave out {items}");
        assert!(refused.stderr.contains(&said), "{}", refused.stderr);
        assert_eq!(refused.stdout, "");
    }
    let both = koab.ok(&["report", "atlas", &attempts, &items, "--format", "json"]);
    let both: Value = serde_json::from_str(&both.stdout).expect("JSON");
    let count = |field: &str| both[field].as_array().map_or(0, Vec::len);
    assert!(count("attempts") > 0 && count("items") == 3, "{both}");
}
