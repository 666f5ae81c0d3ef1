//! Confirmation on the terminal before an action that cannot be undone.

use crate::output::Output;
use koab_api::WireError;
use koab_core::text;
use std::io::{BufRead as _, IsTerminal as _};

/// Returns whether the user types yes. Without a terminal the answer is no.
pub(super) fn confirm(output: Output) -> Result<bool, WireError> {
    if !std::io::stdin().is_terminal() {
        return Ok(false);
    }
    output.sentence(output.lang.text(text!("type yes to continue")));
    let mut answer = String::new();
    std::io::stdin().lock().read_line(&mut answer).map_err(WireError::storage)?;
    Ok(answer.trim().eq_ignore_ascii_case("yes"))
}
