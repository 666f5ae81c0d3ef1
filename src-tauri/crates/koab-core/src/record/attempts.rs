//! Which attempts of a run count, said once.

use super::{AttemptRecord, StopReason};
use std::collections::HashMap;

/// An attempt that ended, as whole as its reader needs it.
pub trait AttemptEnd {
    /// Its task and 1-based repetition.
    fn key(&self) -> (&str, u32);
    /// Why it ended.
    fn stop(&self) -> StopReason;
}

impl AttemptEnd for AttemptRecord {
    fn key(&self) -> (&str, u32) {
        (&self.task, self.repetition)
    }

    fn stop(&self) -> StopReason {
        self.stop
    }
}

/// The attempts of a run in the order in which they ended.
///
/// Of each task and repetition the last one counts. A new start makes again what failed for technical reasons, so those
/// failures count no more once it has begun.
#[derive(Clone, Debug)]
pub struct Attempts<A> {
    /// Attempts; `None` where one counts no more.
    ended: Vec<Option<A>>,
    places: HashMap<(String, u32), usize>,
}

impl<A> Default for Attempts<A> {
    fn default() -> Self {
        Self {
            ended: Vec::new(),
            places: HashMap::new(),
        }
    }
}

impl<A: AttemptEnd> Attempts<A> {
    /// The run starts, or starts again.
    pub fn start(&mut self) {
        for place in &mut self.ended {
            if let Some(attempt) = place.take_if(|attempt| attempt.stop().is_technical()) {
                let (task, repetition) = attempt.key();
                self.places.remove(&(task.to_owned(), repetition));
            }
        }
    }

    /// An attempt ended.
    pub fn end(&mut self, attempt: A) {
        let (task, repetition) = attempt.key();
        let key = (task.to_owned(), repetition);
        if let Some(place) = self.places.insert(key, self.ended.len()) {
            self.ended[place] = None;
        }
        self.ended.push(Some(attempt));
    }

    /// Those that count.
    pub fn iter(&self) -> impl Iterator<Item = &A> {
        self.ended.iter().flatten()
    }

    /// Those that count, by value.
    pub fn into_vec(self) -> Vec<A> {
        self.ended.into_iter().flatten().collect()
    }

    /// The one at a task and repetition.
    pub fn get(&self, task: &str, repetition: u32) -> Option<&A> {
        let place = self.places.get(&(task.to_owned(), repetition))?;
        self.ended.get(*place)?.as_ref()
    }

    /// How many count.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Whether none counts.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }
}
