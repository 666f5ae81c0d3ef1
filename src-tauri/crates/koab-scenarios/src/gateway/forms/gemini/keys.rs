//! Names of fields. Clients write both spellings, often in one body, and each is read as
//! `camelCase`.

use serde_json::{Map, Value};

/// A name in `camelCase`.
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

/// The fields that say something, by their names in `camelCase`.
pub(super) fn fields(object: &Map<String, Value>) -> impl Iterator<Item = (String, &Value)> {
    let said = object.iter().filter(|(_, value)| !value.is_null());
    said.map(|(name, value)| (camel(name), value))
}

/// A field in either spelling; null where there is none.
pub(super) fn get<'a>(value: &'a Value, name: &str) -> &'a Value {
    let object = value.as_object();
    let found = object.and_then(|object| object.iter().find(|(key, _)| camel(key) == name));
    found.map_or(&Value::Null, |(_, value)| value)
}
