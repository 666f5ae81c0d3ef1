//! Logs of workers, which the engine writes to the folder of its scripts.

use crate::error::ClusterError;
use crate::{FOLDER, Submission};
use koab_core::say;
use serde::Serialize;
use std::fs::File;
use std::io::{Read as _, Seek as _, SeekFrom};
use std::path::Path;

/// Maximum number of bytes from the end of a log that are shown.
const MAX_SHOWN_BYTES: u64 = 64 * 1024;

/// The log of a shard's workers; only its end if it is long.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct ShardLog {
    /// 0-based shard number.
    pub shard: u32,
    /// Last lines of the log.
    pub text: String,
    /// Whether earlier lines are left out.
    pub cut: bool,
    /// Path of the log file.
    pub path: String,
}

impl Submission {
    /// Reads the log of a shard's workers in the run's folder.
    ///
    /// # Errors
    /// When the shard does not exist, none of its workers has started, or the file cannot be read.
    pub fn log(&self, folder: &Path, shard: u32) -> Result<ShardLog, ClusterError> {
        if shard >= self.of {
            let last = self.of.saturating_sub(1);
            return Err(ClusterError::Missing(say!("there is no shard {shard}; the shards are 0 to {last}")));
        }
        let path = folder.join(FOLDER).join(format!("{shard}.log"));
        let failed = |error: std::io::Error| match error.kind() {
            std::io::ErrorKind::NotFound => {
                ClusterError::Missing(say!("shard {shard} has no log: none of its workers has begun"))
            }
            _ => ClusterError::Disk(say!("{} cannot be read: {error}", path.display())),
        };
        let mut file = File::open(&path).map_err(failed)?;
        let length = file.metadata().map_err(failed)?.len();
        let from = length.saturating_sub(MAX_SHOWN_BYTES);
        file.seek(SeekFrom::Start(from)).map_err(failed)?;
        let mut text = Vec::new();
        file.take(MAX_SHOWN_BYTES).read_to_end(&mut text).map_err(failed)?;
        Ok(ShardLog {
            shard,
            text: String::from_utf8_lossy(&text).into_owned(),
            cut: from > 0,
            path: path.display().to_string(),
        })
    }
}
