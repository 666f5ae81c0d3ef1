//! Hands the making and the judging of runs to a cluster engine.
//!
//! [`Remote`] checks a run, submits its workers, and returns their state and their logs. The
//! engines are in `koab-cluster`. The work on a machine of the cluster is in `koab-runs` and
//! `koab-scoring`.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod agent;
mod check;
mod cut;
mod handover;
mod judging;
mod state;
mod submit;

use koab_cluster::ShardLog;
use koab_keys::Keys;
use koab_library::{RemotePlan, RemoteRequest, RemoteRun, RemoteWork, RunRequest};
use koab_packs::Packs;
use koab_runs::Runs;
use koab_workspace::{Workspace, commands};

/// Runs and judgings on cluster engines. Cheap to clone; clones share all state.
#[derive(Clone)]
pub struct Remote {
    workspace: Workspace,
    keys: Keys,
    packs: Packs,
    runs: Runs,
}

impl Remote {
    /// Creates a `Remote` for the runs of this workspace.
    pub fn new(workspace: Workspace, keys: Keys, packs: Packs, runs: Runs) -> Self {
        Self { workspace, keys, packs, runs }
    }
}

commands! { Remote: remote, sink;
    slow run_remote(run: String, work: Option<RemoteWork>) -> RemoteRun [reads Runs] =
        remote.run_remote(&run, work).await;
    slow remote_plan(request: RunRequest, how: RemoteRequest) -> RemotePlan [reads Runs, Packs, Models] =
        remote.remote_plan(request, how).await;
    slow remote_submit(request: RunRequest, how: RemoteRequest) -> RemoteRun [writes Runs, Reports] =
        remote.remote_submit(request, how).await;
    slow judging_resume(run: String, how: RemoteRequest) -> RemoteRun [writes Runs, Reports] =
        remote.judging_resume(&run, &how).await;
    slow remote_cancel(run: String, work: Option<RemoteWork>) -> RemoteRun [writes Runs, Reports] =
        remote.remote_cancel(&run, work).await;
    disk remote_log(run: String, work: Option<RemoteWork>, shard: u32) -> ShardLog [reads Runs] =
        remote.remote_log(&run, work, shard);
}
