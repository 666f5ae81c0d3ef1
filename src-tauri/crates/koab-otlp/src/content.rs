//! An ear at the run's log, which holds the texts that events leave out.

use super::tracer::Tracer;
use koab_core::level::Level;
use koab_core::record::{JournalLine, RunManifest};
use koab_engine::ports::{RunLog, StoreError};
use serde_json::Value;
use std::sync::{Arc, Mutex, PoisonError};

/// Hands everything on to the log, when there is one, and texts to the tracer.
pub(super) struct ContentLog {
    log: Option<Box<dyn RunLog>>,
    tracer: Arc<Mutex<Tracer>>,
}

impl ContentLog {
    pub(super) fn new(log: Option<Box<dyn RunLog>>, tracer: Arc<Mutex<Tracer>>) -> Self {
        Self { log, tracer }
    }

    fn hear(&self, line: &JournalLine) {
        let mut tracer = self.tracer.lock().unwrap_or_else(PoisonError::into_inner);
        match line {
            JournalLine::Step(line) => {
                tracer.note_step(
                    &line.task,
                    line.repetition,
                    line.step.step,
                    &line.content,
                    &line.calls,
                );
            }
            JournalLine::Attempt { record } => tracer.note_attempt(record),
            _ => {}
        }
    }
}

impl RunLog for ContentLog {
    fn append(&mut self, line: &JournalLine) -> Result<(), StoreError> {
        self.hear(line);
        self.log.as_mut().map_or(Ok(()), |log| log.append(line))
    }

    fn write_level(&mut self, level: Level, value: &Value) -> Result<(), StoreError> {
        let log = self.log.as_mut();
        log.map_or(Ok(()), |log| log.write_level(level, value))
    }

    fn write_manifest(&mut self, manifest: &RunManifest) -> Result<(), StoreError> {
        let log = self.log.as_mut();
        log.map_or(Ok(()), |log| log.write_manifest(manifest))
    }

    fn sync(&mut self) -> Result<(), StoreError> {
        self.log.as_mut().map_or(Ok(()), |log| log.sync())
    }
}
