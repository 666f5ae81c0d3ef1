//! Checks `deny.toml` against `cargo metadata`: licences, refused crates, sources.
//!
//! The file has the format of cargo-deny, so people who have this tool can use it. The check does
//! not call the tool: compiling it takes minutes on every new machine, and a check that runs only
//! on some machines is useless. Advisories need a database from the network and are checked for
//! releases.

use std::collections::BTreeSet;

use anyhow::{Context as _, ensure};
use serde::Deserialize;
use serde_json::Value;
use spdx::{Expression, Licensee, ParseMode};

use super::context::Context;
use super::count::Count;
use crate::checkout;

/// The only registry that crates may come from.
const REGISTRY: &str = "registry+https://github.com/rust-lang/crates.io-index";

/// Rules of `deny.toml`. Unknown entries are an error, because nothing would check them.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Rules {
    graph: Graph,
    licenses: Licences,
    /// Advisories, which this check ignores.
    #[serde(rename = "advisories")]
    _advisories: toml::Table,
    bans: Bans,
    sources: Sources,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Graph {
    all_features: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Licences {
    allow: Vec<String>,
    /// Threshold of cargo-deny for licences that it detects in files. This check ignores it and
    /// requires a licence in the manifest.
    #[serde(rename = "confidence-threshold")]
    _confidence_threshold: f64,
    private: Private,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Private {
    ignore: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Bans {
    multiple_versions: Allowed,
    wildcards: Denied,
    allow_wildcard_paths: bool,
    deny: Vec<Ban>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Ban {
    #[serde(rename = "crate")]
    name: String,
    reason: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Sources {
    unknown_registry: Denied,
    unknown_git: Denied,
}

/// The only supported value of a rule: the rule denies what it describes.
#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Denied {
    Deny,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Allowed {
    Allow,
}

/// Compares all dependencies, for every system and feature, with `deny.toml`.
pub(super) fn check(context: &Context<'_>) -> anyhow::Result<Count> {
    let root = &context.checkout.root;
    let text = std::fs::read_to_string(root.join("deny.toml")).context("cannot read deny.toml")?;
    let metadata = checkout::metadata(root, &["--locked", "--all-features"])?;
    let failures = violations(&text, &metadata)?;
    Ok(Count { passed: usize::from(failures.is_empty()), failures, ..Count::nothing() })
}

/// Returns one sentence per violation.
fn violations(rules: &str, metadata: &Value) -> anyhow::Result<Vec<String>> {
    let Rules {
        graph: Graph { all_features },
        licenses,
        bans: Bans { multiple_versions: Allowed::Allow, wildcards: Denied::Deny, allow_wildcard_paths, deny },
        sources: Sources { unknown_registry: Denied::Deny, unknown_git: Denied::Deny },
        ..
    } = toml::from_str(rules).context("deny.toml says what this check does not know")?;
    ensure!(
        all_features && licenses.private.ignore && allow_wildcard_paths,
        "deny.toml says what this check does not know: all features are looked at, own crates are not"
    );
    let allowed = licenses
        .allow
        .iter()
        .map(|name| {
            Licensee::parse(name).with_context(|| format!("deny.toml allows `{name}`, which is no licence"))
        })
        .collect::<anyhow::Result<Vec<_>>>()?;
    let members: BTreeSet<&str> =
        list(&metadata["workspace_members"]).iter().filter_map(Value::as_str).collect();
    let mut violations = Vec::new();
    let mut foreign = 0_usize;
    for package in list(&metadata["packages"]) {
        let name = text(&package["name"]);
        if members.contains(text(&package["id"])) {
            let wild = list(&package["dependencies"])
                .iter()
                .filter(|dependency| dependency["req"] == "*" && dependency["path"].is_null());
            violations.extend(
                wild.map(|dependency| format!("{name} takes any version of {}", text(&dependency["name"]))),
            );
            continue;
        }
        foreign += 1;
        violations.extend(licence_violation(name, package["license"].as_str(), &allowed));
        if let Some(ban) = deny.iter().find(|ban| ban.name == name) {
            violations.push(format!("{name} is refused: {}", ban.reason));
        }
        let source = package["source"].as_str();
        if source.is_some_and(|source| source != REGISTRY) {
            violations.push(format!("{name} comes from {}", source.unwrap_or_default()));
        }
    }
    ensure!(foreign > 0, "cargo metadata names no dependency");
    Ok(violations)
}

fn licence_violation(name: &str, licence: Option<&str>, allowed: &[Licensee]) -> Option<String> {
    let Some(licence) = licence else {
        return Some(format!("{name} names no licence"));
    };
    // `MIT/Apache-2.0` is an old notation for "or".
    match Expression::parse_mode(licence, ParseMode::LAX) {
        Err(error) => Some(format!("{name} has a licence that cannot be read: {}", error.reason)),
        Ok(expression)
            if expression.evaluate(|required| allowed.iter().any(|may| may.satisfies(required))) =>
        {
            None
        }
        Ok(_) => Some(format!("{name} is under {licence}, which deny.toml does not allow")),
    }
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    const RULES: &str = r#"
        graph.all-features = true
        licenses = { allow = ["MIT", "Apache-2.0", "Unicode-3.0"], confidence-threshold = 0.9, private.ignore = true }
        sources = { unknown-registry = "deny", unknown-git = "deny" }
        [advisories]
        [bans]
        multiple-versions = "allow"
        wildcards = "deny"
        allow-wildcard-paths = true
        deny = [{ crate = "openssl", reason = "TLS is rustls here" }]
    "#;

    #[test]
    fn licences_are_read_as_expressions() {
        let allowed = ["MIT", "Apache-2.0", "Unicode-3.0"].map(|name| Licensee::parse(name).unwrap());
        for (licence, fits) in [
            (Some("MIT"), true),
            (Some("MIT/Apache-2.0"), true),
            (Some("GPL-2.0-only OR MIT"), true),
            (Some("(MIT OR Apache-2.0) AND Unicode-3.0"), true),
            (Some("MIT AND GPL-2.0-only"), false),
            (Some("LGPL-2.1-or-later"), false),
            (Some("Apache-2.0 WITH LLVM-exception"), false),
            (Some("as you like"), false),
            (None, false),
        ] {
            let violation = licence_violation("a", licence, &allowed);
            assert_eq!(violation.is_none(), fits, "{licence:?}: {violation:?}");
        }
    }

    #[test]
    fn each_kind_of_violation_is_named() {
        let package = |name: &str, licence: &str, source: &str| json!({"id": name, "name": name, "license": licence, "source": source});
        let mut metadata = json!({
            "workspace_members": ["own"],
            "packages": [
                {"id": "own", "name": "own", "dependencies": [
                    {"name": "wild", "req": "*"}, {"name": "sibling", "req": "*", "path": "x"}, {"name": "a", "req": "^1"}]},
                package("good", "MIT", REGISTRY),
            ],
        });
        assert_eq!(violations(RULES, &metadata).unwrap(), ["own takes any version of wild"]);
        metadata["packages"] = json!([
            package("copyleft", "GPL-3.0-only", REGISTRY),
            package("openssl", "Apache-2.0", REGISTRY),
            package("forked", "MIT", "git+https://example.org/forked"),
        ]);
        assert_eq!(
            violations(RULES, &metadata).unwrap(),
            [
                "copyleft is under GPL-3.0-only, which deny.toml does not allow",
                "openssl is refused: TLS is rustls here",
                "forked comes from git+https://example.org/forked",
            ]
        );
        assert!(violations(RULES, &json!({"packages": []})).is_err());
    }

    #[test]
    fn a_rule_that_would_not_be_checked_is_refused() {
        for (from, to) in [
            ("wildcards = \"deny\"", "wildcards = \"warn\""),
            ("[bans]", "[bans]\nskip = []"),
            ("all-features = true", "all-features = false"),
            ("\"MIT\"", "\"My Licence\""),
        ] {
            let rules = RULES.replace(from, to);
            assert_ne!(rules, RULES);
            assert!(violations(&rules, &json!({"packages": [{"name": "a"}]})).is_err(), "{to}");
        }
    }
}
