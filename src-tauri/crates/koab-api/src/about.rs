//! Which program this is, for whoever reports a fault or keeps a number: its version, the forms in
//! which it keeps things, and the system it was built for. What the pages are drawn with is known
//! to the pages.

use crate::{Api, WireError};
use koab_core::run_record::RunFormat;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Versions of the program and of what it writes.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct About {
    /// Version of the product.
    pub version: String,
    /// System and processor it was built for, such as `linux x86_64`.
    pub system: String,
    /// Whether it was built for use (`release`) or for work on it (`debug`).
    pub build: String,
    /// Form of packs.
    pub pack_format: u32,
    /// Form of run manifests and journals.
    pub run_format: u32,
    /// Form of the workspace's database.
    pub workspace_format: u32,
}

/// What the window needs to know at its start.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct AppInfo {
    /// Version of the product.
    pub version: String,
    /// The workspace folder.
    pub home: String,
    /// Language the system asks for: `ko` or `en`.
    pub language: String,
    /// The run in progress, if there is one (after a reload of the window).
    pub current_run: Option<String>,
}

impl Api {
    /// Which program this is.
    ///
    /// # Errors
    /// None today; the window handles it like every command.
    pub fn app_about(&self) -> Result<About, WireError> {
        Ok(About {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            system: format!("{} {}", std::env::consts::OS, std::env::consts::ARCH),
            build: if cfg!(debug_assertions) { "debug" } else { "release" }.to_owned(),
            pack_format: koab_core::pack::PACK_FORMAT,
            run_format: RunFormat::CURRENT.into(),
            workspace_format: koab_store::workspace_format(),
        })
    }
}
