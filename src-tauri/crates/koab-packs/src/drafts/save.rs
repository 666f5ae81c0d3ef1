//! Review of a draft, and saving it as the next version of its pack.

use super::DraftWithProblems;
use super::view::impact;
use crate::Packs;
use crate::summary;
use crate::wire::{DraftFinding, DraftReview, DraftSaved};
use koab_core::finding::Problem;
use koab_store::draft::CheckedDraft;
use koab_store::draft::remedied;
use koab_store::{DraftSaving, StoredDraft};
use koab_workspace::WireError;
use serde_json::Value;

impl Packs {
    /// Effects of saving a draft, with all its problems.
    ///
    /// # Errors
    /// When the draft does not exist.
    pub fn draft_review(&self, name: &str) -> Result<DraftReview, WireError> {
        let review = DraftWithProblems::at(self.workspace.store()?.draft(name)?);
        let answers = self.draft_answers(&review.stored, review.checked.specs())?;
        let DraftWithProblems { stored, checked } = &review;
        let (mut calls, mut hits) = (0, 0);
        for task in checked.tasks.iter().filter_map(|checked| checked.task.as_ref()) {
            for call in task.path_calls().iter().filter(|call| !call.is_open()) {
                calls += 1;
                hits += u32::from(answers.is_answered(&call.tool, &call.args)?);
            }
        }
        let mut impacts = Vec::new();
        for tool in checked.specs() {
            impacts.extend(impact(&answers, &tool.name)?);
        }
        Ok(DraftReview {
            revision: stored.info.revision,
            next_version: self.workspace.store()?.next_version(name)?,
            base: stored.info.base.clone(),
            changes: self.draft_changes(stored)?,
            sound: checked.is_sound(),
            findings: findings(stored, checked),
            impacts,
            calls,
            answered: hits,
        })
    }

    /// Saves the draft as the next version of its pack, if its revision is still `seen`. Earlier
    /// versions stay installed.
    ///
    /// # Errors
    /// When the draft does not exist, its base pack is no longer installed, or the disk refuses.
    pub fn draft_save(&self, name: &str, seen: i64) -> Result<DraftSaved, WireError> {
        let store = self.workspace.store()?;
        let stored = store.draft(name)?;
        let changes = self.draft_changes(&stored)?;
        Ok(match store.save_draft(name, seen, &changes)? {
            DraftSaving::Saved(saved) => {
                DraftSaved::Saved { pack: summary(&saved.pack), sha256: saved.sha256 }
            }
            DraftSaving::Refused(checked) => DraftSaved::Refused { findings: findings(&stored, &checked) },
            DraftSaving::Same(version) => DraftSaved::Same { version },
            DraftSaving::Stale(revision) => DraftSaved::Stale { revision },
        })
    }
}

fn findings(stored: &StoredDraft, checked: &CheckedDraft) -> Vec<DraftFinding> {
    let finding = |key: Option<i64>, name: String, tool: bool, problem: &Problem| DraftFinding {
        key,
        name,
        tool,
        problem: remedied(problem.clone()),
    };
    let mut all: Vec<DraftFinding> = Vec::new();
    for problem in &checked.whole {
        all.push(finding(None, String::new(), false, problem));
    }
    let field_text = |content: &str, field: &str| {
        let value: Option<Value> = serde_json::from_str(content).ok();
        let name = value.as_ref().and_then(|value| value.get(field)?.as_str());
        name.unwrap_or_default().to_owned()
    };
    for (item, checked) in stored.tools.iter().zip(&checked.tools) {
        for problem in &checked.problems {
            all.push(finding(Some(item.id), field_text(&item.content, "name"), true, problem));
        }
    }
    for (item, checked) in stored.tasks.iter().zip(&checked.tasks) {
        for problem in &checked.problems {
            all.push(finding(Some(item.id), field_text(&item.content, "task_id"), false, problem));
        }
    }
    all.sort_by_key(|finding| !finding.problem.is_error());
    all
}
