//! The calls of a run that had no cached response, and what becomes of them.

use super::Exact;
use super::ServiceState;
use koab_core::level::Level;
use koab_core::sentence::Sentence;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Everything that a run missed.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct RunMisses {
    /// The run's id.
    pub run: String,
    /// `name@version` of the pack that it was made with; null for logs that do not say.
    pub pack: Option<String>,
    /// `name@version` of the installed pack that the misses are compared with: the run's own by
    /// name, else the active one. Null when there is none; nothing is then known of near calls.
    pub against: Option<String>,
    /// Whether some of it was read from level logs, which hold the calls of first repetitions only.
    pub from_logs: bool,
    /// Tool calls in all.
    pub calls: u32,
    /// Different calls among the misses, by tool and arguments.
    pub distinct: u32,
    /// Different calls that are still neither recorded nor kept, and that a service could be asked
    /// for.
    pub open: u32,
    /// The misses in the order of levels, tasks, repetitions and calls.
    pub misses: Vec<Miss>,
    /// By tool, the most misses first; tools without any are left out.
    pub tools: Vec<MissesOfTool>,
    /// By level; levels of which nothing was attempted are left out.
    pub levels: Vec<MissesOfLevel>,
    /// Tasks of which at least one missed call is kept or recorded by now.
    pub filled: Vec<String>,
}

/// A call without a cached response.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct Miss {
    /// Level of the task.
    pub level: Level,
    /// Task id.
    pub task: String,
    /// 1-based repetition.
    pub repetition: u32,
    /// 1-based model turn; null when a log does not say.
    pub step: Option<u32>,
    /// 0-based place among the attempt's calls.
    pub call: u32,
    /// Tool name.
    pub tool: String,
    /// Arguments as the model wrote them.
    #[ts(type = "unknown")]
    pub arguments: Exact,
    /// The key that a record of it would have; null when the arguments cannot be brought into their
    /// one form.
    pub key: Option<String>,
    /// How it stands now.
    pub standing: MissStanding,
    /// The recorded call that is most like it; null when the tool has none.
    pub nearest: Option<NearestMiss>,
}

/// How a call that was missed stands now.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[ts(export)]
pub enum MissStanding {
    /// Nothing answers it.
    Open {},
    /// An answer of the live API is kept beside the pack.
    Kept {
        /// Who asked.
        origin: String,
        /// When, UTC.
        at: String,
    },
    /// The pack that is installed now has a record of it.
    Recorded {},
    /// The tool's schema refuses it now, or there is no such tool: it cannot be asked for.
    Refused {
        /// Why.
        why: Sentence,
    },
}

/// The recorded call that is most like a missed one.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct NearestMiss {
    /// Its arguments after defaults and coercion.
    #[ts(type = "unknown")]
    pub args: Exact,
    /// What differs, by name.
    pub differences: Vec<ArgumentDifference>,
}

/// One argument in which two calls differ, after defaults and coercion.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ArgumentDifference {
    /// Its name.
    pub name: String,
    /// In what way.
    pub kind: DifferenceOfArgument,
    /// The value that was asked for; null as well where the call lacks it.
    #[ts(type = "unknown")]
    pub asked: Exact,
    /// The recorded value; null as well where the record lacks it.
    #[ts(type = "unknown")]
    pub recorded: Exact,
}

/// In what way an argument differs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum DifferenceOfArgument {
    /// Both have it, with other values.
    Value,
    /// The record has it, the call does not.
    Missing,
    /// The call has it, the record does not.
    Extra,
}

/// The misses of one tool.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct MissesOfTool {
    /// Its name.
    pub tool: String,
    /// Calls to it.
    pub calls: u32,
    /// Those that were missed.
    pub misses: u32,
    /// Different ones among them.
    pub distinct: u32,
}

/// The misses of one level.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct MissesOfLevel {
    /// The level.
    pub level: Level,
    /// Tasks with at least one attempt.
    pub tasks: u32,
    /// Tasks with at least one miss.
    pub affected: u32,
    /// Tool calls.
    pub calls: u32,
    /// Those that were missed.
    pub misses: u32,
}

/// What is to be asked of the live APIs.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct FillRequest {
    /// The run whose misses are to be filled, by id.
    pub run: String,
    /// Only those of these tasks; none means all.
    #[serde(default)]
    #[ts(optional)]
    pub tasks: Option<Vec<String>>,
    /// Services whose keys are missing are left out, instead of everything.
    pub without_keys: bool,
}

/// What a fill would do: every different call once.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct FillPlan {
    /// The run.
    pub run: String,
    /// `name@version` of the pack beside which answers are kept.
    pub pack: String,
    /// Different calls that services can be asked for.
    pub calls: u32,
    /// Those of them whose service has all its keys.
    pub ready: u32,
    /// Different calls that are kept or recorded already.
    pub answered: u32,
    /// Different calls that the tool's schema refuses now.
    pub refused: u32,
    /// Different calls to tools behind which there is no service.
    pub no_service: u32,
    /// The services, by name.
    pub services: Vec<FillService>,
}

/// What a fill would ask of one service.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct FillService {
    /// The service and its keys.
    pub service: ServiceState,
    /// Different calls.
    pub calls: u32,
}

/// What a fill did.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct FillEnd {
    /// The run.
    pub run: String,
    /// What the kept answers say of their origin.
    pub origin: String,
    /// Different calls that were to be asked for, those without keys included.
    pub calls: u32,
    /// Answers that were kept.
    pub recorded: u32,
    /// Calls that a service did not answer, or answered with an error.
    pub failed: u32,
    /// Calls that were not asked for, because a key is missing.
    pub without_keys: u32,
    /// Calls that were not asked for, because it was stopped.
    pub stopped: u32,
    /// By tool.
    pub tools: Vec<FilledTool>,
    /// Tasks of which at least one missed call is answered now: those that are worth making again.
    pub tasks: Vec<String>,
}

/// What a fill did for one tool.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct FilledTool {
    /// Its name.
    pub tool: String,
    /// The service behind it, for people.
    pub service: String,
    /// Answers that were kept.
    pub recorded: u32,
    /// Calls without an answer.
    pub failed: u32,
    /// Keys without which it was not asked for.
    pub missing_keys: Vec<String>,
    /// What the service said against calls, each sentence once, with how often.
    pub errors: Vec<FillError>,
}

/// Why calls got no answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct FillError {
    /// One sentence, without keys.
    pub message: Sentence,
    /// Calls.
    pub calls: u32,
}
