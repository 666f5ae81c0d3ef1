//! A run as it is read to be scored.

use super::attempts::Attempts;
use crate::Scoring;
use crate::options::EvaluateOptions;
use crate::wire::WireError;
use koab_core::log::LevelLog;
use koab_core::run_record::RunManifest;
use koab_core::say;
use koab_core::sentence::Sentence;
use koab_report::Dataset;
use koab_store::runs::RunEntry;

/// The run to score, read.
pub struct Run {
    /// Where it lies.
    pub entry: RunEntry,
    /// What `run.json` says; `None` for a run from elsewhere.
    pub manifest: Option<RunManifest>,
    /// What is wrong with its journal, one sentence each.
    pub(crate) problems: Vec<Sentence>,
    /// Its logs, by level.
    pub logs: Vec<LevelLog>,
    /// The attempts that the logs do not have, where they were asked for and there are any.
    pub(crate) attempts: Option<Attempts>,
    pub(crate) execution_date: String,
    pub(crate) folder_name: String,
}

/// What a reader of a report must know whose replies were not asked for here.
pub(super) fn made_elsewhere(logs: &[LevelLog]) -> Option<Sentence> {
    let mut sources = logs.iter().map(|log| log.metadata.get("replies_from"));
    let source = sources.find_map(|source| source?.as_str())?;
    Some(say!("the replies were made elsewhere and read from {}", source))
}

impl Run {
    /// Whether it is of another benchmark than Ko-AgentBench: its groups are none of the seven
    /// levels.
    pub(crate) fn is_of_another_benchmark(&self) -> bool {
        self.logs.iter().any(|log| log.level.place().is_none())
    }

    /// `name@version` of its pack, where its files say it.
    pub(crate) fn pack(&self) -> Option<String> {
        let stated = self.manifest.as_ref().map(|manifest| manifest.spec.pack.clone());
        stated.or_else(|| self.entry.run.pack_of_logs())
    }

    /// Without the items of its pack nothing is known of a run of another benchmark.
    pub(crate) fn needs_items(&self, dataset: &Dataset) -> Result<(), WireError> {
        if !self.is_of_another_benchmark() || dataset.is_of_items() {
            return Ok(());
        }
        let pack = self.pack().unwrap_or_default();
        Err(WireError::not_found(say!(
            "the items of the run’s pack {pack} are not installed, and without them it cannot be scored; import the pack with `koab pack import`"
        )))
    }

    /// The logs of later repetitions that judges are to be asked about, one repetition at a time.
    pub(crate) fn later_to_judge(&self) -> impl Iterator<Item = Result<(u32, Vec<LevelLog>), WireError>> {
        let attempts = self.attempts.as_ref().filter(|attempts| !attempts.first_only);
        attempts.into_iter().flat_map(|attempts| attempts.later(&self.logs))
    }

    /// Attempts a task that judges are asked about.
    pub(crate) fn attempts_to_judge(&self) -> u32 {
        let attempts = self.attempts.as_ref().filter(|attempts| !attempts.first_only);
        attempts.map_or(1, |attempts| attempts.most)
    }
}

impl Scoring {
    /// A run with all its attempts, as far as its files have several.
    ///
    /// # Errors
    /// When its journal cannot be read.
    pub(crate) fn with_attempts(&self, mut run: Run, options: &EvaluateOptions) -> Result<Run, WireError> {
        let folder = &run.entry.run.folder;
        let journal = self.library.inner.kept.journal(folder)?;
        let spec = run.manifest.as_ref().map(|manifest| &manifest.spec);
        run.attempts =
            Attempts::read(&run.logs, folder, spec, journal, options.first_repetition, options.sample);
        Ok(run)
    }
}
