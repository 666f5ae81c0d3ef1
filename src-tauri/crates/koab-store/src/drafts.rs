//! Packs that are being written: kept whole after every change, so that nothing of them is lost
//! with a window.
//!
//! Whoever changes a draft says which revision he saw. A change to another one is not made and says
//! so: of two windows the later does not silently overwrite what the earlier did. What a draft must
//! be to become a pack is [`crate::publish`]'s.

use crate::db::Store;
use crate::draft::{Draft, DraftHead, DraftTask};
use crate::error::{Error, Result};
use crate::packs;
use crate::table;
use crate::table::draft::{self, DraftRow, ItemRow};
use koab_core::level::Level;
use koab_core::say;
use rusqlite::{Connection, TransactionBehavior};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// What an item of a draft is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ItemKind {
    /// A task, with its level.
    Task,
    /// A tool definition.
    Tool,
    /// A cached response, [`DraftRecord`] as JSON.
    Record,
}

/// A task, tool or cached response of a draft.
#[derive(Clone, Debug, PartialEq)]
pub struct DraftItem {
    /// Stays the same however often it is changed or moved.
    pub id: i64,
    /// What it is.
    pub kind: ItemKind,
    /// Level of a task.
    pub level: Option<Level>,
    /// As it was written; need not be JSON.
    pub content: String,
}

/// A cached response that was written by hand.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DraftRecord {
    /// Tool name.
    pub tool: String,
    /// Arguments, as a model would give them.
    pub args: Map<String, Value>,
    /// What is answered; without it, the response of the pack that the draft goes on from is taken
    /// away.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "answer")]
    pub data: Option<Value>,
    /// When it was written, UTC, in the form of published records.
    #[serde(default)]
    pub created_at: String,
}

/// Tells an answer of `null` from none.
mod answer {
    use serde::{Deserialize as _, Deserializer, Serialize as _, Serializer};
    use serde_json::Value;

    #[expect(clippy::ref_option, reason = "serde asks for this signature")]
    pub(super) fn serialize<S: Serializer>(data: &Option<Value>, to: S) -> Result<S::Ok, S::Error> {
        data.serialize(to)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Value>, D::Error> {
        Value::deserialize(from).map(Some)
    }
}

/// A draft without what is in it.
#[derive(Clone, Debug, PartialEq)]
pub struct DraftInfo {
    /// Name of the pack that it becomes.
    pub name: String,
    /// Rises with every change.
    pub revision: i64,
    /// Label of the installed pack that it goes on from, whose cached responses it keeps.
    pub base: Option<String>,
    /// What it says about itself.
    pub head: DraftHead,
    /// When it was changed last, UTC, ISO 8601.
    pub changed_at: String,
}

/// A draft with everything in it.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredDraft {
    /// About it.
    pub info: DraftInfo,
    /// Judge prompts, YAML text.
    pub judge_prompts: String,
    /// Tasks, in their order.
    pub tasks: Vec<DraftItem>,
    /// Tools, in the catalog's order.
    pub tools: Vec<DraftItem>,
    /// Cached responses written by hand, the earlier first.
    pub records: Vec<DraftItem>,
}

impl StoredDraft {
    /// The draft as it is checked and compared; tasks and tools are in the order of theirs here.
    pub fn content(&self) -> Draft {
        let tasks = self
            .tasks
            .iter()
            .map(|item| DraftTask { level: item.level.unwrap_or(Level::L1), text: item.content.clone() });
        Draft {
            head: self.info.head.clone(),
            tasks: tasks.collect(),
            tools: self.tools.iter().map(|item| item.content.clone()).collect(),
            judge_prompts: self.judge_prompts.clone(),
        }
    }

    /// The cached responses that were written by hand, with the ids of their items.
    pub fn own_records(&self) -> Vec<(i64, DraftRecord)> {
        let read = |item: &DraftItem| Some((item.id, serde_json::from_str(&item.content).ok()?));
        self.records.iter().filter_map(read).collect()
    }
}

/// A change to a draft.
#[derive(Clone, Debug, PartialEq)]
pub enum DraftEdit {
    /// What it says about itself.
    Head(DraftHead),
    /// The judge prompts.
    Prompts(String),
    /// A new item behind another one of its kind, else at the end.
    Add {
        /// What it is.
        kind: ItemKind,
        /// Level of a task.
        level: Option<Level>,
        /// What it says.
        content: String,
        /// The item before it.
        after: Option<i64>,
    },
    /// New items at the end of their kinds, all or none; tasks with their levels.
    AddMany(Vec<(ItemKind, Option<Level>, String)>),
    /// What an item says.
    Put {
        /// Which.
        item: i64,
        /// Level of a task.
        level: Option<Level>,
        /// What it says now.
        content: String,
    },
    /// Takes an item away; it can come back until the draft is saved.
    Remove(i64),
    /// Brings an item back to its place.
    Restore(i64),
    /// Puts an item behind another one of its kind, else at the beginning.
    Move {
        /// Which.
        item: i64,
        /// The item before it.
        after: Option<i64>,
    },
}

