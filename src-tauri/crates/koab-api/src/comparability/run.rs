//! What a run's folder says of how it was made.

use super::calls;
use koab_core::comparability::{
    AttemptCounts, Fact, Facts, LevelTasks, PackIdentity, PackName, RecordingsFrom, RecordingsUsed,
    RunSettings, Said,
};
use koab_core::event::LevelPlan;
use koab_core::protocol::Protocol;
use koab_store::runs::RunEntry;
use serde::Deserialize;
use serde_json::Value;

/// The part of `run.json` that verdicts need. What an earlier version did not write is absent.
#[derive(Deserialize)]
struct Written {
    model: String,
    pack: String,
    protocol: Protocol,
    repetitions: u32,
    max_steps: u32,
    timeout_s: f64,
    full_rollout: bool,
    temperature: f64,
    max_tokens: u32,
    effort: Option<String>,
    seed: Option<u64>,
    #[serde(default)]
    cache_mode: Option<String>,
    #[serde(default)]
    overlay: bool,
    #[serde(default)]
    identity: Option<PackIdentity>,
    #[serde(default)]
    local: Option<Value>,
}

#[derive(Deserialize)]
struct Snapshot {
    name: String,
    hash: String,
}

/// All that a run's folder tells.
pub(super) fn facts(entry: &RunEntry) -> Facts {
    let model = || {
        entry
            .run
            .model()
            .ok()
            .flatten()
            .unwrap_or_else(|| entry.model_folder.clone())
    };
    let unreadable = |error: String| {
        let reason = Said::RunUnreadable { error }.to_string();
        Facts::unknown(&model(), &reason)
    };
    let manifest = match entry.run.manifest() {
        Ok(Some(manifest)) => manifest,
        Ok(None) => return elsewhere(entry, &model()),
        Err(error) => return unreadable(error.to_string()),
    };
    let written = match Written::deserialize(&manifest["spec"]) {
        Ok(written) => written,
        Err(error) => return unreadable(format!("run.json: {error}")),
    };
    let earlier = || Said::EarlierVersion {}.to_string();
    let identity = written.identity.as_ref();
    let hash = |of: fn(&PackIdentity) -> &String| {
        let known = identity.map(of).filter(|sha256| !sha256.is_empty()).cloned();
        Fact::from_option(known, earlier())
    };
    let (tasks_sha256, records_sha256) = (hash(|pack| &pack.tasks_sha256), hash(|pack| &pack.records_sha256));
    let tools = identity
        .map(|pack| pack.tools.clone())
        .filter(|tools| !tools.is_empty());
    let planned = Vec::<LevelPlan>::deserialize(&manifest["levels"]);
    let tasks = planned.map(|levels| levels.into_iter().map(level_tasks).collect());
    let counted = AttemptCounts::deserialize(&manifest["attempts"]);
    let constrained = written.local.as_ref().and_then(|local| local.get("constrained"));
    Facts {
        pack: Fact::known(PackName::read(&written.pack)),
        tasks_sha256,
        records_sha256,
        tools: Fact::from_option(tools, earlier()),
        cache: Fact::known(recordings(&written, &manifest)),
        settings: Fact::known(RunSettings {
            protocol: written.protocol,
            repetitions: written.repetitions,
            max_steps: written.max_steps,
            timeout_s: written.timeout_s,
            temperature: written.temperature,
            max_tokens: written.max_tokens,
            full_rollout: written.full_rollout,
            effort: written.effort,
            seed: written.seed,
            constrained: constrained.and_then(Value::as_bool).unwrap_or_default(),
        }),
        tasks: Fact::from_option(tasks.ok(), earlier()),
        attempts: Fact::from_option(counted.ok(), earlier()),
        calls: match entry.run.journal() {
            Ok(journal) => Fact::known(calls::recorded(&journal.entries)),
            Err(error) => Fact::unknown(Said::RunUnreadable {
                error: error.to_string(),
            }),
        },
        scoring: None,
        model: written.model,
    }
}

fn level_tasks(plan: LevelPlan) -> LevelTasks {
    LevelTasks {
        level: plan.level,
        count: plan.tasks.len() as u32,
        ids: plan.tasks,
    }
}

fn recordings(written: &Written, manifest: &Value) -> RecordingsUsed {
    let snapshot = Snapshot::deserialize(&manifest["cache"]["snapshot"]).ok();
    RecordingsUsed {
        source: match (&snapshot, written.cache_mode.as_deref()) {
            (_, Some("write")) => RecordingsFrom::Write,
            // Also over a snapshot, as a run reads them that completes one which read it.
            _ if written.overlay => RecordingsFrom::Overlay,
            (Some(_), _) => RecordingsFrom::Snapshot,
            (None, _) => RecordingsFrom::Pack,
        },
        sha256: snapshot.as_ref().map(|snapshot| snapshot.hash.clone()),
        snapshot: snapshot.map(|snapshot| snapshot.name),
    }
}

/// Logs without `run.json`: their tasks are there, how they came about is not.
fn elsewhere(entry: &RunEntry, model: &str) -> Facts {
    let mut facts = Facts::unknown(model, &Said::MadeElsewhere {}.to_string());
    let levels: Option<Vec<LevelTasks>> = entry
        .run
        .levels
        .keys()
        .map(|level| {
            Some(LevelTasks {
                level: *level,
                count: entry.run.tasks_told(*level)?,
                ids: Vec::new(),
            })
        })
        .collect();
    facts.tasks = Fact::from_option(levels, Said::MadeElsewhere {});
    facts
}
