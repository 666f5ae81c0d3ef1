//! Checks of the invariants in `docs/ARCHITECTURE.md` that sources and manifests can show. Most of
//! them restrict which code may use which library.
//!
//! `sources` reads Rust and TypeScript, `packages` reads `cargo metadata`, and `early_returns`
//! reads the tests. `circles` finds files that depend on each other. `method_circles` finds files
//! that depend on each other by methods of one struct. `doc_paths` checks file names in documents,
//! `immediate_reads` finds stories that compare a single read of the page, and `sizes` limits the
//! sizes of crates. Invariants that need judgement (no secret reaches the UI, a metric has no other
//! input) are left to reviews and to tests of the crates.

mod circles;
mod doc_paths;
mod early_returns;
mod immediate_reads;
mod mentions;
mod method_circles;
mod packages;
mod sizes;
mod source;
mod sources;

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::Context as _;

use self::doc_paths::Paths;
use self::sizes::Sizes;
use self::source::Source;
use super::context::Context;
use super::count::Count;

/// Checks all rules. Each violation counts as one failed test.
pub(super) fn check(context: &Context<'_>) -> anyhow::Result<Count> {
    let root = &context.checkout.root;
    let mut failures = Vec::new();
    let (mut rust, mut sizes, mut with_examples) = (Vec::new(), Sizes::default(), BTreeSet::new());
    for folder in ["src-tauri", "xtask"] {
        walk(&root.join(folder), &format!("{folder}/"), &["rs"], &mut |name, text| {
            sizes.add(name, text);
            if has_example(text) {
                with_examples.extend(name.split_once("/src/").map(|(package, _)| package.to_owned()));
            }
            match syn::parse_file(text) {
                Ok(code) => rust.push(Source { name: name.to_owned(), code }),
                Err(error) => failures.push(format!("{name} cannot be read as Rust: {error}")),
            }
        })?;
    }
    for source in &rust {
        failures.extend(sources::rust_violations(&source.name, &source.code));
    }
    failures.extend(early_returns::violations(&rust));
    failures.extend(circles::violations(&rust));
    failures.extend(method_circles::violations(&rust));
    failures.extend(sizes.violations());
    for package in with_examples {
        let manifest = std::fs::read_to_string(root.join(&package).join("Cargo.toml")).unwrap_or_default();
        if manifest.contains("\ndoctest = false") {
            failures.push(format!(
                "{package} has an example in its docs; remove `doctest = false` from its Cargo.toml"
            ));
        }
    }
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
    Ok(Count { passed, failures, ..Count::nothing() })
}

/// Whether a doc comment of the source contains a code block.
fn has_example(text: &str) -> bool {
    text.lines().any(|line| {
        let line = line.trim_start();
        let doc = line.strip_prefix("//!").or_else(|| line.strip_prefix("///"));
        doc.is_some_and(|doc| doc.trim_start().starts_with("```"))
    })
}

/// Visits every file below `folder` with one of these extensions. `visit` gets the path after
/// `prefix` and the text.
fn walk(
    folder: &Path,
    prefix: &str,
    endings: &[&str],
    visit: &mut dyn FnMut(&str, &str),
) -> anyhow::Result<()> {
    let cannot = || format!("cannot read {}", folder.display());
    let entries = std::fs::read_dir(folder).with_context(cannot)?;
    let mut paths: Vec<_> = entries.map(|entry| Ok(entry?.path())).collect::<std::io::Result<_>>()?;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_example_is_a_block_in_a_doc_comment() {
        for (text, has) in [
            ("/// ```\n/// sum(1, 2);\n/// ```\nfn sum() {}", true),
            ("    //! ```no_run\n", true),
            ("// ```\n", false),
            ("/// a `word`\nconst FENCE: &str = \"```\";", false),
        ] {
            assert_eq!(has_example(text), has, "{text}");
        }
    }
}
