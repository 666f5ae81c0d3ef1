//! `cargo xtask gen`: the TypeScript twins of the Rust types that cross to the UI.
//!
//! ts-rs writes them from tests whose names start with `export_bindings`. They are written to a scratch folder
//! first, so that a type that is gone takes its file along, and an unchanged file keeps its date.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context as _, bail};

use crate::place::Place;
use crate::{command, licences, out};

/// File name or path below the folder, and content.
type Files = BTreeMap<String, Vec<u8>>;

/// The crates that export types.
const EXPORTING: [&str; 5] = ["--package", "koab-api", "--package", "koab-core", "--lib"];

/// Brings `ui/src/ipc/gen` up to date.
///
/// # Errors
/// When the types cannot be exported or the folder cannot be written.
pub(crate) fn into_checkout(place: &Place) -> anyhow::Result<()> {
    let folder = place.generated_types();
    let fresh = export(place, &EXPORTING)?;
    let committed = read(&folder)?;
    for (name, content) in &fresh {
        if committed.get(name) != Some(content) {
            let path = folder.join(name);
            std::fs::create_dir_all(path.parent().unwrap_or(&folder))?;
            std::fs::write(&path, content).with_context(|| format!("cannot write {}", path.display()))?;
        }
    }
    for name in committed.keys().filter(|name| !fresh.contains_key(*name)) {
        std::fs::remove_file(folder.join(name))?;
    }
    std::fs::write(place.root.join(licences::FILE), licences::text(place)?)
        .with_context(|| format!("cannot write {}", licences::FILE))?;
    let changes = differences(&committed, &fresh);
    out::line(format_args!(
        "{} types in ui/src/ipc/gen, {} changed",
        fresh.len(),
        changes.len()
    ));
    Ok(())
}

/// Compares the committed types with what the Rust types give now. `options` selects the packages for cargo.
///
/// # Errors
/// When they differ (with the files), or cannot be exported.
pub(crate) fn check(place: &Place, options: &[&str]) -> anyhow::Result<()> {
    let fresh = export(place, options)?;
    let changes = differences(&read(&place.generated_types())?, &fresh);
    if changes.is_empty() {
        out::line(format_args!(
            "{} types, written by what ts-rs generates for each; one check",
            fresh.len()
        ));
        return Ok(());
    }
    bail!(
        "ui/src/ipc/gen is not what the Rust types give; run `cargo xtask gen`: {}",
        changes.join(", ")
    )
}

fn export(place: &Place, options: &[&str]) -> anyhow::Result<Files> {
    let scratch = place.scratch("bindings")?;
    let mut cargo = command::cargo(&place.root);
    cargo
        .args(["test", "--quiet"])
        .args(options)
        .arg("export_bindings");
    cargo
        .env("TS_RS_EXPORT_DIR", scratch.path())
        .env("TS_RS_LARGE_INT", "number");
    // The count of the tests behind it says nothing to a reader.
    command::stdout_of(&mut cargo)?;
    let mut files = read(scratch.path())?;
    if files.is_empty() {
        bail!("no type was exported; is `#[ts(export)]` gone?");
    }
    let index = index(&files);
    files.insert("index.ts".to_owned(), index.into_bytes());
    Ok(files)
}

/// All exported types under one roof; what lies in folders are parts that only other types name.
fn index(files: &Files) -> String {
    let names = files.keys().filter_map(|file| file.strip_suffix(".ts"));
    names
        .filter(|name| !name.contains('/'))
        .map(|name| format!("export type {{ {name} }} from './{name}';\n"))
        .collect()
}

fn read(folder: &Path) -> anyhow::Result<Files> {
    let mut files = Files::new();
    read_into(folder, "", &mut files)?;
    Ok(files)
}

fn read_into(folder: &Path, prefix: &str, files: &mut Files) -> anyhow::Result<()> {
    if !folder.is_dir() {
        return Ok(());
    }
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        let Some(name) = path.file_name().and_then(|name| name.to_str()) else {
            continue;
        };
        if path.is_dir() {
            read_into(&path, &format!("{prefix}{name}/"), files)?;
        } else {
            files.insert(format!("{prefix}{name}"), std::fs::read(&path)?);
        }
    }
    Ok(())
}

fn differences(committed: &Files, fresh: &Files) -> Vec<String> {
    let new = fresh
        .keys()
        .filter(|name| !committed.contains_key(*name))
        .map(|name| format!("{name} is missing"));
    let gone = committed
        .keys()
        .filter(|name| !fresh.contains_key(*name))
        .map(|name| format!("{name} is stale"));
    let other = fresh.iter().filter_map(|(name, content)| {
        let before = committed.get(name)?;
        (before != content).then(|| format!("{name} differs"))
    });
    new.chain(gone).chain(other).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_difference_is_named() {
        let files = |list: &[(&str, &str)]| -> Files {
            list.iter()
                .map(|(name, text)| ((*name).to_owned(), text.as_bytes().to_vec()))
                .collect()
        };
        let committed = files(&[("A.ts", "a"), ("B.ts", "b"), ("C.ts", "c")]);
        let fresh = files(&[("A.ts", "a"), ("B.ts", "new"), ("D.ts", "d")]);
        assert_eq!(
            differences(&committed, &fresh),
            ["D.ts is missing", "C.ts is stale", "B.ts differs"]
        );
        assert!(differences(&fresh, &fresh).is_empty());
    }
}
