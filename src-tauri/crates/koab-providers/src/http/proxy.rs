//! Proxy of the requests of a client.

use koab_core::say;
use koab_core::sentence::Sentence;
use reqwest::{ClientBuilder, Url};

/// Source of the proxy setting.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Proxy {
    /// `HTTP_PROXY`, `HTTPS_PROXY`, `ALL_PROXY` and `NO_PROXY`, or the system's own settings.
    #[default]
    System,
    /// No proxy, regardless of the environment.
    Direct,
    /// This address, such as `http://proxy:8080`, for both http and https.
    Address(String),
}

impl Proxy {
    /// Checks whether the setting can be used. An address with a password is refused, because it
    /// would have to be stored in a file.
    ///
    /// # Errors
    /// The fault in one sentence without the address's secrets.
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

    /// Names of the proxy hosts, as far as they are known. Those of the system's own settings are
    /// not.
    pub(crate) fn hosts(&self) -> Vec<String> {
        const VARIABLES: [&str; 6] =
            ["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"];
        let addresses = match self {
            Self::Direct => Vec::new(),
            Self::Address(address) => vec![address.clone()],
            Self::System => VARIABLES.iter().filter_map(|name| std::env::var(name).ok()).collect(),
        };
        let host = |address: &String| {
            let url = Url::parse(address).or_else(|_| Url::parse(&format!("http://{address}")));
            Some(url.ok()?.host_str()?.to_owned())
        };
        addresses.iter().filter_map(host).collect()
    }

    /// Applies the setting to a client.
    pub(super) fn apply(&self, builder: ClientBuilder) -> reqwest::Result<ClientBuilder> {
        Ok(match self {
            Self::System => builder,
            Self::Direct => builder.no_proxy(),
            Self::Address(address) => builder.no_proxy().proxy(reqwest::Proxy::all(address)?),
        })
    }
}
