//! `cargo xtask gen`: TypeScript types for the Rust types that are sent to the UI, in one file.
//!
//! Tests named `export_bindings…` make ts-rs write one file per type into a scratch folder. The
//! joined file needs no imports, and removed types leave nothing behind.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use anyhow::{Context as _, bail};

use crate::checkout::Checkout;
use crate::{command, licences, out};

/// Path of the file with the TypeScript types, below the checkout.
const FILE: &str = "ui/src/ipc/gen.ts";

const HEADER: &str =
    "// Written by `cargo xtask gen` from the Rust types that cross to the UI. Do not edit.\n";

/// Arguments for cargo that select the crates with exported types.
const EXPORTING: [&str; 41] = [
    "--package",
    "koab-api",
    "--package",
    "koab-workspace",
    "--package",
    "koab-keys",
    "--package",
    "koab-models",
    "--package",
    "koab-packs",
    "--package",
    "koab-agents",
    "--package",
    "koab-library",
    "--package",
    "koab-runs",
    "--package",
    "koab-compare",
    "--package",
    "koab-exchange",
    "--package",
    "koab-scenarios",
    "--package",
    "koab-recorder",
    "--package",
    "koab-core",
    "--package",
    "koab-report",
    "--package",
    "koab-analysis",
    "--package",
    "koab-bundle",
    "--package",
    "koab-engine",
    "--package",
    "koab-store",
    "--package",
    "koab-gateway",
    "--package",
    "koab-cluster",
    "--lib",
];

/// Updates the file with the TypeScript types and the list of licences.
///
/// # Errors
/// When the types cannot be exported or a file cannot be written.
pub(crate) fn into_checkout(checkout: &Checkout) -> anyhow::Result<()> {
    let fresh = export(checkout, &EXPORTING)?;
    let committed = std::fs::read_to_string(checkout.root.join(FILE)).unwrap_or_default();
    // An unchanged file is not written, so its date stays.
    if committed != fresh {
        write(checkout, FILE, &fresh)?;
    }
    write(checkout, licences::FILE, &licences::text(checkout)?)?;
    let changed = differences(&committed, &fresh).len();
    out::line(format_args!("{} types in {FILE}, {changed} changed", count(&fresh)));
    Ok(())
}

/// Compares the committed types with the Rust types. `options` selects the packages for cargo.
///
/// # Errors
/// When the types differ, with the names of the differing types, or when the types cannot be
/// exported.
pub(crate) fn check(checkout: &Checkout, options: &[&str]) -> anyhow::Result<()> {
    let fresh = export(checkout, options)?;
    let committed = std::fs::read_to_string(checkout.root.join(FILE)).unwrap_or_default();
    if committed != fresh {
        let changed = Vec::from_iter(differences(&committed, &fresh)).join(", ");
        bail!("{FILE} is not what the Rust types give; run `cargo xtask gen`: {changed}");
    }
    out::line(format_args!("{} types, written by what ts-rs generates for each; one check", count(&fresh)));
    Ok(())
}

fn write(checkout: &Checkout, file: &str, text: &str) -> anyhow::Result<()> {
    std::fs::write(checkout.root.join(file), text).with_context(|| format!("cannot write {file}"))
}

fn export(checkout: &Checkout, options: &[&str]) -> anyhow::Result<String> {
    let scratch = checkout.scratch("bindings")?;
    let mut cargo = command::cargo(&checkout.root);
    cargo.args(["test", "--quiet"]).args(options).arg("export_bindings");
    cargo.env("TS_RS_EXPORT_DIR", scratch.path()).env("TS_RS_LARGE_INT", "number");
    // The tests' own count in the output is of no use to a reader.
    command::stdout_of(&mut cargo)?;
    let text = join(scratch.path())?;
    if count(&text) == 0 {
        bail!("no type was exported; is `#[ts(export)]` gone?");
    }
    Ok(text)
}

/// Joins the types of all files in `folder`, sorted by name, each after a blank line.
fn join(folder: &Path) -> anyhow::Result<String> {
    let mut types = BTreeMap::new();
    read(folder, &mut types)?;
    Ok(HEADER.to_owned() + &types.into_values().collect::<String>())
}

/// Reads the types of a folder. Its subfolders contain types that only other types use.
fn read(folder: &Path, types: &mut BTreeMap<String, String>) -> anyhow::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            read(&path, types)?;
            continue;
        }
        let text = std::fs::read_to_string(&path)?;
        let own = declaration(&text);
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        types.insert(name.into_owned(), format!("\n{own}\n"));
    }
    Ok(())
}

/// Returns the declaration in a file of ts-rs, without imports and comments. Docs remain with the
/// Rust types, so a change of a doc does not change the file.
fn declaration(text: &str) -> String {
    let mut in_comment = false;
    let code = text.lines().filter(|line| {
        let starts = line.starts_with("/**");
        let comment = in_comment || starts;
        in_comment = comment && !line.ends_with("*/");
        !(comment || line.starts_with("// ") || line.starts_with("import "))
    });
    code.map(str::trim_end).collect::<Vec<_>>().join("\n").trim().to_owned()
}

fn count(text: &str) -> usize {
    text.matches("\nexport ").count()
}

/// Names of the types that differ, or that only one of the texts has.
fn differences<'a>(committed: &'a str, fresh: &'a str) -> BTreeSet<&'a str> {
    let types = |text: &'a str| -> BTreeSet<_> { text.trim_end().split("\n\n").collect() };
    let (committed, fresh) = (types(committed), types(fresh));
    let apart = committed.symmetric_difference(&fresh);
    apart
        .filter_map(|text| text.lines().find_map(|line| line.strip_prefix("export ")))
        .filter_map(|declared| declared.split(' ').nth(1))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_joined_by_name_and_what_differs_is_named() {
        let folder = Checkout::find().unwrap().scratch("join").unwrap();
        std::fs::create_dir(folder.path().join("parts")).unwrap();
        for (file, text) in [
            (
                "C.ts",
                "// Made.\nimport type { B } from './parts/B';\n\n/**\n * Of B.\n */\nexport type C = B;\n",
            ),
            ("parts/B.ts", "// Made.\n\nexport type B = string;"),
            ("A.ts", "// Made.\nexport interface A {\n  b: string;\n}\n"),
        ] {
            std::fs::write(folder.path().join(file), text).unwrap();
        }
        let text = join(folder.path()).unwrap();
        let types = "
export interface A {
  b: string;
}

export type B = string;

export type C = B;
";
        assert_eq!(text, HEADER.to_owned() + types);
        assert_eq!(count(&text), 3);
        let later = text.replace("b: string", "b: number").replace("type C", "type D");
        assert_eq!(Vec::from_iter(differences(&text, &later)), ["A", "C", "D"]);
        assert!(differences(&text, &text).is_empty());
    }
}
