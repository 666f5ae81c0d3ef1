//! Facts about how a run was made, from its folder.

use super::calls;
use crate::transcript::cache::Cache;
use koab_core::event::LevelPlan;
use koab_core::pack_identity::PackIdentity;
use koab_core::run_record::{AgentSpec, CacheMode, RunManifest, RunTexts, left_out};
use koab_core::say;
use koab_core::sentence::Sentence;
use koab_core::sentence::ToSentence;
use koab_report::comparability::{
    EARLIER_VERSION, Fact, Facts, LevelTasks, MADE_ELSEWHERE, PackName, RecordingsFrom, RecordingsUsed,
    SettingsFacts,
};
use koab_store::runs::RunEntry;
use serde_json::Value;
use std::collections::BTreeSet;

/// Returns all facts that a run's folder contains.
pub(super) fn facts(entry: &RunEntry, journals: &Cache) -> Facts {
    let model = || entry.run.model().ok().flatten().unwrap_or_else(|| entry.model_folder.clone());
    let unreadable = |error: Sentence| Facts::unknown(&model(), &run_unreadable(&error));
    let manifest = match entry.run.manifest() {
        Ok(Some(manifest)) => manifest,
        Ok(None) => return elsewhere(entry, &model()),
        Err(error) => return unreadable(error.to_sentence()),
    };
    let cache = recordings(&manifest);
    let RunManifest { model, spec, levels, attempts, changes, .. } = manifest;
    let identity = spec.identity.as_ref();
    let hash = |of: fn(&PackIdentity) -> &String| {
        let sha256 = identity.map(of).filter(|sha256| !sha256.is_empty()).cloned();
        Fact::from_option(sha256, EARLIER_VERSION)
    };
    let (tasks_sha256, records_sha256) = (hash(|pack| &pack.tasks_sha256), hash(|pack| &pack.records_sha256));
    // The tools of another benchmark belong to its tasks, and their hash includes them.
    let is_other = levels.iter().any(|plan| plan.level.place().is_none());
    let tools = identity.map(|pack| pack.tools.clone()).filter(|tools| is_other || !tools.is_empty());
    let journal = journals.journal(&entry.run.folder);
    let skipped: BTreeSet<String> = left_out(&changes)
        .into_iter()
        .filter(|task| journal.as_ref().is_ok_and(|journal| journal.of_task(task).is_empty()))
        .map(str::to_owned)
        .collect();
    let of_local = |name: &str| {
        let setting = spec.local.as_ref().and_then(|local| local.get(name));
        setting.and_then(Value::as_bool).unwrap_or_default()
    };
    Facts {
        pack: Fact::known(PackName::read(&spec.pack)),
        tasks_sha256,
        records_sha256,
        tools: Fact::from_option(tools, EARLIER_VERSION),
        cache: Fact::known(cache),
        settings: Fact::known(SettingsFacts {
            run: spec.settings,
            constrained: of_local("constrained"),
            any_form: spec.local.is_some() && !of_local("reads_form_alone"),
            adaptive: spec.adaptive,
            texts: spec.texts.as_ref().map(RunTexts::shown),
            agent: spec.agent.as_ref().map(|agent| of_agent(agent, &entry.id)),
        }),
        tasks: Fact::known(levels.into_iter().map(|plan| level_tasks(plan, &skipped)).collect()),
        attempts: Fact::known(attempts.counts),
        shortened: attempts.shortened,
        changes,
        calls: match journal.and_then(|journal| calls::recorded(&entry.run.folder, &journal)) {
            Ok(calls) => Fact::known(calls),
            Err(error) => Fact::unknown(run_unreadable(&error.message)),
        },
        scoring: None,
        model,
    }
}

/// Returns the label of an agent. If the agent is used by hand, its program is unknown. The label
/// then contains the run, so that it differs for each run.
fn of_agent(agent: &AgentSpec, run: &str) -> Sentence {
    let label = agent.shown();
    if agent.is_by_hand() { say!("{agent}, run {run}", agent = label) } else { label }
}

fn run_unreadable(error: &Sentence) -> Sentence {
    say!("the run's files cannot be read: {error}")
}

/// Returns the tasks of a level without those that were left out before their first attempt.
fn level_tasks(plan: LevelPlan, skipped: &BTreeSet<String>) -> LevelTasks {
    let mut ids = plan.tasks;
    ids.retain(|task| !skipped.contains(task));
    LevelTasks { level: plan.level, count: ids.len() as u32, ids }
}

fn recordings(manifest: &RunManifest) -> RecordingsUsed {
    let (spec, snapshot) = (&manifest.spec, manifest.cache.source.snapshot.as_ref());
    RecordingsUsed {
        source: match (snapshot, spec.cache_mode) {
            (_, Some(CacheMode::Write)) => RecordingsFrom::Write,
            // Also with a snapshot: a run that completes another one reads that run's snapshot with
            // the saved responses.
            _ if spec.overlay == Some(true) => RecordingsFrom::Overlay,
            (Some(_), _) => RecordingsFrom::Snapshot,
            (None, _) => RecordingsFrom::Pack,
        },
        sha256: snapshot.map(|snapshot| snapshot.hash.clone()),
        snapshot: snapshot.map(|snapshot| snapshot.name.clone()),
    }
}

/// Returns the facts about logs without `run.json`. Their tasks are known, but the settings of the
/// run are not.
fn elsewhere(entry: &RunEntry, model: &str) -> Facts {
    let mut facts = Facts::unknown(model, &MADE_ELSEWHERE.into());
    let levels: Option<Vec<LevelTasks>> = entry
        .run
        .levels
        .keys()
        .map(|level| {
            Some(LevelTasks { level: level.clone(), count: entry.run.tasks_told(level)?, ids: Vec::new() })
        })
        .collect();
    facts.tasks = Fact::from_option(levels, MADE_ELSEWHERE);
    facts
}
