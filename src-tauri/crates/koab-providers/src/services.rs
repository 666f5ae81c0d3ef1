//! The real services behind the tools, for runs in write mode: one file a service (`spec/tools.md` §7, §8, §10).
//!
//! A service's file knows its requests and how an answer becomes what a model is shown. What all share is beside them:
//! `line` sends and names failures, `token` renews logins, `crawl` reads the pages behind search results. Which
//! tool calls come here at all is the engine's decision; where keys are kept is the caller's, who hands them in.
//!
//! Nothing that leaves this module holds a key: addresses are never told, and answers and errors alike are searched for
//! every key and login that was used.

mod aladin;
mod args;
mod bithumb;
mod crawl;
mod daum_search;
mod kakao_local;
mod kis_securities;
mod line;
mod ls_securities;
mod naver_maps;
mod naver_search;
mod page_text;
mod public_addresses;
mod secrets;
mod tmap;
mod token;
mod upbit;

pub use token::HeldTokens;

use crate::http::{BadBaseUrl, BaseUrl, host};
use args::Args;
use async_trait::async_trait;
use koab_core::args::NormalizedArgs;
use koab_core::sensitive::Sensitive;
use koab_engine::egress::{self, Offline, Purpose};
use koab_engine::ports::{ServiceFault, ToolServices};
use line::Line;
use serde_json::Value;

/// A service and what it needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ServiceInfo {
    /// Its name, as the catalogue of keys has it.
    pub name: &'static str,
    /// Its name for people.
    pub title: &'static str,
    /// Its own address.
    pub address: &'static str,
    /// The environment variable that puts another address in its place.
    pub variable: &'static str,
    /// Names of the keys it needs, all of them.
    pub keys: &'static [&'static str],
    /// The tools it answers.
    pub tools: &'static [&'static str],
}

/// A service that cannot be asked as it is set up.
#[derive(Debug, thiserror::Error)]
pub enum BadService {
    /// The address.
    #[error("the address in {variable} cannot be used: {cause}")]
    Address {
        /// The variable that holds it.
        variable: &'static str,
        /// What is wrong with it.
        cause: BadBaseUrl,
    },
    /// A key that can stand in no request.
    #[error("the key {name} cannot be sent; store it again with `koab keys set {name}`")]
    Key {
        /// Its name.
        name: &'static str,
    },
    /// TLS.
    #[error("no connection to {title} can be made: {cause}")]
    Client {
        /// The service.
        title: &'static str,
        /// What is wrong.
        cause: String,
    },
}

/// What every service can do.
#[async_trait]
trait Service: Send + Sync {
    /// Asks for one of its tools.
    async fn call(&self, tool: &str, args: Args<'_>) -> Result<Value, ServiceFault>;

    /// Its connection, which knows what must not be told.
    fn line(&self) -> &Line;
}

type Opening = fn(Line, &HeldTokens) -> Result<Box<dyn Service>, BadService>;

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
    /// Opens every service of which all keys are there; nothing is contacted yet. `keys` and `address` are asked by name: of
    /// a key, and of the variable that holds another address.
    ///
    /// # Errors
    /// When an address or a key cannot be used.
    pub fn open(
        keys: impl Fn(&str) -> Option<Sensitive<String>>,
        address: impl Fn(&str) -> Option<String>,
        tokens: &HeldTokens,
    ) -> Result<Self, BadService> {
        let mut open = Vec::new();
        for (info, opening) in TABLE {
            let values: Option<Vec<_>> = info.keys.iter().map(|name| keys(name)).collect();
            let Some(values) = values else { continue };
            let given = address(info.variable);
            let base = BaseUrl::parse(given.as_deref().unwrap_or(info.address)).map_err(|cause| {
                BadService::Address {
                    variable: info.variable,
                    cause,
                }
            })?;
            open.push((info, opening(Line::open(info, base, values)?, tokens)?));
        }
        Ok(Self { open })
    }

    /// Whether the services of these names may be reached now, as far as they are open. Nothing is contacted.
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
            Ok(mut value) => {
                secrets.blank(&mut value);
                Ok(value)
            }
            Err(mut fault) => {
                fault.message = secrets.without(&fault.message);
                if let Some(shown) = &mut fault.shown {
                    secrets.blank(shown);
                }
                Err(fault)
            }
        })
    }
}
