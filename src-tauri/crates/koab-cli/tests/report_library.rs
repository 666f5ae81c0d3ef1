//! The library of reports and a report's numbers, on the published reports and logs.

mod support;

use koab_api::{Api, ReportDetail, ReportFormat, ReportOrigin};
use koab_core::log::LevelLog;
use koab_core::report::{
    Dataset, EvaluationOptions, evaluate, interval::IntervalMethod, read_json, to_json, verdicts_of,
};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use support::{published_runs, read_json as read_file, shared};

fn workspace() -> (tempfile::TempDir, Api) {
    let home = tempfile::tempdir().expect("a folder");
    let api = Api::open(Some(home.path().to_owned())).expect("a workspace");
    (home, api)
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder");
    for entry in fs::read_dir(from).expect("read").flatten() {
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::write(target, fs::read(entry.path()).expect("read")).expect("written");
        }
    }
}

/// The published reports' folders, by name.
fn published(shared: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(shared.join("parity/reports")).expect("the published reports");
    let mut folders: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    folders.sort();
    folders
}

fn name(folder: &Path) -> String {
    folder.file_name().expect("a name").to_string_lossy().into_owned()
}

/// Every number that a report's page shows, held against the published file read as plain JSON.
fn same_numbers(detail: &ReportDetail, published: &Value) -> usize {
    let mut compared = 0;
    let levels = published["by_level"].as_object().expect("levels");
    assert_eq!(detail.levels.len(), levels.len());
    for level in &detail.levels {
        let theirs = &levels[level.level.as_str()];
        assert_eq!(level.tasks.map(u64::from), theirs["total_tasks"].as_u64());
        assert_eq!(level.evaluated.map(u64::from), theirs["evaluated_tasks"].as_u64());
        let metrics = theirs["metrics"].as_object().expect("metrics");
        assert_eq!(level.metrics.len(), metrics.len());
        for (figure, (metric, value)) in level.metrics.iter().zip(metrics) {
            assert_eq!(&figure.metric, metric);
            assert_eq!(figure.value, value.as_f64());
            compared += 1;
            if let Some(found) = &figure.range.interval {
                let value = figure.value.expect("a value");
                assert!(
                    found.low <= value + 1e-12 && value <= found.high + 1e-12,
                    "{metric}: {found:?}"
                );
            } else {
                assert!(figure.range.reason.is_some());
            }
        }
        let usage = [
            (level.usage.steps, "total_steps"),
            (level.usage.calls, "total_tool_calls"),
            (level.usage.tokens, "total_tokens"),
            (level.usage.seconds, "average_execution_time"),
            (level.usage.prompt_tokens, "average_prompt_tokens"),
            (level.usage.completion_tokens, "average_completion_tokens"),
        ];
        for (ours, key) in usage {
            assert_eq!(ours, theirs["metadata"][key].as_f64(), "{key}");
            compared += 1;
        }
        assert_eq!(level.usage.ttft, theirs["metadata"]["ttft"]["average"].as_f64());
        let own: Vec<_> = detail
            .tasks
            .iter()
            .filter(|task| task.level == level.level)
            .collect();
        let tasks = theirs["task_evaluations"].as_array().expect("tasks");
        assert_eq!(own.len(), tasks.len());
        for (ours, theirs) in own.into_iter().zip(tasks) {
            assert_eq!(ours.task, theirs["task_id"].as_str().expect("an id"));
            assert_eq!(Value::Bool(ours.answered), theirs["success"]);
            for score in &ours.scores {
                let entry = &theirs["metrics"][&score.metric];
                assert_eq!(score.value, entry["score"].as_f64(), "{}", ours.task);
                compared += 1;
            }
            assert_eq!(
                ours.scores.len(),
                theirs["metrics"].as_object().expect("metrics").len()
            );
        }
    }
    compared
}

