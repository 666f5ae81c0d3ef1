//! Export of the failure atlas as a file.

use crate::Compare;
use crate::names::side_by_side;
use crate::wire::{AtlasExport, AtlasFormat, AtlasView};
use koab_analysis::atlas::{Cause, ItemFault, SortedAttempt, items_to_csv, to_csv, to_markdown, to_svg};
use koab_core::level::Level;
use koab_core::say;
use koab_core::sentence::{Language, in_english};
use koab_library::ReportFile;
use koab_workspace::WireError;
use std::collections::BTreeSet;

impl Compare {
    /// Exports the attempts of reports and runs as a file.
    ///
    /// # Errors
    /// The errors of [`Compare::atlas`]; when the format cannot represent these reports and runs.
    pub fn atlas_export(&self, asked: &AtlasExport) -> Result<ReportFile, WireError> {
        let mut view = self.atlas(&asked.ids)?;
        if asked.format != AtlasFormat::Json {
            view.check_is_of_one_kind()?;
        }
        view.keep(&asked.levels, &asked.causes)?;
        let language = Language::of_locale(&asked.language);
        let (ending, media, text) = match asked.format {
            AtlasFormat::Csv if view.is_of_items() => ("csv", "text/csv", items_to_csv(named(&view))),
            AtlasFormat::Csv => ("csv", "text/csv", to_csv(&counted(&view))),
            AtlasFormat::Json => {
                let mut document = serde_json::to_value(&view).map_err(WireError::internal)?;
                in_english(&mut document);
                let text = serde_json::to_string_pretty(&document).map_err(WireError::internal)?;
                ("json", "application/json", text)
            }
            AtlasFormat::Markdown | AtlasFormat::Svg if view.is_of_items() => {
                return Err(WireError::bad_request(say!(
                    "this form counts the causes of Ko-AgentBench; take CSV or JSON for another benchmark"
                )));
            }
            AtlasFormat::Markdown => ("md", "text/markdown", to_markdown(&counted(&view), language)),
            AtlasFormat::Svg => ("svg", "image/svg+xml", to_svg(&counted(&view), asked.by, language)),
        };
        let name = match view.sources.as_slice() {
            [only] => format!("atlas_{}.{ending}", only.id.replace(['/', ':'], "_")),
            _ => format!("atlas.{ending}"),
        };
        Ok(ReportFile { name, media: media.to_owned(), text, beside: Vec::new() })
    }
}

impl AtlasView {
    /// Filters the atlas: keeps attempts of these levels with one of these causes, and items of
    /// these groups. An empty list means all.
    ///
    /// # Errors
    /// When one of the levels is a group of another benchmark that no attempt or item has.
    pub fn keep(&mut self, levels: &[Level], causes: &[Cause]) -> Result<(), WireError> {
        let of_items = self.items.iter().map(|item| &item.found.level);
        let there: BTreeSet<&Level> =
            self.attempts.iter().map(|attempt| &attempt.level).chain(of_items).collect();
        let is_missing = |level: &&Level| !Level::ALL.contains(level) && !there.contains(level);
        if let Some(level) = levels.iter().find(is_missing) {
            let groups: Vec<&str> = there.iter().map(|level| level.as_str()).collect();
            return Err(WireError::bad_request(say!(
                "no attempt here is of the group {level}; the groups are {groups}",
                groups = groups.join(", ")
            )));
        }
        self.attempts.retain(|attempt| {
            let of_level = levels.is_empty() || levels.contains(&attempt.level);
            let findings = &attempt.sorted.findings;
            of_level && (causes.is_empty() || findings.iter().any(|finding| causes.contains(&finding.cause)))
        });
        self.items.retain(|item| {
            // Only attempts at Ko-AgentBench have causes.
            causes.is_empty() && (levels.is_empty() || levels.contains(&item.found.level))
        });
        for source in self.sources.iter_mut().filter(|source| source.items.is_some()) {
            if !causes.is_empty() {
                source.why_not = source.why_not.take().or(Some(say!(
                    "only attempts of Ko-AgentBench have causes, so no item of this benchmark is chosen"
                )));
            }
            if !levels.is_empty() {
                source.groups.retain(|group, _| levels.contains(group));
                source.items = Some(source.groups.values().sum());
            }
        }
        Ok(())
    }

    /// Refuses a mix of Ko-AgentBench and other benchmarks, because one table cannot represent
    /// both.
    pub(super) fn check_is_of_one_kind(&self) -> Result<(), WireError> {
        let of_items = self.sources.iter().filter(|source| source.items.is_some());
        let others: Vec<&str> = of_items.map(|source| source.id.as_str()).collect();
        if others.is_empty() || others.len() == self.sources.len() {
            return Ok(());
        }
        Err(WireError::bad_request(say!(
            "this form cannot hold Ko-AgentBench and other benchmarks together; take JSON, or leave out {others}",
            others = others.join(", ")
        )))
    }

    /// Whether all reports and runs are of other benchmarks.
    pub fn is_of_items(&self) -> bool {
        !self.sources.is_empty() && self.sources.iter().all(|source| source.items.is_some())
    }
}

/// Items that were answered wrong, each with the model that answered it.
fn named(view: &AtlasView) -> impl Iterator<Item = (&str, &ItemFault)> {
    view.items.iter().filter_map(|item| {
        let source = view.sources.get(item.source as usize)?;
        Some((source.model.as_str(), &item.found))
    })
}

/// Attempts in the form that tables are computed from. Two reports of the same model become two
/// columns.
pub(super) fn counted(view: &AtlasView) -> Vec<SortedAttempt> {
    let sources = view.sources.iter();
    let sources: Vec<(&str, &str)> =
        sources.map(|source| (source.model.as_str(), source.id.as_str())).collect();
    let names = side_by_side(&sources);
    let attempts = view.attempts.iter().filter_map(|attempt| {
        Some(SortedAttempt {
            model: names.get(attempt.source as usize)?.clone(),
            level: attempt.level.clone(),
            task: attempt.task.clone(),
            sorted: attempt.sorted.clone(),
        })
    });
    attempts.collect()
}
