//! Scenarios: sets of agent scenarios in containers, from a request to recorded outcomes.
//!
//! `request` is what a face asks for, `prepare` makes a run of the executor from it, `live` keeps what a running one
//! has said so far. What containers do belongs to `koab-sandbox`.

mod clone;
mod live;
mod prepare;
mod request;
mod scripts;
mod tables;

pub use clone::{CloneRequest, Cloned};
pub use live::{ScenarioLive, ScenarioLogPiece, ScenarioTrial, TrialState};
pub use request::{ScenarioPlan, ScenarioRequest, ScenarioSummary};
pub use scripts::ScriptRequest;
pub use tables::{LintedLog, TabulatedScenario, UnfinishedTrial};

pub(crate) use live::LiveScenarios;
