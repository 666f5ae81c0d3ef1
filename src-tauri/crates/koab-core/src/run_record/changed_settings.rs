//! Settings of a run after a change, and before it.

use super::{AttemptLimits, RunChange, RunSpec};

impl AttemptLimits {
    /// Limits of attempts that begin with these settings.
    pub fn of(spec: &RunSpec) -> Self {
        Self { max_steps: spec.settings.max_steps, timeout_s: spec.settings.timeout_s }
    }

    /// Settings with these limits.
    #[must_use]
    pub fn applied(self, spec: &RunSpec) -> RunSpec {
        let mut spec = spec.clone();
        (spec.settings.max_steps, spec.settings.timeout_s) = (self.max_steps, self.timeout_s);
        spec
    }
}

impl RunChange {
    /// Changes the settings of a run. Tasks, attempts and judges are not among the settings.
    pub fn apply(&self, spec: &mut RunSpec) {
        match self {
            Self::Concurrency { to, .. } => spec.concurrency = *to,
            Self::MaxSteps { to, .. } => spec.settings.max_steps = *to,
            Self::Timeout { to, .. } => spec.settings.timeout_s = *to,
            Self::MaxCost { to, .. } => spec.max_cost = *to,
            Self::MaxTotalTokens { to, .. } => spec.max_total_tokens = *to,
            Self::BaseUrl { to, .. } => spec.base_url = Some(to.clone()),
            Self::Judges { .. } | Self::LeaveOut { .. } | Self::Retry { .. } => {}
        }
    }

    /// Restores the limits of attempts before this change.
    pub(super) fn undo_limits(&self, spec: &mut RunSpec) {
        match self {
            Self::MaxSteps { from: Some(from), .. } => spec.settings.max_steps = *from,
            Self::Timeout { from: Some(from), .. } => spec.settings.timeout_s = *from,
            _ => {}
        }
    }

    /// Adds the earlier value from the settings before the change.
    #[must_use]
    pub fn with_earlier(self, spec: &RunSpec) -> Self {
        match self {
            Self::Concurrency { to, .. } => Self::Concurrency { to, from: Some(spec.concurrency) },
            Self::MaxSteps { to, .. } => Self::MaxSteps { to, from: Some(spec.settings.max_steps) },
            Self::Timeout { to, .. } => Self::Timeout { to, from: Some(spec.settings.timeout_s) },
            Self::MaxCost { to, .. } => Self::MaxCost { to, from: spec.max_cost },
            Self::MaxTotalTokens { to, .. } => Self::MaxTotalTokens { to, from: spec.max_total_tokens },
            Self::BaseUrl { to, .. } => Self::BaseUrl { to, from: spec.base_url.clone() },
            other => other,
        }
    }
}
