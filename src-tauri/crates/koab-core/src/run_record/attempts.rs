//! The attempts of a run that count: the last attempt of each task and repetition.

use super::{AttemptRecord, LinePlace, StopReason, TokenUsage};
use crate::level::Level;
use serde::de::{DeserializeOwned, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

/// An ended attempt, with the parts of its record that a reader needs.
pub trait AttemptEnd {
    /// Part of the attempt's record that is deserialized.
    type Record: DeserializeOwned;
    /// Creates the value from an attempt's record and the position of its journal line.
    fn from_record(record: Self::Record, place: LinePlace) -> Self;
    /// Task and 1-based repetition of the attempt.
    fn key(&self) -> (&str, u32);
    /// Reason for the end of the attempt.
    fn stop(&self) -> StopReason;
    /// Sum of the tokens of all turns that have reported tokens.
    fn usage(&self) -> TokenUsage;
    /// Replaces the task's id by a shared copy of the same id, and the level by its copy in
    /// `levels`, to save memory. A new level is added to `levels`.
    fn share(&mut self, _task: &Arc<str>, _levels: &mut HashSet<Level>) {}
}

impl AttemptEnd for AttemptRecord {
    type Record = Self;

    fn from_record(record: AttemptRecord, _place: LinePlace) -> Self {
        record
    }

    fn key(&self) -> (&str, u32) {
        (&self.task, self.repetition)
    }

    fn stop(&self) -> StopReason {
        self.stop
    }

    fn usage(&self) -> TokenUsage {
        self.usage()
    }
}

/// The attempts of a run that count, in the order of their ends.
///
/// The last attempt of each task and repetition counts. A new start of the run repeats attempts
/// that failed for technical reasons, so these do not count once the new start has begun.
#[derive(Clone, Debug)]
pub struct Attempts<A> {
    /// Attempts in pieces of fixed length; `None` for an attempt that no longer counts. A single
    /// long list would be copied whenever it grows.
    ended: Vec<Vec<Option<A>>>,
    /// Number of each task by its id; tasks are numbered in the order of their first attempts.
    tasks: HashMap<Arc<str>, u32>,
    /// Levels of the attempts.
    levels: HashSet<Level>,
    /// For each task the repetitions that count, in order, with their positions in `ended`.
    of_tasks: Vec<Vec<(u32, u32)>>,
    /// Positions in `ended` of attempts that failed for technical reasons.
    failures: Vec<u32>,
    /// Number of attempts that count.
    count: usize,
}

impl<A> Default for Attempts<A> {
    fn default() -> Self {
        Self {
            ended: Vec::new(),
            tasks: HashMap::new(),
            levels: HashSet::new(),
            of_tasks: Vec::new(),
            failures: Vec::new(),
            count: 0,
        }
    }
}

/// Number of attempts in a piece.
const PIECE_LEN: usize = 4096;

impl<A> Attempts<A> {
    fn at(&self, place: u32) -> Option<&A> {
        let place = place as usize;
        self.ended.get(place / PIECE_LEN)?.get(place % PIECE_LEN)?.as_ref()
    }

    fn take(&mut self, place: u32) -> Option<A> {
        let place = place as usize;
        self.ended.get_mut(place / PIECE_LEN)?.get_mut(place % PIECE_LEN)?.take()
    }

    /// Appends an attempt and returns its position.
    fn push(&mut self, attempt: A) -> u32 {
        if self.ended.last().is_none_or(|piece| piece.len() == PIECE_LEN) {
            // The first piece grows as it is filled, since most runs are short.
            let room = if self.ended.is_empty() { 0 } else { PIECE_LEN };
            self.ended.push(Vec::with_capacity(room));
        }
        let before = (self.ended.len() - 1) * PIECE_LEN;
        self.ended.last_mut().map_or(0, |piece| {
            piece.push(Some(attempt));
            (before + piece.len() - 1) as u32
        })
    }

    /// The attempts that count.
    pub fn iter(&self) -> impl Iterator<Item = &A> {
        self.ended.iter().flatten().flatten()
    }

    /// Number of attempts that count.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether no attempt counts.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }
}

/// Iterates over the attempts that count. Each piece is freed after its last attempt.
impl<A> IntoIterator for Attempts<A> {
    type Item = A;
    type IntoIter = std::iter::Flatten<std::iter::Flatten<std::vec::IntoIter<Vec<Option<A>>>>>;

    fn into_iter(self) -> Self::IntoIter {
        self.ended.into_iter().flatten().flatten()
    }
}

impl<A: AttemptEnd> Attempts<A> {
    /// Begins a new start of the run: technical failures of earlier starts no longer count.
    pub fn start(&mut self) {
        let mut failed = BTreeSet::new();
        for place in std::mem::take(&mut self.failures) {
            if let Some(attempt) = self.take(place) {
                failed.extend(self.tasks.get(attempt.key().0).copied());
                self.count -= 1;
            }
        }
        for task in failed {
            let mut places = std::mem::take(&mut self.of_tasks[task as usize]);
            places.retain(|(_, place)| self.at(*place).is_some());
            self.of_tasks[task as usize] = places;
        }
    }

    /// Removes an attempt that is made again. Nothing happens if no such attempt counts.
    pub fn reopen(&mut self, task: &str, repetition: u32) {
        let Some(number) = self.tasks.get(task).copied() else { return };
        let places = &mut self.of_tasks[number as usize];
        if let Ok(at) = places.binary_search_by_key(&repetition, |(repetition, _)| *repetition) {
            let (_, place) = places.remove(at);
            self.take(place);
            self.count -= 1;
        }
    }

    /// Adds an ended attempt.
    pub fn end(&mut self, mut attempt: A) {
        let (task, repetition) = attempt.key();
        let number = match self.tasks.get_key_value(task) {
            Some((shared, number)) => {
                let (shared, number) = (Arc::clone(shared), *number);
                attempt.share(&shared, &mut self.levels);
                number
            }
            None => {
                let (shared, number) = (Arc::<str>::from(task), self.tasks.len() as u32);
                attempt.share(&shared, &mut self.levels);
                self.tasks.insert(shared, number);
                self.of_tasks.push(Vec::new());
                number
            }
        };
        let is_failure = attempt.stop().is_technical();
        let place = self.push(attempt);
        if is_failure {
            self.failures.push(place);
        }
        let places = &mut self.of_tasks[number as usize];
        match places.binary_search_by_key(&repetition, |(repetition, _)| *repetition) {
            Ok(at) => {
                let before = std::mem::replace(&mut places[at].1, place);
                self.take(before);
            }
            Err(at) => {
                places.insert(at, (repetition, place));
                self.count += 1;
            }
        }
    }

    /// Attempts at a task that count, sorted by repetition: the last attempt of each repetition.
    pub fn of_task(&self, task: &str) -> Vec<&A> {
        let places = self.places(task).iter();
        places.filter_map(|(_, place)| self.at(*place)).collect()
    }

    /// The attempt that counts for a task and repetition.
    pub fn get(&self, task: &str, repetition: u32) -> Option<&A> {
        let places = self.places(task);
        let at = places.binary_search_by_key(&repetition, |(repetition, _)| *repetition);
        self.at(places[at.ok()?].1)
    }

    fn places(&self, task: &str) -> &[(u32, u32)] {
        let number = self.tasks.get(task);
        number.map_or(&[], |number| &self.of_tasks[*number as usize])
    }
}

/// Serializes only the attempts that count, as a list.
impl<A: Serialize> Serialize for Attempts<A> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

impl<'de, A: AttemptEnd + Deserialize<'de>> Deserialize<'de> for Attempts<A> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct List<A>(PhantomData<A>);

        impl<'de, A: AttemptEnd + Deserialize<'de>> Visitor<'de> for List<A> {
            type Value = Attempts<A>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list of attempts")
            }

            fn visit_seq<L: SeqAccess<'de>>(self, mut list: L) -> Result<Self::Value, L::Error> {
                let mut attempts = Attempts::default();
                while let Some(attempt) = list.next_element()? {
                    attempts.end(attempt);
                }
                Ok(attempts)
            }
        }

        deserializer.deserialize_seq(List(PhantomData))
    }
}