#[test]
fn the_published_reports_are_shown_with_their_own_numbers() {
    let Some(shared) = shared("the_published_reports_are_shown_with_their_own_numbers") else {
        return;
    };
    let (home, api) = workspace();
    let published = published(&shared);
    assert_eq!(api.reports_library().expect("listed").len(), 0);
    for folder in &published {
        copy(folder, &home.path().join("reports").join(name(folder)));
    }
    let rows = api.reports_library().expect("listed");
    assert_eq!(rows.len(), 8);
    let mut compared = 0;
    for folder in &published {
        let (id, document) = (name(folder), read_file(&folder.join("evaluation_report.json")));
        let detail = api.report_detail(&id).expect("opened");
        let row = rows.iter().find(|row| row.id == id).expect("listed");
        assert_eq!(*row, detail.row);
        assert_eq!(row.origin, ReportOrigin::Imported);
        assert_eq!(document["summary"]["model"], row.model.as_str());
        assert_eq!(document["summary"]["judge_model"], row.judges.join(", "));
        assert_eq!(document["summary"]["execution_date"], row.date.as_str());
        assert!(row.composite.is_some() && row.levels.iter().all(|level| level.score.is_some()));
        compared += same_numbers(&detail, &document);
        let sr = &detail.levels[0].metrics[0];
        let interval = sr.range.interval.expect("an interval");
        assert_eq!(
            (sr.metric.as_str(), interval.method),
            ("SR", IntervalMethod::Wilson)
        );
        assert!(
            detail.composites[1].range.interval.is_some(),
            "{:?}",
            detail.composites[1]
        );
        // Two metrics that this reading needs are in no published report.
        assert_eq!(detail.composites[0].variant, "flat_seed");
        assert!(detail.composites[0].value.is_none() && detail.composites[0].reason.is_some());

        // What is read and written again has the same bytes.
        let text = fs::read_to_string(folder.join("evaluation_report.json")).expect("read");
        let read = read_json(text.as_bytes()).expect("a report");
        assert!(to_json(&read.report) == text, "{id}");
        for (format, file) in [
            (ReportFormat::Json, "evaluation_report.json"),
            (ReportFormat::Csv, "evaluation_summary.csv"),
            (ReportFormat::Md, "evaluation_report.md"),
        ] {
            let exported = api.report_export(&id, format, "ko").expect("exported");
            assert!(
                exported.text.as_bytes() == fs::read(folder.join(file)).expect("read"),
                "{id}/{file}"
            );
        }
        let page = api
            .report_export(&id, ReportFormat::Html, "ko")
            .expect("exported")
            .text;
        for level in &detail.levels {
            for figure in &level.metrics {
                let value = format!("<td class=\"n\">{:.4}</td>", figure.value.expect("a value"));
                assert!(page.contains(&value), "{id} {} {value}", figure.metric);
            }
        }
    }
    println!("{compared} numbers of 8 reports compared");
    assert_eq!(
        compared,
        8 * 558,
        "36 means, 42 figures of use and 480 scores a report"
    );
}

#[test]
fn tags_notes_and_deletion_stay_beside_the_report() {
    let Some(shared) = shared("tags_notes_and_deletion_stay_beside_the_report") else {
        return;
    };
    let (home, api) = workspace();
    let published = published(&shared);
    let id = name(&published[0]);
    let folder = home.path().join("reports").join(&id);
    copy(&published[0], &folder);
    let tags = [" 기준 ", "final", "final", ""].map(str::to_owned).to_vec();
    let row = api
        .report_remark(&id, tags, "다시\n볼 것".to_owned())
        .expect("kept");
    assert_eq!(
        (row.tags, row.note.as_str()),
        (vec!["기준".to_owned(), "final".to_owned()], "다시\n볼 것")
    );
    assert_eq!(
        fs::read_dir(&folder).expect("read").count(),
        3,
        "nothing is added"
    );
    let deleted = api.report_delete(&id).expect("deleted");
    assert!(!folder.exists() && api.reports_library().expect("listed").is_empty());
    assert_eq!(api.report_restore(&deleted).expect("back"), id);
    assert_eq!(api.reports_library().expect("listed")[0].tags, ["기준", "final"]);
    assert_eq!(
        api.report_detail(&id).expect("opened").row.tags,
        ["기준", "final"]
    );
    api.report_delete("../reports")
        .expect_err("a name that leads elsewhere");

    // A folder that is no report is a row that says so, and the others still stand.
    let broken = home.path().join("reports/broken_20260101");
    fs::create_dir_all(&broken).expect("made");
    fs::write(broken.join("evaluation_report.json"), "{\"summary\": 1}").expect("written");
    let rows = api.reports_library().expect("listed");
    let problem = rows
        .iter()
        .find_map(|row| row.problem.clone())
        .expect("a problem");
    assert!(
        problem.contains("expected a summary, which is an object"),
        "{problem}"
    );
    assert_eq!(rows.len(), 2);
}

