//! Images that are built from a specification that is part of the product.

use koab_core::say;
use koab_core::sentence::{Sentence, ToSentence as _};
use tokio_util::sync::CancellationToken;

use super::engine::{DockerError, Engine};
use super::image::{Image, context, registry};

/// Specification of an image.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImageSpec {
    /// Name and tag of the image.
    pub name: String,
    /// Base images, pulled when they are missing.
    pub bases: Vec<String>,
    /// Text of the Dockerfile.
    pub dockerfile: String,
    /// Hosts from which packages are downloaded during the build.
    pub hosts: Vec<String>,
}

impl Engine {
    /// Builds an image, even if an image of the same name exists.
    ///
    /// `on_progress` receives each line of the build's output.
    ///
    /// # Errors
    /// When a base image cannot be pulled, the build fails, or koab is offline and a download is
    /// needed.
    pub async fn build_image(
        &self,
        spec: &ImageSpec,
        cancel: &CancellationToken,
        on_progress: &mut (dyn FnMut(&str) + Send),
    ) -> Result<Image, DockerError> {
        let not_built = |why: Sentence| DockerError::ImageNotBuilt { image: spec.name.clone(), why };
        for base in &spec.bases {
            if self.local_image(base).await?.is_none() {
                self.permit_download(registry(base))?;
            }
        }
        for host in &spec.hosts {
            self.permit_download(host)?;
        }
        let context = context(&spec.dockerfile).map_err(|error| not_built(error.to_sentence()))?;
        self.build_from(&spec.name, context, cancel, on_progress).await.map_err(|error| match error {
            DockerError::NotBuilt { why, .. } => not_built(why),
            other => other,
        })?;
        self.local_image(&spec.name)
            .await?
            .ok_or_else(|| not_built(say!("the engine does not know the image afterwards")))
    }
}
