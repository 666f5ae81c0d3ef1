//! Validates the request of a run: its pack, tasks and settings.

use crate::Runs;
use crate::runs::library::EarlierRun;
use koab_core::address;
use koab_core::level::UnknownLevel;
use koab_core::pack::Pack;
use koab_core::protocol::Protocol;
use koab_core::run_record::CacheMode;
use koab_core::run_record::RunSpec;
use koab_core::say;
use koab_core::sentence::ToSentence;
use koab_core::task::Task;
use koab_library::{Origin, RunRequest};
use koab_models::concurrency;
use koab_workspace::WireError;
use std::path::Path;

/// Name of the baseline that makes the calls of the golden paths.
const GOLDEN: &str = "baseline/golden";
/// Maximum number of attempts of a run.
const MAX_ATTEMPTS: u64 = 10_000_000;

impl Runs {
    /// Returns the pack that a request names; the active pack if it names none. A folder or archive
    /// is imported first.
    ///
    /// # Errors
    /// When the pack does not exist or cannot be imported or read.
    pub fn pack_for(&self, name: Option<&str>) -> Result<Pack, WireError> {
        // A name that is also a path means the installed pack.
        if let Some(name) = name
            && Path::new(name).exists()
            && !self.workspace.store()?.packs()?.iter().any(|p| p.manifest.name == name)
        {
            let imported = self.workspace.store()?.import(Path::new(name))?;
            return self.workspace.load_pack(&imported.pack.manifest.name);
        }
        self.workspace.load_pack(&self.workspace.pack_name(name)?)
    }

    /// Returns the settings for resuming a run, with its pack.
    pub(super) fn resumed_options(
        &self,
        earlier: &EarlierRun,
        now: &RunRequest,
    ) -> Result<RunRequest, WireError> {
        self.with_its_pack(self.options_of(earlier, now)?)
    }

    /// Selects the pack of a resumed run in the version of the run, if this version is installed.
    pub(crate) fn with_its_pack(&self, options: RunRequest) -> Result<RunRequest, WireError> {
        let label = options.pack.as_deref();
        let pack = label.map(|label| self.workspace.pack_of_label(label)).transpose()?;
        Ok(RunRequest { pack, ..options })
    }

    /// Returns the pack of a run and its requested tasks.
    pub(crate) fn tasks_of(&self, options: &RunRequest) -> Result<(Pack, Vec<Task>), WireError> {
        let pack = self.pack_for(options.pack.as_deref())?;
        let tasks = chosen(&pack, options)?;
        Ok((pack, tasks))
    }

    /// Rejects an invalid request. Only checks that need no API calls are made.
    pub(crate) fn check_request(&self, request: &RunRequest) -> Result<(), WireError> {
        match &request.origin {
            // The settings of a resumed run are its own.
            Origin::Resume { .. } | Origin::Shard { .. } => return Ok(()),
            Origin::Completes { .. } => {
                let request = self.settled(request)?;
                return self.models.check_caps(std::slice::from_ref(&request.model), &request.caps());
            }
            Origin::New => {}
        }
        let request = &self.settled(request)?;
        if request.levels.is_empty() && request.tasks.is_empty() {
            return Err(WireError::bad_request(say!(
                "no level is chosen; choose at least one, or single tasks"
            )));
        }
        if request.score.as_ref().is_some_and(|score| score.scorers.is_empty()) {
            return Err(WireError::bad_request(say!("no scorer is named; choose at least one")));
        }
        let pack = self.pack_for(request.pack.as_deref())?;
        chosen(&pack, request)?;
        spec(request, &pack)?;
        self.models.check_caps(std::slice::from_ref(&request.model), &request.caps())
    }
}

