//! Names of fields. Clients mix `camelCase` and `snake_case`, often in one body; names are read as
//! `camelCase`.

use serde_json::{Map, Value};

/// Converts a name to `camelCase`.
pub(super) fn camel(name: &str) -> String {
    let mut words = name.split('_');
    let mut camel = words.next().unwrap_or_default().to_owned();
    for word in words {
        let mut letters = word.chars();
        camel.extend(letters.next().map(|letter| letter.to_ascii_uppercase()));
        camel.push_str(letters.as_str());
    }
    camel
}

/// Fields that are not null, by their names in `camelCase`.
pub(super) fn fields(object: &Map<String, Value>) -> impl Iterator<Item = (String, &Value)> {
    let entries = object.iter().filter(|(_, value)| !value.is_null());
    entries.map(|(name, value)| (camel(name), value))
}

/// Value of a field in either spelling; null when it is missing.
pub(super) fn get<'a>(value: &'a Value, name: &str) -> &'a Value {
    let object = value.as_object();
    let entry = object.and_then(|object| object.iter().find(|(key, _)| camel(key) == name));
    entry.map_or(&Value::Null, |(_, value)| value)
}
