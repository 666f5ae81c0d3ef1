//! Checks of the packages' dependencies, from `cargo metadata`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

use anyhow::Context as _;
use serde_json::Value;

use crate::{checkout, command};

/// A library, the only package that may depend directly on the library, and the invariant that
/// requires this.
const OWNERS: [(&str, &str, &str); 7] = [
    ("tauri", "koab-desktop", "invariant 1"),
    ("tauri-build", "koab-desktop", "invariant 1"),
    ("rusqlite", "koab-store", "invariant 2"),
    ("bollard", "koab-scenarios", "invariant 2"),
    ("llama-cpp-2", "koab-local", "invariant 2"),
    ("llama-cpp-sys-2", "koab-local", "invariant 2"),
    ("keyring", "koab-keys", "invariant 2"),
];

/// Packages of the domain. They have no clock, no randomness, no IO and no async code.
const PURE: [&str; 5] = ["koab-core", "koab-report", "koab-analysis", "koab-benchmarks", "koab-bundle"];

/// Other dependencies that the packages of the domain may have. All of them handle data or
/// arithmetic.
///
/// `csv` reads published tables in memory, `serde_norway` the judge prompts (YAML). `ts-rs` is
/// behind a feature. `statrs` has the distributions for tests between reports, `maud` writes pages
/// and pictures as text, `hex` writes hashes, and `indexmap` keeps orders. `regex` parses texts,
/// `crc32fast` has the checksums of journals, `koab-say` the macros of sentences, and `inventory`
/// the list of sentences. `strsim` compares spellings.
const PURE_DEPENDENCIES: [&str; 20] = [
    "aho-corasick",
    "base64",
    "crc32fast",
    "csv",
    "hex",
    "indexmap",
    "inventory",
    "jsonschema",
    "koab-say",
    "maud",
    "percent-encoding",
    "regex",
    "serde",
    "serde_json",
    "serde_norway",
    "sha2",
    "statrs",
    "strsim",
    "thiserror",
    "ts-rs",
];

/// Layers of packages, the lowest first (docs/ARCHITECTURE.md). A package may depend only on
/// packages of lower layers. So dependencies point one way, and the outer crates do not know each
/// other.
const FLOORS: [&[&str]; 18] = [
    &["koab-say", "koab-hub", "koab-draws", "koab-programs"],
    &["koab-core"],
    &["koab-report"],
    &[
        "koab-analysis",
        "koab-benchmarks",
        "koab-bundle",
        "koab-engine",
        "koab-features",
        "koab-mcp",
        "koab-tiny",
    ],
    &["koab-cluster", "koab-store", "koab-providers", "koab-local", "koab-stand-ins"],
    &["koab-workspace"],
    &["koab-keys"],
    &["koab-models"],
    &["koab-gateway", "koab-packs"],
    &["koab-scenarios"],
    &["koab-agents"],
    &["koab-library", "koab-recorder"],
    &["koab-scoring"],
    &["koab-runs"],
    &["koab-compare", "koab-exchange", "koab-remote"],
    &["koab-api"],
    &["koab-serve", "koab-desktop"],
    &["koab-cli"],
];

/// A package and the network libraries that it must not depend on. The package reaches networks
/// only through its ports.
const MUST_NOT: [(&str, &[&str]); 3] =
    [("koab-hub", &["reqwest"]), ("koab-engine", &["reqwest", "hf-hub"]), ("koab-local", &["reqwest"])];

/// Packages that the command line must not depend on, because it runs on servers without a web
/// view.
const NOT_BELOW_CLI: [&str; 3] = ["tauri", "wry", "webkit2gtk"];

/// Libraries that must not be present in two versions, because they are slow to compile or have
/// much state.
const ONE_VERSION: [&str; 8] =
    ["axum", "hyper", "jsonschema", "reqwest", "rusqlite", "rustls", "tauri", "tokio"];

