//! Shows a run of scenarios on stderr: what they print as they print it, and a bar with ETA on a terminal.

use crate::lang::Lang;
use crate::output::Output;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use koab_api::ScenarioEvent;
use std::collections::BTreeMap;
use std::io::IsTerminal as _;
use std::sync::{Mutex, PoisonError};

/// Watches a run of scenarios.
pub(crate) struct ScenarioProgress {
    bar: ProgressBar,
    output: Output,
    /// Whether lines name their trial: several run at once.
    named: bool,
    terminal: bool,
    /// The unfinished line of each trial.
    unfinished: Mutex<BTreeMap<String, String>>,
}

impl ScenarioProgress {
    pub(crate) fn new(output: Output, named: bool) -> Self {
        let terminal = std::io::stderr().is_terminal();
        let target = if output.quiet || !terminal {
            ProgressDrawTarget::hidden()
        } else {
            ProgressDrawTarget::stderr()
        };
        let bar = ProgressBar::with_draw_target(Some(0), target);
        if let Ok(style) =
            ProgressStyle::with_template("{bar:30} {pos}/{len}  {elapsed_precise}  ETA {eta}  {msg}")
        {
            bar.set_style(style);
        }
        Self {
            bar,
            output,
            named,
            terminal,
            unfinished: Mutex::default(),
        }
    }

    /// Takes an event of the run.
    pub(crate) fn hear(&self, event: &ScenarioEvent) {
        match event {
            ScenarioEvent::Planned(plan) => {
                let left = plan.iter().filter(|(_, step)| !step.is_skip()).count();
                self.bar.set_length(left as u64);
            }
            ScenarioEvent::Started(trial) => {
                let text = self.output.lang.pick("실행", "running");
                self.line(&format!("{text} {trial}"));
            }
            ScenarioEvent::Output(trial, text) => self.output_of(&trial.to_string(), text),
            ScenarioEvent::Ended(trial, outcome) => {
                let trial = trial.to_string();
                self.output_of(&trial, "\n");
                self.bar.inc(1);
                let detail = outcome.detail.as_ref().map_or_else(String::new, |detail| {
                    format!(": {}", self.output.lang.said(detail))
                });
                let seconds = outcome
                    .seconds
                    .map_or_else(String::new, |seconds| format!(", {seconds:.1} s"));
                self.line(&format!(
                    "{trial}: {}{seconds}{detail}",
                    cause(outcome.cause.name(), self.output.lang)
                ));
            }
            ScenarioEvent::Broken(trial, why) => {
                self.line(&format!("{trial}: {}", self.output.lang.said(why)))
            }
        }
    }

    /// Takes the bar away.
    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }

    /// Prints whole lines; what is unfinished waits, so that trials do not cut each other's lines.
    fn output_of(&self, trial: &str, text: &str) {
        let mut unfinished = self.unfinished.lock().unwrap_or_else(PoisonError::into_inner);
        let waiting = unfinished.entry(trial.to_owned()).or_default();
        waiting.push_str(text);
        let Some(end) = waiting.rfind('\n') else { return };
        let rest = waiting.split_off(end + 1);
        let lines = std::mem::replace(waiting, rest);
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
        // What a scenario prints may hold codes that a terminal obeys.
        let shown: String = text.chars().filter(|c| !c.is_control() || *c == '\t').collect();
        if self.terminal && !self.output.quiet {
            self.bar.println(shown);
        } else {
            self.output.remark(&shown);
        }
    }
}

/// A cause of an outcome in the user's language.
fn cause(name: &str, lang: Lang) -> &str {
    match name {
        "completed" => lang.pick("끝까지 실행됨", "completed"),
        "failed" => lang.pick("오류로 끝남", "failed"),
        "timed_out" => lang.pick("시간 초과", "timed out"),
        "out_of_memory" => lang.pick("메모리 부족", "out of memory"),
        "could_not_start" => lang.pick("시작하지 못함", "could not start"),
        "cancelled" => lang.pick("중지됨", "cancelled"),
        "lost" => lang.pick("실행 환경이 사라짐", "lost"),
        other => other,
    }
}
