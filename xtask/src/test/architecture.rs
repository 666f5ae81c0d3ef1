//! The invariants of `docs/ARCHITECTURE.md` that sources and manifests can show: who may name which library.
//!
//! `sources` reads Rust and TypeScript, `packages` reads `cargo metadata`, `early_returns` reads the tests, `circles` finds files
//! that need each other, `doc_paths` files that documents name, `immediate_reads` stories that compare
//! a single read of the page, `sizes` how large a crate is. What needs judgement (no secret crosses to the UI, a metric reads nothing else) is left to reviews and
//! to tests of the crates.

mod circles;
mod doc_paths;
mod early_returns;
mod immediate_reads;
mod mentions;
mod packages;
mod sizes;
mod source;
mod sources;

use std::path::Path;

use anyhow::Context as _;

use self::doc_paths::Paths;
use self::sizes::Sizes;
use self::source::Source;
use super::context::Context;
use super::count::Count;

/// Checks all rules; each broken one is a failure of its own.
pub(super) fn check(context: &Context<'_>) -> anyhow::Result<Count> {
    let root = &context.checkout.root;
    let mut failures = Vec::new();
    let (mut rust, mut sizes) = (Vec::new(), Sizes::default());
    for folder in ["src-tauri", "xtask"] {
        walk(
            &root.join(folder),
            &format!("{folder}/"),
            &["rs"],
            &mut |name, text| {
                sizes.add(name, text);
                match syn::parse_file(text) {
                    Ok(code) => rust.push(Source {
                        name: name.to_owned(),
                        code,
                    }),
                    Err(error) => failures.push(format!("{name} cannot be read as Rust: {error}")),
                }
            },
        )?;
    }
    for source in &rust {
        failures.extend(sources::rust_violations(&source.name, &source.code));
    }
    failures.extend(early_returns::violations(&rust));
    failures.extend(circles::violations(&rust));
    failures.extend(sizes.violations());
    let mut names: Vec<String> = rust.into_iter().map(|source| source.name).collect();
    for folder in ["ui/src", "ui/e2e"] {
        walk(
            &root.join(folder),
            &format!("{folder}/"),
            &["ts", "js", "mjs", "svelte"],
            &mut |name, text| {
                names.push(name.to_owned());
                failures.extend(immediate_reads::violations(name, text));
                if folder == "ui/src" {
                    failures.extend(sources::ui_violations(name, text));
                }
            },
        )?;
    }
    let paths = Paths::new(names.iter().map(String::as_str));
    walk(&root.join("docs"), "docs/", &["md"], &mut |name, text| {
        failures.extend(paths.violations(name, text));
    })?;
    for name in ["README.md", "CONTRIBUTING.md"] {
        let text = std::fs::read_to_string(root.join(name)).with_context(|| format!("cannot read {name}"))?;
        failures.extend(paths.violations(name, &text));
    }
    failures.extend(packages::check(root)?);
    let passed = usize::from(failures.is_empty());
    Ok(Count {
        passed,
        failures,
        ..Count::nothing()
    })
}

/// Visits every file below `folder` with one of these endings: its name after `prefix`, and its text.
fn walk(
    folder: &Path,
    prefix: &str,
    endings: &[&str],
    visit: &mut dyn FnMut(&str, &str),
) -> anyhow::Result<()> {
    let cannot = || format!("cannot read {}", folder.display());
    let entries = std::fs::read_dir(folder).with_context(cannot)?;
    let mut paths: Vec<_> = entries
        .map(|entry| Ok(entry?.path()))
        .collect::<std::io::Result<_>>()?;
    paths.sort();
    for path in paths {
        let Some(file) = path.file_name().and_then(|file| file.to_str()) else {
            continue;
        };
        let name = format!("{prefix}{file}");
        if path.is_dir() {
            walk(&path, &format!("{name}/"), endings, visit)?;
        } else if endings.iter().any(|ending| name.ends_with(&format!(".{ending}"))) {
            let text =
                std::fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
            visit(&name, &text);
        }
    }
    Ok(())
}
