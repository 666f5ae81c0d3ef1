//! The address of a server: it is validated once, joined with paths, and shown without secrets.

use koab_core::address;
use reqwest::Url;
use std::net::IpAddr;

/// Base URL that paths such as `chat/completions` are appended to.
///
/// The address is used as given: no `/v1` is added or removed. A query stays at the end, because
/// gateways need it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BaseUrl(Url);

/// Reason why a text is not a base URL.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, koab_core::Say)]
pub enum BadBaseUrl {
    /// The scheme is missing, as in `localhost:8000/v1`.
    #[error("the base URL `{0}` has no scheme; write http://{0} or https://{0}")]
    NoScheme(String),
    /// The scheme is not supported, as in `ftp://host`.
    #[error("the base URL uses the scheme `{0}`; only http and https are supported")]
    Scheme(String),
    /// The address was stored without the part that may hold a key.
    #[error(
        "the base URL {0} was saved without the part that may hold a key (…); give the whole address again, with --base-url or --judge-base-url"
    )]
    NotWhole(String),
    /// The address is invalid for another reason.
    #[error("the base URL cannot be read: {0}; write it like http://localhost:8000/v1")]
    Unreadable(String),
}

impl BaseUrl {
    /// Parses an address such as `http://localhost:8000/v1`, with or without a trailing slash.
    ///
    /// # Errors
    /// When there is no scheme, a scheme other than http and https, or no host.
    pub fn parse(text: &str) -> Result<Self, BadBaseUrl> {
        let text = text.trim();
        if address::is_cut(text) {
            return Err(BadBaseUrl::NotWhole(text.to_owned()));
        }
        // `localhost:8000` alone would parse as the scheme `localhost`.
        if !text.contains("://") {
            return Err(BadBaseUrl::NoScheme(text.to_owned()));
        }
        let mut url = Url::parse(text).map_err(|error| BadBaseUrl::Unreadable(error.to_string()))?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err(BadBaseUrl::Scheme(url.scheme().to_owned()));
        }
        url.set_fragment(None);
        let path = url.path().trim_end_matches('/');
        // People paste the full address from a server's documentation.
        let path = path.strip_suffix("/chat/completions").unwrap_or(path).to_owned();
        url.set_path(&path);
        Ok(BaseUrl(url))
    }

    /// URL of a path below the base.
    pub(crate) fn join(&self, path: &str) -> Url {
        let mut url = self.0.clone();
        url.set_path(&format!("{}/{path}", self.0.path().trim_end_matches('/')));
        url
    }

    /// The URL itself.
    pub(crate) fn itself(&self) -> Url {
        self.0.clone()
    }

    /// The address for display: without user name, password and query.
    pub fn shown(&self) -> String {
        let mut url = self.0.clone();
        url.set_query(None);
        // Both calls fail only for URLs without a host, which http and https URLs cannot be.
        let _ = url.set_username("");
        let _ = url.set_password(None);
        url.as_str().trim_end_matches('/').to_owned()
    }

    /// Host and port; the scheme's default port if none is given.
    pub(crate) fn host(&self) -> Option<(String, Option<u16>)> {
        Some((self.0.host_str()?.to_owned(), self.0.port_or_known_default()))
    }

    /// Whether the server is on this machine and cannot be reached through a proxy.
    pub(crate) fn is_loopback(&self) -> bool {
        let host = self.0.host_str().unwrap_or_default().trim_matches(['[', ']']);
        host == "localhost"
            || host.ends_with(".localhost")
            || host.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback() || ip.is_unspecified())
    }

    /// The address with a slash at its end, for libraries that append paths as text. `None` if
    /// there is a query, which would end up in the middle.
    pub(crate) fn as_folder(&self) -> Option<String> {
        self.0.query().is_none().then(|| format!("{}/", self.0.as_str().trim_end_matches('/')))
    }

    pub(crate) fn is_plain_http(&self) -> bool {
        self.0.scheme() == "http"
    }
}

/// Host of an address, with its port unless it is the scheme's default.
///
/// Only this part of an address is shown to users and written to files.
pub(crate) fn host(url: &Url) -> String {
    let host = url.host_str().unwrap_or_default();
    match url.port() {
        Some(port) => format!("{host}:{port}"),
        None => host.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_used_as_given() {
        for (given, joined) in [
            ("http://localhost:8000/v1", "http://localhost:8000/v1/chat/completions"),
            ("http://localhost:8000/v1/", "http://localhost:8000/v1/chat/completions"),
            ("http://localhost:8000", "http://localhost:8000/chat/completions"),
            (" https://api.example.com/a/b// ", "https://api.example.com/a/b/chat/completions"),
            ("http://h/v1/chat/completions", "http://h/v1/chat/completions"),
            ("https://h/v1?api-version=1#x", "https://h/v1/chat/completions?api-version=1"),
        ] {
            assert_eq!(
                BaseUrl::parse(given).map(|base| base.join("chat/completions").to_string()),
                Ok(joined.to_owned())
            );
        }
    }

    #[test]
    fn a_shown_address_holds_no_secret() {
        let base = BaseUrl::parse("https://ann:pw@h.example:8443/v1/?key=abc").expect("a base URL");
        assert_eq!(base.shown(), "https://h.example:8443/v1");
    }

    #[test]
    fn what_is_no_address_gets_one_sentence() {
        for (given, said) in [
            (
                "localhost:8000/v1",
                "the base URL `localhost:8000/v1` has no scheme; write http://localhost:8000/v1 or https://localhost:8000/v1",
            ),
            ("ftp://host/v1", "the base URL uses the scheme `ftp`; only http and https are supported"),
            (
                "https://h/v1?…",
                "the base URL https://h/v1?… was saved without the part that may hold a key (…); give the whole address again, with --base-url or --judge-base-url",
            ),
            ("http://", "the base URL cannot be read: empty host; write it like http://localhost:8000/v1"),
            (
                "http://h:99999/v1",
                "the base URL cannot be read: invalid port number; write it like http://localhost:8000/v1",
            ),
        ] {
            assert_eq!(BaseUrl::parse(given).map_err(|error| error.to_string()), Err(said.to_owned()));
        }
    }

    #[test]
    fn loopback_is_known_in_every_spelling() {
        let loopback = |text: &str| BaseUrl::parse(text).expect("a base URL").is_loopback();
        for here in [
            "http://localhost:1",
            "http://127.0.0.1",
            "http://127.9.9.9/v1",
            "http://[::1]:80",
            "http://0.0.0.0:8",
        ] {
            assert!(loopback(here), "{here}");
        }
        for there in ["http://10.0.0.2", "http://localhost.example.com", "https://[2001:db8::1]"] {
            assert!(!loopback(there), "{there}");
        }
    }
}
