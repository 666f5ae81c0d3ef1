//! Marks that workers write to the folder `cluster` of a run, with the node and exit status of each
//! start.
//!
//! Each start has a file of its own, since locks are unreliable on folders that many machines
//! share.

use crate::words::clean;
use std::collections::BTreeMap;
use std::io::{Read as _, Seek as _, SeekFrom};
use std::path::Path;
use std::time::SystemTime;

/// Number of bytes at the end of a log that are searched for its last line.
const LOG_TAIL_BYTES: u64 = 4096;

/// One start of a worker, read from its mark.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct WorkerStart {
    /// Name of the start, given by the engine.
    pub(crate) worker: String,
    /// Name of the node where the worker started.
    pub(crate) node: Option<String>,
    /// Exit status of the worker; `None` while it is running and when it was killed.
    pub(crate) code: Option<i32>,
    /// Modification time of the mark file.
    at: SystemTime,
}

/// Reads the starts of each shard, the latest last.
pub(crate) fn read(folder: &Path) -> BTreeMap<u32, Vec<WorkerStart>> {
    let mut marks: BTreeMap<u32, Vec<WorkerStart>> = BTreeMap::new();
    let entries = std::fs::read_dir(folder.join(crate::FOLDER)).into_iter().flatten().flatten();
    for entry in entries {
        let name = entry.file_name();
        let stem = name.to_str().and_then(|name| name.strip_suffix(".mark"));
        let Some((shard, worker)) = stem.and_then(|stem| stem.split_once('.')) else {
            continue;
        };
        let (Ok(shard), Ok(text)) = (shard.parse::<u32>(), std::fs::read_to_string(entry.path())) else {
            continue;
        };
        let word = |key: &str| text.lines().filter_map(|line| line.strip_prefix(key)).next_back();
        let at = entry.metadata().and_then(|meta| meta.modified());
        marks.entry(shard).or_default().push(WorkerStart {
            worker: worker.to_owned(),
            node: word("node ").map(clean).filter(|node| !node.is_empty()),
            code: word("end ").and_then(|code| code.trim().parse().ok()),
            at: at.unwrap_or(SystemTime::UNIX_EPOCH),
        });
    }
    for starts in marks.values_mut() {
        starts.sort_by(|one, other| one.at.cmp(&other.at).then_with(|| one.worker.cmp(&other.worker)));
    }
    marks
}

/// Returns the last non-empty line of a shard's log.
pub(crate) fn last_words(folder: &Path, shard: u32) -> Option<String> {
    let path = folder.join(crate::FOLDER).join(format!("{shard}.log"));
    let mut file = std::fs::File::open(path).ok()?;
    let length = file.metadata().ok()?.len();
    file.seek(SeekFrom::Start(length.saturating_sub(LOG_TAIL_BYTES))).ok()?;
    let mut text = Vec::new();
    file.take(LOG_TAIL_BYTES).read_to_end(&mut text).ok()?;
    let text = String::from_utf8_lossy(&text);
    text.lines().map(clean).rfind(|line| !line.is_empty())
}
