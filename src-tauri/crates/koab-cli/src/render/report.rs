//! A report as a table for the terminal: metrics by level, with unscored metrics and their reasons.

use super::agreement::agreement;
use super::benchmark;
use super::comparability::{self, grade_line};
use crate::output::{Columns, columns, or_dash};
use koab_api::shown;
use koab_api::{BenchmarkTables, CompositeFigure, Figure, OtherInstructions, ReportView, ScoreRange};
use koab_core::reason::Reason;
use koab_core::sentence::Language;
use koab_core::sentence::Sentence;
use koab_core::{say, text};
use std::collections::{BTreeMap, BTreeSet};

/// Maximum number of tasks that are named in a line.
const MAX_NAMED: usize = 10;

/// Score table of the report, its unscored metrics with reasons, composite and folder.
///
/// With `is_repeated`, tasks were attempted several times and most numbers count the first attempt.
/// `each` lists every call without a cached response.
pub(crate) fn text(view: &ReportView, is_repeated: bool, each: bool, lang: Language) -> String {
    let has_overrides = !view.overrides.is_empty();
    let mut rows = Vec::new();
    let mut reasons: BTreeSet<String> = BTreeSet::new();
    for level in &view.levels {
        for metric in &level.metrics {
            let mean = shown::score(metric.mean.mean());
            let unscored = if metric.unscored == 0 { String::new() } else { metric.unscored.to_string() };
            for reason in &metric.reasons {
                let reason = lang.say(reason);
                reasons.insert(format!("{} {}: {reason}", level.level, metric.metric));
            }
            let mut row = vec![
                level.level.to_string(),
                shown::metric(metric.metric.name(), lang).to_owned(),
                mean,
                interval(metric.range.as_ref()),
                or_dash(metric.scored),
                unscored,
            ];
            if has_overrides {
                row.push(metric.overridden.as_ref().map_or_else(String::new, figure));
            }
            rows.push(row);
        }
    }
    let mut header = vec![
        lang.text(text!("level")),
        lang.text(text!("metric")),
        lang.text(text!("mean")),
        lang.text(text!("95 % interval")),
        lang.text(text!("scored")),
        lang.text(text!("unscored")),
    ];
    if has_overrides {
        header.push(lang.text(text!("mean with overrides")));
    }
    let mut text = title(view, lang);
    text.push_str(&columns(&header, &rows, lang));
    if let Some(outdated) = &view.outdated {
        text.insert_str(0, &format!("! {}\n\n", lang.say(outdated)));
    }
    text.push_str(&without_interval(view, lang));
    text.push_str(&overall(view, is_repeated, lang));
    if let Some(tables) = &view.benchmark {
        text.push_str(&authors(tables, lang));
    }
    if let Some(composite) = view.composites.first() {
        text.push_str(&format!("\n{}", self::composite(composite, lang)));
        if let Some(comparability) = &view.comparability {
            text.push_str(&format!("  [{}]", grade_line(comparability, lang)));
        }
        text.push_str(&overridden(composite, lang));
        text.push_str(&format!("\n  {}\n", lang.say(&composite.reading)));
    }
    if !reasons.is_empty() {
        text.push_str(&format!("\n{}:\n", lang.text(text!("why unscored"))));
        for reason in reasons {
            text.push_str(&format!("  {reason}\n"));
        }
    }
    if let Some(comparability) = &view.comparability {
        text.push_str(&comparability::text(comparability, each, lang));
    }
    text.push_str(&agreement(&view.agreement, lang));
    let skipped: Vec<Sentence> = view.levels.iter().flat_map(|level| &level.skipped).cloned().collect();
    for (title, lines) in [
        (lang.text(text!("tasks that could not be read and are left out")), &skipped),
        (lang.text(text!("caveats")), &view.notes),
    ] {
        if !lines.is_empty() {
            text.push_str(&format!("\n{title}:\n"));
            for line in lines {
                text.push_str(&format!("  {}\n", lang.say(line)));
            }
        }
    }
    text.push_str(&format!("\n{}: {}\n", lang.text(text!("report")), view.folder));
    text
}

/// Line with the model, the scorer and the judges.
pub(crate) fn title(view: &ReportView, lang: Language) -> String {
    let judges = match (view.judges.as_slice(), &view.judge_address) {
        ([], _) => lang.text(text!("none")).to_owned(),
        (judges, None) => judges.join(", "),
        (judges, Some(address)) => format!("{} ({address})", judges.join(", ")),
    };
    format!(
        "{}: {}   {}: {}   {}: {judges}\n\n",
        lang.text(text!("model")),
        view.model,
        lang.text(text!("scorer")),
        view.scorer,
        lang.text(text!("judges")),
    )
}

