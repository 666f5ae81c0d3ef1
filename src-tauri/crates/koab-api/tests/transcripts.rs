//! Transcripts of the published runs, and of a run made here.

#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "this is a test")]

use koab_api::{AnswerSource, Api, Protocol, Speaker, TaskStatus, Transcript};
use koab_core::level::Level;
use koab_core::run_record::RequestedSettings;
use koab_core::score::{ArgumentState, CallPlace, MetricId};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

/// `../shared/<part>` beside the repository. Without it the test prints a `SKIP:` line, or fails when everything is
/// required.
fn shared(part: &str) -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../../shared").join(part);
    if path.exists() {
        return Some(path);
    }
    assert!(
        std::env::var_os("KOAB_REQUIRE_ALL").is_none_or(|value| value != "1"),
        "the reference material {part} is not beside the repository"
    );
    eprintln!("SKIP: ../shared/{part} is not beside the checkout");
    None
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::write(target, fs::read(entry.path()).unwrap()).unwrap();
        }
    }
}

struct Workspace {
    api: Api,
    expected: Value,
    _folder: tempfile::TempDir,
}

/// A workspace with two published runs, their reports, one more run and the published data, made once for all tests.
static WORKSPACE: LazyLock<Option<Workspace>> = LazyLock::new(|| {
    let (parity, data) = (shared("parity")?, shared("ko-agentbench")?);
    let folder = tempfile::tempdir().unwrap();
    for model in [MODEL, OTHER] {
        let logs = Path::new("logs/benchmark_results/by_model").join(model);
        copy(&parity.join(&logs), &folder.path().join(&logs));
        let report = PathBuf::from(format!("reports/{model}_20251219"));
        copy(&parity.join(&report), &folder.path().join(&report));
    }
    let logs = Path::new("logs/benchmark_results/by_model").join(SILENT);
    copy(&parity.join(&logs), &folder.path().join(&logs));
    let api = Api::open(Some(folder.path().to_owned())).unwrap();
    let pack = api.packs.import(&data).unwrap();
    api.packs.activate(&pack.pack.name).unwrap();
    let expected = fs::read_to_string(parity.join("expected.json")).unwrap();
    Some(Workspace { api, expected: serde_json::from_str(&expected).unwrap(), _folder: folder })
});

const MODEL: &str = "azure_gpt-4o";
const OTHER: &str = "openrouter_z-ai_glm-4.6v";
const SILENT: &str = "vertex_ai_gemini-2.5-flash";
const SEEDED_ANSWERS: [&str; 4] = ["L7-003", "L7-004", "L7-009", "L7-010"];

fn run_of(api: &Api, model: &str) -> String {
    let runs = api.runs.library.runs_list().unwrap();
    runs.into_iter().find(|run| run.id.starts_with(&format!("{model}/"))).unwrap().id
}

fn transcript(api: &Api, model: &str, task: &str) -> Transcript {
    api.runs.library.transcript(&run_of(api, model), task, None, None).unwrap()
}

#[test]
fn every_score_shown_is_the_published_one() {
    let Some(workspace) = &*WORKSPACE else { return };
    let (mut scores, mut judged) = (0, 0);
    for model in [MODEL, OTHER] {
        let run = run_of(&workspace.api, model);
        let tasks = workspace.api.runs.library.run_tasks(&run).unwrap();
        assert_eq!(tasks.len(), 91);
        for task in tasks {
            let found = workspace.api.runs.library.transcript(&run, &task.id, None, None).unwrap();
            let expected = workspace.expected[model][task.level.as_str()][&task.id].as_object().unwrap();
            assert_eq!(found.metrics.len(), expected.len(), "{}", task.id);
            for metric in &found.metrics {
                let wanted = expected[metric.metric.name()].as_f64();
                let (shown, at) = (&metric.leaderboard, format!("{model} {} {}", task.id, metric.metric));
                assert_eq!(shown.value.map(f64::to_bits), wanted.map(f64::to_bits), "{at}");
                scores += 1;
                // No number without a report of the corrected scorer where a judge decides, and then the reason.
                let corrected = &metric.corrected;
                assert_eq!(
                    corrected.value.is_none() && corrected.applies,
                    corrected.reason.is_some(),
                    "{at}"
                );
                if corrected.asks_judge {
                    judged += 1;
                    assert_eq!(corrected.value, None, "{at}");
                }
                for evidence in shown.calls.iter().chain(&corrected.calls) {
                    assert!(evidence.call < found.attempt.as_ref().unwrap().calls.len(), "{at}");
                }
            }
            for verdict in &found.verdicts {
                assert_eq!(verdict.judge, "azure/gpt-4.1-mini");
                assert_eq!(verdict.report, format!("{model}_20251219"));
                assert!(verdict.reason.is_some() || verdict.worked_back, "{}", task.id);
            }
        }
    }
    assert_eq!(scores, 2 * 497, "metrics of 91 tasks, twice");
    assert!(judged > 200, "{judged}");
}

