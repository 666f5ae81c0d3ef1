//! Who judges a run: remembered when the run is asked for and whenever it is scored, so that
//! whoever scores it next, in the window or on the command line, begins with the same judges and
//! finds their answers again.

use crate::Scoring;
use crate::wire::{JudgesFrom, RunJudges, WireError};
use koab_core::address;
use koab_core::say;
use koab_models::local_models::LocalSettings;
use serde::{Deserialize, Serialize};

/// A setting of the workspace for each run; its id follows.
const SETTING: &str = "judges of ";

/// As kept. Only runs that somebody was to judge have it.
#[derive(Serialize, Deserialize)]
pub(crate) struct JudgeSetting {
    pub(crate) judges: Vec<String>,
    pub(crate) judge_base_url: Option<String>,
    #[serde(default)]
    pub(crate) judge_local: Option<LocalSettings>,
}

impl Scoring {
    /// Keeps who judges a run. Nobody is not a judge: what was chosen before stays known.
    pub(crate) fn remember_judges(
        &self,
        run: &str,
        judges: &[String],
        base_url: Option<&str>,
        local: &LocalSettings,
    ) -> Result<(), WireError> {
        if judges.is_empty() {
            return Ok(());
        }
        let kept = JudgeSetting {
            judges: judges.to_vec(),
            // What may hold a password or a key is not written down; the user gives it again.
            judge_base_url: base_url.map(address::kept),
            judge_local: (*local != LocalSettings::default()).then(|| local.clone()),
        };
        let text = serde_json::to_string(&kept).map_err(WireError::internal)?;
        Ok(self.workspace.store()?.set_setting(&format!("{SETTING}{run}"), Some(&text))?)
    }

    /// Who was to judge a run when it was last asked for or scored.
    ///
    /// # Errors
    /// When the database cannot be read, or what it has of the run is damaged.
    pub(crate) fn judges_remembered(&self, run: &str) -> Result<Option<JudgeSetting>, WireError> {
        let Some(text) = self.workspace.store()?.setting(&format!("{SETTING}{run}"))? else {
            return Ok(None);
        };
        let setting = serde_json::from_str(&text).map_err(|error| {
            WireError::bad_file(say!(
                "who judged {run} is kept in a form that cannot be read ({error}); name the judges, or score without"
            ))
        })?;
        Ok(Some(setting))
    }

    /// Who judges this run, or the `last` unfinished one, unless somebody says otherwise: those of
    /// its last scoring, else those of its report, else those of the workspace's settings.
    ///
    /// # Errors
    /// When there is no such run, or the workspace cannot be read.
    pub fn run_judges(&self, run: &str) -> Result<RunJudges, WireError> {
        let listed = self.library.live_run(run).and_then(|live| live.id.get().cloned());
        let id = match listed {
            Some(id) => id,
            None => self.to_resume(run)?.id,
        };
        if let Some(kept) = self.judges_remembered(&id)? {
            return Ok(RunJudges {
                judges: kept.judges,
                judge_base_url: kept.judge_base_url,
                judge_local: kept.judge_local,
                from: JudgesFrom::Run,
            });
        }
        // A report from elsewhere may name its judges in words that no provider knows.
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
