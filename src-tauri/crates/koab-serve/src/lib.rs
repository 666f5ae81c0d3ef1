//! The window's UI in a browser on this computer: `koab serve`.
//!
//! One HTTP server on the loopback address that hands the page its files and carries its commands
//! to [`koab_api::Api`]. It knows no command and no screen. Who may talk to it, and why so, is in
//! `docs/design/serve.md`: `guard` looks at every request, `sessions` at those that call something.
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
