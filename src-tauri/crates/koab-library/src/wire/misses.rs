//! The cache misses of a run and the live calls that fill them.

use super::Exact;
use super::ServiceState;
use koab_core::level::Level;
use koab_core::sentence::Sentence;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// All cache misses of a run.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct RunMisses {
    /// Run id.
    pub run: String,
    /// Pack of the run, `name@version`; null if the logs do not contain it.
    pub pack: Option<String>,
    /// Installed pack that the misses are compared with, `name@version`.
    ///
    /// The pack has the name of the run's pack, or is the active pack if no such pack is installed.
    /// Null if no pack is installed; the most similar calls are then unknown.
    pub against: Option<String>,
    /// Whether some misses come from level logs. These contain only the calls of first repetitions.
    pub from_logs: bool,
    /// Number of all tool calls, both cache misses and cache hits.
    pub calls: u32,
    /// Number of distinct misses. Misses with the same tool and arguments count once.
    pub distinct: u32,
    /// Number of distinct misses without a response that a service could answer. A miss with a
    /// cached or saved response does not count.
    pub open: u32,
    /// All misses in the order of levels, tasks, repetitions and calls.
    pub misses: Vec<Miss>,
    /// Misses per tool, the most misses first. Tools without misses are left out.
    pub tools: Vec<MissesOfTool>,
    /// Misses per level. Levels without an attempt are left out.
    pub levels: Vec<MissesOfLevel>,
    /// Ids of tasks with at least one miss that a saved or cached response can answer now.
    pub filled: Vec<String>,
}

/// A tool call that no cached response answered.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct Miss {
    /// Level of the task.
    pub level: Level,
    /// Task id.
    pub task: String,
    /// 1-based repetition.
    pub repetition: u32,
    /// 1-based model turn; null if the log does not contain it.
    pub step: Option<u32>,
    /// 0-based index among the attempt's calls.
    pub call: u32,
    /// Tool name.
    pub tool: String,
    /// Arguments as the model wrote them.
    #[ts(type = "unknown")]
    pub arguments: Exact,
    /// Hash of the tool and its arguments, which the cached response of the call would be named by.
    /// Null if the arguments have no canonical form.
    pub key: Option<String>,
    /// Current state of the miss.
    pub standing: MissStanding,
    /// The cached call that is most similar to the missed call; null if the tool has no cached
    /// calls.
    pub nearest: Option<NearestMiss>,
}

/// Current state of a cache miss.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[ts(export)]
pub enum MissStanding {
    /// No response answers the call.
    Open {},
    /// A saved response of the live API answers the call.
    Kept {
        /// Origin of the live call, such as `run <id>` or `fill <run id>`.
        origin: String,
        /// Time of the live call, UTC.
        at: String,
    },
    /// The installed pack now has a cached response for the call.
    Recorded {},
    /// The tool's schema rejects the call now, or the tool does not exist. No live call is
    /// possible.
    Refused {
        /// Reason why the call is rejected.
        why: Sentence,
    },
}

/// The cached call that is most similar to a missed call.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct NearestMiss {
    /// Arguments of the cached call after defaults and coercion.
    #[ts(type = "unknown")]
    pub args: Exact,
    /// Arguments that differ between the two calls, by name.
    pub differences: Vec<ArgumentDifference>,
}

/// One argument that differs between two calls, after defaults and coercion.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ArgumentDifference {
    /// Argument name.
    pub name: String,
    /// Kind of the difference.
    pub kind: DifferenceOfArgument,
    /// Value in the missed call; also null if the missed call lacks the argument.
    #[ts(type = "unknown")]
    pub asked: Exact,
    /// Value in the cached call; also null if the cached call lacks the argument.
    #[ts(type = "unknown")]
    pub recorded: Exact,
}

/// Kind of difference between an argument of the missed call and of the cached call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum DifferenceOfArgument {
    /// Both calls have the argument, with different values.
    Value,
    /// Only the cached call has the argument.
    Missing,
    /// Only the missed call has the argument.
    Extra,
}

/// Counts of calls and of cache misses of one tool.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct MissesOfTool {
    /// Tool name.
    pub tool: String,
    /// Number of calls to the tool.
    pub calls: u32,
    /// Number of cache misses.
    pub misses: u32,
    /// Number of distinct misses.
    pub distinct: u32,
}

/// Counts of calls and of cache misses on one level.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct MissesOfLevel {
    /// The level.
    pub level: Level,
    /// Number of tasks with at least one attempt.
    pub tasks: u32,
    /// Number of tasks with at least one miss.
    pub affected: u32,
    /// Number of tool calls.
    pub calls: u32,
    /// Number of cache misses.
    pub misses: u32,
}

/// Request to fill cache misses by live calls.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct FillRequest {
    /// Id of the run whose misses are to be filled.
    pub run: String,
    /// Tasks whose misses are to be filled; left out for all tasks.
    #[serde(default)]
    #[ts(optional)]
    pub tasks: Option<Vec<String>>,
    /// Whether to leave out services whose keys are missing. Otherwise the fill does not start.
    pub without_keys: bool,
}

/// Plan of a fill, which makes every distinct call once.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct FillPlan {
    /// Run id.
    pub run: String,
    /// `name@version` of the pack that the responses are saved for.
    pub pack: String,
    /// Number of distinct calls that a service can answer.
    pub calls: u32,
    /// Number of calls in `calls` whose service has all its keys.
    pub ready: u32,
    /// Number of distinct calls that already have a saved or cached response.
    pub answered: u32,
    /// Number of distinct calls that the tool's schema rejects now.
    pub refused: u32,
    /// Number of distinct calls to tools without a service.
    pub no_service: u32,
    /// The services to call, by name.
    pub services: Vec<FillService>,
}

/// The calls of a fill to one service.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct FillService {
    /// The service and its keys.
    pub service: ServiceState,
    /// Number of distinct calls.
    pub calls: u32,
}

/// Result of a fill.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct FillEnd {
    /// Run id.
    pub run: String,
    /// Origin that is stored with the saved responses: `fill <run id>`.
    pub origin: String,
    /// Number of distinct calls that the fill should make, including calls without keys.
    pub calls: u32,
    /// Number of responses that were saved.
    pub recorded: u32,
    /// Number of calls without an answer of the service, or with an error as the answer.
    pub failed: u32,
    /// Number of calls that were not made, because a key is missing.
    pub without_keys: u32,
    /// Number of calls that were not made, because the fill was stopped.
    pub stopped: u32,
    /// Results for each tool.
    pub tools: Vec<FilledTool>,
    /// Ids of tasks with at least one miss that has a response now. It is worth making these tasks
    /// again.
    pub tasks: Vec<String>,
}

/// Result of a fill for one tool.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct FilledTool {
    /// Tool name.
    pub tool: String,
    /// Display name of the service behind the tool.
    pub service: String,
    /// Number of responses that were saved.
    pub recorded: u32,
    /// Number of calls that did not get a response.
    pub failed: u32,
    /// Names of missing keys. Without them the tool was not called.
    pub missing_keys: Vec<String>,
    /// Distinct error messages of the service, each with its number of calls.
    pub errors: Vec<FillError>,
}

/// An error message of calls that did not get a response.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct FillError {
    /// The error message as one sentence. It contains no secrets.
    pub message: Sentence,
    /// Number of calls with this error.
    pub calls: u32,
}
