//! One row an objection: what is done to a submission that a maintainer would take, and what is objected to then.

mod example;

use super::*;
use crate::submission::ModelType;
use FindingCode as C;
use Severity::{Error as Blocks, Warning as Warns};
use example::Example;
use koab_core::finding::Severity;
use koab_core::level::Level;
use koab_core::protocol::Protocol;
use koab_core::run_record::{ChangeRecord, RunChange};
use koab_report::comparability::examples::{calls, change};
use koab_report::comparability::{CallsBasis, Fact, PackName, RecordingsFrom, RecordingsUsed, SettingsFacts};
use serde_json::{Value, json};

type Row = (&'static str, fn(&mut Example), fn(&mut Files), &'static [(FindingCode, Severity)]);

fn settings(example: &mut Example, set: impl FnOnce(&mut SettingsFacts)) {
    change(&mut example.facts.settings, set);
}

/// Changes a JSON file in place, and its hash along with it, as whoever edits one with care would.
fn edit(files: &mut Files, path: &str, change: impl FnOnce(&mut Value)) {
    let mut value: Value = serde_json::from_slice(files.get(path).expect(path)).unwrap();
    change(&mut value);
    replace(files, path, example::published(&value));
}

fn replace(files: &mut Files, path: &str, text: String) {
    files.put(path, text);
    rehash(files);
}

fn rehash(files: &mut Files) {
    let mut submission: Value = serde_json::from_slice(files.get(paths::SUBMISSION).unwrap()).unwrap();
    submission["files"] = json!(files.entries());
    files.put(paths::SUBMISSION, submission.to_string());
}

fn nothing(_: &mut Example) {}
fn as_written(_: &mut Files) {}

const LOG: &str = "logs/benchmark_results/by_model/lab_model/20261120_090000/L3.json";
const JOURNAL: &str = "logs/benchmark_results/by_model/lab_model/20261120_090000/journal.jsonl";
const REPORT: &str = "reports/lab_model_20261120/evaluation_report.json";
const SUMMARY: &str = "reports/lab_model_20261120/evaluation_summary.csv";

#[test]
fn what_a_maintainer_would_take_has_no_objection() {
    let example = Example::new();
    let files = example.files();
    assert_eq!(check(&files, Some(&example.pack())), Vec::new());
    assert_eq!(check(&files, None), Vec::new(), "without the pack as well");
}

