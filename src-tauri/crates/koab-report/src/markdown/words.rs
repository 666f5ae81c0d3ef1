//! Fixed Korean texts of the published report: names and purposes of levels, descriptions of
//! metrics.

use koab_core::level::Level;
use koab_core::score::{MetricId, MetricSet};

/// Name of a level in its heading.
pub(super) fn level_name(level: &Level) -> &str {
    match level {
        Level::L1 => "단일 도구 호출",
        Level::L2 => "도구 선택",
        Level::L3 => "멀티스텝 추론",
        Level::L4 => "멀티소스 통합",
        Level::L5 => "오류 처리",
        Level::L6 => "컨텍스트 재사용",
        Level::L7 => "멀티턴 대화",
        other => other.as_str(),
    }
}

/// Purpose of a level's tasks.
pub(super) fn intent(level: &Level) -> &'static str {
    match level {
        Level::L1 => {
            "가장 기본적인 API 호출 능력 검증. 주어진 단일 도구를 정확한 파라미터로 호출할 수 있는지 확인"
        }
        Level::L2 => {
            "여러 후보 도구 중 최적의 API를 선택하는 능력 검증. 주어진 도구 목록 중 가장 적합한 도구를 선택할 수 있는지 확인"
        }
        Level::L3 => {
            "여러 도구를 순차적으로 호출하고, 한 도구의 결과를 다음 도구의 입력으로 사용하여 복잡한 문제를 해결하는 능력 검증"
        }
        Level::L4 => {
            "여러 도구를 병렬적으로 호출하여 얻은 정보를 종합하고, 비교·분석하여 최종 결론을 도출하는 능력 검증"
        }
        Level::L5 => "정보가 부족하거나 API 호출이 실패하는 등 예외적인 상황에 대처하는 능력 검증",
        Level::L6 => {
            "이전 대화에서 얻은 Tool 호출 결과를 기억하고, 불필요한 API 재호출 없이 효율적으로 답변하는 능력 검증"
        }
        Level::L7 => {
            "여러 턴에 걸친 대화의 핵심 맥락을 기억하고, 이를 새로운 질문과 연결하여 정확한 Tool calling을 수행하는 능력 검증"
        }
        _ => "",
    }
}

/// Description of a metric. One text depends on the metric set.
pub(super) fn describe(set: MetricSet, metric: MetricId) -> &'static str {
    match metric {
        MetricId::Sr => "성공률. 주어진 태스크를 최종적으로 성공했는지 여부",
        MetricId::EprCvr => "유효 호출 비율. 생성한 도구 호출이 스키마상 유효하고 실행 가능한지 평가",
        MetricId::PassAtK => "반복 안정성. 태스크를 k번 반복 수행했을 때 최소 한 번 이상 성공하는 비율",
        MetricId::ToolAcc => "도구 선택 정확도. 정답 도구를 정확하게 선택했는지 평가",
        MetricId::ArgAcc => "인자 정확도. 도구 호출 시 전달한 인자들이 정답과 일치하는지 평가",
        MetricId::CallEm => "호출 완전 일치. 도구명과 모든 인자가 정답과 완벽하게 일치하는지 평가",
        MetricId::RespOk => "응답 파싱 성공. 도구 실행 결과를 성공적으로 파싱했는지 평가",
        MetricId::SelectAcc => {
            "최종 선택 도구 정확도. 여러 후보군 중에서 최종적으로 올바른 도구를 선택했는지 평가"
        }
        MetricId::Fsm => "정답 경로 완전 일치. 정해진 도구 호출 순서와 완벽하게 일치하는지 평가",
        MetricId::Psm => "정답 경로 부분 일치. 정답 경로의 일부를 얼마나 포함하고 있는지 평가",
        MetricId::DeltaStepsNorm => {
            "최소 경로 대비 효율. 이론적인 최소 호출 횟수 대비 얼마나 효율적인 경로를 생성했는지 평가"
        }
        MetricId::ProvAcc => {
            "데이터 출처 추적 정확도. 이전 단계의 출력값을 다음 단계의 입력값으로 정확히 연결했는지 평가"
        }
        MetricId::Coverage => "소스 커버리지. 정보를 수집해야 하는 여러 소스를 누락 없이 호출했는지 평가",
        MetricId::SourceEpr => {
            "소스별 유효 호출 비율. 병렬적으로 호출한 각 도구가 유효했는지 개별적으로 평가"
        }
        MetricId::AdaptiveRoutingScore => {
            "적응형 라우팅 점수. 주입된 도구 실패 이후 얼마나 신속하게 대체 경로로 전환하는지 평가"
        }
        MetricId::FallbackSr => "대체 경로 성공률. 특정 도구 실패 시 다른 도구를 활용해 성공하는 비율",
        MetricId::ReuseRate => "재사용 비율. 이전에 호출했던 결과를 재호출 없이 효율적으로 재사용하는 비율",
        MetricId::RedundantCallRate => {
            "불필요 호출 비율. 정보를 이미 알고 있음에도 불필요하게 도구를 다시 호출하는 비율"
        }
        MetricId::EffScore if set == MetricSet::All => {
            "효율 점수. 이론적 최소 호출 수와 재사용률을 종합하여 효율성을 점수화"
        }
        MetricId::EffScore => "효율 점수. 이론적 최소 호출 수 대비 실제 호출 수로 계산한 효율성",
        MetricId::ContextRetention => {
            "맥락 유지율. 여러 턴에 걸친 대화의 핵심 맥락을 답변에 올바르게 유지하는지 평가"
        }
        MetricId::RefRecall => {
            "장기 회상 비율. 대화 초반의 정보를 마지막 턴에서 다시 질문했을 때 정확히 기억해내는지 평가"
        }
        MetricId::Rrr => {
            "응답 반환율. 모델이 기술적 오류(Exception, Timeout 등) 없이 최종 응답을 반환했는지 여부"
        }
    }
}
