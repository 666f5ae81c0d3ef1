//! Storage of drafts: packs that are being written. Every change is saved at once, so closing a
//! window loses nothing.
//!
//! Each change names the revision that its author has seen. A change based on an older revision is
//! refused, so one window cannot silently overwrite the work of another. [`crate::publish`] turns a
//! draft into a pack.

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

/// Kind of an item in a draft.
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
    /// Id of the item. It stays the same when the item is changed or moved.
    pub id: i64,
    /// Kind of the item.
    pub kind: ItemKind,
    /// Level of a task.
    pub level: Option<Level>,
    /// Text of the item as its author wrote it. It need not be JSON.
    pub content: String,
}

/// A cached response that was written by hand.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DraftRecord {
    /// Tool name.
    pub tool: String,
    /// Arguments, as a model would give them.
    pub args: Map<String, Value>,
    /// Answer of the tool. `None` removes the response of the base pack to this call.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "answer")]
    pub data: Option<Value>,
    /// Time of writing in UTC, in the form of published records.
    #[serde(default)]
    pub created_at: String,
}

/// Serialization of an answer. An answer of `null` differs from a missing answer.
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

/// Properties of a draft, without its items.
#[derive(Clone, Debug, PartialEq)]
pub struct DraftInfo {
    /// Name of the pack that the draft becomes.
    pub name: String,
    /// Number of the revision. It rises with every change.
    pub revision: i64,
    /// Label of the installed pack that the draft continues. The draft keeps the cached responses
    /// of that pack.
    pub base: Option<String>,
    /// Title, source and licence of the pack.
    pub head: DraftHead,
    /// Time of the last change, UTC, ISO 8601.
    pub changed_at: String,
}

/// Draft with all its items.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredDraft {
    /// Properties of the draft.
    pub info: DraftInfo,
    /// Judge prompts as YAML text.
    pub judge_prompts: String,
    /// Tasks, in their order.
    pub tasks: Vec<DraftItem>,
    /// Tools, in the catalog's order.
    pub tools: Vec<DraftItem>,
    /// Cached responses written by hand, oldest first.
    pub records: Vec<DraftItem>,
}

impl StoredDraft {
    /// The draft in the form that is checked and compared with packs. Tasks and tools keep their
    /// order.
    pub fn content(&self) -> Draft {
        let tasks = self.tasks.iter().map(|item| {
            let level = item.level.clone().unwrap_or(Level::L1);
            DraftTask { level, text: item.content.clone() }
        });
        Draft {
            head: self.info.head.clone(),
            tasks: tasks.collect(),
            tools: self.tools.iter().map(|item| item.content.clone()).collect(),
            judge_prompts: self.judge_prompts.clone(),
        }
    }

    /// Cached responses that were written by hand, with the ids of their items.
    pub fn own_records(&self) -> Vec<(i64, DraftRecord)> {
        let read = |item: &DraftItem| Some((item.id, serde_json::from_str(&item.content).ok()?));
        self.records.iter().filter_map(read).collect()
    }
}

/// Change of a draft.
#[derive(Clone, Debug, PartialEq)]
pub enum DraftEdit {
    /// Replaces title, source and licence.
    Head(DraftHead),
    /// Replaces the judge prompts.
    Prompts(String),
    /// Adds an item after another of its kind, or at the end.
    Add {
        /// Kind of the new item.
        kind: ItemKind,
        /// Level of a task.
        level: Option<Level>,
        /// Text of the item.
        content: String,
        /// Item after which the new one is inserted.
        after: Option<i64>,
    },
    /// Adds items at the end of their kinds, all or none. Tasks have a level.
    AddMany(Vec<(ItemKind, Option<Level>, String)>),
    /// Replaces the text of an item.
    Put {
        /// Id of the item.
        item: i64,
        /// Level of a task.
        level: Option<Level>,
        /// New text.
        content: String,
    },
    /// Removes an item. It can be restored until the draft is saved.
    Remove(i64),
    /// Restores a removed item to its place.
    Restore(i64),
    /// Moves an item after another of its kind, or to the beginning.
    Move {
        /// Id of the item to move.
        item: i64,
        /// Item after which it is moved.
        after: Option<i64>,
    },
}