#[test]
fn arguments_stand_beside_the_golden_ones() {
    let Some(Workspace { api, .. }) = &*WORKSPACE else {
        return;
    };
    let found = transcript(api, MODEL, "L1-001");
    assert_eq!((found.level, found.model.as_str()), (Level::L1, "azure/gpt-4o"));
    assert!(found.dataset.is_some() && found.questions.iter().any(|q| q.prompt.contains(&found.instruction)));
    let attempt = found.attempt.unwrap();
    assert_eq!((attempt.calls.len(), attempt.calls[0].place), (1, CallPlace::Expected));
    assert!(found.golden[0].call == Some(0) && attempt.calls[0].result.is_some());
    let states: Vec<ArgumentState> = attempt.calls[0].beside.iter().map(|argument| argument.state).collect();
    let exact = found.metrics.iter().find(|metric| metric.metric == MetricId::CallEm).unwrap();
    assert_eq!(
        exact.leaderboard.value == Some(1.0),
        states.iter().all(|state| *state == ArgumentState::Same)
    );
    let speakers: Vec<_> =
        attempt.turns.iter().map(|turn| (turn.speaker, turn.step, turn.calls.len())).collect();
    assert_eq!(
        speakers,
        [(Speaker::User, None, 0), (Speaker::Assistant, Some(1), 1), (Speaker::Assistant, Some(2), 0)]
    );
    assert!(!attempt.has_timing && attempt.turns.iter().all(|turn| turn.timing.is_none()));
}

#[test]
fn an_injected_failure_is_the_tasks_and_a_fallback_is_one() {
    let Some(Workspace { api, .. }) = &*WORKSPACE else {
        return;
    };
    let found = transcript(api, MODEL, "L5-001");
    let injection = found.injection.unwrap();
    assert_eq!(
        (injection.tool.as_str(), injection.error_type.as_deref()),
        ("WebSearch_daum", Some("timeout"))
    );
    let calls: Vec<_> =
        found.attempt.unwrap().calls.into_iter().map(|call| (call.place, call.source)).collect();
    let injected = Some(AnswerSource::Injected);
    assert_eq!(
        calls,
        [
            (CallPlace::Expected, injected),
            (CallPlace::Extra, injected),
            (CallPlace::Fallback, None),
            (CallPlace::Repeat, injected),
        ]
    );
}

#[test]
fn seeded_turns_are_the_datasets_and_own_turns_the_models() {
    let Some(Workspace { api, .. }) = &*WORKSPACE else {
        return;
    };
    for task in api.runs.library.run_tasks(&run_of(api, MODEL)).unwrap() {
        let found = transcript(api, MODEL, &task.id);
        let attempt = found.attempt.unwrap();
        let own = attempt.turns.iter().filter(|turn| turn.step.is_some());
        assert_eq!(own.clone().count() as u32, attempt.steps, "{}", task.id);
        let called: Vec<usize> = own.flat_map(|turn| turn.calls.clone()).collect();
        assert_eq!(called, (0..attempt.calls.len()).collect::<Vec<_>>(), "{}", task.id);
        assert!(attempt.calls.iter().all(|call| call.result.is_some()), "{}", task.id);
        assert_eq!(attempt.turns.iter().any(|turn| turn.seeded), task.level.is_multi_turn(), "{}", task.id);
    }
    // One model answered nothing four times, and the log repeats what the dataset had said before.
    for (model, expected) in [(MODEL, &[][..]), (SILENT, &SEEDED_ANSWERS)] {
        let tasks = api.runs.library.run_tasks(&run_of(api, model)).unwrap().into_iter();
        let seeded = tasks.filter(|task| {
            let attempt = transcript(api, model, &task.id).attempt.unwrap();
            attempt.answer_is_seeded
        });
        assert_eq!(seeded.map(|task| task.id).collect::<Vec<_>>(), expected, "{model}");
    }
}

