//! Looks up the calls of logs in an installed pack. Only logs that do not contain the sources of
//! responses need this.
//!
//! The result is what a run in read mode would get for the same calls. The order of checks is that
//! of `koab_engine`: injected failure, name, arguments, cached responses.

use super::calls::CallSums;
use crate::Library;
use koab_core::args;
use koab_core::catalog::ToolCatalog;
use koab_core::event::AnswerSource;
use koab_core::log::{LevelLog, LoggedCall, LoggedTask};
use koab_core::run_record::CacheUse;
use koab_report::comparability::{CallFacts, CallsBasis, MissedCall, PackName};
use koab_store::PackCache;
use koab_workspace::WireError;

impl Library {
    /// Looks up all calls of the logs in the run's pack, or otherwise in the active pack. `None` if
    /// no pack is installed.
    ///
    /// # Errors
    /// When the database, the pack or its cached responses cannot be read.
    pub(super) fn looked_up(
        &self,
        of_run: Option<&PackName>,
        logs: &[LevelLog],
    ) -> Result<Option<CallFacts>, WireError> {
        let of_run = match of_run {
            Some(pack) => self.workspace.installed_pack(&pack.label())?,
            None => None,
        };
        let pack = match of_run {
            Some(pack) => Some(pack),
            None => self.workspace.active_pack()?,
        };
        let Some(pack) = pack else { return Ok(None) };
        let against = PackName::read(&pack.label());
        let cache = self.workspace.store()?.cache(&pack.label())?;
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
                            level: log.level.clone(),
                            task: task.id.clone(),
                            repetition: 1,
                            tool: call.name().unwrap_or_default().to_owned(),
                            arguments: call.args.clone(),
                            times: 1,
                        });
                    }
                }
                sums.add(&log.level, &answers, misses);
            }
        }
        let calls = sums.facts(CallsBasis::Compared);
        Ok(Some(CallFacts { against: Some(against), ..calls }))
    }
}

/// Returns the source of the response to a call.
///
/// # Errors
/// When the cached responses cannot be read.
fn answered(
    task: &LoggedTask,
    call: &LoggedCall,
    catalog: &ToolCatalog,
    cache: &PackCache,
) -> Result<AnswerSource, WireError> {
    let injected = task.get("error_injection").get("tool");
    let name = call.name().unwrap_or_default();
    if injected.is_some_and(|tool| tool == name) {
        return Ok(AnswerSource::Injected);
    }
    let (Some(tool), Some(arguments)) = (catalog.get(name), call.args.as_object()) else {
        return Ok(AnswerSource::Refused);
    };
    if args::check(tool, arguments).is_err() {
        return Ok(AnswerSource::Refused);
    }
    let is_cached = cache.answers(name, &args::normalize(tool, arguments))?;
    Ok(if is_cached { AnswerSource::Hit } else { AnswerSource::Miss })
}
