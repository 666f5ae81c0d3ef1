//! `koab report compare`: the tests between reports, their ranks, and `koab report matrix`.

use super::comparability::{findings, grade};
use crate::lang::Lang;
use crate::output::{columns, spared_columns};
use koab_api::ranks::{RankedBy, Ranking};
use koab_api::shown;
use koab_api::{
    ALPHA, Family, FamilyTests, MatrixView, PairTest, PairTestKind, PairVerdict, PairView, RanksView,
    ScoredPair,
};

/// Reports up to which the matrix is drawn in letters.
const DRAWN: usize = 40;

/// Two reports, under each scorer that both have.
pub(crate) fn pair(view: &PairView, lang: Lang) -> String {
    view.pairs.iter().map(|pair| scored(pair, lang)).collect()
}

fn scored(pair: &ScoredPair, lang: Lang) -> String {
    let mut text = format!(
        "\n{}: {} → {} [{} {}] ({})\n",
        lang.pick("검정", "tests"),
        pair.first.id,
        pair.second.id,
        lang.pick("채점", "scorer"),
        pair.scorer,
        grade(pair.judgement.grade, lang),
    );
    let Some(tests) = &pair.tests else {
        text.push_str(lang.pick(
            "검정하지 않습니다. 두 보고서의 수치는 뜻이 다릅니다:\n",
            "no tests: the numbers of the two mean different things:\n",
        ));
        text.push_str(&findings(&pair.refusal, lang));
        return text;
    };
    text.push_str(&match lang {
        Lang::Ko => format!(
            "두 보고서에 모두 있는 과제 {}개(한쪽에만 있어 뺀 과제 {}개). 차이 = 둘째 − 첫째. 95 % 구간: 과제를 {}번 다시 뽑음(시드 {})\n",
            tests.tasks, tests.left_out, tests.draws, tests.seed
        ),
        Lang::En => format!(
            "{} tasks that both have ({} left out that only one has); difference = second − first; 95 % intervals: {} draws of tasks (seed {})\n",
            tests.tasks, tests.left_out, tests.draws, tests.seed
        ),
    });
    for family in &tests.families {
        text.push_str(&self::family(family, lang));
    }
    text
}

fn family(family: &FamilyTests, lang: Lang) -> String {
    let title = match family.family {
        Family::Metrics => lang.pick("지표", "metrics"),
        Family::Levels => lang.pick("레벨 점수", "level scores"),
        Family::Composites => lang.pick("종합 점수", "composite scores"),
        Family::Common => lang.pick("레벨별 공통 지표", "common metrics by level"),
    };
    let corrected = match lang {
        Lang::Ko => format!("검정 {}개를 홀름 방법으로 함께 보정", family.tested),
        Lang::En => format!("{} tests, corrected together by Holm", family.tested),
    };
    let header = [
        lang.pick("항목", "figure"),
        lang.pick("과제", "tasks"),
        lang.pick("첫째", "first"),
        lang.pick("둘째", "second"),
        lang.pick("차이", "difference"),
        lang.pick("95 % 구간", "95 % interval"),
        lang.pick("검정", "test"),
        "p",
        lang.pick("홀름 p", "Holm p"),
        lang.pick("효과", "effect"),
        lang.pick("결론", "conclusion"),
    ];
    let rows: Vec<Vec<String>> = family.tests.iter().map(|test| row(test, lang)).collect();
    let spare = [1, 6, 9, 2, 3];
    format!(
        "\n{title} ({corrected})\n{}",
        spared_columns(&header, &rows, &spare, lang)
    )
}

fn row(test: &PairTest, lang: Lang) -> Vec<String> {
    let metric = test.metric.map(|metric| lang.metric(metric.name()).to_owned());
    let name = match (test.level, metric, &test.variant) {
        (Some(level), Some(metric), _) => format!("{level} {metric}"),
        (Some(level), None, _) => level.to_string(),
        (None, Some(metric), _) => metric,
        (None, None, variant) => variant.clone().unwrap_or_default(),
    };
    let kind = match test.test {
        None => "—",
        Some(PairTestKind::Mcnemar) => lang.pick("맥니마 정확", "McNemar exact"),
        Some(PairTestKind::FlipsAll) => lang.pick("부호 전수", "signs, all"),
        Some(PairTestKind::FlipsDrawn) => lang.pick("부호 추출", "signs, drawn"),
    };
    let interval = test.interval.map_or_else(
        || shown::NONE.to_owned(),
        |found| shown::ends_of_difference(found.low, found.high),
    );
    vec![
        name,
        test.tasks.to_string(),
        shown::score(test.first),
        shown::score(test.second),
        shown::difference(test.difference),
        interval,
        kind.to_owned(),
        shown::p_value(test.p),
        shown::p_value(test.holm),
        test.effect.map_or_else(|| shown::NONE.to_owned(), shown::effect),
        conclusion(test, lang),
    ]
}

