//! Second stage of preparing a run: its settings, from the request, the resumed run, the workspace
//! and the agent.

use super::resume::ResumedRun;
use super::same_pack::check_pack;
use crate::Runs;
use crate::runs::agent;
use crate::runs::library::EarlierRun;
use crate::runs::request::{chosen, spec};
use koab_agents::{Definition, Isolation};
use koab_core::pack::Pack;
use koab_core::run_record::RunSpec;
use koab_core::say;
use koab_core::sentence::Sentence;
use koab_core::task::Task;
use koab_engine::ports::RunLog;
use koab_library::{RunRequest, ShardRequest};
use koab_workspace::{WireError, blocking};

/// A run whose settings are complete.
pub(super) struct SettledRun {
    pub(super) request: RunRequest,
    /// Shard that this process makes; `None` if it makes the whole run.
    pub(super) shard: Option<ShardRequest>,
    pub(super) earlier: Option<EarlierRun>,
    /// Log of a resumed run; `None` for a new run.
    pub(super) log: Option<Box<dyn RunLog>>,
    pub(super) pack: Pack,
    pub(super) tasks: Vec<Task>,
    pub(super) spec: RunSpec,
    pub(super) agent: Option<(Definition, Isolation)>,
    /// Remarks for the run's record, one sentence each.
    pub(super) remarks: Vec<Sentence>,
}

/// A run whose settings are complete except for those of the agent.
struct RequestedRun {
    request: RunRequest,
    earlier: Option<EarlierRun>,
    pack: Pack,
    tasks: Vec<Task>,
    spec: RunSpec,
    definition: Option<Definition>,
}

impl Runs {
    /// Determines all settings of a run.
    ///
    /// # Errors
    /// When the pack, the tasks or the agent do not exist, a setting is invalid, or the pack
    /// differs from that of the resumed run.
    pub(super) async fn settled_run(
        &self,
        request: &RunRequest,
        resumed: Option<ResumedRun>,
    ) -> Result<SettledRun, WireError> {
        let (earlier, shard, log) = match resumed {
            Some(ResumedRun { earlier, shard, log }) => (Some(earlier), shard, Some(log)),
            None => (None, None, None),
        };
        let (runs, request) = (self.clone(), request.clone());
        let requested = blocking(move || runs.requested(&request, earlier)).await?;
        let RequestedRun { request, earlier, pack, tasks, mut spec, definition } = requested;
        let mut remarks = Vec::new();
        let mut agent = None;
        if let Some(definition) = definition {
            if definition.is_by_hand() && request.by_hand.is_none() {
                return Err(WireError::bad_request(say!(
                    "{} is used by hand; start the run in the window, or at a terminal with `koab run`",
                    definition.name
                )));
            }
            let isolation = self.isolation(&definition, &request, earlier.as_ref()).await?;
            // A check goes through the gateway, so it does not apply to an agent's own model.
            let unchecked = request.unchecked || request.own_model || earlier.is_some();
            let home = Some(self.workspace.home()).filter(|_| !unchecked);
            spec = agent::described(&definition, &isolation, spec, tasks.len(), home).await?;
            remarks.extend(isolation.remark(&definition, self.workspace.gate()));
            agent = Some((definition, isolation));
        }
        let (library, protocol) = (self.library.clone(), request.settings.protocol);
        let (pack, tasks, identity) = blocking(move || {
            let identity = library.pack_identity(&pack, &tasks, protocol)?;
            Ok((pack, tasks, identity))
        })
        .await?;
        if let Some(earlier) = &earlier {
            check_pack(earlier, &pack.label(), &identity, request.cache_snapshot.is_some())?;
        }
        spec.identity = Some(identity);
        Ok(SettledRun { request, shard, earlier, log, pack, tasks, spec, agent, remarks })
    }

    fn requested(
        &self,
        request: &RunRequest,
        earlier: Option<EarlierRun>,
    ) -> Result<RequestedRun, WireError> {
        let settled = match &earlier {
            Some(earlier) => self.addressed(self.resumed_options(earlier, request)?)?,
            None => self.settled(request)?,
        };
        let mut request = self.with_settings(&settled)?;
        if earlier.is_some() {
            // A resumed run keeps its concurrency; the workspace's setting does not apply.
            request.concurrency = settled.concurrency;
        }
        let pack = self.pack_for(request.pack.as_deref())?;
        let tasks = chosen(&pack, &request)?;
        let spec = spec(&request, &pack)?;
        // Chosen from the request without the workspace's caps, which were not given for this run.
        let definition = agent::chosen(&settled, earlier.as_ref(), self.workspace.gate())?;
        if agent::is_own_model(&request, definition.as_ref()) {
            request.own_model = true;
            (request.max_cost_per_day, request.max_total_tokens_per_day) = (None, None);
        }
        Ok(RequestedRun { request, earlier, pack, tasks, spec, definition })
    }
}
