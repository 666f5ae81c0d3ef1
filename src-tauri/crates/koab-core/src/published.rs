//! Comparison of a benchmark's published dataset with an installed pack.
//!
//! The dataset on a hub has only the instruction and the tools of each task, without golden paths,
//! conversations and recorded responses. This is enough to check whether the installed pack is
//! still the published one, but not enough for a run. `koab-store` reads the dataset's files.

use crate::level::Level;
use crate::pack::Pack;
use crate::task::Task;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// A task of the published dataset.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PublishedTask {
    /// Level of the file that contains the task.
    pub level: Level,
    /// Instruction of the user.
    pub instruction: String,
    /// Names of the task's tools in order.
    pub tools: Vec<String>,
}

/// Result of the comparison of a task in the dataset and in the pack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub enum DriftStanding {
    /// Both have the task with the same level and the same tools.
    Same,
    /// Both have the task with different tools.
    OtherTools,
    /// Both have the task with the same tools at different levels.
    OtherLevel,
    /// The pack does not have the task.
    OnlyPublished,
    /// The dataset does not have the task.
    OnlyInPack,
}

/// A task of the dataset, of the pack or of both.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct DriftRow {
    /// Result of the comparison.
    pub standing: DriftStanding,
    /// Level in the dataset, or the level in the pack if the dataset does not have the task.
    pub level: Level,
    /// Level in the pack; `null` if the pack does not have the task.
    pub pack_level: Option<Level>,
    /// Task id in the pack, since the dataset has no ids; `null` if the pack does not have the
    /// task.
    pub task: Option<String>,
    /// Instruction of the user.
    pub instruction: String,
    /// Tools in the dataset; `null` if the dataset does not have the task.
    pub published_tools: Option<Vec<String>>,
    /// Tools in the pack; `null` if the pack does not have the task.
    pub pack_tools: Option<Vec<String>>,
}

/// Compares the published dataset with a pack, task by task. Rows are sorted by level. Within a
/// level, published tasks come before tasks that only the pack has.
///
/// Tasks are matched by their instructions, ignoring white space, since the dataset has nothing
/// else that identifies a task. If several tasks have the same instruction, tasks of the same level
/// are paired first.
pub fn drift(published: &[PublishedTask], pack: &Pack) -> Vec<DriftRow> {
    let mut open: BTreeMap<String, Vec<&Task>> = BTreeMap::new();
    for task in pack.tasks.values().flatten() {
        open.entry(plain(task.instruction())).or_default().push(task);
    }
    let mut take = |one: &PublishedTask, at_its_level: bool| {
        let tasks = open.get_mut(&plain(&one.instruction))?;
        let at = tasks.iter().position(|task| !at_its_level || task.level == one.level)?;
        Some(tasks.remove(at))
    };
    let mut pairs: Vec<Option<&Task>> = published.iter().map(|one| take(one, true)).collect();
    for (one, pair) in published.iter().zip(&mut pairs) {
        if pair.is_none() {
            *pair = take(one, false);
        }
    }
    let mut rows: Vec<DriftRow> = published.iter().zip(pairs).map(|(one, task)| row(one, task)).collect();
    let paired: BTreeSet<(&Level, &str)> =
        rows.iter().filter_map(|row| Some((row.pack_level.as_ref()?, row.task.as_deref()?))).collect();
    let unpaired: Vec<DriftRow> = pack
        .tasks
        .values()
        .flatten()
        .filter(|task| !paired.contains(&(&task.level, task.id.as_str())))
        .map(only_in_pack)
        .collect();
    rows.extend(unpaired);
    rows.sort_by(|one, other| one.level.cmp(&other.level));
    rows
}

/// Number of published tasks that a pack has, matched by their instructions. With several packs,
/// the highest number shows which pack belongs to the dataset.
pub fn in_common(published: &[PublishedTask], pack: &Pack) -> usize {
    let instructions: BTreeSet<String> =
        pack.tasks.values().flatten().map(|task| plain(task.instruction())).collect();
    published.iter().filter(|one| instructions.contains(&plain(&one.instruction))).count()
}

fn row(one: &PublishedTask, task: Option<&Task>) -> DriftRow {
    let standing = match task {
        None => DriftStanding::OnlyPublished,
        Some(task) if !names_of(task).iter().any(|names| same(names, &one.tools)) => {
            DriftStanding::OtherTools
        }
        Some(task) if task.level != one.level => DriftStanding::OtherLevel,
        Some(_) => DriftStanding::Same,
    };
    DriftRow {
        standing,
        level: one.level.clone(),
        pack_level: task.map(|task| task.level.clone()),
        task: task.map(|task| task.id.clone()),
        instruction: one.instruction.clone(),
        published_tools: Some(one.tools.clone()),
        pack_tools: task.map(shown),
    }
}

fn only_in_pack(task: &Task) -> DriftRow {
    DriftRow {
        standing: DriftStanding::OnlyInPack,
        level: task.level.clone(),
        pack_level: Some(task.level.clone()),
        task: Some(task.id.clone()),
        instruction: task.instruction().to_owned(),
        published_tools: None,
        pack_tools: Some(shown(task)),
    }
}

