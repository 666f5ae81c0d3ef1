//! Published reports as the reference set: taken in in one step, marked, a new report among them, removed as a whole.

use crate::support::{Koab, copy, shared};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

/// The published report that stands for a new one.
const OWN: &str = "azure_gpt-4o_20251219";

/// A folder as a checkout has it: reports without one, their combined table, and logs.
fn checkout(parity: &Path) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    copy(&parity.join("reports"), &folder.path().join("reports"));
    fs::remove_dir_all(folder.path().join("reports").join(OWN)).expect("removed");
    let table = "combined_published_rows.csv";
    fs::copy(parity.join(table), folder.path().join("reports/combined_evaluation_summary.csv"))
        .expect("copied");
    let logs = "logs/benchmark_results/by_model/azure_gpt-5";
    copy(&parity.join(logs), &folder.path().join(logs));
    folder
}

/// SR over all tasks, computed from the published file alone.
fn success(report: &Path) -> f64 {
    let text = fs::read_to_string(report.join("evaluation_report.json")).expect("read");
    let document: Value = serde_json::from_str(&text).expect("JSON");
    let levels = document["by_level"].as_object().expect("levels");
    let tasks = levels.values().flat_map(|level| level["task_evaluations"].as_array().expect("tasks"));
    let scores: Vec<f64> =
        tasks.map(|task| task["metrics"]["SR"]["score"].as_f64().expect("a score")).collect();
    scores.iter().sum::<f64>() / scores.len() as f64
}

