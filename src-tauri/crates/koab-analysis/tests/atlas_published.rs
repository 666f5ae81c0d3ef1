//! The failure atlas on the eight published runs: how much of it is sorted, and a seeded sample that was read by hand.
//!
//! Only names of causes and places are written here; what the transcripts say stays beside the repository.

use crate::parity_support::{JUDGE, json, options, report, runs, shared};
use koab_analysis::atlas::{Attempt, By, SortedAttempt, State, sort, tally};
use koab_core::judge::{Panel, Verdicts};
use koab_core::level::Level;
use koab_core::log::LevelLog;
use koab_core::protocol::Protocol;
use koab_core::score::{MetricId, MetricSet, TaskContext};
use koab_report::{Dataset, EvaluationOptions, evaluate};
use serde_json::json;
use std::path::Path;

/// Every published attempt, sorted by its leaderboard report.
fn published(parity: &Path) -> Vec<SortedAttempt> {
    let mut sorted = Vec::new();
    for run in runs(parity) {
        let report = report(&run, MetricSet::Head, "");
        let panel = Panel {
            judges: vec![JUDGE.to_owned()],
            ..options(Protocol::Leaderboard, MetricSet::Head, "").panel
        };
        for (level, log) in report.levels.iter().zip(&run.logs) {
            for (scored, task) in level.tasks.iter().zip(&log.tasks) {
                let verdicts: Vec<_> = scored
                    .scores
                    .iter()
                    .flat_map(|(metric, _)| run.verdicts.about(&task.id, *metric))
                    .cloned()
                    .collect();
                let cx = TaskContext {
                    level: &level.level,
                    task,
                    dataset: None,
                    scorer: Protocol::Leaderboard,
                    panel: &panel,
                };
                sorted.push(SortedAttempt {
                    model: run.model.clone(),
                    level: level.level.clone(),
                    task: task.id.clone(),
                    sorted: sort(&Attempt {
                        cx,
                        scores: &scored.scores,
                        verdicts: &verdicts,
                        protocol: Protocol::Leaderboard,
                        stop: None,
                    }),
                });
            }
        }
    }
    sorted
}

/// What was published of the earlier runs has neither answers nor results of tools: only the path can be scored.
const OF_THE_PATH: [MetricId; 4] =
    [MetricId::Fsm, MetricId::Psm, MetricId::DeltaStepsNorm, MetricId::RedundantCallRate];

/// Attempts that no rule was made or mended on: levels 3 and 6 of fifteen runs that were published in October and December,
/// most of them of other models.
fn earlier(parity: &Path) -> Vec<SortedAttempt> {
    let history = json(&parity.join("extra_history.json"));
    let options = EvaluationOptions { metrics: MetricSet::All, ..EvaluationOptions::default() };
    let mut sorted = Vec::new();
    for (set, models) in history["sets"].as_object().expect("sets by name") {
        for (model, levels) in models.as_object().expect("models by name") {
            for (name, run) in levels.as_object().expect("levels by name") {
                let level: Level = name.parse().expect("a level");
                let log = LevelLog::read_as(level.clone(), &json!({"results": run["tasks"]})).expect("a log");
                let logs = [log];
                let report = evaluate(&logs, &Dataset::none(), &Verdicts::none(), &options);
                for (scored, task) in report.levels[0].tasks.iter().zip(&logs[0].tasks) {
                    let mut scores = scored.scores.clone();
                    scores.retain(|(metric, _)| OF_THE_PATH.contains(metric));
                    let cx = TaskContext {
                        level: &level,
                        task,
                        dataset: None,
                        scorer: Protocol::Leaderboard,
                        panel: &options.panel,
                    };
                    sorted.push(SortedAttempt {
                        model: format!("{set} {model}"),
                        level: level.clone(),
                        task: task.id.clone(),
                        sorted: sort(&Attempt {
                            cx,
                            scores: &scores,
                            verdicts: &[],
                            protocol: Protocol::Leaderboard,
                            stop: None,
                        }),
                    });
                }
            }
        }
    }
    sorted
}

/// What a reader names where it is not what the rules put first.
type Instead = Option<&'static str>;

/// The golden path has one call where the request asks for several, and the model made those.
const NARROW: Instead = Some("the golden path is narrower than the request");
/// The model wrote a result of its own into a call's arguments.
const INVENTED: Instead = Some("arguments that are an invented result");

