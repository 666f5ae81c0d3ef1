//! Checks once, before any trial, that an engine can start containers.

use bollard::models::{ContainerCreateBody, HostConfig};

use super::container::Leftover;
use super::engine::{DockerError, Engine, sentence};
use super::image::Image;
use super::owner::Owner;

/// Error of crun on a computer with control groups of both versions at once, which crun does not
/// support and runc does.
const HYBRID_CGROUPS: &str = "cgroups in hybrid mode not supported";

impl Engine {
    /// Starts a container that ends at once, and removes it. An engine may answer requests even if
    /// it cannot start containers on this computer.
    ///
    /// # Errors
    /// [`DockerError::CannotStart`] or [`DockerError::Runtime`] when the container does not start,
    /// other errors when it cannot be created or removed.
    pub async fn try_to_start(&self, image: &Image, owner: &Owner) -> Result<(), DockerError> {
        let body = ContainerCreateBody {
            image: Some(image.id.clone()),
            // The same entry point as in trials.
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
            if why.contains(HYBRID_CGROUPS) {
                DockerError::Runtime { engine }
            } else {
                DockerError::CannotStart { engine, image: image.name.clone(), why: why.into() }
            }
        })
    }
}
