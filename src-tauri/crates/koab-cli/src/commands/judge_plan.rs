//! What asking judges would take, for the terminal.

use crate::lang::Lang;
use crate::output::columns;
use koab_api::{EvaluatePlan, JudgeEstimate};

/// The plan of a scoring.
pub(crate) fn plan(plan: &EvaluatePlan, lang: Lang) -> String {
    let levels: Vec<String> = plan.levels.iter().map(ToString::to_string).collect();
    let mut text = format!(
        "{}: {} ({})\n",
        lang.pick("실행", "run"),
        plan.run,
        levels.join(", ")
    );
    if plan.judges.is_empty() {
        text.push_str(lang.pick("아무에게도 묻지 않습니다.\n", "nobody would be asked\n"));
    } else {
        if plan.attempts > 1 {
            text.push_str(&format!(
                "{}: {}\n",
                lang.pick("과제당 판정할 시도", "attempts a task to be judged"),
                plan.attempts
            ));
        }
        text.push_str(&format!("\n{}", judges(&plan.judges, lang)));
        text.push_str(&format!(
            "{}: {}\n",
            lang.pick("추정 근거", "estimated from"),
            lang.said(&plan.from)
        ));
    }
    for note in &plan.notes {
        text.push_str(&format!("{}\n", lang.said(note)));
    }
    text
}

/// A line a judge: calls, tokens, money.
pub(crate) fn judges(judges: &[JudgeEstimate], lang: Lang) -> String {
    let rows: Vec<Vec<String>> = judges
        .iter()
        .map(|judge| {
            vec![
                judge.judge.clone(),
                judge.known.to_string(),
                format!("{:.0}", judge.calls),
                format!("{:.0}", judge.prompt_tokens + judge.completion_tokens),
                judge
                    .usd
                    .map_or_else(|| "—".to_owned(), |usd| format!("${usd:.3}")),
            ]
        })
        .collect();
    let header = [
        lang.pick("심판", "judge"),
        lang.pick("저장된 답", "known answers"),
        lang.pick("호출", "calls"),
        lang.pick("토큰", "tokens"),
        lang.pick("비용", "cost"),
    ];
    columns(&header, &rows)
}

/// One sentence on what is about to be asked.
pub(crate) fn announcement(plan: &EvaluatePlan, lang: Lang) -> String {
    let names: Vec<&str> = plan.judges.iter().map(|judge| judge.judge.as_str()).collect();
    let calls: f64 = plan.judges.iter().map(|judge| judge.calls).sum();
    let cost = plan
        .usd
        .map_or_else(|| "$?".to_owned(), |usd| format!("${usd:.2}"));
    match lang {
        Lang::Ko => format!(
            "심판({})에게 {calls:.0}번 묻습니다. 예상 비용 {cost}. 묻지 않으려면 --no-judge, 한도를 두려면 --max-cost를 쓰세요.",
            names.join(", ")
        ),
        Lang::En => format!(
            "asking the judges ({}) {calls:.0} times, about {cost}; --no-judge asks nobody, --max-cost sets a limit",
            names.join(", ")
        ),
    }
}
