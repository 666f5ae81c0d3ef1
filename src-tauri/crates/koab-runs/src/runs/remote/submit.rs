//! Hands a run to an engine: as a new run's folder with its whole plan, or as what is unfinished of one.

use super::check::{Checked, check_address, no_local};
use super::{keep, wire};
use crate::Runs;
use crate::runs::library::made_here;
use crate::runs::prepare::run_id;
use crate::runs::shards::{Unwatched, check_mode};
use crate::runs::worker::{PACKS, PRICES};
use crate::wire::{ErrorCode, RemoteFile, RemotePlan, RemoteRequest, RemoteRun, RunRequest, WireError};
use koab_cluster::{Engine, Plan, State, Submission};
use koab_core::record::RunManifest;
use koab_core::say;
use koab_core::sensitive::Sensitive;
use koab_engine::no_model::NoModel;
use koab_engine::ports::{Cancel, Clock as _, Pause, RunLog as _};
use koab_engine::{RunInput, RunPorts, run};
use koab_models::is_local;
use koab_store::runs::RunEntry;
use koab_store::{FolderLog, ShardProgress};
use koab_workspace::clock::{SystemClock, folder_date};
use std::path::Path;
use std::sync::Arc;

/// Workers at once where the user does not say.
const AT_ONCE: u32 = 8;
/// Shards for each worker at once, so that the engine balances the load.
const SHARDS_A_WORKER: u32 = 8;
/// Attempts of a shard at least: below that its start costs more than it spares.
const ATTEMPTS_A_SHARD: u64 = 20;
/// Shards at most where the user does not say: Slurm takes arrays of 1,001.
const MOST_SHARDS: u32 = 1000;

impl Runs {
    /// What an engine would be given for a run; nothing is made, and nobody is asked.
    ///
    /// # Errors
    /// As [`Runs::remote_submit`].
    pub async fn remote_plan(
        &self,
        request: RunRequest,
        how: RemoteRequest,
    ) -> Result<RemotePlan, WireError> {
        let (engine, plan, attempts) = match &request.resume {
            Some(id) => {
                let entry = self.to_resume(id)?;
                let manifest = made_here(&entry)?;
                let (engine, _, plan, _) = self.rest(&entry, &manifest, &how, &request).await?;
                let counts = self.progress(&entry, &manifest, |progress| progress.whole())?;
                (engine, plan, counts.planned - counts.done + counts.failed)
            }
            None => {
                let checked = self.checked(&request).await?;
                let engine = engine(&how, None)?;
                let folder = koab_store::runs::new_folder(
                    &self.workspace.home().logs(),
                    &checked.request.model,
                    &folder_date(),
                );
                let attempts = attempts(&checked.input);
                let (of, at_once) = cut(&how, attempts);
                let mut plan = Plan::new(&full(&folder)?, &program()?, of);
                plan.at_once = at_once;
                plan.keys = names(&checked.keys);
                (engine, plan, attempts as u32)
            }
        };
        let files = engine.files(&plan).map_err(wire)?.into_iter();
        Ok(RemotePlan {
            engine: engine.kind(),
            attempts,
            shards: plan.of,
            unfinished: plan.shards.len() as u32,
            at_once: plan.at_once,
            files: files
                .map(|file| RemoteFile {
                    name: file.name,
                    text: file.text,
                })
                .collect(),
        })
    }

    /// Hands a run to an engine: a new one, or what is unfinished of one that goes on.
    ///
    /// # Errors
    /// When the engine is not there or refuses, the run makes no sense, or cannot be made by workers: one that asks live services,
    /// or whose model is inside the application. Nothing of a new run is then left.
    pub async fn remote_submit(
        &self,
        request: RunRequest,
        how: RemoteRequest,
    ) -> Result<RemoteRun, WireError> {
        let id = match &request.resume {
            Some(id) => {
                let entry = self.to_resume(id)?;
                self.submit_rest(&entry, &request, &how).await?;
                entry.id
            }
            None => self.submit_new(&request, &how).await?,
        };
        self.run_remote(&id).await
    }

    async fn submit_new(&self, request: &RunRequest, how: &RemoteRequest) -> Result<String, WireError> {
        let engine = engine(how, None)?;
        let Checked { request, input, keys } = self.checked(request).await?;
        let attempts = attempts(&input);
        let (of, at_once) = cut(how, attempts);
        engine.check().await.map_err(wire)?;
        let folder = self.new_folder(&request.model)?;
        let submitted = async {
            let id = run_id(&folder);
            self.hold_caps(&id, &request)?;
            self.write_plan(&folder, input).await?;
            self.write_packs(&folder)?;
            let mut plan = Plan::new(&full(&folder)?, &program()?, of);
            plan.at_once = at_once;
            plan.keys = names(&keys);
            let now = SystemClock.now_ms();
            let job = engine.submit(&plan, &keys, now).await.map_err(wire)?;
            let submission = Submission {
                engine: engine.kind(),
                engine_args: words(how.engine_args.as_deref())?,
                of,
                at_once,
                jobs: vec![job],
                cancelled_ms: None,
            };
            if let Err(error) = keep(&folder, &submission) {
                engine.cancel(&submission).await.map_err(wire)?;
                return Err(error);
            }
            Ok(id)
        };
        let submitted = submitted.await;
        if submitted.is_err() {
            // Nothing of it was done. What cannot be removed is an empty run.
            let _ = std::fs::remove_dir_all(&folder);
            if let Some(parent) = folder.parent() {
                let _ = std::fs::remove_dir(parent);
            }
        }
        submitted
    }

