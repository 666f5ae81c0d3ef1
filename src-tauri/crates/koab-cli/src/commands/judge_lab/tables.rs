//! The judge lab's tables for the terminal.

use crate::commands::judge_plan;
use crate::lang::Lang;
use crate::output::columns;
use koab_api::shown;
use koab_api::{
    LabAgreement, LabAskEnd, LabAskPlan, LabEstimate, LabMeasure, LabPanel, LabPanelKind, LabView,
    QueueAnswered, QueueApplied, QueueReveal, QueueSummary,
};
use std::collections::BTreeSet;
use std::path::Path;

/// Everything about some runs.
pub(super) fn lab(view: &LabView, lang: Lang) -> String {
    let mut text = String::new();
    for (number, run) in (1..).zip(&view.runs) {
        text.push_str(&format!("{number}. {}  {}\n", run.model, run.id));
    }
    for left in &view.left_out {
        text.push_str(&format!("—  {}: {}\n", left.id, lang.said(&left.reason)));
    }
    for note in &view.notes {
        text.push_str(&format!("{}\n", lang.said(note)));
    }
    if view.coverage.is_empty() {
        text.push_str(lang.pick(
            "아직 판정이 없습니다. `koab judge again`으로 심판에게 물으세요.\n",
            "nobody has judged these runs yet; ask judges with `koab judge again`\n",
        ));
        return text;
    }
    let mut reasons = BTreeSet::new();
    text.push_str(&format!(
        "\n{}:\n{}",
        lang.pick("누가 무엇을 판정했는지", "who has judged what"),
        coverage(view, lang)
    ));
    if !view.agreement.is_empty() {
        text.push_str(&format!(
            "\n{}:\n{}",
            lang.pick(
                "심판 사이의 일치도 (95 % 구간, 과제 2,000번 다시 뽑기)",
                "agreement between judges (95 % intervals from 2,000 resamples of the tasks)"
            ),
            agreement(&view.agreement, &mut reasons, lang)
        ));
    }
    for measure in [LabMeasure::Composite, LabMeasure::CompositeCommon, LabMeasure::Sr] {
        text.push_str(&format!(
            "\n{}: {}\n{}",
            lang.pick("점수와 순위", "scores and ranks"),
            measure_name(measure, lang),
            effect(view, measure, &mut reasons, lang)
        ));
    }
    text.push_str(&format!(
        "\n{}: {}\n",
        lang.pick("심판이 갈린 질문", "questions on which judges disagree"),
        view.disagreements
    ));
    for reason in reasons {
        text.push_str(&format!("  —: {reason}\n"));
    }
    text
}

fn coverage(view: &LabView, lang: Lang) -> String {
    let mut metrics: Vec<&str> = Vec::new();
    for row in view.coverage.iter().flat_map(|one| &one.metrics) {
        if !metrics.contains(&row.metric.as_str()) {
            metrics.push(&row.metric);
        }
    }
    let rows: Vec<Vec<String>> = view
        .coverage
        .iter()
        .map(|one| {
            let mut row = vec![one.judge.clone()];
            row.extend(metrics.iter().map(|metric| {
                let of = one.metrics.iter().find(|row| row.metric == *metric);
                of.map_or_else(
                    || "—".to_owned(),
                    |row| format!("{}/{}", row.answered, row.questions),
                )
            }));
            row.push(one.failed.to_string());
            row.push(one.missing.to_string());
            row.push(one.own_kind.join(", "));
            row
        })
        .collect();
    let mut header = vec![lang.pick("심판", "judge")];
    header.extend(&metrics);
    header.extend([
        lang.pick("실패", "failed"),
        lang.pick("없음", "missing"),
        lang.pick("같은 계열의 모델", "models of its own maker"),
    ]);
    columns(&header, &rows)
}

fn agreement(rows: &[LabAgreement], reasons: &mut BTreeSet<String>, lang: Lang) -> String {
    let mut lines = Vec::new();
    for row in rows {
        let name = match (row.metrics.as_slice(), row.yes_no) {
            ([metric], _) => metric.clone(),
            (_, Some(true)) => lang.pick("예/아니요 전체", "all yes/no").to_owned(),
            (_, Some(false)) => lang.pick("점수 전체", "all grades").to_owned(),
            (_, None) => lang.pick("전체", "all").to_owned(),
        };
        lines.push(vec![
            name.clone(),
            lang.pick("모두", "all").to_owned(),
            row.questions.to_string(),
            estimate(&row.percent, true, reasons, lang),
            estimate(&row.fleiss, false, reasons, lang),
            estimate(&row.alpha, false, reasons, lang),
        ]);
        for pair in row
            .pairs
            .iter()
            .filter(|_| row.pairs.len() > 1 || row.yes_no.is_some())
        {
            lines.push(vec![
                String::new(),
                format!("{} · {}", pair.one, pair.other),
                pair.questions.to_string(),
                estimate(&pair.percent, true, reasons, lang),
                format!("κ {}", estimate(&pair.kappa, false, reasons, lang)),
                String::new(),
            ]);
        }
    }
    let header = [
        lang.pick("지표", "metric"),
        lang.pick("심판", "judges"),
        lang.pick("질문", "questions"),
        lang.pick("일치", "equal"),
        "Fleiss/Cohen κ",
        "Krippendorff α",
    ];
    columns(&header, &lines)
}

