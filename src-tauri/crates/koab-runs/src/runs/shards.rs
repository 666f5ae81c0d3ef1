//! A run that several workers make together, one shard each. This module starts shards and merges
//! their results (`docs/design/runs.md`).

use super::prepare::is_same_pack;
use super::request::chosen;
use super::taken_in::take_in;
use crate::Runs;
use crate::runs::library::{Changed, EarlierRun, made_here};
use koab_core::catalog::ToolCatalog;
use koab_core::event::RunEvent;
use koab_core::run_record::{AttemptSummary, CacheMode, OpenSteps, RunManifest, Spending};
use koab_core::say;
use koab_engine::budget::Budget;
use koab_engine::call_limits::CallLimits;
use koab_engine::limiter::Limiter;
use koab_engine::no_model::NoModel;
use koab_engine::plan::Shard;
use koab_engine::ports::{Amount, Cancel, ChangeInbox, EventSink, Pause};
use koab_engine::retry::RetryPolicy;
use koab_engine::{RunInput, RunPorts, run};
use koab_library::{RunMerge, RunRequest, ShardRequest};
use koab_scoring::holds;
use koab_scoring::worker_home::{PACKS, PRICES, job_name};
use koab_store::FolderLog;
use koab_store::holds::Spender;
use koab_store::run_folder::RunFolder;
use koab_store::runs::RunEntry;
use koab_store::shards::{self, MergeCounts, ShardLog};
use koab_workspace::WireError;
use koab_workspace::clock::SystemClock;
use std::sync::Arc;

/// Maximum number of shards. No cluster accepts more.
const MAX_SHARDS: u32 = 1_000_000;

impl Runs {
    /// Starts a shard of a run. Returns its earlier results, and the log for new results.
    ///
    /// # Errors
    /// When the shard does not exist, the run was not made here or makes live calls, or a file
    /// cannot be written.
    pub(super) fn start_shard(
        &self,
        entry: &RunEntry,
        ShardRequest { index, of }: ShardRequest,
    ) -> Result<(EarlierRun, ShardLog), WireError> {
        if of == 0 || of > MAX_SHARDS || index >= of {
            return Err(WireError::bad_request(say!(
                "there is no part {index} of {of}; parts are counted from 0, as in --shard 0/8"
            )));
        }
        let manifest = made_here(entry)?;
        check_mode(&manifest)?;
        let job = job_name();
        let (log, mut starts) =
            ShardLog::start(&entry.run.folder, Shard { index, of }, &manifest.plan_hash(), job)?;
        let mut whole = entry.run.journal::<AttemptSummary>()?;
        let steps = starts.take_steps(whole.take_steps(OpenSteps::new()));
        let own = starts.journal;
        let mut spec = manifest.spec.clone();
        let changed = Changed::take(&mut whole, &manifest, &mut spec);
        let mut problems = whole.problems(None);
        problems.extend(own.problems(None));
        let spent = own.spent();
        let mut attempts = own.finished();
        // Where both have an attempt, the run's own counts.
        whole.finished().into_iter().for_each(|ended| attempts.end(ended));
        let mut earlier = EarlierRun {
            problems,
            // A shard has a budget of its own: its share of the run's remaining caps.
            spent,
            attempts,
            steps,
            spec,
            changed,
            folder: entry.run.folder.clone(),
            ..EarlierRun::of_manifest(&entry.id, manifest.clone())
        };
        let before = manifest.spending.unwrap_or_default();
        let spending = Amount { cost: before.usd.unwrap_or(0.0), tokens: before.usage.total_tokens };
        // A killed session of the whole run has not recorded its running calls.
        let lost = koab_store::holds::lost_without_parts(&entry.run.folder, spending)?.amount;
        let cost_share = |cap: f64| (cap - spending.cost - lost.cost).max(0.0) / f64::from(of);
        earlier.spec.max_cost = earlier.spec.max_cost.map(cost_share);
        let token_share =
            |cap: u64| cap.saturating_sub(spending.tokens.saturating_add(lost.tokens)) / u64::from(of);
        earlier.spec.max_total_tokens = earlier.spec.max_total_tokens.map(token_share);
        Ok((earlier, log))
    }

