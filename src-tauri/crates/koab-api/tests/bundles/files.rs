//! The files of a bundle, to be changed and put together again: with the manifest as it was, or with its hashes mended,
//! as a forger would.

use koab_core::run_record::JournalLine;
use koab_store::bundle_file::{BundleFile, LIMITS, Source, write};
use serde_json::Value;
use sha2::{Digest as _, Sha256};
use std::collections::BTreeMap;

const MANIFEST: &str = "koab.json";
const SIGNATURE: &str = "koab.sig";

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Files(BTreeMap<String, Vec<u8>>);

impl Files {
    pub(crate) fn unpack(bundle: &[u8]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("b.koab");
        std::fs::write(&path, bundle).unwrap();
        let mut file = BundleFile::open(&path, LIMITS).unwrap();
        let names = file.names().to_vec();
        let read = |name: String| (name.clone(), file.read(&name, LIMITS.file_bytes).unwrap());
        Self(names.into_iter().map(read).collect())
    }

    pub(crate) fn names(&self) -> Vec<String> {
        self.0.keys().cloned().collect()
    }

    pub(crate) fn content(&mut self, name: &str) -> &mut Vec<u8> {
        self.0.get_mut(name).unwrap_or_else(|| panic!("there is no {name}"))
    }

    pub(crate) fn text(&self, name: &str) -> String {
        String::from_utf8(self.0[name].clone()).unwrap()
    }

    /// The same of what may be none any more.
    pub(crate) fn text_of(&self, name: &str) -> Option<String> {
        String::from_utf8(self.0.get(name)?.clone()).ok()
    }

    pub(crate) fn put(&mut self, name: &str, content: impl Into<Vec<u8>>) {
        self.0.insert(name.to_owned(), content.into());
    }

    pub(crate) fn remove(&mut self, name: &str) {
        self.0.remove(name).unwrap_or_else(|| panic!("there is no {name}"));
    }

    /// Changes a text; one that stays as it was would make a test that shows nothing.
    pub(crate) fn edit(&mut self, name: &str, change: impl FnOnce(String) -> String) {
        let before = self.text(name);
        let after = change(before.clone());
        assert_ne!(before, after, "{name} was not changed");
        self.put(name, after);
    }

    /// Changes the first place of one text to another.
    pub(crate) fn swap(&mut self, name: &str, from: &str, to: &str) {
        self.edit(name, |text| text.replacen(from, to, 1));
    }

    /// Changes a document, written as the file was: two spaces deep, as Python writes it.
    pub(crate) fn json(&mut self, name: &str, change: impl FnOnce(&mut Value)) {
        use koab_core::python::{Dumps, dumps};
        let mut value: Value = serde_json::from_slice(&self.0[name]).unwrap();
        let before = value.clone();
        change(&mut value);
        assert_ne!(before, value, "{name} was not changed");
        let spelled = Dumps {
            // Reports escape what is no ASCII, logs do not.
            ascii: name.starts_with("reports/"),
            sorted: false,
            indent: Some(2),
        };
        self.put(name, dumps(&value, spelled));
    }

    /// Changes the first line of a list of lines that `which` picks.
    pub(crate) fn line(
        &mut self,
        name: &str,
        which: impl Fn(&Value) -> bool,
        change: impl FnOnce(&mut Value),
    ) {
        let text = self.text(name);
        let mut lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let line = lines.iter_mut().find(|line| which(line)).expect("a line");
        let before = line.clone();
        change(line);
        assert_ne!(before, *line, "{name} was not changed");
        if line.get("sum").is_some() {
            *line = sealed(line);
        }
        let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
        self.put(name, text);
    }

    /// Changes what the manifest says.
    pub(crate) fn manifest(&mut self, change: impl FnOnce(&mut Value)) {
        let mut value: Value = serde_json::from_slice(&self.0[MANIFEST]).unwrap();
        change(&mut value);
        self.put(MANIFEST, spelled(&value));
    }

    /// The bundle as it is now.
    pub(crate) fn raw(&self) -> Vec<u8> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("b.koab");
        let first = [MANIFEST, SIGNATURE].into_iter().filter(|name| self.0.contains_key(*name));
        let others = self.0.keys().map(String::as_str).filter(|name| ![MANIFEST, SIGNATURE].contains(name));
        let entries: Vec<_> = first
            .chain(others)
            .map(|name| {
                let source = Source::Bytes(self.0[name].clone());
                let digest = source.digest().unwrap();
                (name.to_owned(), source, digest)
            })
            .collect();
        write(&path, &entries, || Ok(())).unwrap();
        std::fs::read(path).unwrap()
    }

    /// The bundle with a manifest that names its files as they are now.
    pub(crate) fn rehashed(mut self) -> Vec<u8> {
        let files: Vec<Value> = self
            .0
            .iter()
            .filter(|(name, _)| ![MANIFEST, SIGNATURE].contains(&name.as_str()))
            .map(|(path, content)| {
                let sha256 = hex::encode(Sha256::digest(content));
                serde_json::json!({"path": path, "bytes": content.len(), "sha256": sha256})
            })
            .collect();
        self.manifest(|manifest| manifest["files"] = Value::Array(files));
        self.raw()
    }
}

fn spelled(value: &Value) -> Vec<u8> {
    let mut text = serde_json::to_vec_pretty(value).unwrap();
    text.push(b'\n');
    text
}

/// A changed line of a journal with the checksum that it has to have, as whoever changes it on purpose would write it.
fn sealed(line: &Value) -> Value {
    let mut line = line.clone();
    line.as_object_mut().unwrap().shift_remove("sum");
    let line: JournalLine = serde_json::from_value(line).unwrap();
    serde_json::from_str(&line.text().unwrap()).unwrap()
}
