//! The live APIs behind the tools, for runs in write mode, one file per service
//! (`docs/spec/tools.md` §7, §8, §10).
//!
//! A service's file defines its requests and converts its answers for the model. Shared modules:
//! `connection` sends requests and names failures, `token` renews logins (access tokens that a
//! service issues), and `crawl` reads the pages behind search results. The engine decides which
//! tool calls are sent to a service. The caller stores the keys and passes them in. The comments
//! call the tools in Ko-AgentBench's own code the published tools.
//!
//! No result of this module contains a key: addresses are never shown, and all keys and logins are
//! removed from answers and errors.

mod aladin;
mod args;
mod bithumb;
mod connection;
mod crawl;
mod daum_search;
mod info;
mod kakao_local;
mod kis_securities;
mod ls_securities;
mod naver_maps;
mod naver_search;
mod page_text;
mod public_addresses;
mod service;
mod tmap;
mod token;
mod upbit;

pub use info::{BadService, ServiceInfo};
pub use token::LoginTokens;

use crate::http::{BaseUrl, Network, host};
use args::Args;
use async_trait::async_trait;
use connection::Connection;
use koab_core::args::NormalizedArgs;
use koab_core::sensitive::Sensitive;
use koab_engine::egress::{Offline, Purpose};
use koab_engine::ports::{ServiceFault, ToolServices};
use serde_json::Value;
use service::Service;

type Opening = fn(Connection, &LoginTokens) -> Result<Box<dyn Service>, BadService>;

const TABLE: &[(ServiceInfo, Opening)] = &[
    (naver_maps::INFO, naver_maps::open),
    (ls_securities::INFO, ls_securities::open),
    (kis_securities::INFO, kis_securities::open),
    (bithumb::INFO, bithumb::open),
    (upbit::INFO, upbit::open),
    (naver_search::INFO, naver_search::open),
    (daum_search::INFO, daum_search::open),
    (aladin::INFO, aladin::open),
    (kakao_local::INFO, kakao_local::open),
    (tmap::INFO, tmap::open),
];

/// All live services that tools may call in write mode, with or without keys.
pub fn list() -> impl Iterator<Item = &'static ServiceInfo> {
    TABLE.iter().map(|(info, _)| info)
}

/// The service that answers a tool.
pub fn of_tool(tool: &str) -> Option<&'static ServiceInfo> {
    list().find(|info| info.tools.contains(&tool))
}

/// The services whose keys are available.
pub struct Services {
    open: Vec<(&'static ServiceInfo, Box<dyn Service>)>,
}

impl Services {
    /// Opens every service whose keys are all available. Nothing is sent yet.
    ///
    /// `keys` returns a key by its name. `address` returns the value of the variable that replaces
    /// a service's address.
    ///
    /// # Errors
    /// When an address or a key cannot be used.
    pub fn open(
        network: &Network,
        keys: impl Fn(&str) -> Option<Sensitive<String>>,
        address: impl Fn(&str) -> Option<String>,
        tokens: &LoginTokens,
    ) -> Result<Self, BadService> {
        let mut open = Vec::new();
        for (info, opening) in TABLE {
            let values: Option<Vec<_>> = info.keys.iter().map(|name| keys(name)).collect();
            let Some(values) = values else { continue };
            let override_url = address(info.variable);
            let base = BaseUrl::parse(override_url.as_deref().unwrap_or(info.address))
                .map_err(|cause| BadService::Address { variable: info.variable, cause })?;
            open.push((info, opening(Connection::open(network, info, base, values)?, tokens)?));
        }
        Ok(Self { open })
    }

    /// Checks whether the named services may be reached now. Services that are not open are
    /// skipped. Nothing is sent.
    ///
    /// # Errors
    /// When a service is on another computer and koab is offline.
    pub fn may_reach<'a>(&self, names: impl IntoIterator<Item = &'a str>) -> Result<(), Offline> {
        names
            .into_iter()
            .filter_map(|name| self.open.iter().find(|(info, _)| info.name == name))
            .try_for_each(|(_, service)| {
                let line = service.line();
                line.network().gate().may_reach(&host(&line.base().itself()), Purpose::Service)
            })
    }
}

#[async_trait]
impl ToolServices for Services {
    async fn call(&self, tool: &str, args: &NormalizedArgs) -> Option<Result<Value, ServiceFault>> {
        let (_, service) = self.open.iter().find(|(info, _)| info.tools.contains(&tool))?;
        let fields = args.as_value().as_object()?;
        let answer = service.call(tool, Args(fields)).await;
        let secrets = service.line().secrets();
        Some(match answer {
            Ok(value) => Ok(secrets.value(value)),
            Err(mut fault) => {
                fault.message = std::mem::take(&mut fault.message).with_words(&|text| secrets.text(text));
                fault.shown = fault.shown.map(|shown| secrets.value(shown));
                Err(fault)
            }
        })
    }
}
