//! Models on a hub: lists of their files, and look-up of a requested model.

use crate::Models;
use crate::downloads::{named, space};
use crate::weights::{HubModel, HubOffer, PullRequest};
use koab_core::say;
use koab_engine::egress::Purpose;
use koab_hub::Repository as Cached;
use koab_local::library::choose::{self, Offer, RepositoryFile, Want};
use koab_providers::hub::{HubFile, Repo, RepoKind, Repository};
use koab_workspace::WireError;

/// The repository of a model with the given name.
pub(super) fn model(name: &str) -> Repo<'_> {
    let kind = RepoKind::Model;
    Repo { kind, name }
}

/// Converts the list of a repository's files to the type that the library selects models from.
pub(super) fn listed(files: &[HubFile]) -> Vec<RepositoryFile> {
    let file = |file: &HubFile| RepositoryFile { path: file.path.clone(), size: file.size };
    files.iter().map(file).collect()
}

/// The choice of a model that a request states. A request may state only one choice.
pub(super) fn want(request: &PullRequest) -> Result<Want, WireError> {
    let choices = [request.file.is_some(), request.quantization.is_some(), !request.include.is_empty()];
    if choices.into_iter().filter(|one| *one).count() > 1 {
        return Err(WireError::bad_request(say!(
            "a model is chosen by its file, by its quantization or by patterns; give one of them"
        )));
    }
    Ok(match (&request.file, &request.quantization) {
        (Some(file), _) => Want::File(file.clone()),
        (_, Some(name)) => Want::Quantization(name.clone()),
        _ if !request.include.is_empty() => Want::Include(request.include.clone()),
        _ => Want::Usual,
    })
}

impl Models {
    /// Lists a repository on a hub: its models with sizes and licence. No files are downloaded.
    ///
    /// # Errors
    /// When the hub cannot be reached or refuses.
    pub async fn hub_model(&self, repo: &str) -> Result<HubModel, WireError> {
        let access = self.hub(Purpose::Weights).await?;
        let hub = access.hub.shown();
        let (name, revision) = named(repo, &hub);
        let listing = access.hub.repository(model(name), revision).await;
        let listing = listing.map_err(|error| access.wire_error(error))?;
        let library = self.library()?;
        let cached = Cached::of_model(library.hub(), name);
        let files = listed(&listing.files);
        let offers = choose::offers(&files);
        let problem = match choose::choose(&files, &Want::Usual) {
            Err(choose::ChoiceError::Several(_)) | Ok(_) => None,
            Err(why) => Some(say!("{name} holds nothing that can run here: {why}")),
        };
        Ok(HubModel {
            page: access.hub.page(model(name)),
            repo: name.to_owned(),
            revision: revision.to_owned(),
            offers: offers.iter().map(|offer| offered(offer, &listing, &cached)).collect(),
            commit: listing.commit,
            licence: listing.licence,
            gated: listing.gated,
            architecture: listing.architectures.into_iter().next(),
            parameters: listing.parameters,
            context: listing.context,
            problem,
            free: space::free(library.hub()),
        })
    }
}

fn offered(offer: &Offer, listing: &Repository, cached: &Cached) -> HubOffer {
    let is_missing = |file: &&RepositoryFile| {
        let hash = listing.files.iter().find(|one| one.path == file.path).map(|one| one.hash.hex());
        let here =
            hash.is_some_and(|hash| cached.blob(hash).exists()) || cached.has(&listing.commit, &file.path);
        !here
    };
    HubOffer {
        kind: offer.kind.into(),
        file: offer.file.clone(),
        quantization: offer.quantization.clone(),
        files: offer.files.len() as u32,
        bytes: offer.bytes(),
        missing: offer.files.iter().filter(is_missing).map(|file| file.size).sum(),
    }
}

#[cfg(test)]
mod tests;
