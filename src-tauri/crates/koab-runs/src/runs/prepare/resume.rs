//! First stage of preparing a run: the run that is resumed. This process locks it before its
//! journal is read.

use super::same_pack::check_pack;
use crate::Runs;
use crate::runs::library::{EarlierRun, made_here};
use crate::runs::request::chosen;
use crate::runs::taken_in::take_in;
use koab_core::run_record::RunManifest;
use koab_engine::ports::RunLog;
use koab_library::{Origin, RunRequest, ShardRequest};
use koab_store::FolderLog;
use koab_store::runs::RunEntry;
use koab_store::shards::ShardLog;
use koab_workspace::{WireError, blocking};

/// A run, or a shard of it, that is resumed.
pub(super) struct ResumedRun {
    pub(super) earlier: EarlierRun,
    /// Shard that this process makes; `None` if it makes the whole run.
    pub(super) shard: Option<ShardRequest>,
    pub(super) log: Box<dyn RunLog>,
}

impl Runs {
    /// Locks the run that `request` resumes, and reads the run. `None` for a new run.
    ///
    /// # Errors
    /// When the run does not exist, another process or a cluster is making it, its pack has
    /// changed, or its files cannot be read or written.
    pub(super) async fn resumed(&self, request: &RunRequest) -> Result<Option<ResumedRun>, WireError> {
        let (runs, request) = (self.clone(), request.clone());
        let resumed = match request.origin.clone() {
            Origin::New | Origin::Completes { .. } => return Ok(None),
            Origin::Shard { run, shard } => {
                blocking(move || runs.resumed_shard(&run, shard, &request)).await?
            }
            Origin::Resume { run, without_engine } => {
                // Checked before the log creates files in the folder.
                let (entry, manifest) = blocking(move || {
                    let entry = runs.library.to_resume(&run)?;
                    made_here(&entry).map(|manifest| (entry, manifest))
                })
                .await?;
                self.check_no_workers(&entry, &manifest, without_engine).await?;
                let runs = self.clone();
                blocking(move || runs.resumed_whole(&entry, &manifest)).await?
            }
        };
        Ok(Some(resumed))
    }

    fn resumed_whole(&self, entry: &RunEntry, manifest: &RunManifest) -> Result<ResumedRun, WireError> {
        let mut log = FolderLog::resume(&entry.run.folder)?;
        // Attempts of workers are not made again.
        take_in(entry, &mut log, manifest)?;
        Ok(ResumedRun { earlier: self.earlier(entry)?, shard: None, log: Box::new(log) })
    }

    fn resumed_shard(
        &self,
        run: &str,
        shard: ShardRequest,
        request: &RunRequest,
    ) -> Result<ResumedRun, WireError> {
        let entry = self.library.to_resume(run)?;
        // Checked before the shard's file is created, which would take the shard over from another
        // worker.
        let settings = EarlierRun::of_manifest(&entry.id, made_here(&entry)?);
        let request = self.resumed_options(&settings, request)?;
        let pack = self.pack_for(request.pack.as_deref())?;
        let identity =
            self.library.pack_identity(&pack, &chosen(&pack, &request)?, request.settings.protocol)?;
        check_pack(&settings, &pack.label(), &identity, request.cache_snapshot.is_some())?;
        let (earlier, log): (_, ShardLog) = self.start_shard(&entry, shard)?;
        Ok(ResumedRun { earlier, shard: Some(shard), log: Box::new(log) })
    }
}