/// Runs cargo and checks all rules. Returns one sentence per violation.
pub(super) fn check(root: &Path) -> anyhow::Result<Vec<String>> {
    let version = command::stdout_of(Command::new("rustc").arg("-vV").current_dir(root))?;
    let host = version.lines().find_map(|line| line.strip_prefix("host: ")).context("rustc names no host")?;
    // Limited to this machine's platform, since libraries of other platforms have other versions.
    let metadata = checkout::metadata(root, &["--filter-platform", host])?;
    let packages = Packages::from_metadata(&metadata);
    Ok([packages.owners(), packages.directions(), packages.below_cli(), packages.twice()].concat())
}

struct Packages {
    /// Direct dependencies of each workspace package, without those for tests.
    direct: BTreeMap<String, BTreeSet<String>>,
    /// Name and version of every package, by the id of the package.
    names: BTreeMap<String, (String, String)>,
    /// Ids of the packages that a package is linked with, by the id of the package.
    linked: BTreeMap<String, Vec<String>>,
}

impl Packages {
    fn from_metadata(metadata: &Value) -> Self {
        let members: BTreeSet<&str> =
            list(&metadata["workspace_members"]).iter().filter_map(Value::as_str).collect();
        let mut packages = Self { direct: BTreeMap::new(), names: BTreeMap::new(), linked: BTreeMap::new() };
        for package in list(&metadata["packages"]) {
            let id = text(&package["id"]);
            packages.names.insert(id.clone(), (text(&package["name"]), text(&package["version"])));
            if members.contains(id.as_str()) {
                let dependencies =
                    list(&package["dependencies"]).iter().filter(|dependency| dependency["kind"] != "dev");
                let names = dependencies.map(|dependency| text(&dependency["name"])).collect();
                packages.direct.insert(text(&package["name"]), names);
            }
        }
        for node in list(&metadata["resolve"]["nodes"]) {
            let linked = list(&node["deps"]).iter().filter(|dependency| {
                list(&dependency["dep_kinds"]).iter().any(|kind| kind["kind"].is_null())
            });
            packages
                .linked
                .insert(text(&node["id"]), linked.map(|dependency| text(&dependency["pkg"])).collect());
        }
        packages
    }

    fn owners(&self) -> Vec<String> {
        let mut violations = Vec::new();
        for (package, dependencies) in &self.direct {
            for (library, owner, rule) in OWNERS {
                if package != owner && dependencies.contains(library) {
                    violations
                        .push(format!("{package} depends on {library}, which only {owner} may ({rule})"));
                }
            }
        }
        violations
    }

    fn directions(&self) -> Vec<String> {
        let mut violations = Vec::new();
        for package in PURE {
            let dependencies = self.direct.get(package).into_iter().flatten();
            let is_other = |dependency: &&String| {
                !PURE_DEPENDENCIES.contains(&dependency.as_str()) && !PURE.contains(&dependency.as_str())
            };
            violations.extend(dependencies.filter(is_other).map(|dependency| {
                format!(
                    "{package} depends on {dependency}: the domain may use {} (invariant 3)",
                    PURE_DEPENDENCIES.join(", ")
                )
            }));
        }
        let floor_of = |name: &str| FLOORS.iter().position(|floor| floor.contains(&name));
        for (package, dependencies) in &self.direct {
            let Some(floor) = floor_of(package) else {
                if package.starts_with("koab-") {
                    violations.push(format!("{package} stands on no floor; name one in FLOORS"));
                }
                continue;
            };
            let upward =
                dependencies.iter().filter(|name| floor_of(name).is_some_and(|other| other >= floor));
            violations.extend(upward.map(|name| {
                format!("{package} depends on {name}, which is on no lower floor: dependencies point one way")
            }));
        }
        for (package, forbidden) in MUST_NOT {
            let Some(dependencies) = self.direct.get(package) else {
                continue;
            };
            let direct = forbidden.iter().filter(|name| dependencies.contains(**name));
            violations.extend(
                direct.map(|name| format!("{package} depends on {name}, which it reaches through a port")),
            );
        }
        violations
    }