/// The outcome of a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DraftWritten {
    /// It was made.
    Written {
        /// The draft's revision from now on.
        revision: i64,
        /// The item that was added or changed.
        item: Option<i64>,
    },
    /// The draft had been changed since it was seen; nothing was done.
    Stale {
        /// Its revision.
        revision: i64,
    },
}

impl Store {
    /// Every draft, by name.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn drafts(&self) -> Result<Vec<DraftInfo>> {
        draft::all(&self.lock())?.iter().map(info).collect()
    }

    /// A draft with everything in it.
    ///
    /// # Errors
    /// [`Error::NotFound`] when there is none of this name.
    pub fn draft(&self, name: &str) -> Result<StoredDraft> {
        stored(&self.lock(), name)
    }

    /// Begins a draft. `base` is the label of the installed pack whose cached responses it keeps.
    ///
    /// # Errors
    /// [`Error::Busy`] when there is a draft of this name.
    pub fn create_draft(
        &self,
        name: &str,
        base: Option<&str>,
        content: &Draft,
        records: &[DraftRecord],
    ) -> Result<StoredDraft> {
        let mut connection = self.lock();
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        if draft::find(&transaction, name)?.is_some() {
            return Err(Error::Busy(say!(
                "there is a draft of {name} already; continue it or discard it first"
            )));
        }
        draft::insert(&transaction, name, base, &json(&content.head), &content.judge_prompts)?;
        for (i, task) in content.tasks.iter().enumerate() {
            let level = Some(task.level.as_str());
            draft::add_item(&transaction, name, TASK, level, i as f64, &task.text)?;
        }
        for (i, text) in content.tools.iter().enumerate() {
            draft::add_item(&transaction, name, TOOL, None, i as f64, text)?;
        }
        for (i, record) in records.iter().enumerate() {
            draft::add_item(&transaction, name, RECORD, None, i as f64, &json(record))?;
        }
        let made = stored(&transaction, name)?;
        transaction.commit()?;
        Ok(made)
    }

    /// Changes a draft whose revision was `seen`.
    ///
    /// # Errors
    /// [`Error::NotFound`] when there is no such draft or item.
    pub fn change_draft(&self, name: &str, seen: i64, edit: &DraftEdit) -> Result<DraftWritten> {
        let mut connection = self.lock();
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        if !draft::raise(&transaction, name, seen)? {
            let revision = require(&transaction, name)?.revision;
            return Ok(DraftWritten::Stale { revision });
        }
        let item = apply(&transaction, name, edit)?;
        transaction.commit()?;
        Ok(DraftWritten::Written { revision: seen + 1, item })
    }

    /// The cached responses of a tool of an installed pack, as if they had been written by hand.
    ///
    /// # Errors
    /// [`Error::NotFound`] when the pack is not installed.
    pub fn draft_records(&self, pack: &str, tool: &str) -> Result<Vec<DraftRecord>> {
        let connection = self.reader()?;
        let pack = packs::require_tasks(&connection, pack)?.id;
        let mut records = Vec::new();
        table::record::each_of_tool(&connection, pack, tool, |row| {
            let parsed = |text: &str| serde_json::from_str::<Map<String, Value>>(text).unwrap_or_default();
            let recorded = row.original.as_deref().unwrap_or(&row.data);
            let args = match parsed(&row.input_params) {
                args if args.is_empty() => parsed(&row.raw_args),
                args => args,
            };
            records.push(DraftRecord {
                args,
                data: Some(crate::cache::parse(recorded.as_bytes(), tool)?),
                created_at: row.created_at,
                tool: row.tool,
            });
            Ok(())
        })?;
        // Of two to one call the later stays.
        records.sort_by(|a, b| a.created_at.cmp(&b.created_at));
        Ok(records)
    }

    /// Throws a draft away; the packs that were saved from it stay.
    ///
    /// # Errors
    /// [`Error::NotFound`] when there is none of this name.
    pub fn discard_draft(&self, name: &str) -> Result<()> {
        let connection = self.lock();
        require(&connection, name)?;
        draft::delete(&connection, name)?;
        Ok(())
    }
}

const TASK: &str = "task";
const TOOL: &str = "tool";
const RECORD: &str = "record";

fn name_of(kind: ItemKind) -> &'static str {
    match kind {
        ItemKind::Task => TASK,
        ItemKind::Tool => TOOL,
        ItemKind::Record => RECORD,
    }
}

