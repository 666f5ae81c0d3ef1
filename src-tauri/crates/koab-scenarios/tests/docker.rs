//! Scenarios in real containers.

#![allow(clippy::unwrap_used, reason = "these are tests")]

mod containers;
mod floods;
mod podman;
mod relay;
mod runs;
mod support;
