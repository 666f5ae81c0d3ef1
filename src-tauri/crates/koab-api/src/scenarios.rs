//! Scenarios: sets of agent scenarios in containers, from a request to recorded outcomes.
//!
//! `request` is what a face asks for, `prepare` makes a run of the executor from it, `offered` lets them
//! call a model through the gateway, which `reach` finds a way to, `live` keeps what a running one has said so far, `results` reads what trials left.
//! What containers do belongs to `koab-sandbox`.

mod clone;
mod live;
mod offered;
mod prepare;
mod reach;
mod request;
mod results;
mod scripts;
mod tables;

pub use clone::{CloneRequest, Cloned};
pub use live::{ScenarioLive, ScenarioLogPiece, ScenarioTrial, TrialState};
pub use request::{ScenarioPlan, ScenarioRequest, ScenarioSpending, ScenarioSummary};
pub use scripts::ScriptRequest;
pub use tables::{LintedLog, TabulatedScenario, UnfinishedTrial};

pub use results::*;

pub(crate) use live::LiveScenarios;
