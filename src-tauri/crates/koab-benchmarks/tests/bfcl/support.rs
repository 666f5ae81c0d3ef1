use koab_benchmarks::bfcl::Bfcl;
use koab_benchmarks::table::Rules;
use koab_benchmarks::{Answer, Benchmark, Files, Item, Row};
use koab_core::say;
use koab_core::sentence::Sentence;
use serde_json::Value;
use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::{Path, PathBuf};

/// Files in memory.
#[derive(Debug, Default)]
pub(crate) struct Memory(pub(crate) BTreeMap<String, Vec<u8>>);

impl Files for Memory {
    fn paths(&self) -> Vec<String> {
        self.0.keys().cloned().collect()
    }
    fn read(&self, path: &str) -> Result<Vec<u8>, Sentence> {
        self.0.get(path).cloned().ok_or_else(|| say!("is missing"))
    }
}

impl Memory {
    pub(crate) fn new(files: &[(&str, &str)]) -> Self {
        let files = files.iter().map(|(path, text)| ((*path).to_owned(), text.as_bytes().to_vec()));
        Self(files.collect())
    }

    fn below(root: &Path, folder: &Path, files: &mut BTreeMap<String, Vec<u8>>) {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                Self::below(root, &path, files);
            } else {
                let name = path.strip_prefix(root).expect("below it").display().to_string();
                files.insert(name.replace('\\', "/"), fs::read(&path).expect("a file"));
            }
        }
    }
}

/// `../shared/packs/bfcl` beside the repository. Without it the test prints a `SKIP:` line, or fails when everything is
/// required.
pub(crate) fn shared() -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../../shared/packs/bfcl");
    if path.exists() {
        return Some(path);
    }
    assert!(
        std::env::var_os("KOAB_REQUIRE_ALL").is_none(),
        "../shared/packs/bfcl is not beside the checkout"
    );
    eprintln!("SKIP: ../shared/packs/bfcl is not beside the checkout");
    None
}

/// The folder of the data: beside the repository, or as `cargo xtask setup parity` fetched it, which has no fixtures.
pub(crate) fn published() -> Option<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..");
    let fetched = std::env::var_os("KOAB_PARITY").map_or_else(|| root.join("target/parity"), PathBuf::from);
    let places = [root.join("../shared/packs/bfcl"), fetched.join("bfcl")];
    if let Some(path) = places.into_iter().find(|path| path.exists()) {
        return Some(path);
    }
    assert!(
        std::env::var_os("KOAB_REQUIRE_ALL").is_none_or(|value| value != "1"),
        "the reference material packs/bfcl is neither beside the repository nor fetched"
    );
    eprintln!("SKIP: ../shared/packs/bfcl is not beside the checkout; `cargo xtask setup parity` fetches it");
    None
}

/// The files of the reference data.
pub(crate) fn reference(folder: &Path) -> Memory {
    let mut files = BTreeMap::new();
    Memory::below(folder, &folder.join("data"), &mut files);
    Memory(files)
}

pub(crate) fn items(files: &Memory) -> HashMap<String, Item> {
    let items = Bfcl.items(files).unwrap_or_else(|error| panic!("{error}"));
    items.into_iter().map(|item| (item.id.clone(), item)).collect()
}

/// The lines of a file of JSON.
pub(crate) fn lines(path: &Path) -> Vec<Value> {
    let text = fs::read_to_string(path).expect("read");
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

/// A reply scored; there is one row of each.
pub(crate) fn score(item: &Item, answer: &Answer, rules: Rules) -> Row {
    let mut rows = Bfcl.score(item, answer, rules);
    assert_eq!(rows.len(), 1, "{}", item.id);
    rows.remove(0)
}
