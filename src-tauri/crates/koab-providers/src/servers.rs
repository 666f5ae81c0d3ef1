//! Model servers on this machine: which of the usual ones answer, and with which models.
//!
//! Only loopback addresses are asked, without keys, and only when somebody wants to know. Whoever
//! answers something else than a list of models is not a model server.

use crate::http::{BaseUrl, client, is_roomy};
use crate::openai_compat::listed_models;
use crate::registry::{self, Location};
use futures_util::future::join_all;
use koab_engine::egress::Purpose;
use std::time::Duration;

/// Longest time for an answer: whoever is on this machine and up answers in a few milliseconds.
const PATIENCE: Duration = Duration::from_millis(1500);

/// Bytes of a list that are read.
const MOST: usize = 4 << 20;

/// The address of a server to look at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServerAddress {
    /// The provider that models there belong to, such as `ollama`.
    pub provider: String,
    /// Its address.
    pub base_url: String,
}

/// A server that answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LocalServer {
    /// Where.
    pub address: ServerAddress,
    /// The models that it names. Empty when it has none, or does not tell without a key.
    pub models: Vec<String>,
    /// Whether it wants a key before it tells.
    pub wants_key: bool,
}

/// Where vLLM, Ollama, LM Studio and llama-server listen when nobody tells them otherwise.
pub fn usual() -> Vec<ServerAddress> {
    let addresses = registry::list().iter().filter_map(|provider| match provider.location {
        Location::Local { base_url } => {
            Some(ServerAddress { provider: provider.name.to_owned(), base_url: base_url.to_owned() })
        }
        _ => None,
    });
    addresses.collect()
}

/// Whether an address is on this machine.
pub fn is_here(address: &str) -> bool {
    BaseUrl::parse(address).is_ok_and(|base| base.is_loopback())
}

/// Asks all addresses at once and gives those that answer, in their order. Addresses that are not
/// on this machine are left out.
pub async fn find(addresses: &[ServerAddress]) -> Vec<LocalServer> {
    let asked = addresses
        .iter()
        .map(|address| async move { tokio::time::timeout(PATIENCE, ask(address)).await.ok().flatten() });
    join_all(asked).await.into_iter().flatten().collect()
}

async fn ask(address: &ServerAddress) -> Option<LocalServer> {
    let base = BaseUrl::parse(&address.base_url).ok().filter(BaseUrl::is_loopback)?;
    let mut answer = client(&base, Purpose::Model).ok()?.get(base.join("models")).send().await.ok()?;
    let found = |models: Vec<String>, wants_key| LocalServer { address: address.clone(), models, wants_key };
    match answer.status().as_u16() {
        200 => {}
        // Only a model server has reason to guard its list, and its error is JSON as its answers
        // are.
        401 | 403 => {
            let body = answer.bytes().await.ok()?;
            let is_json = is_roomy(&body).is_ok()
                && serde_json::from_slice::<serde_json::Value>(&body).is_ok_and(|body| body.is_object());
            return is_json.then(|| found(Vec::new(), true));
        }
        _ => return None,
    }
    let mut body = Vec::new();
    while let Some(piece) = answer.chunk().await.ok()? {
        body.extend_from_slice(&piece);
        if body.len() > MOST {
            return None;
        }
    }
    Some(found(listed_models(&body)?, false))
}
