//! Cache misses of a run, each with the cached call that is most similar.
//!
//! Runs of this program record the source of every response. In logs of other programs, only the
//! error message for the model shows a miss. The published tool writes the tool and the key without
//! a response into the message (`docs/spec/tools.md` §5.3), and this program does the same.

use crate::Library;
use crate::transcript::OpenRun;
use crate::wire::{
    ArgumentDifference, DifferenceOfArgument, Miss, MissStanding, MissesOfLevel, MissesOfTool, NearestMiss,
    RunMisses,
};
use koab_core::args::NormalizedArgs;
use koab_core::catalog::ToolCatalog;
use koab_core::event::AnswerSource;
use koab_core::level::Level;
use koab_core::log::{LoggedCall, LoggedTask};
use koab_core::run_record::AttemptRecord;
use koab_core::sentence::ToSentence;
use koab_packs::nearest;
use koab_providers::services;
use koab_store::run_log::attempt_at;
use koab_store::{OverlayEntry, PackCache};
use koab_workspace::WireError;
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// A call that a run made, with or without a response.
struct MadeCall {
    level: Level,
    task: String,
    repetition: u32,
    step: Option<u32>,
    /// 0-based index of the call within the attempt.
    place: u32,
    tool: String,
    arguments: Map<String, Value>,
    missed: bool,
}

/// All calls of a run.
struct MadeCalls {
    calls: Vec<MadeCall>,
    /// Tasks with at least one attempt.
    tasks: BTreeMap<Level, BTreeSet<String>>,
    from_logs: bool,
}

/// A pack that misses are compared with.
pub struct PackState {
    /// Name and version of the pack, `name@version`.
    pub label: String,
    /// Tools of the pack.
    pub catalog: ToolCatalog,
    cache: PackCache,
    /// Whether the run read a snapshot. The pack's current cached responses are then ignored.
    snapshot: bool,
    kept: HashMap<Identity, OverlayEntry>,
    /// Cached calls of each tool; they are read only once.
    recorded: HashMap<String, Vec<NormalizedArgs>>,
    /// The most similar cached call of each missed call; it is searched only once.
    nearest: HashMap<Identity, Option<NearestMiss>>,
}

impl Library {
    /// Returns all cache misses of a run. `run` is the id or folder of the run.
    ///
    /// # Errors
    /// When the run does not exist, or its files cannot be read.
    pub fn cache_misses(&self, run: &str) -> Result<RunMisses, WireError> {
        Ok(self.misses_held(run)?.0)
    }

    /// Returns all cache misses of a run, with the pack that they were compared with.
    pub fn misses_held(&self, run: &str) -> Result<(RunMisses, Option<PackState>), WireError> {
        let opened = self.open_run(run)?;
        let run_calls = made_calls(self, &opened)?;
        let mut against = held_against(self, &opened)?;
        let mut misses = Vec::new();
        for call in run_calls.calls.iter().filter(|call| call.missed) {
            misses.push(match &mut against {
                Some(against) => against.miss(call)?,
                None => unknown(call),
            });
        }
        let distinct = |is_counted: &dyn Fn(&Miss) -> bool| {
            let calls = misses.iter().filter(|miss| is_counted(miss));
            calls.map(identity).collect::<BTreeSet<_>>().len() as u32
        };
        let is_open =
            |miss: &Miss| miss.standing == MissStanding::Open {} && services::of_tool(&miss.tool).is_some();
        let is_filled =
            |miss: &&Miss| matches!(miss.standing, MissStanding::Kept { .. } | MissStanding::Recorded {});
        let mut filled: Vec<String> = misses.iter().filter(is_filled).map(|m| m.task.clone()).collect();
        // The misses of one task are consecutive.
        filled.dedup();
        let run_misses = RunMisses {
            run: opened.entry.id.clone(),
            pack: opened.pack(),
            against: against.as_ref().map(|against| against.label.clone()),
            from_logs: run_calls.from_logs,
            calls: run_calls.calls.len() as u32,
            distinct: distinct(&|_| true),
            open: distinct(&is_open),
            tools: of_tools(&run_calls.calls, &misses),
            levels: of_levels(&run_calls, &misses),
            filled,
            misses,
        };
        Ok((run_misses, against))
    }
}

