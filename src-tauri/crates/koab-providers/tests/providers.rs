//! Tests through the crate's public face: one binary, one file per concern.

mod baselines;
mod clouds;
mod failures;
mod native;
mod registry;
mod replay;
mod replies;
mod services;
mod support;
