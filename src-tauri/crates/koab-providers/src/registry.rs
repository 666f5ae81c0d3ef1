//! Opens the model of an id such as `vllm/Qwen/Qwen3-8B` (`docs/spec/adapters.md` §2, §3, §10).
//!
//! An id is `provider/model`; the part after the first slash is the model's name on its server. The
//! table of providers is in `providers`. The caller provides the keys.

mod error;
mod keys;
mod protocols;
mod providers;

pub use error::OpenError;
pub use keys::KeySource;
pub use providers::{Location, Provider, list};

use crate::baseline::{GoldenBaseline, RandomBaseline, SilentBaseline};
use crate::http::Network;
use crate::openai_compat::{BaseUrl, Dialect, Endpoint, OpenAiCompat};
use koab_core::task::Task;
use koab_engine::egress::Purpose;
use koab_engine::ports::ModelAdapter;
use std::sync::Arc;

/// A parsed model id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ModelId<'a> {
    /// Provider of the model.
    pub provider: &'static Provider,
    /// Name on the provider's server; it may contain more slashes and colons.
    pub model: &'a str,
}

impl<'a> ModelId<'a> {
    /// Parses an id. The provider's letter case does not matter.
    ///
    /// # Errors
    /// When the id is not `provider/model`, or the provider is unknown.
    pub fn parse(id: &'a str) -> Result<Self, OpenError> {
        let id = id.trim();
        let parts = id.split_once('/').filter(|(provider, model)| !provider.is_empty() && !model.is_empty());
        let (provider, model) = parts.ok_or_else(|| OpenError::NotAnId(id.to_owned()))?;
        match list().iter().find(|known| known.name.eq_ignore_ascii_case(provider)) {
            Some(provider) => Ok(ModelId { provider, model }),
            None => Err(OpenError::UnknownProvider {
                provider: provider.to_owned(),
                known: list().iter().map(|known| known.name).collect::<Vec<_>>().join(", "),
                rest: model.to_owned(),
            }),
        }
    }
}

/// Opens a model under test. Nothing is sent yet; [`ModelAdapter::check`] does that.
///
/// `base_url` replaces the provider's own address; `seed` is for `baseline/random`, `tasks` for
/// `baseline/golden`.
///
/// # Errors
/// The fault of the id, the address or the key, in one sentence.
pub fn open(
    network: &Network,
    id: &str,
    base_url: Option<&str>,
    seed: u64,
    tasks: &[Task],
    keys: KeySource<'_>,
) -> Result<Arc<dyn ModelAdapter>, OpenError> {
    open_for(network, Purpose::Model, id, base_url, seed, tasks, keys)
}

/// Opens a model like [`open`], for a purpose that the log of egress records.
///
/// # Errors
/// The errors of [`open`].
pub fn open_for(
    network: &Network,
    purpose: Purpose,
    id: &str,
    base_url: Option<&str>,
    seed: u64,
    tasks: &[Task],
    keys: KeySource<'_>,
) -> Result<Arc<dyn ModelAdapter>, OpenError> {
    let ModelId { provider, model } = ModelId::parse(id)?;
    // A given address that equals the provider's own one counts as the provider's own.
    let own = provider.base_url().filter(|_| !matches!(provider.location, Location::Local { .. }));
    let base_url =
        base_url.map(str::trim).filter(|url| !url.is_empty() && Some(url.trim_end_matches('/')) != own);
    if matches!(provider.location, Location::OwnProtocol { .. }) {
        return protocols::open(network, provider, model, base_url, keys, purpose);
    }
    let (address, dialect) = match (provider.location, base_url) {
        (Location::Baseline, _) => return baseline(model, seed, tasks),
        (Location::Embedded, _) => return Err(OpenError::NotAServer(id.to_owned())),
        // A server at another address is compatible with OpenAI, but is not OpenAI.
        (_, Some(url)) => (url, Dialect::Common),
        (Location::Named | Location::OwnProtocol { .. }, None) => return Err(OpenError::NoBaseUrl),
        (Location::Local { base_url }, None) => (base_url, Dialect::Common),
        (Location::Hosted { base_url, dialect }, None) => (base_url, dialect),
    };
    let key = provider.keys.iter().find_map(|name| keys(name));
    if let (Location::Hosted { .. }, None, None, [name, ..]) =
        (provider.location, base_url, &key, provider.keys)
    {
        return Err(OpenError::NoKey { provider: provider.name, name });
    }
    let (base_url, network) = (BaseUrl::parse(address)?, network.clone());
    let endpoint = Endpoint { base_url, model: model.to_owned(), key, dialect, network, purpose };
    Ok(Arc::new(OpenAiCompat::new(endpoint)?))
}

/// Checks the address of a model server. A user name, password or query is refused, because they
/// can be secrets.
///
/// # Errors
/// The fault in one sentence.
pub fn check_base_url(base_url: &str) -> Result<(), OpenError> {
    let base = BaseUrl::parse(base_url)?;
    if base.as_folder() == Some(format!("{}/", base.shown())) {
        Ok(())
    } else {
        Err(OpenError::SecretInAddress)
    }
}

/// Host and port of an address, if it is valid.
pub fn host(base_url: &str) -> Option<(String, Option<u16>)> {
    BaseUrl::parse(base_url).ok()?.host()
}

fn baseline(model: &str, seed: u64, tasks: &[Task]) -> Result<Arc<dyn ModelAdapter>, OpenError> {
    match model.to_ascii_lowercase().as_str() {
        "golden" => Ok(Arc::new(GoldenBaseline::new(tasks))),
        "silent" => Ok(Arc::new(SilentBaseline)),
        "random" => Ok(Arc::new(RandomBaseline::new(seed))),
        _ => Err(OpenError::UnknownBaseline(model.to_owned())),
    }
}