#[test]
fn a_failed_attempt_has_no_conversation_and_says_why() {
    let Some(Workspace { api, .. }) = &*WORKSPACE else {
        return;
    };
    let found = transcript(api, OTHER, "L5-004");
    let attempt = found.attempt.unwrap();
    assert_eq!((attempt.status, attempt.turns.len(), attempt.ttft_ms), (TaskStatus::Failed, 0, None));
    assert_eq!(
        attempt.error.as_ref().map(ToString::to_string).as_deref(),
        Some("Task exceeded timeout of 60 seconds")
    );
    let rate = found.metrics.iter().find(|metric| metric.metric == MetricId::EprCvr).unwrap();
    assert_eq!((rate.leaderboard.value, rate.corrected.value), (Some(0.0), None));
    assert_eq!(
        rate.corrected.reason.as_ref().map(ToString::to_string).as_deref(),
        Some("the attempt failed: Task exceeded timeout of 60 seconds")
    );
    let raw = api.runs.library.transcript_raw(&run_of(api, OTHER), "L5-004", None).unwrap();
    assert_eq!(raw.log.unwrap()["task_id"], "L5-004");
    assert_eq!(raw.attempt, None);
}

#[test]
fn what_is_not_there_is_said() {
    let Some(Workspace { api, .. }) = &*WORKSPACE else {
        return;
    };
    let run = run_of(api, MODEL);
    let error = api.runs.library.transcript(&run, "L1-999", None, None).unwrap_err().message;
    assert!(error.to_string().ends_with("has no task L1-999"), "{error}");
    let error = api.runs.library.transcript(&run, "L1-001", Some("nothing"), None).unwrap_err().message;
    assert_eq!(error, "there is no report nothing");
    let error = api.runs.library.transcript("a/../b", "L1-001", None, None).unwrap_err().message;
    assert!(error.to_string().starts_with("there is no run"), "{error}");
    let later = api.runs.library.transcript(&run, "L1-001", None, Some(2)).unwrap();
    assert!(later.attempt.is_none() && later.repetitions.len() == 1);
}

/// The published logs were made before seven tasks were worded anew.
#[test]
fn a_task_that_the_pack_has_in_other_words_is_said_to_be_that() {
    let (Some(workspace), Some(data)) = (&*WORKSPACE, shared("ko-agentbench")) else {
        return;
    };
    let read = |level: Level| -> Vec<Value> {
        let file = data.join(format!("tasks/{level}.json"));
        serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap()
    };
    let tasks: Vec<Value> = Level::ALL.into_iter().flat_map(read).collect();
    for model in [MODEL, OTHER] {
        let run = run_of(&workspace.api, model);
        let mut reworded = Vec::new();
        for task in &tasks {
            let id = task["task_id"].as_str().unwrap();
            let found = workspace.api.runs.library.transcript(&run, id, None, None).unwrap();
            let words = task["instruction"].as_str().unwrap();
            match found.other_instruction.as_deref() {
                None => {
                    assert_eq!(found.instruction, words, "{id}");
                    assert!(found.dataset.is_some(), "{id}");
                }
                Some(other) => {
                    assert_eq!(other, words, "{id}: what the pack asks");
                    assert_ne!(found.instruction, words, "{id}: what the log asked");
                    assert!(found.dataset.is_none() && found.attempt.is_some(), "{id}");
                    reworded.push(id);
                }
            }
        }
        assert_eq!(
            reworded,
            ["L3-003", "L3-005", "L3-006", "L3-007", "L3-008", "L3-009", "L3-010"],
            "{model}"
        );
        let said = workspace.api.runs.library.other_instructions(&[format!("{model}_20251219")]).unwrap();
        let found: Vec<_> = said[0].tasks.iter().map(|task| task.task.as_str()).collect();
        assert_eq!((found, said[0].compared), (reworded, 91), "{model}: the report says so too");
        assert!(said[0].tasks.iter().all(|task| task.level == Level::L3));
    }
}

#[test]
fn a_judge_of_no_provider_is_refused_before_anything_is_estimated() {
    let Some(workspace) = &*WORKSPACE else { return };
    let run = run_of(&workspace.api, MODEL);
    let request = |judge: &str| -> koab_api::LabAskRequest {
        let of = serde_json::json!({"runs": [run], "reports": [], "scorer": "leaderboard"});
        serde_json::from_value(
            serde_json::json!({"of": of, "judges": [judge], "base_url": null, "max_cost": null,
            "max_total_tokens": null}),
        )
        .unwrap()
    };
    let refused = workspace.api.runs.scoring.judge_again_plan(&request("nosuch/x")).unwrap_err();
    assert!(refused.message.to_string().starts_with("`nosuch` is not a provider; the providers are "));
    let plan = workspace.api.runs.scoring.judge_again_plan(&request("openai/gpt-4.1")).unwrap();
    assert!(plan.judges[0].calls > 0.0);
}

