//! Items of another benchmark in a bundle. They are parsed from the pack's files in the bundle,
//! which must be exactly the files that the pack's manifest lists.

use koab_benchmarks::{Files, Scoring, find};
use koab_bundle::bundle::{CheckName, Contents, Findings, ITEMS, PACK_MANIFEST};
use koab_core::cache_key::sha256_hex;
use koab_core::level::Level;
use koab_core::say;
use koab_core::sentence::{Sentence, ToSentence as _};
use koab_core::task::Task;
use koab_report::Dataset;
use koab_store::BenchmarkPack;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Files of a bundle, as input of a benchmark's parser.
struct BundledFiles<'a>(&'a BTreeMap<String, Vec<u8>>);

impl Files for BundledFiles<'_> {
    fn paths(&self) -> Vec<String> {
        self.0.keys().cloned().collect()
    }
    fn read(&self, path: &str) -> Result<Vec<u8>, Sentence> {
        self.0.get(path).cloned().ok_or_else(|| say!("is missing"))
    }
}

/// Parses the items and adds them to the contents, if the bundle is of another benchmark.
pub(super) fn settle(contents: &mut Contents, findings: &mut Findings) {
    if !contents.is_of_another_benchmark() {
        return;
    }
    check_files(contents, findings);
    match read(contents) {
        Ok((tasks, dataset)) => contents.settle(tasks, dataset, findings),
        Err(why) => findings.failed(CheckName::Pack, PACK_MANIFEST, why),
    }
}

/// Checks that the bundle has exactly the files that the pack's manifest lists, with their hashes.
fn check_files(contents: &Contents, findings: &mut Findings) {
    let hashes = &contents.pack.manifest.sha256;
    for (path, content) in &contents.items {
        let why = match hashes.get(path) {
            None => say!("is a file that the pack's description does not name"),
            Some(sha256) if *sha256 != sha256_hex(content) => {
                say!("is not the file that the pack's description names")
            }
            Some(_) => continue,
        };
        findings.failed(CheckName::Pack, format!("{ITEMS}{path}"), why);
    }
    for path in hashes.keys().filter(|path| !contents.items.contains_key(*path)) {
        let why = say!("is missing, and the pack's description names it");
        findings.failed(CheckName::Pack, format!("{ITEMS}{path}"), why);
    }
}

fn read(contents: &Contents) -> Result<(BTreeMap<Level, Vec<Task>>, Dataset), Sentence> {
    let Some(kind) = &contents.benchmark else {
        return Err(say!("names no benchmark, and the bundle holds files of one"));
    };
    let Some(benchmark) = find(kind) else {
        return Err(say!("is of the benchmark `{kind}`, which this version does not know"));
    };
    let items = benchmark
        .items(&BundledFiles(&contents.items))
        .map_err(|error| say!("its items cannot be read: {error}", error = error.0))?;
    let pack = BenchmarkPack { label: contents.pack.label(), benchmark, items: items.clone() };
    let pack = pack.into_pack(contents.pack.manifest.clone()).map_err(|error| error.to_sentence())?;
    let scoring = Scoring::new(benchmark, items);
    Ok((pack.tasks, Dataset::of_items(Arc::new(scoring))))
}
