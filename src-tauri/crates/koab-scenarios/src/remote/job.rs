//! Job description for the workers of scenarios: `.cluster/<date>/scenarios.json` in the results
//! folder. Keys are in the workers' environment.

use super::cluster::ScenarioCluster;
use crate::layout::{Layout, TrialId};
use crate::outcome::Trial;
use crate::request::ScenarioRequest;
use crate::trial_files;
use koab_core::say;
use koab_engine::files::if_there;
use koab_workspace::WireError;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// Name of the job description's file.
pub(super) const FILE: &str = "scenarios.json";

/// A trial as the job description stores it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct JobTrial {
    scenario: String,
    instance: String,
    repetition: u32,
}

impl From<TrialId> for JobTrial {
    fn from(id: TrialId) -> Self {
        Self { scenario: id.scenario, instance: id.instance, repetition: id.repetition }
    }
}

impl JobTrial {
    pub(super) fn id(&self) -> TrialId {
        TrialId {
            scenario: self.scenario.clone(),
            instance: self.instance.clone(),
            repetition: self.repetition,
        }
    }
}

/// Job description for the workers.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Job {
    /// Request to run, with full paths.
    pub(super) request: ScenarioRequest,
    /// Settings of the submission; missing in jobs of earlier versions.
    #[serde(default)]
    pub(super) how: Option<ScenarioCluster>,
    /// Time of the submission, milliseconds since the Unix epoch.
    pub(super) began_ms: u64,
    /// Trials that were unfinished at the submission. Shard `i` of `n` has the trials whose
    /// position divided by `n` leaves the remainder `i`.
    pub(super) trials: Vec<JobTrial>,
}

impl Job {
    pub(super) fn read(folder: &Path) -> Result<Self, WireError> {
        let path = folder.join(FILE);
        let text = std::fs::read(&path)
            .map_err(|error| WireError::not_found(say!("{} cannot be read: {error}", path.display())))?;
        serde_json::from_slice(&text)
            .map_err(|error| WireError::storage(say!("{} cannot be read: {error}", path.display())))
    }

    pub(super) fn write(&self, folder: &Path) -> Result<(), WireError> {
        let path = folder.join(FILE);
        let failed = |error: std::io::Error| WireError::unwritable(&path, error);
        std::fs::create_dir_all(folder).map_err(failed)?;
        let text = serde_json::to_vec_pretty(self).map_err(WireError::internal)?;
        std::fs::write(&path, text).map_err(failed)
    }

    /// Trials of the shard with this `index`, when there are `of` shards.
    pub(super) fn of_shard(&self, index: u32, of: u32) -> Vec<TrialId> {
        let own = self.trials.iter().skip(index as usize).step_by(of.max(1) as usize);
        own.map(JobTrial::id).collect()
    }

    /// Whether the results contain the trial and the job does not require to run it again.
    pub(super) fn is_finished(&self, layout: &Layout, trial: &TrialId) -> bool {
        match trial_files::outcome(&layout.trial(trial)) {
            Trial::Finished(outcome) => {
                !self.request.rerun_failed || !outcome.cause.is_technical() || self.is_new(layout, trial)
            }
            Trial::HalfMade { .. } | Trial::Missing => false,
        }
    }

    /// Whether the trial's result is newer than the job. A trial that failed again is not run a
    /// third time.
    fn is_new(&self, layout: &Layout, trial: &TrialId) -> bool {
        let modified = std::fs::metadata(layout.trial(trial)).and_then(|meta| meta.modified());
        let since = modified.ok().and_then(|at| at.duration_since(std::time::UNIX_EPOCH).ok());
        since.is_some_and(|since| since.as_millis() > u128::from(self.began_ms))
    }
}