#[test]
fn an_entry_of_a_log_that_cannot_be_read_is_listed_and_says_why() {
    let folder = tempfile::tempdir().unwrap();
    let run = folder.path().join("logs/benchmark_results/by_model/a_b/20251219_113310");
    fs::create_dir_all(&run).unwrap();
    let results = serde_json::json!({"metadata": {"model": "a/b"}, "results": [
        {"task_id": "L2-001", "success": true, "steps_taken": 2, "tool_calls": []},
        {"task_id": "L2-002", "tool_calls": "none"},
        {"task_id": "L2-003", "success": false, "error": "the server went away"},
    ]});
    fs::write(run.join("L2.json"), results.to_string()).unwrap();
    let api = Api::open(Some(folder.path().to_owned())).unwrap();
    let tasks = api.runs.library.run_tasks("a_b/20251219_113310").unwrap();
    let said: Vec<_> = tasks.iter().map(|task| (task.id.as_str(), task.status, task.steps)).collect();
    assert_eq!(
        said,
        [
            ("L2-001", TaskStatus::Answered, Some(2)),
            ("L2-002", TaskStatus::Unreadable, None),
            ("L2-003", TaskStatus::Failed, None),
        ]
    );
    let why = "`tool_calls` is a text, not a list";
    assert_eq!(tasks[1].error.as_ref().map(ToString::to_string).as_deref(), Some(why));
    let error = api.runs.library.transcript("a_b/20251219_113310", "L2-002", None, None).unwrap_err();
    assert!(error.message.to_string().ends_with(&format!("cannot be read: {why}")), "{}", error.message);
}

/// A run made here has a journal: every turn's times, every answer's source, every repetition.
#[tokio::test]
async fn a_run_of_our_own_is_told_from_its_journal() {
    let folder = tempfile::tempdir().unwrap();
    let api = Api::open(Some(folder.path().to_owned())).unwrap();
    let options = koab_api::RunRequest {
        levels: vec![Level::L1, Level::L5],
        settings: RequestedSettings {
            protocol: Protocol::Corrected,
            repetitions: 2,
            ..RequestedSettings::published()
        },
        ..koab_api::RunRequest::published("one", "baseline/golden")
    };
    let end = run(&api, options).await;
    let tasks = api.runs.library.run_tasks(&end).unwrap();
    assert!(
        tasks.iter().all(|task| task.repetitions == 2 && task.status == TaskStatus::Answered),
        "{tasks:?}"
    );
    assert!(tasks.iter().all(|task| task.instruction.is_some() && task.stop.is_some()));
    let found = api.runs.library.transcript(&end, &tasks[0].id, None, Some(2)).unwrap();
    assert_eq!(found.repetitions.iter().filter(|one| one.kept).count(), 2);
    let attempt = found.attempt.unwrap();
    assert!(attempt.has_timing && attempt.repetition == 2 && !found.attempt_is_scored);
    assert!(attempt.turns.iter().filter(|turn| turn.step.is_some()).all(|turn| turn.timing.is_some()));
    assert!(attempt.calls.iter().all(|call| call.source == Some(AnswerSource::Hit) && call.result.is_some()));
    let failing = tasks.iter().find(|task| task.level == Level::L5).unwrap();
    let found = api.runs.library.transcript(&end, &failing.id, None, None).unwrap();
    assert!(found.attempt_is_scored);
    let sources: Vec<_> = found.attempt.unwrap().calls.into_iter().map(|call| call.source).collect();
    assert!(sources.contains(&Some(AnswerSource::Injected)), "{sources:?}");
    let unjudged = &found.metrics[0];
    assert_eq!(unjudged.metric, MetricId::Sr);
    assert_eq!(
        unjudged.leaderboard.reason.as_ref().map(ToString::to_string).as_deref(),
        Some("no judge was asked")
    );
    // A task is scored while its level is still under way, too.
    fs::remove_file(folder.path().join("logs/benchmark_results/by_model").join(&end).join("L1.json"))
        .unwrap();
    let found = api.runs.library.transcript(&end, &tasks[0].id, None, None).unwrap();
    assert!(!found.metrics.is_empty());
}

