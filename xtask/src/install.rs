//! `cargo xtask install`: installs the command line on the search path, with everything that this
//! machine can build.

use std::process::ExitCode;

use crate::checkout::Checkout;
use crate::setup::{self, Need};
use crate::{command, out, ui};

/// Sets up the machine and runs `cargo install`. The arguments are passed to cargo.
///
/// # Errors
/// When the page or the program cannot be built.
pub(crate) fn run(checkout: &Checkout, arguments: &[String]) -> anyhow::Result<ExitCode> {
    let missing = setup::ensure(checkout, &[Need::ModelBuild, Need::UiPackages]);
    let (models, page) =
        (missing.first_of(&[Need::ModelBuild]), missing.first_of(&[Need::Node, Need::UiPackages]));
    let left_out = [("models inside the application", models), ("the page of `koab serve`", page)];
    for (what, why) in left_out {
        if let Some(why) = why {
            out::line(format_args!("without {what}: {why}"));
        }
    }
    if page.is_none() {
        ui::build_if_stale(checkout)?;
    }
    let mut cargo = command::cargo(&checkout.root);
    cargo.args(options(models.is_none(), page.is_none())).args(arguments);
    command::succeed(&mut cargo)?;
    Ok(ExitCode::SUCCESS)
}

/// Returns cargo's arguments. `models` and `page` mean that models inside the application and the
/// page can be built.
fn options(models: bool, page: bool) -> Vec<&'static str> {
    let mut options = vec!["install", "--locked", "--path", "src-tauri/crates/koab-cli"];
    if !models {
        options.push("--no-default-features");
    }
    if page {
        options.extend(["--features", "embedded-ui"]);
    }
    options
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_built_is_left_out() {
        let tail = |models, page| options(models, page).split_off(4).join(" ");
        assert_eq!(tail(true, true), "--features embedded-ui");
        assert_eq!(tail(true, false), "");
        assert_eq!(tail(false, true), "--no-default-features --features embedded-ui");
        assert_eq!(tail(false, false), "--no-default-features");
    }
}
