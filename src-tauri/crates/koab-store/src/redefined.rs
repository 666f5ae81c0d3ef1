//! Effect of a changed tool definition on the tool's cached responses: which calls the responses
//! would still answer.

use crate::cache::{PackCache, parse};
use crate::error::Result;
use crate::import::records::{Catalog, restated};
use crate::table;
use koab_core::args::{self, NormalizedArgs};
use koab_core::tool::ToolSpec;
use serde_json::{Map, Value};

/// Cached response under another definition of its tool.
#[derive(Clone, Debug, PartialEq)]
pub struct RedefinedRecord {
    /// Arguments under which a call would find the response.
    pub args: NormalizedArgs,
    /// Key in the published layout. The key does not change.
    pub key: String,
    /// Whether the new definition gives the same key. Otherwise the record is stale.
    pub current: bool,
    /// Whether a call with the arguments `args` would pass the checks of the new definition, and so
    /// reach the record.
    pub reached: bool,
    /// Time of recording, in UTC.
    pub created_at: String,
}

impl PackCache {
    /// Cached responses of a tool as they would be under the given definition. Records that answer
    /// calls come first.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn restated(&self, spec: &ToolSpec) -> Result<Vec<RedefinedRecord>> {
        let catalog = Catalog::new(std::slice::from_ref(spec));
        let mut records = Vec::new();
        self.read(|connection, pack| {
            table::record::each_of_tool(connection, pack, &spec.name, |row| {
                let row = restated(row, &catalog);
                let args: Map<String, Value> = serde_json::from_str(&row.args).unwrap_or_default();
                records.push(RedefinedRecord {
                    reached: args::check(spec, &args).is_ok(),
                    args: NormalizedArgs::from_record(&args),
                    current: row.standing == table::record::Standing::Current,
                    key: row.published_key,
                    created_at: row.created_at,
                });
                Ok(())
            })
        })?;
        // An import chooses the answering record in this order: current before stale, then newest.
        records.sort_by(|a, b| {
            let order = b.current.cmp(&a.current);
            let order = order.then_with(|| b.created_at.cmp(&a.created_at));
            order.then_with(|| a.key.cmp(&b.key))
        });
        Ok(records)
    }

    /// Answer in the record with this published key, as a model sees it.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn recorded(&self, tool: &str, key: &str) -> Result<Option<Value>> {
        self.read(|connection, pack| {
            table::record::by_key(connection, pack, tool, key, |text| parse(text, tool))
        })
    }
}
