//! Check of one call against one expected call. Only the first fault is reported.

use super::types::Expected;
use super::{Checker, Truth};
use crate::bfcl::category::Language;
use crate::bfcl::fault::{self, Fault};
use crate::bfcl::reply::Read;
use crate::bfcl::{java, javascript, text};
use crate::python::PyValue;
use serde_json::Value;

impl Checker {
    /// Checks whether a call is the expected one.
    pub(super) fn call(self, truth: &Truth<'_>, call: &Read) -> Result<(), Fault> {
        let function = truth.function.ok_or(fault::WRONG_NAME)?;
        let name = function["name"].as_str().unwrap_or_default();
        if call.name != name.replace('.', "_") {
            return Err(fault::WRONG_NAME);
        }
        let parameters = &function["parameters"];
        let required = parameters["required"].as_array().map(Vec::as_slice).unwrap_or_default();
        let mut required = required.iter().filter_map(Value::as_str);
        if required.any(|name| !call.arguments.contains_key(name)) {
            return Err(fault::MISSING_REQUIRED);
        }
        for (name, value) in &call.arguments {
            let accepted = truth.parameters.get(name.as_str());
            let (Some(property), Some(accepted)) = (parameters["properties"].get(name), accepted) else {
                return Err(fault::UNEXPECTED);
            };
            self.argument(property, accepted, value)?;
        }
        for (name, accepted) in &truth.parameters {
            if !call.arguments.contains_key(*name) && !accepted.iter().any(PyValue::is_blank) {
                return Err(fault::MISSING_OPTIONAL);
            }
        }
        Ok(())
    }

    fn argument(self, property: &Value, accepted: &[PyValue], value: &PyValue) -> Result<(), Fault> {
        let type_name = property["type"].as_str().unwrap_or_default();
        let item_type = property["items"]["type"].as_str();
        let value = match (self.language, value, type_name) {
            (Language::Java, PyValue::Text(text), _) => java::value(text, type_name, item_type, self.mends()),
            (Language::Java, ..) => return Err(fault::NOT_JAVA),
            (Language::JavaScript, PyValue::Text(text), _) => {
                javascript::value(text, type_name, item_type, self.mends())
            }
            (Language::JavaScript, ..) => return Err(fault::NOT_JAVASCRIPT),
            (Language::Python, PyValue::Int(int), "float") => PyValue::Float(int.as_float()),
            (Language::Python, value, _) => value.clone(),
        };
        let expected = Expected::new(type_name, item_type, self.language);
        let is_variable = self.fits(&value, accepted, expected)?;
        if self.mends() && self.is_documented(property, &value, accepted) {
            return Ok(());
        }
        if is_variable {
            return self.other(&value, accepted);
        }
        self.value(&value, accepted, expected)
    }

    /// Whether a blank value is the documented default of an optional parameter.
    fn is_documented(self, property: &Value, value: &PyValue, accepted: &[PyValue]) -> bool {
        let is_blank = match value {
            PyValue::Text(text) => text::published(text).is_empty(),
            PyValue::List(items) => items.is_empty(),
            _ => false,
        };
        let default = property.get("default").filter(|_| is_blank).map(PyValue::from);
        accepted.iter().any(PyValue::is_blank) && default.is_some_and(|default| self.equal(&default, value))
    }
}
