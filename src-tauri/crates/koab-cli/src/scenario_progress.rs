//! Shows a run of scenarios on stderr: the output of the trials as it arrives, and on a terminal a
//! bar with the estimated time of the end.

use crate::output::{Bar, Output};
use koab_api::ScenarioEvent;
use koab_core::sentence::Language;
use koab_core::text;
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

/// Shows the progress of a run of scenarios.
pub(crate) struct ScenarioProgress {
    bar: Bar,
    output: Output,
    /// Whether each line of output begins with its trial, because several trials run at once.
    named: bool,
    /// Last line of each trial that is not complete yet.
    unfinished: Mutex<BTreeMap<String, String>>,
}

impl ScenarioProgress {
    pub(crate) fn new(output: Output, named: bool) -> Self {
        Self {
            bar: Bar::new("{bar:30} {pos}/{len}  {elapsed_precise}  ETA {eta}  {msg}", output.quiet),
            output,
            named,
            unfinished: Mutex::default(),
        }
    }

    /// Handles an event of a run of scenarios.
    pub(crate) fn hear(&self, event: &ScenarioEvent) {
        match event {
            ScenarioEvent::Planned(plan) => {
                let trials = plan.iter().filter(|(_, step)| !step.is_skip()).count();
                self.bar.length(trials as u64);
            }
            ScenarioEvent::Started(trial) => {
                let text = self.output.lang.text(text!("running"));
                self.line(&format!("{text} {trial}"));
            }
            ScenarioEvent::Output(trial, text) => self.output_of(&trial.to_string(), text),
            ScenarioEvent::Ended(trial, outcome) => {
                let trial = trial.to_string();
                self.output_of(&trial, "\n");
                self.bar.advance();
                let detail = outcome
                    .detail
                    .as_ref()
                    .map_or_else(String::new, |detail| format!(": {}", self.output.lang.say(detail)));
                let seconds = outcome.seconds.map_or_else(String::new, |seconds| format!(", {seconds:.1} s"));
                self.line(&format!(
                    "{trial}: {}{seconds}{detail}",
                    cause(outcome.cause.name(), self.output.lang)
                ));
            }
            ScenarioEvent::Broken(trial, why) => {
                self.line(&format!("{trial}: {}", self.output.lang.say(why)))
            }
        }
    }

    /// Removes the bar from the terminal.
    pub(crate) fn finish(&self) {
        self.bar.finish();
    }

    /// Prints the complete lines of a trial's output, so that lines of several trials do not mix.
    fn output_of(&self, trial: &str, text: &str) {
        let mut unfinished = self.unfinished.lock().unwrap_or_else(PoisonError::into_inner);
        let waiting = unfinished.entry(trial.to_owned()).or_default();
        // Only the new text is searched, since a line may be as long as a log.
        let Some(end) = text.rfind('\n') else {
            waiting.push_str(text);
            return;
        };
        let (whole, rest) = text.split_at(end + 1);
        let mut lines = std::mem::replace(waiting, rest.to_owned());
        lines.push_str(whole);
        drop(unfinished);
        for line in lines.lines().filter(|line| !line.is_empty()) {
            if self.named {
                self.line(&format!("[{trial}] {line}"));
            } else {
                self.line(line);
            }
        }
    }

    fn line(&self, text: &str) {
        // Of text that a program overwrites, such as its own bar, only the last state is shown.
        let text = text.rsplit('\r').find(|part| !part.is_empty()).unwrap_or_default();
        if self.bar.is_shown() {
            self.bar.line(text);
        } else {
            self.output.remark(text);
        }
    }
}

/// Cause of an outcome, as a word in the user's language.
pub(crate) fn cause(name: &str, lang: Language) -> &str {
    match name {
        "completed" => lang.text(text!("completed", "a trial")),
        "failed" => lang.text(text!("failed", "a trial")),
        "timed_out" => lang.text(text!("timed out")),
        "out_of_memory" => lang.text(text!("out of memory")),
        "could_not_start" => lang.text(text!("could not start")),
        "cancelled" => lang.text(text!("cancelled", "a trial")),
        "lost" => lang.text(text!("lost")),
        other => other,
    }
}
