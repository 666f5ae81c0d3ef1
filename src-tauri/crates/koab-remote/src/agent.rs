//! Agents in runs on a cluster. Workers run the agent's program directly on the nodes, where it
//! must be installed.

use crate::Remote;
use koab_agents::Definition;
use koab_core::run_record::RunSpec;
use koab_core::say;
use koab_library::RunRequest;
use koab_runs::runs::agent::{chosen, described, is_own_model};
use koab_workspace::WireError;

/// Definition of the agent that a run on a cluster uses, and whether the agent calls a model of its
/// own.
pub(super) struct AgentThere {
    pub(super) definition: Definition,
    pub(super) own_model: bool,
}

impl Remote {
    /// Returns the agent of a new run, and the run's settings completed with the agent. The version
    /// and the check of the agent are those of this computer; the nodes are assumed to have the
    /// same program.
    pub(super) async fn agent_there(
        &self,
        request: &RunRequest,
        spec: RunSpec,
        tasks: usize,
    ) -> Result<(RunSpec, Option<AgentThere>), WireError> {
        let Some(definition) = chosen(request, None, self.workspace.gate())? else {
            return Ok((spec, None));
        };
        let name = &definition.name;
        if definition.is_by_hand() {
            return Err(by_hand(name));
        }
        let isolation = self.runs.isolation(&definition, request, None).await?;
        if isolation.is_contained() {
            return Err(contained(name));
        }
        let own_model = is_own_model(request, Some(&definition));
        let home = Some(self.workspace.home()).filter(|_| !own_model && !request.unchecked);
        let spec = described(&definition, &isolation, spec, tasks, home).await?;
        Ok((spec, Some(AgentThere { definition, own_model })))
    }
}

/// Error message: workers cannot run an agent that is used by hand.
pub(super) fn by_hand(name: &str) -> WireError {
    WireError::bad_request(say!("{name} is used by hand, so no worker can run it; leave --on out"))
}

/// Error message: workers cannot run an agent in a container.
pub(super) fn contained(name: &str) -> WireError {
    WireError::bad_request(say!(
        "workers run {name} on their nodes themselves and not in a container, so that it can read everything that you can read there; add --native to a new run, or leave --on out"
    ))
}
