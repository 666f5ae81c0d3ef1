//! What a run would answer a call, had the draft been saved as it is: from responses that were
//! written by hand, and from those of the pack that it goes on from, which may have been made under
//! other words of their tool.

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
    /// Records of tools that say something else than in the base, read when they are first asked
    /// for.
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
            let found = cache.find(tool, args)?;
            return Ok(found.map(RecordHit::from));
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

    /// Whether a record answers.
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

    /// The calls that a task states, and what a run would answer each.
    pub(super) fn calls(&self, task: &Task) -> Result<Vec<DraftCall>, WireError> {
        let injected = task.error_injection();
        let mut calls = Vec::new();
        for stated in stated_calls(task) {
            let Some(tool) = stated.action.get("tool").and_then(Value::as_str) else {
                continue;
            };
            let args = stated.action.get("args").and_then(Value::as_object).cloned().unwrap_or_default();
            let answer = match injected {
                Some((fails, error_type)) if fails == tool && stated.place.starts_with("golden_action") => {
                    CallAnswer::Injected { message: ToolFault::injected(error_type).to_string() }
                }
                _ => self.answer(tool, &args)?.0,
            };
            let held = args.iter().filter(|(_, value)| placeholder(value).is_some());
            calls.push(DraftCall {
                place: stated.place,
                tool: tool.to_owned(),
                placeholders: held.map(|(name, _)| name.clone()).collect(),
                arguments: pretty(&Value::Object(args)),
                answer,
            });
        }
        Ok(calls)
    }

    /// The records of the base for a tool that says something else there; `None` where it says the
    /// same, or is not there.
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

    /// Every call of a tool that is answered: its arguments, and what is known of the record.
    pub(super) fn all(&self, tool: &str) -> Result<Vec<(NormalizedArgs, bool)>, WireError> {
        let own = self.own.iter().filter(|record| record.tool == tool);
        let mut calls: Vec<(NormalizedArgs, bool)> = Vec::new();
        let mut by_hand: Vec<NormalizedArgs> = Vec::new();
        for record in own.rev() {
            let Some(args) = self.found_by(record) else {
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
        let mut found: Vec<NormalizedArgs> = Vec::new();
        for record in self.reworded(tool)?.iter().flat_map(|records| records.iter()) {
            if record.reached && !found.contains(&record.args) {
                found.push(record.args.clone());
            }
        }
        Ok(found)
    }

    /// The response to a call that was written last; without an answer it was taken away.
    fn by_hand(&self, tool: &str, args: &NormalizedArgs) -> Option<&DraftRecord> {
        let of_tool = self.own.iter().rev().filter(|record| record.tool == tool);
        of_tool.into_iter().find(|record| self.found_by(record).as_ref() == Some(args))
    }

    fn found_by(&self, record: &DraftRecord) -> Option<NormalizedArgs> {
        Some(args::normalize(self.catalog.get(&record.tool)?, &record.args))
    }

    /// The base's records, where the tool says there what it says here: they are found as they are.
    fn as_in_base(&self, tool: &str) -> Option<&PackCache> {
        let (pack, cache) = self.base.as_ref()?;
        (pack.tool(tool)? == self.catalog.get(tool)?).then_some(cache)
    }
}
