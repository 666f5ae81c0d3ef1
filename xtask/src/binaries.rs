//! Which packages cargo works on, and the binaries it makes of them.
//!
//! Every step of one `test` uses the same selection: cargo picks the features of shared
//! dependencies by what is selected together, and a second selection would compile much of the tree
//! again.

use std::path::PathBuf;
use std::process::Stdio;

use anyhow::{Context as _, bail};
use serde_json::Value;

use crate::checkout::Checkout;
use crate::command;

/// The packages that a cargo command is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Selection {
    /// Everything but the window and models inside the application, which cannot be compiled
    /// without cmake.
    WithoutModels,
    /// Everything but the window, which cannot be compiled without a system web view.
    WithoutWindow,
    /// The whole workspace. The window serves the built UI from its binary, so `ui/dist` must be
    /// there.
    Everything,
}

impl Selection {
    /// The options that tell cargo.
    pub(crate) fn options(self) -> &'static [&'static str] {
        match self {
            Self::WithoutModels => &[
                "--workspace",
                "--exclude",
                "koab-desktop",
                "--exclude",
                "koab-local",
                "--no-default-features",
            ],
            // The workspace's default members are just this.
            Self::WithoutWindow => &[],
            Self::Everything => &["--workspace", "--features", "koab-desktop/custom-protocol"],
        }
    }
}

/// The product's binaries.
pub(crate) struct Binaries {
    /// The command line.
    pub(crate) koab: PathBuf,
    /// The window, when it was selected.
    pub(crate) window: Option<PathBuf>,
    /// Cargo's message about the command line, for programs that expect to have cargo build it;
    /// null where it was put together from several builds.
    pub(crate) koab_message: Value,
}

/// Builds the binaries in the development profile.
///
/// # Errors
/// When cargo fails or makes no binary of the expected name.
pub(crate) fn build(checkout: &Checkout, selection: Selection) -> anyhow::Result<Binaries> {
    build_with(checkout, selection.options(), selection)
}

/// Builds both binaries for a package, for this machine or for a target that is named: the command
/// line has the page of `koab serve` in it. `ui/dist` must be there.
///
/// # Errors
/// As [`build`].
pub(crate) fn build_packaged(
    checkout: &Checkout,
    release: bool,
    target: Option<&str>,
) -> anyhow::Result<Binaries> {
    // Features that only tests turn on are not shipped.
    let selected: &[&str] = match release {
        true => &[
            "--release",
            "--package=koab-desktop",
            "--package=koab-cli",
            "--features=koab-desktop/custom-protocol",
        ],
        false => Selection::Everything.options(),
    };
    let mut options = [selected, &["--features=koab-cli/embedded-ui"]].concat();
    if let Some(target) = target {
        options.extend(["--target", target]);
    }
    build_with(checkout, &options, Selection::Everything)
}

/// Builds the command line in the release profile: what a user gets and what is measured.
///
/// # Errors
/// As [`build`].
pub(crate) fn build_release_koab(checkout: &Checkout) -> anyhow::Result<PathBuf> {
    Ok(build_with(checkout, &["--release", "--package", "koab-cli"], Selection::WithoutWindow)?.koab)
}

/// Builds the command line without models inside the application, for images, in the release
/// profile.
///
/// # Errors
/// As [`build`].
#[cfg(unix)]
pub(crate) fn build_release_koab_without_models(checkout: &Checkout) -> anyhow::Result<PathBuf> {
    let options = ["--release", "--package", "koab-cli", "--no-default-features"];
    Ok(build_with(checkout, &options, Selection::WithoutModels)?.koab)
}

/// Builds the window and the bare one that it is measured beside, in the release profile. `ui/dist`
/// must be there.
///
/// # Errors
/// As [`build`].
pub(crate) fn build_release_windows(checkout: &Checkout) -> anyhow::Result<(PathBuf, PathBuf)> {
    let options = [
        "--release",
        "--package",
        "koab-desktop",
        "--example",
        "bare-window",
        "--features",
        "custom-protocol",
    ];
    let messages = messages(checkout, &options)?;
    let found = |name| executable(&messages, name).with_context(|| format!("cargo made no binary `{name}`"));
    Ok((found("koab-desktop")?, found("bare-window")?))
}

/// Builds an example in the release profile: programs that measure, and that nobody else needs.
///
/// # Errors
/// As [`build`].
pub(crate) fn build_release_example(
    checkout: &Checkout,
    package: &str,
    name: &str,
) -> anyhow::Result<PathBuf> {
    let messages = messages(checkout, &["--release", "--package", package, "--example", name])?;
    executable(&messages, name).with_context(|| format!("cargo made no example `{name}`"))
}

/// Builds an example with a selection, in the development profile: programs that make something for
/// tests.
///
/// # Errors
/// As [`build`].
pub(crate) fn build_example(
    checkout: &Checkout,
    selection: Selection,
    name: &str,
) -> anyhow::Result<PathBuf> {
    let messages = messages(checkout, &[selection.options(), &["--example", name]].concat())?;
    executable(&messages, name).with_context(|| format!("cargo made no example `{name}`"))
}

fn build_with(checkout: &Checkout, options: &[&str], selection: Selection) -> anyhow::Result<Binaries> {
    let messages = messages(checkout, options)?;
    let artifact = |name| artifact(&messages, name).with_context(|| format!("cargo made no binary `{name}`"));
    let (koab, koab_message) = artifact("koab")?;
    Ok(Binaries {
        koab,
        window: match selection {
            Selection::Everything => Some(artifact("koab-desktop")?.0),
            Selection::WithoutWindow | Selection::WithoutModels => None,
        },
        koab_message,
    })
}

/// What cargo says about a build of the binaries, one JSON object a line.
fn messages(checkout: &Checkout, options: &[&str]) -> anyhow::Result<String> {
    let mut cargo = command::cargo(&checkout.root);
    cargo.args(["build", "--bins", "--message-format", "json-render-diagnostics"]).args(options);
    let output = cargo
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output()
        .with_context(|| format!("cannot start {}", command::shown(&cargo)))?;
    if !output.status.success() {
        bail!("`{}` failed", command::shown(&cargo));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Finds the binary of this name in cargo's messages, one JSON object a line.
fn executable(messages: &str, name: &str) -> Option<PathBuf> {
    artifact(messages, name).map(|(path, _)| path)
}

/// The binary of this name, and the message about it.
fn artifact(messages: &str, name: &str) -> Option<(PathBuf, Value)> {
    messages
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok())
        .filter(|message| message["reason"] == "compiler-artifact" && message["target"]["name"] == name)
        .find_map(|message| Some((PathBuf::from(message["executable"].as_str()?), message)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_binary_is_found_among_libraries_of_the_same_name() {
        let messages = r#"{"reason":"compiler-artifact","target":{"name":"koab"},"executable":null}
{"reason":"build-script-executed","target":{"name":"koab"},"executable":"/x/build"}
not json
{"reason":"compiler-artifact","target":{"name":"koab"},"executable":"/x/koab"}"#;
        assert_eq!(executable(messages, "koab"), Some(PathBuf::from("/x/koab")));
        assert_eq!(executable(messages, "koab-desktop"), None);
    }
}
