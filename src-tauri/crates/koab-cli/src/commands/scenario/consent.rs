//! What is asked on a terminal before something is done that cannot be taken back.

use crate::output::Output;
use koab_api::WireError;
use koab_core::text;
use std::io::{BufRead as _, IsTerminal as _};

/// Whether the user types yes. Without a terminal there is nobody to ask.
pub(super) fn said_yes(output: Output) -> Result<bool, WireError> {
    if !std::io::stdin().is_terminal() {
        return Ok(false);
    }
    output.sentence(output.lang.text(text!("type yes to go on")));
    let mut answer = String::new();
    std::io::stdin().lock().read_line(&mut answer).map_err(WireError::storage)?;
    Ok(answer.trim().eq_ignore_ascii_case("yes"))
}