/// Outcome of a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DraftWritten {
    /// The change was made.
    Written {
        /// New revision of the draft.
        revision: i64,
        /// The item that was added or changed.
        item: Option<i64>,
    },
    /// The draft had been changed after the revision that the caller saw. Nothing was done.
    Stale {
        /// Current revision of the draft.
        revision: i64,
    },
}

impl Store {
    /// All drafts, by name.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn drafts(&self) -> Result<Vec<DraftInfo>> {
        draft::all(&self.lock())?.iter().map(info).collect()
    }

    /// A draft with all its items.
    ///
    /// # Errors
    /// [`Error::NotFound`] when there is no draft of this name.
    pub fn draft(&self, name: &str) -> Result<StoredDraft> {
        stored(&self.lock(), name)
    }

    /// Creates a draft. `base` is the label of the installed pack whose cached responses it keeps.
    ///
    /// # Errors
    /// [`Error::Busy`] when a draft of this name exists.
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
        let draft = stored(&transaction, name)?;
        transaction.commit()?;
        Ok(draft)
    }

    /// Changes a draft, if its revision is still `seen`.
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

    /// Cached responses of one tool in an installed pack, in the form of responses written by hand.
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
        // When two records answer the same call, the later one wins, so it comes last.
        records.sort_by(|a, b| a.created_at.cmp(&b.created_at));
        Ok(records)
    }

    /// Deletes a draft. Packs that were saved from it stay.
    ///
    /// # Errors
    /// [`Error::NotFound`] when there is no draft of this name.
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
    let there = |found: bool, id: i64| if found { Ok(Some(id)) } else { Err(no_item(name)) };
    match edit {
        DraftEdit::Head(head) => draft::set_head(connection, name, &json(head)).map(|()| None),
        DraftEdit::Prompts(text) => draft::set_prompts(connection, name, text).map(|()| None),
        DraftEdit::Add { kind, level, content, after } => {
            let kind = name_of(*kind);
            let place = place_behind(connection, name, kind, *after, None, f64::INFINITY)?;
            let level = level.as_ref().map(Level::as_str);
            draft::add_item(connection, name, kind, level, place, content).map(Some)
        }
        DraftEdit::AddMany(items) => {
            for kind in [ItemKind::Tool, ItemKind::Record, ItemKind::Task] {
                let kind_name = name_of(kind);
                let end = place_behind(connection, name, kind_name, None, None, f64::INFINITY)?;
                let of_kind = items.iter().filter(|(of, ..)| *of == kind);
                for (i, (_, level, content)) in of_kind.enumerate() {
                    let level = level.as_ref().map(Level::as_str);
                    draft::add_item(connection, name, kind_name, level, end + i as f64, content)?;
                }
            }
            Ok(None)
        }
        DraftEdit::Put { item, level, content } => {
            let level = level.as_ref().map(Level::as_str);
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

/// Sort key that puts an item directly after the item `after`. The item `moved` is ignored.
///
/// If `after` is `None`, the sign of `otherwise` decides: a positive number means the end, and a
/// negative one the beginning. All keys are renumbered if there is no number left between two
/// neighbours.
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

/// Row of a draft. A missing draft is an error.
pub(crate) fn require(connection: &Connection, name: &str) -> Result<DraftRow> {
    draft::find(connection, name)?.ok_or_else(|| {
        Error::NotFound(say!("there is no draft of {name}; it was discarded, or begun in another workspace"))
    })
}

fn no_item(name: &str) -> Error {
    Error::NotFound(say!("the draft of {name} has no such task, tool or response any more"))
}

/// Reads a draft with all its items.
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
