//! Commands that a face of the product calls by name: the window, and a browser through `koab
//! serve`.
//!
//! Every area has a table of its own, [`commands!`](crate::commands): one row a command with how it
//! works, its name, its arguments, its answer, and the method that does it. From the tables come
//! the dispatcher and the types in `ui/src/ipc/gen.ts`, so that a command added to one can be
//! called from the UI with its types checked, and from nowhere with other arguments. What a command
//! means is documented at its method. Nothing is decided here.
//!
//! Kinds: `quick` answers at once from memory; `disk` reads or writes files and runs on a thread of
//! its own; `slow` awaits; `stream` awaits and sends what goes on as well, events of a run or jobs,
//! before and after it has answered.

use crate::WireError;
use crate::jobs::JobWatch;
pub use crate::jobs::Page;
use koab_core::event::RunEvent;
use koab_core::level::Level;
use koab_core::say;
use serde::de::DeserializeOwned;
use serde_json::Value;

#[doc(hidden)]
pub use {koab_engine::ports::EventSink, serde, serde_json, tokio, ts_rs};

/// Hears the news of commands that nobody listens to.
pub struct Nobody;

impl EventSink for Nobody {
    fn send(&self, _: &RunEvent) {}
}

impl Page for Nobody {
    fn follow(&self, _: JobWatch) {}
}

/// A command as the TypeScript side needs to know it.
#[derive(Clone)]
pub struct Signature {
    /// Its name.
    pub name: &'static str,
    /// Whether it sends what goes on beside its answer.
    pub streams: bool,
    /// Its arguments, each with its type in TypeScript.
    pub args: Vec<(&'static str, String)>,
    /// The type of its answer in TypeScript.
    pub answer: String,
}

/// The arguments of a command.
///
/// # Errors
/// When one is missing or of another type.
#[doc(hidden)]
pub fn arguments<T: DeserializeOwned>(command: &str, args: Value) -> Result<T, WireError> {
    Level::in_request(|| serde_json::from_value(args))
        .map_err(|error| WireError::bad_request(say!("the arguments of {command} are not right: {error}")))
}

/// The answer of a command as JSON.
///
/// # Errors
/// When it cannot be written as JSON.
#[doc(hidden)]
pub fn answer<T: serde::Serialize>(answer: T) -> Result<String, WireError> {
    serde_json::to_string(&answer).map_err(WireError::internal)
}

/// Does what a row says, as its kind asks for.
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

/// The commands of an area: `commands! { Keys: keys, sink; quick name(argument: Type) -> Answer =
/// keys.method(argument); }`.
#[macro_export]
macro_rules! commands {
    ($area:ident: $this:ident, $sink:ident; $(
        $kind:ident $name:ident ( $($arg:ident : $ty:ty),* ) -> $answer:ty = $body:expr;
    )*) => {
        impl $area {
            /// Whether a command is one of this area.
            pub fn has_command(command: &str) -> bool {
                [$(stringify!($name)),*].contains(&command)
            }

            /// Answers a command of this area with JSON. `sink` hears the news of commands that
            /// send any.
            ///
            /// # Errors
            /// When there is no such command, an argument is missing or of another type, or as the
            /// command says.
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
                        let answered: Result<$answer, $crate::WireError> = $crate::carry_out!($kind, $body);
                        $crate::commands::answer(answered?)
                    })*
                    _ => Err($crate::commands::unknown(command)),
                }
            }

            /// The commands as the TypeScript side needs to know them.
            pub fn signatures(config: &$crate::commands::ts_rs::Config) -> Vec<$crate::commands::Signature> {
                vec![$($crate::commands::Signature {
                    name: stringify!($name),
                    streams: stringify!($kind) == "stream",
                    args: vec![$((stringify!($arg), <$ty as $crate::commands::ts_rs::TS>::name(config))),*],
                    answer: <$answer as $crate::commands::ts_rs::TS>::name(config),
                }),*]
            }
        }
    };
}

/// The error for a command that no area has.
#[doc(hidden)]
pub fn unknown(command: &str) -> WireError {
    WireError::bad_request(say!("there is no command {command}"))
}
