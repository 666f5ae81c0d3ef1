//! Images of containers: an image on this computer, an image that is pulled, or the default image,
//! which is built when missing.

use bollard::body_full;
use bollard::query_parameters::{BuildImageOptionsBuilder, CreateImageOptionsBuilder};
use futures_util::StreamExt;
use koab_core::say;
use koab_core::sentence::Sentence;
use koab_core::sentence::ToSentence;
use std::collections::VecDeque;
use tokio_util::sync::CancellationToken;

use super::engine::{DockerError, Engine, is_missing, sentence};

/// Name of the default image. Its tag is a hash of its Dockerfile, so that it is rebuilt when the
/// Dockerfile changes.
pub const DEFAULT_IMAGE: &str = "koab-scenario";
/// Default registry of images.
const REGISTRY: &str = "docker.io";
/// Dockerfile of the default image.
const DOCKERFILE: &str = include_str!("Dockerfile");

/// Number of last lines of a failed build in its error message.
const LAST_LINES: usize = 3;
/// Maximum number of characters of each of the [`LAST_LINES`].
const LINE_CHARS: usize = 200;

/// An image on this computer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    /// Name of the image, from the user or the default.
    pub name: String,
    /// Hash of the image, `sha256:…`. It identifies the image even if its name is reused later.
    pub id: String,
    /// Repository digest, `name@sha256:…`; none for an image that was built or loaded on this
    /// computer.
    pub digest: Option<String>,
}

impl Engine {
    /// Image with the given name, which is pulled when missing. Without a name, the default image,
    /// which is built when missing.
    ///
    /// `on_progress` receives each line of output of a pull or a build.
    ///
    /// # Errors
    /// When the image is missing and cannot be pulled or built.
    pub async fn image(
        &self,
        name: Option<&str>,
        cancel: &CancellationToken,
        on_progress: &mut (dyn FnMut(&str) + Send),
    ) -> Result<Image, DockerError> {
        let default = default_name();
        let name_or_default = name.unwrap_or(&default);
        if let Some(image) = self.local_image(name_or_default).await? {
            return Ok(image);
        }
        match name {
            Some(name) => self.pull(name, cancel, on_progress).await?,
            None => self.build(&default, cancel, on_progress).await?,
        }
        self.local_image(name_or_default).await?.ok_or_else(|| DockerError::NoImage {
            image: name_or_default.to_owned(),
            why: say!("the engine does not know the image afterwards"),
        })
    }

    /// Image with the given name, if it is on this computer.
    ///
    /// # Errors
    /// When the engine does not answer.
    pub async fn local_image(&self, name: &str) -> Result<Option<Image>, DockerError> {
        match self.ask()?.inspect_image(name).await {
            Ok(image) => Ok(Some(Image {
                name: name.to_owned(),
                id: image.id.unwrap_or_else(|| name.to_owned()),
                digest: image.repo_digests.and_then(|digests| digests.into_iter().next()),
            })),
            Err(error) if is_missing(&error) => Ok(None),
            Err(error) => Err(DockerError::failed(say!("look up an image"))(error)),
        }
    }

    async fn pull(
        &self,
        name: &str,
        cancel: &CancellationToken,
        on_progress: &mut (dyn FnMut(&str) + Send),
    ) -> Result<(), DockerError> {
        let no_image = |why: Sentence| DockerError::NoImage { image: name.to_owned(), why };
        // Without a tag the engine would pull all tags.
        let tagged_name = if name.contains('@') || name.rsplit('/').next().unwrap_or(name).contains(':') {
            name.to_owned()
        } else {
            format!("{name}:latest")
        };
        let options = CreateImageOptionsBuilder::default().from_image(&tagged_name).build();
        // The engine downloads the image on behalf of koab, so a permit is needed.
        self.permit_download(registry(&tagged_name))?;
        let mut steps = self.ask()?.create_image(Some(options), None, None);
        while let Some(step) = next_unless(cancel, &mut steps).await {
            let step = step
                .ok_or_else(|| no_image(say!("cancelled")))?
                .map_err(|error| no_image(sentence(&error).into()))?;
            if let Some(error) = step.error_detail.and_then(|detail| detail.message) {
                return Err(no_image(error.into()));
            }
            if let Some(status) = step.status {
                on_progress(&status);
            }
        }
        Ok(())
    }

