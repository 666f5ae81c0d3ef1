//! Differences between the tools of two versions of a server.

use crate::form::ServerForm;
use koab_core::python::equal;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Kind of change of a tool or of a place in its parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ToolChangeKind {
    /// The tool is new.
    Added,
    /// The tool is missing.
    Removed,
    /// The tool has another name, with the same schema and description.
    Renamed,
    /// The tool has another description.
    Description,
    /// A parameter is new.
    ParameterAdded,
    /// A parameter is missing.
    ParameterRemoved,
    /// A parameter has become required.
    Required,
    /// A parameter has become optional.
    Optional,
    /// The type of a parameter has changed.
    Type,
    /// The list of allowed values has changed, and some earlier values are missing.
    EnumNarrowed,
    /// More values of a parameter are allowed.
    EnumWidened,
    /// The default value of a parameter has changed.
    Default,
    /// Another part of a parameter's schema has changed.
    Schema,
}

impl ToolChangeKind {
    /// Whether a client of the old version works with the new version.
    pub fn is_compatible(self) -> bool {
        !matches!(self, Self::Removed | Self::Renamed | Self::Required | Self::EnumNarrowed)
    }
}

/// One difference between two versions of a server's tool.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ToolChange {
    /// Name of the tool in the old version; for a new tool, its name in the new version.
    pub tool: String,
    /// Kind of the change.
    pub kind: ToolChangeKind,
    /// JSON pointer within the tool's parameters. For a renamed tool, the new name.
    pub place: String,
    /// Old value at `place`.
    pub then: Option<Value>,
    /// New value at `place`.
    pub now: Option<Value>,
}

struct Tool {
    name: String,
    description: Value,
    schema: Value,
}

fn tools(server: &ServerForm) -> Vec<Tool> {
    let read = server.tools.iter().filter_map(|text| serde_json::from_str::<Value>(text).ok());
    read.map(|tool| Tool {
        name: tool["name"].as_str().unwrap_or_default().to_owned(),
        description: tool["description"].clone(),
        schema: tool["inputSchema"].clone(),
    })
    .collect()
}

/// All changes, in the order of the old tools.
pub(crate) fn changes(then: &ServerForm, now: &ServerForm) -> Vec<ToolChange> {
    let (then, now) = (tools(then), tools(now));
    let mut list = Vec::new();
    let is_new = |tool: &Tool| !then.iter().any(|old| old.name == tool.name);
    let mut renamed = Vec::new();
    for old in &then {
        let change = |kind, place: &str| ToolChange {
            tool: old.name.clone(),
            kind,
            place: place.to_owned(),
            then: None,
            now: None,
        };
        let Some(new) = now.iter().find(|new| new.name == old.name) else {
            let same = now
                .iter()
                .filter(|new| is_new(new))
                .find(|new| equal(&new.schema, &old.schema) && new.description == old.description);
            match same {
                Some(new) => {
                    renamed.push(new.name.clone());
                    list.push(change(ToolChangeKind::Renamed, &new.name));
                }
                None => list.push(change(ToolChangeKind::Removed, "")),
            }
            continue;
        };
        if old.description != new.description {
            list.push(ToolChange {
                then: Some(old.description.clone()),
                now: Some(new.description.clone()),
                ..change(ToolChangeKind::Description, "")
            });
        }
        schema(&old.name, "", &old.schema, &new.schema, &mut list);
    }
    let added = now.iter().filter(|tool| is_new(tool) && !renamed.contains(&tool.name));
    list.extend(added.map(|tool| ToolChange {
        tool: tool.name.clone(),
        kind: ToolChangeKind::Added,
        place: String::new(),
        then: None,
        now: None,
    }));
    list
}

fn schema(tool: &str, place: &str, then: &Value, now: &Value, list: &mut Vec<ToolChange>) {
    let mut tell = |kind, place: String, then: Option<&Value>, now: Option<&Value>| {
        list.push(ToolChange { tool: tool.to_owned(), kind, place, then: then.cloned(), now: now.cloned() });
    };
    let (Some(old), Some(new)) = (then.as_object(), now.as_object()) else {
        if !equal(then, now) {
            tell(ToolChangeKind::Schema, place.to_owned(), Some(then), Some(now));
        }
        return;
    };
    let names = |schema: &serde_json::Map<String, Value>| -> Vec<String> {
        let required = schema.get("required").and_then(Value::as_array).into_iter().flatten();
        required.filter_map(Value::as_str).map(str::to_owned).collect()
    };
    let (required_then, required_now) = (names(old), names(new));
    let at = |name: &str| format!("{place}/properties/{}", name.replace('~', "~0").replace('/', "~1"));
    for name in required_now.iter().filter(|name| !required_then.contains(name)) {
        tell(ToolChangeKind::Required, at(name), None, None);
    }
    for name in required_then.iter().filter(|name| !required_now.contains(name)) {
        if new.get("properties").is_some_and(|all| all.get(name).is_some()) {
            tell(ToolChangeKind::Optional, at(name), None, None);
        }
    }
    let mut below = Vec::new();
    for key in old.keys().chain(new.keys().filter(|key| !old.contains_key(*key))) {
        let (before, after) = (old.get(key), new.get(key));
        let here = format!("{place}/{key}");
        match key.as_str() {
            "required" | "description" | "title" | "$schema" => {}
            "properties" => {
                let none = serde_json::Map::new();
                let of = |value: Option<&Value>| {
                    value.and_then(Value::as_object).cloned().unwrap_or_else(|| none.clone())
                };
                let (before, after) = (of(before), of(after));
                for (name, old) in &before {
                    match after.get(name) {
                        Some(new) => below.push((at(name), old.clone(), new.clone())),
                        None => tell(ToolChangeKind::ParameterRemoved, at(name), Some(old), None),
                    }
                }
                for (name, new) in after.iter().filter(|(name, _)| !before.contains_key(*name)) {
                    tell(ToolChangeKind::ParameterAdded, at(name), None, Some(new));
                }
            }
            "items" => below.push((
                here,
                before.cloned().unwrap_or(Value::Null),
                after.cloned().unwrap_or(Value::Null),
            )),
            _ if before.zip(after).is_some_and(|(before, after)| equal(before, after)) => {}
            "enum" => {
                let of = |value: Option<&Value>| value.and_then(Value::as_array).cloned();
                let narrowed = match (of(before), of(after)) {
                    (Some(before), Some(after)) => before.iter().any(|value| !after.contains(value)),
                    (None, _) => true,
                    (_, None) => false,
                };
                let kind = if narrowed { ToolChangeKind::EnumNarrowed } else { ToolChangeKind::EnumWidened };
                tell(kind, here, before, after);
            }
            "type" => tell(ToolChangeKind::Type, here, before, after),
            "default" => tell(ToolChangeKind::Default, here, before, after),
            _ => tell(ToolChangeKind::Schema, here, before, after),
        }
    }
    for (place, old, new) in below {
        schema(tool, &place, &old, &new, list);
    }
}

#[cfg(test)]
mod tests;
