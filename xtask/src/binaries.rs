//! Selection of packages for cargo, and the binaries that it builds from them.
//!
//! Every step of a `test` run uses the same selection. Cargo chooses the features of shared
//! dependencies by the selected packages, so a second selection would recompile much of the tree.

use std::path::PathBuf;
use std::process::Stdio;

use anyhow::{Context as _, bail};
use serde_json::Value;

use crate::checkout::Checkout;
use crate::command;

/// Packages that a cargo command builds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Selection {
    /// Everything except the window and models inside the application, which cannot be compiled
    /// without cmake.
    WithoutModels,
    /// Everything except the window, which cannot be compiled without a system web view.
    WithoutWindow,
    /// The whole workspace. The window's binary embeds the built UI, so `ui/dist` must exist.
    Everything,
}

impl Selection {
    /// Cargo's options for the selection.
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
            // These are exactly the workspace's default members.
            Self::WithoutWindow => &[],
            Self::Everything => &["--workspace", "--features", "koab-desktop/custom-protocol"],
        }
    }
}

/// Binaries of the product.
pub(crate) struct Binaries {
    /// Path of the command line.
    pub(crate) koab: PathBuf,
    /// Path of the window, if it was selected.
    pub(crate) window: Option<PathBuf>,
    /// Cargo's JSON message about the build of the command line. Programs that expect cargo to
    /// build it get this message. Null if the binary was joined from several builds.
    pub(crate) koab_message: Value,
}

/// Builds the binaries in the development profile.
///
/// # Errors
/// When cargo fails or builds no binary with the expected name.
pub(crate) fn build(checkout: &Checkout, selection: Selection) -> anyhow::Result<Binaries> {
    build_with(checkout, selection.options(), selection)
}

/// Builds both binaries for a package, for this machine or the given target. The command line
/// embeds the page of `koab serve`, so `ui/dist` must exist.
///
/// # Errors
/// Every error of [`build`].
pub(crate) fn build_packaged(
    checkout: &Checkout,
    release: bool,
    target: Option<&str>,
) -> anyhow::Result<Binaries> {
    // A release build selects packages, so that features that only tests enable are not shipped.
    let selected: &[&str] = if release {
        &[
            "--release",
            "--package=koab-desktop",
            "--package=koab-cli",
            "--features=koab-desktop/custom-protocol",
        ]
    } else {
        Selection::Everything.options()
    };
    let mut options = [selected, &["--features=koab-cli/embedded-ui"]].concat();
    if let Some(target) = target {
        options.extend(["--target", target]);
    }
    build_with(checkout, &options, Selection::Everything)
}

/// Builds the command line in the release profile. Users get this build, and benchmarks measure it.
///
/// # Errors
/// Every error of [`build`].
pub(crate) fn build_release_koab(checkout: &Checkout) -> anyhow::Result<PathBuf> {
    Ok(build_with(checkout, &["--release", "--package", "koab-cli"], Selection::WithoutWindow)?.koab)
}

/// Builds the command line for container images, in the release profile and without models inside
/// the application.
///
/// # Errors
/// Every error of [`build`].
#[cfg(unix)]
pub(crate) fn build_release_koab_without_models(checkout: &Checkout) -> anyhow::Result<PathBuf> {
    let options = ["--release", "--package", "koab-cli", "--no-default-features"];
    Ok(build_with(checkout, &options, Selection::WithoutModels)?.koab)
}

/// Builds the window and the bare window for comparison, in the release profile. `ui/dist` must
/// exist.
///
/// # Errors
/// Every error of [`build`].
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
    let path_of =
        |name| executable(&messages, name).with_context(|| format!("cargo made no binary `{name}`"));
    Ok((path_of("koab-desktop")?, path_of("bare-window")?))
}

/// Builds an example in the release profile. Examples of this kind are measuring programs.
///
/// # Errors
/// Every error of [`build`].
pub(crate) fn build_release_example(
    checkout: &Checkout,
    package: &str,
    name: &str,
) -> anyhow::Result<PathBuf> {
    let messages = messages(checkout, &["--release", "--package", package, "--example", name])?;
    executable(&messages, name).with_context(|| format!("cargo made no example `{name}`"))
}

/// Builds an example with a selection of packages, in the development profile. Examples of this
/// kind make data for tests.
///
/// # Errors
/// Every error of [`build`].
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

/// Cargo's messages about a build of the binaries, one JSON object per line.
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

/// Path of the binary with this name in cargo's messages.
fn executable(messages: &str, name: &str) -> Option<PathBuf> {
    artifact(messages, name).map(|(path, _)| path)
}

/// Path of the binary with this name, and cargo's message about it.
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
