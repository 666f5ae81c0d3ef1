//! How far runs on clusters have come, as one process knows it.

use koab_store::ShardProgress;
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Mutex;

/// By their folders: only what is new in their files is read.
pub(crate) type Progress = Mutex<HashMap<PathBuf, ShardProgress>>;
