//! Summary of the trials that one call of `koab scenario run` made.

use crate::output::{columns, or_dash};
use crate::scenario_progress::cause as cause_in;
use koab_api::ScenarioSummary;
use koab_core::sentence::Language;
use koab_core::{say, text};

/// Table with one row per cause, the spending, and the results folder.
pub(super) fn text(summary: &ScenarioSummary, lang: Language) -> String {
    let mut rows: Vec<Vec<String>> = summary
        .ended
        .iter()
        .map(|(cause, count)| vec![cause_in(cause, lang).to_owned(), count.to_string()])
        .collect();
    let mut more = |what: &str, count: u32| {
        if count > 0 {
            rows.push(vec![what.to_owned(), count.to_string()]);
        }
    };
    more(lang.text(text!("finished before")), summary.skipped);
    more(lang.text(text!("not started")), summary.not_run);
    let spent = summary.spent.as_ref().map_or_else(String::new, |spent| {
        let usd = or_dash(spent.usd.map(|usd| format!("${usd:.4}")));
        let note = spent.note.as_ref().map_or_else(String::new, |note| format!(" ({note})"));
        lang.say(&say!("model calls: {tokens} tokens, {usd}{note}\n", tokens = spent.tokens))
    });
    columns(&[lang.text(text!("ended")), lang.text(text!("trials"))], &rows, lang)
        + &spent
        + &format!("{}: {}", lang.text(text!("results")), summary.results)
}
