//! The words of a submission's texts in both languages.

use super::TextLanguage;
use crate::comparability::{CallsBasis, Grade, Said};
use crate::sentence;
use crate::submission::said::Told;

/// The words of one language.
pub(super) struct Words {
    is_korean: bool,
    pub(super) title: &'static str,
    pub(super) results: &'static str,
    pub(super) level: &'static str,
    pub(super) tasks: &'static str,
    pub(super) own: &'static str,
    pub(super) conditions: &'static str,
    pub(super) model: &'static str,
    pub(super) pack: &'static str,
    pub(super) snapshot: &'static str,
    pub(super) protocol: &'static str,
    pub(super) hit_rate: &'static str,
    pub(super) judges: &'static str,
    pub(super) times: &'static str,
    pub(super) scored: &'static str,
    pub(super) hardware: &'static str,
    pub(super) licence: &'static str,
    pub(super) repo: &'static str,
    pub(super) modified: &'static str,
    pub(super) omitted: &'static str,
    pub(super) folder_date: &'static str,
    pub(super) service: &'static str,
    pub(super) unknown: &'static str,
    pub(super) none: &'static str,
    pub(super) nobody: &'static str,
    pub(super) comparability: &'static str,
    pub(super) nothing_departs: &'static str,
    pub(super) notes: &'static str,
    pub(super) files: &'static str,
    pub(super) row: &'static str,
    pub(super) report: &'static str,
    pub(super) logs: &'static str,
    pub(super) document: &'static str,
    pub(super) pull_request: &'static str,
    pub(super) eval_results: &'static str,
    pub(super) check: &'static str,
    pub(super) check_how: &'static str,
    pub(super) open: &'static str,
    pub(super) nothing_open: &'static str,
    pub(super) blocks: &'static str,
    pub(super) asked: &'static str,
    pub(super) contains: &'static str,
    pub(super) has_row: &'static str,
    pub(super) has_logs: &'static str,
    pub(super) has_report: &'static str,
    pub(super) has_hashes: &'static str,
    pub(super) by: &'static str,
}

pub(super) fn of(language: TextLanguage) -> &'static Words {
    match language {
        TextLanguage::Korean => &KOREAN,
        TextLanguage::Both | TextLanguage::English => &ENGLISH,
    }
}

impl Words {
    pub(super) fn summary(&self, shown: &str, id: &str, tasks: &str, rate: &str, judges: &str) -> String {
        if self.is_korean {
            format!(
                "{shown}의 Ko-AgentBench 결과입니다. 실행한 모델은 `{id}`이고, 과제 {tasks}개의 성공률(SR)은 {rate}, 심판은 {judges}입니다."
            )
        } else {
            format!(
                "Ko-AgentBench results of {shown}, run as `{id}`: SR {rate} over {tasks} tasks, judged by {judges}."
            )
        }
    }

    /// A sentence of the engine in this language.
    pub(super) fn say(&self, sentence: &str) -> String {
        if !self.is_korean {
            return sentence.to_owned();
        }
        sentence::korean(&[Told::PHRASES, Said::PHRASES], sentence).unwrap_or_else(|| sentence.to_owned())
    }

    pub(super) fn grade(&self, grade: Grade) -> &'static str {
        match (grade, self.is_korean) {
            (Grade::Comparable, false) => "comparable",
            (Grade::Limited, false) => "limited",
            (Grade::NotComparable, false) => "not comparable",
            (Grade::Comparable, true) => "비교 가능",
            (Grade::Limited, true) => "제한적",
            (Grade::NotComparable, true) => "비교 불가",
        }
    }

    pub(super) fn basis(&self, basis: CallsBasis) -> &'static str {
        match (basis, self.is_korean) {
            (CallsBasis::Recorded, false) => "as the run wrote it down",
            (CallsBasis::Reckoned, false) => "reckoned against an installed pack",
            (CallsBasis::Recorded, true) => "실행이 기록한 값",
            (CallsBasis::Reckoned, true) => "설치된 팩에 맞춰 본 값",
        }
    }

    pub(super) fn yes_no(&self, known: Option<bool>) -> String {
        let text = match (known, self.is_korean) {
            (Some(true), false) => "yes",
            (Some(false), false) => "no",
            (Some(true), true) => "예",
            (Some(false), true) => "아니요",
            (None, _) => self.unknown,
        };
        text.to_owned()
    }
}

