//! Agents under test, through the command line: a model that plays a published run back is driven by this program and by an agent.

#![allow(clippy::print_stderr, reason = "these are tests")]

mod by_hand;
mod checks;
mod conduct;
#[cfg(unix)]
mod contained;
#[cfg(unix)]
mod contained_trouble;
mod figures;
mod kinds;
mod own_model;
mod played;
mod real;
mod recorded;
mod resumed;
mod through;
mod trouble;
pub(crate) mod workshop;
