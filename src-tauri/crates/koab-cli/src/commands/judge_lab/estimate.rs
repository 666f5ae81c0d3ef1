//! Estimates of scores that are corrected for errors of the judge, as text for the terminal.

use crate::output::{Columns, or_dash};
use koab_api::{EstimatedMean, QueueEstimate, shown};
use koab_core::sentence::{Language, Sentence};
use koab_core::{say, text};
use std::collections::BTreeSet;

/// Table of the scores that people would give, as estimated, and the judges' scores.
pub(super) fn table(estimate: &QueueEstimate, lang: Language) -> String {
    let mut reasons: BTreeSet<String> = BTreeSet::new();
    let mut number = |of: Option<EstimatedMean>, reason: Option<&Sentence>| match of {
        Some(of) => format!(
            "{} [{}, {}]",
            shown::score(Some(of.value)),
            shown::score(Some(of.low)),
            shown::score(Some(of.high))
        ),
        None => {
            reasons.extend(reason.map(|why| lang.say(why)));
            "—".to_owned()
        }
    };
    let mut text = format!("{}\n", lang.say(&basis(estimate)));
    if estimate.behind > 0 {
        let (behind, left) = (estimate.behind, estimate.counted + 1);
        let note = say!(
            "question {left} was skipped, so the {behind} answers after it do not count: with a skipped question the sample is not random any more"
        );
        text.push_str(&format!("{}\n", lang.say(&note)));
    }
    if estimate.unsure > 0 {
        let unsure = estimate.unsure;
        let note = say!(
            "{unsure} unsure answers count with the middle of the scale; the intervals reach to both of its ends"
        );
        text.push_str(&format!("{}\n", lang.say(&note)));
    }
    for run in &estimate.runs {
        let (answers, questions) = (run.answers, run.questions);
        let of = say!("{answers} of {questions} questions answered");
        text.push_str(&format!("\n{}  {}: {}\n", run.model, run.run, lang.say(&of)));
        text.push_str(
            &Columns::new(&run.judges, lang)
                .id(text!("judge"), |one| &one.judge)
                .column(text!("judged"), |one| shown::score(one.judged))
                .column(text!("corrected"), |one| number(one.corrected, one.reason.as_ref()))
                .column(text!("people alone"), |_| number(run.human, run.reason.as_ref()))
                .column(text!("λ"), |one| or_dash(one.lambda.map(shown::coefficient)))
                .text(),
        );
    }
    for reason in reasons {
        text.push_str(&format!("  —: {reason}\n"));
    }
    text
}

fn basis(estimate: &QueueEstimate) -> Sentence {
    let (metric, counted, seed) = (estimate.metric, estimate.counted, estimate.queue.seed);
    let draw = estimate.queue.draw.as_ref();
    let all = draw.map_or(0, |draw| draw.of);
    let chance = shown::percent(draw.map_or(0.0, |draw| draw.probability), 1);
    say!(
        "{metric} over the questions that judges are asked, 95 % intervals; {counted} answers of people count; each of {all} questions was drawn with chance {chance} (seed {seed})"
    )
}
