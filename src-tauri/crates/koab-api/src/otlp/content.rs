//! An ear at the run's log, which holds the texts that events leave out.

use super::tracer::Tracer;
use koab_core::level::Level;
use koab_core::record::{AttemptRecord, CallRecord};
use koab_engine::ports::{RunLog, StoreError};
use serde::Deserialize;
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

    fn hear(&self, line: &Value) {
        let mut tracer = self.tracer.lock().unwrap_or_else(PoisonError::into_inner);
        if line["type"] == "step" {
            let (Some(task), Some(repetition), Some(step)) = (
                line["task"].as_str(),
                line["repetition"].as_u64(),
                line["step"]["step"].as_u64(),
            ) else {
                return;
            };
            let text = line["content"].as_str().unwrap_or_default();
            let calls = Vec::<CallRecord>::deserialize(&line["calls"]).unwrap_or_default();
            tracer.note_step(task, repetition as u32, step as u32, text, &calls);
        } else if line["type"] == "attempt"
            && let Ok(record) = AttemptRecord::deserialize(&line["record"])
        {
            tracer.note_attempt(&record);
        }
    }
}

impl RunLog for ContentLog {
    fn append(&mut self, line: &Value) -> Result<(), StoreError> {
        self.hear(line);
        self.log.as_mut().map_or(Ok(()), |log| log.append(line))
    }

    fn write_level(&mut self, level: Level, value: &Value) -> Result<(), StoreError> {
        let log = self.log.as_mut();
        log.map_or(Ok(()), |log| log.write_level(level, value))
    }

    fn write_manifest(&mut self, manifest: &Value) -> Result<(), StoreError> {
        let log = self.log.as_mut();
        log.map_or(Ok(()), |log| log.write_manifest(manifest))
    }

    fn sync(&mut self) -> Result<(), StoreError> {
        self.log.as_mut().map_or(Ok(()), |log| log.sync())
    }
}
