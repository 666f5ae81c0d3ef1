//! The window's UI in a browser on this computer: `koab serve`.
//!
//! One HTTP server on the loopback address serves the page's files and passes its commands to
//! [`koab_api::Api`]. It has no commands or screens of its own. `docs/design/serve.md` explains who
//! may access it: `guard` checks every request, and `sessions` checks calls of commands.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod answer;
mod calls;
mod guard;
mod headers;
mod server;
mod sessions;
mod shared;
mod site;
mod upload;
mod uploads;

pub use server::{Links, Server, Stopped};
pub use site::Site;
pub use uploads::Limits;