#[test]
fn published_reports_come_as_a_set_and_a_report_stands_among_them() {
    let Some(shared) = shared("published_reports_come_as_a_set") else {
        return;
    };
    let parity = shared.join("parity");
    let (koab, checkout) = (Koab::new(), checkout(&parity));
    let imported = koab.json(&["report", "import", checkout.path().to_str().expect("a path"), "--reference"]);
    let items = imported["items"].as_array().expect("items");
    let wanted = fs::read_dir(checkout.path().join("reports")).expect("listed").count() - 1;
    assert_eq!(items.len(), wanted, "neither logs nor the rows that say it again: {imported:#}");
    assert!(items.iter().all(|item| item["what"] == "report" && item["outcome"] == "added"));
    assert_eq!(koab.json(&["runs", "list"]), json!([]));
    let set = koab.json(&["report", "references"]);
    assert_eq!(set["reports"].as_array().expect("reports").len(), wanted);

    // A report that is not a reference: it appears among them at once.
    let changed = tempfile::tempdir().expect("a folder");
    let own = changed.path().join(OWN);
    copy(&parity.join("reports").join(OWN), &own);
    // Another file of the same values: the published file itself is recognised as a reference.
    let document = own.join("evaluation_report.json");
    let text = fs::read_to_string(&document).expect("read");
    fs::write(&document, format!("{text}\n")).expect("written");
    koab.ok(&["report", "import", own.to_str().expect("a path")]);
    let shown = koab.json(&["report", "show", OWN]);
    let standing = &shown["reference"];
    assert_eq!(
        (&standing["references"], &standing["caveats"], &standing["left_out"]),
        (&json!(wanted), &json!([]), &json!([]))
    );
    let by_success = &standing["measures"][0];
    let mine = success(&own);
    let theirs: Vec<f64> = fs::read_dir(checkout.path().join("reports"))
        .expect("listed")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.is_dir())
        .map(|path| success(&path))
        .collect();
    let rank = theirs.iter().filter(|other| **other > mine + 1e-9).count() + 1;
    assert_eq!(
        (&by_success["measure"], &by_success["rank"], &by_success["of"]),
        (&json!("SR"), &json!(rank), &json!(wanted + 1))
    );
    let points = by_success["points"].as_array().expect("points");
    let own_point = points.iter().find(|point| point["own"] == true).expect("its own");
    assert!((own_point["value"].as_f64().expect("a value") - mine).abs() < 1e-12);
    assert!(points.iter().all(|point| point["range"]["interval"]["method"] == "wilson"), "{points:?}");
    let text = koab.ok(&["report", "show", OWN, "--lang", "ko"]).stdout;
    assert!(text.contains(&format!("SR: {}개 중 {rank}위", wanted + 1)), "{text}");

    // The same with other judges still has a place, and who reads it is told.
    let judged = tempfile::tempdir().expect("a folder");
    let judged = judged.path().join("azure_gpt-4o_20260101");
    copy(&own, &judged);
    let file = judged.join("evaluation_report.json");
    let report = fs::read_to_string(&file).expect("read");
    fs::write(&file, report.replace("azure/gpt-4.1-mini", "lab/judge")).expect("written");
    koab.ok(&["report", "import", judged.to_str().expect("a path")]);
    let other = "azure_gpt-4o_20260101";
    let standing = koab.json(&["report", "show", other])["reference"].clone();
    let caveat = "they have different judges: lab/judge; azure/gpt-4.1-mini";
    assert_eq!((&standing["caveats"], &standing["measures"][0]["rank"]), (&json!([caveat]), &json!(rank)));
    let text = koab.ok(&["report", "show", other]).stdout;
    assert!(text.contains(&format!("! {caveat}\n")), "{text}");
    fs::remove_dir_all(koab.path().join("reports").join(other)).expect("removed");

    let compared = koab.json(&["report", "compare", OWN, "--with-reference"]);
    assert_eq!(compared["reports"].as_array().expect("reports").len(), wanted + 1);

    // The combined table of the new report with the set is the published one, byte for byte.
    let table = koab.path().join("combined.csv");
    let table_name = table.to_str().expect("a path");
    koab.ok(&["report", "combine", "--report", OWN, "--with-reference", "-o", table_name]);
    let read = |path: &Path| fs::read(path).expect("read");
    assert!(read(&table) == read(&parity.join("combined_expected.csv")));

    // Taking the same report in as a reference marks what is there.
    let marked = koab.json(&["report", "import", own.to_str().expect("a path"), "--reference"]);
    assert_eq!(
        (&marked["items"][0]["outcome"], &marked["items"][0]["notes"]),
        (&json!("already_there"), &json!(["was there before and belongs to the reference set now"]))
    );
    let unsure = koab.run(&["report", "references", "--remove"]);
    assert_eq!(unsure.code, 2, "{}", unsure.stderr);
    koab.ok(&["report", "references", "--remove", "--yes"]);
    assert_eq!(koab.json(&["report", "list"]), json!([]));
    let restored = koab.json(&["report", "references", "--restore"]);
    assert_eq!(restored["restored"].as_array().expect("ids").len(), wanted + 1);
    assert_eq!(
        koab.json(&["report", "references"])["reports"].as_array().expect("reports").len(),
        wanted + 1
    );
}

#[test]
fn a_report_over_other_tasks_is_not_ranked_and_a_table_alone_brings_its_rows() {
    let Some(shared) = shared("a_report_over_other_tasks_is_not_ranked") else {
        return;
    };
    let koab = Koab::new();
    let table = shared.join("parity/combined_published_rows.csv");
    let imported = koab.json(&["report", "import", table.to_str().expect("a path"), "--reference"]);
    let rows = fs::read_to_string(&table).expect("read").lines().count() - 1;
    assert_eq!(imported["items"].as_array().expect("items").len(), rows);
    let run = koab.json(&["run", "--model", "baseline/golden", "--levels", "L2", "--evaluate"]);
    let id = run["reports"][0]["id"].as_str().expect("an id");
    let standing = koab.json(&["report", "show", id])["reference"].clone();
    assert_eq!((&standing["references"], &standing["measures"]), (&json!(rows), &json!([])));
    assert_eq!(standing["left_out"].as_array().expect("reasons").len(), rows);
    assert_eq!(standing["left_out"][0]["reason"], "has other levels or another number of tasks");
}
