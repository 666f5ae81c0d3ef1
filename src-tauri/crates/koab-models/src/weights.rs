//! Models on this disk and on a hub, and model servers on this machine.
//!
//! `koab-local` reads the disk and `downloads` the hub; this module combines them. Without the
//! cargo feature `local` the same commands exist and report that this build has no local models.

#[cfg(feature = "local")]
mod hub_model;
#[cfg(feature = "local")]
mod library;
#[cfg(feature = "local")]
mod pulls;
mod wire;
#[cfg(not(feature = "local"))]
mod without_local;

pub use wire::*;

#[cfg(feature = "local")]
pub(crate) use pulls::Pulls;
