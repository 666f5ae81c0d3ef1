//! Tool definition of a function in a request (`docs/spec/bfcl.md` §2).
//!
//! The texts that are appended to descriptions are by the benchmark's authors
//! (ShishirPatil/gorilla, Apache-2.0), as they are part of every request.

use super::category::Language;
use koab_core::python::{Dumps, dumps};
use serde_json::{Map, Value, json};

/// Text that the authors append to a function's description.
fn of_function(language: Language) -> &'static str {
    match language {
        Language::Python => " Note that the provided function is in Python 3 syntax.",
        Language::Java => " Note that the provided function is in Java 8 SDK syntax.",
        Language::JavaScript => " Note that the provided function is in JavaScript syntax.",
    }
}

/// Text that the authors append to the description of a float parameter.
const OF_FLOAT: &str = " This is a float type value.";

fn of_any(language: &str) -> String {
    format!(" This parameter can be of any type of {language} object in string representation.")
}

fn of_typed(language: &str, type_name: &str) -> String {
    format!(" This is {language} {type_name} type parameter in string representation.")
}

fn of_list(item: &str) -> String {
    format!(" The list elements are of type {item}; they are not in string representation.")
}

fn of_dict(properties: &Value) -> String {
    let how = Dumps { ascii: true, ..Dumps::default() };
    let schema = dumps(properties, how);
    format!(
        " The dictionary entries have the following schema; they are not in string representation. {schema}"
    )
}

/// Tool definition; `None` where the function has no name or no parameters.
pub(super) fn tool(function: &Value, language: Language) -> Option<Value> {
    let name = function.get("name")?.as_str()?.replace('.', "_");
    let description = function.get("description").and_then(Value::as_str).unwrap_or_default();
    let mut parameters = function.get("parameters")?.as_object()?.clone();
    if let Some(Value::Object(properties)) = parameters.get_mut("properties") {
        for property in properties.values_mut().filter_map(Value::as_object_mut) {
            match language {
                Language::Python => {}
                Language::Java => as_source_text(property, "Java", &["Array", "ArrayList"], None),
                Language::JavaScript => as_source_text(property, "JavaScript", &["array"], Some("dict")),
            }
        }
        schemas(properties);
    }
    parameters.insert("type".to_owned(), "object".into());
    Some(json!({
        "type": "function",
        "function": {
            "name": name,
            "description": format!("{description}{}", of_function(language)),
            "parameters": parameters,
        },
    }))
}

/// Changes the type of a parameter to text, since arguments for Java and JavaScript are sent as
/// source text. `lists` and `dict` are the language's names of types with items or with properties.
fn as_source_text(property: &mut Map<String, Value>, language: &str, lists: &[&str], dict: Option<&str>) {
    let type_name = property.get("type").and_then(Value::as_str).unwrap_or_default().to_owned();
    if type_name == "any" {
        describe(property, &of_any(language));
    } else {
        describe(property, &of_typed(language, &type_name));
    }
    if lists.contains(&type_name.as_str())
        && let Some(items) = property.shift_remove("items")
    {
        describe(property, &of_list(items.get("type").and_then(Value::as_str).unwrap_or_default()));
    }
    if dict == Some(type_name.as_str())
        && let Some(properties) = property.shift_remove("properties")
    {
        describe(property, &of_dict(&properties));
    }
    property.insert("type".to_owned(), "string".into());
}

fn describe(property: &mut Map<String, Value>, more: &str) {
    let before = property.get("description").and_then(Value::as_str).unwrap_or_default();
    let whole = format!("{before}{more}");
    property.insert("description".to_owned(), whole.into());
}

/// Converts the types of properties to JSON Schema, at every depth.
fn schemas(properties: &mut Map<String, Value>) {
    for property in properties.values_mut().filter_map(Value::as_object_mut) {
        let type_name = property.get("type").and_then(Value::as_str).unwrap_or("string");
        if type_name == "float" {
            property.insert("format".to_owned(), "float".into());
            describe(property, OF_FLOAT);
        }
        let mapped = map_type(property);
        if mapped != "array" && mapped != "object" {
            continue;
        }
        if let Some(Value::Object(inner)) = property.get_mut("properties") {
            schemas(inner);
        } else if let Some(Value::Object(items)) = property.get_mut("items") {
            match map_type(items) {
                "array" => {
                    if let Some(Value::Object(inner)) = items.get_mut("items") {
                        map_type(inner);
                    }
                }
                "object" => {
                    if let Some(Value::Object(inner)) = items.get_mut("properties") {
                        schemas(inner);
                    }
                }
                _ => {}
            }
        }
    }
}

/// Replaces a type of the language by the type of JSON Schema.
fn map_type(schema: &mut Map<String, Value>) -> &'static str {
    let mapped = match schema.get("type").and_then(Value::as_str).unwrap_or("string") {
        "integer" | "byte" | "short" | "long" | "Bigint" => "integer",
        "number" | "float" | "double" => "number",
        "boolean" | "bool" => "boolean",
        "array" | "list" | "tuple" | "ArrayList" | "Array" | "Queue" | "Stack" => "array",
        "dict" | "object" | "HashMap" | "Hashtable" => "object",
        _ => "string",
    };
    schema.insert("type".to_owned(), mapped.into());
    mapped
}