/// Attempts of models that are not among the eight, drawn by a seed: at most seven of each first cause and level, read by
/// hand after the rules were fixed. Run, task, first cause, its call.
const READ_AFRESH: &[(&str, &str, &str, Option<u32>, Instead)] = &[
    ("dec15 bedrock_global.amazon.nova-2-lite-v1:0", "L3-001", "missing_call", None, None),
    ("dec15 bedrock_global.amazon.nova-2-lite-v1:0", "L3-004", "missing_call", None, None),
    (
        "dec15 bedrock_global.anthropic.claude-sonnet-4-5-20250929-v1:0",
        "L3-006",
        "extra_call",
        Some(2),
        NARROW,
    ),
    (
        "dec15 bedrock_global.anthropic.claude-sonnet-4-5-20250929-v1:0",
        "L3-007",
        "extra_call",
        Some(3),
        NARROW,
    ),
    ("dec15 bedrock_openai.gpt-oss-20b-1:0", "L3-003", "redundant_call", Some(4), None),
    ("dec15 bedrock_openai.gpt-oss-20b-1:0", "L3-005", "no_call", None, None),
    (
        "dec15 bedrock_openai.gpt-oss-20b-1:0",
        "L3-010",
        "missing_call",
        None,
        Some("the service refused the call before it"),
    ),
    ("dec15 openrouter_mistralai_devstral-2512:free", "L3-006", "extra_call", Some(2), NARROW),
    ("dec15 vertex_ai_gemini-2.5-flash-lite", "L3-001", "extra_call", Some(1), None),
    ("dec15 vertex_ai_gemini-2.5-flash-lite", "L3-005", "no_call", None, None),
    ("dec15 vertex_ai_gemini-2.5-flash-lite", "L6-009", "redundant_call", Some(1), None),
    ("dec15 vertex_ai_gemini-2.5-flash-lite", "L6-012", "redundant_call", Some(1), None),
    ("dec15 vertex_ai_gemini-2.5-pro", "L3-008", "no_call", None, None),
    ("oct29 Qwen_qwen3-8B", "L3-005", "no_call", None, None),
    ("oct29 Qwen_qwen3-8B", "L3-010", "no_call", None, None),
    ("oct29 azure_gpt-4.1", "L3-001", "extra_call", Some(2), None),
    ("oct29 bedrock_openai.gpt-oss-120b-1-0", "L3-002", "redundant_call", Some(4), INVENTED),
    ("oct29 bedrock_openai.gpt-oss-120b-1-0", "L3-004", "redundant_call", Some(2), None),
    ("oct29 bedrock_openai.gpt-oss-120b-1-0", "L3-006", "redundant_call", Some(2), None),
    ("oct29 bedrock_openai.gpt-oss-120b-1-0", "L3-007", "extra_call", Some(1), INVENTED),
    (
        "oct29 bedrock_openai.gpt-oss-120b-1-0",
        "L3-008",
        "redundant_call",
        Some(2),
        Some("a call without its coordinates, refused"),
    ),
    ("oct29 bedrock_openai.gpt-oss-120b-1-0", "L3-009", "redundant_call", Some(2), None),
    ("oct29 bedrock_openai.gpt-oss-120b-1-0", "L3-010", "extra_call", Some(1), None),
    ("oct29 bedrock_openai.gpt-oss-120b-1-0", "L6-001", "redundant_call", Some(1), None),
    ("oct29 bedrock_openai.gpt-oss-120b-1-0", "L6-002", "redundant_call", Some(1), None),
    ("oct29 bedrock_qwen.qwen3-32b-v1-0", "L3-004", "missing_call", None, None),
    ("oct29 bedrock_qwen.qwen3-32b-v1-0", "L3-009", "missing_call", None, None),
    ("oct29 bedrock_qwen.qwen3-32b-v1-0", "L6-007", "redundant_call", Some(1), None),
    ("oct29 bedrock_qwen.qwen3-32b-v1-0", "L6-012", "redundant_call", Some(1), None),
    ("oct29 bedrock_qwen.qwen3-32b-v1-0", "L6-013", "redundant_call", Some(1), None),
    ("oct29 gemini_gemini-2.5-pro", "L3-006", "no_call", None, None),
    ("oct29 gemini_gemini-2.5-pro", "L3-009", "no_call", None, None),
    ("oct29 skt_A.X-4.0-Light", "L3-002", "redundant_call", Some(1), None),
    ("oct29 skt_A.X-4.0-Light", "L3-003", "missing_call", None, None),
    ("oct29 skt_A.X-4.0-Light", "L3-005", "missing_call", None, None),
];

