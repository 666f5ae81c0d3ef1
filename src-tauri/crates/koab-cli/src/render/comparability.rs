//! Comparability of a run or report, as text for the terminal.

use super::findings::line;
use crate::output::{Columns, or, or_dash};
use koab_api::shown;
use koab_api::{CallsBasis, Caveat, Comparability, Grade, MissedCall};
use koab_core::sentence::Language;
use koab_core::{say, text};

/// Text of a grade of comparability.
pub(crate) fn grade(grade: Grade, lang: Language) -> &'static str {
    lang.text(grade.text())
}

/// Line with the grade of the comparability with the leaderboard, short enough to be next to a
/// number.
pub(crate) fn grade_line(comparability: &Comparability, lang: Language) -> String {
    let title = lang.text(text!("with the leaderboard"));
    format!("{title}: {}", grade(comparability.leaderboard.grade, lang))
}

/// Grade with its reasons, numbers of tool calls, and calls without a cached response. If `each` is
/// false, only the first of these calls is shown for each tool.
pub(crate) fn text(comparability: &Comparability, each: bool, lang: Language) -> String {
    let mut text = format!(
        "\n{}: {}\n",
        lang.text(text!("comparison with the published leaderboard")),
        grade(comparability.leaderboard.grade, lang)
    );
    text.push_str(&findings(&comparability.leaderboard.findings, lang));
    let Some(calls) = &comparability.facts.calls.value else {
        return text;
    };
    let groups = || calls.levels.iter().filter_map(|counts| counts.level.as_ref());
    if groups().next().is_some() && groups().all(|group| group.place().is_none()) {
        let not_executed =
            text!("no tool is executed: each task of this benchmark is one request and one reply");
        text.push_str(&format!("\n{}\n", lang.text(not_executed)));
        return text;
    }
    let basis = match calls.basis {
        CallsBasis::Recorded => lang.text(text!("how tool calls were answered")),
        CallsBasis::Compared => lang.text(text!(
            "tool calls compared with the installed pack (the logs do not say how they were answered)"
        )),
    };
    text.push_str(&format!("\n{basis}:\n"));
    let whole = calls.whole();
    let all = lang.text(text!("all"));
    let table = Columns::new(std::iter::once(&whole).chain(&calls.levels), lang)
        .column(text!("level"), |counts| or(counts.level.as_ref(), all))
        .column(text!("hit rate"), |counts| or_dash(counts.hit_rate().map(|rate| shown::percent(rate, 1))))
        .column(text!("hit"), |counts| counts.hit)
        .column(text!("miss"), |counts| counts.miss)
        .column(text!("injected"), |counts| counts.injected)
        .column(text!("refused"), |counts| counts.refused)
        .column(text!("service"), |counts| counts.live + counts.overlay);
    text.push_str(&table.text());
    if !calls.misses.is_empty() {
        let title = lang.text(text!("calls without a cached response"));
        text.push_str(&format!("\n{title}:\n"));
        let mut tools: Vec<(&MissedCall, u32)> = Vec::new();
        for miss in &calls.misses {
            match tools.iter_mut().find(|(known, _)| known.tool == miss.tool) {
                Some((_, count)) if !each => *count += miss.times,
                _ => tools.push((miss, miss.times)),
            }
        }
        for (miss, count) in &tools {
            let one = format!("{} #{}  {} {}", miss.task, miss.repetition, miss.tool, miss.arguments);
            text.push_str(&match count {
                1 => format!("  {one}\n"),
                _ if each => format!("  {one}{}\n", miss.how_often()),
                _ => format!("  {}\n", lang.say(&say!("{count} of one tool, such as {one}"))),
            });
        }
        if tools.len() < calls.misses.len() {
            text.push_str(&format!(
                "{}\n",
                lang.text(text!("`koab report show` and `koab runs show` name each of them with --problems"))
            ));
        }
    }
    text
}

/// Lines of the findings about comparability, in their order.
pub(crate) fn findings(findings: &[Caveat], lang: Language) -> String {
    let one = |caveat: &Caveat| {
        let reason = lang.say(&caveat.reason);
        line(grade(caveat.grade, lang), &reason, &caveat.remedy, lang)
    };
    findings.iter().map(one).collect()
}
