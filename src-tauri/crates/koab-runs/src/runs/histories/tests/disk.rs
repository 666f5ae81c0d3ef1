//! A run's files as one process writes them, until it is killed: at any write, and within it.

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

/// When a process is killed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Kill {
    /// Writes before the one at which it dies.
    pub(super) writes: u32,
    /// How much of what it was writing is there, in 65,536ths.
    pub(super) cut: u16,
    /// Whether the power went: what was not made safe may be gone, too.
    pub(super) power: bool,
}

impl Kill {
    /// A length between two, as the cut has it.
    pub(super) fn between(&self, least: u64, most: u64) -> u64 {
        least + ((u64::from(self.cut) * (most - least + 1)) >> 16)
    }
}

/// How it goes with a process's writes.
#[derive(Debug)]
pub(super) struct Fate {
    kill: Option<Kill>,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    writes: u32,
    is_dead: bool,
    /// Bytes of the journal that a loss of power leaves.
    safe: u64,
    length: u64,
    /// Where the lines of ended attempts end.
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

    /// Counts a write, and answers the kill where it is the last one.
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

/// The files.
pub(super) struct Disk {
    log: Box<dyn RunLog>,
    journal: PathBuf,
    fate: Arc<Fate>,
    /// Whether its disk takes its time to make lines safe, so that the run goes on meanwhile.
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

    /// The process is gone; of what it was writing behind `least` a part is there.
    fn die<T>(&self, kill: Kill, least: u64) -> Result<T, StoreError> {
        let mut state = self.fate.state();
        let least = if kill.power { state.safe } else { least };
        cut(&self.journal, kill.between(least, state.length));
        state.is_dead = true;
        Err(killed())
    }

    /// A file that is replaced as a whole: it is the old one or the new one.
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

/// Leaves so many bytes of a file, unless a merge that found nothing missing has removed it.
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

    fn write_level(&mut self, level: Level, log: &Value) -> Result<(), StoreError> {
        self.replaced(|files| files.write_level(level, log))
    }

    fn remove_level(&mut self, level: Level) -> Result<(), StoreError> {
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

/// Hears a start's events, and holds it to them: what is told as ended is safe.
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
