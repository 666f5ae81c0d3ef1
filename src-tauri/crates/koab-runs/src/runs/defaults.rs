//! Defaults of a run from the workspace's settings.

use crate::Runs;
use koab_library::{OtlpOptions, RunRequest};
use koab_workspace::{Settings, WireError};

impl Runs {
    /// Fills the options that a request leaves open with the values of the settings. The limits of
    /// a day's spending do not apply to baselines, which cost nothing.
    pub fn with_settings(&self, options: &RunRequest) -> Result<RunRequest, WireError> {
        let mut settings = self.workspace.settings()?;
        if options.own_model || options.model.starts_with("baseline/") {
            (settings.max_cost_per_day, settings.max_total_tokens_per_day) = (None, None);
        }
        Ok(RunRequest {
            concurrency: options.concurrency.or(settings.concurrency),
            max_cost_per_day: options.max_cost_per_day.or(settings.max_cost_per_day),
            max_total_tokens_per_day: options.max_total_tokens_per_day.or(settings.max_total_tokens_per_day),
            ..options.clone()
        })
    }

    /// Adds the OpenTelemetry collector in the settings to a request of the window. On the command
    /// line, each run has its own option for a collector.
    ///
    /// # Errors
    /// When the settings cannot be read.
    pub fn asked_in_view(&self, request: RunRequest) -> Result<RunRequest, WireError> {
        let Settings { otlp_endpoint: endpoint, otlp_content: content, .. } = self.workspace.settings()?;
        let otlp = (!endpoint.is_empty()).then_some(OtlpOptions { endpoint: Some(endpoint), content });
        Ok(RunRequest { otlp, ..request })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_stand_in_for_what_a_run_does_not_say() {
        let folder = tempfile::tempdir().expect("a folder");
        let api = Runs::at(folder.path());
        let settings = Settings { concurrency: Some(3), max_cost_per_day: Some(1.5), ..Settings::default() };
        api.workspace.settings_set(settings).expect("kept");
        let run = api.with_settings(&RunRequest::published("r", "azure/gpt-4o")).expect("joined");
        assert_eq!((run.concurrency, run.max_cost_per_day), (Some(3), Some(1.5)));
        let own = RunRequest { concurrency: Some(9), ..run };
        assert_eq!(api.with_settings(&own).expect("joined").concurrency, Some(9));
        let baseline = RunRequest::published("r", "baseline/golden");
        let run = api.with_settings(&baseline).expect("joined");
        assert_eq!(run.max_cost_per_day, None, "a baseline spends nothing");
    }

    #[test]
    fn a_collector_gets_the_spans_of_the_windows_runs_and_texts_only_when_they_are_wanted() {
        let folder = tempfile::tempdir().expect("a folder");
        let api = Runs::at(folder.path());
        let request = || -> RunRequest {
            serde_json::from_value(serde_json::json!({
                "run": "r", "pack": null, "model": "baseline/golden", "base_url": null, "levels": ["L1"],
                "protocol": "leaderboard", "repetitions": 1, "concurrency": null,
            }))
            .expect("a request")
        };
        let asked = |otlp_endpoint: &str, otlp_content: bool| {
            let otlp_endpoint = otlp_endpoint.to_owned();
            let settings = Settings { otlp_endpoint, otlp_content, ..Settings::default() };
            api.workspace.settings_set(settings).expect("kept");
            let otlp = api.asked_in_view(request()).expect("joined").otlp;
            otlp.map(|otlp| (otlp.endpoint, otlp.content))
        };
        let named = Some("http://127.0.0.1:4318".to_owned());
        assert_eq!(asked(" ", true), None);
        assert!(!api.workspace.settings().expect("read").otlp_content, "nobody gets texts later by surprise");
        assert_eq!(asked("http://127.0.0.1:4318 ", false), Some((named.clone(), false)));
        assert_eq!(asked("http://127.0.0.1:4318", true), Some((named, true)));
    }
}
