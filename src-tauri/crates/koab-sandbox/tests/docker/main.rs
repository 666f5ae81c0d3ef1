//! Scenarios in real containers.

#![allow(clippy::unwrap_used, reason = "these are tests")]

mod containers;
mod runs;
mod support;