static ENGLISH: Words = Words {
    is_korean: false,
    title: "Add results to the leaderboard",
    results: "Results",
    level: "Level",
    tasks: "Tasks",
    own: "The level's own metrics",
    conditions: "How it was made",
    model: "Model as run",
    pack: "Pack",
    snapshot: "Snapshot of recordings",
    protocol: "Protocol and settings",
    hit_rate: "Calls answered by records",
    judges: "Judge × votes, scorer",
    times: "Run",
    scored: "Scored",
    hardware: "Hardware",
    licence: "Licence of the weights",
    repo: "Weights",
    modified: "Modified prompts",
    omitted: "Omitted questions",
    folder_date: "as its folder says",
    service: "a service; not known",
    unknown: "not known",
    none: "none",
    nobody: "nobody",
    comparability: "Comparable with the published leaderboard",
    nothing_departs: "Nothing known departs from the published runs.",
    notes: "Notes",
    files: "Files",
    row: "header and row of the combined table, as the leaderboard has them",
    report: "the report: data, summary by level, text",
    logs: "the logs of L1 to L7 as the run left them, in the published layout, with the journal of every step",
    document: "all of this for programs, with the SHA-256 of every file",
    pull_request: "title and text of the pull request",
    eval_results: "results for the repository of the weights",
    check: "How to check it",
    check_how: "The first line says what a maintainer would object to, offline. The second scores the logs again; the published evaluator reads them as they are.",
    open: "What departs from the published runs",
    nothing_open: "Nothing: `koab submit validate` has no objection.",
    blocks: "blocks",
    asked: "to be asked",
    contains: "What this has",
    has_row: "the row of the combined table (89 columns)",
    has_logs: "logs of every level in the published layout, with the journal",
    has_report: "evaluation_report.json, evaluation_summary.csv, evaluation_report.md",
    has_hashes: "versions and hashes of tasks, tool texts, prompts and recordings, and of every file",
    by: "Submitted by",
};

pub(super) static KOREAN: Words = Words {
    is_korean: true,
    title: "리더보드에 결과 추가",
    results: "결과",
    level: "레벨",
    tasks: "과제",
    own: "레벨별 지표",
    conditions: "실행 조건",
    model: "실행한 모델",
    pack: "팩",
    snapshot: "기록 스냅샷",
    protocol: "프로토콜과 설정",
    hit_rate: "기록이 답한 호출",
    judges: "심판 × 투표 수, 채점 방식",
    times: "실행 시각",
    scored: "채점 시각",
    hardware: "하드웨어",
    licence: "가중치 라이선스",
    repo: "가중치 저장소",
    modified: "프롬프트 변경",
    omitted: "제외한 과제",
    folder_date: "폴더 이름 기준",
    service: "외부 서비스, 알 수 없음",
    unknown: "알 수 없음",
    none: "없음",
    nobody: "없음",
    comparability: "공개 리더보드와의 비교",
    nothing_departs: "알려진 범위에서 공개된 실행과 다른 점이 없습니다.",
    notes: "참고 사항",
    files: "파일",
    row: "리더보드와 같은 형식의 통합 표 머리글과 행",
    report: "보고서: 데이터, 레벨별 요약, 문서",
    logs: "실행이 남긴 그대로의 L1~L7 로그(공개된 폴더 구조)와 모든 단계의 저널",
    document: "프로그램용 설명, 모든 파일의 SHA-256 포함",
    pull_request: "풀 리퀘스트 제목과 본문",
    eval_results: "가중치 저장소에 올릴 결과",
    check: "확인 방법",
    check_how: "첫 줄은 관리자가 이의를 제기할 점을 오프라인으로 알려 줍니다. 둘째 줄은 로그를 다시 채점합니다. 공개된 평가 도구로도 그대로 읽을 수 있습니다.",
    open: "공개된 실행과 다른 점",
    nothing_open: "없습니다. `koab submit validate`에서 이의가 나오지 않았습니다.",
    blocks: "제출 불가",
    asked: "확인 필요",
    contains: "포함된 것",
    has_row: "통합 표의 행(89열)",
    has_logs: "공개된 폴더 구조의 모든 레벨 로그와 저널",
    has_report: "evaluation_report.json, evaluation_summary.csv, evaluation_report.md",
    has_hashes: "과제, 도구 설명, 프롬프트, 기록과 모든 파일의 버전과 해시",
    by: "제출자",
};
