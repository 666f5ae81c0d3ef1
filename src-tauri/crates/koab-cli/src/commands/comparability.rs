//! How a run or report can be compared, as text for the terminal.

use crate::lang::Lang;
use crate::output::columns;
use koab_api::shown;
use koab_api::{CallsBasis, Comparability, Finding, Grade};

/// A grade in words.
pub(crate) fn grade(grade: Grade, lang: Lang) -> &'static str {
    match (grade, lang) {
        (Grade::Comparable, Lang::Ko) => "비교 가능",
        (Grade::Comparable, Lang::En) => "comparable",
        (Grade::Limited, Lang::Ko) => "제한적",
        (Grade::Limited, Lang::En) => "limited",
        (Grade::NotComparable, Lang::Ko) => "비교 불가",
        (Grade::NotComparable, Lang::En) => "not comparable",
    }
}

/// The verdict in a few words, to stand beside a number.
pub(crate) fn beside(comparability: &Comparability, lang: Lang) -> String {
    let title = lang.pick("공개 리더보드와", "with the leaderboard");
    format!("{title}: {}", grade(comparability.leaderboard.grade, lang))
}

/// The verdict with its reasons, how calls were answered, and the calls that found no answer.
pub(crate) fn text(comparability: &Comparability, lang: Lang) -> String {
    let mut text = format!(
        "\n{}: {}\n",
        lang.pick(
            "공개 리더보드와의 비교",
            "comparison with the published leaderboard"
        ),
        grade(comparability.leaderboard.grade, lang)
    );
    text.push_str(&findings(&comparability.leaderboard.findings, lang));
    let Some(calls) = &comparability.facts.calls.value else {
        return text;
    };
    let basis = match calls.basis {
        CallsBasis::Recorded => lang.pick("도구 호출의 응답", "how tool calls were answered"),
        CallsBasis::Reckoned => lang.pick(
            "설치된 팩의 기록에 맞춰 본 도구 호출(로그에는 응답 방식이 없음)",
            "tool calls held against the installed pack (the logs do not say how they were answered)",
        ),
    };
    text.push_str(&format!("\n{basis}:\n"));
    let rows: Vec<Vec<String>> = std::iter::once(&calls.whole())
        .chain(&calls.levels)
        .map(|counts| {
            let level = counts
                .level
                .map_or_else(|| lang.pick("전체", "all").to_owned(), |level| level.to_string());
            let rate = counts
                .hit_rate()
                .map_or_else(|| "—".to_owned(), |rate| shown::percent(rate, 1));
            let counts = [
                counts.hit,
                counts.miss,
                counts.injected,
                counts.refused,
                counts.live + counts.overlay,
            ];
            let counts = counts.iter().map(ToString::to_string);
            [level, rate].into_iter().chain(counts).collect()
        })
        .collect();
    let header = [
        lang.pick("레벨", "level"),
        lang.pick("응답률", "hit rate"),
        lang.pick("기록", "hit"),
        lang.pick("기록 없음", "miss"),
        lang.pick("주입된 오류", "injected"),
        lang.pick("거부", "refused"),
        lang.pick("서비스", "service"),
    ];
    text.push_str(&columns(&header, &rows));
    if !calls.misses.is_empty() {
        let title = lang.pick("기록이 없던 호출", "calls without a recorded answer");
        text.push_str(&format!("\n{title}:\n"));
        for miss in &calls.misses {
            text.push_str(&format!(
                "  {} #{}  {} {}\n",
                miss.task, miss.repetition, miss.tool, miss.arguments
            ));
        }
    }
    text
}

/// One line a finding, and below it what to do.
pub(crate) fn findings(findings: &[Finding], lang: Lang) -> String {
    let mut text = String::new();
    for finding in findings {
        text.push_str(&format!(
            "  [{}] {}\n",
            grade(finding.grade, lang),
            lang.said(&finding.reason)
        ));
        if !finding.remedy.is_empty() {
            text.push_str(&format!("      → {}\n", lang.said(&finding.remedy)));
        }
    }
    text
}
