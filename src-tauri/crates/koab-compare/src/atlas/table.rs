//! The failure atlas for a terminal: a table of counts by cause and column, with a summary.

use super::export::counted;
use crate::wire::{AtlasSource, AtlasView};
use koab_analysis::atlas::{By, ItemFault, State, counts, tally};
use koab_core::sentence::Language;
use koab_core::{say, text};

/// Maximum length of the evidence of a cause in characters.
const MAX_EVIDENCE_CHARS: usize = 100;

/// A table of the atlas in one language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AtlasTable {
    /// Names of the columns. The first column contains the causes.
    pub header: Vec<String>,
    /// One row per cause.
    pub rows: Vec<Vec<String>>,
    /// Summary of the atlas, as separate lines.
    pub summary: Vec<String>,
}

/// Line of the list of attempts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AtlasLine {
    /// Model, level, task, cause, and evidence of the cause.
    pub cells: [String; 5],
}

impl AtlasView {
    /// Table of counts by cause and column.
    pub fn table(&self, by: By, language: Language) -> AtlasTable {
        let tally = tally(&counted(self), by);
        let mut header = vec![language.text(text!("cause")).to_owned()];
        header.extend(tally.columns.iter().cloned());
        header.push(language.text(text!("all", "a sum")).to_owned());
        header.push(language.text(text!("also", "a cause")).to_owned());
        let rows = counts(&tally, language);
        let percent = |part: f64, whole: f64| if whole > 0.0 { part / whole * 100.0 } else { 0.0 };
        let total = &tally.total;
        let unsorted = tally.unsorted();
        let share = percent(f64::from(unsorted), f64::from(total.lossy));
        let explained = percent(total.explained, total.lost);
        let clean = total.attempts - total.lossy - total.capped;
        let mut summary = Vec::new();
        if !self.is_of_items() {
            summary.push(language.say(&say!(
            "{attempts} attempts: {lossy} lost points, {unsorted} of these are unclassified ({share:.1} %); {capped} lost only points that nobody can get, {clean} lost none. Causes explain {explained:.1} % of the lost points.",
            attempts = total.attempts,
            lossy = total.lossy,
            capped = total.capped
        )));
            if !rows.is_empty() {
                let line = text!(
                    "Each count is of the attempts with this first cause; the last column counts the attempts that have it after another cause."
                );
                summary.push(language.text(line).to_owned());
            }
        }
        for source in &self.sources {
            // Without the items it is not known how many of them are wrong.
            if let Some(scored) = source.items.filter(|_| source.why_not.is_none()) {
                let wrong = self.items_of(source).count();
                let line = language.say(&say!("{wrong} of {scored} items with a score were answered wrong."));
                summary.push(format!("{}: {line}", source.id));
            }
            if let Some(why) = &source.why_not {
                let why = why.in_language(language);
                summary.push(format!("{}: {why}", source.id));
            } else if !source.judged && source.items.is_none() {
                let line =
                    language.text(text!("no verdicts, so causes that need a judge were not looked for."));
                summary.push(format!("{}: {line}", source.id));
            }
        }
        AtlasTable { header, rows, summary }
    }

    /// Items of another benchmark that the model of a report or run answered wrong.
    pub fn items_of<'a>(&'a self, source: &'a AtlasSource) -> impl Iterator<Item = &'a ItemFault> {
        let place = self.sources.iter().position(|one| one.id == source.id);
        let own = self.items.iter();
        own.filter(move |item| Some(item.source as usize) == place).map(|item| &item.found)
    }

    /// Attempts that lost points, in their order, each with its first cause and the evidence of it.
    pub fn lines(&self, language: Language) -> Vec<AtlasLine> {
        let lossy = self.attempts.iter().filter(|attempt| attempt.sorted.state == State::Lossy);
        let lines = lossy.filter_map(|attempt| {
            let source = self.sources.get(attempt.source as usize)?;
            let first = attempt.sorted.findings.first();
            let cause = match first {
                Some(finding) => finding.cause.label(language).0,
                None => language.text(text!("Unclassified")),
            };
            let evidence = first.map(|finding| {
                let call = finding.call.map(|call| format!("#{}", call + 1));
                let argument = finding.argument.clone();
                let change = match (&finding.expected, &finding.found) {
                    (Some(expected), Some(found)) => Some(format!("{found} ≠ {expected}")),
                    (None, Some(found)) => Some(found.clone()),
                    (Some(expected), None) => Some(format!("≠ {expected}")),
                    (None, None) => finding.quote.clone(),
                };
                let parts = [call, finding.tool.clone(), argument, change];
                let text = parts.into_iter().flatten().collect::<Vec<_>>().join(" · ");
                let one_line = text.split_whitespace().collect::<Vec<_>>().join(" ");
                match one_line.char_indices().nth(MAX_EVIDENCE_CHARS) {
                    Some((end, _)) => format!("{}…", &one_line[..end]),
                    None => one_line,
                }
            });
            Some(AtlasLine {
                cells: [
                    source.model.clone(),
                    attempt.level.to_string(),
                    attempt.task.clone(),
                    cause.to_owned(),
                    evidence.unwrap_or_default(),
                ],
            })
        });
        lines.collect()
    }
}