/// Lists of tools that the dataset may have for a task: the tools to choose from (L2), the tools of
/// the golden path, or these with the fallbacks (L5).
///
/// The dataset does not show which list it has, so a match with any list counts.
fn names_of(task: &Task) -> [Vec<String>; 3] {
    let with_fallbacks = [task.expected_tools(), task.fallback_tools()].concat();
    [task.available_tools(), task.expected_tools(), with_fallbacks]
}

/// Tools of a pack's task for display: the tools to choose from, or else those of the golden path
/// and the fallbacks.
fn shown(task: &Task) -> Vec<String> {
    let [available, _, mut all] = names_of(task);
    if !available.is_empty() {
        return available;
    }
    let mut names = BTreeSet::new();
    all.retain(|name| names.insert(name.clone()));
    all
}

fn same(a: &[String], b: &[String]) -> bool {
    let set = |names: &[String]| names.iter().cloned().collect::<BTreeSet<String>>();
    set(a) == set(b)
}

/// Text with each run of white space replaced by one space.
fn plain(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn pack(tasks: &[(Level, &str, &str, &[&str])]) -> Pack {
        let mut pack = Pack::default();
        for (level, id, instruction, tools) in tasks {
            let calls: Vec<_> = tools.iter().map(|tool| json!({"tool": tool, "args": {}})).collect();
            let raw = json!({"instruction": instruction, "golden_action": calls});
            pack.tasks.entry(level.clone()).or_default().push(Task {
                id: (*id).to_owned(),
                level: level.clone(),
                raw: raw.as_object().expect("an object").clone(),
            });
        }
        pack
    }

    fn published(level: Level, instruction: &str, tools: &[&str]) -> PublishedTask {
        PublishedTask {
            level,
            instruction: instruction.to_owned(),
            tools: tools.iter().map(|tool| (*tool).to_owned()).collect(),
        }
    }

    /// Standing, level and id of every row.
    fn lines(published: &[PublishedTask], pack: &Pack) -> Vec<String> {
        let rows = drift(published, pack);
        rows.iter()
            .map(|row| {
                let task = row.task.as_deref().unwrap_or("-");
                format!("{} {task} {:?}", row.level, row.standing)
            })
            .collect()
    }

    #[test]
    fn tasks_are_paired_by_what_is_asked() {
        let pack = pack(&[
            (Level::L1, "L1-001", "길을  알려줘\n", &["a"]),
            (Level::L1, "L1-002", "날씨는?", &["a"]),
            (Level::L2, "L2-001", "주가는?", &["b"]),
            (Level::L2, "L2-002", "새 과제", &["b"]),
        ]);
        let published = [
            published(Level::L1, "길을 알려줘", &["a"]),
            published(Level::L1, "날씨는?", &["a", "b"]),
            published(Level::L1, "주가는?", &["b"]),
            published(Level::L2, "옛 과제", &["b"]),
        ];
        assert_eq!(
            lines(&published, &pack),
            [
                "L1 L1-001 Same",
                "L1 L1-002 OtherTools",
                "L1 L2-001 OtherLevel",
                "L2 - OnlyPublished",
                "L2 L2-002 OnlyInPack",
            ]
        );
        assert_eq!(in_common(&published, &pack), 3);
    }

    #[test]
    fn a_task_is_paired_once_and_with_its_own_level_first() {
        let pack =
            pack(&[(Level::L1, "L1-001", "같은 말", &["a"]), (Level::L3, "L3-001", "같은 말", &["a"])]);
        let twice = [
            published(Level::L3, "같은 말", &["a"]),
            published(Level::L1, "같은 말", &["a"]),
            published(Level::L1, "같은 말", &["a"]),
        ];
        assert_eq!(lines(&twice, &pack), ["L1 L1-001 Same", "L1 - OnlyPublished", "L3 L3-001 Same"]);
    }

    #[test]
    fn whichever_list_of_tools_a_task_states_may_be_the_published_one() {
        let mut pack = pack(&[(Level::L5, "L5-001", "가", &["a"]), (Level::L2, "L2-001", "나", &["b"])]);
        let tasks = pack.tasks.values_mut().flatten();
        for task in tasks {
            task.raw.insert("fallback_options".to_owned(), json!([{"tool": "z"}]));
            if task.level == Level::L2 {
                task.raw.insert("available_tools".to_owned(), json!(["c", "b", "d"]));
            }
        }
        for (level, text, tools) in [
            (Level::L5, "가", &["a"][..]),
            (Level::L5, "가", &["z", "a"]),
            (Level::L2, "나", &["b"]),
            (Level::L2, "나", &["b", "c", "d"]),
        ] {
            let rows = drift(&[published(level, text, tools)], &pack);
            let row = rows.iter().find(|row| row.instruction == text).expect("a row");
            assert_eq!(row.standing, DriftStanding::Same, "{tools:?}");
        }
        let rows = drift(&[published(Level::L2, "나", &["c"])], &pack);
        assert_eq!(rows[0].standing, DriftStanding::OtherTools);
        assert_eq!(rows[0].pack_tools.as_deref(), Some(&["c", "b", "d"].map(str::to_owned)[..]));
    }
}
