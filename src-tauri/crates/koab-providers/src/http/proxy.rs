//! Which proxy requests go through: one choice for the process, as the environment's is.

use koab_core::say;
use koab_core::sentence::Sentence;
use reqwest::{ClientBuilder, Url};
use std::sync::{PoisonError, RwLock};

/// Where the proxy is taken from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Proxy {
    /// `HTTP_PROXY`, `HTTPS_PROXY`, `ALL_PROXY` and `NO_PROXY`, or the system's own settings.
    #[default]
    System,
    /// None, whatever the environment says.
    Direct,
    /// This address, such as `http://proxy:8080`, for http and https alike.
    Address(String),
}

static CHOSEN: RwLock<Proxy> = RwLock::new(Proxy::System);

/// Chooses the proxy of every model that is opened from now on.
pub fn use_proxy(proxy: Proxy) {
    *CHOSEN.write().unwrap_or_else(PoisonError::into_inner) = proxy;
}

impl Proxy {
    /// Whether it can be used, else one sentence why not. An address with a password is refused: it
    /// would have to be kept in a file.
    ///
    /// # Errors
    /// One sentence without the address's secrets.
    pub fn check(&self) -> Result<(), Sentence> {
        let Self::Address(address) = self else {
            return Ok(());
        };
        let url =
            Url::parse(address).ok().filter(|url| matches!(url.scheme(), "http" | "https") && url.has_host());
        match url {
            None => Err(say!("the proxy's address must be like http://proxy.example:8080")),
            Some(url) if !url.username().is_empty() || url.password().is_some() => Err(say!(
                "the proxy's address must hold no user name or password; set HTTPS_PROXY in the environment instead"
            )),
            Some(_) => Ok(()),
        }
    }

    /// Names of the hosts that requests may go through, as far as they are known: not those of a
    /// system's own settings.
    pub(crate) fn hosts() -> Vec<String> {
        const VARIABLES: [&str; 6] =
            ["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"];
        let chosen = CHOSEN.read().unwrap_or_else(PoisonError::into_inner).clone();
        let addresses = match chosen {
            Self::Direct => Vec::new(),
            Self::Address(address) => vec![address],
            Self::System => VARIABLES.iter().filter_map(|name| std::env::var(name).ok()).collect(),
        };
        let host = |address: &String| {
            let url = Url::parse(address).or_else(|_| Url::parse(&format!("http://{address}")));
            Some(url.ok()?.host_str()?.to_owned())
        };
        addresses.iter().filter_map(host).collect()
    }

    /// Tells a client about it.
    pub(super) fn apply(builder: ClientBuilder) -> reqwest::Result<ClientBuilder> {
        let chosen = CHOSEN.read().unwrap_or_else(PoisonError::into_inner).clone();
        Ok(match chosen {
            Self::System => builder,
            Self::Direct => builder.no_proxy(),
            Self::Address(address) => builder.no_proxy().proxy(reqwest::Proxy::all(address)?),
        })
    }
}
