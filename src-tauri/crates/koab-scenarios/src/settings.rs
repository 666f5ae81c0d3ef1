//! Settings of a request with their defaults and ranges: the limits of a trial, and the model that
//! scenarios may call. The window, the command line and the file of a job contain these settings as
//! fields of the request.

use crate::outcome::Limits;
use crate::scenario_file::Network;
use koab_core::say;
use koab_core::sentence::Sentence;
use koab_models::SpendingCaps;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Requested limits of a trial. A limit that is left out has its default, see [`Limits::usual`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[serde(default)]
pub struct RequestedLimits {
    /// Time limit of a trial, seconds.
    #[ts(type = "number | null")]
    pub timeout_s: Option<u64>,
    /// Memory limit of a trial, MiB.
    #[ts(type = "number | null")]
    pub memory_mib: Option<u64>,
    /// Maximum number of processors of a trial.
    pub cpus: Option<f64>,
    /// Maximum number of processes of a trial.
    #[ts(type = "number | null")]
    pub pids: Option<u64>,
    /// Maximum size of a trial's log, MiB.
    #[ts(type = "number | null")]
    pub output_mib: Option<u64>,
    /// Whether containers reach the network. A scenario may request less access.
    pub network: bool,
}

impl Default for RequestedLimits {
    fn default() -> Self {
        Self { timeout_s: None, memory_mib: None, cpus: None, pids: None, output_mib: None, network: true }
    }
}

impl RequestedLimits {
    /// Checks the ranges of the limits.
    ///
    /// # Errors
    /// When a limit is out of its range.
    pub fn check(&self) -> Result<(), Sentence> {
        if self.cpus.is_some_and(|cpus| !(cpus > 0.0 && cpus <= 4096.0)) {
            return Err(say!("--cpus is a number above 0"));
        }
        if self.memory_mib.is_some_and(|memory| memory < 6) {
            return Err(say!("--memory is at least 6 (MiB): engines refuse less"));
        }
        if [self.timeout_s, self.pids, self.output_mib].contains(&Some(0)) {
            return Err(say!("--timeout, --pids and --output begin at 1"));
        }
        Ok(())
    }

    /// Completes the limits by their defaults.
    pub fn with_usual(&self) -> Limits {
        let usual = Limits::usual();
        let bytes = |mib: u64| mib.saturating_mul(1 << 20);
        Limits {
            timeout_s: self.timeout_s.or(usual.timeout_s),
            memory_bytes: self.memory_mib.map(bytes).or(usual.memory_bytes),
            cpus: self.cpus.or(usual.cpus),
            pids: self.pids.or(usual.pids),
            output_bytes: self.output_mib.map(bytes).or(usual.output_bytes),
            network: Some(if self.network { Network::Bridge } else { Network::None }),
        }
    }
}

/// Model that scenarios may call without a key, with the caps and the source of its answers.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[serde(default)]
pub struct ModelOffer {
    /// Model that scenarios may call without a key, as `provider/model`.
    pub model: Option<String>,
    /// URL of the server of the offered model, which replaces the provider's own.
    pub base_url: Option<String>,
    /// Cap on the cost of calls to the offered model, USD.
    pub max_cost: Option<f64>,
    /// Cap on the tokens of calls to the offered model.
    #[ts(type = "number | null")]
    pub max_total_tokens: Option<u64>,
    /// Results folder of an earlier run. Its recorded calls then answer instead of the model.
    pub replay: Option<String>,
    /// Whether a call that is not in the records of `replay` gets the next answer that follows the
    /// same tool calls.
    #[ts(as = "Option<bool>", optional)]
    pub loose: bool,
}

impl ModelOffer {
    /// Caps on the calls to the model.
    pub(crate) fn caps(&self) -> SpendingCaps {
        SpendingCaps {
            max_cost: self.max_cost,
            max_total_tokens: self.max_total_tokens,
            ..SpendingCaps::default()
        }
    }

    /// Returns the offer to one of `of` shards, with an equal share of the caps.
    pub(crate) fn share(self, of: u32) -> Self {
        Self {
            max_cost: self.max_cost.map(|cap| cap / f64::from(of)),
            max_total_tokens: self.max_total_tokens.map(|cap| cap / u64::from(of)),
            ..self
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_out_of_their_range_are_refused() {
        let limits = |change: &dyn Fn(&mut RequestedLimits)| {
            let mut limits = RequestedLimits::default();
            change(&mut limits);
            limits.check().map_err(|why| why.to_string())
        };
        for cpus in [0.0, -1.0, 4096.5, f64::NAN] {
            assert_eq!(limits(&|of| of.cpus = Some(cpus)), Err("--cpus is a number above 0".to_owned()));
        }
        assert!(limits(&|of| of.memory_mib = Some(5)).is_err());
        assert!(limits(&|of| of.timeout_s = Some(0)).is_err());
        assert!(limits(&|of| of.pids = Some(0)).is_err());
        assert!(limits(&|of| of.output_mib = Some(0)).is_err());
        limits(&|of| (of.cpus, of.memory_mib, of.timeout_s) = (Some(4096.0), Some(6), Some(1))).unwrap();
    }

    #[test]
    fn limits_that_are_left_out_are_the_usual_ones() {
        let bridge = Limits { network: Some(Network::Bridge), ..Limits::usual() };
        assert_eq!(RequestedLimits::default().with_usual(), bridge);
        let requested = RequestedLimits { memory_mib: Some(8), network: false, ..RequestedLimits::default() };
        let limits = Limits { memory_bytes: Some(8 << 20), network: Some(Network::None), ..Limits::usual() };
        assert_eq!(requested.with_usual(), limits);
    }
}
