//! Conduct of an external agent apart from its steps and calls: its own tools, the hosts that it
//! tried to reach, and its calls and processes after the end of an attempt. The data comes from the
//! journal and from a file for each attempt.

use crate::Library;
use crate::wire::{AgentCalls, AgentConduct, OwnTool};
use koab_core::run_record::AgentFacts;
use koab_workspace::WireError;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Returns the conduct of the agent in one attempt of a run.
pub(crate) fn of_attempt(folder: &Path, task: &str, repetition: u32, facts: &AgentFacts) -> AgentConduct {
    let mut sum = Sum::default();
    sum.add(folder, task, repetition, facts);
    sum.whole()
}

impl Library {
    /// Returns the conduct of a run's agent, summed over the attempts that count. `None` if this
    /// program drove the model, and before the first attempt has ended.
    ///
    /// # Errors
    /// When the run does not exist, or its files cannot be read.
    pub fn run_conduct(&self, run: &str) -> Result<Option<AgentConduct>, WireError> {
        // The manifest shows whether the run has an agent, and is read faster than the journal.
        let of = self.entry_of(run)?.run;
        if of.manifest()?.is_none_or(|manifest| manifest.spec.agent.is_none()) {
            return Ok(None);
        }
        let journal = self.inner.kept.journal(&of.folder)?;
        let (mut sum, folder) = (Sum::default(), &of.folder);
        for attempt in journal.attempts() {
            if let Some(facts) = attempt.agent() {
                sum.add(folder, &attempt.task, attempt.repetition, facts);
            }
        }
        // In a sum over the run, all hosts are hosts of the run.
        let all = AgentConduct { hosts_of_run: false, ..sum.whole() };
        Ok((all.attempts > 0).then_some(all))
    }
}

/// Sums of the conduct over attempts.
#[derive(Default)]
struct Sum {
    conduct: AgentConduct,
    own_tools: BTreeMap<String, u32>,
    hosts: Option<BTreeSet<String>>,
    /// Number of attempts with a call, whose start-up times are in the sum.
    begun: u32,
    startup_s: f64,
}

impl Sum {
    fn add(&mut self, folder: &Path, task: &str, repetition: u32, facts: &AgentFacts) {
        let sum = &mut self.conduct;
        sum.attempts += 1;
        if !facts.by_arrival {
            let calls = sum.asked.get_or_insert_with(AgentCalls::default);
            calls.model_calls += facts.model_calls;
            calls.side_calls += facts.side_calls;
            calls.own_calls += facts.own_tools;
            calls.unmade += facts.unmade;
            calls.changed += facts.changed;
            calls.by_agent += facts.by_agent;
            for (name, count) in &facts.own_tools_by_name {
                *self.own_tools.entry(name.clone()).or_default() += count;
            }
        }
        if let Some(seconds) = facts.startup_s {
            self.begun += 1;
            self.startup_s += seconds;
        }
        let Some(file) = koab_agents::attempt_file(folder, task, repetition) else {
            sum.unread += 1;
            return;
        };
        sum.after_end += file.after_end;
        sum.outlived += u32::from(file.outlived);
        sum.hosts_of_run |= file.hosts_of_run;
        if let Some(hosts) = file.hosts {
            self.hosts.get_or_insert_default().extend(hosts);
        }
    }

    fn whole(self) -> AgentConduct {
        let tools = self.own_tools.into_iter();
        let mut own_tools: Vec<OwnTool> = tools.map(|(name, calls)| OwnTool { name, calls }).collect();
        own_tools.sort_by_key(|tool| Reverse(tool.calls));
        AgentConduct {
            asked: self.conduct.asked.map(|asked| AgentCalls { own_tools, ..asked }),
            startup_s: (self.begun > 0).then(|| self.startup_s / f64::from(self.begun)),
            hosts: self.hosts.map(|hosts| hosts.into_iter().collect()),
            ..self.conduct
        }
    }
}

#[cfg(test)]
mod tests;