/// Returns the requested tasks, in the dataset's order.
pub fn chosen(pack: &Pack, options: &RunRequest) -> Result<Vec<Task>, WireError> {
    if pack.kind.is_request() && options.model.eq_ignore_ascii_case(GOLDEN) {
        return Err(WireError::bad_request(say!(
            "pack {pack} has no golden calls that {GOLDEN} could make; take baseline/silent, which says nothing and calls nothing, or a model",
            pack = pack.label()
        )));
    }
    for id in &options.tasks {
        if pack.task(id).is_none() {
            return Err(WireError::not_found(say!("pack {} has no task {id}", pack.label())));
        }
    }
    for level in &options.levels {
        if pack.kind.is_request() && !pack.tasks.contains_key(level) {
            let groups: Vec<&str> = pack.tasks.keys().map(|group| group.as_str()).collect();
            return Err(WireError::bad_request(say!(
                "pack {pack} has no group {level}; its groups are {groups}",
                pack = pack.label(),
                groups = groups.join(", ")
            )));
        }
        if !pack.kind.is_request() && level.place().is_none() {
            return Err(WireError::bad_request(UnknownLevel(level.to_string()).to_sentence()));
        }
    }
    let is_requested = |task: &&Task| {
        (options.levels.is_empty() || options.levels.contains(&task.level))
            && (options.tasks.is_empty() || options.tasks.contains(&task.id))
    };
    let tasks: Vec<Task> = pack.tasks.values().flatten().filter(is_requested).cloned().collect();
    if pack.tasks.values().all(Vec::is_empty) {
        return Err(WireError::bad_request(say!(
            "pack {} has no tasks yet; write some in the editor",
            pack.label()
        )));
    }
    if tasks.is_empty() {
        return Err(WireError::bad_request(say!("pack {} has no task in the chosen levels", pack.label())));
    }
    let attempts = tasks.len() as u64 * u64::from(options.settings.repetitions);
    if attempts > MAX_ATTEMPTS {
        return Err(WireError::bad_request(say!(
            "the run would have {attempts} attempts, more than the allowed {}; choose fewer repetitions or tasks",
            MAX_ATTEMPTS
        )));
    }
    Ok(tasks)
}

/// Returns the settings of a run of this pack as `run.json` keeps them.
///
/// # Errors
/// When a setting is invalid.
pub fn spec(options: &RunRequest, pack: &Pack) -> Result<RunSpec, WireError> {
    options.settings.check().map_err(WireError::bad_request)?;
    if options.cache_snapshot.is_some() && options.cache_mode == CacheMode::Write {
        return Err(WireError::bad_request(say!(
            "a snapshot is only read; leave --cache-snapshot or --cache-mode write out"
        )));
    }
    // A run that completes another reads the same responses as that one, and those saved since.
    if options.cache_snapshot.is_some() && options.with_overlay && options.origin.completed().is_none() {
        return Err(WireError::bad_request(say!(
            "a snapshot holds the saved responses of its time already; leave --cache-snapshot or --with-overlay out"
        )));
    }
    if options.local.constrained && options.settings.protocol == Protocol::Leaderboard {
        return Err(WireError::bad_request(say!(
            "constrained tool calls are not part of the leaderboard protocol; choose the corrected protocol, or leave --constrained out"
        )));
    }
    let out = [
        (options.agent.is_some(), "--agent"),
        (options.settings.full_rollout, "--full-rollout"),
        (options.cache_mode == CacheMode::Write, "--cache-mode write"),
        (options.with_overlay, "--with-overlay"),
        (options.cache_snapshot.is_some(), "--cache-snapshot"),
        (options.texts.is_some(), "system_prompt, tool_texts"),
    ];
    if let Some((_, option)) = out.iter().find(|(is_set, _)| *is_set && pack.kind.is_request()) {
        return Err(WireError::bad_request(say!(
            "pack {} asks for one reply and has no tool executed; leave {option} out",
            pack.label()
        )));
    }
    Ok(RunSpec {
        settings: options.settings.clone().with_sampling(pack.kind.sampling()),
        // A part of the address that may contain a password or a key is not stored.
        base_url: options.base_url.as_deref().map(address::kept),
        completes: options.origin.completed().map(str::to_owned),
        adaptive: options.adaptive,
        texts: options.texts.clone(),
        without_keys: options.without_keys,
        concurrency: concurrency(options.concurrency, &options.model, options.base_url.as_deref()).1,
        ..RunSpec::published(&options.run, &pack.label(), &options.model)
    })
}

#[cfg(test)]
mod tests;
