//! Where the attempts of a run are made: in containers, or on this computer itself.

use crate::container::{Containers, image_name};
use crate::definition::Definition;
use crate::version;
use koab_core::say;
use koab_core::sentence::Sentence;
use koab_engine::egress;
use koab_sandbox::docker::{DockerError, Engine};
use koab_scenarios::engine_error;
use koab_workspace::{Home, WireError};

/// Where attempts are made.
pub enum Ground {
    /// On this computer itself.
    Native,
    /// In containers of the agent's image.
    Contained(Box<Containers>),
}

impl Ground {
    /// The ground of a run: containers where an engine answers and the agent has an image, unless `contained` says otherwise.
    ///
    /// # Errors
    /// When containers are asked for and cannot be had, or the engine starts nothing.
    pub async fn of(
        definition: &Definition,
        home: &Home,
        contained: Option<bool>,
    ) -> Result<Self, WireError> {
        if contained == Some(false) {
            return Ok(Self::Native);
        }
        match found(definition).await? {
            Ok((engine, image)) => {
                let containers = Containers::of(engine, image, home).await?;
                Ok(Self::Contained(Box::new(containers)))
            }
            Err(why) if contained == Some(true) => Err(WireError::bad_request(say!(
                "the run was made in containers, and cannot go on in them: {why}"
            ))),
            Err(_) => Ok(Self::Native),
        }
    }

    /// Why a run of this agent would be on this computer itself, in one sentence for who starts it; `None` where it is contained.
    ///
    /// # Errors
    /// When the engine does not say what it has.
    pub async fn remark(definition: &Definition, native: bool) -> Result<Option<Sentence>, WireError> {
        let why = match native {
            true => Sentence::from("--native"),
            false => match found(definition).await? {
                Ok(_) => return Ok(None),
                Err(why) => why,
            },
        };
        let name = &definition.name;
        Ok(Some(match egress::offline() {
            Some(_) => say!(
                "{name} runs on this computer itself and is not contained ({why}): being offline does not hold it, only a container would"
            ),
            None => say!("{name} runs on this computer itself and is not contained ({why})"),
        }))
    }

    /// The containers, where there are some.
    pub(crate) fn containers(&self) -> Option<&Containers> {
        match self {
            Self::Native => None,
            Self::Contained(containers) => Some(containers),
        }
    }

    /// Whether attempts are contained.
    pub fn is_contained(&self) -> bool {
        self.containers().is_some()
    }

    /// Which version of the agent is there.
    pub async fn version(&self, definition: &Definition) -> Option<String> {
        match self {
            Self::Native => version::version(definition).await,
            Self::Contained(containers) => containers.version(definition).await,
        }
    }
}

/// The engine and image for an agent, or why there are none.
async fn found(
    definition: &Definition,
) -> Result<Result<(Engine, koab_sandbox::docker::Image), Sentence>, WireError> {
    if definition.command.is_empty() {
        return Ok(Err(say!("its server runs already")));
    }
    let texts = definition
        .command
        .iter()
        .chain(definition.env.values())
        .chain(definition.files.values());
    if texts
        .into_iter()
        .any(|text| text.contains("{mcp_stdio}") || text.contains("{koab}"))
    {
        return Ok(Err(say!(
            "its definition starts koab itself, which is in no container"
        )));
    }
    let engine = match Engine::find().await {
        Ok(engine) => engine,
        Err(error @ (DockerError::Unreachable { .. } | DockerError::Refused { .. })) => {
            return Ok(Err(error.found()));
        }
        Err(error) => return Err(engine_error(error)),
    };
    if !engine.shows_sockets() {
        let engine = engine.version();
        return Ok(Err(say!(
            "{engine} runs containers in a machine of its own, where they do not reach the run's model"
        )));
    }
    let image = engine.local_image(&image_name(definition)).await;
    Ok(match image.map_err(engine_error)? {
        Some(image) => Ok((engine, image)),
        None => Err(say!("it has no image; `koab agents image` builds one")),
    })
}

/// Whether an agent has an image; `None` where no engine answers.
pub(crate) async fn has_image(engine: Option<&Engine>, definition: &Definition) -> Option<bool> {
    let found = engine?.local_image(&image_name(definition)).await.ok()?;
    Some(found.is_some())
}
