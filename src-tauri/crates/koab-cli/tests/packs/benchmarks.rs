//! Other benchmarks as archives of this disk, as archives of their authors' repositories, and as datasets of a hub: each time the pack has
//! all items, and licence and notices are in it and in what is exported of it.

use crate::packs::Here;
use crate::packs::files::{File, borrowed};
use crate::packs::pulls::collect;
use crate::support::hub::COMMIT;
use crate::support::{self, Koab, benchmark_packs};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const NOTICES: [&str; 2] = ["LICENSE", "NOTICE.md"];

/// A benchmark as its authors lay it out.
struct Published {
    name: &'static str,
    items: u64,
    files: Vec<File>,
}

impl Published {
    /// What its authors say of whose it is, a text each.
    fn notices(&self) -> BTreeSet<String> {
        let notices = self.files.iter();
        let notices =
            notices.filter(|(path, _)| path.rsplit('/').next().is_some_and(|name| NOTICES.contains(&name)));
        notices.map(|(_, bytes)| String::from_utf8(bytes.clone()).expect("text")).collect()
    }
}

/// Small ones in the layout of their repositories, with a notice, and beside them what is in no pack.
fn small() -> Vec<Published> {
    let folder = tempfile::tempdir().expect("a folder");
    let roots = [
        ("bfcl", 3, benchmark_packs::bfcl(folder.path(), &[("multiple", 2), ("irrelevance", 1)])),
        ("functionchat", 2, benchmark_packs::judged_functionchat(folder.path(), 2)),
    ];
    let made = roots.map(|(name, items, root)| {
        for notice in NOTICES {
            fs::write(root.join(notice), format!("{notice} of {name}")).expect("written");
        }
        fs::write(root.join("README.md"), "# Read me").expect("written");
        fs::write(root.join("run.py"), "print()").expect("written");
        published(name, items, &root)
    });
    made.into_iter().collect()
}

/// A published one, where the reference data is.
fn whole(test: &str, name: &'static str, items: u64) -> Option<Published> {
    let mut all = published(name, items, &support::shared(test)?.join("packs").join(name));
    // What lies beside the data there was made of it.
    all.files.retain(|(path, _)| path.starts_with("data/") || NOTICES.contains(&path.as_str()));
    Some(all)
}

fn published(name: &'static str, items: u64, root: &Path) -> Published {
    let mut files = Vec::new();
    collect(root, root, &mut files);
    Published { name, items, files }
}

/// What Python writes for a script; `None` where there is none.
fn python(script: &str, words: &[&Path]) -> Option<String> {
    let said = Command::new("python3").arg("-c").arg(script).args(words).output().ok()?;
    assert!(said.status.success(), "{}", String::from_utf8_lossy(&said.stderr));
    Some(String::from_utf8(said.stdout).expect("text"))
}

/// Its files in one folder of an archive, as a host of repositories packs them.
fn packed(published: &Published, form: &str, below: &Path) -> Option<PathBuf> {
    let root = below.join("files");
    for (path, bytes) in &published.files {
        let path = root.join("authors-main").join(path);
        fs::create_dir_all(path.parent().expect("a parent")).expect("made");
        fs::write(path, bytes).expect("written");
    }
    let script = "import shutil, sys; print(shutil.make_archive(sys.argv[1], sys.argv[2], sys.argv[3], 'authors-main'))";
    let made = python(script, &[&below.join("archive"), Path::new(form), &root])?;
    Some(PathBuf::from(made.trim_end()))
}

/// The notices in an exported pack.
fn exported(koab: &Koab, name: &str) -> BTreeSet<String> {
    let to = koab.path().join("exported.zip");
    koab.ok(&["pack", "export", name, "--force", "-o", &to.display().to_string()]);
    let script = "import json, sys, zipfile\nz = zipfile.ZipFile(sys.argv[1])\n\
        print(json.dumps([z.read(n).decode() for n in z.namelist() if n.split('/')[-1] in ('LICENSE', 'NOTICE.md')]))";
    let said = python(script, &[&to]).expect("Python is there");
    serde_json::from_str(&said).expect("a list")
}

