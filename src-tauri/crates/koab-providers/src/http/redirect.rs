//! Redirects of files, which are followed one address at a time.

use crate::http::BaseUrl;
use reqwest::Url;

/// Scheme, host and port of a URL.
pub(crate) fn origin(url: &Url) -> String {
    url.origin().ascii_serialization()
}

/// Whether a redirect may be followed. An encrypted connection must stay encrypted, unless the
/// target is on this machine.
pub(crate) fn may_follow(from: &Url, to: &Url) -> bool {
    to.scheme() == "https" || (to.scheme() == "http" && (from.scheme() == "http" || is_here(to)))
}

fn is_here(url: &Url) -> bool {
    BaseUrl::parse(&origin(url)).is_ok_and(|base| base.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encryption_is_not_left() {
        let url = |text: &str| Url::parse(text).expect("an address");
        let hub = url("https://huggingface.co/a");
        assert!(may_follow(&hub, &url("https://cdn.example/x")));
        assert!(!may_follow(&hub, &url("http://cdn.example/x")));
        assert!(!may_follow(&hub, &url("file:///etc/passwd")));
        assert!(may_follow(&url("http://mirror.lan/a"), &url("http://store.lan/x")));
    }
}
