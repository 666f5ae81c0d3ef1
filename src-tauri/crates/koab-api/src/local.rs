//! Models on this disk and on a hub, and model servers on this machine.
//!
//! What lies on the disk is `koab-local`'s, the hub's protocol `koab-providers`'; here they meet. Without the cargo feature
//! `local` the same commands are there and say in one sentence that this build has no such models.

#[cfg(not(feature = "local"))]
mod absent;
#[cfg(feature = "local")]
mod hub;
#[cfg(feature = "local")]
mod library;
#[cfg(feature = "local")]
mod pulls;
mod servers;
#[cfg(feature = "local")]
mod space;

#[cfg(feature = "local")]
pub(crate) use pulls::Pulls;
