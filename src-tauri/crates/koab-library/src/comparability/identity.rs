//! Hashes that identify the pack of a run in the run's files.

use crate::Library;
use koab_core::pack::Pack;
use koab_core::pack_identity::{PackIdentity, tasks_sha256, tool_sha256};
use koab_core::protocol::Protocol;
use koab_core::task::Task;
use koab_workspace::WireError;
use std::collections::{BTreeMap, BTreeSet};

impl Library {
    /// Returns the hash of the pack, and the hashes of the tools that these tasks may offer.
    pub fn pack_identity(
        &self,
        pack: &Pack,
        tasks: &[Task],
        protocol: Protocol,
    ) -> Result<PackIdentity, WireError> {
        Ok(PackIdentity {
            tasks_sha256: tasks_sha256(&pack.tasks),
            records_sha256: self.workspace.store()?.records_hash(&pack.label())?,
            tools: offered(pack, tasks, protocol),
        })
    }
}

fn offered(pack: &Pack, tasks: &[Task], protocol: Protocol) -> BTreeMap<String, String> {
    let mut names = BTreeSet::new();
    for task in tasks {
        names.extend(task.expected_tools());
        names.extend(task.fallback_tools());
        if protocol.rules().l2_offers_distractors {
            names.extend(task.available_tools());
        }
    }
    let tools = pack.tools.iter().filter(|tool| names.contains(&tool.name));
    tools.map(|tool| (tool.name.clone(), tool_sha256(tool))).collect()
}
