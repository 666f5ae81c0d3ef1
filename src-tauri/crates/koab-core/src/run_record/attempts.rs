//! Which attempts of a run count, said once.

use super::{AttemptRecord, LinePlace, StopReason, TokenUsage};
use serde::de::{DeserializeOwned, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::collections::{BTreeSet, HashMap};
use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

/// An attempt that ended, as whole as its reader needs it.
pub trait AttemptEnd {
    /// As much of its record as is read.
    type Record: DeserializeOwned;
    /// What its reader keeps of it, and where its line stands.
    fn from_record(record: Self::Record, place: LinePlace) -> Self;
    /// Its task and 1-based repetition.
    fn key(&self) -> (&str, u32);
    /// Why it ended.
    fn stop(&self) -> StopReason;
    /// Tokens of its turns that reported any.
    fn usage(&self) -> TokenUsage;
    /// Takes the task's id that other attempts at it have as well, so that it is in memory once.
    fn share(&mut self, _task: &Arc<str>) {}
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

/// The attempts of a run in the order in which they ended.
///
/// Of each task and repetition the last one counts. A new start makes again what failed for
/// technical reasons, so those failures count no more once it has begun.
#[derive(Clone, Debug)]
pub struct Attempts<A> {
    /// Attempts; `None` where one counts no more. In pieces, since one long list is copied whenever
    /// it grows.
    ended: Vec<Vec<Option<A>>>,
    /// Tasks by id, numbered as they come.
    tasks: HashMap<Arc<str>, u32>,
    /// Of each task the repetitions that count, in their order, and where in `ended` they stand.
    of_tasks: Vec<Vec<(u32, u32)>>,
    /// Places of technical failures.
    failures: Vec<u32>,
    /// How many count.
    count: usize,
}

impl<A> Default for Attempts<A> {
    fn default() -> Self {
        Self {
            ended: Vec::new(),
            tasks: HashMap::new(),
            of_tasks: Vec::new(),
            failures: Vec::new(),
            count: 0,
        }
    }
}

/// Attempts of a piece.
const PIECE: usize = 4096;

impl<A> Attempts<A> {
    fn at(&self, place: u32) -> Option<&A> {
        let place = place as usize;
        self.ended.get(place / PIECE)?.get(place % PIECE)?.as_ref()
    }

    fn take(&mut self, place: u32) -> Option<A> {
        let place = place as usize;
        self.ended.get_mut(place / PIECE)?.get_mut(place % PIECE)?.take()
    }

    /// Appends an attempt and says where.
    fn push(&mut self, attempt: A) -> u32 {
        if self.ended.last().is_none_or(|piece| piece.len() == PIECE) {
            // The first one grows as it is filled: most runs are short.
            let room = if self.ended.is_empty() { 0 } else { PIECE };
            self.ended.push(Vec::with_capacity(room));
        }
        let before = (self.ended.len() - 1) * PIECE;
        self.ended.last_mut().map_or(0, |piece| {
            piece.push(Some(attempt));
            (before + piece.len() - 1) as u32
        })
    }

    /// Those that count.
    pub fn iter(&self) -> impl Iterator<Item = &A> {
        self.ended.iter().flatten().flatten()
    }

    /// How many count.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether none counts.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }
}

/// Those that count, by value. Each piece is let go when its last one is taken.
impl<A> IntoIterator for Attempts<A> {
    type Item = A;
    type IntoIter = std::iter::Flatten<std::iter::Flatten<std::vec::IntoIter<Vec<Option<A>>>>>;

    fn into_iter(self) -> Self::IntoIter {
        self.ended.into_iter().flatten().flatten()
    }
}

impl<A: AttemptEnd> Attempts<A> {
    /// The run starts, or starts again.
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

    /// An attempt ended.
    pub fn end(&mut self, mut attempt: A) {
        let (task, repetition) = attempt.key();
        let number = match self.tasks.get_key_value(task) {
            Some((shared, number)) => {
                let (shared, number) = (Arc::clone(shared), *number);
                attempt.share(&shared);
                number
            }
            None => {
                let (shared, number) = (Arc::<str>::from(task), self.tasks.len() as u32);
                attempt.share(&shared);
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

    /// Those at a task that count, by repetition.
    pub fn of_task(&self, task: &str) -> Vec<&A> {
        let places = self.places(task).iter();
        places.filter_map(|(_, place)| self.at(*place)).collect()
    }

    /// The one at a task and repetition.
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

/// As the list of those that count.
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