fn apply(connection: &Connection, name: &str, edit: &DraftEdit) -> Result<Option<i64>> {
    let there = |found: bool, id: i64| match found {
        true => Ok(Some(id)),
        false => Err(no_item(name)),
    };
    match edit {
        DraftEdit::Head(head) => draft::set_head(connection, name, &json(head)).map(|()| None),
        DraftEdit::Prompts(text) => draft::set_prompts(connection, name, text).map(|()| None),
        DraftEdit::Add { kind, level, content, after } => {
            let kind = name_of(*kind);
            let place = place_behind(connection, name, kind, *after, None, f64::INFINITY)?;
            let level = level.map(Level::as_str);
            draft::add_item(connection, name, kind, level, place, content).map(Some)
        }
        DraftEdit::AddMany(items) => {
            for kind in [ItemKind::Tool, ItemKind::Record, ItemKind::Task] {
                let kind_name = name_of(kind);
                let end = place_behind(connection, name, kind_name, None, None, f64::INFINITY)?;
                let of_kind = items.iter().filter(|(of, ..)| *of == kind);
                for (i, (_, level, content)) in of_kind.enumerate() {
                    let level = level.map(Level::as_str);
                    draft::add_item(connection, name, kind_name, level, end + i as f64, content)?;
                }
            }
            Ok(None)
        }
        DraftEdit::Put { item, level, content } => {
            let level = level.map(Level::as_str);
            there(draft::put_item(connection, name, *item, level, content)?, *item)
        }
        DraftEdit::Remove(item) => there(draft::set_removed(connection, name, *item, true)?, *item),
        DraftEdit::Restore(item) => there(draft::set_removed(connection, name, *item, false)?, *item),
        DraftEdit::Move { item, after } => {
            let items = draft::items(connection, name)?;
            let kind = items.iter().find(|row| row.id == *item).map(|row| row.kind.clone());
            let kind = kind.ok_or_else(|| no_item(name))?;
            let place = place_behind(connection, name, &kind, *after, Some(*item), f64::NEG_INFINITY)?;
            draft::set_place(connection, *item, place)?;
            Ok(Some(*item))
        }
    }
}

/// A place between an item and the next one, `moved` left out; without an item the end that
/// `otherwise` says. Places are numbered anew when there is no room between two.
fn place_behind(
    connection: &Connection,
    name: &str,
    kind: &str,
    after: Option<i64>,
    moved: Option<i64>,
    otherwise: f64,
) -> Result<f64> {
    let rows = draft::items(connection, name)?.into_iter();
    let rows: Vec<ItemRow> = rows.filter(|row| row.kind == kind && Some(row.id) != moved).collect();
    let before = match after {
        Some(after) => {
            let at = rows.iter().position(|row| row.id == after);
            Some(at.ok_or_else(|| no_item(name))?)
        }
        None if otherwise > 0.0 => rows.len().checked_sub(1),
        None => None,
    };
    let next = before.map_or(0, |at| at + 1);
    let low = before.map(|at| rows[at].place);
    let high = rows.get(next).map(|row| row.place);
    let (low, high) = match (low, high) {
        (None, None) => return Ok(0.0),
        (Some(low), None) => return Ok(low + 1.0),
        (None, Some(high)) => return Ok(high - 1.0),
        (Some(low), Some(high)) => (low, high),
    };
    let middle = low.midpoint(high);
    if low < middle && middle < high {
        return Ok(middle);
    }
    for (i, row) in rows.iter().enumerate() {
        draft::set_place(connection, row.id, i as f64)?;
    }
    Ok(next as f64 - 0.5)
}

/// The row of a draft.
pub(crate) fn require(connection: &Connection, name: &str) -> Result<DraftRow> {
    draft::find(connection, name)?.ok_or_else(|| {
        Error::NotFound(say!("there is no draft of {name}; it was discarded, or begun in another workspace"))
    })
}

fn no_item(name: &str) -> Error {
    Error::NotFound(say!("the draft of {name} has no such task, tool or response any more"))
}

/// A draft with everything in it.
pub(crate) fn stored(connection: &Connection, name: &str) -> Result<StoredDraft> {
    let row = require(connection, name)?;
    let mut draft = StoredDraft {
        info: info(&row)?,
        judge_prompts: row.prompts,
        tasks: Vec::new(),
        tools: Vec::new(),
        records: Vec::new(),
    };
    for item in draft::items(connection, name)? {
        let (kind, items) = match item.kind.as_str() {
            TASK => (ItemKind::Task, &mut draft.tasks),
            TOOL => (ItemKind::Tool, &mut draft.tools),
            _ => (ItemKind::Record, &mut draft.records),
        };
        items.push(DraftItem {
            id: item.id,
            kind,
            level: item.level.and_then(|level| level.parse().ok()),
            content: item.content,
        });
    }
    Ok(draft)
}

fn info(row: &DraftRow) -> Result<DraftInfo> {
    let head = serde_json::from_str(&row.head).map_err(|error| {
        Error::BadFile(say!(
            "koab.sqlite holds a draft of {} that cannot be read ({error}); discard it",
            row.name
        ))
    })?;
    Ok(DraftInfo {
        name: row.name.clone(),
        revision: row.revision,
        base: row.base.clone(),
        head,
        changed_at: row.changed_at.clone(),
    })
}

fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("BUG: drafts are JSON")
}