/// The installed pack has all items, and its notices go with it.
fn has_all(koab: &Koab, published: &Published) {
    let name = published.name;
    let shown = koab.json(&["pack", "show", name]);
    let groups = shown["summary"]["groups"].as_array().expect("groups").iter();
    let items: u64 = groups.filter_map(|group| group["items"].as_u64()).sum();
    assert_eq!((&shown["summary"]["kind"], items), (&json!(name), published.items));
    assert_eq!(koab.json(&["pack", "verify", name]), json!([]));
    let notices = published.notices();
    assert!(!notices.is_empty());
    assert_eq!(exported(koab, name), notices, "{name}");
}

/// The same, and by way of another workspace; a run can ask all of its items.
fn is_whole(koab: &Koab, published: &Published) {
    let name = published.name;
    has_all(koab, published);
    let requests = koab.json(&["run", "--dry-run", "--requests", "--pack", name]);
    assert_eq!(requests.as_array().map(Vec::len), Some(published.items as usize));
    let other = Koab::new();
    other.ok(&["pack", "import", &koab.path().join("exported.zip").display().to_string()]);
    assert_eq!(exported(&other, name), published.notices(), "{name}");
}

/// Imports it from an archive of this form; `None` where none can be made.
fn imported(test: &str, published: &Published, form: &str, ending: &str) -> Option<Koab> {
    let folder = tempfile::tempdir().expect("a folder");
    let Some(archive) = packed(published, form, folder.path()) else {
        support::skip(test, "python3");
        return None;
    };
    let archive = archive.display().to_string();
    assert!(archive.ends_with(ending), "{archive}");
    let koab = Koab::new();
    koab.ok(&["pack", "import", &archive]);
    Some(koab)
}

#[test]
fn benchmarks_are_imported_from_both_forms_of_archives_with_licence_and_notices() {
    let test = "benchmarks_are_imported_from_both_forms_of_archives_with_licence_and_notices";
    for published in small() {
        for (form, ending) in [("zip", ".zip"), ("gztar", ".tar.gz")] {
            if let Some(koab) = imported(test, &published, form, ending) {
                is_whole(&koab, &published);
            }
        }
    }
}

#[test]
fn the_first_published_benchmark_is_imported_whole_from_a_zip() {
    let test = "the_first_published_benchmark_is_imported_whole_from_a_zip";
    let Some(published) = whole(test, "bfcl", 3_641) else {
        return;
    };
    if let Some(koab) = imported(test, &published, "zip", ".zip") {
        has_all(&koab, &published);
    }
}

#[test]
fn the_second_published_benchmark_is_imported_whole_from_a_tar() {
    let test = "the_second_published_benchmark_is_imported_whole_from_a_tar";
    let Some(published) = whole(test, "functionchat", 1_306) else {
        return;
    };
    if let Some(koab) = imported(test, &published, "gztar", ".tar.gz") {
        has_all(&koab, &published);
    }
}

#[test]
fn benchmarks_are_pulled_as_archives_of_repositories_and_as_datasets_with_licence_and_notices() {
    let test = "benchmarks_are_pulled_as_archives_of_repositories_and_as_datasets_with_licence_and_notices";
    for published in &small() {
        let folder = tempfile::tempdir().expect("a folder");
        let Some(archive) = packed(published, "gztar", folder.path()) else {
            support::skip(test, "python3");
            return;
        };
        let here = Here::new();
        let archive = fs::read(archive).expect("read");
        here.hub.archive("authors/benchmark", "main", archive);
        let page = format!("{}/authors/benchmark", here.hub.address);
        let pulled = here.ok(&["pack", "pull", "--archive", &format!("{page}@main")]);
        assert_eq!(pulled["imported"]["pack"]["name"], published.name);
        came_from(&here, published, &format!("{page}@main"));

        let here = Here::new();
        here.hub.dataset("someone/benchmark", json!({}), &borrowed(&published.files));
        let pulled = here.ok(&["pack", "pull", "someone/benchmark"]);
        assert_eq!(pulled["kind"], "pack", "{pulled}");
        let asked = here.hub.requests();
        assert!(
            !asked.iter().any(|asked| asked.line.contains("README") || asked.line.contains("run.py")),
            "{asked:?}"
        );
        let page = format!("{}/datasets/someone/benchmark@{COMMIT}", here.hub.address);
        came_from(&here, published, &page);
    }
}

/// The pack says where it came from, and needs that place no more.
fn came_from(here: &Here, published: &Published, page: &str) {
    let shown = here.ok(&["pack", "show", published.name]);
    assert_eq!(shown["source"], Value::from(page));
    here.hub.requests();
    is_whole(&here.koab, published);
    assert!(here.hub.requests().is_empty());
}
