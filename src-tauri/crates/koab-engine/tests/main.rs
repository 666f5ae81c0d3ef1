//! The tests of runs on stand-ins of the ports.

mod agents;
mod attempts;
mod changes;
mod forks;
mod limits;
mod live_tools;
mod pause;
