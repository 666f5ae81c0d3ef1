//! Tables of the judge lab for the terminal: the comparison of several judges on the same runs, and
//! the blind review of their disagreements.

use crate::output::{Columns, columns, or_dash};
use crate::render::judge_plan;
use koab_api::shown;
use koab_api::{
    LabAgreement, LabAskEnd, LabAskPlan, LabEstimate, LabMeasure, LabPanel, LabPanelKind, LabView,
    QueueAnswered, QueueApplied, QueueReveal, QueueSummary,
};
use koab_core::score::MetricId;
use koab_core::score::composite::CompositeVariant;
use koab_core::sentence::{Language, ToSentence};
use koab_core::{say, text};
use std::collections::BTreeSet;
use std::path::Path;

/// All tables of the judge lab for the compared runs.
pub(super) fn lab(view: &LabView, lang: Language) -> String {
    let mut text = String::new();
    for (number, run) in (1..).zip(&view.runs) {
        text.push_str(&format!("{number}. {}  {}\n", run.model, run.id));
    }
    for left in &view.left_out {
        text.push_str(&format!("—  {}: {}\n", left.id, lang.say(&left.reason)));
    }
    for note in &view.notes {
        text.push_str(&format!("{}\n", lang.say(note)));
    }
    if view.coverage.is_empty() {
        text.push_str(
            lang.text(text!("these runs have not been judged yet; ask judges with `koab judge again`\n")),
        );
        return text;
    }
    let mut reasons = BTreeSet::new();
    text.push_str(&format!("\n{}:\n{}", lang.text(text!("who has judged what")), coverage(view, lang)));
    if !view.agreement.is_empty() {
        text.push_str(&format!(
            "\n{}:\n{}",
            lang.text(text!("agreement between judges (95 % intervals from 2,000 resamples of the tasks)")),
            agreement(&view.agreement, &mut reasons, lang)
        ));
    }
    for measure in [LabMeasure::Composite, LabMeasure::CompositeCommon, LabMeasure::Sr] {
        text.push_str(&format!(
            "\n{}: {}\n{}",
            lang.text(text!("scores and ranks")),
            measure_name(measure, lang),
            effect(view, measure, &mut reasons, lang)
        ));
        text.extend(reading(measure, lang));
    }
    text.push_str(&format!(
        "  {}\n",
        lang.text(text!(
            "combined: the majority of the judges on yes or no, where a tie counts as no; the mean or median of grades, rounded to a whole grade, so it can be below or above that of every judge"
        ))
    ));
    text.push_str(&format!(
        "\n{}: {}\n",
        lang.text(text!("questions with different answers, votes of one judge included")),
        view.disagreements
    ));
    for reason in reasons {
        text.push_str(&format!("  —: {reason}\n"));
    }
    text
}

fn coverage(view: &LabView, lang: Language) -> String {
    let mut metrics: Vec<MetricId> = Vec::new();
    for row in view.coverage.iter().flat_map(|one| &one.metrics) {
        if !metrics.contains(&row.metric) {
            metrics.push(row.metric);
        }
    }
    let rows: Vec<Vec<String>> = view
        .coverage
        .iter()
        .map(|one| {
            let mut row = vec![one.judge.clone()];
            row.extend(metrics.iter().map(|metric| {
                let of = one.metrics.iter().find(|row| row.metric == *metric);
                or_dash(of.map(|row| format!("{}/{}", row.answered, row.questions)))
            }));
            row.push(one.failed.to_string());
            row.push(one.missing.to_string());
            row.push(one.own_kind.join(", "));
            row
        })
        .collect();
    let mut header = vec![lang.text(text!("judge"))];
    header.extend(metrics.iter().map(|metric| metric.name()));
    header.extend([
        lang.text(text!("failed")),
        lang.text(text!("missing")),
        lang.text(text!("models of the same vendor")),
    ]);
    columns(&header, &rows, lang)
}

