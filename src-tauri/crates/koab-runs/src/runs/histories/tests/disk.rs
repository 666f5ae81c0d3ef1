//! Log of a run whose process can be killed at any write, also when the write is half done.

use super::files::Key;
use super::server::Server;
use koab_core::event::{RunEvent, RunEventKind};
use koab_core::level::Level;
use koab_core::run_record::{AttemptRecord, JournalLine, LinePlace, RunManifest};
use koab_engine::ports::{EventSink, RunLog, StoreError, SyncWork};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Point at which a process is killed, and the state of the files after that.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Kill {
    /// Number of writes that complete before the write at which the process dies.
    pub(super) writes: u32,
    /// Fraction of the uncertain bytes that remain, in 65,536ths. For a file that is replaced as a
    /// whole, an even number means that the new file remains.
    pub(super) cut: u16,
    /// Whether the machine loses power. Bytes that were written and not synced may then be lost
    /// too.
    pub(super) power: bool,
}

impl Kill {
    /// Returns the length between `least` and `most` that `cut` selects.
    pub(super) fn between(&self, least: u64, most: u64) -> u64 {
        least + ((u64::from(self.cut) * (most - least + 1)) >> 16)
    }
}

/// Writes of one process so far, and whether the process was killed.
#[derive(Debug)]
pub(super) struct Fate {
    kill: Option<Kill>,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    writes: u32,
    is_dead: bool,
    /// Number of the journal's bytes that are synced, so that a loss of power does not remove them.
    safe: u64,
    length: u64,
    /// Offset in the journal at which the line of each ended attempt ends.
    ended: BTreeMap<Key, u64>,
}

impl Fate {
    pub(super) fn new(kill: Option<Kill>) -> Arc<Self> {
        let state = Mutex::default();
        Arc::new(Self { kill, state })
    }

    pub(super) fn is_dead(&self) -> bool {
        self.state().is_dead
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts a write. Returns the kill if the process dies at this write.
    fn write(&self) -> Result<Option<Kill>, StoreError> {
        let mut state = self.state();
        if state.is_dead {
            return Err(killed());
        }
        state.writes += 1;
        Ok(self.kill.filter(|kill| state.writes > kill.writes))
    }
}

fn killed() -> StoreError {
    StoreError("killed".into())
}

/// Wrapper around the product's run log, which kills the process at one of its writes.
pub(super) struct Disk {
    log: Box<dyn RunLog>,
    journal: PathBuf,
    fate: Arc<Fate>,
    /// Whether the disk is slow, so that the run continues before written lines are synced.
    is_slow: bool,
}

impl Disk {
    pub(super) fn new(log: Box<dyn RunLog>, journal: PathBuf, fate: &Arc<Fate>, is_slow: bool) -> Self {
        let length = std::fs::metadata(&journal).map_or(0, |meta| meta.len());
        {
            let mut state = fate.state();
            (state.safe, state.length) = (length, length);
        }
        Self { log, journal, fate: Arc::clone(fate), is_slow }
    }

    /// Kills the process. The journal keeps its first `least` bytes and a part of the bytes after
    /// them. After a loss of power, only synced bytes are certain to remain.
    fn die<T>(&self, kill: Kill, least: u64) -> Result<T, StoreError> {
        let mut state = self.fate.state();
        let least = if kill.power { state.safe } else { least };
        cut(&self.journal, kill.between(least, state.length));
        state.is_dead = true;
        Err(killed())
    }

    /// Replaces a whole file. If the process dies at this write, the file is either the old one or
    /// the new one, never a mixture.
    fn replaced(
        &mut self,
        replace: impl FnOnce(&mut dyn RunLog) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        let last = self.fate.write()?;
        if last.is_none_or(|kill| kill.cut % 2 == 0) {
            replace(&mut *self.log)?;
        }
        let length = self.fate.state().length;
        last.map_or(Ok(()), |kill| self.die(kill, length))
    }
}

/// Truncates a file to this number of bytes. The file may be missing, because a merge that finds no
/// missing attempt removes the files of the parts.
pub(super) fn cut(path: &Path, length: u64) {
    if let Ok(file) = File::options().write(true).open(path) {
        file.set_len(length).expect("cut");
    }
}

impl RunLog for Disk {
    fn append(&mut self, line: &JournalLine) -> Result<LinePlace, StoreError> {
        let last = self.fate.write()?;
        let place = self.log.append(line)?;
        let end = place.offset + u64::from(place.length);
        {
            let mut state = self.fate.state();
            state.length = end;
            if let JournalLine::Attempt { record } = line {
                let key = (record.task.clone(), record.repetition);
                state.ended.insert(key, end);
            }
        }
        match last {
            Some(kill) => self.die(kill, place.offset),
            None => Ok(place),
        }
    }

    fn attempt(&mut self, place: LinePlace) -> Result<AttemptRecord, StoreError> {
        self.log.attempt(place)
    }

    fn wants_levels(&self) -> bool {
        self.log.wants_levels()
    }

    fn write_level(&mut self, level: &Level, log: &Value) -> Result<(), StoreError> {
        self.replaced(|files| files.write_level(level, log))
    }

    fn remove_level(&mut self, level: &Level) -> Result<(), StoreError> {
        self.replaced(|files| files.remove_level(level))
    }

    fn write_manifest(&mut self, manifest: &RunManifest) -> Result<(), StoreError> {
        self.replaced(|files| files.write_manifest(manifest))
    }

    fn is_taken_over(&mut self) -> bool {
        self.log.is_taken_over()
    }

    fn sync(&mut self) -> Result<Option<SyncWork>, StoreError> {
        let last = self.fate.write()?;
        let (fate, written) = (Arc::clone(&self.fate), self.fate.state().length);
        if let Some(kill) = last {
            return self.die(kill, written);
        }
        let work = self.log.sync()?;
        let done = move || {
            work.map_or(Ok(()), |work| work())?;
            let mut state = fate.state();
            state.safe = state.safe.max(written);
            Ok(())
        };
        if self.is_slow {
            return Ok(Some(Box::new(done)));
        }
        done().map(|()| None)
    }
}

/// Receiver of a start's events. Records a fault if an attempt is reported as finished before its
/// line in the journal is synced.
pub(super) struct Heard {
    pub(super) server: Server,
    pub(super) fate: Arc<Fate>,
}

impl EventSink for Heard {
    fn send(&self, event: &RunEvent) {
        if let RunEventKind::AttemptFinished { task, repetition, .. } = &event.kind {
            let key = (task.clone(), *repetition);
            let state = self.fate.state();
            if state.ended.get(&key).is_none_or(|end| *end > state.safe) {
                self.server.fault(format!("{key:?} is told as ended and is not safe"));
            }
        }
    }
}
