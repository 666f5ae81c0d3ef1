//! An image that is built by a spec of ours, under a name that says which.

use koab_core::say;
use koab_core::sentence::{Sentence, ToSentence as _};
use koab_engine::egress::{self, Purpose};
use tokio_util::sync::CancellationToken;

use super::engine::{DockerError, Engine};
use super::image::{Image, context, registry};

/// How an image is made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImageSpec {
    /// Name and tag that it gets.
    pub name: String,
    /// Images that it is built on, pulled where they are not here.
    pub bases: Vec<String>,
    /// The text of its Dockerfile.
    pub dockerfile: String,
    /// Hosts that its packages are fetched from while it is built.
    pub hosts: Vec<String>,
}

impl Engine {
    /// Builds an image, also where there is one of that name.
    ///
    /// `said` is given each line of the build.
    ///
    /// # Errors
    /// When a base is not to be had, the build fails, or koab is offline and something is to be
    /// fetched.
    pub async fn build_image(
        &self,
        spec: &ImageSpec,
        cancel: &CancellationToken,
        said: &mut (dyn FnMut(&str) + Send),
    ) -> Result<Image, DockerError> {
        let not_built = |why: Sentence| DockerError::ImageNotBuilt { image: spec.name.clone(), why };
        for base in &spec.bases {
            if self.local_image(base).await?.is_none() {
                egress::permit(registry(base), Purpose::Image)?;
            }
        }
        for host in &spec.hosts {
            egress::permit(host, Purpose::Image)?;
        }
        let context = context(&spec.dockerfile).map_err(|error| not_built(error.to_sentence()))?;
        self.build_from(&spec.name, context, cancel, said).await.map_err(|error| match error {
            DockerError::NotBuilt { why, .. } => not_built(why),
            other => other,
        })?;
        self.local_image(&spec.name)
            .await?
            .ok_or_else(|| not_built(say!("the engine does not list it afterwards")))
    }
}