fn agreement(rows: &[LabAgreement], reasons: &mut BTreeSet<String>, lang: Language) -> String {
    let mut lines = Vec::new();
    for row in rows {
        let name = match (row.metrics.as_slice(), row.yes_no) {
            ([metric], _) => metric.to_string(),
            (_, Some(true)) => lang.text(text!("all yes/no")).to_owned(),
            (_, Some(false)) => lang.text(text!("all grades")).to_owned(),
            (_, None) => lang.text(text!("all")).to_owned(),
        };
        lines.push(vec![
            name.clone(),
            lang.text(text!("all")).to_owned(),
            row.questions.to_string(),
            estimate(&row.percent, true, reasons, lang),
            estimate(&row.fleiss, false, reasons, lang),
            estimate(&row.alpha, false, reasons, lang),
        ]);
        for pair in row.pairs.iter().filter(|_| row.pairs.len() > 1 || row.yes_no.is_some()) {
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
        lang.text(text!("metric")),
        lang.text(text!("judges")),
        lang.text(text!("questions")),
        lang.text(text!("equal")),
        "Fleiss/Cohen κ",
        "Krippendorff α",
    ];
    columns(&header, &lines, lang)
}

fn estimate(of: &LabEstimate, percent: bool, reasons: &mut BTreeSet<String>, lang: Language) -> String {
    let number = |value: f64| {
        if percent { shown::percent(value, 1) } else { shown::coefficient(value) }
    };
    match (of.value, of.low.zip(of.high)) {
        (Some(value), Some((low, high))) => format!("{} [{}, {}]", number(value), number(low), number(high)),
        (Some(value), None) => number(value),
        (None, _) => {
            reasons.extend(of.reason.as_ref().map(|why| lang.say(why)));
            "—".to_owned()
        }
    }
}

fn effect(view: &LabView, measure: LabMeasure, reasons: &mut BTreeSet<String>, lang: Language) -> String {
    let mut rows = Vec::new();
    for (place, panel) in view.effect.panels.iter().enumerate() {
        let mut row = vec![panel_name(panel, lang)];
        let values = panel.values.iter().find(|values| values.measure == measure);
        for run in 0..view.runs.len() {
            row.push(match values {
                Some(values) => match (values.values[run], values.ranks[run]) {
                    (Some(value), Some(rank)) => format!("{} ({rank})", shown::score(Some(value))),
                    _ => {
                        reasons.extend(values.reasons[run].as_ref().map(|why| lang.say(why)));
                        "—".to_owned()
                    }
                },
                None => "—".to_owned(),
            });
        }
        reasons.extend(panel.reason.as_ref().map(|why| lang.say(why)));
        // Kendall's τ between this panel's ranks and those of all judges' mean.
        let together = view.effect.panels.iter().position(|one| one.kind == LabPanelKind::Mean);
        let tau = view.effect.taus.iter().find(|tau| {
            let pair = Some((tau.one.min(tau.other), tau.one.max(tau.other)));
            tau.measure == measure && pair == together.map(|mean| (place.min(mean), place.max(mean)))
        });
        row.push(or_dash(tau.and_then(|tau| tau.tau).map(shown::coefficient)));
        rows.push(row);
    }
    let numbers: Vec<String> = (1..=view.runs.len()).map(|number| number.to_string()).collect();
    let mut header = vec![lang.text(text!("verdicts of"))];
    header.extend(numbers.iter().map(String::as_str));
    header.push(lang.text(text!("τ (with combined)")));
    columns(&header, &rows, lang)
}

fn panel_name(panel: &LabPanel, lang: Language) -> String {
    let judge = panel.judge.as_deref().unwrap_or_default();
    match panel.kind {
        LabPanelKind::Judge => judge.to_owned(),
        LabPanelKind::Without => lang.say(&say!("without {judge}")),
        LabPanelKind::Mean => lang.text(text!("combined (mean)")).to_owned(),
        LabPanelKind::Median => lang.text(text!("combined (median)")).to_owned(),
        LabPanelKind::People => lang.text(text!("combined, with human overrides")).to_owned(),
    }
}

fn measure_name(measure: LabMeasure, lang: Language) -> &'static str {
    let reading = measure.composite().map(CompositeVariant::title);
    reading.map(|title| lang.text(title)).or(measure.metric().map(MetricId::name)).unwrap_or(shown::NONE)
}

/// Line that defines the composite of a measure; `None` if the measure is not a composite.
fn reading(measure: LabMeasure, lang: Language) -> Option<String> {
    let composite = measure.composite()?;
    let title = lang.text(composite.title());
    Some(format!("  {title}: {}\n", lang.say(&composite.reading().to_sentence())))
}

