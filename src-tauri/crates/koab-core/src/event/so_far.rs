//! Totals of the ended attempts at one task.
//!
//! A reader that connects late receives one event with these totals instead of all earlier events.

use super::{AnswerSource, RunEventKind};
use crate::level::Level;
use crate::run_record::{AttemptSummary, CacheUse, StopReason};
use crate::sentence::Sentence;
use serde::{Deserialize, Serialize};
use std::borrow::Borrow;
use std::collections::HashMap;
use std::sync::Arc;

/// Totals of the ended attempts at one task. Each attempt adds only one byte.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct TaskSoFar {
    /// Task id.
    pub task: String,
    /// Level of the task.
    pub level: Level,
    /// End of each repetition in order, as one letter per repetition; `-` if it has not ended.
    ///
    /// The letter shows the reason: `a` answered, `c` cut off, `s` step limit, `t` timed out, `m`
    /// model failed, `g` agent failed, `b` budget, `x` cancelled. The letter is in upper case if
    /// the attempt ended without an answer.
    pub ends: String,
    /// Number of attempts that ended in an earlier start of the run.
    pub kept: u32,
    /// Number of model turns.
    pub steps: u32,
    /// Number of tool calls.
    pub calls: u32,
    /// Prompt tokens; null when no turn reported tokens.
    pub prompt_tokens: Option<u64>,
    /// Completion tokens; null when no turn reported tokens.
    pub completion_tokens: Option<u64>,
    /// Prompt plus completion tokens.
    pub total_tokens: u64,
    /// Number of model turns without reported tokens.
    pub unreported: u32,
    /// Number of calls for each source of answers.
    pub answers: CacheUse,
    /// Problems of the attempts. Equal problems are listed once.
    pub problems: Vec<TaskProblem>,
    /// Error of the last attempt that had one.
    pub error: Option<Sentence>,
}

/// A problem in attempts at a task.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct TaskProblem {
    /// Reason for the end of the attempts; null if the problem is a cache miss.
    pub stop: Option<StopReason>,
    /// Error message; null if `stop` alone describes the problem.
    pub message: Option<Sentence>,
    /// Tool whose call had no cached response; null for other problems.
    pub tool: Option<String>,
    /// Number of occurrences.
    pub count: u32,
}

impl TaskSoFar {
    /// Creates totals without attempts.
    pub fn new(task: String, level: Level) -> Self {
        Self {
            task,
            level,
            ends: String::new(),
            kept: 0,
            steps: 0,
            calls: 0,
            prompt_tokens: None,
            completion_tokens: None,
            total_tokens: 0,
            unreported: 0,
            answers: CacheUse::default(),
            problems: Vec::new(),
            error: None,
        }
    }

    /// Totals of a run's ended attempts, one item per task. Tasks are in the order of their first
    /// attempts.
    pub fn by_task(attempts: impl IntoIterator<Item: Borrow<AttemptSummary>>) -> Vec<Self> {
        let mut tasks: Vec<Self> = Vec::new();
        let mut places = HashMap::new();
        for attempt in attempts {
            let attempt = attempt.borrow();
            let place = *places.entry(Arc::clone(&attempt.task)).or_insert_with(|| {
                tasks.push(Self::new(attempt.task.to_string(), attempt.level.clone()));
                tasks.len() - 1
            });
            tasks[place].add(attempt);
        }
        tasks
    }

    /// Adds an attempt of an earlier start.
    pub fn add(&mut self, attempt: &AttemptSummary) {
        self.kept += 1;
        self.steps += attempt.steps;
        self.calls += attempt.calls;
        self.unreported += attempt.silent_steps;
        self.answers.add(&attempt.answers());
        let usage = attempt.usage();
        self.total_tokens = self.total_tokens.saturating_add(usage.total_tokens);
        if attempt.silent_steps < attempt.steps {
            add(&mut self.prompt_tokens, usage.prompt_tokens);
            add(&mut self.completion_tokens, usage.completion_tokens);
        }
        for tool in attempt.missed() {
            self.miss(tool);
        }
        self.end(&AttemptOutcome {
            repetition: attempt.repetition,
            success: attempt.success,
            stop: attempt.stop,
            cut_off: attempt.cut_off,
            error: attempt.error(),
        });
    }

