//! Estimate of calls to judges, as text for the terminal.

use crate::output::{Columns, or_dash};
use koab_api::{EvaluatePlan, JudgeEstimate};
use koab_core::sentence::Language;
use koab_core::{say, text};

/// Text of the estimate of a scoring.
pub(crate) fn plan(plan: &EvaluatePlan, lang: Language) -> String {
    let levels: Vec<String> = plan.levels.iter().map(ToString::to_string).collect();
    let mut text = format!("{}: {} ({})\n", lang.text(text!("run")), plan.run, levels.join(", "));
    if plan.judges.is_empty() {
        text.push_str(lang.text(text!("no API calls\n")));
    } else {
        if plan.attempts > 1 {
            text.push_str(&format!(
                "{}: {}\n",
                lang.text(text!("attempts a task to be judged")),
                plan.attempts
            ));
        }
        text.push_str(&format!("\n{}{}", judges(&plan.judges, lang), reused(&plan.judges, lang)));
        text.push_str(&format!("{}: {}\n", lang.text(text!("estimated from")), lang.say(&plan.from)));
    }
    for note in &plan.notes {
        text.push_str(&format!("{}\n", lang.say(note)));
    }
    text
}

/// Table of judges with their calls, tokens and cost.
pub(crate) fn judges(judges: &[JudgeEstimate], lang: Language) -> String {
    Columns::new(judges.iter(), lang)
        .column(text!("judge"), |judge| &judge.judge)
        .column(text!("known answers"), |judge| judge.known)
        .column(text!("calls"), |judge| format!("{:.0}", judge.calls))
        .column(text!("tokens"), |judge| format!("{:.0}", judge.prompt_tokens + judge.completion_tokens))
        .column(text!("cost"), |judge| or_dash(judge.usd.map(|usd| format!("${usd:.3}"))))
        .text()
}

/// Line with the number of needed answers that are saved in this workspace. Answers of an imported
/// report do not count, because their exact questions are unknown.
pub(crate) fn reused(judges: &[JudgeEstimate], lang: Language) -> String {
    let reusable: u32 = judges.iter().map(|judge| judge.known).sum();
    let calls: f64 = judges.iter().map(|judge| judge.calls).sum();
    let all = f64::from(reusable) + calls;
    lang.say(&say!("answers kept in this workspace are reused: {known} of {all:.0}\n", known = reusable))
}

/// Sentence with the number of questions to judges, the judges and the cost, printed before a
/// scoring.
pub(crate) fn announcement(plan: &EvaluatePlan, lang: Language) -> String {
    let names: Vec<&str> = plan.judges.iter().map(|judge| judge.judge.as_str()).collect();
    let calls: f64 = plan.judges.iter().map(|judge| judge.calls).sum();
    let cost = plan.usd.map_or_else(|| "$?".to_owned(), |usd| format!("${usd:.2}"));
    lang.say(&say!("asking the judges ({names}) {calls:.0} times, about {cost}; --no-judge scores without judges, --max-cost sets a limit", names = names.join(", ")))
}