/// Text of an estimate of judging runs again.
pub(super) fn plan(plan: &LabAskPlan, lang: Language) -> String {
    let runs = plan.runs.join("\n  ");
    format!(
        "{}:\n  {runs}\n\n{}{}{}: {}\n",
        lang.text(text!("runs")),
        judge_plan::judges(&plan.judges, lang),
        judge_plan::reused(&plan.judges, lang),
        lang.text(text!("estimated from")),
        lang.say(&plan.from)
    )
}

/// Text of the result of judging runs again.
pub(super) fn judged_again(end: &LabAskEnd, lang: Language) -> String {
    let (answered, failed) = (end.answered, end.failed);
    let mut text = lang.say(&say!("usable answers: {answered}  failed: {failed}"));
    text.push('\n');
    for note in &end.notes {
        text.push_str(&format!("{}\n", lang.say(note)));
    }
    text
}

/// Text that names the path of a new queue and the next step.
pub(super) fn queue_written(queue: &QueueSummary, path: &Path, lang: Language) -> String {
    let path = path.display();
    lang.say(&say!("{path}: queue {id} with {questions} questions\nfill it in, and bring it back with `koab judge answers {path}`\n", id = queue.id, questions = queue.questions))
}

/// Table of all queues.
pub(super) fn queues(list: &[QueueSummary], lang: Language) -> String {
    if list.is_empty() {
        return lang.text(text!("there is no queue")).to_owned();
    }

    Columns::new(list.iter(), lang)
        .column(text!("queue"), |queue| &queue.id)
        .column(text!("by", "a reviewer"), |queue| &queue.by)
        .column(text!("answered"), |queue| format!("{}/{}", queue.answered, queue.questions))
        .column("", |queue| match (&queue.revealed_at, &queue.applied_at) {
            (_, Some(_)) => lang.text(text!("applied")),
            (Some(_), None) => lang.text(text!("revealed")),
            (None, None) => lang.text(text!("blind")),
        })
        .column(text!("made"), |queue| &queue.made_at)
        .prose(text!("runs"), |queue| queue.runs.join(", "))
        .text()
}

/// Text of the result of importing a queue's answers.
pub(super) fn answered(answered: &QueueAnswered, lang: Language) -> String {
    let (queue, taken) = (&answered.queue, answered.taken);
    lang.say(&say!("took {taken} answers, {empty} lines were empty; {answered} of {questions} questions are answered\nsee them beside the judges' with `koab judge reveal {id}`\n", empty = answered.empty, answered = queue.answered, questions = queue.questions, id = queue.id))
}

/// Text of the result of a blind review, after the judges' answers to its queue have been revealed.
pub(super) fn revealed(reveal: &QueueReveal, applied: Option<&QueueApplied>, lang: Language) -> String {
    let mut reasons = BTreeSet::new();
    let mut text = String::new();
    if let Some(reason) = &reveal.reason {
        text.push_str(&format!("{}\n", lang.say(reason)));
    }

    text.push_str(
        &Columns::new(reveal.judges.iter(), lang)
            .column(text!("judge"), |one| &one.judge)
            .column(text!("questions"), |one| one.questions)
            .column(text!("distance"), |one| or_dash(one.distance.map(shown::coefficient)))
            .column(text!("yes/no κ"), |one| estimate(&one.yes_no.kappa, false, &mut reasons, lang))
            .column(text!("grades α"), |one| estimate(&one.grades.alpha, false, &mut reasons, lang))
            .column("", |one| if one.closest { lang.text(text!("closest")) } else { "" })
            .text(),
    );
    if reveal.queue.draw.is_none() {
        text.push_str(lang.text(text!(
            "the queue is made of disagreements, so agreement is lower here than over all questions\n"
        )));
    } else {
        let hint =
            say!("estimated answers of people over all questions: `koab judge estimate {}`", reveal.queue.id);
        text.push_str(&format!("{}\n", lang.say(&hint)));
    }
    for reason in reasons {
        text.push_str(&format!("  —: {reason}\n"));
    }
    if let Some(applied) = applied {
        let (made, left) = (applied.applied, applied.left);
        let totals = say!("overrides made: {made}  without an answer: {left}");
        text.push_str(&format!("{}\n", lang.say(&totals)));
        for refused in &applied.refused {
            text.push_str(&format!("{}: {}\n", refused.id, lang.say(&refused.reason)));
        }
    }
    text
}
