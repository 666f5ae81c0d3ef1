//! The rules by small attempts that are written down here; the published ones are in `tests/atlas_published.rs`.

use super::*;
use koab_core::judge::{Answer, Opinion, Panel, Verdict};
use koab_core::level::Level;
use koab_core::log::LoggedTask;
use koab_core::protocol::Protocol;
use koab_core::run_record::StopReason;
use koab_core::score::{MetricId, MetricSet, TaskContext, metrics_of};
use serde_json::{Value, json};

fn sorted(level: &Level, task: &Value, verdicts: &[Verdict], stop: Option<StopReason>) -> AttemptCauses {
    let task = LoggedTask::read(0, task).unwrap();
    let panel = Panel::default();
    let cx = TaskContext { level, task: &task, dataset: None, scorer: Protocol::Leaderboard, panel: &panel };
    let of = |metric: MetricId| -> Vec<Verdict> {
        verdicts.iter().filter(|verdict| verdict.metric == metric).cloned().collect()
    };
    let scores: Vec<_> = metrics_of(level, MetricSet::Head)
        .map(|metric| (metric.id, metric.score(&cx, &of(metric.id))))
        .collect();
    sort(&Attempt { cx, scores: &scores, verdicts, protocol: Protocol::Leaderboard, stop })
}

fn causes(sorted: &AttemptCauses) -> Vec<&'static str> {
    let mut causes: Vec<_> = sorted.findings.iter().map(|finding| finding.cause.name()).collect();
    causes.dedup();
    causes
}

fn votes(success: bool) -> Vec<Verdict> {
    let opinion =
        Opinion { success: Some(success), reason: Some("because".to_owned()), ..Opinion::default() };
    let verdict = Verdict { judge: "j".to_owned(), metric: MetricId::Sr, answer: Answer::Answered(opinion) };
    vec![verdict; 3]
}

fn call(step: u32, tool: &str, args: Value) -> Value {
    json!({"step": step, "tool_name": tool, "arguments": args, "success": true, "result": {"items": [1]}})
}

fn fails(step: u32, tool: &str, error: &str) -> Value {
    json!({"step": step, "tool_name": tool, "arguments": {}, "success": false, "error": error})
}

/// A task that ended well but for what `with` says.
fn task(with: Value) -> Value {
    let mut task = json!({
        "success": true, "final_response": "다 됐습니다.", "steps_taken": 2, "resp_schema": {"type": "string"},
        "golden_action": [{"tool": "A", "args": {"q": "가"}}], "tool_calls": [call(1, "A", json!({"q": "가"}))],
    });
    for (key, value) in with.as_object().unwrap() {
        task[key] = value.clone();
    }
    task
}

#[test]
fn every_cause_has_its_name_in_the_file_form_and_a_label_in_both_languages() {
    for cause in Cause::ALL {
        assert_eq!(serde_json::to_value(cause).unwrap(), cause.name());
        assert_eq!(cause.name().parse::<Cause>().unwrap(), *cause);
        let (korean, rule) = cause.label(koab_core::sentence::Language::KOREAN);
        assert!(korean.chars().any(|c| ('가'..='힣').contains(&c)) && rule.ends_with('.'), "{cause}");
    }
    assert_eq!(
        "bad luck".parse::<Cause>().unwrap_err().to_string(),
        "`bad luck` is not a cause; `koab report atlas --causes` lists them"
    );
}