#[test]
fn each_objection_is_found_and_nothing_else_with_it() {
    let rows: &[Row] = &[
        ("no vendor", |w| w.names.vendor.clear(), as_written, &[(C::MissingName, Blocks)]),
        ("vendor unknown", |w| w.names.vendor = "Unknown".into(), as_written, &[(C::MissingName, Blocks)]),
        ("no name", |w| w.names.model.clear(), as_written, &[(C::MissingName, Blocks)]),
        ("no type", |w| w.names.model_type = None, as_written, &[(C::MissingName, Blocks)]),
        ("no contact", |w| w.names.contact.clear(), as_written, &[(C::MissingName, Warns)]),
        (
            "open weights without licence and place",
            |w| w.names.model_type = Some(ModelType::Oss),
            as_written,
            &[(C::MissingName, Warns), (C::MissingName, Warns)],
        ),
        ("a baseline", |w| w.model = "baseline/golden".into(), as_written, &[(C::NotAModel, Blocks)]),
        (
            "no log of a level",
            nothing,
            |f| {
                f.remove(LOG);
                rehash(f);
            },
            &[(C::MissingLevels, Blocks)],
        ),
        (
            "a level neither run nor scored",
            |w| w.leave_out(|level, _| *level == Level::L4),
            as_written,
            &[(C::MissingLevels, Blocks), (C::MissingLevels, Blocks)],
        ),
        (
            "a task left out",
            |w| w.leave_out(|level, n| *level == Level::L4 && n == 3),
            as_written,
            &[(C::FewerTasks, Blocks)],
        ),
        ("a sample", |w| w.options.sample_size = Some(5), as_written, &[(C::Sampled, Blocks)]),
        (
            "corrected protocol",
            |w| settings(w, |s| s.run.protocol = Protocol::Corrected),
            as_written,
            &[(C::OtherProtocol, Blocks)],
        ),
        ("more steps", |w| settings(w, |s| s.run.max_steps = 20), as_written, &[(C::OtherSettings, Blocks)]),
        (
            "full rollout",
            |w| settings(w, |s| s.run.full_rollout = true),
            as_written,
            &[(C::OtherSettings, Blocks)],
        ),
        ("constrained", |w| settings(w, |s| s.constrained = true), as_written, &[(C::OtherSettings, Blocks)]),
        ("adaptive", |w| settings(w, |s| s.adaptive = true), as_written, &[(C::OtherSettings, Blocks)]),
        ("more time", |w| settings(w, |s| s.run.timeout_s = 90.0), as_written, &[(C::OtherSettings, Warns)]),
        ("colder", |w| settings(w, |s| s.run.temperature = 0.0), as_written, &[(C::OtherSettings, Warns)]),
        (
            "longer answers",
            |w| settings(w, |s| s.run.max_tokens = Some(4096)),
            as_written,
            &[(C::OtherSettings, Warns)],
        ),
        (
            "effort",
            |w| settings(w, |s| s.run.effort = Some("high".into())),
            as_written,
            &[(C::OtherSettings, Warns)],
        ),
        ("repetitions", |w| settings(w, |s| s.run.repetitions = 3), as_written, &[(C::Repetitions, Blocks)]),
        ("some misses", |w| w.miss(6), as_written, &[(C::LowHitRate, Warns)]),
        ("many misses", |w| w.miss(40), as_written, &[(C::LowHitRate, Blocks)]),
        (
            "a snapshot",
            |w| {
                w.facts.cache = Fact::known(RecordingsUsed {
                    source: RecordingsFrom::Snapshot,
                    snapshot: Some("may".into()),
                    sha256: Some("1".repeat(64)),
                });
            },
            as_written,
            &[(C::OtherRecordings, Warns)],
        ),
        (
            "other records",
            |w| w.facts.records_sha256 = Fact::known("1".repeat(64)),
            as_written,
            &[(C::OtherRecordings, Warns)],
        ),
        ("live APIs", |w| w.live(4), as_written, &[(C::OtherRecordings, Warns)]),
        (
            "other tasks",
            |w| {
                w.facts.tasks_sha256 = Fact::known("0".repeat(64));
                w.facts.pack = Fact::known(PackName::read("starter@1.2.0"));
            },
            as_written,
            &[(C::OtherTasks, Blocks)],
        ),
        (
            "other tools",
            |w| {
                change(&mut w.facts.tools, |tools| {
                    tools.insert("WebSearch_daum".into(), "0".repeat(64));
                });
            },
            as_written,
            &[(C::OtherTools, Blocks)],
        ),
        (
            "other prompts",
            |w| w.prompts = Fact::known("0".repeat(64)),
            as_written,
            &[(C::OtherPrompts, Blocks)],
        ),
        (
            "prompts unknown",
            |w| w.prompts = Fact::unknown("nobody said"),
            as_written,
            &[(C::NotKnown, Warns)],
        ),
        (
            "tasks unknown",
            |w| w.facts.tasks_sha256 = Fact::unknown("nobody said"),
            as_written,
            &[(C::NotKnown, Warns)],
        ),
        (
            "tools unknown",
            |w| w.facts.tools = Fact::unknown("nobody said"),
            as_written,
            &[(C::NotKnown, Warns)],
        ),
        (
            "settings unknown",
            |w| w.facts.settings = Fact::unknown("nobody said"),
            as_written,
            &[(C::NotKnown, Warns)],
        ),
        (
            "calls only compared",
            |w| change(&mut w.facts.calls, |calls| calls.basis = CallsBasis::Compared),
            as_written,
            &[(C::NotKnown, Warns)],
        ),
        (
            "not all attempts made",
            |w| change(&mut w.facts.attempts, |attempts| attempts.done = 90),
            as_written,
            &[(C::IncompleteRun, Blocks)],
        ),
        ("cancelled", |w| w.status = Some("cancelled".into()), as_written, &[(C::IncompleteRun, Blocks)]),
        (
            "few failures",
            |w| change(&mut w.facts.attempts, |attempts| attempts.failed = 5),
            as_written,
            &[(C::TechnicalFailures, Warns)],
        ),
        (
            "many failures",
            |w| change(&mut w.facts.attempts, |attempts| attempts.failed = 6),
            as_written,
            &[(C::TechnicalFailures, Blocks)],
        ),
        (
            "corrected scorer",
            |w| w.options.scorer = Protocol::Corrected,
            as_written,
            &[(C::OtherScorer, Blocks)],
        ),
        ("nobody judged", |w| w.judge(None), as_written, &[(C::NoJudge, Blocks)]),
        ("another judge", |w| w.judge(Some("openai/gpt-4o")), as_written, &[(C::OtherJudges, Blocks)]),
        ("the judge elsewhere", |w| w.judge(Some("openai/gpt-4.1-mini-2025-04-14")), as_written, &[]),
        ("one vote", |w| w.options.panel.votes = 1, as_written, &[(C::OtherVotes, Warns)]),
        ("a judge broke down", |w| w.silenced = Some("L2-002"), as_written, &[(C::Unscored, Blocks)]),
        (
            "a judge's error written as the worst grade",
            |w| w.worst = Some("L7-001"),
            |f| {
                edit(f, REPORT, |report| {
                    let task = &mut report["by_level"]["L7"]["task_evaluations"][0];
                    task["metrics"]["RefRecall"]["details"]["individual_judges"][0]["reason"] =
                        "Error: 500".into();
                });
            },
            &[(C::JudgeErrors, Blocks)],
        ),
        (
            "logs of another model",
            nothing,
            |f| edit(f, LOG, |log| log["metadata"]["model"] = "lab/other".into()),
            // The report repeats the log's metadata, and so does the journal.
            &[(C::MixedRuns, Blocks), (C::MixedRuns, Blocks), (C::EditedLog, Blocks)],
        ),
        (
            "logs of another run",
            |w| w.timestamp = "2026-11-19T10:00:00.000000".into(),
            as_written,
            &[(C::MixedRuns, Blocks); 7],
        ),
        (
            "two runs",
            nothing,
            |f| {
                let log = f.get(LOG).unwrap().to_vec();
                f.put(LOG.replace("20261120_090000", "20261121_090000"), log);
                rehash(f);
            },
            &[(C::MixedRuns, Blocks)],
        ),
        (
            "an edited argument",
            nothing,
            |f| edit(f, LOG, |log| log["results"][1]["tool_calls"][0]["arguments"] = json!({"q": "x"})),
            &[(C::EditedLog, Blocks)],
        ),
        (
            "an edited golden path",
            nothing,
            |f| edit(f, LOG, |log| log["results"][1]["golden_action"] = json!([])),
            // Found with the pack's tasks; the score of the shorter path is not the report's either.
            &[
                (C::EditedLog, Blocks),
                (C::EditedReport, Blocks),
                (C::EditedReport, Blocks),
                (C::EditedReport, Blocks),
                (C::EditedReport, Blocks),
            ],
        ),
        (
            "no journal",
            nothing,
            |f| {
                f.remove(JOURNAL);
                rehash(f);
            },
            &[(C::NoJournal, Warns)],
        ),
        (
            "a broken journal",
            nothing,
            |f| {
                let mut journal = f.get(JOURNAL).unwrap().to_vec();
                journal.extend(b"{\"type\": \"att");
                replace(f, JOURNAL, String::from_utf8(journal).unwrap());
            },
            &[(C::Unreadable, Blocks)],
        ),
        (
            "a better score",
            nothing,
            |f| {
                edit(f, REPORT, |report| report["by_level"]["L3"]["metrics"]["PSM"] = json!(0.25));
            },
            // The summary and the text have the score that was.
            &[(C::EditedReport, Blocks); 3],
        ),
        (
            "a better summary",
            nothing,
            |f| {
                let text = String::from_utf8(f.get(SUMMARY).unwrap().to_vec()).unwrap();
                replace(f, SUMMARY, text.replacen("1.0000", "0.9000", 1));
            },
            &[(C::EditedReport, Blocks), (C::EditedRow, Blocks)],
        ),
        (
            "a better row",
            nothing,
            |f| {
                let text = String::from_utf8(f.get(paths::ROW).unwrap().to_vec()).unwrap();
                replace(f, paths::ROW, text.replacen(",1.0,", ",2.0,", 1));
            },
            &[(C::EditedRow, Blocks)],
        ),
        (
            "no row",
            nothing,
            |f| {
                f.remove(paths::ROW);
                rehash(f);
            },
            &[(C::EditedRow, Blocks)],
        ),
        (
            "better facts",
            |w| w.facts.calls = Fact::known(calls(91, 0, 92, 0)),
            as_written,
            &[(C::EditedFacts, Blocks)],
        ),
        (
            "changes that the journal lacks",
            |w| {
                let change = RunChange::Concurrency { to: 2, from: Some(8) };
                w.facts.changes = vec![ChangeRecord { at_ms: 5, done: 1, change }];
            },
            as_written,
            &[(C::EditedFacts, Blocks)],
        ),
        ("a changed text", nothing, |f| f.put(paths::README, "# other"), &[(C::ChangedFile, Blocks)]),
        (
            "a text gone",
            nothing,
            |f| {
                f.remove(paths::README);
            },
            &[(C::MissingFile, Blocks)],
        ),
        (
            "a log that is none",
            nothing,
            |f| replace(f, LOG, "{".to_owned()),
            &[(C::Unreadable, Blocks), (C::MissingLevels, Blocks)],
        ),
        (
            "no description",
            nothing,
            |f| {
                f.remove(paths::SUBMISSION);
            },
            &[(C::Unreadable, Blocks)],
        ),
    ];
    let mut wrong = Vec::new();
    for (name, before, after, wanted) in rows {
        let mut example = Example::new();
        before(&mut example);
        let mut files = example.files();
        after(&mut files);
        let found = check(&files, Some(&example.pack()));
        let mut codes: Vec<_> = found.iter().map(|o| (o.code, o.severity)).collect();
        let mut wanted = wanted.to_vec();
        codes.sort();
        wanted.sort();
        if codes != wanted {
            wrong.push(format!("{name}: wanted {wanted:?}, found {found:#?}"));
        }
        for objection in &found {
            let parts = [&objection.place(), &objection.sentence, &objection.remedy];
            let is_whole = parts.iter().all(|part| !part.is_empty());
            assert!(is_whole, "{name}: {objection:?}");
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    // Every code has its row, so that no rule goes without a test.
    let all: std::collections::BTreeSet<C> =
        rows.iter().flat_map(|row| row.3).map(|(code, _)| *code).collect();
    assert_eq!(all.len(), 31, "{all:?}");
}

/// What was objected to once goes away when it is mended, file by file, as a person would go about it.
#[test]
fn what_is_mended_is_objected_to_no_more() {
    let example = Example::new();
    let (whole, pack) = (example.files(), example.pack());
    for (path, _) in whole.iter() {
        let mut files = whole.clone();
        files.remove(path);
        assert!(!check(&files, Some(&pack)).is_empty(), "{path} is missed");
        files.put(path, whole.get(path).unwrap());
        assert_eq!(check(&files, Some(&pack)), Vec::new(), "{path}");
    }
}

/// In the form of the hub: a list of entries, each with a dataset, a task and a value.
#[test]
fn open_weights_have_their_results_for_the_hub() {
    let mut example = Example::new();
    assert!(example.files().get(paths::EVAL_RESULTS).is_none(), "closed weights");
    example.names.model_type = Some(ModelType::Oss);
    example.names.licence = "Apache-2.0".into();
    example.names.repo = "lab/model".into();
    example.names.source_url = "https://example.org/traces".into();
    let files = example.files();
    assert_eq!(check(&files, None), Vec::new());
    let yaml = files.get(paths::EVAL_RESULTS).expect("results");
    let entries: Vec<Value> = serde_norway::from_slice(yaml).unwrap();
    assert_eq!(entries.len(), 7);
    assert_eq!(
        entries[2],
        json!({
            "dataset": {"id": "huggingface-KREW/Ko-AgentBench", "task_id": "L3"},
            "value": 100.0,
            "date": "2026-11-20",
            "source": {"url": "https://example.org/traces", "name": "Ko-AgentBench transcripts"},
            "notes": "SR by 3 votes of azure/gpt-4.1-mini, leaderboard scorer",
        })
    );
}

#[test]
fn an_objection_names_file_task_and_field() {
    let mut files = Example::new().files();
    edit(&mut files, LOG, |log| log["results"][1]["final_response"] = "better".into());
    let found = check(&files, None);
    assert_eq!(found.len(), 1, "{found:#?}");
    assert_eq!(found[0].place().to_string(), format!("{LOG}: L3-002"));
    assert_eq!(found[0].sentence, "`final_response` of the log is not what the journal of the run has");
}