    /// Merges the workers' results into their run, without API calls. Workers may still be running
    /// at this time.
    ///
    /// # Errors
    /// When the run does not exist, a shard belongs to another run, the pack is not installed, or a
    /// file cannot be written.
    pub async fn run_merge(&self, id: &str) -> Result<RunMerge, WireError> {
        let entry = self.library.run_meant(id)?;
        let manifest = made_here(&entry)?;
        check_mode(&manifest)?;
        if shards::files(&entry.run.folder)?.is_empty() {
            return Err(WireError::not_found(say!(
                "the run {} has no parts to merge; workers make them with `koab run --resume {} --shard 0/8`",
                entry.id,
                entry.id
            )));
        }
        let mut log = FolderLog::resume(&entry.run.folder)?;
        let MergeCounts { attempts, doubled, damaged } = take_in(&entry, &mut log, &manifest)?;
        let earlier = self.earlier(&entry)?;
        let input = self.concluded(earlier, &manifest)?;
        let spent = self
            .spent_so_far(&entry.run, &manifest)?
            .map(|budget| CallLimits { limiter: Arc::new(Limiter::new(1, 1)), budget: Arc::new(budget) });
        let ports = RunPorts {
            model: Arc::new(NoModel(spent)),
            agent: None,
            cache: self.packs.recorded(&manifest.spec.pack, None)?.0,
            live: None,
            log: Some(Box::new(log)),
            sink: Arc::new(NoWatcher),
            clock: Arc::new(SystemClock),
            pause: Pause::default(),
            changes: ChangeInbox::default(),
            folder: Some(entry.run.folder.display().to_string()),
        };
        let cancel = Cancel::new();
        cancel.cancel();
        let report = run(input, ports, cancel).await;
        let missing = report.planned - report.tally.done;
        if let Some(reason) = report.reason {
            return Err(WireError::storage(reason));
        }
        if missing == 0 {
            shards::remove(&entry.run.folder)?;
            for file in [PACKS, PRICES] {
                // Only workers need these files. A submission of failed attempts copies them again.
                let _ = std::fs::remove_file(entry.run.folder.join(file));
            }
        }
        Ok(RunMerge {
            run: entry.id,
            attempts: attempts as u32,
            doubled: doubled as u32,
            planned: report.planned as u32,
            done: report.tally.done as u32,
            failed: report.tally.failed as u32,
            missing: missing as u32,
            problems: damaged,
            folder: entry.run.folder.display().to_string(),
        })
    }

    /// Returns an input for the engine with which it writes the run's files without making further
    /// attempts.
    fn concluded(&self, earlier: EarlierRun, manifest: &RunManifest) -> Result<RunInput, WireError> {
        let options = self.with_its_pack(earlier.options(&RunRequest::published("merge", ""))?)?;
        let pack = self.pack_for(options.pack.as_deref())?;
        let tasks = chosen(&pack, &options)?;
        let identity = self.library.pack_identity(&pack, &tasks, options.settings.protocol)?;
        if let Some(was) = earlier.identity()
            && !is_same_pack(was, &identity, options.cache_snapshot.is_some())
        {
            return Err(WireError::not_found(say!(
                "the run was made with other tasks, tools or cached responses than pack {} has now; import that pack again as it was",
                pack.label()
            )));
        }
        Ok(RunInput {
            spec: earlier.spec,
            source: manifest.cache.source.clone(),
            retry: RetryPolicy::default(),
            tasks,
            catalog: ToolCatalog::new(pack.tools),
            shard: Shard::WHOLE,
            kept: earlier.attempts,
            steps: earlier.steps,
            earlier_limits: earlier.changed.limits,
            changes: earlier.changed.changes,
            problems: earlier.problems,
        })
    }

    /// Returns the budget of a run, from which the spending of all sessions and shards is
    /// subtracted. `None` for a model that costs nothing.
    fn spent_so_far(&self, run: &RunFolder, manifest: &RunManifest) -> Result<Option<Budget>, WireError> {
        let own_model = manifest.spec.agent.as_ref().is_some_and(|agent| agent.own_model);
        if own_model || manifest.spec.model.starts_with("baseline/") {
            return Ok(None);
        }
        let spent = run.journal::<AttemptSummary>()?.spent();
        let caps = koab_models::SpendingCaps {
            max_cost: manifest.spec.max_cost,
            max_total_tokens: manifest.spec.max_total_tokens,
            ..koab_models::SpendingCaps::default()
        };
        let budget: Budget = self.models.run_budget(&manifest.spec.model, &caps, None, spent)?;
        let journal = holds::amount(&budget, spent);
        let lost = koab_store::holds::lost_so_far(&run.folder, Spender::Run, journal)?;
        Ok(Some(budget.after(lost.amount, lost.calls)))
    }

    /// Returns the spending of a run, including sessions that were killed; `None` for a model that
    /// costs nothing.
    ///
    /// # Errors
    /// When a file of the run or the price table cannot be read.
    pub fn spending_of(&self, run: &RunFolder) -> Result<Option<Spending>, WireError> {
        let Some(manifest) = run.manifest()? else {
            return Ok(None);
        };
        let budget = self.spent_so_far(run, &manifest)?;
        Ok(budget.map(|budget| budget.spending()))
    }
}

/// Refuses a run in write mode. It saves responses in one database, which several machines cannot
/// share.
pub fn check_mode(manifest: &RunManifest) -> Result<(), WireError> {
    if manifest.spec.cache_mode == Some(CacheMode::Write) {
        return Err(WireError::bad_request(say!(
            "a run in write mode cannot be made in parts: the answers that it keeps are in one database; make it without --cache-mode write"
        )));
    }
    Ok(())
}

/// An event sink that ignores all events.
pub struct NoWatcher;

impl EventSink for NoWatcher {
    fn send(&self, _: &RunEvent) {}
}
