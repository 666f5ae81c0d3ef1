//! Assembles tool calls: assigns each piece to its call (`docs/spec/adapters.md` §10.10).
//!
//! Servers disagree about how to distinguish the parallel calls of a turn: some give all of them
//! the index 0, some the same id, some neither. Others give a new id to every piece, or repeat the
//! name with it. All of them send a name and arguments. Therefore a name after complete arguments
//! begins a call, and a name in the middle of arguments is a repetition. Index and id select the
//! call to compare with, and decide where name and arguments are ambiguous.

use crate::json_end::JsonEnd;
use crate::openai_compat::chunk::CallFragment;
use koab_core::python::joined_json;
use koab_core::tool::ToolSpec;
use koab_engine::ports::RequestedCall;
use serde_json::{Value, json};

/// The calls of one answer.
#[derive(Debug, Default)]
pub(super) struct Calls<'a> {
    slots: Vec<Slot>,
    /// The offered tools. Their names show whether a text is a piece of a name or another name.
    tools: &'a [ToolSpec],
}

/// A tool call while it is assembled.
#[derive(Debug, Default)]
struct Slot {
    index: Option<u64>,
    /// Call id; empty until one came.
    id: String,
    name: String,
    /// Arguments so far; `None` until the server sent some, even empty ones.
    arguments: Option<String>,
    /// Scanner state of the arguments' JSON.
    end: JsonEnd,
    extra: Option<Value>,
    /// Whether the entry may be only the empty end of the call before it, and not a call. Servers
    /// that name the call in every piece send such an end. Without arguments, the entry is dropped.
    may_be_end: bool,
    /// Whether the call came as `function_call`, the field that `tool_calls` replaced.
    is_legacy: bool,
}

impl Slot {
    fn has_arguments(&self) -> bool {
        self.arguments.as_deref().is_some_and(|text| !text.trim().is_empty())
    }

    fn add(&mut self, more: &str) {
        self.end.push(more);
        self.arguments.get_or_insert_default().push_str(more);
    }

    fn set(&mut self, whole: &str) {
        self.end = JsonEnd::default();
        self.arguments = None;
        self.add(whole);
    }
}

/// The contents of a fragment.
struct Piece<'f> {
    index: Option<u64>,
    id: Option<&'f str>,
    name: Option<&'f str>,
    /// Piece of the arguments; `None` if the server sent none.
    arguments: Option<&'f str>,
    is_legacy: bool,
}

impl Piece<'_> {
    /// Piece of the arguments, without surrounding blanks. Empty if the server sent none.
    fn more(&self) -> &str {
        self.arguments.unwrap_or_default().trim()
    }
}

