//! Determines which attempts cannot be forked.

use koab_core::level::Level;
use koab_core::run_record::RunSpec;
use koab_core::say;
use koab_core::sentence::Sentence;

/// Returns the reason why attempts at a task cannot be forked, from the settings of the run and the
/// group of the task. `None` if they can be forked.
pub fn no_fork(spec: Option<&RunSpec>, task: &str, level: &Level) -> Option<Sentence> {
    if let Some(agent) = spec.and_then(|spec| spec.agent.as_ref()) {
        return Some(say!(
            "an attempt of the agent {} cannot be forked: no agent takes over a conversation that it did not have; fork a run of the model without --agent",
            agent.label()
        ));
    }
    (!Level::ALL.contains(level))
        .then(|| say!("{task} is one request and one reply, so there is no step to fork at"))
}