#[test]
fn the_logs_add_what_the_report_alone_does_not_tell() {
    let Some(shared) = shared("the_logs_add_what_the_report_alone_does_not_tell") else {
        return;
    };
    let (home, api) = workspace();
    let (model, run, _) = published_runs(&shared).remove(0);
    let id = format!("{model}_20251219");
    copy(
        &shared.join("parity/reports").join(&id),
        &home.path().join("reports").join(&id),
    );
    let without = api.report_facts(&id).expect("facts");
    assert!(without.run.is_none() && without.other.reason.is_some() && without.tasks.is_empty());

    let date = name(&run);
    let logs = home
        .path()
        .join("logs/benchmark_results/by_model")
        .join(&model)
        .join(&date);
    copy(&run, &logs);
    let facts = api.report_facts(&id).expect("facts");
    assert_eq!(facts.run.expect("the run").id, format!("{model}/{date}"));
    assert_eq!(facts.tasks.len(), 91);
    assert!(
        facts
            .tasks
            .iter()
            .all(|task| task.tokens.is_some() && task.seconds.is_some())
    );
    assert!(facts.cache.is_empty(), "published logs do not say it");

    // What no judge decides is there at once, by the rules of `koab evaluate --scorer corrected`.
    let file = shared
        .join("parity/reports")
        .join(&id)
        .join("evaluation_report.json");
    let report = read_json(&fs::read(file).expect("read"))
        .expect("a report")
        .report;
    let read_log = |level: &str| LevelLog::read(&read_file(&run.join(level))).expect("a log");
    let logs: Vec<LevelLog> = (1..=7).map(|level| read_log(&format!("L{level}.json"))).collect();
    assert_eq!(facts.other.levels.len(), 7);
    let l1 = &facts.other.levels[0];
    let exact = l1
        .metrics
        .iter()
        .find(|figure| figure.metric == "ToolAcc")
        .expect("ToolAcc");
    assert_eq!(exact.value, report.levels[0].means[3].value);
    // Where both scorers ask the very same, the report's answers serve; the rest nobody was asked and has no value.
    let other = &facts.other;
    assert!(0 < other.unanswered && other.unanswered < other.questions);
    for (level, published) in other.levels.iter().zip(&report.levels) {
        let sr = level.metrics.iter().find(|figure| figure.metric == "SR");
        let sr = sr.expect("SR");
        assert_eq!(sr.value.is_none(), sr.reason.is_some());
        if level.level.is_multi_turn() {
            assert_eq!(
                sr.value, None,
                "{}: judges are asked about another turn",
                level.level
            );
        } else if level.level.as_str() == "L2" {
            assert_eq!(sr.value, published.means[0].value);
        }
    }

    // The judges' answers that the report holds are all it takes to score the logs to the same numbers.
    let options = EvaluationOptions {
        model: Some(report.model.clone()),
        execution_date: report.execution_date.clone(),
        evaluation_date: report.evaluation_date.clone(),
        ..EvaluationOptions::default()
    };
    let again = evaluate(&logs, &Dataset::none(), &verdicts_of(&report), &options);
    for (ours, theirs) in again.levels.iter().zip(&report.levels) {
        for (ours, theirs) in ours.means.iter().zip(&theirs.means) {
            assert_eq!((ours.metric, ours.value), (theirs.metric, theirs.value));
        }
    }
}
