//! Logs that do not say how their calls were answered, compared with an installed pack: what a run without keys would find
//! there. In the order of `koab_engine`: injected failure, name, arguments, recordings.

use super::calls::CallSums;
use crate::Runs;
use koab_core::args;
use koab_core::catalog::ToolCatalog;
use koab_core::event::AnswerSource;
use koab_core::log::{LevelLog, LoggedCall, LoggedTask};
use koab_core::run_record::CacheUse;
use koab_report::comparability::{CallFacts, CallsBasis, MissedCall, PackName};
use koab_store::PackCache;

impl Runs {
    /// `None` when there is no pack to compare them with. That of the run is taken, else the active one.
    pub(super) fn looked_up(&self, of_run: Option<&PackName>, logs: &[LevelLog]) -> Option<CallFacts> {
        let of_run = of_run.and_then(|pack| {
            let label = format!("{}@{}", pack.name, pack.version);
            self.workspace
                .load_pack(&self.workspace.pack_of_label(&label).ok()?)
                .ok()
        });
        let pack = match of_run {
            Some(pack) => pack,
            None => self
                .workspace
                .load_pack(&self.workspace.pack_name(None).ok()?)
                .ok()?,
        };
        let against = PackName::read(&pack.label());
        let cache = self.workspace.store().ok()?.cache(&pack.label()).ok()?;
        let catalog = ToolCatalog::new(pack.tools);
        let mut sums = CallSums::default();
        for log in logs {
            for task in &log.tasks {
                let (mut answers, mut misses) = (CacheUse::default(), Vec::new());
                for call in &task.calls {
                    let source = answered(task, call, &catalog, &cache)?;
                    answers.count(source);
                    if source == AnswerSource::Miss {
                        misses.push(MissedCall {
                            level: log.level,
                            task: task.id.clone(),
                            repetition: 1,
                            tool: call.name().unwrap_or_default().to_owned(),
                            arguments: call.args.clone(),
                        });
                    }
                }
                sums.add(log.level, &answers, misses);
            }
        }
        let calls = sums.facts(CallsBasis::Compared);
        Some(CallFacts {
            against: Some(against),
            ..calls
        })
    }
}

/// `None` when the recordings cannot be read.
fn answered(
    task: &LoggedTask,
    call: &LoggedCall,
    catalog: &ToolCatalog,
    cache: &PackCache,
) -> Option<AnswerSource> {
    let injected = task.get("error_injection").get("tool");
    let name = call.name().unwrap_or_default();
    if injected.is_some_and(|tool| tool == name) {
        return Some(AnswerSource::Injected);
    }
    let (Some(tool), Some(arguments)) = (catalog.get(name), call.args.as_object()) else {
        return Some(AnswerSource::Refused);
    };
    if args::check(tool, arguments).is_err() {
        return Some(AnswerSource::Refused);
    }
    let found = cache.answers(name, &args::normalize(tool, arguments)).ok()?;
    Some(if found {
        AnswerSource::Hit
    } else {
        AnswerSource::Miss
    })
}
