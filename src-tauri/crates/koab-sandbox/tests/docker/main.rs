//! Scenarios in real containers.

#![allow(clippy::unwrap_used, reason = "these are tests")]

mod containers;
mod door;
mod floods;
mod podman;
mod runs;
mod support;
