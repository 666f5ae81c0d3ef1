//! Reader of `journal.jsonl`: starts of a run, attempts that count, steps of unfinished attempts,
//! and damaged lines.

use super::{
    AttemptEnd, AttemptLimits, AttemptRecord, Attempts, ChangeRecord, DamagedLine, JournalLine, LinePlace,
    LineReader, RunChange, RunManifest, RunSpec, StepLine, TokenUsage,
};
use crate::event::RunOutcome;
use crate::say;
use crate::sentence::Sentence;
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use std::collections::{HashMap, HashSet};

/// A start of a run: its first start, or one that resumed it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Start {
    /// Time of the start, milliseconds since the Unix epoch.
    pub at_ms: u64,
    /// Settings of the start.
    pub spec: RunSpec,
}

/// Steps of attempts that have not ended, by task and repetition.
pub type OpenSteps = HashMap<(String, u32), Vec<StepLine>>;

/// Limits of attempts that began before the limits were changed, by task and repetition.
pub type EarlierLimits = HashMap<(String, u32), AttemptLimits>;

/// Content of a run's journal. `A` is the type of a stored attempt: its whole record or a summary.
///
/// The content can be serialized as a whole, so that a long file does not have to be read again.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(bound(serialize = "A: Serialize", deserialize = "A: AttemptEnd + Deserialize<'de>"))]
pub struct Journal<A = AttemptRecord> {
    /// Starts of the run in order.
    pub starts: Vec<Start>,
    /// Outcome of the last start; `None` while it is running, or if its process was killed.
    pub outcome: Option<RunOutcome>,
    /// Changes of the run while it was being made, in order.
    pub changes: Vec<ChangeRecord>,
    /// The attempts that count: the last attempt of each task and repetition.
    pub attempts: Attempts<A>,
    /// Damaged lines. An attempt in a damaged line counts as not made.
    pub damaged: Vec<DamagedLine>,
    /// Whether the last line is incomplete, because of a crash or because it is being written. Its
    /// content is ignored.
    pub cut_off: bool,
    /// Steps of attempts that have not ended. Another start continues after these steps.
    #[serde(with = "pairs")]
    under_way: OpenSteps,
    /// Limits of unfinished attempts that began before the limits were changed.
    #[serde(with = "pairs")]
    limits: EarlierLimits,
    /// Settings of the last start, with the changes since.
    spec: Option<RunSpec>,
    /// Unfinished attempts without a step in the last start.
    before: HashSet<(String, u32)>,
    /// Number of damaged lines before the last start.
    before_start: usize,
    /// Tokens of ended attempts, and of steps that were discarded.
    spent: TokenUsage,
    reader: LineReader,
    /// Number of bytes read so far.
    read: u64,
}

impl<A> Default for Journal<A> {
    fn default() -> Self {
        Self {
            starts: Vec::new(),
            outcome: None,
            changes: Vec::new(),
            attempts: Attempts::default(),
            damaged: Vec::new(),
            cut_off: false,
            under_way: HashMap::new(),
            limits: HashMap::new(),
            spec: None,
            before: HashSet::new(),
            before_start: 0,
            spent: TokenUsage::default(),
            reader: LineReader::default(),
            read: 0,
        }
    }
}

impl<A: AttemptEnd> Journal<A> {
    /// Reads a whole journal.
    pub fn read(content: &[u8]) -> Self {
        let mut journal = Self::default();
        for line in content.split_inclusive(|byte| *byte == b'\n') {
            journal.line(line);
        }
        journal
    }

    /// Reads the next line. A line without a line end must be the last one; it is complete, or was
    /// cut off by a crash.
    pub fn line(&mut self, text: &[u8]) {
        let place = LinePlace { offset: self.read, length: text.len() as u32 };
        self.read += text.len() as u64;
        match self.reader.line(text) {
            None => {}
            Some(Ok(line)) => self.take(line, place),
            Some(Err(_)) if is_cut_off(text) => self.cut_off = true,
            Some(Err(damaged)) => self.damaged.push(damaged),
        }
    }

