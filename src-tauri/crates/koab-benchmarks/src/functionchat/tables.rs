//! Tables of the three sets, as the authors' program prints them (`docs/spec/functionchat.md` §4).

use super::source::{EXACT_CALL, Set, Source, TURN_PASS, Turn};
use crate::item::Item;
use crate::row::Row;
use crate::sizes::{GroupSizes, all_answered};
use crate::table::{Cell, Rules, Table};
use koab_core::measured::Measured;
use koab_core::python::float_repr;
use koab_core::say;
use std::fmt::Write as _;

/// Name of the figure for a set's number of passes divided by its number of items.
const AVERAGE: &str = "avg(micro)";
/// Name of the figure for the mean of the groups' pass rates.
const MACRO: &str = "macro";

/// A scored item: its innermost group, and its result.
struct Scored {
    group: String,
    verdict: Verdict,
}

/// Result of a scored item.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Verdict {
    Pass,
    Fail,
    /// The judge's reply is neither a pass nor a fail. The published tables show its words.
    Label(String),
    /// The item was not judged.
    Unknown,
}

impl Verdict {
    /// Result of an item from its rows. It is the value of [`TURN_PASS`]; in a run without judges
    /// it is that of [`EXACT_CALL`].
    fn from_rows(rows: &[Row]) -> Self {
        let row = |metric| rows.iter().find(|row| row.metric == metric);
        let turn_row = row(TURN_PASS);
        match turn_row.or_else(|| row(EXACT_CALL)) {
            Some(Row { value: Ok(1), .. }) => Self::Pass,
            Some(Row { value: Ok(_), .. }) => Self::Fail,
            Some(row) => {
                let label = row.verdict.text("label");
                label.map_or(Self::Unknown, |text| Self::Label(text.to_owned()))
            }
            None => Self::Unknown,
        }
    }

    fn label(&self) -> Option<&str> {
        match self {
            Self::Pass => Some("pass"),
            Self::Fail => Some("fail"),
            Self::Label(text) => Some(text),
            Self::Unknown => None,
        }
    }
}

/// Counted results of some items.
#[derive(Clone, Copy, Debug, Default)]
struct Count {
    pass: usize,
    fail: usize,
    all: usize,
    /// Number of items in the pack that belong to the same group.
    items: usize,
}

impl Count {
    fn new<'a>(scored: impl IntoIterator<Item = &'a Scored>, items: usize) -> Self {
        let mut count = Self { items, ..Self::default() };
        for scored in scored {
            count.all += 1;
            match scored.verdict {
                Verdict::Pass => count.pass += 1,
                Verdict::Fail => count.fail += 1,
                Verdict::Label(_) | Verdict::Unknown => {}
            }
        }
        count
    }

    fn labelled(self) -> usize {
        self.pass + self.fail
    }

    /// Cell with a figure of the authors. It has no value if some items of the group have no
    /// answer.
    fn theirs(self, name: impl Into<String>, value: Measured) -> Cell {
        Cell {
            name: name.into(),
            value: all_answered(self.all, self.items).and(value),
            ours: false,
            remark: None,
        }
    }
}

/// Builds the table of each set that has results.
pub(super) fn build(rows: &[(&Item, &[Row])], pack: &GroupSizes, rules: Rules) -> Vec<Table> {
    let mut sources: Vec<_> =
        rows.iter().filter_map(|(item, rows)| Some((Source::from_item(item)?, *item, *rows))).collect();
    sources.sort_by_key(|(source, ..)| source.index);
    let scored = |set| {
        let own = sources.iter().filter(|(source, ..)| source.set == set);
        own.map(|(_, item, rows)| Scored {
            group: item.groups.last().cloned().unwrap_or_default(),
            verdict: Verdict::from_rows(rows),
        })
        .collect::<Vec<_>>()
    };
    Set::ALL
        .into_iter()
        .map(|set| (set, scored(set)))
        .filter(|(_, scored)| !scored.is_empty())
        .map(|(set, scored)| table(set, &scored, pack, rules))
        .collect()
}

/// Value of the figure with the name `cell`, as text: counts are whole, rates have four decimals.
pub(super) fn text(cell: &str, value: f64) -> String {
    let is_rate = cell.ends_with("rate") || cell == AVERAGE || cell == MACRO;
    if is_rate { format!("{value:.4}") } else { format!("{value:.0}") }
}