fn estimate(of: &LabEstimate, percent: bool, reasons: &mut BTreeSet<String>, lang: Lang) -> String {
    let number = |value: f64| {
        if percent {
            shown::percent(value, 1)
        } else {
            shown::coefficient(value)
        }
    };
    match (of.value, of.low.zip(of.high)) {
        (Some(value), Some((low, high))) => format!("{} [{}, {}]", number(value), number(low), number(high)),
        (Some(value), None) => number(value),
        (None, _) => {
            reasons.extend(of.reason.as_deref().map(|why| lang.said(why)));
            "—".to_owned()
        }
    }
}

fn effect(view: &LabView, measure: LabMeasure, reasons: &mut BTreeSet<String>, lang: Lang) -> String {
    let mut rows = Vec::new();
    for (place, panel) in view.effect.panels.iter().enumerate() {
        let mut row = vec![panel_name(panel, lang)];
        let values = panel.values.iter().find(|values| values.measure == measure);
        for run in 0..view.runs.len() {
            row.push(match values {
                Some(values) => match (values.values[run], values.ranks[run]) {
                    (Some(value), Some(rank)) => format!("{} ({rank})", shown::score(Some(value))),
                    _ => {
                        reasons.extend(values.reasons[run].as_deref().map(|why| lang.said(why)));
                        "—".to_owned()
                    }
                },
                None => "—".to_owned(),
            });
        }
        reasons.extend(panel.reason.as_deref().map(|why| lang.said(why)));
        // How far it ranks as all judges together do.
        let together = view
            .effect
            .panels
            .iter()
            .position(|one| one.kind == LabPanelKind::Mean);
        let tau = view.effect.taus.iter().find(|tau| {
            let pair = Some((tau.one.min(tau.other), tau.one.max(tau.other)));
            tau.measure == measure && pair == together.map(|mean| (place.min(mean), place.max(mean)))
        });
        row.push(
            tau.and_then(|tau| tau.tau)
                .map_or_else(|| "—".to_owned(), shown::coefficient),
        );
        rows.push(row);
    }
    let numbers: Vec<String> = (1..=view.runs.len()).map(|number| number.to_string()).collect();
    let mut header = vec![lang.pick("판정", "verdicts of")];
    header.extend(numbers.iter().map(String::as_str));
    header.push(lang.pick("τ (모두와)", "τ (with all)"));
    columns(&header, &rows)
}

fn panel_name(panel: &LabPanel, lang: Lang) -> String {
    let judge = panel.judge.as_deref().unwrap_or_default();
    match panel.kind {
        LabPanelKind::Judge => judge.to_owned(),
        LabPanelKind::Without => match lang {
            Lang::Ko => format!("{judge} 빼고"),
            Lang::En => format!("without {judge}"),
        },
        LabPanelKind::Mean => lang.pick("모두 (평균)", "all (mean)").to_owned(),
        LabPanelKind::Median => lang.pick("모두 (중앙값)", "all (median)").to_owned(),
        LabPanelKind::People => lang
            .pick("모두, 사람의 판정으로 고침", "all, with people's word")
            .to_owned(),
    }
}

fn measure_name(measure: LabMeasure, lang: Lang) -> &'static str {
    match measure {
        LabMeasure::Composite => lang.pick("종합 점수 flat_report", "composite flat_report"),
        LabMeasure::CompositeCommon => lang.pick(
            "종합 점수 flat_common_report (SR 포함)",
            "composite flat_common_report, with SR",
        ),
        LabMeasure::Sr => "SR",
        LabMeasure::ArgAcc => "ArgAcc",
        LabMeasure::EffScore => "EffScore",
        LabMeasure::ContextRetention => "ContextRetention",
        LabMeasure::RefRecall => "RefRecall",
    }
}

/// What judging again would take.
pub(super) fn plan(plan: &LabAskPlan, lang: Lang) -> String {
    let runs = plan.runs.join("\n  ");
    format!(
        "{}:\n  {runs}\n\n{}{}: {}\n",
        lang.pick("실행", "runs"),
        judge_plan::judges(&plan.judges, lang),
        lang.pick("추정 근거", "estimated from"),
        lang.said(&plan.from)
    )
}

