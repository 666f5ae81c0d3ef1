//! Markdown table of a sweep.

use super::{SweepResult, SweepSummary, SweepVerdict};
use crate::gate::names::{code, prose};
use koab_core::sentence::Language;
use koab_core::{shown, text};

impl SweepVerdict {
    /// Verdict in words.
    pub fn text(self, lang: Language) -> &'static str {
        lang.text(match self {
            Self::Better => text!("better", "than the baseline"),
            Self::Worse => text!("worse", "than the baseline"),
            Self::NotSeparated => text!("no significant difference"),
        })
    }
}

impl SweepResult {
    /// Cells of the result's table row: mean, interval, tasks, attempts without a score,
    /// difference, interval of the difference, corrected p value, verdict.
    pub fn row(&self, lang: Language) -> [String; 8] {
        let ends = self.score.interval.map(|[low, high]| shown::ends(low, high));
        let difference = self.difference.as_ref();
        let of_difference = difference.and_then(|one| one.interval);
        let of_difference = of_difference.map(|[low, high]| shown::ends_of_difference(low, high));
        [
            shown::score(self.score.mean),
            ends.unwrap_or_else(|| shown::NONE.to_owned()),
            self.score.tasks.to_string(),
            self.score.unscored.to_string(),
            shown::difference(difference.map(|one| one.value)),
            of_difference.unwrap_or_else(|| shown::NONE.to_owned()),
            shown::p_value(difference.map(|one| one.corrected_p)),
            difference.map_or_else(String::new, |one| one.verdict.text(lang).to_owned()),
        ]
    }
}

impl SweepSummary {
    /// Column headings: cell, pack, then the headings for [`SweepResult::row`].
    pub fn headings(&self, lang: Language) -> [String; 10] {
        [
            lang.text(text!("cell", "of a sweep")).to_owned(),
            lang.text(text!("pack")).to_owned(),
            self.metric.to_string(),
            lang.text(text!("95 % interval", "a column")).to_owned(),
            lang.text(text!("tasks")).to_owned(),
            lang.text(text!("without a score")).to_owned(),
            lang.text(text!("difference")).to_owned(),
            lang.text(text!("95 % interval", "a column")).to_owned(),
            "p (Holm)".to_owned(),
            lang.text(text!("result", "of a sweep")).to_owned(),
        ]
    }

    /// For each row: label of the cell, pack, and table cells.
    pub fn rows(&self, lang: Language) -> impl Iterator<Item = (&str, &str, [String; 8])> {
        self.cells.iter().flat_map(move |cell| {
            let is_baseline = cell.label == self.baseline;
            cell.results.iter().map(move |result| {
                let mut row = result.row(lang);
                if is_baseline {
                    row[7] = lang.text(text!("baseline")).to_owned();
                }
                (cell.label.as_str(), result.pack.as_str(), row)
            })
        })
    }

    /// Table with the sweep's notes, for a report or a pull request.
    pub fn markdown(&self, lang: Language) -> String {
        let headings = self.headings(lang).join(" | ");
        let name = prose(&self.name);
        let title =
            if name.is_empty() { "### koab sweep".to_owned() } else { format!("### koab sweep: {name}") };
        let mut page = format!("{title}\n\n| {headings} |\n|---|---|---:|---|---:|---:|---:|---|---:|---|\n");
        for (label, pack, row) in self.rows(lang) {
            page.push_str(&format!("| {} | {} | {} |\n", code(label), code(pack), row.join(" | ")));
        }
        let notes = self.notes.iter().chain(&self.stopped);
        let notes: String = notes.map(|one| format!("- {}\n", prose(&lang.say(one)))).collect();
        if !notes.is_empty() {
            page.push_str(&format!("\n{notes}"));
        }
        page
    }
}