    /// Number of bytes read so far.
    pub fn length(&self) -> u64 {
        self.read
    }

    /// Adds the content of one line.
    pub fn take(&mut self, line: JournalLine<A::Record>, place: LinePlace) {
        match line {
            JournalLine::Run { at_ms, spec, .. } => {
                self.attempts.start();
                self.before = self.under_way.keys().cloned().collect();
                self.before_start = self.damaged.len();
                self.outcome = None;
                // An attempt without a step begins anew.
                self.limits.retain(|attempt, _| self.under_way.contains_key(attempt));
                self.spec = Some((*spec).clone());
                self.starts.push(Start { at_ms, spec: *spec });
            }
            JournalLine::Step(step) => {
                let attempt = (step.task.clone(), step.repetition);
                if step.step.step == 1 && self.before.contains(&attempt) {
                    // The attempt was begun again.
                    self.limits.remove(&attempt);
                }
                let steps = self.under_way.entry((step.task.clone(), step.repetition)).or_default();
                // The attempt was begun again, since its earlier steps were damaged or an earlier
                // version wrote them. Or two overlapping starts of a shard continued it, and the
                // later one counts.
                let earlier = steps.partition_point(|known| known.step.step < step.step.step);
                steps.drain(earlier..).for_each(|step| self.spent += used(&step));
                self.before.remove(&(step.task.clone(), step.repetition));
                steps.push(*step);
            }
            JournalLine::Attempt { record } => {
                let attempt = A::from_record(record, place);
                let (task, repetition) = attempt.key();
                self.under_way.remove(&(task.to_owned(), repetition));
                self.limits.remove(&(task.to_owned(), repetition));
                self.spent += attempt.usage();
                self.attempts.end(attempt);
            }
            JournalLine::Change { at_ms, done, change, under_way } => {
                if let RunChange::Retry { attempts } = &change {
                    for attempt in attempts {
                        self.attempts.reopen(&attempt.task, attempt.repetition.unwrap_or(1));
                    }
                }
                if let Some(spec) = &mut self.spec {
                    let limits = AttemptLimits::of(spec);
                    for attempt in under_way {
                        let attempt = (attempt.task, attempt.repetition.unwrap_or(1));
                        // Several changes may follow each other while an attempt is under way.
                        self.limits.entry(attempt).or_insert(limits);
                    }
                    change.apply(spec);
                }
                self.changes.push(ChangeRecord { at_ms, done, change });
            }
            JournalLine::End { outcome, .. } => self.outcome = Some(outcome),
            JournalLine::Wait { .. } | JournalLine::Unfinished { .. } | JournalLine::Shard { .. } => {}
        }
    }

    /// Settings of the last start, with the changes since.
    pub fn spec(&self) -> Option<&RunSpec> {
        self.spec.as_ref()
    }

    /// Removes and returns the limits of unfinished attempts that began before the limits were
    /// changed. An attempt that is continued keeps them.
    pub fn take_limits(&mut self) -> EarlierLimits {
        std::mem::take(&mut self.limits)
    }

    /// Steps of an attempt that has not ended.
    pub fn steps(&self, task: &str, repetition: u32) -> &[StepLine] {
        let steps = self.under_way.get(&(task.to_owned(), repetition));
        steps.map(Vec::as_slice).unwrap_or_default()
    }

    /// Whether an unfinished attempt may start again, because all its steps were made in earlier
    /// starts.
    pub fn may_begin_anew(&self, task: &str, repetition: u32) -> bool {
        self.before.contains(&(task.to_owned(), repetition))
    }