#[test]
fn each_rule_finds_its_cause_and_leaves_the_others_alone() {
    let inject = |calls: Value| {
        task(json!({"level": 5, "error_injection": {"tool": "A", "error_type": "timeout"},
                    "fallback_options": [{"tool": "B"}], "tool_calls": calls}))
    };
    let path =
        |calls: Value| task(json!({"golden_action": [{"tool": "A"}, {"tool": "B"}], "tool_calls": calls}));
    for (name, level, task, expected) in [
        ("clean", Level::L1, task(json!({})), vec![]),
        ("no call", Level::L1, task(json!({"tool_calls": []})), vec!["no_call"]),
        (
            "no call but a question",
            Level::L1,
            task(json!({"tool_calls": [], "final_response": "서울 어느 구의 날씨인가요?"})),
            vec!["asked_without_call"],
        ),
        (
            "no call, and an offer of more",
            Level::L1,
            task(json!({"tool_calls": [], "final_response": "맑습니다. 더 궁금한 점이 있으신가요?"})),
            vec!["no_call"],
        ),
        (
            "another tool",
            Level::L1,
            task(json!({"tool_calls": [call(1, "B", json!({}))]})),
            vec!["wrong_tool"],
        ),
        (
            "another value",
            Level::L1,
            task(json!({"tool_calls": [call(1, "A", json!({"q": "나"}))]})),
            vec!["wrong_argument"],
        ),
        (
            "spaces",
            Level::L1,
            task(json!({"golden_action": [{"tool": "A", "args": {"q": "강남역 카페"}}],
                     "tool_calls": [call(1, "A", json!({"q": "'강남역카페'"}))]})),
            vec!["argument_form"],
        ),
        (
            "a number as text",
            Level::L1,
            task(
                json!({"golden_action": [{"tool": "A", "args": {"n": 5}}], "tool_calls": [call(1, "A", json!({"n": "5"}))]}),
            ),
            vec!["argument_form"],
        ),
        (
            "another number",
            Level::L1,
            task(
                json!({"golden_action": [{"tool": "A", "args": {"n": 1.5}}], "tool_calls": [call(1, "A", json!({"n": 15}))]}),
            ),
            vec!["wrong_argument"],
        ),
        (
            "missing and extra",
            Level::L1,
            task(json!({"tool_calls": [call(1, "A", json!({"x": 1}))]})),
            vec!["missing_argument", "extra_argument"],
        ),
        (
            "as told",
            Level::L1,
            task(
                json!({"instruction": "판교역(127.111221)에서", "golden_action": [{"tool": "A", "args": {"x": "127.108882"}}],
                        "tool_calls": [call(1, "A", json!({"x": "127.111221"}))]}),
            ),
            vec!["golden_differs"],
        ),
        (
            "a default",
            Level::L1,
            task(
                json!({"arg_schema": {"n": {"default": 1}}, "tool_calls": [call(1, "A", json!({"q": "가", "n": 1}))]}),
            ),
            vec!["default_argument"],
        ),
        (
            "a miss",
            Level::L2,
            task(
                json!({"tool_calls": [{"tool_name": "A", "success": false, "error": "no record", "not_recorded": true}]}),
            ),
            vec!["cache_miss"],
        ),
        (
            "no JSON",
            Level::L2,
            task(json!({"tool_calls": [fails(1, "A", "Expecting value: line 1 column 1 (char 0)")]})),
            vec!["bad_json"],
        ),
        (
            "no such tool",
            Level::L2,
            task(
                json!({"tool_calls": [call(1, "A", json!({})), fails(2, "C", "there is no tool named 'C'")]}),
            ),
            vec!["unknown_tool"],
        ),
        (
            "refused",
            Level::L2,
            task(
                json!({"tool_calls": [fails(1, "A", "invalid input for A: 'n' must be an integer, not a text")]}),
            ),
            vec!["argument_refused"],
        ),
        (
            "a service",
            Level::L2,
            task(json!({"tool_calls": [fails(1, "A", "403 Client Error")]})),
            vec!["tool_failed"],
        ),
        ("a call too few", Level::L3, path(json!([call(1, "A", json!({}))])), vec!["missing_call"]),
        (
            "a call too many",
            Level::L3,
            path(json!([call(1, "A", json!({})), call(2, "B", json!({})), call(3, "B", json!({"x": 1}))])),
            vec!["extra_call"],
        ),
        (
            "the same again",
            Level::L3,
            path(json!([call(1, "A", json!({})), call(2, "A", json!({})), call(3, "B", json!({}))])),
            vec!["redundant_call"],
        ),
        (
            "the other way round",
            Level::L3,
            path(json!([call(1, "B", json!({})), call(2, "A", json!({}))])),
            vec!["wrong_order"],
        ),
        (
            "nothing found",
            Level::L4,
            path(json!([call(1, "A", json!({})),
                     {"step": 1, "tool_name": "B", "arguments": {}, "success": true, "result": {"items": []}}])),
            vec!["tool_empty"],
        ),
        (
            "fallback in time",
            Level::L5,
            inject(json!([fails(1, "A", "timeout"), call(3, "B", json!({}))])),
            vec![],
        ),
        ("no fallback", Level::L5, inject(json!([fails(1, "A", "timeout")])), vec!["fallback_unused"]),
        (
            "tried again",
            Level::L5,
            inject(json!([fails(1, "A", "t"), fails(3, "A", "t"), call(4, "B", json!({}))])),
            vec!["retried_failure"],
        ),
        (
            "late",
            Level::L5,
            inject(json!([fails(1, "A", "t"), call(6, "B", json!({}))])),
            vec!["late_fallback"],
        ),
        ("never met", Level::L5, inject(json!([call(1, "C", json!({}))])), vec!["injection_unmet"]),
        ("no answer", Level::L2, task(json!({"final_response": null})), vec!["empty_answer"]),
        (
            "out of time",
            Level::L2,
            task(
                json!({"success": false, "final_response": null, "error": "Task exceeded timeout of 60 seconds", "tool_calls": []}),
            ),
            vec!["timed_out"],
        ),
        (
            "a dead server",
            Level::L2,
            task(json!({"success": false, "final_response": null, "error": "500"})),
            vec!["model_failed"],
        ),
        (
            "a later repetition",
            Level::L2,
            task(json!({"repetition_results": [true, true, false]})),
            vec!["repetition_failed"],
        ),
    ] {
        let found = sorted(&level, &task, &votes(true), None);
        assert_eq!(causes(&found), expected, "{name}: {:?} {:?}", found.losses, found.findings);
        assert!(found.explained <= found.lost + 1e-9);
        assert!((found.lost - found.explained).abs() < 1e-9, "{name} leaves a loss unexplained: {found:?}");
    }
}

