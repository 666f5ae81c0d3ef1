//! Commands that a user interface calls by name: the window, or a browser through `koab serve`.
//!
//! Every area has its own table, [`commands!`](crate::commands). A row has a command's kind, name,
//! arguments, result type, topics, and the method that implements it.
//!
//! The dispatcher and the types in `ui/src/ipc/gen.ts` are generated from the tables, so the UI's
//! calls are type-checked. The method documents the command; this module contains no logic of its
//! own.
//!
//! Kinds:
//! - `quick` answers at once from memory
//! - `disk` reads or writes files and runs on a blocking thread
//! - `slow` is asynchronous
//! - `stream` is asynchronous and also sends events of a run or changes of jobs, before and after
//!   its result
//!
//! Topics, each a [`Topic`]:
//! - `[reads Runs, Reports]`: the result depends on these, and the UI asks for it again when a
//!   command has written one of them
//! - `[writes Runs]`: the command itself changes these. Later changes by a job that it started are
//!   signalled by the job (`Job::news`)
//! - `[touches nothing]`: the result depends on the arguments alone, or on what changes without a
//!   command, such as the state of a server

use crate::WireError;
use crate::jobs::JobWatch;
pub use crate::jobs::Page;
use koab_core::event::RunEvent;
use koab_core::say;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use ts_rs::TS;

#[doc(hidden)]
pub use {koab_engine::ports::EventSink, serde, serde_json, tokio, ts_rs};

/// Page that ignores events, for callers that need only a command's result.
pub struct Nobody;

impl EventSink for Nobody {
    fn send(&self, _: &RunEvent) {}
}

impl Page for Nobody {
    fn follow(&self, _: JobWatch) {}
}

/// Content of the workspace that commands read or write.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum Topic {
    /// Adaptive runs.
    Adaptive,
    /// Agents and the results of their checks.
    Agents,
    /// Drafts of packs.
    Drafts,
    /// Forks of attempts.
    Forks,
    /// Verdicts of judges, their overrides, and blind reviews.
    Judging,
    /// Keys of providers and services.
    Keys,
    /// Models: those of providers and connections, local ones, and prices.
    Models,
    /// Packs with their flags, cached and saved responses, and published tasks.
    Packs,
    /// Reports, reference reports among them.
    Reports,
    /// Runs.
    Runs,
    /// Results of scenarios.
    Scenarios,
    /// Settings of the workspace.
    Settings,
    /// Snapshots of cached responses.
    Snapshots,
    /// Sweeps.
    Sweeps,
}

/// Topics of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Topics {
    /// Topics that the result depends on.
    Reads(&'static [Topic]),
    /// Topics that the command changes.
    Writes(&'static [Topic]),
    /// The command has no topic.
    Nothing,
}

/// Signature of a command, for the generated TypeScript.
#[derive(Clone)]
pub struct Signature {
    /// Name of the command.
    pub name: &'static str,
    /// Whether the command also sends events or changes of jobs.
    pub streams: bool,
    /// Arguments, each with its TypeScript type.
    pub args: Vec<(&'static str, String)>,
    /// TypeScript type of the result.
    pub answer: String,
    /// Topics of the command.
    pub topics: Topics,
}

/// Parses the arguments of a command.
///
/// # Errors
/// When an argument is missing or has another type.
#[doc(hidden)]
pub fn arguments<T: DeserializeOwned>(command: &str, args: Value) -> Result<T, WireError> {
    serde_json::from_value(args)
        .map_err(|error| WireError::bad_request(say!("the arguments of {command} are not right: {error}")))
}

/// Serializes the result of a command as JSON.
///
/// # Errors
/// When the result cannot be written as JSON.
#[doc(hidden)]
pub fn answer<T: Serialize>(answer: T) -> Result<String, WireError> {
    serde_json::to_string(&answer).map_err(WireError::internal)
}

/// Evaluates the body of a command: on a blocking thread for the kind `disk`, otherwise in place.
#[doc(hidden)]
#[macro_export]
macro_rules! carry_out {
    (disk, $body:expr) => {
        $crate::commands::tokio::task::spawn_blocking(move || $body)
            .await
            .map_err($crate::WireError::internal)?
    };
    ($kind:ident, $body:expr) => {
        $body
    };
}

/// Topics of a command from the column of its row.
#[doc(hidden)]
#[macro_export]
macro_rules! topics {
    (reads $($topic:ident),+) => { $crate::commands::Topics::Reads(&[$($crate::commands::Topic::$topic),+]) };
    (writes $($topic:ident),+) => { $crate::commands::Topics::Writes(&[$($crate::commands::Topic::$topic),+]) };
    (touches nothing) => { $crate::commands::Topics::Nothing };
}

/// Declares the commands of an area: `commands! { Keys: keys, sink; quick name(argument: Type) ->
/// Answer [reads Keys] = keys.method(argument); }`.
#[macro_export]
macro_rules! commands {
    ($area:ident: $this:ident, $sink:ident; $(
        $kind:ident $name:ident ( $($arg:ident : $ty:ty),* ) -> $answer:ty [$($topics:tt)+] = $body:expr;
    )*) => {
        impl $area {
            /// Whether this area has the command.
            pub fn has_command(command: &str) -> bool {
                [$(stringify!($name)),*].contains(&command)
            }

            /// Runs a command of this area and returns its result as JSON. `sink` receives the
            /// events of commands that send any.
            ///
            /// # Errors
            /// When there is no such command, an argument is missing or has another type, or the
            /// command itself fails.
            pub async fn answer(
                &self,
                command: &str,
                args: $crate::commands::serde_json::Value,
                sink: ::std::sync::Arc<dyn $crate::commands::Page>,
            ) -> Result<String, $crate::WireError> {
                match command {
                    $(stringify!($name) => {
                        #[derive($crate::commands::serde::Deserialize)]
                        #[serde(crate = "koab_workspace::commands::serde")]
                        struct Args { $($arg: $ty),* }
                        let Args { $($arg),* } = $crate::commands::arguments(command, args)?;
                        #[allow(unused_variables)]
                        let ($this, $sink) = (self.clone(), sink);
                        let result: Result<$answer, $crate::WireError> = $crate::carry_out!($kind, $body);
                        $crate::commands::answer(result?)
                    })*
                    _ => Err($crate::commands::unknown(command)),
                }
            }

            /// Signatures of the commands, for the generated TypeScript.
            pub fn signatures(config: &$crate::commands::ts_rs::Config) -> Vec<$crate::commands::Signature> {
                vec![$($crate::commands::Signature {
                    name: stringify!($name),
                    streams: stringify!($kind) == "stream",
                    args: vec![$((stringify!($arg), <$ty as $crate::commands::ts_rs::TS>::name(config))),*],
                    answer: <$answer as $crate::commands::ts_rs::TS>::name(config),
                    topics: $crate::topics!($($topics)+),
                }),*]
            }
        }
    };
}

/// Error for a command that no area has.
#[doc(hidden)]
pub fn unknown(command: &str) -> WireError {
    WireError::bad_request(say!("there is no command {command}"))
}
