//! The page's own texts. Names of metrics and what others said are not translated; reasons are, as far as they are ours.

use crate::comparability::{Said, Wording};
use crate::level::Level;
use crate::reason::Reason;
use crate::score::MetricId;
use crate::score::composite::{CompositeVariant, Reading};
use crate::sentence::korean;
use crate::shown;

/// In which language a page speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// Korean.
    Korean,
    /// English.
    English,
}

pub(super) struct Words {
    pub(super) title: &'static str,
    pub(super) run_date: &'static str,
    pub(super) evaluated: &'static str,
    pub(super) scorer: &'static str,
    pub(super) judges: &'static str,
    pub(super) none: &'static str,
    pub(super) tasks_evaluated: &'static str,
    pub(super) composite: &'static str,
    pub(super) variant: &'static str,
    pub(super) value: &'static str,
    pub(super) interval: &'static str,
    pub(super) counts: &'static str,
    pub(super) why: &'static str,
    pub(super) notes: &'static str,
    pub(super) levels: &'static str,
    pub(super) level_hint: &'static str,
    pub(super) level: &'static str,
    pub(super) level_names: [&'static str; 7],
    pub(super) tasks: &'static str,
    pub(super) task: &'static str,
    pub(super) answered: &'static str,
    pub(super) yes: &'static str,
    pub(super) no: &'static str,
    pub(super) metrics: &'static str,
    pub(super) metric: &'static str,
    pub(super) mean: &'static str,
    pub(super) scored: &'static str,
    pub(super) unscored: &'static str,
    pub(super) usage: &'static str,
    pub(super) steps: &'static str,
    pub(super) calls: &'static str,
    pub(super) tokens: &'static str,
    pub(super) prompt_tokens: &'static str,
    pub(super) completion_tokens: &'static str,
    pub(super) seconds: &'static str,
    pub(super) ttft: &'static str,
    pub(super) footer: &'static str,
    /// The words of a verdict.
    pub(super) wording: Wording,
    /// A reason that stands in the report in English, in this language; null when it stays as it is.
    pub(super) reason: fn(&str) -> Option<String>,
}

impl Language {
    pub(super) fn tag(self) -> &'static str {
        match self {
            Language::Korean => "ko",
            Language::English => "en",
        }
    }

    pub(super) fn words(self) -> &'static Words {
        match self {
            Language::Korean => &KOREAN,
            Language::English => &ENGLISH,
        }
    }
}

impl Words {
    /// A reason in the page's language, as far as it is one of ours.
    pub(super) fn say(&self, reason: Option<&str>) -> String {
        let reason = reason.unwrap_or_default();
        (self.reason)(reason).unwrap_or_else(|| reason.to_owned())
    }

    /// By which name a metric is shown.
    pub(super) fn metric(&self, metric: MetricId) -> &'static str {
        shown::metric(metric.name(), self.wording.pick("ko", "en") == "ko")
    }

    /// What a reading of the composite counts.
    pub(super) fn reading(&self, variant: CompositeVariant) -> String {
        self.say(Some(&variant.reading().to_string()))
    }

    pub(super) fn level_name(&self, level: Level) -> &'static str {
        self.level_names[usize::from(level.number() - 1)]
    }
}

fn verdict_in_korean(text: &str) -> String {
    korean(&[Said::PHRASES], text).unwrap_or_else(|| text.to_owned())
}

const KOREAN: Words = Words {
    title: "Ko-AgentBench 보고서",
    run_date: "실행일",
    evaluated: "채점 시각",
    scorer: "채점 방식",
    judges: "심판 모델",
    none: "없음",
    tasks_evaluated: "평가한 과제",
    composite: "종합 점수",
    variant: "계산 방식",
    value: "값",
    interval: "95 % 신뢰구간",
    counts: "계산하는 지표",
    why: "값이 없는 이유",
    notes: "비교하기 전에 알아 둘 것",
    levels: "레벨별 점수",
    level_hint: "레벨 점수는 그 레벨 고유 지표의 단순 평균입니다. 막대의 선은 95 % 신뢰구간입니다.",
    level: "레벨",
    level_names: [
        "단일 호출",
        "도구 선택",
        "순차 호출",
        "병렬 호출",
        "오류 처리",
        "효율적 재사용",
        "장기 문맥",
    ],
    tasks: "과제",
    task: "과제",
    answered: "답변",
    yes: "예",
    no: "아니요",
    metrics: "모든 지표",
    metric: "지표",
    mean: "평균",
    scored: "채점",
    unscored: "미채점",
    usage: "사용량",
    steps: "모델 턴",
    calls: "도구 호출",
    tokens: "토큰",
    prompt_tokens: "과제당 입력 토큰",
    completion_tokens: "과제당 출력 토큰",
    seconds: "과제당 초",
    ttft: "첫 토큰까지 초",
    footer: "“—”는 값이 없다는 뜻이며 0이 아닙니다. 비율은 Wilson 구간, 그 밖의 평균은 과제 단위 부트스트랩 10,000회의 구간입니다.",
    wording: Wording {
        korean: true,
        say: verdict_in_korean,
    },
    reason: |text| korean(&[Reason::PHRASES, Reading::PHRASES], text),
};

const ENGLISH: Words = Words {
    title: "Ko-AgentBench report",
    run_date: "Run",
    evaluated: "Scored",
    scorer: "Scorer",
    judges: "Judges",
    none: "none",
    tasks_evaluated: "Tasks evaluated",
    composite: "Composite score",
    variant: "Reading",
    value: "Value",
    interval: "95 % interval",
    counts: "What it counts",
    why: "Why there is none",
    notes: "To know before comparing",
    levels: "Levels",
    level_hint: "A level’s score is the plain mean of its own metrics. The lines on the bars are 95 % confidence intervals.",
    level: "Level",
    level_names: [
        "Single call",
        "Tool selection",
        "Sequential calls",
        "Parallel calls",
        "Error handling",
        "Efficient reuse",
        "Long context",
    ],
    tasks: "Tasks",
    task: "Task",
    answered: "Answered",
    yes: "yes",
    no: "no",
    metrics: "All metrics",
    metric: "Metric",
    mean: "Mean",
    scored: "Scored",
    unscored: "Unscored",
    usage: "Usage",
    steps: "Model turns",
    calls: "Tool calls",
    tokens: "Tokens",
    prompt_tokens: "Input tokens a task",
    completion_tokens: "Output tokens a task",
    seconds: "Seconds a task",
    ttft: "Seconds to first token",
    footer: "“—” means that there is no value, never 0. Proportions have Wilson intervals, other means those of 10,000 bootstrap resamples of the tasks.",
    wording: Wording {
        korean: false,
        say: str::to_owned,
    },
    reason: |_| None,
};
