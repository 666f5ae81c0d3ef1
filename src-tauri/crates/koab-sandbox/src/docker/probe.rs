//! Whether an engine can start anything, found out once and not by every trial.

use bollard::models::{ContainerCreateBody, HostConfig};

use super::container::Leftover;
use super::engine::{DockerError, Engine, sentence};
use super::image::Image;
use super::owner::Owner;

/// What crun says of a computer with control groups of both versions at once, which it does not
/// know and runc does.
const HYBRID: &str = "cgroups in hybrid mode not supported";

impl Engine {
    /// Starts a container of an image, which ends at once, and removes it. An engine that answers
    /// may have a runtime that this computer does not suit.
    ///
    /// # Errors
    /// [`DockerError::CannotStart`] or [`DockerError::Runtime`] when the container does not start,
    /// others when it cannot be made or removed.
    pub async fn try_to_start(&self, image: &Image, owner: &Owner) -> Result<(), DockerError> {
        let body = ContainerCreateBody {
            image: Some(image.id.clone()),
            // As a trial begins.
            entrypoint: Some(vec!["sh".to_owned()]),
            cmd: Some(vec!["-c".to_owned(), "exit 0".to_owned()]),
            labels: Some(owner.labels()),
            host_config: Some(HostConfig { network_mode: Some("none".to_owned()), ..HostConfig::default() }),
            ..ContainerCreateBody::default()
        };
        let id = self.create(body).await?;
        let leftover = Leftover::new(self, &id);
        let started = self.ask()?.start_container(&id, None).await;
        leftover.remove().await?;
        started.map_err(|error| {
            let (engine, why) = (self.version().to_owned(), sentence(&error));
            if why.contains(HYBRID) {
                DockerError::Runtime { engine }
            } else {
                DockerError::CannotStart { engine, image: image.name.clone(), why: why.into() }
            }
        })
    }
}