fn table(set: Set, scored: &[Scored], pack: &GroupSizes, rules: Rules) -> Table {
    let groups: Vec<_> = groups(set, scored)
        .into_iter()
        .map(|name| {
            let items = pack.below(&[set.name(), &name]);
            let own = Count::new(scored.iter().filter(|scored| scored.group == name), items);
            (name, own)
        })
        .collect();
    let total = Count::new(scored, pack.below(&[set.name()]));
    let mut cells = match set {
        Set::SingleCall => single_call_cells(&groups, total, rules),
        Set::CallDecision | Set::Dialog => rate_cells(set, &groups, total, rules),
    };
    let rates: Result<Vec<f64>, _> =
        groups.iter().map(|(_, own)| share(own.pass, denominator(set, *own, rules))).collect();
    #[expect(clippy::cast_precision_loss, reason = "a handful of groups")]
    let macro_mean = rates.map(|rates| rates.iter().sum::<f64>() / rates.len() as f64);
    let whole = all_answered(total.all, total.items);
    cells.push(ours(MACRO, whole.and(macro_mean)));
    cells.push(ours("unlabelled", count(total.all - total.labelled())));
    Table {
        name: set.name().to_owned(),
        cells,
        printed: (rules == Rules::Published).then(|| printed(set, scored, &groups, total)).flatten(),
    }
}

/// Names of the groups with results, in the order of the table.
fn groups(set: Set, scored: &[Scored]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for scored in scored {
        if !names.contains(&scored.group) {
            names.push(scored.group.clone());
        }
    }
    match set {
        Set::CallDecision => names.sort(),
        Set::Dialog => names.sort_by_key(|name| Turn::ALL.iter().position(|turn| turn.name() == name)),
        Set::SingleCall => {}
    }
    names
}

/// Divisor of a group's pass rate. The published programs exclude items without a verdict in two
/// sets and include them in the third.
fn denominator(set: Set, count: Count, rules: Rules) -> usize {
    match (set, rules) {
        (Set::SingleCall, Rules::Published) => count.all,
        _ => count.labelled(),
    }
}

fn rate_cells(set: Set, groups: &[(String, Count)], total: Count, rules: Rules) -> Vec<Cell> {
    let mut cells = Vec::new();
    for (name, own) in groups {
        cells.push(own.theirs(format!("{name} pass cnt"), count(own.pass)));
        cells.push(own.theirs(format!("{name} pass rate"), share(own.pass, denominator(set, *own, rules))));
    }
    cells.push(total.theirs("total_pass_cnt", count(total.pass)));
    let (name, whole) = match (set, rules) {
        (Set::Dialog, Rules::Published) => (AVERAGE, all_dialog_turns(total)),
        (Set::Dialog, Rules::Corrected) => (AVERAGE, Ok(total.labelled())),
        _ => ("total_pass_rate", Ok(total.labelled())),
    };
    cells.push(total.theirs("total_cnt", whole.clone().and_then(count)));
    cells.push(total.theirs(name, whole.and_then(|whole| share(total.pass, whole))));
    cells
}

/// Number of dialog turns. The published program always divides by 200, so other numbers of answers
/// give an error here.
fn all_dialog_turns(total: Count) -> Measured<usize> {
    let all = Set::Dialog.requests();
    if total.all == all {
        Ok(all)
    } else {
        Err(say!(
            "the published figure divides by {all} turns, and {answered} were answered",
            answered = total.all
        ))
    }
}

fn single_call_cells(groups: &[(String, Count)], total: Count, rules: Rules) -> Vec<Cell> {
    let mut cells = Vec::new();
    for (name, own) in groups {
        let whole = denominator(Set::SingleCall, *own, rules);
        cells.push(own.theirs(format!("{name} total"), count(whole)));
        // In the published table a group without a pass has no such lines.
        if own.pass > 0 || rules == Rules::Corrected {
            cells.push(own.theirs(format!("{name} pass cnt"), count(own.pass)));
            cells.push(own.theirs(format!("{name} pass rate"), share(own.pass, whole)));
        }
    }
    let whole = denominator(Set::SingleCall, total, rules);
    cells.push(total.theirs("total_cnt", count(whole)));
    cells.push(total.theirs("total_pass_cnt", count(total.pass)));
    cells.push(total.theirs("total_pass_rate", share(total.pass, whole)));
    cells
}