#[test]
fn answers_that_were_denied_are_sorted_by_what_they_say_and_by_what_the_results_hold() {
    let result = json!({"items": [{"title": "<b>전기차</b> 요금 안내문", "price": 129317000, "date": "2025-12-19", "duration": 2323000}]});
    let with = |answer: &str| {
        task(json!({"final_response": answer, "instruction": "알려줘",
                    "tool_calls": [{"step": 1, "tool_name": "A", "arguments": {"q": "가"}, "success": true, "result": result}]}))
    };
    for (answer, expected) in [
        ("어느 지역인지 알려주시면 찾아보겠습니다.", vec!["asked_back"]),
        ("대학교를 찾았습니다. 이제 병원을 조사해드리겠습니다.", vec!["only_announced"]),
        ("해당 정보를 찾을 수 없었습니다.", vec!["gave_up"]),
        ("다음 링크에서 확인할 수 있습니다: http://a http://b", vec!["links_only"]),
        ("차로 약 2323분 걸립니다.", vec!["contradiction"]),
        ("현재가는 98,530,000원입니다.", vec!["contradiction"]),
        ("출시일은 2024년 3월 2일입니다.", vec!["contradiction"]),
        ("첫 제목은 \"대통령 지시 사항\"입니다.", vec!["contradiction"]),
        ("첫 제목은 \"전기차 요금 안내문\"이고 1억 2,932만 원입니다.", vec!["denied_though_backed"]),
        ("잘 모르는 이야기를 길게 합니다.", vec![]),
    ] {
        let found = sorted(&Level::L2, &with(answer), &votes(false), None);
        assert_eq!(causes(&found), expected, "{answer}: {:?}", found.findings);
        // Without the judges' no, nobody looks.
        let unjudged = sorted(&Level::L2, &with(answer), &[], None);
        assert_eq!(causes(&unjudged), Vec::<&str>::new(), "{answer}");
    }
}

