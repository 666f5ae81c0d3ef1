//! Version and formats of this program, and the system it was built for. Users state them when they
//! report a fault. The page adds the versions of its own libraries.

use crate::{Api, WireError};
use koab_core::run_record::RunFormat;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Versions of the program and of the formats that it writes.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct About {
    /// Version of the product.
    pub version: String,
    /// System and processor that the program was built for, such as `linux x86_64`.
    pub system: String,
    /// Kind of the build: `release` for use, or `debug` for development.
    pub build: String,
    /// Format version of packs.
    pub pack_format: u32,
    /// Format version of run manifests and journals.
    pub run_format: u32,
    /// Format version of the workspace's database.
    pub workspace_format: u32,
}

/// Facts that the window needs at its start.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct AppInfo {
    /// Version of the product.
    pub version: String,
    /// Path of the workspace folder.
    pub home: String,
    /// Language of the system: `ko` or `en`.
    pub language: String,
    /// Id of the run in progress, if there is one. The window needs it after a reload.
    pub current_run: Option<String>,
}

impl Api {
    /// Version, build and formats of this program.
    ///
    /// # Errors
    /// None at present. All commands have the same return type.
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
