//! The texts of a small run, with what the published reports never show: unscored and unreadable tasks.

use super::*;
use koab_core::judge::{JudgePrompts, Panel, Verdict, Verdicts};
use koab_core::log::LevelLog;
use serde_json::json;

fn logs() -> Vec<LevelLog> {
    let metadata = json!({
        "model": "p/m", "level": "L5", "total_tokens": 1_234_567, "total_execution_time": 10.0,
        "average_execution_time": 2.345, "average_tps": 12.5, "ttft": {"average": 0.125, "min": 0.1, "max": 0.2},
    });
    let fallback = json!([{"tool": "B"}]);
    let l5 = json!({"metadata": metadata, "results": [
        {"task_id": "L5-001", "level": 5, "success": true, "final_response": "대체 도구로 찾았습니다",
         "error_injection": {"tool": "A"}, "fallback_options": fallback,
         "tool_calls": [{"step": 1, "tool_name": "A", "success": false, "error": "timeout"},
                        {"step": 2, "tool_name": "B", "success": true, "error": null, "result": {"x": 1}}]},
        {"task_id": "L5-002", "level": 5, "success": true, "final_response": "못 찾았습니다",
         "error_injection": {"tool": "A"}, "fallback_options": fallback,
         "tool_calls": [{"step": 1, "tool_name": "A", "success": false, "error": "timeout"}]},
        {"task_id": "L5-003", "tool_calls": null},
    ]});
    let l2 = json!({"metadata": {"model": "p/m", "level": "L2"}, "results": [
        {"task_id": "L2-001", "success": false, "final_response": null, "golden_action": [{"tool": "A"}],
         "tool_calls": []},
    ]});
    [l5, l2].iter().map(|document| LevelLog::read(document).unwrap()).collect()
}

fn report(scorer: Protocol) -> Report {
    let options = EvaluationOptions {
        scorer,
        panel: Panel { judges: vec!["j/k".to_owned()], ..Panel::default() },
        execution_date: "20261120".to_owned(),
        evaluation_date: "2026-11-20T10:00:00".to_owned(),
        ..EvaluationOptions::default()
    };
    evaluate(&logs(), &Dataset::none(), &Verdicts::none(), &options)
}

#[test]
fn a_summary_leaves_the_cells_of_unscored_means_empty() {
    let header = "Level,Total_Tasks,Evaluated_Tasks,Avg_Exec_Time,Avg_Tokens,Avg_TPS,Avg_TTFT,AdaptiveRoutingScore,EPR_CVR,\
                  FallbackSR,RRR,SR,SelectAcc,pass@k";
    for (scorer, l2, l5) in [
        (
            Protocol::Leaderboard,
            "L2,1,1,0.00,0.00,0.00,0.0000,0.0000,0.0000,0.0000,0.0000,0.0000,0.0000,0.0000",
            "L5,3,2,2.35,0.00,12.50,0.1250,0.5000,0.2500,0.5000,1.0000,,0.0000,1.0000",
        ),
        (
            Protocol::Corrected,
            "L2,1,1,0.00,0.00,0.00,0.0000,,,,0.0000,0.0000,0.0000,0.0000",
            "L5,3,2,2.35,0.00,12.50,0.1250,0.5000,1.0000,0.5000,1.0000,,,1.0000",
        ),
    ] {
        assert_eq!(to_csv(&report(scorer)), format!("{header}\r\n{l2}\r\n{l5}\r\n"));
    }
}

#[test]
fn a_json_report_says_what_is_unscored_and_why() {
    let json: Value = serde_json::from_str(&to_json(&report(Protocol::Leaderboard))).unwrap();
    let l5 = &json["by_level"]["L5"];
    assert_eq!(l5["metrics"]["SR"], json!(null));
    assert_eq!(l5["metrics"]["FallbackSR"], json!(0.5));
    assert_eq!(
        l5["task_evaluations"][0]["metrics"]["SR"],
        json!({"score": null, "unscored": "no judge was asked"})
    );
    // The untried fallback decides without a judge.
    assert_eq!(l5["task_evaluations"][1]["metrics"]["SR"]["score"], json!(0.0));
    assert_eq!(
        l5["unscored"],
        json!({"SR": {"tasks": 1, "scored": 1, "reasons": {"no judge was asked": 1}}})
    );
    assert_eq!(l5["skipped"], json!([{"task_id": "L5-003", "reason": "`tool_calls` is null, not a list"}]));
    assert_eq!((&l5["total_tasks"], &l5["evaluated_tasks"]), (&json!(3), &json!(2)));
    assert_eq!(json["summary"].get("scorer"), None);
    let corrected: Value = serde_json::from_str(&to_json(&report(Protocol::Corrected))).unwrap();
    assert_eq!(corrected["summary"]["scorer"], json!("corrected"));
    // The one task that no judge need decide is a failed one, so its score is not a mean.
    assert_eq!(corrected["by_level"]["L5"]["metrics"]["SR"], json!(null));
}