    async fn build(
        &self,
        name: &str,
        cancel: &CancellationToken,
        on_progress: &mut (dyn FnMut(&str) + Send),
    ) -> Result<(), DockerError> {
        let not_built = |why: Sentence| DockerError::NotBuilt { image: name.to_owned(), why };
        let context = context(DOCKERFILE).map_err(|error| not_built(error.to_sentence()))?;
        // Its base image and packages are downloaded during the build.
        self.permit_download(REGISTRY)?;
        self.build_from(name, context, cancel, on_progress).await
    }

    /// Builds an image from an archive that contains its Dockerfile.
    ///
    /// # Errors
    /// [`DockerError::NotBuilt`] with the build's last output.
    pub(super) async fn build_from(
        &self,
        name: &str,
        context: Vec<u8>,
        cancel: &CancellationToken,
        on_progress: &mut (dyn FnMut(&str) + Send),
    ) -> Result<(), DockerError> {
        let not_built = |why: Sentence| DockerError::NotBuilt { image: name.to_owned(), why };
        let options = BuildImageOptionsBuilder::default().t(name).rm(true).forcerm(true).build();
        let mut steps = self.ask()?.build_image(options, None, Some(body_full(context.into())));
        // Engines report only which step failed with which code; the reason is in the output
        // before.
        let mut last: VecDeque<String> = VecDeque::new();
        let failed = |error: String, last: &VecDeque<String>| {
            let lines: Vec<&str> = last.iter().map(String::as_str).collect();
            match lines.join(" | ") {
                lines if lines.is_empty() => not_built(error.into()),
                lines => not_built(say!("{error}; it said last: {lines}")),
            }
        };
        while let Some(step) = next_unless(cancel, &mut steps).await {
            let step = step
                .ok_or_else(|| not_built(say!("cancelled")))?
                .map_err(|error| failed(sentence(&error), &last))?;
            if let Some(error) = step.error_detail.and_then(|detail| detail.message) {
                return Err(failed(error, &last));
            }
            if let Some(line) = step.stream.as_deref().map(str::trim_end).filter(|line| !line.is_empty()) {
                on_progress(line);
                if last.len() == LAST_LINES {
                    last.pop_front();
                }
                last.push_back(line.chars().take(LINE_CHARS).collect());
            }
        }
        Ok(())
    }
}

/// Registry in an image's name: the part before the first slash, if it looks like a host.
pub(super) fn registry(name: &str) -> &str {
    match name.split_once('/') {
        Some((place, _)) if place.contains(['.', ':']) || place == "localhost" => place,
        _ => REGISTRY,
    }
}

/// Next item of a stream; `Some(None)` when the user cancels.
async fn next_unless<S: futures_util::Stream + Unpin>(
    cancel: &CancellationToken,
    stream: &mut S,
) -> Option<Option<S::Item>> {
    tokio::select! {
        () = cancel.cancelled() => Some(None),
        item = stream.next() => item.map(Some),
    }
}

/// Name and tag of the default image.
fn default_name() -> String {
    use sha2::{Digest, Sha256};
    let hash = hex::encode(&Sha256::digest(DOCKERFILE)[..6]);
    format!("{DEFAULT_IMAGE}:{hash}")
}

/// Build context: an archive with only the Dockerfile.
pub(super) fn context(dockerfile: &str) -> std::io::Result<Vec<u8>> {
    let mut archive = tar::Builder::new(Vec::new());
    let mut header = tar::Header::new_gnu();
    header.set_size(dockerfile.len() as u64);
    header.set_mode(0o644);
    header.set_cksum();
    archive.append_data(&mut header, "Dockerfile", dockerfile.as_bytes())?;
    archive.into_inner()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_image_s_name_says_where_it_comes_from() {
        for (name, host) in [
            ("python:3.11", "docker.io"),
            ("library/python", "docker.io"),
            ("ghcr.io/org/image:1", "ghcr.io"),
            ("localhost:5000/none", "localhost:5000"),
            ("localhost/none", "localhost"),
        ] {
            assert_eq!(registry(name), host, "{name}");
        }
    }
}
