//! Where the attempts of a run are made: in containers, or on this computer itself.

use crate::check_history::CheckHistory;
use crate::container::{Containers, image_name};
use crate::definition::Definition;
use crate::version;
use koab_core::say;
use koab_core::sentence::Sentence;
use koab_engine::egress;
use koab_sandbox::docker::{DockerError, Engine, Image};
use koab_scenarios::engine_error;
use koab_workspace::{Home, WireError};

/// Where attempts are made.
pub enum Isolation {
    /// On this computer itself, and why.
    Native(Sentence),
    /// On this computer itself with its network, where the agent finds a model of its own.
    OwnModel,
    /// In containers of the agent's image.
    Contained(Box<Containers>),
}

impl Isolation {
    /// The isolation of a run: containers where an engine answers and the agent has an image,
    /// unless it is to be `native`. A run that goes on stays where it was: in containers or not.
    ///
    /// # Errors
    /// When containers are asked for and cannot be had, or the engine starts nothing.
    pub async fn choose(
        definition: &Definition,
        home: &Home,
        native: bool,
        was_contained: Option<bool>,
    ) -> Result<Self, WireError> {
        let found = match was_contained {
            Some(false) => return Ok(Self::Native(say!("as it began"))),
            Some(true) => engine_and_image(definition, &engine().await).await?.map_err(|why| {
                WireError::bad_request(say!(
                    "the run was made in containers, and cannot go on in them: {why}"
                ))
            })?,
            None if native => return Ok(Self::Native(Sentence::from("--native"))),
            None => match outlook(definition, home, &engine().await).await? {
                Ok(found) => found,
                Err(why) => return Ok(Self::Native(why)),
            },
        };
        let containers = Containers::prepare(found.0, found.1, home).await?;
        Ok(Self::Contained(Box::new(containers)))
    }

    /// That a run of this agent is on this computer itself, in one sentence for whoever starts it;
    /// `None` where it is contained.
    pub fn remark(&self, definition: &Definition) -> Option<Sentence> {
        match self {
            Self::Native(why) => Some(native(definition, why)),
            Self::OwnModel => Some(own_model(definition)),
            Self::Contained(_) => None,
        }
    }

    /// The containers, where there are some.
    pub(crate) fn containers(&self) -> Option<&Containers> {
        match self {
            Self::Native(_) | Self::OwnModel => None,
            Self::Contained(containers) => Some(containers),
        }
    }

    /// Whether the agent asks a model of its own.
    pub fn is_own_model(&self) -> bool {
        matches!(self, Self::OwnModel)
    }

    /// Whether attempts are contained.
    pub fn is_contained(&self) -> bool {
        self.containers().is_some()
    }

    /// The hash of the image that attempts are made of, where they are contained.
    pub fn image(&self) -> Option<&str> {
        self.containers().map(Containers::image)
    }

    /// Which version of the agent is there.
    ///
    /// # Errors
    /// When the engine starts no container to ask in.
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
            "{name} is used by hand, with a model of its own: tokens, times and cost are not known, and the run is comparable with no other"
        );
    }
    say!(
        "{name} asks a model of its own, with its own key, on this computer itself: tokens, times and cost are not known, calls that overlap in time share a step, and the run is comparable with none that koab's gateway saw"
    )
}

fn native(definition: &Definition, why: &Sentence) -> Sentence {
    let name = &definition.name;
    match egress::offline() {
        Some(_) => say!(
            "{name} runs on this computer itself and is not contained ({why}): being offline does not hold it, only a container would"
        ),
        None => say!("{name} runs on this computer itself and is not contained ({why})"),
    }
}

/// An engine that answers, or what was found where one was looked for.
pub(crate) type EngineLookup = Result<Result<Engine, Sentence>, WireError>;

/// Looks for an engine.
pub(crate) async fn engine() -> EngineLookup {
    match Engine::find().await {
        Ok(engine) => Ok(Ok(engine)),
        Err(error @ (DockerError::Unreachable { .. } | DockerError::Refused { .. })) => {
            Ok(Err(error.finding()))
        }
        Err(error) => Err(engine_error(error)),
    }
}

/// Where a new run of an agent would be: `None` in a container, else what such a run says, or is
/// refused with.
pub(crate) async fn remark(definition: &Definition, home: &Home, engine: &EngineLookup) -> Option<Sentence> {
    if definition.is_by_hand() {
        return Some(own_model(definition));
    }
    match outlook(definition, home, engine).await {
        Ok(Ok(_)) => None,
        Ok(Err(why)) => Some(native(definition, &why)),
        Err(refused) => Some(refused.message),
    }
}

/// The engine and image for a new run, or why there are none. One that was checked in a container
/// leaves it by choice alone: an engine that does not answer for a moment gives nobody's files
/// away.
async fn outlook(
    definition: &Definition,
    home: &Home,
    engine: &EngineLookup,
) -> Result<Result<(Engine, Image), Sentence>, WireError> {
    let found = engine_and_image(definition, engine).await?;
    if let Err(why) = &found
        && CheckHistory::read(home).is_ok_and(|history| history.was_contained(&definition.hash()))
    {
        let name = &definition.name;
        return Err(WireError::bad_request(say!(
            "{name} was checked in a container and would now run on this computer itself, not contained ({why}); mend that, or add --native"
        )));
    }
    Ok(found)
}

/// The engine and image for an agent, or why there are none.
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
        return Ok(Err(say!("its definition starts koab itself, which is in no container")));
    }
    let engine = match engine {
        Ok(Ok(engine)) => engine,
        Ok(Err(why)) => return Ok(Err(why.clone())),
        Err(error) => return Err(error.clone()),
    };
    if !engine.shows_sockets() {
        let engine = engine.version();
        return Ok(Err(say!(
            "{engine} runs containers in a machine of its own, where they do not reach the run's model"
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