/// Folder of the job that was submitted last, if there is one.
pub(super) fn newest(results: &Path) -> Result<Option<PathBuf>, WireError> {
    let entries = if_there(std::fs::read_dir(Layout::new(results).jobs()))
        .map_err(|error| WireError::unreadable(results, error))?;
    let folders = entries.into_iter().flatten().flatten().map(|entry| entry.path());
    Ok(folders.filter(|path| path.join(FILE).is_file()).max())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::{ModelOffer, RequestedLimits};
    use koab_cluster::{EngineKind, RemoteRequest};

    /// Text of the file. Workers of this version and of other versions read it.
    const TEXT: &str = r#"{
  "request": {
    "path": "tasks/a.jsonl",
    "results": "/shared/results",
    "folder": null,
    "repetitions": 3,
    "parallel": 1,
    "native": false,
    "docker_image": "python:3.12",
    "requirements": null,
    "config": "LIST",
    "config_tag": null,
    "config_file": null,
    "env_file": null,
    "secrets": [
      "KEY"
    ],
    "allow": [],
    "subsample": "0.1",
    "timeout_s": 60,
    "memory_mib": null,
    "cpus": 1.5,
    "pids": null,
    "output_mib": 8,
    "network": false,
    "model": "openai/gpt-4o",
    "base_url": null,
    "max_cost": 2.0,
    "max_total_tokens": 5000,
    "replay": null,
    "loose": true,
    "rerun_failed": true,
    "command": [
      "koab",
      "scenario"
    ]
  },
  "how": {
    "engine": "slurm",
    "shards": 4,
    "at_once": null,
    "engine_args": "-p cpu",
    "image_archive": "/shared/image.tar"
  },
  "began_ms": 17,
  "trials": [
    {
      "scenario": "a",
      "instance": "one",
      "repetition": 2
    }
  ]
}"#;

    fn job() -> Job {
        let text = |text: &str| Some(text.to_owned());
        Job {
            request: ScenarioRequest {
                path: "tasks/a.jsonl".to_owned(),
                results: text("/shared/results"),
                repetitions: 3,
                docker_image: text("python:3.12"),
                config: text("LIST"),
                secrets: vec!["KEY".to_owned()],
                subsample: text("0.1"),
                limits: RequestedLimits {
                    timeout_s: Some(60),
                    cpus: Some(1.5),
                    output_mib: Some(8),
                    network: false,
                    ..RequestedLimits::default()
                },
                offer: ModelOffer {
                    model: text("openai/gpt-4o"),
                    max_cost: Some(2.0),
                    max_total_tokens: Some(5000),
                    loose: true,
                    ..ModelOffer::default()
                },
                rerun_failed: true,
                command: vec!["koab".to_owned(), "scenario".to_owned()],
                ..ScenarioRequest::default()
            },
            how: Some(ScenarioCluster {
                remote: RemoteRequest {
                    engine: EngineKind::Slurm,
                    shards: Some(4),
                    at_once: None,
                    engine_args: text("-p cpu"),
                },
                image_archive: text("/shared/image.tar"),
                without_engine: true,
            }),
            began_ms: 17,
            trials: vec![JobTrial { scenario: "a".to_owned(), instance: "one".to_owned(), repetition: 2 }],
        }
    }

    #[test]
    fn the_file_has_its_fields_in_one_order() {
        let folder = tempfile::tempdir().expect("a folder");
        job().write(folder.path()).expect("written");
        let text = std::fs::read_to_string(folder.path().join(FILE)).expect("a file");
        assert_eq!(text, TEXT);
        let read = Job::read(folder.path()).expect("read");
        assert_eq!(serde_json::to_string_pretty(&read).expect("JSON"), TEXT);
        assert!(!read.how.expect("settings").without_engine, "the next submission says it again");
    }

    #[test]
    fn a_request_that_leaves_fields_out_has_the_documented_defaults() {
        let request: ScenarioRequest = serde_json::from_str(r#"{"path": "a.jsonl"}"#).expect("a request");
        let default = ScenarioRequest { path: "a.jsonl".to_owned(), ..ScenarioRequest::default() };
        let text = |request: &ScenarioRequest| serde_json::to_string(request).expect("JSON");
        assert_eq!(text(&request), text(&default));
        assert!(text(&request).contains(r#""timeout_s":null,"memory_mib":null,"cpus":null,"pids":null,"output_mib":null,"network":true,"model":null"#));
        assert_eq!((request.repetitions, request.parallel), (1, 1));
    }
}
