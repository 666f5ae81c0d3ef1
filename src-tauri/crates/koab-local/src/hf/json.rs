//! Reads JSON files of a folder and their fields. Errors name the field.

use koab_core::say;
use koab_core::sentence::Sentence;
use std::fs;
use std::io;
use std::path::Path;

use serde_json::{Map, Value};

use super::FolderError;

/// The object in a JSON file; `None` if the file does not exist.
pub(super) fn object(folder: &Path, name: &str) -> Result<Option<Map<String, Value>>, FolderError> {
    let file = folder.join(name);
    let text = match fs::read_to_string(&file) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) if error.kind() == io::ErrorKind::InvalidData => {
            return Err(FolderError::Json { file: name.into(), reason: say!("it is not text") });
        }
        Err(source) => return Err(FolderError::Unreadable { file, source }),
    };
    match serde_json::from_str(&text) {
        Ok(Value::Object(object)) => Ok(Some(object)),
        Ok(_) => Err(FolderError::Json { file: name.into(), reason: say!("it is JSON, but no object") }),
        Err(error) => Err(FolderError::Json { file: name.into(), reason: error.to_string().into() }),
    }
}

/// The fields of `config.json`, or of an object in it.
pub(super) struct Fields<'a> {
    /// Prefix of field names in errors, such as `rope_scaling.`.
    pub(super) within: &'static str,
    pub(super) object: &'a Map<String, Value>,
}

impl Fields<'_> {
    /// Value of a field. `None` if the field is absent or null.
    pub(super) fn get(&self, field: &str) -> Option<&Value> {
        self.object.get(field).filter(|value| !value.is_null())
    }

    fn wrong(&self, field: &str, found: &Value, expected: Sentence) -> FolderError {
        FolderError::Value { field: format!("{}{field}", self.within), found: found.to_string(), expected }
    }

    /// Reads a field with a whole number above zero and below 2^24. The limit keeps products of
    /// several such numbers in a sensible range.
    pub(super) fn size(&self, field: &str) -> Result<Option<u64>, FolderError> {
        let Some(value) = self.get(field) else {
            return Ok(None);
        };
        match value.as_u64() {
            Some(size @ 1..=0xff_ffff) => Ok(Some(size)),
            _ => Err(self.wrong(field, value, say!("a whole number from 1 to 16777215"))),
        }
    }

    /// Reads a field with a finite number above zero.
    pub(super) fn number(&self, field: &str) -> Result<Option<f64>, FolderError> {
        let Some(value) = self.get(field) else {
            return Ok(None);
        };
        match value.as_f64() {
            Some(number) if number > 0.0 && number.is_finite() => Ok(Some(number)),
            _ => Err(self.wrong(field, value, say!("a number above 0"))),
        }
    }

    /// Reads a field with a boolean.
    pub(super) fn flag(&self, field: &str) -> Result<Option<bool>, FolderError> {
        let Some(value) = self.get(field) else {
            return Ok(None);
        };
        value.as_bool().map(Some).ok_or_else(|| self.wrong(field, value, say!("true or false")))
    }

    /// Reads a field with a text.
    pub(super) fn text(&self, field: &str) -> Result<Option<&str>, FolderError> {
        let Some(value) = self.get(field) else {
            return Ok(None);
        };
        value.as_str().map(Some).ok_or_else(|| self.wrong(field, value, say!("a text")))
    }

    /// Reads a field with an object.
    pub(super) fn object(&self, field: &str) -> Result<Option<&Map<String, Value>>, FolderError> {
        let Some(value) = self.get(field) else {
            return Ok(None);
        };
        value.as_object().map(Some).ok_or_else(|| self.wrong(field, value, say!("an object")))
    }

    /// Error for an unsupported value of a field.
    pub(super) fn refused(&self, field: &str, why: Sentence) -> FolderError {
        let value = self.object.get(field).map_or_else(|| say!("nothing"), |value| value.to_string().into());
        FolderError::Unsupported { field: format!("{}{field}", self.within), found: value, why }
    }
}
