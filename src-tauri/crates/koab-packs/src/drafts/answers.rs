//! Look-up of calls in a draft, as in a run of the saved draft.
//!
//! Responses that were written by hand come first, then those of the draft's base pack. The base
//! pack may define a tool differently.

use crate::answers::{AnswerSource, RecordHit};
use crate::wire::{CallAnswer, DraftCall};
use koab_core::args::{self, NormalizedArgs};
use koab_core::catalog::ToolCatalog;
use koab_core::pack::Pack;
use koab_core::task::{Task, placeholder, stated_calls};
use koab_core::tool::ToolFault;
use koab_store::PackCache;
use koab_store::draft::pretty;
use koab_store::drafts::DraftRecord;
use koab_store::redefined::RedefinedRecord;
use koab_workspace::WireError;
use serde_json::{Map, Value};
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

pub(super) struct DraftAnswers {
    catalog: ToolCatalog,
    base: Option<(Arc<Pack>, PackCache)>,
    own: Vec<DraftRecord>,
    /// Records of tools whose definition differs from the base pack's, read on first use.
    restated: RefCell<HashMap<String, Rc<Vec<RedefinedRecord>>>>,
}

impl AnswerSource for DraftAnswers {
    fn catalog(&self) -> &ToolCatalog {
        &self.catalog
    }

    fn recorded(&self, tool: &str) -> Result<Rc<Vec<NormalizedArgs>>, WireError> {
        let all = self.all(tool)?.into_iter();
        Ok(Rc::new(all.map(|(args, _)| args).collect()))
    }

    fn find(&self, tool: &str, args: &NormalizedArgs) -> Result<Option<RecordHit>, WireError> {
        if let Some(own) = self.by_hand(tool, args) {
            return Ok(own.data.clone().map(|data| RecordHit {
                key: self.catalog.key(tool, args),
                stale: false,
                recorded_at: own.created_at.clone(),
                data,
            }));
        }
        if let Some(cache) = self.as_in_base(tool) {
            let detail = cache.find(tool, args)?;
            return Ok(detail.map(RecordHit::from));
        }
        let Some(records) = self.reworded(tool)? else {
            return Ok(None);
        };
        let (Some(record), Some((_, cache))) =
            (records.iter().find(|record| record.args == *args), &self.base)
        else {
            return Ok(None);
        };
        Ok(cache.recorded(tool, &record.key)?.map(|data| RecordHit {
            key: record.key.clone(),
            stale: !record.current,
            recorded_at: record.created_at.clone(),
            data,
        }))
    }
}

impl DraftAnswers {
    pub(super) fn new(
        catalog: ToolCatalog,
        base: Option<(Arc<Pack>, PackCache)>,
        own: Vec<(i64, DraftRecord)>,
    ) -> Self {
        Self {
            catalog,
            base,
            own: own.into_iter().map(|(_, record)| record).collect(),
            restated: RefCell::default(),
        }
    }

    /// Whether a record answers the call.
    pub(super) fn is_answered(&self, tool: &str, raw: &Map<String, Value>) -> Result<bool, WireError> {
        let Ok(args) = self.catalog.normalized(tool, raw) else {
            return Ok(false);
        };
        if let Some(own) = self.by_hand(tool, &args) {
            return Ok(own.data.is_some());
        }
        match self.as_in_base(tool) {
            Some(cache) => Ok(cache.answers(tool, &args)?),
            None => Ok(self.find(tool, &args)?.is_some()),
        }
    }

    /// Calls that a task states, with their outcomes in a run.
    pub(super) fn calls(&self, task: &Task) -> Result<Vec<DraftCall>, WireError> {
        let injected = task.error_injection();
        let mut calls = Vec::new();
        for call in stated_calls(task) {
            let Some(tool) = call.action.get("tool").and_then(Value::as_str) else {
                continue;
            };
            let args = call.action.get("args").and_then(Value::as_object).cloned().unwrap_or_default();
            let answer = match injected {
                Some((fails, error_type)) if fails == tool && call.place.starts_with("golden_action") => {
                    CallAnswer::Injected { message: ToolFault::injected(error_type).to_string() }
                }
                _ => self.answer(tool, &args)?.0,
            };
            let open_args = args.iter().filter(|(_, value)| placeholder(value).is_some());
            calls.push(DraftCall {
                place: call.place,
                tool: tool.to_owned(),
                placeholders: open_args.map(|(name, _)| name.clone()).collect(),
                arguments: pretty(&Value::Object(args)),
                answer,
            });
        }
        Ok(calls)
    }

    /// Records of the base pack for a tool whose definition has changed. `None` when it has not
    /// changed, or the base pack lacks the tool.
    pub(super) fn reworded(&self, tool: &str) -> Result<Option<Rc<Vec<RedefinedRecord>>>, WireError> {
        if self.as_in_base(tool).is_some() {
            return Ok(None);
        }
        let (Some((_, cache)), Some(spec)) = (&self.base, self.catalog.get(tool)) else {
            return Ok(None);
        };
        if let Some(known) = self.restated.borrow().get(tool) {
            return Ok(Some(Rc::clone(known)));
        }
        let records = Rc::new(cache.restated(spec)?);
        self.restated.borrow_mut().insert(tool.to_owned(), Rc::clone(&records));
        Ok(Some(records))
    }

    /// Arguments of all answered calls of a tool, and whether each response was written by hand.
    pub(super) fn all(&self, tool: &str) -> Result<Vec<(NormalizedArgs, bool)>, WireError> {
        let own = self.own.iter().filter(|record| record.tool == tool);
        let mut calls: Vec<(NormalizedArgs, bool)> = Vec::new();
        let mut by_hand: Vec<NormalizedArgs> = Vec::new();
        for record in own.rev() {
            let Some(args) = self.lookup_args(record) else {
                continue;
            };
            if by_hand.contains(&args) {
                continue;
            }
            if record.data.is_some() {
                calls.push((args.clone(), true));
            }
            by_hand.push(args);
        }
        let inherited = self.inherited(tool)?.into_iter().filter(|args| !by_hand.contains(args));
        calls.extend(inherited.map(|args| (args, false)));
        Ok(calls)
    }

    fn inherited(&self, tool: &str) -> Result<Vec<NormalizedArgs>, WireError> {
        if let Some(cache) = self.as_in_base(tool) {
            return Ok(cache.answered_args(tool)?);
        }
        let mut inherited: Vec<NormalizedArgs> = Vec::new();
        for record in self.reworded(tool)?.iter().flat_map(|records| records.iter()) {
            if record.reached && !inherited.contains(&record.args) {
                inherited.push(record.args.clone());
            }
        }
        Ok(inherited)
    }

    /// The latest record for a call that was written by hand. A record without data means that the
    /// response was removed by hand.
    fn by_hand(&self, tool: &str, args: &NormalizedArgs) -> Option<&DraftRecord> {
        let of_tool = self.own.iter().rev().filter(|record| record.tool == tool);
        of_tool.into_iter().find(|record| self.lookup_args(record).as_ref() == Some(args))
    }

    fn lookup_args(&self, record: &DraftRecord) -> Option<NormalizedArgs> {
        Some(args::normalize(self.catalog.get(&record.tool)?, &record.args))
    }

    /// Records of the base pack for a tool whose definition has not changed.
    fn as_in_base(&self, tool: &str) -> Option<&PackCache> {
        let (pack, cache) = self.base.as_ref()?;
        (pack.tool(tool)? == self.catalog.get(tool)?).then_some(cache)
    }
}