    /// Removes the steps of unfinished attempts and returns the steps that can be continued.
    ///
    /// `begun` has steps of another journal, whose attempts may continue in this journal. It is
    /// empty if there is no other journal.
    pub fn take_steps(&mut self, begun: OpenSteps) -> OpenSteps {
        let mut open = begun;
        for (attempt, own) in std::mem::take(&mut self.under_way) {
            let other = open.get(&attempt).map(Vec::as_slice).unwrap_or_default();
            let first = own.first().map_or(0, |line| line.step.step);
            let earlier = other.iter().take_while(|line| line.step.step < first);
            let steps: Vec<StepLine> = earlier.cloned().chain(own).collect();
            // A merge may have copied steps that a loss of power then removed here.
            if can_go_on(&steps) && !other.starts_with(&steps) {
                open.insert(attempt, steps);
            }
        }
        open
    }

    /// Discards the steps of an unfinished attempt, so that it is not continued.
    pub fn break_off(&mut self, attempt: &(String, u32)) {
        for step in self.under_way.remove(attempt).unwrap_or_default() {
            self.spent += used(&step);
        }
    }

    /// Tokens of all answered model calls, whether or not their attempts ended.
    pub fn spent(&self) -> TokenUsage {
        let mut spent = self.spent;
        let open = self.under_way.values().flatten();
        open.for_each(|step| spent += used(step));
        spent
    }

    /// Attempts that another start does not have to repeat: the attempts that count, without
    /// technical failures.
    pub fn finished(self) -> Attempts<A> {
        let mut attempts = self.attempts;
        attempts.start();
        attempts
    }

    /// Faults of the journal, one sentence each, including contradictions to the run's manifest.
    pub fn problems(&self, manifest: Option<&RunManifest>) -> Vec<Sentence> {
        let lines = self.damaged.iter().enumerate();
        let mut problems: Vec<Sentence> = lines
            .map(|(place, DamagedLine { number, why })| {
                if place < self.before_start {
                    say!("line {number} of journal.jsonl is damaged: {why}; the run was resumed after it")
                } else {
                    say!("line {number} of journal.jsonl is damaged: {why}; its content counts as not done")
                }
            })
            .collect();
        let Some(manifest) = manifest.filter(|manifest| manifest.outcome.is_some()) else {
            return problems;
        };
        let (stated, found) = (manifest.attempts.counts.done, self.attempts.len());
        if stated as usize != found {
            problems.push(say!(
                "run.json counts {stated} attempts and journal.jsonl has {found}; --resume repeats the missing attempts"
            ));
        } else if manifest.outcome != self.outcome {
            problems.push(say!("journal.jsonl lacks the end of the run that run.json records"));
        }
        problems
    }
}

/// Whether an attempt can be continued: no step is missing, and each step has the data that the
/// next request repeats.
fn can_go_on(steps: &[StepLine]) -> bool {
    let is_whole = |(place, line): (usize, &StepLine)| {
        let reply = line.reply.as_ref();
        line.step.step as usize == place + 1
            && reply.is_some_and(|reply| reply.calls.len() == line.calls.len())
    };
    steps.iter().enumerate().all(is_whole)
}

fn used(step: &StepLine) -> TokenUsage {
    step.step.usage.unwrap_or_default()
}

/// Whether an unreadable line is the beginning of a line that was not written completely.
fn is_cut_off(text: &[u8]) -> bool {
    !text.ends_with(b"\n") && serde_json::from_slice::<IgnoredAny>(text).is_err()
}

/// Serialization of a map whose keys are not texts, as a list of pairs.
mod pairs {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    use std::collections::HashMap;
    use std::hash::Hash;

    pub(super) fn serialize<K: Serialize, V: Serialize, S: Serializer>(
        map: &HashMap<K, V>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(map)
    }

    pub(super) fn deserialize<'de, K, V, D>(deserializer: D) -> Result<HashMap<K, V>, D::Error>
    where
        K: Deserialize<'de> + Eq + Hash,
        V: Deserialize<'de>,
        D: Deserializer<'de>,
    {
        Ok(Vec::deserialize(deserializer)?.into_iter().collect())
    }
}
