//! Text with the estimated calls, cost and time of a sweep or a gate.

use crate::output::or_dash;
use koab_core::say;
use koab_core::sentence::Sentence;

/// Estimated calls, cost and minutes. `unknown` is the number of runs without an estimate. If no
/// run has an estimate, the sums are shown as unknown, not as 0.
pub(crate) fn ahead(calls: Option<f64>, usd: Option<f64>, minutes: Option<f64>, unknown: u32) -> Sentence {
    let is_any = unknown == 0 || calls.is_some_and(|calls| calls > 0.0);
    let [calls, usd, minutes] = [calls, usd, minutes].map(|part| part.filter(|_| is_any));
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

#[cfg(test)]
mod tests {
    use super::ahead;

    #[test]
    fn what_nothing_is_known_of_is_a_dash_and_no_zero() {
        let said = |calls: f64, unknown| ahead(Some(calls), Some(0.0), Some(calls), unknown).to_string();
        assert_eq!(said(0.0, 0), "about 0 calls, 0.0000 USD, 0.0 minutes");
        assert_eq!(
            said(3.0, 1),
            "at least 3 calls, 0.0000 USD, 3.0 minutes, since nothing is known of 1 runs"
        );
        let nothing = said(0.0, 2);
        assert!(nothing.starts_with("at least — calls, — USD, — minutes"), "{nothing}");
    }
}