fn made_calls(library: &Library, opened: &OpenRun) -> Result<MadeCalls, WireError> {
    let mut run_calls = MadeCalls { calls: Vec::new(), tasks: BTreeMap::new(), from_logs: false };
    let plans = opened.planned();
    for level in opened.levels() {
        let mut lines: Vec<_> = opened.journal.attempts().filter(|line| line.level == *level).collect();
        if lines.is_empty() {
            if opened.entry.run.levels.contains_key(level) {
                run_calls.from_logs = true;
                for task in &library.level(opened, level)?.tasks {
                    run_calls.take_logged(level, task);
                }
            }
            continue;
        }
        let plan = plans.iter().find(|plan| plan.level == *level);
        let place = |task: &String| plan.and_then(|plan| plan.tasks.iter().position(|id| id == task));
        lines.sort_by_key(|line| (place(&line.task.to_string()), line.repetition));
        for line in lines {
            run_calls.take(&attempt_at(&opened.entry.run.folder, line.place())?);
        }
    }
    Ok(run_calls)
}

/// Returns the installed pack that a run's misses are compared with; `None` if no pack is
/// installed.
fn held_against(library: &Library, opened: &OpenRun) -> Result<Option<PackState>, WireError> {
    let Some(pack) = library.pack_of(opened)? else {
        return Ok(None);
    };
    let (store, name) = (library.workspace.store()?, &pack.manifest.name);
    let overlay = store.overlay_entries(name)?.into_iter();
    Ok(Some(PackState {
        label: pack.label(),
        catalog: ToolCatalog::new(pack.tools.iter().cloned()),
        cache: store.cache(&pack.label())?,
        snapshot: opened.manifest.as_ref().is_some_and(|manifest| manifest.cache.source.snapshot.is_some()),
        kept: overlay.map(|entry| ((entry.tool.clone(), entry.args.clone()), entry)).collect(),
        recorded: HashMap::new(),
        nearest: HashMap::new(),
    }))
}

impl MadeCalls {
    fn take(&mut self, attempt: &AttemptRecord) {
        self.has(&attempt.level, &attempt.task);
        for (place, call) in attempt.calls.iter().enumerate() {
            self.calls.push(MadeCall {
                level: attempt.level.clone(),
                task: attempt.task.clone(),
                repetition: attempt.repetition,
                step: Some(call.step),
                place: place as u32,
                tool: call.tool.clone(),
                arguments: call.arguments.as_object().cloned().unwrap_or_default(),
                missed: call.source == AnswerSource::Miss,
            });
        }
    }

    fn take_logged(&mut self, level: &Level, task: &LoggedTask) {
        self.has(level, &task.id);
        for (place, call) in task.calls.iter().enumerate() {
            self.calls.push(MadeCall {
                level: level.clone(),
                task: task.id.clone(),
                repetition: 1,
                step: call.step.as_u64().and_then(|step| u32::try_from(step).ok()),
                place: place as u32,
                tool: call.name().unwrap_or_default().to_owned(),
                arguments: call.args.as_object().cloned().unwrap_or_default(),
                missed: says_not_recorded(call),
            });
        }
    }

    fn has(&mut self, level: &Level, task: &str) {
        self.tasks.entry(level.clone()).or_default().insert(task.to_owned());
    }
}

/// Whether a log marks a call as a cache miss.
///
/// The mark is this program's own, or an error message with the tool and a key of the published
/// form: 64 hexadecimal digits.
fn says_not_recorded(call: &LoggedCall) -> bool {
    let (Some(tool), Some(error)) = (call.name(), call.error.as_str()) else {
        return call.not_recorded;
    };
    let is_key = |word: &str| {
        word.len() == 64 && word.bytes().all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b))
    };
    let names_key = error.split(|c: char| !c.is_ascii_alphanumeric()).any(is_key);
    call.not_recorded || (call.failed() && error.contains(tool) && names_key)
}

/// Tool and arguments, which together identify a missed call.
type Identity = (String, String);

fn identity(miss: &Miss) -> Identity {
    let args = || NormalizedArgs::from_record(&miss.arguments.as_object().cloned().unwrap_or_default());
    // Keys are equal exactly when the arguments are, after defaults and coercion.
    let args = miss.key.clone().unwrap_or_else(|| args().canonical());
    (miss.tool.clone(), args)
}