/// Tables of a benchmark's authors, or the reason why they are missing, and a note that the report
/// has no composite.
pub(crate) fn authors(tables: &BenchmarkTables, lang: Language) -> String {
    let mut text = format!("\n{}\n", tables.title);
    text.push_str(&benchmark::tables(&tables.tables, lang));
    if let Some(why) = &tables.no_tables {
        text.push_str(&format!("\n{}\n", lang.say(why)));
    }
    text.push_str(&format!("\n{}\n", lang.say(&Reason::NoComposite {}.into())));
    text
}

/// The composite with its interval, or the reason why it is missing.
pub(crate) fn composite(composite: &CompositeFigure, lang: Language) -> String {
    let value = shown::score(composite.figure.value());
    let title = shown::composite(&composite.variant, lang);
    let mut text = format!("{title}: {value}");
    if let Some(ends) = ends(composite.range.as_ref()) {
        text.push_str(&format!(" {ends}"));
    }
    if let Some(reason) = composite.figure.reason() {
        text.push_str(&format!("  ({})", lang.say(reason)));
    }
    text
}

/// The composite with human overrides, as text that follows the composite. Empty without overrides.
pub(crate) fn overridden(composite: &CompositeFigure, lang: Language) -> String {
    let Some(with) = &composite.overridden else {
        return String::new();
    };
    let title = lang.text(text!("with overrides"));
    format!("  {title}: {}", figure(with))
}

/// Note that tasks have other instructions in the run's logs than in the installed pack. `None` if
/// all instructions are equal.
pub(crate) fn other_instructions(asked: &OtherInstructions, lang: Language) -> Option<String> {
    let (pack, tasks) = (asked.pack.as_ref()?, asked.compared);
    let count = asked.tasks.len();
    let names =
        asked.tasks.iter().take(MAX_NAMED).map(|other| other.task.as_str()).collect::<Vec<_>>().join(", ");
    let sentence = match count.checked_sub(MAX_NAMED) {
        _ if count == 0 => return None,
        None | Some(0) => say!(
            "! {count} of {tasks} tasks have other instructions in the run’s logs than in {pack}, so the pack does not say which calls they need: {named}\n",
            named = names
        ),
        Some(more) => say!(
            "! {count} of {tasks} tasks have other instructions in the run’s logs than in {pack}, so the pack does not say which calls they need: {named} and {more} more\n",
            named = names
        ),
    };
    Some(lang.say(&sentence))
}

/// Lines about means that have no interval, one line per reason.
fn without_interval(view: &ReportView, lang: Language) -> String {
    let mut reasons: BTreeMap<&Sentence, Vec<String>> = BTreeMap::new();
    for level in &view.levels {
        for metric in level.metrics.iter().filter(|metric| metric.mean.mean().is_some()) {
            if let Some(why) = metric.range.as_ref().and_then(|range| range.reason()) {
                let of = format!("{} {}", level.level, metric.metric);
                reasons.entry(why).or_default().push(of);
            }
        }
    }
    let title = lang.text(text!("no interval"));
    let lines =
        reasons.into_iter().map(|(why, of)| format!("{title} ({}): {}\n", of.join(", "), lang.say(why)));
    lines.collect()
}

/// Table of the metrics that every level has, over all tasks.
fn overall(view: &ReportView, is_repeated: bool, lang: Language) -> String {
    if view.overall.is_empty() {
        return String::new();
    }
    let table = Columns::new(view.overall.iter(), lang)
        .column(
            if is_repeated {
                lang.text(text!("first attempts at all tasks"))
            } else {
                lang.text(text!("all tasks"))
            },
            |figure| shown::metric(figure.metric.name(), lang),
        )
        .column(text!("mean"), |row| shown::score(row.figure.value()))
        .column(text!("95 % interval"), |figure| interval(Some(&figure.range)))
        .column(text!("tasks"), |figure| or_dash(figure.tasks))
        .prose(text!("why no value"), |figure| {
            figure.figure.reason().map_or_else(String::new, |reason| lang.say(reason))
        });

    format!("\n{}", table.text())
}

/// Ends of an interval as text, such as `[0.612, 0.823]`; `None` if there is no interval.
pub(crate) fn ends(range: Option<&ScoreRange>) -> Option<String> {
    let interval = range?.interval()?;
    Some(shown::ends(interval.low, interval.high))
}

/// Ends of an interval for a cell of a table; a dash if there is no interval.
pub(crate) fn interval(range: Option<&ScoreRange>) -> String {
    ends(range).unwrap_or_else(|| "—".to_owned())
}

fn figure(figure: &Figure) -> String {
    shown::score(figure.value())
}
