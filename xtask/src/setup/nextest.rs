//! The test runner, from crates.io when it is missing.

use crate::place::Place;
use crate::{command, out};

/// Makes sure that `cargo nextest` answers.
///
/// # Errors
/// With what to do when it can not be installed.
pub(super) fn ensure(place: &Place) -> Result<(), String> {
    if there(place) {
        return Ok(());
    }
    out::line("set-up: installing cargo-nextest (a few minutes)");
    let mut install = command::cargo(&place.root);
    install.args(["install", "cargo-nextest", "--locked"]);
    match command::succeed(&mut install) {
        Ok(()) if there(place) => Ok(()),
        _ => Err(
            "cargo-nextest is missing and could not be installed; install it with \
                  `cargo install cargo-nextest --locked` or `brew install cargo-nextest`"
                .to_owned(),
        ),
    }
}

fn there(place: &Place) -> bool {
    command::quietly_succeeds(command::cargo(&place.root).args(["nextest", "--version"]))
}