    fn below_cli(&self) -> Vec<String> {
        let mut visited = BTreeSet::new();
        let mut next: Vec<&str> = self
            .names
            .iter()
            .filter(|(_, (name, _))| name == "koab-cli")
            .map(|(id, _)| id.as_str())
            .collect();
        while let Some(id) = next.pop() {
            if visited.insert(id) {
                next.extend(self.linked.get(id).into_iter().flatten().map(String::as_str));
            }
        }
        let names = visited.iter().filter_map(|id| self.names.get(*id)).map(|(name, _)| name.as_str());
        let forbidden = names.filter(|name| NOT_BELOW_CLI.contains(name));
        forbidden
            .map(|name| format!("koab-cli is linked with {name}; it must run on a server without a web view"))
            .collect()
    }

    fn twice(&self) -> Vec<String> {
        let mut versions: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        // Uses the resolved graph, because the list of packages includes other platforms.
        for (name, version) in self.linked.keys().filter_map(|id| self.names.get(id)) {
            versions.entry(name).or_default().insert(version);
        }
        let duplicates = ONE_VERSION.iter().filter_map(|name| {
            let versions = versions.get(name).filter(|versions| versions.len() > 1)?;
            let versions: Vec<_> = versions.iter().copied().collect();
            Some(format!("{name} is there in the versions {}", versions.join(" and ")))
        });
        duplicates.collect()
    }
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// A workspace from a list of packages, each with its dependencies; `dev:` marks a dependency
    /// for tests.
    fn packages(tree: &[(&str, &[&str])]) -> Packages {
        let dependency = |name: &&str| match name.strip_prefix("dev:") {
            Some(name) => json!({"name": name, "kind": "dev"}),
            None => json!({"name": name, "kind": null}),
        };
        let linked = |names: &[&str]| -> Vec<Value> {
            let kept = names.iter().filter(|name| !name.starts_with("dev:"));
            kept.map(|name| json!({"pkg": name, "dep_kinds": [{"kind": null}]})).collect()
        };
        let members: Vec<_> =
            tree.iter().map(|(name, _)| name).filter(|name| name.starts_with("koab")).collect();
        let all = tree.iter().map(|(id, names)| {
            let (name, version) = id.split_once('@').unwrap_or((id, "1.0.0"));
            let dependencies: Vec<_> = names.iter().map(dependency).collect();
            json!({"id": id, "name": name, "version": version, "dependencies": dependencies})
        });
        let nodes: Vec<_> = tree.iter().map(|(id, names)| json!({"id": id, "deps": linked(names)})).collect();
        Packages::from_metadata(&json!({
            "workspace_members": members, "packages": all.collect::<Vec<_>>(), "resolve": {"nodes": nodes}
        }))
    }

    #[test]
    fn a_library_has_one_owner() {
        let tree = packages(&[("koab-desktop", &["tauri"]), ("koab-api", &["rusqlite", "dev:bollard"])]);
        assert_eq!(tree.owners(), ["koab-api depends on rusqlite, which only koab-store may (invariant 2)"]);
    }

    #[test]
    fn dependencies_point_one_way() {
        let tree = packages(&[
            ("koab-core", &["serde", "tokio"]),
            ("koab-engine", &["koab-core", "tokio"]),
            ("koab-store", &["koab-engine", "koab-providers"]),
        ]);
        let violations = tree.directions();
        assert_eq!(violations.len(), 2, "{violations:?}");
        assert!(violations[0].starts_with("koab-core depends on tokio"));
        assert!(violations[1].starts_with("koab-store depends on koab-providers"));
    }

    #[test]
    fn the_command_line_reaches_no_web_view() {
        let tree = packages(&[
            ("koab-cli", &["koab-api"]),
            ("koab-api", &["open"]),
            ("open", &["wry"]),
            ("wry", &[]),
        ]);
        assert_eq!(tree.below_cli().len(), 1);
        let tree = packages(&[("koab-cli", &["koab-api"]), ("koab-api", &["dev:wry"]), ("wry", &[])]);
        assert!(tree.below_cli().is_empty());
    }

    #[test]
    fn two_versions_of_a_large_library_are_named() {
        let tree =
            packages(&[("hyper@1.0.0", &[]), ("hyper@0.14.0", &[]), ("syn@1.0.0", &[]), ("syn@2.0.0", &[])]);
        assert_eq!(tree.twice(), ["hyper is there in the versions 0.14.0 and 1.0.0"]);
    }
}
