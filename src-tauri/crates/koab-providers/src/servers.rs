//! Finds model servers on this machine: which of the usual ones answer, and with which models.
//!
//! Only loopback addresses are asked, without keys, and only on request. A server that answers with
//! something other than a list of models is not a model server.

use crate::http::{BaseUrl, Network, Proxy, client, is_roomy};
use crate::openai_compat::listed_models;
use crate::registry::{self, Location};
use futures_util::future::join_all;
use koab_engine::egress::{Gate, Purpose};
use std::time::Duration;

/// Time limit of an answer. A running server on this machine answers in a few milliseconds.
const ANSWER_TIMEOUT: Duration = Duration::from_millis(1500);

/// Maximum bytes of a list.
const MAX_LIST_BYTES: usize = 4 << 20;

/// Address of a possible server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServerAddress {
    /// Provider of the models there, such as `ollama`.
    pub provider: String,
    /// Base URL of the server.
    pub base_url: String,
}

/// A server that answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LocalServer {
    /// Address of the server.
    pub address: ServerAddress,
    /// Models on the server. Empty if it has none, or does not list them without a key.
    pub models: Vec<String>,
    /// Whether the server requires a key for the list.
    pub wants_key: bool,
}

/// Default addresses of vLLM, Ollama, LM Studio and llama-server.
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

/// Asks all addresses at once and returns those that answer, in their order. Addresses that are not
/// on this machine are skipped.
pub async fn find(gate: &Gate, addresses: &[ServerAddress]) -> Vec<LocalServer> {
    // The addresses are on this machine, so no proxy is asked.
    let network = &Network::new(gate.clone(), Proxy::Direct);
    let answers = addresses.iter().map(|address| async move {
        tokio::time::timeout(ANSWER_TIMEOUT, ask(network, address)).await.ok().flatten()
    });
    join_all(answers).await.into_iter().flatten().collect()
}

async fn ask(network: &Network, address: &ServerAddress) -> Option<LocalServer> {
    let base = BaseUrl::parse(&address.base_url).ok().filter(BaseUrl::is_loopback)?;
    let mut answer =
        client(network, &base, Purpose::Model).ok()?.get(base.join("models")).send().await.ok()?;
    let server = |models: Vec<String>, wants_key| LocalServer { address: address.clone(), models, wants_key };
    match answer.status().as_u16() {
        200 => {}
        // Only a model server has a reason to protect its list, and its error is JSON like its
        // answers.
        401 | 403 => {
            let body = answer.bytes().await.ok()?;
            let is_json = is_roomy(&body).is_ok()
                && serde_json::from_slice::<serde_json::Value>(&body).is_ok_and(|body| body.is_object());
            return is_json.then(|| server(Vec::new(), true));
        }
        _ => return None,
    }
    let mut body = Vec::new();
    while let Some(piece) = answer.chunk().await.ok()? {
        body.extend_from_slice(&piece);
        if body.len() > MAX_LIST_BYTES {
            return None;
        }
    }
    Some(server(listed_models(&body)?, false))
}