/// What came of judging again.
pub(super) fn asked(end: &LabAskEnd, lang: Lang) -> String {
    let mut text = format!(
        "{}: {}  {}: {}\n",
        lang.pick("쓸 수 있는 답", "usable answers"),
        end.answered,
        lang.pick("실패", "failed"),
        end.failed
    );
    for note in &end.notes {
        text.push_str(&format!("{}\n", lang.said(note)));
    }
    text
}

/// Where a queue was written, and what to do with it.
pub(super) fn queue_written(queue: &QueueSummary, path: &Path, lang: Lang) -> String {
    let path = path.display();
    match lang {
        Lang::Ko => format!(
            "{path}: 대기열 {}, 질문 {}개\n답을 채운 뒤 `koab judge answers {path}`로 가져오세요.\n",
            queue.id, queue.questions
        ),
        Lang::En => format!(
            "{path}: queue {} with {} questions\nfill it in, and bring it back with `koab judge answers {path}`\n",
            queue.id, queue.questions
        ),
    }
}

/// All queues.
pub(super) fn queues(list: &[QueueSummary], lang: Lang) -> String {
    if list.is_empty() {
        return lang.pick("대기열이 없습니다.", "there is no queue").to_owned();
    }
    let rows: Vec<Vec<String>> = list
        .iter()
        .map(|queue| {
            vec![
                queue.id.clone(),
                queue.by.clone(),
                format!("{}/{}", queue.answered, queue.questions),
                match (&queue.revealed_at, &queue.applied_at) {
                    (_, Some(_)) => lang.pick("적용됨", "applied"),
                    (Some(_), None) => lang.pick("공개됨", "revealed"),
                    (None, None) => lang.pick("가려짐", "blind"),
                }
                .to_owned(),
                queue.made_at.clone(),
                queue.runs.join(", "),
            ]
        })
        .collect();
    let header = [
        lang.pick("대기열", "queue"),
        lang.pick("검토자", "by"),
        lang.pick("답", "answered"),
        "",
        lang.pick("만든 때", "made"),
        lang.pick("실행", "runs"),
    ];
    columns(&header, &rows)
}

/// What a file brought back.
pub(super) fn answered(answered: &QueueAnswered, lang: Lang) -> String {
    let (queue, taken) = (&answered.queue, answered.taken);
    match lang {
        Lang::Ko => format!(
            "답 {taken}개를 가져왔고 빈 줄이 {}개입니다. 질문 {}개 중 {}개에 답이 있습니다.\n`koab judge reveal {}`로 심판의 답과 견주어 보세요.\n",
            answered.empty, queue.questions, queue.answered, queue.id
        ),
        Lang::En => format!(
            "took {taken} answers, {} lines were empty; {} of {} questions are answered\nsee them beside the judges' with `koab judge reveal {}`\n",
            answered.empty, queue.answered, queue.questions, queue.id
        ),
    }
}

/// What came of a review.
pub(super) fn revealed(reveal: &QueueReveal, applied: Option<&QueueApplied>, lang: Lang) -> String {
    let mut reasons = BTreeSet::new();
    let mut text = String::new();
    if let Some(reason) = &reveal.reason {
        text.push_str(&format!("{}\n", lang.said(reason)));
    }
    let rows: Vec<Vec<String>> = reveal
        .judges
        .iter()
        .map(|one| {
            vec![
                one.judge.clone(),
                one.questions.to_string(),
                one.distance.map_or_else(|| "—".to_owned(), shown::coefficient),
                estimate(&one.yes_no.kappa, false, &mut reasons, lang),
                estimate(&one.grades.alpha, false, &mut reasons, lang),
                if one.closest {
                    lang.pick("가장 가까움", "closest")
                } else {
                    ""
                }
                .to_owned(),
            ]
        })
        .collect();
    let header = [
        lang.pick("심판", "judge"),
        lang.pick("질문", "questions"),
        lang.pick("거리", "distance"),
        lang.pick("예/아니요 κ", "yes/no κ"),
        lang.pick("점수 α", "grades α"),
        "",
    ];
    text.push_str(&columns(&header, &rows));
    text.push_str(lang.pick(
        "심판이 갈린 질문만 모았으므로 전체 질문에서보다 일치도가 낮게 나옵니다.\n",
        "the queue is made of disagreements, so agreement is lower here than over all questions\n",
    ));
    for reason in reasons {
        text.push_str(&format!("  —: {reason}\n"));
    }
    if let Some(applied) = applied {
        text.push_str(&format!(
            "{}: {}  {}: {}\n",
            lang.pick("고친 판정", "overrides made"),
            applied.applied,
            lang.pick("답이 없는 질문", "without an answer"),
            applied.left
        ));
        for refused in &applied.refused {
            text.push_str(&format!("{}: {}\n", refused.id, lang.said(&refused.reason)));
        }
    }
    text
}
