//! Prepares the agent of a run that an external program drives.

use super::library::EarlierRun;
use crate::Runs;
use koab_agents::{AgentCheck, Definition, Isolation, Kind, RunAgent};
use koab_core::protocol::Protocol;
use koab_core::run_record::{AgentSpec, RunSettings, RunSpec};
use koab_core::say;
use koab_engine::egress::Gate;
use koab_engine::ports::{Agent, ByHand, ModelAdapter, OPEN_END};
use koab_gateway::RunModel;
use koab_library::RunRequest;
use koab_models::SpendingCaps;
use koab_workspace::{Home, WireError};
use std::path::Path;
use std::sync::Arc;

/// Agent name that means that this program itself drives the model.
const THIS_PROGRAM: &str = "koab";

/// Whether an external agent drives the run.
pub(super) fn is_foreign(named: Option<&str>) -> bool {
    named.is_some_and(|named| named != THIS_PROGRAM)
}

/// Whether the agent uses a model of its own. This program then does not call the run's model.
pub fn is_own_model(options: &RunRequest, definition: Option<&Definition>) -> bool {
    options.own_model || definition.is_some_and(Definition::is_by_hand)
}

/// Returns the requested agent. A resumed run keeps the definition of its agent from the first
/// start.
///
/// # Errors
/// When the agent does not exist, or a setting of the run is invalid with it.
pub fn chosen(
    options: &RunRequest,
    earlier: Option<&EarlierRun>,
    gate: &Gate,
) -> Result<Option<Definition>, WireError> {
    let Some(named) = options.agent.as_deref().filter(|named| is_foreign(Some(*named))) else {
        if options.own_model {
            return Err(WireError::bad_request(say!(
                "only an agent has a model of its own; name it with --agent, or leave --own-model out"
            )));
        }
        return Ok(None);
    };
    let definition = match earlier {
        Some(earlier) => koab_agents::reopen(&earlier.folder)?,
        None => koab_agents::open(named)?,
    };
    if options.settings.protocol == Protocol::Leaderboard {
        return Err(WireError::bad_request(say!(
            "an agent is run by the corrected protocol only: the leaderboard protocol opens a second conversation in L5 and seeds answers, which agents do not support; add --protocol corrected"
        )));
    }
    if options.settings.full_rollout && !matches!(definition.kind, Kind::Acp | Kind::A2a) {
        return Err(WireError::bad_request(say!(
            "{} takes one prompt and no session of several turns, which only agents of kind acp and a2a have; leave --full-rollout out",
            definition.name
        )));
    }
    if is_own_model(options, Some(&definition)) {
        definition.check_own_run(gate).map_err(WireError::bad_request)?;
        if options.caps() != SpendingCaps::default() {
            return Err(WireError::bad_request(say!(
                "the tokens and cost of an agent's own model are not known, so that caps cannot apply; leave the caps out"
            )));
        }
    }
    Ok(Some(definition))
}

/// Refuses to make more than one attempt with an agent that is used by hand.
pub(super) fn check_one(definition: &Definition, tasks: usize, repetitions: u32) -> Result<(), WireError> {
    if definition.is_by_hand() && (tasks > 1 || repetitions > 1) {
        return Err(WireError::bad_request(say!(
            "{} is used by hand, one task at a time; choose a single task and one repetition",
            definition.name
        )));
    }
    Ok(())
}

/// Adds the data of the agent to the run's settings.
///
/// # Errors
/// When the agent failed its check, or is used by hand and the run has more than one attempt.
pub async fn described(
    definition: &Definition,
    isolation: &Isolation,
    spec: RunSpec,
    tasks: usize,
    checked_in: Option<&Home>,
) -> Result<RunSpec, WireError> {
    check_one(definition, tasks, spec.settings.repetitions)?;
    let version = isolation.version(definition).await?;
    if let Some(home) = checked_in {
        koab_agents::failed_before(home, definition, version.as_deref(), isolation.is_contained())?;
    }
    let mut settings = spec.settings;
    if settings.timeout_s == RunSettings::published().timeout_s {
        settings.timeout_s = definition.timeout_s;
    }
    Ok(RunSpec {
        settings,
        agent: Some(AgentSpec {
            name: definition.name.clone(),
            version,
            definition: definition.hash(),
            kind: definition.kind.as_str().to_owned(),
            wire: definition.wire.clone(),
            contained: isolation.is_contained(),
            image: isolation.image().map(str::to_owned),
            own_model: isolation.is_own_model(),
        }),
        ..spec
    })
}

impl Runs {
    /// Checks whether an agent's calls arrive, with a scripted model and without a key. The result
    /// is stored, and a run refuses an agent that failed.
    ///
    /// # Errors
    /// When the agent does not exist, or the check itself fails.
    pub async fn agent_check(&self, agent: &str, native: bool) -> Result<AgentCheck, WireError> {
        let (definition, home) = (koab_agents::open(agent)?, self.workspace.home());
        let isolation = Isolation::choose(&definition, home, self.workspace.gate(), native, None).await?;
        let checked = koab_agents::check(&definition, isolation).await?;
        koab_agents::remember(home, &checked)?;
        Ok(checked)
    }

    /// Returns how the agent's attempts are isolated. A resumed run keeps its kind of isolation.
    pub async fn isolation(
        &self,
        definition: &Definition,
        options: &RunRequest,
        earlier: Option<&EarlierRun>,
    ) -> Result<Isolation, WireError> {
        if is_own_model(options, Some(definition)) {
            return Ok(Isolation::OwnModel);
        }
        let was = earlier.and_then(|earlier| earlier.spec.agent.as_ref());
        let contained = was.map(|agent| agent.contained);
        let (home, gate) = (self.workspace.home(), self.workspace.gate());
        let isolation = Isolation::choose(definition, home, gate, options.native, contained).await?;
        if let Some(before) = was.and_then(|agent| agent.image.as_deref())
            && let Some(now) = isolation.image()
            && before != now
        {
            return Err(WireError::bad_request(say!(
                "the run was made with the image {before} of {}, and its image is {now} now; restore the former image, or make a new run",
                definition.name
            )));
        }
        Ok(isolation)
    }

    /// Starts the agent of the run and the gateway through which the agent calls the run's model.
    pub(super) async fn agent(
        &self,
        agent: Option<(Definition, Isolation)>,
        by_hand: Option<ByHand>,
        spec: &RunSpec,
        model: &Arc<dyn ModelAdapter>,
        folder: Option<&Path>,
    ) -> Result<Option<Arc<dyn Agent>>, WireError> {
        let Some((definition, isolation)) = agent else {
            return Ok(None);
        };
        let model = RunModel {
            id: spec.model.clone(),
            model: Arc::clone(model),
            price: self.models.price(&spec.model)?,
            // Limit for an agent's request without a limit, where the run has none either. A limit
            // of 0 would allow no answer.
            max_tokens: spec.settings.max_tokens.or_else(|| model.own_limit()).unwrap_or(OPEN_END),
        };
        let agent = RunAgent::begin(definition, isolation, model, folder).await?;
        Ok(Some(Arc::new(agent.carried(by_hand))))
    }
}
