//! Shows a run on stderr: on a terminal a bar with the estimated time of its end, otherwise one
//! line per level.

use crate::output::{Bar, Output};
use koab_api::{EventSink, RunEvent, RunEventKind};
use koab_core::level::Level;
use koab_core::run_record::RunChange;
use koab_core::sentence::Language;
use koab_core::sentence::{Sentence, ToSentence as _};
use koab_core::{say, text};
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

/// Shows the progress of a run.
pub(crate) struct RunProgress {
    bar: Bar,
    plain: bool,
    lang: Language,
    tally: Mutex<Tally>,
}

#[derive(Default)]
struct Tally {
    /// Number of attempts that are left at each level.
    left: BTreeMap<Level, u32>,
    calls: u32,
    tokens: u64,
    failed: u32,
    /// Reason and end of the last reported wait. The end is in seconds since the Unix epoch.
    pause: Option<(Sentence, u64)>,
}

impl RunProgress {
    pub(crate) fn new(quiet: bool, lang: Language) -> Self {
        let bar = Bar::new("{bar:30} {pos}/{len}  {elapsed_precise}  ETA {eta}  {msg}", quiet);
        Self { plain: !quiet && !bar.is_shown(), bar, lang, tally: Mutex::default() }
    }

    fn line(&self, text: &str) {
        if self.plain {
            let output = Output { json: false, quiet: false, lang: self.lang };
            output.remark(text);
        } else {
            self.bar.line(text);
        }
    }
}

impl EventSink for RunProgress {
    fn send(&self, event: &RunEvent) {
        let mut tally = self.tally.lock().unwrap_or_else(PoisonError::into_inner);
        match &event.kind {
            RunEventKind::RunStarted {
                levels,
                repetitions,
                attempts,
                model,
                pack,
                protocol,
                concurrency,
                problems,
                ..
            } => {
                self.bar.length(u64::from(*attempts));
                self.bar.tick();
                for plan in levels {
                    tally.left.insert(plan.level.clone(), plan.tasks.len() as u32 * repetitions);
                }
                self.line(&self.lang.say(&say!(
                    "run: {model}, {pack}, {protocol}, {attempts} attempts ({concurrency} at once)"
                )));
                for problem in problems {
                    self.line(&self.lang.say(problem));
                }
            }
            RunEventKind::AttemptsEnded { so_far } => {
                let count = so_far.ended() as u32;
                self.bar.advance_by(u64::from(count));
                tally.calls += so_far.calls;
                tally.tokens = tally.tokens.saturating_add(so_far.total_tokens);
                if let Some(left) = tally.left.get_mut(&so_far.level) {
                    *left = left.saturating_sub(count);
                }
            }
            RunEventKind::StepFinished { calls, .. } => tally.calls += calls,
            RunEventKind::Waiting { task, reason, wait_ms, until_ms, .. } => {
                // Waits for a free slot are only in the journal. Waits with a known end are
                // printed, and a pause of all calls only once.
                let pause = until_ms.map(|until| (reason.clone(), until / 1000));
                if pause.is_some() && tally.pause != pause {
                    self.line(&self.lang.say(&say!(
                        "{task}: waiting {seconds:.1} s: {reason}",
                        seconds = *wait_ms as f64 / 1000.0
                    )));
                    tally.pause = pause;
                }
            }
            RunEventKind::AttemptFinished { task, level, total_tokens, error, stop, .. } => {
                self.bar.advance();
                tally.tokens = tally.tokens.saturating_add(*total_tokens);
                if stop.is_technical() {
                    tally.failed += 1;
                    let why = error.clone().unwrap_or_else(|| say!("failed"));
                    self.line(&format!("{task}: {}", self.lang.say(&why)));
                }
                if let Some(left) = tally.left.get_mut(level) {
                    *left = left.saturating_sub(1);
                    if *left == 0 && self.plain {
                        let text = self.lang.text(text!("done"));
                        self.line(&format!("{level} {text} ({:.1} s)", event.elapsed_ms as f64 / 1000.0));
                    }
                }
                let Tally { calls, tokens, failed, .. } = &*tally;
                self.bar
                    .message(&self.lang.say(&say!("{calls} tool calls, {tokens} tokens, {failed} failed")));
            }
            RunEventKind::RunFinished { .. } => self.bar.finish(),
            RunEventKind::RunPaused { reason } => match reason {
                Some(why) => self.line(&self.lang.say(&say!("paused: {why}"))),
                None => self.line(self.lang.text(text!("paused"))),
            },
            // Changes of an earlier start are part of the settings.
            RunEventKind::RunChanged { record, .. } if record.at_ms + event.elapsed_ms < event.at_ms => {}
            RunEventKind::RunChanged { record, planned } => {
                self.bar.length(u64::from(*planned));
                self.line(&self.lang.say(&say!("changed: {change}", change = record.change.to_sentence())));
                if let RunChange::Retry { attempts } = &record.change {
                    self.bar.retreat_by(attempts.len() as u64);
                    tally.failed = tally.failed.saturating_sub(attempts.len() as u32);
                }
            }
            RunEventKind::RunResumed {} => self.line(self.lang.text(text!("resumed"))),
            // Another event follows and reports the outcome.
            RunEventKind::CallFailed { .. }
            | RunEventKind::AttemptStarted { .. }
            | RunEventKind::StepStarted { .. }
            | RunEventKind::ToolAnswered { .. } => {}
        }
    }
}
