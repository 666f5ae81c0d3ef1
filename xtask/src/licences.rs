//! `ui/src/app/licences.json`: libraries in the product and their licences, for the about box.
//!
//! Nothing is downloaded: `cargo metadata` lists the crates and the lock file the npm packages.
//! Versions are omitted, so that the file changes only when a library is added or removed or a
//! licence changes.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context as _, bail};
use serde_json::{Value, json};

use crate::checkout::{self, Checkout};

/// Platform of the Linux build. The list is made for this platform on every system, so it is the
/// same everywhere.
const PLATFORM: &str = "x86_64-unknown-linux-gnu";

/// Names of the packages that users get.
const SHIPPED: [&str; 2] = ["koab-desktop", "koab-cli"];

/// npm packages without a licence in their manifest, with the licence that their licence file
/// contains.
const UNNAMED: [(&str, &str); 1] = [("svelte-toolbelt", "MIT")];

/// Names of the libraries under each licence.
type Licences = BTreeMap<String, BTreeSet<String>>;

/// Path of the list below the checkout.
pub(crate) const FILE: &str = "ui/src/app/licences.json";

/// Returns the list as the text of the JSON file.
///
/// # Errors
/// When cargo or the lock file cannot be read, or a library names no licence.
pub(crate) fn text(checkout: &Checkout) -> anyhow::Result<String> {
    let metadata = checkout::metadata(&checkout.root, &["--locked", "--filter-platform", PLATFORM])?;
    let lock = std::fs::read_to_string(checkout.ui().join("package-lock.json"))
        .context("cannot read ui/package-lock.json")?;
    let lock = serde_json::from_str(&lock).context("ui/package-lock.json is not JSON")?;
    let all = json!({ "crates": crates(&metadata)?, "npm": npm(&lock)? });
    Ok(serde_json::to_string_pretty(&all)? + "\n")
}

/// Checks that the committed list equals the current list.
///
/// # Errors
/// Every error of [`text`]. Also when the lists differ.
pub(crate) fn check(checkout: &Checkout) -> anyhow::Result<()> {
    let committed = std::fs::read_to_string(checkout.root.join(FILE)).unwrap_or_default();
    if committed == text(checkout)? {
        return Ok(());
    }
    bail!("{FILE} does not list what is shipped now; run `cargo xtask gen`")
}

/// Crates that are linked into the shipped packages, by licence. Crates for building and testing
/// are not included.
fn crates(metadata: &Value) -> anyhow::Result<Licences> {
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let packages: BTreeMap<String, Value> =
        list(&metadata["packages"]).into_iter().map(|package| (word(&package["id"]), package)).collect();
    let nodes: BTreeMap<String, Vec<Value>> = list(&metadata["resolve"]["nodes"])
        .into_iter()
        .map(|node| (word(&node["id"]), list(&node["deps"])))
        .collect();
    // Macros run in the compiler, and so do their dependencies.
    let is_macro = |package: &Value| {
        list(&package["targets"]).iter().any(|target| list(&target["kind"]).contains(&json!("proc-macro")))
    };
    let mut next: Vec<&String> = packages
        .iter()
        .filter(|(_, package)| SHIPPED.contains(&word(&package["name"]).as_str()))
        .map(|(id, _)| id)
        .collect();
    let mut visited = BTreeSet::new();
    let mut licences = Licences::new();
    while let Some(id) = next.pop() {
        let Some(package) = packages.get(id).filter(|package| !is_macro(package)) else {
            continue;
        };
        if !visited.insert(id) {
            continue;
        }
        // A package without a source belongs to the workspace.
        if !package["source"].is_null() {
            let name = word(&package["name"]);
            let licence =
                package["license"].as_str().with_context(|| format!("the crate {name} names no licence"))?;
            // A slash is an old notation for "or".
            licences
                .entry(licence.split('/').map(str::trim).collect::<Vec<_>>().join(" OR "))
                .or_default()
                .insert(name);
        }
        let linked =
            nodes.get(id).into_iter().flatten().filter(|dependency| {
                list(&dependency["dep_kinds"]).iter().any(|kind| kind["kind"].is_null())
            });
        for dependency in linked {
            let id = word(&dependency["pkg"]);
            next.extend(packages.get_key_value(&id).map(|(id, _)| id));
        }
    }
    Ok(licences)
}

/// npm packages that the pages are built from. Development dependencies are not included.
fn npm(lock: &Value) -> anyhow::Result<Licences> {
    let mut licences = Licences::new();
    for (path, package) in lock["packages"].as_object().into_iter().flatten() {
        let Some((_, name)) = path.rsplit_once("node_modules/") else {
            continue;
        };
        if package["dev"] == true || package["devOptional"] == true {
            continue;
        }
        let unnamed = UNNAMED.iter().find(|(known, _)| *known == name);
        let licence =
            package["license"].as_str().or(unnamed.map(|(_, licence)| *licence)).with_context(|| {
                format!("the npm package {name} names no licence; look at it and add it to `UNNAMED`")
            })?;
        licences.entry(licence.trim_matches(['(', ')']).to_owned()).or_default().insert(name.to_owned());
    }
    Ok(licences)
}

fn word(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_linked_is_listed() {
        let package = |name: &str, kind: &str, source: Value| {
            json!({ "id": name, "name": name, "license": "MIT/Apache-2.0", "source": source,
                    "targets": [{ "kind": [kind] }] })
        };
        let dependency = |name: &str, kind: Value| json!({ "pkg": name, "dep_kinds": [{ "kind": kind }] });
        let metadata = json!({
            "packages": [
                package("koab-cli", "bin", Value::Null),
                package("linked", "lib", json!("registry")),
                package("below", "lib", json!("registry")),
                package("macro", "proc-macro", json!("registry")),
                package("tester", "lib", json!("registry")),
            ],
            "resolve": { "nodes": [
                { "id": "koab-cli", "deps": [
                    dependency("linked", Value::Null),
                    dependency("macro", Value::Null),
                    dependency("tester", json!("dev")),
                ] },
                { "id": "linked", "deps": [dependency("below", Value::Null)] },
            ] },
        });
        let expected = Licences::from([(
            "MIT OR Apache-2.0".to_owned(),
            BTreeSet::from(["below".to_owned(), "linked".to_owned()]),
        )]);
        assert_eq!(crates(&metadata).unwrap(), expected);
    }

    #[test]
    fn a_package_without_a_licence_is_refused_by_name() {
        let lock = json!({ "packages": {
            "": { "name": "ui" },
            "node_modules/a": { "license": "(MPL-2.0 OR Apache-2.0)" },
            "node_modules/a/node_modules/@x/b": { "license": "MIT" },
            "node_modules/tool": { "license": "MIT", "dev": true },
        } });
        let listed = npm(&lock).unwrap();
        assert_eq!(listed.keys().collect::<Vec<_>>(), ["MIT", "MPL-2.0 OR Apache-2.0"]);
        assert!(listed["MIT"].contains("@x/b") && !listed["MIT"].contains("tool"));
        let unknown = json!({ "packages": { "node_modules/mystery": {} } });
        assert!(npm(&unknown).unwrap_err().to_string().contains("mystery"));
    }
}
