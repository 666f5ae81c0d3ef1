//! The live APIs behind the tools, for runs in write mode: one file a service (`docs/spec/tools.md`
//! §7, §8, §10).
//!
//! A service's file knows its requests and how an answer becomes what a model is shown. What all
//! share is beside them: `line` sends and names failures, `token` renews logins, `crawl` reads the
//! pages behind search results. Which tool calls come here at all is the engine's decision; where
//! keys are kept is the caller's, who hands them in.
//!
//! Nothing that leaves this module holds a key: addresses are never told, and answers and errors
//! alike are searched for every key and login that was used.

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

use crate::http::{BaseUrl, host};
use args::Args;
use async_trait::async_trait;
use connection::Connection;
use koab_core::args::NormalizedArgs;
use koab_core::sensitive::Sensitive;
use koab_engine::egress::{self, Offline, Purpose};
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

/// All services.
pub fn list() -> impl Iterator<Item = &'static ServiceInfo> {
    TABLE.iter().map(|(info, _)| info)
}

/// The service that answers a tool.
pub fn of_tool(tool: &str) -> Option<&'static ServiceInfo> {
    list().find(|info| info.tools.contains(&tool))
}

/// The services that can be asked.
pub struct Services {
    open: Vec<(&'static ServiceInfo, Box<dyn Service>)>,
}

impl Services {
    /// Opens every service of which all keys are there; nothing is contacted yet. `keys` and
    /// `address` are asked by name: of a key, and of the variable that holds another address.
    ///
    /// # Errors
    /// When an address or a key cannot be used.
    pub fn open(
        keys: impl Fn(&str) -> Option<Sensitive<String>>,
        address: impl Fn(&str) -> Option<String>,
        tokens: &LoginTokens,
    ) -> Result<Self, BadService> {
        let mut open = Vec::new();
        for (info, opening) in TABLE {
            let values: Option<Vec<_>> = info.keys.iter().map(|name| keys(name)).collect();
            let Some(values) = values else { continue };
            let given = address(info.variable);
            let base = BaseUrl::parse(given.as_deref().unwrap_or(info.address))
                .map_err(|cause| BadService::Address { variable: info.variable, cause })?;
            open.push((info, opening(Connection::open(info, base, values)?, tokens)?));
        }
        Ok(Self { open })
    }

    /// Whether the services of these names may be reached now, as far as they are open. Nothing is
    /// contacted.
    ///
    /// # Errors
    /// When one of them is on another computer and koab is offline.
    pub fn may_reach<'a>(&self, names: impl IntoIterator<Item = &'a str>) -> Result<(), Offline> {
        names
            .into_iter()
            .filter_map(|name| self.open.iter().find(|(info, _)| info.name == name))
            .try_for_each(|(_, service)| {
                egress::may_reach(&host(&service.line().base().itself()), Purpose::Service)
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
