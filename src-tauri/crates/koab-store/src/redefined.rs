//! The cached responses of a tool as they would stand to another definition of it: which calls they
//! would still answer.

use crate::cache::{PackCache, parse};
use crate::error::Result;
use crate::import::records::{Catalog, restated};
use crate::table;
use koab_core::args::{self, NormalizedArgs};
use koab_core::tool::ToolSpec;
use serde_json::{Map, Value};

/// A cached response under another definition of its tool.
#[derive(Clone, Debug, PartialEq)]
pub struct RedefinedRecord {
    /// The arguments that it would be found by.
    pub args: NormalizedArgs,
    /// Its key in the published layout, which it keeps.
    pub key: String,
    /// Whether the key would be that of the definition; it is stale otherwise.
    pub current: bool,
    /// Whether a call with these arguments would pass the definition's checks, and so reach the
    /// record.
    pub reached: bool,
    /// When it was recorded, UTC.
    pub created_at: String,
}

impl PackCache {
    /// The cached responses of a tool as they would stand to this definition of it, those that
    /// answer first.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn restated(&self, spec: &ToolSpec) -> Result<Vec<RedefinedRecord>> {
        let catalog = Catalog::new(std::slice::from_ref(spec));
        let mut found = Vec::new();
        self.read(|connection, pack| {
            table::record::each_of_tool(connection, pack, &spec.name, |row| {
                let row = restated(row, &catalog);
                let args: Map<String, Value> = serde_json::from_str(&row.args).unwrap_or_default();
                found.push(RedefinedRecord {
                    reached: args::check(spec, &args).is_ok(),
                    args: NormalizedArgs::from_record(&args),
                    current: row.standing == table::record::Standing::Current,
                    key: row.published_key,
                    created_at: row.created_at,
                });
                Ok(())
            })
        })?;
        // As records are elected when a pack is made: the current one, else the newest.
        found.sort_by(|a, b| {
            let order = b.current.cmp(&a.current);
            let order = order.then_with(|| b.created_at.cmp(&a.created_at));
            order.then_with(|| a.key.cmp(&b.key))
        });
        Ok(found)
    }

    /// What the record under this published key says, as a model sees it.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn recorded(&self, tool: &str, key: &str) -> Result<Option<Value>> {
        self.read(|connection, pack| {
            table::record::by_key(connection, pack, tool, key, |text| parse(text, tool))
        })
    }
}
