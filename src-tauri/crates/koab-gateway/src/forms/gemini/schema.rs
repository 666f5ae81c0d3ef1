//! Conversion of Gemini's own schemas, which have types in capitals, to JSON Schema.

use super::keys::camel;
use serde_json::{Map, Value, json};

/// Converts a schema to JSON Schema.
pub(super) fn json_schema(schema: &Value) -> Value {
    let Some(object) = schema.as_object() else {
        return schema.clone();
    };
    let mut converted = Map::new();
    let mut nullable = false;
    for (name, value) in object {
        let name = camel(name);
        let value = match (name.as_str(), value) {
            ("nullable", value) => {
                nullable = *value == true;
                continue;
            }
            ("format", Value::String(format)) if format == "enum" => continue,
            ("propertyOrdering", _) => continue,
            ("type", Value::String(kind)) => kind.to_ascii_lowercase().into(),
            ("properties", Value::Object(properties)) => {
                let properties = properties.iter();
                let read = properties.map(|(name, schema)| (name.clone(), json_schema(schema)));
                Value::Object(read.collect())
            }
            ("items" | "additionalProperties", value) => json_schema(value),
            ("anyOf", Value::Array(schemas)) => schemas.iter().map(json_schema).collect(),
            // 64-bit numbers, which protobuf writes as strings.
            (name, Value::String(number)) if name.starts_with("min") || name.starts_with("max") => {
                number.parse::<u64>().map_or_else(|_| value.clone(), Value::from)
            }
            _ => value.clone(),
        };
        converted.insert(name, value);
    }
    if nullable {
        let kind = converted.get("type").cloned().unwrap_or_else(|| "object".into());
        converted.insert("type".to_owned(), json!([kind, "null"]));
    }
    Value::Object(converted)
}
