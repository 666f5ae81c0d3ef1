//! What a plan says is ahead, of a sweep and of a gate in the same words.

use crate::output::or_dash;
use koab_core::say;
use koab_core::sentence::Sentence;

/// Calls, money and minutes; of runs that nothing is known of there are so many.
pub(crate) fn ahead(calls: Option<f64>, usd: Option<f64>, minutes: Option<f64>, unknown: u32) -> Sentence {
    let calls = or_dash(calls.map(|calls| format!("{calls:.0}")));
    let cost = or_dash(usd.map(|usd| format!("{usd:.4}")));
    let minutes = or_dash(minutes.map(|minutes| format!("{minutes:.1}")));
    match unknown {
        0 => say!("about {calls} calls, {cost} USD, {minutes} minutes"),
        _ => say!(
            "at least {calls} calls, {cost} USD, {minutes} minutes, since nothing is known of {unknown} runs"
        ),
    }
}
