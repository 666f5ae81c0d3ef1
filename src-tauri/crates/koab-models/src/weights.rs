//! Models on this disk and on a hub, and model servers on this machine.
//!
//! What lies on the disk is `koab-local`'s, what is fetched from a hub `downloads`'; here they
//! meet. Without the cargo feature `local` the same commands are there and say in one sentence that
//! this build has no such models.

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