    async fn submit_rest(
        &self,
        entry: &RunEntry,
        request: &RunRequest,
        how: &RemoteRequest,
    ) -> Result<(), WireError> {
        let mut manifest = made_here(entry)?;
        let (engine, earlier, plan, keys) = self.rest(entry, &manifest, how, request).await?;
        engine.check().await.map_err(wire)?;
        let folder = &entry.run.folder;
        // What may differ now: workers read it there.
        let spec = &mut manifest.spec;
        spec.base_url = request.base_url.clone().or(spec.base_url.take());
        spec.max_cost = request.max_cost.or(spec.max_cost);
        spec.max_total_tokens = request.max_total_tokens.or(spec.max_total_tokens);
        spec.concurrency = request.concurrency.unwrap_or(spec.concurrency);
        let mut log = FolderLog::resume(folder)?;
        log.write_manifest(&manifest)?;
        drop(log);
        if !folder.join(PACKS).is_file() {
            self.write_packs(folder)?;
        }
        if let Some(earlier) = &earlier {
            self.end_held(folder, earlier).await?;
        }
        let now = SystemClock.now_ms();
        let job = engine.submit(&plan, &keys, now).await.map_err(wire)?;
        let mut jobs = earlier.map(|submission| submission.jobs).unwrap_or_default();
        jobs.push(job);
        let submission = Submission {
            engine: engine.kind(),
            engine_args: engine_words(how, folder)?,
            of: plan.of,
            at_once: plan.at_once,
            jobs,
            cancelled_ms: None,
        };
        keep(folder, &submission)
    }

    /// Ends what an earlier submission still has at its engine where none of it works: held tasks, and a merge that waits for them.
    async fn end_held(&self, folder: &Path, earlier: &Submission) -> Result<(), WireError> {
        let engine = Engine::of(earlier).map_err(wire)?;
        let workers = engine.states(folder, earlier).await.map_err(wire)?;
        let at_work = |state: State| matches!(state, State::Waiting | State::Running);
        if workers.iter().any(|worker| at_work(worker.state)) {
            return Ok(());
        }
        engine.cancel(earlier).await.map_err(wire)
    }

    /// What is to be handed over of a run that goes on.
    async fn rest(
        &self,
        entry: &RunEntry,
        manifest: &RunManifest,
        how: &RemoteRequest,
        request: &RunRequest,
    ) -> Result<(Engine, Option<Submission>, Plan, Vec<(String, Sensitive<String>)>), WireError> {
        check_mode(manifest)?;
        check_address(request)?;
        if is_local(&manifest.model) {
            return Err(no_local());
        }
        let folder = &entry.run.folder;
        let earlier = Submission::read(folder).map_err(wire)?;
        let engine = engine(how, Some(folder))?;
        let planned = self.progress(entry, manifest, |progress| progress.whole().planned)?;
        let (mut of, mut at_once) = cut(how, u64::from(planned));
        if let Some(earlier) = &earlier {
            at_once = how.at_once.unwrap_or(earlier.at_once);
            // Another cut would be another run to the shards that are there.
            if !koab_store::shards::files(folder)?.is_empty() {
                of = earlier.of;
            } else {
                of = how.shards.unwrap_or(earlier.of);
            }
        }
        if let (Some(asked), true) = (how.shards, how.shards != Some(of)) {
            return Err(WireError::bad_request(say!(
                "the run was cut into {of} shards, and some of them are begun; leave --shards {asked} out"
            )));
        }
        let is_open = |progress: &ShardProgress, index: u32| {
            let count = progress.shard(index, of);
            count.done - count.failed < count.planned
        };
        let mut shards: Vec<u32> = self.progress(entry, manifest, |progress| {
            (0..of).filter(|index| is_open(progress, *index)).collect()
        })?;
        if shards.is_empty() {
            return Err(WireError::bad_request(say!(
                "every attempt of the run {} has ended; `koab runs merge {}` joins them",
                entry.id,
                entry.id
            )));
        }
        if let Some(earlier) = &earlier {
            let old = Engine::of(earlier).map_err(wire)?;
            let workers = old.states(folder, earlier).await.map_err(wire)?;
            let at_work = |shard: &u32| {
                let mut of_shard = workers.iter().filter(|worker| worker.shard == *shard);
                of_shard.any(|worker| matches!(worker.state, State::Waiting | State::Running))
            };
            shards.retain(|shard| !at_work(shard));
            if shards.is_empty() {
                let id = &entry.id;
                return Err(WireError::new(
                    ErrorCode::Busy,
                    say!("every unfinished shard of the run has a worker; `koab runs show {id}` shows them"),
                ));
            }
        }
        let base_url = request.base_url.as_deref().or(manifest.spec.base_url.as_deref());
        let keys = self.keys_of(&manifest.model, base_url).await?;
        let mut plan = Plan::new(&full(folder)?, &program()?, of);
        plan.at_once = at_once.clamp(1, shards.len() as u32);
        plan.shards = shards;
        plan.keys = names(&keys);
        Ok((engine, earlier, plan, keys))
    }

