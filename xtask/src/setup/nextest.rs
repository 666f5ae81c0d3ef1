//! Installs the test runner from crates.io when it is missing.

use crate::checkout::Checkout;
use crate::{command, out};

/// Makes sure that `cargo nextest` works.
///
/// # Errors
/// When it cannot be installed. The error says how to install it.
pub(super) fn ensure(checkout: &Checkout) -> Result<(), String> {
    if there(checkout) {
        return Ok(());
    }
    out::line("set-up: installing cargo-nextest (a few minutes)");
    let mut install = command::cargo(&checkout.root);
    install.args(["install", "cargo-nextest", "--locked"]);
    match command::succeed(&mut install) {
        Ok(()) if there(checkout) => Ok(()),
        _ => Err("cargo-nextest is missing and could not be installed; install it with \
                  `cargo install cargo-nextest --locked` or `brew install cargo-nextest`"
            .to_owned()),
    }
}

fn there(checkout: &Checkout) -> bool {
    command::quietly_succeeds(command::cargo(&checkout.root).args(["nextest", "--version"]))
}
