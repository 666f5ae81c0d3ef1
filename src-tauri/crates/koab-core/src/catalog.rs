//! The tools of a pack, found by name.

use crate::args::{self, NormalizedArgs};
use crate::cache_key::{published_key, signature};
use crate::tool::{ToolFault, ToolSpec};
use serde_json::{Map, Value};
use std::collections::{BTreeMap, HashMap};

/// The tools of a pack, found by name, in the catalog's order.
#[derive(Clone, Debug, Default)]
pub struct ToolCatalog {
    tools: Vec<ToolSpec>,
    signatures: Vec<String>,
    places: HashMap<String, usize>,
}

impl ToolCatalog {
    /// Creates a catalog of these tools. If two tools have the same name, the catalog has only the
    /// first.
    pub fn new(tools: impl IntoIterator<Item = ToolSpec>) -> Self {
        let mut catalog = Self::default();
        for tool in tools {
            if catalog.places.contains_key(&tool.name) {
                continue;
            }
            catalog.places.insert(tool.name.clone(), catalog.tools.len());
            catalog.signatures.push(signature(&tool));
            catalog.tools.push(tool);
        }
        catalog
    }

    /// Replaces descriptions; the keys of `texts` are `tool` or `tool.argument`. Signatures stay
    /// the same, so that the pack's cached responses are still found.
    #[must_use]
    pub fn described(mut self, texts: &BTreeMap<String, String>) -> Self {
        for tool in &mut self.tools {
            if let Some(text) = texts.get(&tool.name) {
                tool.description.clone_from(text);
            }
            let arguments = tool.parameters.get_mut("properties").and_then(Value::as_object_mut);
            for (argument, schema) in arguments.into_iter().flatten() {
                if let Some(text) = texts.get(&format!("{}.{argument}", tool.name))
                    && let Some(schema) = schema.as_object_mut()
                {
                    schema.insert("description".to_owned(), Value::from(text.as_str()));
                }
            }
        }
        self
    }

    /// All tools in order.
    pub fn tools(&self) -> &[ToolSpec] {
        &self.tools
    }

    /// The tool with exactly this name.
    pub fn get(&self, name: &str) -> Option<&ToolSpec> {
        self.places.get(name).map(|place| &self.tools[*place])
    }

    /// Signature of the tool of this name (`docs/spec/tools.md` §4.2).
    pub fn signature(&self, name: &str) -> Option<&str> {
        self.places.get(name).map(|place| self.signatures[*place].as_str())
    }

    /// Checks the arguments of a call and normalizes them for the lookup in the cache.
    ///
    /// # Errors
    /// When there is no such tool, or its schema refuses the arguments.
    pub fn normalized(&self, tool: &str, raw: &Map<String, Value>) -> Result<NormalizedArgs, ToolFault> {
        let spec = self.get(tool).ok_or_else(|| ToolFault::UnknownTool { tool: tool.to_owned() })?;
        args::check(spec, raw)?;
        Ok(args::normalize(spec, raw))
    }

    /// Cache key of a call in the published layout.
    pub fn key(&self, tool: &str, args: &NormalizedArgs) -> String {
        published_key(tool, self.signature(tool).unwrap_or_default(), args)
    }
}
