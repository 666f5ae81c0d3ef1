//! The logs of workers, as the engine writes them beside its scripts.

use crate::error::ClusterError;
use crate::{FOLDER, Submission};
use koab_core::say;
use serde::Serialize;
use std::fs::File;
use std::io::{Read as _, Seek as _, SeekFrom};
use std::path::Path;

/// Bytes of a log that are shown.
const BYTES: u64 = 64 * 1024;

/// The log of a shard's workers, its end if it is long.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct ShardLog {
    /// 0-based.
    pub shard: u32,
    /// Its last lines.
    pub text: String,
    /// Whether there are earlier ones that are left out.
    pub cut: bool,
    /// The file.
    pub path: String,
}

impl Submission {
    /// The log of a shard's workers in the folder that was handed over.
    ///
    /// # Errors
    /// When there is no such shard, none of its workers has begun, or the file cannot be read.
    pub fn log(&self, folder: &Path, shard: u32) -> Result<ShardLog, ClusterError> {
        if shard >= self.of {
            let last = self.of.saturating_sub(1);
            return Err(ClusterError::Missing(say!("there are shards 0 to {last}, and no shard {shard}")));
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
        let from = length.saturating_sub(BYTES);
        file.seek(SeekFrom::Start(from)).map_err(failed)?;
        let mut text = Vec::new();
        file.take(BYTES).read_to_end(&mut text).map_err(failed)?;
        Ok(ShardLog {
            shard,
            text: String::from_utf8_lossy(&text).into_owned(),
            cut: from > 0,
            path: path.display().to_string(),
        })
    }
}
