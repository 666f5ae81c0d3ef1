//! Writes a sweep's file so that it needs no other file. Possible secrets are removed.

use super::file::{NONE, SweepFile};
use koab_core::cache_key::sha256_hex;
use koab_core::say;
use koab_workspace::WireError;

impl SweepFile {
    /// A copy of the sweep's file that includes the texts of the files next to it.
    ///
    /// # Errors
    /// When a file that the sweep names cannot be read.
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

    /// A copy of the sweep's file for storing or sharing, with marks in place of passwords and keys
    /// in addresses.
    pub(super) fn without_secrets(mut self) -> Self {
        let addresses = self.models.iter_mut().map(|model| &mut model.base_url);
        for address in addresses.chain([&mut self.judges.base_url]) {
            *address = address.as_deref().map(kept_address);
        }
        self
    }

    /// The sweep's file as TOML, without empty values.
    ///
    /// # Errors
    /// When a number is too large for TOML.
    pub(super) fn text(&self) -> Result<String, WireError> {
        let to_error = |error: toml::ser::Error| {
            let why = error.to_string();
            WireError::bad_request(say!("the sweep cannot be written as a file: {why}"))
        };
        let mut table = toml::Table::try_from(self).map_err(to_error)?;
        drop_empty(&mut table);
        toml::to_string_pretty(&table).map_err(to_error)
    }
}

/// Removes empty values, so that the file contains only the user's choices. A setting with an empty
/// list of values stays, because such a file must be refused.
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

/// Number of hex digits of a query's hash.
const DIGITS: usize = 16;
/// Mark that replaces a removed part of a stored address.
const WITHHELD: &str = "withheld";

/// Removes user name, password and query from an address, because each may be secret. A mark
/// replaces each removed part, and a hash replaces the query.
fn kept_address(address: &str) -> String {
    let plain = named_address(address);
    match (split(address).0, plain.split_once("://")) {
        (Some(_), Some((scheme, rest))) => format!("{scheme}://{WITHHELD}@{rest}"),
        (Some(_), None) => format!("{WITHHELD}@{plain}"),
        (None, _) => plain,
    }
}

/// Form of an address that identifies runs, without user name and password, and with a hash instead
/// of the query. A stored address has the same form as its original.
pub(super) fn named_address(address: &str) -> String {
    let (_, plain) = split(address);
    let query = address.split('#').next().and_then(|whole| whole.split_once('?'));
    match query.map(|(_, query)| query).filter(|query| !query.is_empty()) {
        Some(query) if query.starts_with(WITHHELD) => format!("{plain}?{query}"),
        Some(query) => format!("{plain}?{WITHHELD}={}", &sha256_hex(query)[..DIGITS]),
        None => plain,
    }
}

/// Whether a part of a stored address was removed.
pub(super) fn is_withheld(address: &str) -> bool {
    let has_mark = address.split_once('?').is_some_and(|(_, query)| query.starts_with(WITHHELD));
    has_mark || split(address).0 == Some(WITHHELD)
}

/// Splits an address into user name with password, and the rest of the address without the query.
fn split(address: &str) -> (Option<&str>, String) {
    let plain = address.split(['?', '#']).next().unwrap_or_default();
    let (scheme, rest) = plain.split_once("://").map_or(("", plain), |(scheme, rest)| (scheme, rest));
    let (server, path) = match rest.find('/') {
        Some(at) => rest.split_at(at),
        None => (rest, ""),
    };
    let (user, server) = match server.rsplit_once('@') {
        Some((user, server)) => (Some(user), server),
        None => (None, server),
    };
    let whole =
        if scheme.is_empty() { format!("{server}{path}") } else { format!("{scheme}://{server}{path}") };
    (user, whole)
}

#[cfg(test)]
mod tests {
    use super::{is_withheld, kept_address, named_address};

    #[test]
    fn a_kept_address_has_no_secret_and_finds_the_same_runs() {
        let plain = "http://a.example/v1";
        assert_eq!((kept_address(plain), named_address(plain)), (plain.to_owned(), plain.to_owned()));
        assert!(!is_withheld(plain));
        for given in [
            "http://name:geheim@a.example/v1",
            "http://a.example/v1?key=geheim",
            "http://u@a.example/v1?key=geheim#x",
        ] {
            let kept = kept_address(given);
            assert!(is_withheld(&kept) && !is_withheld(given), "{kept}");
            assert!(!kept.contains("geheim"), "{kept}");
            assert_eq!((named_address(&kept), kept_address(&kept)), (named_address(given), kept.clone()));
        }
        assert_eq!(named_address("http://name:geheim@a.example/v1"), plain);
        assert_ne!(
            named_address("http://a.example/v1?deployment=a"),
            named_address("http://a.example/v1?deployment=b")
        );
    }
}
