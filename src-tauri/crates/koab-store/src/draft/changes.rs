//! Differences between a draft and the pack that it continues.

use super::Draft;
use koab_core::level::Level;
use koab_core::pack::Pack;
use koab_core::tool::ToolSpec;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// Differences between a pack and a draft.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct DraftChanges {
    /// Tasks that differ, by their ids.
    pub tasks: ItemChanges,
    /// Tools that differ, by their names.
    pub tools: ItemChanges,
    /// Whether the judge prompts differ.
    pub judge_prompts: bool,
    /// Whether title, source or licence differ.
    pub head: bool,
    /// Number of cached responses that were added, corrected or removed by hand.
    pub records: u32,
}

/// Tasks or tools that differ between a pack and a draft.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct ItemChanges {
    /// Names that only the draft has.
    pub added: Vec<String>,
    /// Items that both have, with different content.
    pub changed: Vec<ChangedItem>,
    /// Names that only the pack has.
    pub removed: Vec<String>,
    /// Whether the items that both have are in another order.
    pub moved: bool,
}

/// Task or tool whose content differs between a pack and a draft.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct ChangedItem {
    /// Task id or tool name.
    pub name: String,
    /// Top-level fields that differ.
    pub fields: Vec<String>,
}

impl DraftChanges {
    /// Whether the draft changes nothing.
    pub fn is_empty(&self) -> bool {
        let none = |items: &ItemChanges| {
            items.added.is_empty() && items.changed.is_empty() && items.removed.is_empty() && !items.moved
        };
        none(&self.tasks) && none(&self.tools) && !self.judge_prompts && !self.head && self.records == 0
    }
}

/// Compares a draft with the pack `before`. Without a pack, everything counts as added. Tasks and
/// tools that are not JSON count as absent.
pub fn changes(before: Option<&Pack>, draft: &Draft) -> DraftChanges {
    let none = Pack::default();
    let before = before.unwrap_or(&none);
    let tasks_before = before
        .tasks
        .iter()
        .flat_map(|(level, tasks)| tasks.iter().map(|task| (task.id.clone(), with_level(level, &task.raw))));
    let tasks_now = draft.tasks.iter().filter_map(|task| {
        let raw: Map<String, Value> = serde_json::from_str(&task.text).ok()?;
        let id = raw.get("task_id")?.as_str()?.to_owned();
        Some((id, with_level(&task.level, &raw)))
    });
    let tools_now = draft.tools.iter().filter_map(|text| {
        let fields: Map<String, Value> = serde_json::from_str(text).ok()?;
        Some((fields.get("name")?.as_str()?.to_owned(), fields))
    });
    let manifest = &before.manifest;
    let head = &draft.head;
    DraftChanges {
        tasks: compare(tasks_before.collect(), tasks_now.collect()),
        tools: compare(before.tools.iter().map(tool_fields).collect(), tools_now.collect()),
        judge_prompts: before.judge_prompts != draft.judge_prompts,
        head: (&manifest.title, &manifest.source, &manifest.licence)
            != (&head.title, &head.source, &head.licence),
        records: 0,
    }
}

type NamedFields = (String, Map<String, Value>);

fn with_level(level: &Level, raw: &Map<String, Value>) -> Map<String, Value> {
    let mut fields = raw.clone();
    // No dataset has a field of this name. `task_level` may differ from the level of the file that
    // contains the task.
    fields.insert("level".to_owned(), level.as_str().into());
    fields
}

fn tool_fields(tool: &ToolSpec) -> NamedFields {
    let mut fields = Map::new();
    fields.insert("name".to_owned(), tool.name.as_str().into());
    fields.insert("description".to_owned(), tool.description.as_str().into());
    fields.insert("parameters".to_owned(), tool.parameters.clone());
    (tool.name.clone(), fields)
}

fn compare(before: Vec<NamedFields>, now: Vec<NamedFields>) -> ItemChanges {
    let find = |all: &[NamedFields], name: &str| all.iter().position(|(known, _)| known == name);
    let names = |all: &[NamedFields], other: &[NamedFields]| -> Vec<String> {
        let missing = all.iter().filter(|(name, _)| find(other, name).is_none());
        missing.map(|(name, _)| name.clone()).collect()
    };
    let places: Vec<usize> = now.iter().filter_map(|(name, _)| find(&before, name)).collect();
    let changed = now.iter().filter_map(|(name, fields)| {
        let was = &before[find(&before, name)?].1;
        let fields = differing(was, fields);
        (!fields.is_empty()).then(|| ChangedItem { name: name.clone(), fields })
    });
    ItemChanges {
        added: names(&now, &before),
        removed: names(&before, &now),
        moved: places.windows(2).any(|pair| pair[0] > pair[1]),
        changed: changed.collect(),
    }
}

/// Names of the top-level fields that differ. Their JSON texts are compared, because `127.0` and
/// `127` have different cache keys.
fn differing(was: &Map<String, Value>, now: &Map<String, Value>) -> Vec<String> {
    let text = |fields: &Map<String, Value>, name: &str| fields.get(name).map(super::pretty);
    let mut names: Vec<&String> = was.keys().collect();
    names.extend(now.keys().filter(|name| !was.contains_key(*name)));
    names.into_iter().filter(|name| text(was, name) != text(now, name)).cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draft::{DraftTask, example_task, example_tool};

    #[test]
    fn what_was_added_changed_removed_and_moved_is_named() {
        let task = |id: &str, n: &str| DraftTask {
            level: Level::L1,
            text: format!(r#"{{"task_id": "{id}", "instruction": "?", "x": {n}}}"#),
        };
        let of = |tasks: Vec<DraftTask>| Draft { tasks, tools: vec![example_tool()], ..Draft::default() };
        let first = of(vec![task("A", "1"), task("B", "2"), task("C", "3"), task("D", "4")]);
        let mut pack =
            Pack { tools: vec![serde_json::from_str(&example_tool()).expect("a tool")], ..Pack::default() };
        let (tasks, _) = koab_core::task::parse_level(&Level::L1, &first.level(&Level::L1).into());
        pack.tasks.insert(Level::L1, tasks);
        assert!(changes(Some(&pack), &first).is_empty(), "a copy differs in nothing");
        let second = of(vec![task("D", "4"), task("A", "1.0"), task("C", "3"), task("E", "5")]);
        let found = changes(Some(&pack), &second);
        assert_eq!(
            (found.tasks.added, found.tasks.removed, found.tasks.moved),
            (vec!["E".to_owned()], vec!["B".to_owned()], true)
        );
        assert_eq!(found.tasks.changed, [ChangedItem { name: "A".to_owned(), fields: vec!["x".to_owned()] }]);
        assert!(found.tools.changed.is_empty() && !found.judge_prompts);
    }

    #[test]
    fn a_first_version_adds_everything() {
        let draft = Draft {
            tasks: vec![DraftTask { level: Level::L1, text: example_task() }],
            tools: vec![example_tool()],
            judge_prompts: "x".to_owned(),
            ..Draft::default()
        };
        let found = changes(None, &draft);
        assert_eq!((found.tasks.added.len(), found.tools.added.len()), (1, 1));
        assert!(found.judge_prompts && !found.head);
    }
}