impl<'a> Calls<'a> {
    /// Creates an empty list for an answer. The model was offered the given tools.
    pub(super) fn of(tools: &'a [ToolSpec]) -> Self {
        Self { slots: Vec::new(), tools }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    /// Adds a piece of a call, or a whole call. A whole call always begins a new entry.
    pub(super) fn push(&mut self, fragment: &CallFragment, is_whole: bool) {
        let (id, arguments) = (fragment.id(), fragment.arguments());
        let piece = Piece {
            index: fragment.index(),
            id: id.as_deref(),
            name: fragment.name(),
            arguments: arguments.as_deref(),
            is_legacy: fragment.is_legacy,
        };
        let slot = if is_whole { None } else { self.slot_for(&piece) };
        let may_be_end = !is_whole && slot.is_none() && self.may_be_end(&piece);
        let at = slot.unwrap_or_else(|| {
            self.slots.push(Slot {
                may_be_end,
                index: piece.index,
                is_legacy: piece.is_legacy,
                ..Slot::default()
            });
            self.slots.len() - 1
        });
        self.join(at, &piece);
        if let Some(extra) = fragment.extra_content.as_ref().filter(|extra| !extra.is_null()) {
            self.slots[at].extra = Some(extra.clone());
        }
    }

    /// Position of the call that a piece continues. `None` if the piece begins a new call.
    fn slot_for(&self, piece: &Piece<'_>) -> Option<usize> {
        let at = self.candidate(piece)?;
        (!self.begins(&self.slots[at], piece)).then_some(at)
    }

    /// Position of the call that a piece might continue: the last call with the piece's index and
    /// id, or else with its index. For a piece without an index, the last call with its id, or else
    /// the last call.
    fn candidate(&self, piece: &Piece<'_>) -> Option<usize> {
        let is_near = |slot: &Slot| {
            slot.is_legacy == piece.is_legacy && (piece.index.is_none() || slot.index == piece.index)
        };
        let has_id = |slot: &Slot| piece.id == Some(slot.id.as_str());
        let of_id = self.slots.iter().rposition(|slot| is_near(slot) && has_id(slot));
        of_id.or_else(|| self.slots.iter().rposition(is_near))
    }

    /// Whether a piece begins a new call, instead of continuing the call in `slot`.
    fn begins(&self, slot: &Slot, piece: &Piece<'_>) -> bool {
        let Some(name) = piece.name else { return false };
        let other_id = !slot.id.is_empty() && piece.id.is_some_and(|id| id != slot.id);
        let same_id = !slot.id.is_empty() && piece.id == Some(slot.id.as_str());
        // Without an index, a server distinguishes calls by their ids.
        let has_own_id = other_id && piece.index.is_none();
        if slot.name.is_empty() {
            return other_id && slot.has_arguments();
        }
        if name != slot.name {
            // All pieces of a name come before the arguments.
            return slot.has_arguments() || other_id || !self.continues_name(&slot.name, name);
        }
        let more = piece.more();
        let is_whole = more.starts_with('{') && JsonEnd::of(more).is_complete();
        if !slot.has_arguments() {
            return if more.is_empty() { other_id && !slot.may_be_end } else { has_own_id && is_whole };
        }
        if !slot.end.is_complete() {
            // Two halves that do not fit are two calls, and the model left the first one
            // unfinished.
            return is_whole && !slot.end.may_hold_object();
        }
        // Equal arguments with the same id are a repetition of the call.
        more.is_empty() || !(same_id && is_whole && slot.arguments.as_deref().map(str::trim) == Some(more))
    }

    /// Whether a piece that begins a new entry may be only the empty end of the call before it.
    fn may_be_end(&self, piece: &Piece<'_>) -> bool {
        let before = self.candidate(piece).map(|at| &self.slots[at]);
        let is_end = |slot: &Slot| {
            let is_new =
                slot.index.is_none() && piece.id.is_some_and(|id| !slot.id.is_empty() && id != slot.id);
            piece.name == Some(slot.name.as_str()) && slot.end.is_complete() && !is_new
        };
        piece.more().is_empty() && before.is_some_and(is_end)
    }

    fn is_tool(&self, name: &str) -> bool {
        self.tools.iter().any(|tool| tool.name == name)
    }

    /// Whether the text `name` continues the name `before`, either as a further piece or as a
    /// longer repetition.
    fn continues_name(&self, before: &str, name: &str) -> bool {
        if self.is_tool(&format!("{before}{name}")) {
            return true;
        }
        !self.is_tool(before) && (!self.is_tool(name) || name.starts_with(before))
    }

    /// Adds a piece to the call at position `at`. Complete arguments replace earlier complete ones.
    fn join(&mut self, at: usize, piece: &Piece<'_>) {
        if let Some(name) = piece.name {
            let slot = &self.slots[at];
            let joined = format!("{}{name}", slot.name);
            let has_grown = name.starts_with(&slot.name) && (self.is_tool(name) || !self.is_tool(&joined));
            self.slots[at].name = if has_grown { name.to_owned() } else { joined };
        }
        let slot = &mut self.slots[at];
        if let Some(id) = piece.id.filter(|_| slot.id.is_empty()) {
            slot.id = id.to_owned();
        }
        // An empty piece after a call contains nothing.
        let arguments = piece.arguments.filter(|text| !text.is_empty() || piece.name.is_some());
        let Some(arguments) = arguments else { return };
        let more = arguments.trim();
        let is_empty_object = |slot: &Slot| {
            let inner = slot.arguments.as_deref().and_then(|text| text.trim().strip_prefix('{'));
            inner.is_some_and(|inner| inner.trim_start() == "}")
        };
        // Some servers begin with an empty object as a placeholder.
        let replaces = slot.end.is_complete()
            && more.starts_with('{')
            && (is_empty_object(slot) || JsonEnd::of(more).is_complete());
        if replaces {
            slot.set(arguments);
        } else {
            slot.add(arguments);
        }
    }

    /// Whether the first call has the same id and name as `call`.
    pub(super) fn begin_with(&self, call: &CallFragment) -> bool {
        let is_same = |slot: &Slot| {
            let id = call.id();
            id.as_deref().unwrap_or_default() == slot.id && call.name() == Some(slot.name.as_str())
        };
        self.slots.first().is_some_and(is_same)
    }

    /// Drops all calls. Used when the server sends the whole list next.
    pub(super) fn clear(&mut self) {
        self.slots.clear();
    }

    /// Sorts the calls by their index. Calls from `function_call` are dropped if there are others,
    /// because some servers send each call in both fields.
    pub(super) fn order(&mut self) {
        self.slots.retain(|slot| !slot.may_be_end || slot.has_arguments());
        if self.slots.iter().any(|slot| !slot.is_legacy) {
            self.slots.retain(|slot| !slot.is_legacy);
        }
        self.slots.sort_by_key(|slot| slot.index.unwrap_or(u64::MAX));
    }

    /// The calls in the form of the server's message.
    pub(super) fn to_json(&self) -> Value {
        let call = |slot: &Slot| {
            let arguments = joined_json(slot.arguments.as_deref().unwrap_or_default());
            let function = json!({ "name": slot.name, "arguments": arguments });
            json!({ "id": slot.id, "type": "function", "function": function })
        };
        self.slots.iter().map(call).collect()
    }

    /// The calls, each with the extra content that later requests must contain.
    ///
    /// A call without arguments gets an empty object, unless the answer was cut off and its
    /// arguments may be missing.
    pub(super) fn into_requested(self, is_cut_off: bool) -> (Vec<RequestedCall>, Vec<Option<Value>>) {
        let none = if is_cut_off { "" } else { "{}" };
        let calls = self.slots.into_iter().map(|slot| {
            let call = RequestedCall {
                id: slot.id,
                name: slot.name,
                arguments: slot.arguments.map_or_else(|| none.to_owned(), |text| joined_json(&text)),
            };
            (call, slot.extra)
        });
        calls.unzip()
    }
}
