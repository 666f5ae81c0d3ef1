//! How a run with cached responses only would answer a call: asked for a pack's tasks, and by hand.

use crate::nearest::nearest;
use crate::wire::{CallAnswer, NearestCall};
use koab_core::args::NormalizedArgs;
use koab_core::catalog::ToolCatalog;
use koab_core::sentence::ToSentence;
use koab_store::PackCache;
use koab_workspace::WireError;
use serde_json::{Map, Value};
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

/// A pack's tools and records, to be asked many times.
pub(crate) struct Answers {
    catalog: ToolCatalog,
    cache: PackCache,
    /// What is recorded for a tool, read when its first call misses.
    recorded: RefCell<HashMap<String, Rc<Vec<NormalizedArgs>>>>,
}

impl Answers {
    pub(crate) fn new(catalog: ToolCatalog, cache: PackCache) -> Self {
        Self {
            catalog,
            cache,
            recorded: RefCell::default(),
        }
    }

    pub(crate) fn catalog(&self) -> &ToolCatalog {
        &self.catalog
    }

    /// Whether a record answers; reads nothing of the record.
    pub(crate) fn is_answered(&self, tool: &str, raw: &Map<String, Value>) -> Result<bool, WireError> {
        match self.catalog.normalized(tool, raw) {
            Ok(args) => Ok(self.cache.answers(tool, &args)?),
            Err(_) => Ok(false),
        }
    }

    /// What a run would answer, with the cached response of a hit.
    pub(crate) fn answer(
        &self,
        tool: &str,
        raw: &Map<String, Value>,
    ) -> Result<(CallAnswer, Option<Value>), WireError> {
        let args = match self.catalog.normalized(tool, raw) {
            Ok(args) => args,
            Err(fault) => {
                let why = fault.to_sentence();
                return Ok((CallAnswer::Refused { why }, None));
            }
        };
        if let Some(found) = self.cache.find(tool, &args)? {
            let hit = CallAnswer::Hit {
                key: found.published_key,
                stale: found.standing != "current",
                recorded_at: found.created_at,
            };
            return Ok((hit, Some(found.data)));
        }
        let recorded = self.recorded(tool)?;
        let nearest = nearest(&args, &recorded).map(|(args, differing)| NearestCall {
            args: args.as_value().clone(),
            differing,
        });
        let key = self.catalog.key(tool, &args);
        Ok((CallAnswer::Miss { key, nearest }, None))
    }

    fn recorded(&self, tool: &str) -> Result<Rc<Vec<NormalizedArgs>>, WireError> {
        if let Some(recorded) = self.recorded.borrow().get(tool) {
            return Ok(Rc::clone(recorded));
        }
        let recorded = Rc::new(self.cache.answered_args(tool)?);
        self.recorded
            .borrow_mut()
            .insert(tool.to_owned(), Rc::clone(&recorded));
        Ok(recorded)
    }
}