    /// Writes `run.json` and the head of the journal, as a run does that is cancelled before its first attempt.
    async fn write_plan(&self, folder: &Path, input: RunInput) -> Result<(), WireError> {
        let cache = self.packs.recorded(&input.spec.pack, None)?.0;
        let ports = RunPorts {
            // The caps that are written down are those of the model's gate.
            model: Arc::new(NoModel(self.gate(&input.spec)?)),
            cache,
            live: None,
            log: Some(Box::new(FolderLog::start(folder)?)),
            sink: Arc::new(Unwatched),
            clock: Arc::new(SystemClock),
            pause: Pause::default(),
            folder: Some(folder.display().to_string()),
        };
        let cancel = Cancel::new();
        cancel.cancel();
        let report = run(input, ports, cancel).await;
        match report.reason {
            Some(reason) => Err(WireError::storage(reason)),
            None => Ok(()),
        }
    }

    /// What workers need of this workspace, beside the run.
    fn write_packs(&self, folder: &Path) -> Result<(), WireError> {
        self.workspace.store()?.copy_packs(&folder.join(PACKS))?;
        let prices = self.workspace.home().prices();
        if prices.is_file() {
            let to = folder.join(PRICES);
            std::fs::copy(&prices, &to)
                .map_err(|error| WireError::storage(say!("{} cannot be written: {error}", to.display())))?;
        }
        Ok(())
    }
}

fn attempts(input: &RunInput) -> u64 {
    input.tasks.len() as u64 * u64::from(input.spec.repetitions)
}

fn names(keys: &[(String, Sensitive<String>)]) -> Vec<String> {
    keys.iter().map(|(name, _)| name.clone()).collect()
}

/// Shards of a run, and workers at once.
fn cut(how: &RemoteRequest, attempts: u64) -> (u32, u32) {
    let at_once = how.at_once.unwrap_or(AT_ONCE).max(1);
    let fitting = u32::try_from(attempts / ATTEMPTS_A_SHARD).unwrap_or(u32::MAX);
    let found = at_once
        .saturating_mul(SHARDS_A_WORKER)
        .min(fitting)
        .min(MOST_SHARDS);
    // All workers end together where each makes as many.
    let found = if found > at_once {
        found - found % at_once
    } else {
        found
    };
    // A shard without an attempt has nobody who marks it as done.
    let most = u32::try_from(attempts).unwrap_or(u32::MAX).max(1);
    let of = how.shards.unwrap_or(found).clamp(1, most);
    (of, at_once.min(of))
}

fn words(text: Option<&str>) -> Result<Vec<String>, WireError> {
    text.map_or_else(|| Ok(Vec::new()), |text| koab_cluster::split(text).map_err(wire))
}

/// Words for the engine: those that are given, else those that the run had there.
fn engine_words(how: &RemoteRequest, folder: &Path) -> Result<Vec<String>, WireError> {
    if how.engine_args.is_none()
        && let Some(earlier) = Submission::read(folder).map_err(wire)?
        && earlier.engine == how.engine
    {
        return Ok(earlier.engine_args);
    }
    words(how.engine_args.as_deref())
}

fn engine(how: &RemoteRequest, folder: Option<&Path>) -> Result<Engine, WireError> {
    let words = match folder {
        Some(folder) => engine_words(how, folder)?,
        None => words(how.engine_args.as_deref())?,
    };
    Engine::new(how.engine, &words).map_err(wire)
}

/// The program that workers are.
fn program() -> Result<std::path::PathBuf, WireError> {
    std::env::current_exe()
        .map_err(|error| WireError::storage(say!("the program of koab cannot be found: {error}")))
}

/// A path that means the same on every machine.
fn full(folder: &Path) -> Result<std::path::PathBuf, WireError> {
    std::path::absolute(folder)
        .map_err(|error| WireError::storage(say!("{} has no full path: {error}", folder.display())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use koab_cluster::EngineKind;

    #[test]
    fn a_run_is_cut_into_more_shards_than_workers_but_not_into_crumbs() {
        let how = |shards, at_once| RemoteRequest {
            engine: EngineKind::Slurm,
            shards,
            at_once,
            engine_args: None,
        };
        for (given, attempts, expected) in [
            (how(None, None), 91, (4, 4)),
            (how(None, None), 10, (1, 1)),
            (how(None, Some(4)), 182, (8, 4)),
            (how(None, Some(4)), 9_100, (32, 4)),
            (how(None, Some(500)), 1_000_000, (1000, 500)),
            (how(Some(400), Some(50)), 9_100, (400, 50)),
            (how(Some(400), None), 91, (91, 8)),
        ] {
            assert_eq!(cut(&given, attempts), expected, "{given:?} {attempts}");
        }
    }
}