#[test]
fn what_is_out_of_reach_is_not_lost() {
    let seeded = json!({"messages": [
        {"role": "user", "content": "q"}, {"role": "tool", "tool_call_id": "seed_call_1_1", "content": {"a": 1}},
        {"role": "assistant", "content": "a"}, {"role": "user", "content": "r"}, {"role": "assistant", "content": "다 됐습니다."},
    ]});
    for (name, level, task, why) in [
        (
            "no call needed",
            Level::L6,
            task(
                json!({"golden_action": [{"tool": "A"}, {"action": "context_used"}], "tool_calls": [], "conversation_log": seeded}),
            ),
            Unreachable::NoCallNeeded,
        ),
        (
            "the failure itself",
            Level::L5,
            task(json!({"level": 5, "error_injection": {"tool": "A"}, "fallback_options": [{"tool": "B"}],
                     "tool_calls": [fails(1, "A", "t"), call(3, "B", json!({}))]})),
            Unreachable::InjectedFailure,
        ),
        (
            "a path beyond the minimum",
            Level::L3,
            task(json!({"minimum_steps": 2, "golden_action": [{"tool": "A"}, {"tool": "B"}, {"tool": "C"}],
                     "tool_calls": [call(1, "A", json!({})), call(2, "B", json!({})), call(3, "C", json!({}))]})),
            Unreachable::PathBeyondMinimum,
        ),
        (
            "a price is not a list",
            Level::L4,
            task(
                json!({"tool_calls": [{"step": 1, "tool_name": "A", "arguments": {"q": "가"}, "success": true, "result": {"price": 1}}]}),
            ),
            Unreachable::UncountedResult,
        ),
    ] {
        let found = sorted(&level, &task, &votes(true), None);
        assert_eq!(found.state, State::Capped, "{name}: {:?}", found.losses);
        assert!(found.losses.iter().any(|loss| loss.unreachable == Some(why)), "{name}: {:?}", found.losses);
        assert_eq!((found.lost, found.findings.len()), (0.0, 0), "{name}");
    }
}

#[test]
fn an_attempt_has_several_causes_and_the_first_by_the_order_is_the_primary() {
    let found = sorted(
        &Level::L1,
        &task(
            json!({"final_response": "어느 역인지 알려주시면 다시 찾겠습니다.", "tool_calls": [call(1, "A", json!({"q": "나"}))]}),
        ),
        &votes(false),
        None,
    );
    assert_eq!(causes(&found), ["asked_back", "wrong_argument"]);
    assert_eq!(found.primary(), Some(Cause::AskedBack));
    let argument = &found.findings[1];
    assert_eq!((argument.call, argument.step, argument.argument.as_deref()), (Some(0), Some(1), Some("q")));
    assert_eq!((argument.expected.as_deref(), argument.found.as_deref()), (Some("가"), Some("나")));
}

#[test]
fn judges_that_fail_or_split_are_causes_of_their_own() {
    let mut split = votes(false);
    split[1] = votes(true).remove(0);
    let found = sorted(&Level::L2, &task(json!({})), &split, None);
    assert_eq!(causes(&found), ["judge_split"]);
    assert_eq!(found.findings[0].found.as_deref(), Some("1/3"));
    let failed = vec![Verdict::failed("j", MetricId::Sr, "timeout"); 3];
    assert_eq!(causes(&sorted(&Level::L2, &task(json!({})), &failed, None)), ["judge_failed"]);
}

#[test]
fn counts_tables_and_pictures_say_the_same() {
    let of = |model: &str, level: Level, answer: Value| SortedAttempt {
        model: model.to_owned(),
        task: "T".to_owned(),
        sorted: sorted(&level, &task(answer), &votes(true), None),
        level,
    };
    let attempts = [
        of("a|b", Level::L1, json!({"tool_calls": []})),
        of("c", Level::L1, json!({})),
        of("c", Level::L2, json!({"tool_calls": [fails(1, "A", "=403")]})),
    ];
    let by_model = tally(&attempts, By::Model);
    assert_eq!(by_model.columns, ["a|b", "c"]);
    assert_eq!((by_model.total.attempts, by_model.total.lossy, by_model.unsorted()), (3, 2, 0));
    let markdown = to_markdown(&attempts, koab_core::sentence::Language::ENGLISH);
    assert!(markdown.contains("| Answered without calling a tool | 1 | · | 1 | · |\n"), "{markdown}");
    assert!(markdown.contains("a\\|b"), "{markdown}");
    let csv = to_csv(&attempts);
    assert!(
        csv.lines().any(|line| line.starts_with("c,L2,T,") && line.contains("tool_failed,yes,service")),
        "{csv}"
    );
    assert!(csv.contains("'=403"), "{csv}");
    let svg = to_svg(&attempts, By::Model, koab_core::sentence::Language::KOREAN);
    assert!(
        svg.contains("도구를 호출하지 않고 답함") && svg.contains("a|b") && svg.ends_with("</svg>\n"),
        "{svg}"
    );
}