#[test]
fn a_markdown_report_shows_a_dash_and_the_reason() {
    insta::assert_snapshot!(to_markdown(&report(Protocol::Corrected)), @r#"
    # Ko-AgentBench 평가 보고서

    ## 실행 정보

    - **평가 대상 모델**: p/m
    - **Judge 모델**: j/k
    - **실행 날짜**: 20261120
    - **평가 날짜**: 2026-11-20
    - **총 태스크**: 3/4
    - **채점 방식**: corrected

    ## 📊 성능 요약

    | Level | 태스크 수 | 평균 실행시간 | 평균 TPS | 평균 TTFT | 주요 지표 |
    | --- | --- | --- | --- | --- | --- |
    | **L2** | 1/1 | N/A | N/A | N/A | SelectAcc: 0.000 |
    | **L5** | 2/3 | 2.3초 | 12 | 0.125초 | AdaptiveRoutingScore: 0.500, FallbackSR: 0.500 |

    ## 레벨별 성능

    ### Level 2: 도구 선택

    > 태스크 의도: 여러 후보 도구 중 최적의 API를 선택하는 능력 검증. 주어진 도구 목록 중 가장 적합한 도구를 선택할 수 있는지 확인
    >
    - 태스크 수: 1/1

    **메트릭 점수:**

    - **RRR**: 0.000 - 응답 반환율. 모델이 기술적 오류(Exception, Timeout 등) 없이 최종 응답을 반환했는지 여부
    - **SR**: 0.000 - 성공률. 주어진 태스크를 최종적으로 성공했는지 여부
    - **EPR_CVR**: — - 유효 호출 비율. 생성한 도구 호출이 스키마상 유효하고 실행 가능한지 평가 (채점 안 됨: no tool was called)
    - **SelectAcc**: 0.000 - 최종 선택 도구 정확도. 여러 후보군 중에서 최종적으로 올바른 도구를 선택했는지 평가
    - **pass@k**: 0.000 - 반복 안정성. 태스크를 k번 반복 수행했을 때 최소 한 번 이상 성공하는 비율

    ### Level 5: 오류 처리

    > 태스크 의도: 정보가 부족하거나 API 호출이 실패하는 등 예외적인 상황에 대처하는 능력 검증
    >
    - 태스크 수: 2/3
    - 평균 실행시간: 2.35초

    **메트릭 점수:**

    - **RRR**: 1.000 - 응답 반환율. 모델이 기술적 오류(Exception, Timeout 등) 없이 최종 응답을 반환했는지 여부
    - **SR**: — - 성공률. 주어진 태스크를 최종적으로 성공했는지 여부 (채점 안 됨: 1 of 2 tasks are unscored: no judge was asked)
    - **AdaptiveRoutingScore**: 0.500 - 적응형 라우팅 점수. 주입된 도구 실패 이후 얼마나 신속하게 대체 경로로 전환하는지 평가
    - **EPR_CVR**: 1.000 - 유효 호출 비율. 생성한 도구 호출이 스키마상 유효하고 실행 가능한지 평가 (채점 1건, 미채점 1건)
    - **FallbackSR**: 0.500 - 대체 경로 성공률. 특정 도구 실패 시 다른 도구를 활용해 성공하는 비율
    - **pass@k**: 1.000 - 반복 안정성. 태스크를 k번 반복 수행했을 때 최소 한 번 이상 성공하는 비율
    - L5-003: 읽을 수 없음 (`tool_calls` is null, not a list)

    ## 토큰 사용량 및 성능 지표

    ### 전체 요약

    - **총 처리 토큰**: 1,234,567개
    - **총 실행 시간**: 10.00초
    - **전체 평균 TPS**: 123456.70 tokens/sec
    - **전체 평균 TTFT**: 0.1250초

    ### 레벨별 상세

    | Level | 평균 토큰 수 | 입력 토큰 | 출력 토큰 | TPS | TTFT (평균) | TTFT (최소/최대) |
    | --- | --- | --- | --- | --- | --- | --- |
    | **L2** | N/A | N/A | N/A | N/A | N/A | N/A |
    | **L5** | N/A | N/A | N/A | 12 | 0.1250초 | 0.1000 / 0.2000 |
    "#);
}

#[test]
fn a_sample_takes_the_first_results_of_each_level_and_keeps_the_total() {
    let options = EvaluationOptions { sample_size: Some(1), ..EvaluationOptions::default() };
    let report = evaluate(&logs(), &Dataset::none(), &Verdicts::none(), &options);
    assert_eq!((report.evaluated_tasks(), report.total_tasks()), (Some(2), Some(4)));
    assert_eq!(report.model, "p/m");
}

#[test]
fn an_empty_level_has_no_means() {
    let log = LevelLog::read_as(Level::L1, &json!({"results": []})).unwrap();
    let report = evaluate(&[log], &Dataset::none(), &Verdicts::none(), &EvaluationOptions::default());
    assert!(report.levels[0].means.is_empty());
    assert!(to_json(&report).contains("\"metrics\": {},"));
}

#[test]
fn answered_questions_score_the_run() {
    let prompts = JudgePrompts::parse(
        "
sr: {system: s, template: '{instruction} {final_response} {tool_calls} {golden_context}'}
arg_acc: {system: s, template: '{golden_args} {predicted_args}'}
eff_score: {system: s, template: '{query} {final_answer} {tool_calls}'}
context_retention: {system: s, template: '{formatted_messages}'}
ref_recall: {system: s, template: '{formatted_messages}'}
",
    )
    .unwrap();
    let options = EvaluationOptions::default();
    let asked = questions(&logs(), &Dataset::none(), &prompts, &options);
    assert_eq!(asked.iter().map(|q| q.task_id.as_str()).collect::<Vec<_>>(), ["L5-001"]);
    assert_eq!(asked[0].hash().len(), 64);
    let mut reworded = asked[0].clone();
    reworded.prompt.push(' ');
    assert_ne!(reworded.hash(), asked[0].hash());
    let mut verdicts = Verdicts::none();
    for _ in 0..3 {
        let verdict = Verdict::read("j", asked[0].metric, r#"{"reason": "r", "success": true}"#);
        verdicts.add(&asked[0].task_id, verdict);
    }
    let report = evaluate(&logs(), &Dataset::none(), &verdicts, &options);
    assert_eq!(
        report.level(&Level::L5).and_then(|level| level.mean(MetricId::Sr)?.figure.value()),
        Some(0.5)
    );
    assert_eq!(report.judges, ["j"]);
    // A stored report is the same report.
    let stored = serde_json::to_string(&report).unwrap();
    assert_eq!(serde_json::from_str::<Report>(&stored).unwrap(), report);
}

#[test]
fn a_report_of_failed_attempts_has_no_success_and_no_composite_over_all_tasks() {
    let mut report = report(Protocol::Leaderboard);
    report.levels.retain(|level| level.level == Level::L2);
    let of = |report: &Report, metric| overall(report, metric).map(|mean| mean.value);
    assert_eq!(of(&report, MetricId::Sr), Ok(0.0));
    report.unmeasured = Some("1 of 1 failed".into());
    assert_eq!(of(&report, MetricId::Sr).unwrap_err(), "1 of 1 failed");
    assert_eq!(of(&report, MetricId::EprCvr), Ok(0.0));
    for variant in CompositeVariant::ALL {
        let composite = report.composite(variant);
        assert_eq!(composite.composite.unwrap_err(), "1 of 1 failed");
    }
    let found = interval::intervals(&report);
    assert!(found.overall.iter().any(|(metric, bounds)| {
        *metric == MetricId::Sr && bounds.as_ref().is_err_and(|why| *why == "1 of 1 failed")
    }));
    assert_eq!(report.levels[0].mean(MetricId::Sr).and_then(|mean| mean.figure.value()), Some(0.0));
}
