//! Judges of a run. The request of the run and each scoring store them. So the next scoring, in the
//! window or on the command line, uses the same judges and finds their answers.

use crate::Scoring;
use koab_core::address;
use koab_core::say;
use koab_library::{JudgesFrom, RunJudges};
use koab_models::local_models::LocalSettings;
use koab_workspace::WireError;
use serde::{Deserialize, Serialize};

/// Beginning of the name of the workspace setting with a run's judges. The run id follows.
const SETTING_PREFIX: &str = "judges of ";

/// The stored judges of a run. Only a run that is to be judged has stored judges.
#[derive(Serialize, Deserialize)]
pub(crate) struct JudgeSetting {
    pub(crate) judges: Vec<String>,
    pub(crate) judge_base_url: Option<String>,
    #[serde(default)]
    pub(crate) judge_local: Option<LocalSettings>,
}

impl Scoring {
    /// Stores the judges of a run. An empty list does not change the stored judges.
    pub fn remember_judges(
        &self,
        run: &str,
        judges: &[String],
        base_url: Option<&str>,
        local: &LocalSettings,
    ) -> Result<(), WireError> {
        if judges.is_empty() {
            return Ok(());
        }
        let setting = JudgeSetting {
            judges: judges.to_vec(),
            // A part of the address that may contain a password or a key is not stored.
            judge_base_url: base_url.map(address::kept),
            judge_local: (*local != LocalSettings::default()).then(|| local.clone()),
        };
        let text = serde_json::to_string(&setting).map_err(WireError::internal)?;
        Ok(self.workspace.store()?.set_setting(&format!("{SETTING_PREFIX}{run}"), Some(&text))?)
    }

    /// Returns the judges in a run's request or last scoring.
    ///
    /// # Errors
    /// When the database cannot be read, or its entry for the run is damaged.
    pub(crate) fn judges_remembered(&self, run: &str) -> Result<Option<JudgeSetting>, WireError> {
        let Some(text) = self.workspace.store()?.setting(&format!("{SETTING_PREFIX}{run}"))? else {
            return Ok(None);
        };
        let setting = serde_json::from_str(&text).map_err(|error| {
            WireError::bad_file(say!(
                "the list of the judges of {run} cannot be read ({error}); name the judges, or score without judges"
            ))
        })?;
        Ok(Some(setting))
    }

    /// Returns the default judges of a run: those of its last scoring, otherwise those of its
    /// report, otherwise those in the settings. `last` is the newest unfinished run.
    ///
    /// # Errors
    /// When the run does not exist, or the workspace cannot be read.
    pub fn run_judges(&self, run: &str) -> Result<RunJudges, WireError> {
        let live_id = self.library.live_run(run).and_then(|live| live.id.get().cloned());
        let id = match live_id {
            Some(id) => id,
            None => self.library.to_resume(run)?.id,
        };
        if let Some(kept) = self.judges_remembered(&id)? {
            return Ok(RunJudges {
                judges: kept.judges,
                judge_base_url: kept.judge_base_url,
                judge_local: kept.judge_local,
                from: JudgesFrom::Run,
            });
        }
        // A report from elsewhere may have names of judges that no provider has.
        let askable =
            |judges: &[String]| !judges.is_empty() && judges.iter().all(|judge| judge.contains('/'));
        let report = self.library.report_show(&id).ok().flatten();
        let (judges, judge_base_url, from) = match report {
            Some(report) if askable(&report.judges) => {
                (report.judges, report.judge_address, JudgesFrom::Report)
            }
            _ => (self.workspace.settings()?.judges, None, JudgesFrom::Settings),
        };
        Ok(RunJudges { judges, judge_base_url, judge_local: None, from })
    }
}