#[test]
fn a_sample_that_the_rules_never_saw_is_sorted_as_often_as_documented() {
    let Some(parity) = shared("parity") else { return };
    let attempts = earlier(&parity);
    let counted = tally(&attempts, By::Level);
    println!(
        "{} attempts, {} lost points, {} unsorted",
        counted.total.attempts,
        counted.total.lossy,
        counted.unsorted()
    );
    assert_eq!((counted.total.attempts, counted.total.lossy, counted.unsorted()), (375, 113, 0));
    for (model, task, cause, call, _) in READ_AFRESH {
        let attempt = attempts
            .iter()
            .find(|one| one.model == *model && one.task == *task)
            .unwrap_or_else(|| panic!("there is no {model} {task}"));
        let first = attempt.sorted.findings.first().expect("a finding");
        assert_eq!((first.cause.name(), first.call), (*cause, *call), "{model} {task}");
    }
    let instead: Vec<&str> = READ_AFRESH.iter().filter_map(|row| row.4).collect();
    // As `docs/design/atlas.md` says: 28 of 35.
    assert_eq!((READ_AFRESH.len(), instead.len()), (35, 7), "{instead:?}");
}

#[test]
fn as_few_lossy_attempts_stay_unsorted_as_documented() {
    let Some(parity) = shared("parity") else { return };
    let attempts = published(&parity);
    let counted = tally(&attempts, By::Level);
    let total = &counted.total;
    assert_eq!(total.attempts, 728);
    // These are the attempts that the rules were made and mended on, so this only tells that nothing got worse.
    assert_eq!((counted.unsorted(), total.lossy), (4, 365));
    assert!(total.explained >= total.lost * 0.95, "{} of {}", total.explained, total.lost);
    for attempt in attempts.iter().filter(|attempt| attempt.sorted.state != State::Lossy) {
        assert!(attempt.sorted.findings.is_empty() && attempt.sorted.lost == 0.0);
    }
}

