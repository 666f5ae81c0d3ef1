//! A run log that also passes the texts of a run to the tracer. Events do not contain these texts.

use super::tracer::Tracer;
use koab_core::level::Level;
use koab_core::run_record::{AttemptRecord, JournalLine, LinePlace, RunManifest};
use koab_core::say;
use koab_engine::ports::{RunLog, StoreError, SyncWork};
use serde_json::Value;
use std::sync::{Arc, Mutex, PoisonError};

/// Passes every call on to the wrapped log, if there is one, and the texts to the tracer.
pub(super) struct ContentLog {
    log: Option<Box<dyn RunLog>>,
    tracer: Arc<Mutex<Tracer>>,
}

impl ContentLog {
    pub(super) fn new(log: Option<Box<dyn RunLog>>, tracer: Arc<Mutex<Tracer>>) -> Self {
        Self { log, tracer }
    }

    fn note_texts(&self, line: &JournalLine) {
        let mut tracer = self.tracer.lock().unwrap_or_else(PoisonError::into_inner);
        match line {
            JournalLine::Step(line) => {
                tracer.note_step(&line.task, line.repetition, line.step.step, &line.content, &line.calls);
            }
            JournalLine::Attempt { record } => tracer.note_attempt(record),
            _ => {}
        }
    }
}

impl RunLog for ContentLog {
    fn append(&mut self, line: &JournalLine) -> Result<LinePlace, StoreError> {
        self.note_texts(line);
        let log = self.log.as_mut();
        log.map_or_else(|| Ok(LinePlace::default()), |log| log.append(line))
    }

    fn attempt(&mut self, place: LinePlace) -> Result<AttemptRecord, StoreError> {
        match &mut self.log {
            Some(log) => log.attempt(place),
            None => Err(StoreError(say!("the run is not saved"))),
        }
    }

    fn is_taken_over(&mut self) -> bool {
        self.log.as_mut().is_some_and(|log| log.is_taken_over())
    }

    fn wants_levels(&self) -> bool {
        self.log.as_ref().is_some_and(|log| log.wants_levels())
    }

    fn write_level(&mut self, level: &Level, value: &Value) -> Result<(), StoreError> {
        let log = self.log.as_mut();
        log.map_or(Ok(()), |log| log.write_level(level, value))
    }

    fn remove_level(&mut self, level: &Level) -> Result<(), StoreError> {
        self.log.as_mut().map_or(Ok(()), |log| log.remove_level(level))
    }

    fn write_manifest(&mut self, manifest: &RunManifest) -> Result<(), StoreError> {
        let log = self.log.as_mut();
        log.map_or(Ok(()), |log| log.write_manifest(manifest))
    }

    fn sync(&mut self) -> Result<Option<SyncWork>, StoreError> {
        self.log.as_mut().map_or(Ok(None), |log| log.sync())
    }
}
