//! Place where the attempts of a run are made, which is either a container or this computer itself.

use crate::check_history::CheckHistory;
use crate::container::{Containers, image_name};
use crate::definition::Definition;
use crate::version;
use koab_core::say;
use koab_core::sentence::Sentence;
use koab_engine::egress::Gate;
use koab_scenarios::docker::{DockerError, Engine, Image};
use koab_scenarios::engine_error;
use koab_workspace::{Home, WireError};

/// Place where the attempts of a run are made.
pub enum Isolation {
    /// The attempts are made on this computer itself. The value is the reason why no container is
    /// used.
    Native(Sentence),
    /// The attempts are made on this computer itself and with its network, because the agent calls
    /// a model of its own.
    OwnModel,
    /// The attempts are made in containers of the agent's image.
    Contained(Box<Containers>),
}

impl Isolation {
    /// Chooses the isolation of a run: containers if an engine answers and the agent has an image,
    /// unless `native` is set. A resumed run has the same isolation as before.
    ///
    /// # Errors
    /// When containers are required and not available, or the engine cannot start one.
    pub async fn choose(
        definition: &Definition,
        home: &Home,
        gate: &Gate,
        native: bool,
        was_contained: Option<bool>,
    ) -> Result<Self, WireError> {
        let (engine, image) = match was_contained {
            Some(false) => return Ok(Self::Native(say!("the run began this way"))),
            Some(true) => engine_and_image(definition, &engine(gate).await).await?.map_err(|why| {
                WireError::bad_request(say!(
                    "the run was made in containers, and cannot continue in them: {why}"
                ))
            })?,
            None if native => return Ok(Self::Native(Sentence::from("--native"))),
            None => match outlook(definition, home, &engine(gate).await).await? {
                Ok(engine_and_image) => engine_and_image,
                Err(why) => return Ok(Self::Native(why)),
            },
        };
        let containers = Containers::prepare(engine, image, home).await?;
        Ok(Self::Contained(Box::new(containers)))
    }

    /// Warning for the user that runs of this agent are made on this computer itself; `None` if
    /// they are made in containers.
    pub fn remark(&self, definition: &Definition, gate: &Gate) -> Option<Sentence> {
        match self {
            Self::Native(why) => Some(native(definition, gate, why)),
            Self::OwnModel => Some(own_model(definition)),
            Self::Contained(_) => None,
        }
    }

    /// The containers; `None` if the run is not made in containers.
    pub(crate) fn containers(&self) -> Option<&Containers> {
        match self {
            Self::Native(_) | Self::OwnModel => None,
            Self::Contained(containers) => Some(containers),
        }
    }

    /// Whether the agent calls a model of its own.
    pub fn is_own_model(&self) -> bool {
        matches!(self, Self::OwnModel)
    }

    /// Whether attempts are made in containers.
    pub fn is_contained(&self) -> bool {
        self.containers().is_some()
    }

    /// Hash of the image that the containers are created from; `None` if the run is not made in
    /// containers.
    pub fn image(&self) -> Option<&str> {
        self.containers().map(Containers::image)
    }

    /// Version of the agent in the place where its attempts are made.
    ///
    /// # Errors
    /// When no container can be started.
    pub async fn version(&self, definition: &Definition) -> Result<Option<String>, WireError> {
        match self {
            Self::Native(_) | Self::OwnModel => Ok(version::version(definition).await),
            Self::Contained(containers) => containers.version(definition).await,
        }
    }
}

fn own_model(definition: &Definition) -> Sentence {
    let name = &definition.name;
    if definition.is_by_hand() {
        return say!(
            "{name} is used by hand, with a model of its own: tokens, times and cost are not known, and the run cannot be compared with any other"
        );
    }
    say!(
        "{name} calls a model of its own, with its own key, on this computer itself: tokens, times and cost are not known, calls that overlap in time share a step, and the run cannot be compared with runs through koab's gateway"
    )
}

fn native(definition: &Definition, gate: &Gate, why: &Sentence) -> Sentence {
    let name = &definition.name;
    match gate.offline() {
        Some(_) => say!(
            "{name} runs on this computer itself, without a container ({why}): the offline switch does not stop its requests, only a container does"
        ),
        None => say!("{name} runs on this computer itself, without a container ({why})"),
    }
}

/// A container engine that answers, or the reason why no engine answers.
pub(crate) type EngineLookup = Result<Result<Engine, Sentence>, WireError>;

/// Looks for a container engine.
pub(crate) async fn engine(gate: &Gate) -> EngineLookup {
    match Engine::find(gate).await {
        Ok(engine) => Ok(Ok(engine)),
        Err(error @ (DockerError::Unreachable { .. } | DockerError::Refused { .. })) => {
            Ok(Err(error.finding()))
        }
        Err(error) => Err(engine_error(error)),
    }
}

/// Remark about new runs of an agent; `None` if they are made in containers. Otherwise the remark
/// is the warning that such a run shows, or the reason why it is refused.
pub(crate) async fn remark(
    definition: &Definition,
    home: &Home,
    gate: &Gate,
    engine: &EngineLookup,
) -> Option<Sentence> {
    if definition.is_by_hand() {
        return Some(own_model(definition));
    }
    match outlook(definition, home, engine).await {
        Ok(Ok(_)) => None,
        Ok(Err(why)) => Some(native(definition, gate, &why)),
        Err(refused) => Some(refused.message),
    }
}

/// Engine and image for a new run, or the reason why the run cannot be made in containers.
///
/// An agent that was checked in a container runs without one only on request. If an engine does not
/// answer for a moment, the agent must not get access to the user's files.
async fn outlook(
    definition: &Definition,
    home: &Home,
    engine: &EngineLookup,
) -> Result<Result<(Engine, Image), Sentence>, WireError> {
    let candidate = engine_and_image(definition, engine).await?;
    if let Err(why) = &candidate
        && CheckHistory::read(home).is_ok_and(|history| history.was_contained(&definition.hash()))
    {
        let name = &definition.name;
        return Err(WireError::bad_request(say!(
            "{name} was checked in a container and would now run on this computer itself, without a container ({why}); fix that, or add --native"
        )));
    }
    Ok(candidate)
}

/// Engine and image for an agent, or the reason why it cannot run in a container.
async fn engine_and_image(
    definition: &Definition,
    engine: &EngineLookup,
) -> Result<Result<(Engine, Image), Sentence>, WireError> {
    if definition.is_by_hand() {
        return Ok(Err(say!("it is used by hand")));
    }
    if definition.command.is_empty() {
        return Ok(Err(say!("its server runs already")));
    }
    let texts = definition.command.iter().chain(definition.env.values()).chain(definition.files.values());
    if texts.into_iter().any(|text| text.contains("{mcp_stdio}") || text.contains("{koab}")) {
        return Ok(Err(say!("its definition starts koab itself, which its container does not have")));
    }
    let engine = match engine {
        Ok(Ok(engine)) => engine,
        Ok(Err(why)) => return Ok(Err(why.clone())),
        Err(error) => return Err(error.clone()),
    };
    if !engine.shows_sockets() {
        let engine = engine.version();
        return Ok(Err(say!(
            "{engine} runs containers in a virtual machine, where they cannot reach the run's model"
        )));
    }
    let image = engine.local_image(&image_name(definition)).await;
    Ok(match image.map_err(engine_error)? {
        Some(image) => Ok((engine.clone(), image)),
        None => Err(say!("it has no image; `koab agents image` builds one")),
    })
}

#[cfg(test)]
mod tests;
