//! What a hub has, and what of it a request means.

use crate::Api;
use crate::keys::Found;
use crate::local::space;
use crate::wire::{ErrorCode, HubModel, HubOffer, PullRequest, WireError};
use koab_local::library::cache::Repository as Cached;
use koab_local::library::choose::{self, Listed, Offer, Want};
use koab_providers::hub::{Hub, HubError, HubFile, OFFICIAL, Repository};

/// The names of the hub's token, the usual one first.
const TOKEN: [&str; 2] = ["HF_TOKEN", "HUGGINGFACE_API_KEY"];

/// The switches by which people tell Hugging Face's tools to stay away from the network.
const OFFLINE: [&str; 2] = ["HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE"];

/// A hub with the keys that were found for it.
pub(super) struct Asked {
    pub(super) hub: Hub,
    keys: Found,
}

impl Asked {
    /// An error as it crosses the border; where a token may be missing, with why the keychain was not asked.
    pub(super) fn told(&self, error: HubError) -> WireError {
        let told = told(error);
        match told.code {
            ErrorCode::NoAccess | ErrorCode::NotFound => {
                WireError::new(told.code, self.keys.explain(told.message))
            }
            _ => told,
        }
    }
}

/// An error as it crosses the border.
pub(super) fn told(error: HubError) -> WireError {
    let code = match &error {
        HubError::Address(_)
        | HubError::BadRepository(_)
        | HubError::BadRevision(_)
        | HubError::UnusableToken => ErrorCode::BadRequest,
        HubError::NoRepository { .. }
        | HubError::NoRepositoryForToken { .. }
        | HubError::NoRevision { .. }
        | HubError::NoFile { .. } => ErrorCode::NotFound,
        HubError::Gated { .. } | HubError::GatedForToken { .. } | HubError::Token { .. } => {
            ErrorCode::NoAccess
        }
        HubError::TooMany { .. }
        | HubError::TooManyFor { .. }
        | HubError::Status { .. }
        | HubError::Connection { .. }
        | HubError::BrokenOff { .. }
        | HubError::Unreadable { .. } => ErrorCode::ModelUnreachable,
        HubError::Wrong { .. } => ErrorCode::BadFile,
        HubError::Disk { .. } => ErrorCode::Storage,
        HubError::Cancelled => ErrorCode::Cancelled,
    };
    WireError::new(code, error.to_string())
}

/// A repository and its revision, as `org/name@revision` says them; without one it is the main branch.
pub(super) fn named(text: &str) -> (&str, &str) {
    let text = text.trim().trim_end_matches('/');
    let text = text.strip_prefix("https://huggingface.co/").unwrap_or(text);
    text.split_once('@').unwrap_or((text, "main"))
}

/// What a repository holds, as the choice of files wants it.
pub(super) fn listed(files: &[HubFile]) -> Vec<Listed> {
    let file = |file: &HubFile| Listed {
        path: file.path.clone(),
        size: file.size,
    };
    files.iter().map(file).collect()
}

/// What is wanted of a repository.
pub(super) fn want(request: &PullRequest) -> Result<Want, WireError> {
    let said = [
        request.file.is_some(),
        request.quantization.is_some(),
        !request.include.is_empty(),
    ];
    if said.into_iter().filter(|one| *one).count() > 1 {
        return Err(WireError::bad_request(
            "a model is chosen by its file, by its quantization or by patterns; give one of them",
        ));
    }
    Ok(match (&request.file, &request.quantization) {
        (Some(file), _) => Want::File(file.clone()),
        (_, Some(name)) => Want::Quantization(name.clone()),
        _ if !request.include.is_empty() => Want::Include(request.include.clone()),
        _ => Want::Usual,
    })
}

impl Api {
    /// The hub that `HF_ENDPOINT` names, else the public one, with the token that is found for it.
    pub(super) async fn hub(&self) -> Result<Asked, WireError> {
        let is_on = |name: &&&str| {
            std::env::var(**name)
                .is_ok_and(|value| ["1", "true", "yes", "on"].contains(&value.to_lowercase().as_str()))
        };
        if let Some(name) = OFFLINE.iter().find(is_on) {
            return Err(WireError::bad_request(format!(
                "{name} is set, so no hub is asked; unset it to fetch models"
            )));
        }
        koab_providers::use_proxy(self.proxy()?);
        // A locked keychain is no reason not to fetch what everybody may have.
        let keys = self.keys_named(&TOKEN).await.unwrap_or_default();
        let token = TOKEN.iter().find_map(|name| keys.get(name));
        let endpoint = std::env::var("HF_ENDPOINT").ok().filter(|set| !set.is_empty());
        let hub = Hub::new(endpoint.as_deref().unwrap_or(OFFICIAL), token).map_err(told)?;
        Ok(Asked { hub, keys })
    }

    /// What a hub has under a name: the models, their sizes and licence. Fetches none of it.
    ///
    /// # Errors
    /// When the hub cannot be reached or refuses.
    pub async fn hub_model(&self, repo: &str) -> Result<HubModel, WireError> {
        let (name, revision) = named(repo);
        let asked = self.hub().await?;
        let found = asked.hub.repository(name, revision).await;
        let found = found.map_err(|error| asked.told(error))?;
        let library = self.library()?;
        let cached = Cached::of(library.hub(), name);
        let files = listed(&found.files);
        let offers = choose::offers(&files);
        let problem = match choose::choose(&files, &Want::Usual) {
            Err(choose::NotChosen::Several(_)) | Ok(_) => None,
            Err(why) => Some(format!("{name} holds nothing that can run here: {why}")),
        };
        Ok(HubModel {
            page: format!("{}/{name}", asked.hub.shown()),
            repo: name.to_owned(),
            revision: revision.to_owned(),
            offers: offers
                .iter()
                .map(|offer| offered(offer, &found, &cached))
                .collect(),
            commit: found.commit,
            licence: found.licence,
            gated: found.gated,
            architecture: found.architectures.into_iter().next(),
            parameters: found.parameters,
            context: found.context,
            problem,
            free: space::free(library.hub()),
        })
    }
}

fn offered(offer: &Offer, found: &Repository, cached: &Cached) -> HubOffer {
    let is_missing = |file: &&Listed| {
        let hash = found
            .files
            .iter()
            .find(|one| one.path == file.path)
            .map(|one| one.hash.hex());
        let here =
            hash.is_some_and(|hash| cached.blob(hash).exists()) || cached.has(&found.commit, &file.path);
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