    /// Adds an event of an attempt that has ended. The last event of an attempt is
    /// `AttemptFinished`.
    pub fn take(&mut self, event: &RunEventKind) {
        match event {
            RunEventKind::StepFinished { calls, prompt_tokens, completion_tokens, .. } => {
                self.steps += 1;
                self.calls += calls;
                self.unreported += u32::from(prompt_tokens.is_none());
                if let Some(tokens) = prompt_tokens {
                    add(&mut self.prompt_tokens, *tokens);
                }
                if let Some(tokens) = completion_tokens {
                    add(&mut self.completion_tokens, *tokens);
                }
            }
            RunEventKind::ToolAnswered { source, tool, .. } => {
                self.answers.count(*source);
                if *source == AnswerSource::Miss {
                    self.miss(tool);
                }
            }
            RunEventKind::AttemptFinished {
                repetition, success, stop, cut_off, total_tokens, error, ..
            } => {
                self.total_tokens = self.total_tokens.saturating_add(*total_tokens);
                self.end(&AttemptOutcome {
                    repetition: *repetition,
                    success: *success,
                    stop: *stop,
                    cut_off: *cut_off,
                    error: error.as_ref(),
                });
            }
            _ => {}
        }
    }

    /// Marks a repetition as not ended, because it is made again. What it made stays in the totals.
    pub fn reopen(&mut self, repetition: u32) {
        if self.has(repetition) {
            let place = repetition as usize - 1;
            self.ends.replace_range(place..=place, OPEN.encode_utf8(&mut [0]));
        }
    }

    /// Whether a repetition has ended.
    pub fn has(&self, repetition: u32) -> bool {
        let end = self.ends.as_bytes().get((repetition as usize).wrapping_sub(1));
        end.is_some_and(|end| *end != OPEN as u8)
    }

    /// Number of repetitions that have ended.
    pub fn ended(&self) -> usize {
        self.ends.bytes().filter(|end| *end != OPEN as u8).count()
    }

    fn end(&mut self, attempt: &AttemptOutcome<'_>) {
        let place = attempt.repetition.max(1) as usize - 1;
        while self.ends.len() <= place {
            self.ends.push(OPEN);
        }
        let letter = match attempt.stop {
            StopReason::Answered => 'a',
            StopReason::CutOff => 'c',
            StopReason::StepLimit => 's',
            StopReason::TimedOut => 't',
            StopReason::ModelFailed => 'm',
            StopReason::AgentFailed => 'g',
            StopReason::BudgetSpent => 'b',
            StopReason::Cancelled => 'x',
        };
        let letter = if attempt.success { letter } else { letter.to_ascii_uppercase() };
        self.ends.replace_range(place..=place, letter.encode_utf8(&mut [0]));
        if let Some(error) = attempt.error {
            self.error = Some(error.clone());
        }
        if attempt.cut_off {
            // Also if the protocol accepts it as an answer: readers of the numbers must know.
            self.problem(Some(StopReason::CutOff), None, None);
        } else if attempt.error.is_some() || !attempt.success && attempt.stop != StopReason::Cancelled {
            self.problem(Some(attempt.stop), attempt.error.cloned(), None);
        }
    }

    fn miss(&mut self, tool: &str) {
        self.problem(None, None, Some(tool));
    }

    fn problem(&mut self, stop: Option<StopReason>, message: Option<Sentence>, tool: Option<&str>) {
        let entry = self.problems.iter_mut().find(|problem| {
            problem.stop == stop && problem.message == message && problem.tool.as_deref() == tool
        });
        match entry {
            Some(problem) => problem.count += 1,
            None => {
                self.problems.push(TaskProblem { stop, message, tool: tool.map(str::to_owned), count: 1 })
            }
        }
    }
}

const OPEN: char = '-';

struct AttemptOutcome<'a> {
    repetition: u32,
    success: bool,
    stop: StopReason,
    cut_off: bool,
    error: Option<&'a Sentence>,
}

fn add(sum: &mut Option<u64>, more: u64) {
    *sum = Some(sum.unwrap_or(0).saturating_add(more));
}
