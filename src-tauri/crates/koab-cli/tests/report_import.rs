//! `koab report import` with the published reports and logs.

use crate::support::{Koab, shared};
use serde_json::Value;
use std::fs;
use std::path::Path;

fn outcomes(result: &Value, what: &str, outcome: &str) -> usize {
    let items = result["items"].as_array().expect("a list");
    let is = |item: &&Value| item["what"] == what && item["outcome"] == outcome;
    items.iter().filter(is).count()
}

fn same(ours: &Path, theirs: &Path) {
    let read = |path: &Path| fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    assert!(read(ours) == read(theirs), "{}", ours.display());
}

#[test]
fn published_reports_and_logs_come_in_byte_for_byte_and_only_once() {
    let Some(shared) = shared("published_reports_and_logs_come_in_byte_for_byte_and_only_once") else {
        return;
    };
    let koab = Koab::new();
    let parity = shared.join("parity");
    let path = |part: &str| parity.join(part).to_str().expect("a path").to_owned();
    let (reports, logs) = (path("reports"), path("logs"));
    let result = koab.json(&["report", "import", &reports, &logs]);
    assert_eq!((outcomes(&result, "report", "added"), outcomes(&result, "run", "added")), (8, 8));
    assert_eq!(result["items"].as_array().expect("a list").len(), 16, "{result:#}");
    let mut compared = 0;
    for folder in fs::read_dir(&reports).expect("listed").map(|entry| entry.expect("an entry").path()) {
        let ours = koab.path().join("reports").join(folder.file_name().expect("a name"));
        for file in ["evaluation_report.json", "evaluation_summary.csv", "evaluation_report.md"] {
            same(&ours.join(file), &folder.join(file));
            compared += 1;
        }
    }
    let by_model = parity.join("logs/benchmark_results/by_model");
    for model in fs::read_dir(&by_model).expect("listed").map(|entry| entry.expect("an entry").path()) {
        for run in fs::read_dir(&model).expect("listed").map(|entry| entry.expect("an entry").path()) {
            for log in fs::read_dir(&run).expect("listed").map(|entry| entry.expect("an entry").path()) {
                let inner = log.strip_prefix(&parity).expect("inside");
                same(&koab.path().join(inner), &log);
                compared += 1;
            }
        }
    }
    assert_eq!(compared, 8 * 3 + 8 * 7);
    let again = koab.json(&["report", "import", &logs, &reports]);
    assert_eq!(
        (outcomes(&again, "report", "already_there"), outcomes(&again, "run", "already_there")),
        (8, 8)
    );
    let listed = koab.json(&["report", "list"]);
    assert_eq!(listed.as_array().expect("a list").len(), 8);
    // The library combines to the published table, which needs the folders' own names.
    let combined = koab.path().join("combined.csv");
    let folder = koab.path().join("reports");
    koab.ok(&[
        "report",
        "combine",
        folder.to_str().expect("a path"),
        "-o",
        combined.to_str().expect("a path"),
    ]);
    same(&combined, &parity.join("combined_expected.csv"));
}

#[test]
fn a_combined_table_brings_a_report_a_row_and_rubbish_is_refused_with_code_1() {
    let Some(shared) = shared("a_combined_table_brings_a_report_a_row") else {
        return;
    };
    let koab = Koab::new();
    let file = shared.join("parity/combined_published_rows.csv");
    let file = file.to_str().expect("a path");
    let result = koab.json(&["report", "import", file]);
    assert_eq!(outcomes(&result, "combined_row", "added"), 8);
    let models: Vec<Value> = koab.json(&["report", "list"]).as_array().expect("a list").to_vec();
    assert!(models.iter().any(|report| report["model"] == "claude-haiku-4-5"));
    let rubbish = koab.path().join("notes.json");
    fs::write(&rubbish, "{\"a\": 1}").expect("written");
    let ran = koab.run(&["report", "import", rubbish.to_str().expect("a path")]);
    assert_eq!(ran.code, 1);
    assert!(ran.stdout.contains("notes.json: is JSON, but neither a run log nor a report"), "{}", ran.stdout);
    assert_eq!(koab.run(&["report", "import"]).code, 2);
}

#[test]
fn an_imported_run_is_not_resumed_and_keeps_its_files() {
    let (maker, koab) = (Koab::new(), Koab::new());
    let made = maker.json(&["run", "--model", "baseline/golden", "--levels", "L1"]);
    let folder = Path::new(made["run"]["folder"].as_str().expect("a folder"));
    for own in ["run.json", "journal.jsonl"] {
        fs::remove_file(folder.join(own)).expect("a file of ours");
    }
    koab.ok(&["report", "import", folder.to_str().expect("a path")]);
    let runs = koab.json(&["runs", "list"]);
    let id = runs[0]["id"].as_str().expect("an id");
    let theirs = koab.path().join("logs/benchmark_results/by_model").join(id);
    let files = || {
        let entries = fs::read_dir(&theirs).expect("listed").flatten();
        let mut names: Vec<_> = entries.map(|entry| entry.file_name()).collect();
        names.sort();
        names
    };
    let before = files();
    let refused = koab.run(&["run", "--resume", id]);
    assert_eq!(refused.code, 2, "{}", refused.stderr);
    assert!(refused.stderr.contains("so it was not made here"), "{}", refused.stderr);
    assert_eq!(files(), before);
}