fn unknown(call: &MadeCall) -> Miss {
    Miss {
        level: call.level.clone(),
        task: call.task.clone(),
        repetition: call.repetition,
        step: call.step,
        call: call.place,
        tool: call.tool.clone(),
        arguments: Value::Object(call.arguments.clone()).into(),
        key: None,
        standing: MissStanding::Open {},
        nearest: None,
    }
}

impl PackState {
    fn miss(&mut self, call: &MadeCall) -> Result<Miss, WireError> {
        let args = match self.catalog.normalized(&call.tool, &call.arguments) {
            Ok(args) => args,
            Err(fault) => {
                let why = fault.to_sentence();
                return Ok(Miss { standing: MissStanding::Refused { why }, ..unknown(call) });
            }
        };
        let identity = (call.tool.clone(), args.canonical());
        let standing = if !self.snapshot && self.cache.answers(&call.tool, &args)? {
            MissStanding::Recorded {}
        } else if let Some(entry) = self.kept.get(&identity) {
            MissStanding::Kept { origin: entry.origin.clone(), at: entry.created_at.clone() }
        } else {
            MissStanding::Open {}
        };
        Ok(Miss {
            key: Some(self.catalog.key(&call.tool, &args)),
            standing,
            nearest: self.nearest_to(identity, &args)?,
            ..unknown(call)
        })
    }

    fn nearest_to(
        &mut self,
        identity: Identity,
        args: &NormalizedArgs,
    ) -> Result<Option<NearestMiss>, WireError> {
        if let Some(known) = self.nearest.get(&identity) {
            return Ok(known.clone());
        }
        let tool = &identity.0;
        if !self.recorded.contains_key(tool) {
            self.recorded.insert(tool.clone(), self.cache.answered_args(tool)?);
        }
        let recorded = self.recorded.get(tool).map(Vec::as_slice).unwrap_or_default();
        let nearest_call = nearest(args, recorded).map(|(other, differing)| NearestMiss {
            differences: differences(args.as_value(), other.as_value(), &differing),
            args: other.as_value().clone().into(),
        });
        self.nearest.insert(identity, nearest_call.clone());
        Ok(nearest_call)
    }
}

fn differences(asked: &Value, recorded: &Value, names: &[String]) -> Vec<ArgumentDifference> {
    let difference = |name: &String| {
        let (here, there) = (asked.get(name), recorded.get(name));
        ArgumentDifference {
            name: name.clone(),
            kind: match (here, there) {
                (None, _) => DifferenceOfArgument::Missing,
                (Some(_), None) => DifferenceOfArgument::Extra,
                (Some(_), Some(_)) => DifferenceOfArgument::Value,
            },
            asked: here.cloned().unwrap_or_default().into(),
            recorded: there.cloned().unwrap_or_default().into(),
        }
    };
    names.iter().map(difference).collect()
}

fn of_tools(calls: &[MadeCall], misses: &[Miss]) -> Vec<MissesOfTool> {
    let mut tools: BTreeMap<&str, (MissesOfTool, BTreeSet<Identity>)> = BTreeMap::new();
    for miss in misses {
        let (row, different) = tools.entry(&miss.tool).or_insert_with(|| {
            let row = MissesOfTool { tool: miss.tool.clone(), calls: 0, misses: 0, distinct: 0 };
            (row, BTreeSet::new())
        });
        row.misses += 1;
        different.insert(identity(miss));
    }
    for call in calls {
        if let Some((row, _)) = tools.get_mut(call.tool.as_str()) {
            row.calls += 1;
        }
    }
    let mut rows: Vec<MissesOfTool> = tools
        .into_values()
        .map(|(row, different)| MissesOfTool { distinct: different.len() as u32, ..row })
        .collect();
    rows.sort_by(|a, b| b.misses.cmp(&a.misses).then_with(|| a.tool.cmp(&b.tool)));
    rows
}

fn of_levels(made: &MadeCalls, misses: &[Miss]) -> Vec<MissesOfLevel> {
    let row = |(level, tasks): (&Level, &BTreeSet<String>)| {
        let missed = || misses.iter().filter(|miss| miss.level == *level);
        MissesOfLevel {
            level: level.clone(),
            tasks: tasks.len() as u32,
            affected: missed().map(|miss| &miss.task).collect::<BTreeSet<_>>().len() as u32,
            calls: made.calls.iter().filter(|call| call.level == *level).count() as u32,
            misses: missed().count() as u32,
        }
    };
    made.tasks.iter().map(row).collect()
}

#[cfg(test)]
mod tests;