/// Attempts drawn by a seed from all causes and read by hand: model, task, the causes in their order, and the call that
/// shows the first. In 82 of the 84 the first cause is what a reader names; the other two (`cut_off` of nova-lite's L4-001,
/// `seeded_turn` of gpt-4o's L7-009) state what is there, and whether points were lost for it is open.
const READ: &[(&str, &str, &[&str], Option<u32>)] = &[
    ("azure_gpt-4o", "L1-005", &["missing_argument", "default_argument"], Some(0)),
    ("azure_gpt-4o", "L1-007", &["default_argument", "graded_against_log"], Some(0)),
    ("azure_gpt-4o", "L2-004", &["tool_failed"], Some(0)),
    ("azure_gpt-4o", "L3-010", &["extra_call"], Some(2)),
    ("azure_gpt-4o", "L7-007", &["first_question"], None),
    ("azure_gpt-4o", "L7-009", &["seeded_turn"], None),
    ("azure_gpt-4o-mini", "L1-007", &["default_argument", "graded_against_log"], Some(0)),
    ("azure_gpt-4o-mini", "L2-002", &["tool_failed"], Some(0)),
    ("azure_gpt-4o-mini", "L2-004", &["tool_failed"], Some(0)),
    ("azure_gpt-4o-mini", "L3-006", &["extra_call"], Some(2)),
    ("azure_gpt-4o-mini", "L4-008", &["tool_empty"], Some(2)),
    ("azure_gpt-4o-mini", "L5-002", &["contradiction", "retried_failure"], None),
    ("azure_gpt-4o-mini", "L5-003", &["links_only", "retried_failure"], None),
    ("azure_gpt-4o-mini", "L5-013", &["retried_failure"], Some(1)),
    ("azure_gpt-4o-mini", "L6-009", &["judge_split"], None),
    ("azure_gpt-4o-mini", "L6-013", &["denied_though_backed"], None),
    ("azure_gpt-4o-mini", "L7-008", &["first_question"], None),
    ("azure_gpt-5", "L1-007", &["extra_argument", "denied_though_backed"], Some(0)),
    ("azure_gpt-5", "L1-010", &["wrong_argument", "golden_differs"], Some(0)),
    ("azure_gpt-5", "L3-003", &["extra_call"], Some(2)),
    ("azure_gpt-5", "L3-008", &["asked_without_call"], None),
    ("azure_gpt-5", "L4-008", &["tool_empty"], Some(2)),
    ("azure_gpt-5", "L4-009", &["asked_back", "missing_call"], None),
    ("azure_gpt-5", "L4-010", &["asked_without_call"], None),
    ("azure_gpt-5", "L6-013", &["denied_though_backed"], None),
    ("azure_gpt-5", "L7-001", &["seed_conflict"], Some(0)),
    ("azure_gpt-5", "L7-002", &["bad_json"], Some(0)),
    ("bedrock_global.anthropic.claude-haiku-4-5-20251001-v1", "L3-003", &["extra_call"], Some(2)),
    ("bedrock_global.anthropic.claude-haiku-4-5-20251001-v1", "L4-008", &["tool_empty"], Some(4)),
    ("bedrock_global.anthropic.claude-haiku-4-5-20251001-v1", "L4-009", &["asked_back"], None),
    ("bedrock_global.anthropic.claude-haiku-4-5-20251001-v1", "L5-004", &["retried_failure"], Some(1)),
    ("bedrock_global.anthropic.claude-haiku-4-5-20251001-v1", "L5-008", &["timed_out"], None),
    ("bedrock_global.anthropic.claude-haiku-4-5-20251001-v1", "L5-017", &["retried_failure"], Some(1)),
    ("bedrock_global.anthropic.claude-haiku-4-5-20251001-v1", "L6-005", &["judge_split"], None),
    ("bedrock_global.anthropic.claude-haiku-4-5-20251001-v1", "L7-001", &["seed_conflict"], Some(0)),
    ("bedrock_global.anthropic.claude-haiku-4-5-20251001-v1", "L7-010", &["first_question"], None),
    ("bedrock_qwen.qwen3-next-80b-a3b", "L1-007", &["default_argument", "graded_against_log"], Some(0)),
    ("bedrock_qwen.qwen3-next-80b-a3b", "L3-004", &["missing_call"], None),
    ("bedrock_qwen.qwen3-next-80b-a3b", "L4-006", &["missing_call"], None),
    ("bedrock_qwen.qwen3-next-80b-a3b", "L5-006", &["contradiction", "retried_failure"], None),
    (
        "bedrock_qwen.qwen3-next-80b-a3b",
        "L5-017",
        &["fallback_unused", "asked_back", "retried_failure"],
        Some(0),
    ),
    ("bedrock_qwen.qwen3-next-80b-a3b", "L7-004", &["seeded_turn"], None),
    (
        "bedrock_us.amazon.nova-lite-v1",
        "L1-010",
        &["missing_argument", "golden_differs", "default_argument"],
        Some(0),
    ),
    (
        "bedrock_us.amazon.nova-lite-v1",
        "L3-001",
        &["only_announced", "contradiction", "missing_call", "extra_call"],
        None,
    ),
    ("bedrock_us.amazon.nova-lite-v1", "L3-003", &["empty_answer", "missing_call"], None),
    ("bedrock_us.amazon.nova-lite-v1", "L3-006", &["empty_answer", "redundant_call", "extra_call"], None),
    ("bedrock_us.amazon.nova-lite-v1", "L4-001", &["cut_off", "denied_though_backed"], None),
    ("bedrock_us.amazon.nova-lite-v1", "L5-001", &["contradiction", "retried_failure"], None),
    ("bedrock_us.amazon.nova-lite-v1", "L5-004", &["gave_up", "no_call"], None),
    ("bedrock_us.amazon.nova-lite-v1", "L5-009", &["fallback_unused", "gave_up", "retried_failure"], Some(0)),
    (
        "bedrock_us.amazon.nova-lite-v1",
        "L5-013",
        &["empty_answer", "fallback_unused", "retried_failure"],
        None,
    ),
    ("bedrock_us.amazon.nova-lite-v1", "L5-015", &["contradiction", "retried_failure"], Some(4)),
    ("bedrock_us.amazon.nova-lite-v1", "L6-001", &["gave_up", "redundant_call"], None),
    ("bedrock_us.amazon.nova-lite-v1", "L6-002", &["step_limit", "redundant_call"], Some(9)),
    ("bedrock_us.amazon.nova-lite-v1", "L6-012", &["denied_though_backed"], None),
    ("bedrock_us.amazon.nova-lite-v1", "L6-013", &["denied_though_backed"], None),
    ("bedrock_us.amazon.nova-lite-v1", "L6-014", &["redundant_call"], Some(0)),
    ("bedrock_us.amazon.nova-lite-v1", "L7-002", &["contradiction"], None),
    ("bedrock_us.amazon.nova-lite-v1", "L7-004", &["seeded_turn", "denied_though_backed"], None),
    ("bedrock_us.amazon.nova-lite-v1", "L7-008", &["first_question", "denied_though_backed"], None),
    ("openrouter_z-ai_glm-4.6v", "L1-001", &["wrong_argument", "golden_differs"], Some(0)),
    ("openrouter_z-ai_glm-4.6v", "L1-006", &["extra_argument"], Some(0)),
    ("openrouter_z-ai_glm-4.6v", "L1-007", &["extra_argument"], Some(0)),
    ("openrouter_z-ai_glm-4.6v", "L1-009", &["wrong_argument"], Some(0)),
    (
        "openrouter_z-ai_glm-4.6v",
        "L1-010",
        &["missing_argument", "golden_differs", "default_argument"],
        Some(0),
    ),
    ("openrouter_z-ai_glm-4.6v", "L4-007", &["missing_call"], None),
    ("openrouter_z-ai_glm-4.6v", "L5-003", &["step_limit", "only_announced", "retried_failure"], Some(11)),
    ("openrouter_z-ai_glm-4.6v", "L5-004", &["timed_out"], None),
    ("openrouter_z-ai_glm-4.6v", "L6-013", &["cut_off", "denied_though_backed"], None),
    ("openrouter_z-ai_glm-4.6v", "L7-001", &["seed_conflict"], Some(0)),
    ("vertex_ai_gemini-2.5-flash", "L1-001", &["golden_differs"], Some(0)),
    ("vertex_ai_gemini-2.5-flash", "L1-007", &["default_argument", "graded_against_log"], Some(0)),
    ("vertex_ai_gemini-2.5-flash", "L3-001", &["asked_back", "missing_call"], None),
    ("vertex_ai_gemini-2.5-flash", "L3-003", &["asked_without_call"], None),
    ("vertex_ai_gemini-2.5-flash", "L3-006", &["no_call"], None),
    ("vertex_ai_gemini-2.5-flash", "L4-004", &["missing_call"], None),
    ("vertex_ai_gemini-2.5-flash", "L4-008", &["cut_off"], None),
    ("vertex_ai_gemini-2.5-flash", "L5-003", &["gave_up", "no_call"], None),
    ("vertex_ai_gemini-2.5-flash", "L5-007", &["fallback_unused", "asked_back", "retried_failure"], Some(0)),
    ("vertex_ai_gemini-2.5-flash", "L5-016", &["fallback_unused", "retried_failure"], Some(0)),
    ("vertex_ai_gemini-2.5-flash", "L7-003", &["seeded_answer"], None),
    (
        "vertex_ai_gemini-2.5-flash",
        "L7-008",
        &["first_question", "denied_though_backed", "judge_split"],
        None,
    ),
    ("vertex_ai_gemini-2.5-flash", "L7-009", &["seeded_answer"], None),
    ("vertex_ai_gemini-2.5-flash", "L7-010", &["seeded_answer"], None),
];

#[test]
fn attempts_that_were_read_by_hand_are_sorted_as_they_were_read() {
    let Some(parity) = shared("parity") else { return };
    let attempts = published(&parity);
    let mut wrong = Vec::new();
    for (model, task, causes, call) in READ {
        let attempt = attempts.iter().find(|one| one.model == *model && one.task == *task);
        let findings = attempt.map_or(&[][..], |attempt| &attempt.sorted.findings);
        let mut found: Vec<&str> = findings.iter().map(|finding| finding.cause.name()).collect();
        found.dedup();
        let place = findings.first().and_then(|finding| finding.call);
        if found != *causes || place != *call {
            wrong.push(format!("{model} {task}: {found:?} at {place:?}, not {causes:?} at {call:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
