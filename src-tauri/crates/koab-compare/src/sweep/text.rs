//! A sweep's file as it is written: whole, so that it needs no other file, and without what may be a secret.

use super::file::{NONE, SweepFile};
use koab_core::say;
use koab_runs::WireError;

impl SweepFile {
    /// The same with all that lies beside it.
    ///
    /// # Errors
    /// When a file that it names cannot be read.
    pub(super) fn whole(&self) -> Result<Self, WireError> {
        let mut whole = self.clone();
        whole.folder.clear();
        let settings = &self.settings;
        let names = [&settings.system_prompt, &settings.tool_texts];
        let names: Vec<&String> = names.into_iter().flatten().flatten().collect();
        whole.texts.retain(|name, _| names.contains(&name));
        for name in names.into_iter().filter(|name| *name != NONE) {
            if !whole.texts.contains_key(name) {
                whole.texts.insert(name.clone(), self.beside(name)?.1);
            }
        }
        Ok(whole)
    }

    /// The same with addresses that hold no password or key: for what is kept or handed on.
    pub(super) fn without_secrets(mut self) -> Self {
        let addresses = self.models.iter_mut().map(|model| &mut model.base_url);
        for address in addresses.chain([&mut self.judges.base_url]) {
            *address = address.as_deref().map(plain_address);
        }
        self
    }

    /// It as TOML; what says nothing is left out.
    ///
    /// # Errors
    /// When a number is too large for TOML.
    pub(super) fn text(&self) -> Result<String, WireError> {
        let refused = |error: toml::ser::Error| {
            let why = error.to_string();
            WireError::bad_request(say!("the sweep cannot be written as a file: {why}"))
        };
        let mut table = toml::Table::try_from(self).map_err(refused)?;
        drop_empty(&mut table);
        toml::to_string_pretty(&table).map_err(refused)
    }
}

/// Takes out what says nothing, so that a file has only what was chosen. An axis without a value stays, to be refused.
fn drop_empty(table: &mut toml::Table) {
    for (name, value) in table.iter_mut() {
        if let (toml::Value::Table(inner), true) = (value, name != "settings" && name != "texts") {
            drop_empty(inner);
        }
    }
    table.retain(|_, value| match value {
        toml::Value::String(text) => !text.is_empty(),
        toml::Value::Array(values) => !values.is_empty(),
        toml::Value::Table(inner) => !inner.is_empty(),
        _ => true,
    });
}

/// An address without name, password and query, any of which may be a secret.
pub(super) fn plain_address(address: &str) -> String {
    let plain = address.split(['?', '#']).next().unwrap_or_default();
    let (scheme, rest) = plain
        .split_once("://")
        .map_or(("", plain), |(scheme, rest)| (scheme, rest));
    let (server, path) = match rest.find('/') {
        Some(at) => rest.split_at(at),
        None => (rest, ""),
    };
    let server = server.rsplit('@').next().unwrap_or_default();
    match scheme.is_empty() {
        true => format!("{server}{path}"),
        false => format!("{scheme}://{server}{path}"),
    }
}
