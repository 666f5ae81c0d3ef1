//! FunctionChat-Bench v2 through the functions that everything else uses.

#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "this is all tests")]

mod corrected;
mod files;
mod parity;
mod scoring;
mod support;
mod tables;
