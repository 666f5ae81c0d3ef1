//! Packs that are written in the window, declared once: drafts begun, changed, looked at, saved as
//! versions, and handed on.
//!
//! Installed packs never change. A draft does with every letter, and is kept whole after each;
//! saving it makes the next version of its pack (`koab_store::own_versions`). Every check is the
//! engine's (`koab_store::draft`).

mod answers;
mod begin;
mod change;
mod export;
mod records;
mod save;
mod view;

use crate::Packs;
use crate::wire::DraftSummary;
use answers::DraftAnswers;
use koab_core::catalog::ToolCatalog;
use koab_core::finding::Problem;
use koab_core::pack::Pack;
use koab_core::tool::ToolSpec;
use koab_store::draft::{self, CheckedDraft, DraftChanges};
use koab_store::{DraftInfo, StoredDraft};
use koab_workspace::WireError;
use std::sync::Arc;

impl Packs {
    /// The name by which the pack that a draft goes on from is found, as far as it is still
    /// installed: where that version is gone, another one of it.
    fn base_name(&self, info: &DraftInfo) -> Result<Option<String>, WireError> {
        let Some(label) = &info.base else {
            return Ok(None);
        };
        let name = self.workspace.pack_of_label(label)?;
        Ok(self.workspace.store()?.pack_info(&name).is_ok().then_some(name))
    }

    /// The pack that a draft goes on from.
    fn base_of(&self, info: &DraftInfo) -> Result<Option<Arc<Pack>>, WireError> {
        let name = self.base_name(info)?;
        name.map(|name| self.recent(&name)).transpose()
    }

    /// What a run would answer calls of a draft, had it been saved as it is.
    fn draft_answers(&self, stored: &StoredDraft, tools: Vec<ToolSpec>) -> Result<DraftAnswers, WireError> {
        let base = match self.base_name(&stored.info)? {
            Some(name) => {
                let store = self.workspace.store()?;
                Some((self.recent(&name)?, store.cache(&name)?))
            }
            None => None,
        };
        Ok(DraftAnswers::new(ToolCatalog::new(tools), base, stored.own_records()))
    }

    /// What saving a draft would change.
    fn draft_changes(&self, stored: &StoredDraft) -> Result<DraftChanges, WireError> {
        let base = self.base_of(&stored.info)?;
        Ok(DraftChanges {
            records: stored.own_records().len() as u32,
            ..draft::changes(base.as_deref(), &stored.content())
        })
    }

    fn draft_summary(&self, stored: &StoredDraft) -> Result<DraftSummary, WireError> {
        let info = &stored.info;
        Ok(DraftSummary {
            title: info.head.title.clone(),
            base: info.base.clone(),
            next_version: self.workspace.store()?.next_version(&info.name)?,
            changed: !self.draft_changes(stored)?.is_empty(),
            tasks: stored.tasks.len() as u32,
            tools: stored.tools.len() as u32,
            changed_at: info.changed_at.clone(),
            name: info.name.clone(),
        })
    }
}

fn draft_problems(problems: &[Problem]) -> Vec<Problem> {
    problems.iter().cloned().map(draft::remedied).collect()
}

/// How many of these keep a draft from being saved, and how many do not.
fn weighed(problems: &[Problem]) -> (u32, u32) {
    let refused = problems.iter().filter(|problem| problem.is_error()).count() as u32;
    (refused, problems.len() as u32 - refused)
}

/// A draft with everything that is wrong with it.
struct DraftWithProblems {
    stored: StoredDraft,
    checked: CheckedDraft,
}

impl DraftWithProblems {
    fn at(stored: StoredDraft) -> Self {
        let checked = draft::check(&stored.content());
        Self { stored, checked }
    }
}

#[cfg(test)]
mod tests;