fn conclusion(test: &PairTest, lang: Lang) -> String {
    match test.verdict {
        PairVerdict::First => lang.pick("첫째가 낫습니다", "the first is better").to_owned(),
        PairVerdict::Second => lang.pick("둘째가 낫습니다", "the second is better").to_owned(),
        PairVerdict::Untested => {
            let reason = test.reason.clone().unwrap_or_default();
            format!(
                "{}: {}",
                lang.pick("검정 안 함", "not tested"),
                lang.said(&reason)
            )
        }
        PairVerdict::NotSeparated => {
            // By itself it looks separated: what keeps it from being so is the correction, which must be said.
            let is_alone = test.p.is_some_and(|p| p < ALPHA)
                || test
                    .interval
                    .is_some_and(|found| found.low > 0.0 || found.high < 0.0);
            let told = if is_alone {
                lang.pick(
                    "홀름 보정 후에는 구별되지 않음",
                    "cannot be told apart after Holm's correction",
                )
            } else {
                lang.pick("구별되지 않음", "cannot be told apart")
            };
            match (test.needs, &test.no_needs) {
                (Some(needs), _) => match lang {
                    Lang::Ko => format!(
                        "{told}. 과제 약 {}개 더, 또는 과제마다 {}배 이상 시도",
                        needs.more_tasks, needs.times
                    ),
                    Lang::En => format!(
                        "{told}; about {} more tasks, or {} times the attempts a task at least",
                        needs.more_tasks, needs.times
                    ),
                },
                (None, Some(reason)) => format!("{told}: {}", lang.said(reason)),
                (None, None) => told.to_owned(),
            }
        }
    }
}

/// Ranks of reports with their intervals.
pub(crate) fn ranks(view: &RanksView, lang: Lang) -> String {
    let rankings = view.rankings.iter();
    rankings
        .map(|ranking| self::ranking(&view.reports, ranking, lang))
        .collect()
}

fn ranking(ids: &[String], ranking: &Ranking, lang: Lang) -> String {
    let by = match ranking.by {
        RankedBy::Composite => {
            let title = lang.pick("종합 점수", "composite score");
            &format!("{title} {}", ranking.variant.as_deref().unwrap_or_default())
        }
        RankedBy::SuccessRate => lang.pick("성공률(SR)", "success rate (SR)"),
    };
    let title = match lang {
        Lang::Ko => format!(
            "{by} 순위, 여기에 들어가는 과제 가운데 모두에 있는 {}개",
            ranking.tasks
        ),
        Lang::En => format!(
            "ranks by {by}, over the {} tasks that count in it and that all have",
            ranking.tasks
        ),
    };
    let mut order: Vec<usize> = (0..ids.len()).collect();
    order.sort_by_key(|at| ranking.reports[*at].rank.unwrap_or(u32::MAX));
    let rows: Vec<Vec<String>> = order
        .into_iter()
        .map(|at| {
            let one = &ranking.reports[at];
            let count = |rank: Option<u32>| rank.map_or_else(|| "—".to_owned(), |rank| rank.to_string());
            let range = match (one.low, one.high) {
                (Some(low), Some(high)) => format!("{low}–{high}"),
                _ => "—".to_owned(),
            };
            let said = match &one.reason {
                Some(reason) => lang.said(reason),
                None if one.p.is_none() => lang.pick("1위", "the best").to_owned(),
                None if one.with_best => {
                    let told = lang.pick("1위와 구별되지 않음", "cannot be told from the best");
                    format!(
                        "{told} (p {}, Holm {})",
                        shown::p_value(one.p),
                        shown::p_value(one.holm)
                    )
                }
                None => {
                    let told = lang.pick("1위보다 낮음", "below the best");
                    format!(
                        "{told} (p {}, Holm {})",
                        shown::p_value(one.p),
                        shown::p_value(one.holm)
                    )
                }
            };
            vec![
                count(one.rank),
                range,
                ids[at].clone(),
                shown::score(one.value),
                said,
            ]
        })
        .collect();
    let header = [
        lang.pick("순위", "rank"),
        lang.pick("95 % 순위 구간", "95 % of ranks"),
        lang.pick("보고서", "report"),
        lang.pick("값", "value"),
        lang.pick("결론", "conclusion"),
    ];
    format!("\n{title}\n{}", columns(&header, &rows))
}

