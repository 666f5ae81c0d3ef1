//! A run that was read for scoring.

use super::attempts::Attempts;
use crate::Library;
use crate::options::EvaluateOptions;
use koab_core::log::LevelLog;
use koab_core::run_record::RunManifest;
use koab_core::say;
use koab_core::sentence::Sentence;
use koab_report::Dataset;
use koab_store::runs::RunEntry;
use koab_workspace::WireError;

/// A run that was read for scoring.
pub struct Run {
    /// Id and folder of the run.
    pub entry: RunEntry,
    /// Content of `run.json`; `None` for a run that another program made.
    pub manifest: Option<RunManifest>,
    /// Problems with the run's journal, one sentence each.
    pub problems: Vec<Sentence>,
    /// The logs of the run, one per level.
    pub logs: Vec<LevelLog>,
    /// The attempts that the logs do not contain; `None` if they were not requested or do not
    /// exist.
    pub attempts: Option<Attempts>,
    pub(crate) execution_date: String,
    /// Name of the report's folder without a suffix.
    pub folder_name: String,
}

/// Returns the caveat that this program did not make the replies.
pub fn made_elsewhere(logs: &[LevelLog]) -> Option<Sentence> {
    let mut sources = logs.iter().map(|log| log.metadata.get("replies_from"));
    let source = sources.find_map(|source| source?.as_str())?;
    Some(say!("the replies were made elsewhere and read from {}", source))
}

impl Run {
    /// Whether the run is of another benchmark than Ko-AgentBench. Such a run has groups in place
    /// of the seven levels.
    pub fn is_of_another_benchmark(&self) -> bool {
        self.logs.iter().any(|log| log.level.place().is_none())
    }

    /// Returns the pack of the run, `name@version`, if the run's files contain it.
    pub fn pack(&self) -> Option<String> {
        let label = self.manifest.as_ref().map(|manifest| manifest.spec.pack.clone());
        label.or_else(|| self.entry.run.pack_of_logs())
    }

    /// Checks that the items of the pack are installed if the run is of another benchmark. Without
    /// them, the run cannot be scored.
    pub fn needs_items(&self, dataset: &Dataset) -> Result<(), WireError> {
        if !self.is_of_another_benchmark() || dataset.is_of_items() {
            return Ok(());
        }
        let pack = self.pack().unwrap_or_default();
        Err(WireError::not_found(say!(
            "the items of the run’s pack {pack} are not installed, and without them it cannot be scored; import the pack with `koab pack import`"
        )))
    }

    /// Returns the logs of later repetitions that judges are asked about. Each item of the iterator
    /// is one repetition.
    pub(crate) fn later_to_judge(&self) -> impl Iterator<Item = Result<(u32, Vec<LevelLog>), WireError>> {
        let attempts = self.attempts.as_ref().filter(|attempts| !attempts.first_only);
        attempts.into_iter().flat_map(|attempts| attempts.later(&self.logs))
    }

    /// Returns the number of attempts per task that judges are asked about.
    pub fn attempts_to_judge(&self) -> u32 {
        let attempts = self.attempts.as_ref().filter(|attempts| !attempts.first_only);
        attempts.map_or(1, |attempts| attempts.most)
    }
}

impl Library {
    /// Adds all attempts to a run, if its files have several attempts per task.
    ///
    /// # Errors
    /// When the run's journal cannot be read.
    pub fn with_attempts(&self, mut run: Run, options: &EvaluateOptions) -> Result<Run, WireError> {
        let folder = &run.entry.run.folder;
        let journal = self.inner.kept.journal(folder)?;
        let spec = run.manifest.as_ref().map(|manifest| &manifest.spec);
        run.attempts =
            Attempts::read(&run.logs, folder, spec, journal, options.first_repetition, options.sample);
        Ok(run)
    }
}