async fn run(api: &Api, options: koab_api::RunRequest) -> String {
    struct Nobody;
    impl koab_api::EventSink for Nobody {
        fn send(&self, _: &koab_api::RunEvent) {}
    }
    let cancel = koab_api::Cancel::new();
    api.runs.run(options, std::sync::Arc::new(Nobody), cancel).await.unwrap();
    api.runs.library.runs_list().unwrap().remove(0).id
}

/// A run that was scored keeps its judged values, without any report, and shows people's word beside them.
#[tokio::test]
async fn stored_verdicts_stand_behind_the_scores_and_peoples_word_beside_them() {
    use koab_api::options::{EvaluateOptions, JudgeChoice, RunChoice};
    use koab_core::judge::{Answer, Opinion, Verdict};
    use koab_store::Store;
    use koab_store::verdicts::VerdictKey;
    let folder = tempfile::tempdir().unwrap();
    let api = Api::open(Some(folder.path().to_owned())).unwrap();
    let options = koab_api::RunRequest {
        levels: vec![Level::L1],
        ..koab_api::RunRequest::published("one", "baseline/golden")
    };
    let end = run(&api, options).await;
    let task = api.runs.library.run_tasks(&end).unwrap()[0].id.clone();
    let sr = || {
        let found = api.runs.library.transcript(&end, &task, None, None).unwrap();
        let sr = found.metrics.into_iter().find(|row| row.metric == MetricId::Sr);
        sr.unwrap()
    };
    assert_eq!(sr().corrected.value, None);
    let questions = api.runs.library.verdicts_of_task(&end, &task).unwrap().questions;
    let asked: Vec<_> = questions.iter().filter(|one| one.metric == MetricId::Sr).collect();
    let store = Store::open(&folder.path().join("koab.sqlite")).unwrap();
    let say = |judge: &str, vote: u32, success: bool| {
        let answer = Answer::Answered(Opinion { success: Some(success), ..Opinion::default() });
        for question in &asked {
            let key =
                VerdictKey { question_hash: &question.hash, judge, prompt_version: &format!("mark#{vote}") };
            let verdict = Verdict { judge: judge.to_owned(), metric: MetricId::Sr, answer: answer.clone() };
            store.keep_verdict(key, &serde_json::to_value(verdict).unwrap()).unwrap();
        }
    };
    say("openai/judge", 0, true);
    say("openai/judge", 1, false);
    let part = sr().corrected;
    assert_eq!(
        (part.value, part.reason.as_ref().map(ToString::to_string).as_deref()),
        (None, Some("1 of 3 judge answers are missing"))
    );
    say("openai/judge", 2, true);
    let judged = sr();
    for score in [&judged.leaderboard, &judged.corrected] {
        assert_eq!((score.value, &score.overridden), (Some(1.0), &None));
    }
    let place =
        koab_api::VerdictPlace { run: end.clone(), task: task.clone(), metric: MetricId::Sr, judge: None };
    let answer = koab_api::OverrideAnswer {
        success: Some(false),
        score: None,
        by: "lee".into(),
        why: "the road is closed".into(),
    };
    let mut request = koab_api::OverrideRequest { place, answer };
    api.runs.scoring.verdict_override(&request).unwrap();
    for score in [sr().leaderboard, sr().corrected] {
        assert_eq!(score.value, Some(1.0));
        assert_eq!(score.overridden.and_then(|over| over.value), Some(0.0));
    }
    let removal = koab_api::OverrideRemoval { place: request.place.clone(), by: "lee".into() };
    api.runs.scoring.verdict_override_remove(&removal).unwrap();
    assert_eq!((sr().corrected.value, sr().corrected.overridden), (Some(1.0), None));
    // A report's verdicts count before stored ones, and people's word stands beside either.
    let no = serde_json::json!({"judge": "openai/judge", "success": false, "reason": "late"});
    let replay = folder.path().join("replay.json");
    let said = serde_json::json!({"L1": {&task: {"SR": [no, no, no]}}});
    fs::write(&replay, said.to_string()).unwrap();
    let scoring = EvaluateOptions {
        judges: JudgeChoice::Replay(replay),
        ..EvaluateOptions::published(RunChoice::Run(end.clone()))
    };
    api.runs.scoring.evaluate(scoring, &|_, _| {}, &koab_api::Cancel::new()).await.unwrap();
    assert_eq!((sr().leaderboard.value, sr().corrected.value), (Some(0.0), Some(1.0)));
    request.answer.success = Some(true);
    api.runs.scoring.verdict_override(&request).unwrap();
    let over = sr().leaderboard;
    assert_eq!((over.value, over.overridden.and_then(|over| over.value)), (Some(0.0), Some(1.0)));
}