/// Text that the authors' program prints for a set. `None` if some items have no verdict, because
/// the authors' program handles only complete sets.
fn printed(set: Set, scored: &[Scored], groups: &[(String, Count)], total: Count) -> Option<String> {
    let labelled = scored.iter().all(|scored| scored.verdict != Verdict::Unknown);
    let divides = groups.iter().all(|(_, own)| own.labelled() > 0);
    if scored.len() != set.requests() || !labelled || !divides {
        return None;
    }
    let mut out = String::new();
    let result = match set {
        Set::CallDecision => print_call_decision(&mut out, groups, total),
        Set::Dialog => print_dialog(&mut out, groups, total),
        Set::SingleCall => print_single_call(&mut out, scored, groups),
    };
    result.ok().map(|()| out)
}

fn print_call_decision(out: &mut String, groups: &[(String, Count)], total: Count) -> std::fmt::Result {
    writeln!(out, "Pass Count")?;
    for (name, own) in groups {
        writeln!(out, "  {name} : {}/{}", own.pass, own.labelled())?;
    }
    writeln!(out, "  total : {}/{}\nPass Rate", total.pass, total.labelled())?;
    for (name, own) in groups {
        writeln!(out, "  {name} : {:.2}", ratio(own.pass, own.labelled()))?;
    }
    writeln!(out, "  total : {:.2}", ratio(total.pass, total.labelled()))
}

fn print_dialog(out: &mut String, groups: &[(String, Count)], total: Count) -> std::fmt::Result {
    let all = Set::Dialog.requests();
    writeln!(out, "\n* pass count")?;
    for (name, own) in groups {
        writeln!(out, "  {name} : {}/{}", own.pass, own.labelled())?;
    }
    writeln!(out, "  total : {}/{all}\n\n* pass rate", total.pass)?;
    for (name, own) in groups {
        writeln!(out, "  {name} : {:.2}", ratio(own.pass, own.labelled()))?;
    }
    writeln!(out, " avg(micro) : {}", float_repr(ratio(total.pass, all)))
}

fn print_single_call(out: &mut String, scored: &[Scored], groups: &[(String, Count)]) -> std::fmt::Result {
    for (name, own) in groups {
        writeln!(out, "[[{name} TOTAL {}]]", own.all)?;
        for (label, count) in labels(scored.iter().filter(|scored| scored.group == *name)) {
            writeln!(out, "* {label} : {count}")?;
        }
        writeln!(out)?;
    }
    writeln!(out, "\n[[TOTAL {}]]", scored.len())?;
    for (label, count) in labels(scored) {
        writeln!(out, "{label}\t{count}")?;
    }
    Ok(())
}

/// Labels with their counts, in the order of their first occurrence.
fn labels<'a>(scored: impl IntoIterator<Item = &'a Scored>) -> Vec<(&'a str, usize)> {
    let mut counts: Vec<(&str, usize)> = Vec::new();
    for label in scored.into_iter().filter_map(|scored| scored.verdict.label()) {
        match counts.iter_mut().find(|(known, _)| *known == label) {
            Some((_, count)) => *count += 1,
            None => counts.push((label, 1)),
        }
    }
    counts
}

#[expect(clippy::cast_precision_loss, reason = "at most some hundred items")]
fn ratio(part: usize, whole: usize) -> f64 {
    part as f64 / whole as f64
}

fn share(part: usize, whole: usize) -> Measured {
    if whole == 0 {
        return Err(say!("no item of the group has a verdict"));
    }
    Ok(ratio(part, whole))
}

#[expect(clippy::cast_precision_loss, reason = "at most some hundred items")]
#[expect(clippy::unnecessary_wraps, reason = "cells are measured")]
fn count(count: usize) -> Measured {
    Ok(count as f64)
}

fn ours(name: &str, value: Measured) -> Cell {
    Cell { name: name.to_owned(), value, ours: true, remark: None }
}
