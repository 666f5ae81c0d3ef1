//! Tests through the crate's public face: one binary, one file per concern.

mod baselines;
mod failures;
mod registry;
mod replay;
mod replies;
mod support;
