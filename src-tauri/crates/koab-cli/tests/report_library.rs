//! The library of reports and a report's numbers, on the published reports and logs.

use crate::support::{copy, published_runs, read_json as read_file, shared};
use koab_api::{
    Api, Compared, DifferenceKind, OverrideAnswer, OverrideRequest, ReportDetail, ReportFormat, ReportOrigin,
    VerdictPlace,
};
use koab_core::log::LevelLog;
use koab_core::measured::IntervalMethod;
use koab_core::score::MetricId;
use koab_report::{Dataset, EvaluationOptions, evaluate, read_json, to_json, verdicts_of};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

fn workspace() -> (tempfile::TempDir, Api) {
    let home = tempfile::tempdir().expect("a folder");
    let api = Api::open(Some(home.path().to_owned())).expect("a workspace");
    (home, api)
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

/// Every number that a report's page shows, compared with the published file read as plain JSON.
fn same_numbers(detail: &ReportDetail, published: &Value) -> usize {
    let mut compared = 0;
    let levels = published["by_level"].as_object().expect("levels");
    assert_eq!(detail.view.levels.len(), levels.len());
    for level in &detail.view.levels {
        let theirs = &levels[level.level.as_str()];
        assert_eq!(level.tasks.map(u64::from), theirs["total_tasks"].as_u64());
        assert_eq!(level.evaluated.map(u64::from), theirs["evaluated_tasks"].as_u64());
        let metrics = theirs["metrics"].as_object().expect("metrics");
        assert_eq!(level.metrics.len(), metrics.len());
        for (figure, (metric, value)) in level.metrics.iter().zip(metrics) {
            assert_eq!(figure.metric.name(), metric);
            assert_eq!(figure.mean.mean(), value.as_f64());
            compared += 1;
            if let Some(found) = figure.range.as_ref().expect("drawn").interval() {
                let value = figure.mean.mean().expect("a value");
                assert!(found.low <= value + 1e-12 && value <= found.high + 1e-12, "{metric}: {found:?}");
            } else {
                assert!(figure.range.as_ref().expect("drawn").reason().is_some());
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
        let own: Vec<_> = detail.tasks.iter().filter(|task| task.level == level.level).collect();
        let tasks = theirs["task_evaluations"].as_array().expect("tasks");
        assert_eq!(own.len(), tasks.len());
        for (ours, theirs) in own.into_iter().zip(tasks) {
            assert_eq!(ours.task, theirs["task_id"].as_str().expect("an id"));
            assert_eq!(Value::Bool(ours.answered), theirs["success"]);
            for score in &ours.scores {
                let entry = &theirs["metrics"][score.metric.name()];
                assert_eq!(score.value, entry["score"].as_f64(), "{}", ours.task);
                compared += 1;
            }
            assert_eq!(ours.scores.len(), theirs["metrics"].as_object().expect("metrics").len());
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
    assert_eq!(api.runs.library.reports_library().expect("listed").len(), 0);
    for folder in &published {
        copy(folder, &home.path().join("reports").join(name(folder)));
    }
    let rows = api.runs.library.reports_library().expect("listed");
    assert_eq!(rows.len(), 8);
    let mut compared = 0;
    for folder in &published {
        let (id, document) = (name(folder), read_file(&folder.join("evaluation_report.json")));
        let detail = api.runs.library.report_detail(&id).expect("opened");
        let row = rows.iter().find(|row| row.id == id).expect("listed");
        assert_eq!(*row, detail.row);
        assert_eq!(row.origin, ReportOrigin::Imported);
        assert_eq!(document["summary"]["model"], row.model.as_str());
        let judges = row.judges.as_ref().expect("the report says who judged");
        assert_eq!(document["summary"]["judge_model"], judges.join(", "));
        assert_eq!(document["summary"]["execution_date"], row.date.as_str());
        assert!(row.composite.is_some() && row.levels.iter().all(|level| level.score.score().is_some()));
        compared += same_numbers(&detail, &document);
        let sr = &detail.view.levels[0].metrics[0];
        let interval = sr.range.as_ref().expect("drawn").interval().expect("an interval");
        assert_eq!((sr.metric, interval.method), (MetricId::Sr, IntervalMethod::Wilson));
        let shown = &detail.view.composites[0];
        assert_eq!((shown.variant.as_str(), row.variant.as_str()), ("flat_report", "flat_report"));
        assert!(shown.range.as_ref().expect("drawn").interval().is_some(), "{shown:?}");
        assert_eq!(shown.reading, row.reading);
        // Two metrics that this reading needs are in no published report.
        let documented = detail.view.composites.iter().find(|one| one.variant == "flat_seed");
        let documented = documented.expect("every reading");
        assert!(documented.figure.value().is_none() && documented.figure.reason().is_some());

        // What is read and written again has the same bytes.
        let text = fs::read_to_string(folder.join("evaluation_report.json")).expect("read");
        let read = read_json(text.as_bytes()).expect("a report");
        assert!(to_json(&read.report) == text, "{id}");
        for (format, file) in [
            (ReportFormat::Json, "evaluation_report.json"),
            (ReportFormat::Csv, "evaluation_summary.csv"),
            (ReportFormat::Md, "evaluation_report.md"),
        ] {
            let exported = api.runs.library.report_export(&id, format, "ko").expect("exported");
            assert!(exported.text.as_bytes() == fs::read(folder.join(file)).expect("read"), "{id}/{file}");
        }
        let page = api.runs.library.report_export(&id, ReportFormat::Html, "ko").expect("exported").text;
        for level in &detail.view.levels {
            for figure in &level.metrics {
                let value = format!("<td class=\"n\">{:.4}</td>", figure.mean.mean().expect("a value"));
                assert!(page.contains(&value), "{id} {} {value}", figure.metric);
            }
        }
    }
    println!("{compared} numbers of 8 reports compared");
    assert_eq!(compared, 8 * 558, "36 means, 42 figures of use and 480 scores a report");
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
    let row = api.runs.library.report_remark(&id, tags, "다시\n볼 것".to_owned()).expect("kept");
    assert_eq!((row.tags, row.note.as_str()), (vec!["기준".to_owned(), "final".to_owned()], "다시\n볼 것"));
    assert_eq!(fs::read_dir(&folder).expect("read").count(), 3, "nothing is added");
    let deleted = api.runs.library.report_delete(&id).expect("deleted");
    assert!(!folder.exists() && api.runs.library.reports_library().expect("listed").is_empty());
    assert_eq!(api.runs.library.report_restore(&deleted.key).expect("back"), id);
    assert_eq!(api.runs.library.reports_library().expect("listed")[0].tags, ["기준", "final"]);
    assert_eq!(api.runs.library.report_detail(&id).expect("opened").row.tags, ["기준", "final"]);
    api.runs.library.report_delete("../reports").expect_err("a name that leads elsewhere");

    // A folder that is not a report is a row that says so, and the others still stand.
    let broken = home.path().join("reports/broken_20260101");
    fs::create_dir_all(&broken).expect("made");
    fs::write(broken.join("evaluation_report.json"), "{\"summary\": 1}").expect("written");
    let rows = api.runs.library.reports_library().expect("listed");
    let problem = rows.iter().find_map(|row| row.problem.clone()).expect("a problem");
    assert!(problem.to_string().contains("expected a summary, which is an object"), "{problem}");
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
    copy(&shared.join("parity/reports").join(&id), &home.path().join("reports").join(&id));
    let without = api.runs.library.report_facts(&id).expect("facts");
    assert!(without.run.is_none() && without.other.reason.is_some() && without.tasks.is_empty());

    let date = name(&run);
    let logs = home.path().join("logs/benchmark_results/by_model").join(&model).join(&date);
    copy(&run, &logs);
    let facts = api.runs.library.report_facts(&id).expect("facts");
    assert_eq!(facts.run.expect("the run").id, format!("{model}/{date}"));
    let of_run = |run: &str| api.runs.library.report_show(run).expect("looked for").map(|report| report.id);
    assert_eq!(of_run(&format!("{model}/{date}")), Some(id.clone()), "the run's page finds it");
    let listed = api.runs.library.imported_reports().expect("listed");
    let listed: Vec<_> = listed.iter().map(|one| (one.run.as_str(), one.report.as_str())).collect();
    assert_eq!(listed, [(format!("{model}/{date}").as_str(), id.as_str())], "and so does the list of runs");
    // A run of the same model and day whose logs are others is not its run.
    let other = published_runs(&shared).remove(1).1;
    copy(&other, &logs.with_file_name("20251219_235959"));
    assert_eq!(of_run(&format!("{model}/20251219_235959")), None);
    fs::remove_dir_all(logs.with_file_name("20251219_235959")).expect("removed");
    assert_eq!(facts.tasks.len(), 91);
    assert!(facts.tasks.iter().all(|task| task.tokens.is_some() && task.seconds.is_some()));

    // What no judge decides is there at once, by the rules of `koab score --scorer corrected`.
    let file = shared.join("parity/reports").join(&id).join("evaluation_report.json");
    let report = read_json(&fs::read(file).expect("read")).expect("a report").report;
    let read_log = |level: &str| LevelLog::read(&read_file(&run.join(level))).expect("a log");
    let logs: Vec<LevelLog> = (1..=7).map(|level| read_log(&format!("L{level}.json"))).collect();
    assert_eq!(facts.other.levels.len(), 7);
    let l1 = &facts.other.levels[0];
    let exact = l1.metrics.iter().find(|figure| figure.metric == MetricId::ToolAcc).expect("ToolAcc");
    assert_eq!(exact.figure, report.levels[0].means[3].figure);
    // Where both scorers ask the very same, the report's answers serve; the rest nobody was asked and has no value.
    let other = &facts.other;
    assert!(0 < other.unanswered && other.unanswered < other.questions);
    for (level, published) in other.levels.iter().zip(&report.levels) {
        let sr = level.metrics.iter().find(|figure| figure.metric == MetricId::Sr);
        let sr = sr.expect("SR");
        assert_eq!(sr.figure.value().is_none(), sr.figure.reason().is_some());
        if level.level.is_multi_turn() {
            assert_eq!(sr.figure.value(), None, "{}: judges are asked about another turn", level.level);
        } else if level.level.as_str() == "L2" {
            assert_eq!(sr.figure.value(), published.means[0].figure.value());
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
            assert_eq!((ours.metric, &ours.figure), (theirs.metric, &theirs.figure));
        }
    }
}

#[test]
fn reports_side_by_side_have_the_numbers_and_intervals_of_their_own_pages() {
    let Some(shared) = shared("reports_side_by_side_have_the_numbers_and_intervals_of_their_own_pages")
    else {
        return;
    };
    let (home, api) = workspace();
    let ids: Vec<String> = published(&shared).iter().take(3).map(|folder| name(folder)).collect();
    for folder in published(&shared).iter().take(2) {
        copy(folder, &home.path().join("reports").join(name(folder)));
    }
    // Of the third only the summary is left: its numbers have no intervals, and nobody is named as its judge.
    let summary = home.path().join("reports").join(&ids[2]);
    fs::create_dir_all(&summary).expect("made");
    let csv = "evaluation_summary.csv";
    fs::copy(published(&shared)[2].join(csv), summary.join(csv)).expect("copied");

    let view = api.compare.compare(&ids).expect("compared");
    let pages: Vec<ReportDetail> =
        ids.iter().map(|id| api.runs.library.report_detail(id).expect("opened")).collect();
    let (mut numbers, mut intervals) = (0, 0);
    for (at, page) in pages.iter().enumerate() {
        for (level, shown) in view.matrix.levels.iter().zip(&page.view.levels) {
            assert_eq!(level.own.values[at], shown.score.score());
            assert_eq!(level.own.intervals[at], shown.range.as_ref().expect("drawn").interval());
            for figure in &shown.metrics {
                let mut same = level.metrics.iter();
                let same = same.find(|row| row.metric == figure.metric);
                let means = &same.expect("the metric").means;
                assert_eq!(means.values[at], figure.mean.mean());
                assert_eq!(means.intervals[at], figure.range.as_ref().expect("drawn").interval());
                assert_eq!(means.no_interval[at].as_ref(), figure.range.as_ref().expect("drawn").reason());
                numbers += 1;
                intervals += usize::from(figure.range.as_ref().expect("drawn").interval().is_some());
            }
        }
        for figure in &page.view.composites {
            let mut same = view.matrix.composites.iter();
            let same = same.find(|row| row.variant == figure.variant).expect("the reading");
            assert_eq!(same.values.values[at], figure.figure.value());
            assert_eq!(same.values.intervals[at].is_some(), at < 2 && figure.figure.value().is_some());
        }
    }
    assert_eq!(numbers, 3 * (7 * 4 + 16));
    assert!(intervals > 44, "{intervals} intervals");
    assert_eq!(pages[2].row.judges, None);
    assert_eq!(pages[2].view.levels[0].evaluated, Some(11), "what the summary says was evaluated");
    let reason = pages[2].view.levels[0].range.as_ref().expect("drawn").reason().map(ToString::to_string);
    assert_eq!(reason.as_deref(), Some("only a summary is known, without the scores of single tasks"));
    let judges = view.differences.iter().find(|found| found.what == DifferenceKind::Judges);
    let judges = &judges.expect("said by two of the three").values;
    assert!(judges[0].is_some() && judges[2].is_none(), "{judges:?}");
}

#[test]
fn judges_agreement_and_peoples_word_stand_beside_a_report_that_was_imported() {
    let Some(shared) = shared("judges_agreement_and_peoples_word_stand_beside_a_report_that_was_imported")
    else {
        return;
    };
    let (home, api) = workspace();
    let (model, run, _) = published_runs(&shared).remove(0);
    let id = format!("{model}_20251219");
    let report = shared.join("parity/reports").join(&id);
    copy(&report, &home.path().join("reports").join(&id));
    let logs = home.path().join("logs/benchmark_results/by_model");
    copy(&run, &logs.join(&model).join(name(&run)));

    let detail = api.runs.library.report_detail(&id).expect("opened");
    let votes: Vec<_> = detail.view.agreement.iter().filter(|row| row.compared == Compared::Votes).collect();
    assert_eq!((votes.len(), votes[0].metrics.as_slice()), (1, &[MetricId::Sr][..]));
    // Counted from the published votes: pairs of equal votes among three a task. What the log decides has none.
    let document = read_file(&report.join("evaluation_report.json"));
    let tasks = document["by_level"].as_object().expect("levels").values();
    let equal: Vec<usize> = tasks
        .flat_map(|level| level["task_evaluations"].as_array().expect("tasks"))
        .filter_map(|task| task["metrics"]["SR"]["details"]["votes"].as_array())
        .filter(|votes| votes.len() == 3)
        .map(|votes| votes.iter().filter(|vote| **vote == Value::Bool(true)).count())
        .map(|yes| [3, 1, 1, 3][yes])
        .collect();
    let (questions, pairs) = (equal.len(), 3 * equal.len());
    assert_eq!((questions, votes[0].questions as usize), (83, questions));
    let percent = votes[0].percent.value().expect("a share");
    let share = equal.iter().sum::<usize>() as f64 / pairs as f64;
    assert!((percent - share).abs() < 1e-12, "{percent} {share}");

    assert!(api.runs.library.report_facts(&id).expect("facts").people.is_none());
    let sr = |facts: &koab_api::ReportFacts| {
        let people = facts.people.as_ref().expect("people said something");
        let level = &people.levels[0];
        assert_eq!((level.level.as_str(), level.metrics.len()), ("L1", 1));
        level.metrics[0].figure.value().expect("a mean")
    };
    let l1 = document["by_level"]["L1"]["task_evaluations"].as_array().expect("tasks");
    let lost = l1.iter().find(|task| task["metrics"]["SR"]["score"] == 0.0).or(l1.first()).expect("a task");
    let was = lost["metrics"]["SR"]["score"].as_f64().expect("a score");
    let said = OverrideRequest {
        place: VerdictPlace {
            run: format!("{model}/{}", name(&run)),
            task: lost["task_id"].as_str().expect("an id").to_owned(),
            metric: MetricId::Sr,
            judge: None,
        },
        answer: OverrideAnswer {
            success: Some(was == 0.0),
            score: None,
            by: "kim".to_owned(),
            why: "checked by hand".to_owned(),
        },
    };
    api.runs.scoring.verdict_override(&said).expect("kept");
    let facts = api.runs.library.report_facts(&id).expect("facts");
    let judged = document["by_level"]["L1"]["metrics"]["SR"].as_f64().expect("a mean");
    let moved = if was == 0.0 { 1.0 } else { -1.0 } / l1.len() as f64;
    assert!((sr(&facts) - judged - moved).abs() < 1e-12, "{judged} {}", sr(&facts));
    assert_eq!(facts.people.expect("people").overrides[0].answer.by, "kim");
    let now = api.runs.library.report_detail(&id).expect("opened");
    assert_eq!(now.view.levels[0].metrics[0].mean.mean(), Some(judged), "as judged");
}