/// All pairs, in numbers; of a few reports in letters as well.
pub(crate) fn matrix(view: &MatrixView, lang: Lang) -> String {
    let level = view.level.map_or_else(
        || lang.pick("모든 레벨", "all levels").to_owned(),
        |level| level.to_string(),
    );
    let untold = view.tested - view.separated;
    let mut text = match lang {
        Lang::Ko => format!(
            "{} ({level}), 보고서 {}개. 검정한 쌍 {}개 중 {untold}개는 구별되지 않음(p ≥ 0.05). 모든 쌍을 홀름 방법으로 보정하면 {}개. 비교할 수 없는 쌍 {}개.\n",
            view.metric,
            view.reports.len(),
            view.tested,
            view.tested - view.separated_holm,
            view.refused
        ),
        Lang::En => format!(
            "{} ({level}) of {} reports: {untold} of {} tested pairs cannot be told apart (p ≥ 0.05), {} after Holm's correction over all of them; {} pairs may not be compared.\n",
            view.metric,
            view.reports.len(),
            view.tested,
            view.tested - view.separated_holm,
            view.refused
        ),
    };
    let rows: Vec<Vec<String>> = view
        .reports
        .iter()
        .enumerate()
        .map(|(place, report)| {
            let share = f64::from(report.solved) / f64::from(report.tasks.max(1));
            let mut row = vec![
                (place + 1).to_string(),
                report
                    .rank
                    .map_or_else(|| shown::NONE.to_owned(), |rank| rank.to_string()),
                report.id.clone(),
                shown::score(Some(share)),
                format!("{}/{}", report.solved, report.tasks),
            ];
            if view.reports.len() <= DRAWN {
                let letters = (0..view.reports.len()).map(|column| mark(view, place, column));
                row.push(letters.collect());
            }
            row
        })
        .collect();
    let mut header = vec![
        "№",
        lang.pick("순위", "rank"),
        lang.pick("보고서", "report"),
        lang.pick("비율", "share"),
        lang.pick("해결", "solved"),
    ];
    if view.reports.len() <= DRAWN {
        header.push(lang.pick("쌍", "pairs"));
        text.push_str(lang.pick(
            "행이 열보다: ++ 홀름 보정 후에도 나음, + 따로 보면 나음, = 구별되지 않음, - 따로 보면 못함, -- 보정 후에도 못함, x 비교 불가, . 공통 과제 없음\n",
            "the row beside the column: ++ better even after Holm's correction, + better on its own, = cannot be told apart, - and -- worse, x may not be compared, . no task in common\n",
        ));
    }
    text.push_str(&spared_columns(&header, &rows, &[4], lang));
    if view.reports.iter().any(|report| report.rank.is_none()) {
        text.push_str(&match lang {
            Lang::Ko => format!("\n순위는 과제가 {}개인 보고서끼리만 매깁니다.\n", view.tasks),
            Lang::En => format!(
                "\nonly reports over {} tasks are ranked beside each other\n",
                view.tasks
            ),
        });
    }
    for one in &view.left_out {
        text.push_str(&format!("\n{}: {}", one.id, lang.said(&one.reason)));
    }
    text
}

/// Two columns of a pair as the row sees it.
fn mark(view: &MatrixView, row: usize, column: usize) -> &'static str {
    if row == column {
        return " · ";
    }
    let (low, high) = (row.min(column), row.max(column));
    let count = view.reports.len();
    let place = low * count - low * (low + 1) / 2 + high - low - 1;
    let letter = view.cells.as_bytes().get(place).copied().unwrap_or(b'n');
    let better = match letter.to_ascii_lowercase() {
        b'd'..=b'f' => row == low,
        b'g'..=b'i' => row == high,
        _ => false,
    };
    match (letter.to_ascii_lowercase(), better) {
        (b'x', _) => " x ",
        (b'n', _) => " . ",
        (b'e' | b'h', true) => " + ",
        (b'f' | b'i', true) => " ++",
        (b'e' | b'h', false) => " - ",
        (b'f' | b'i', false) => " --",
        _ => " = ",
    }
}
