//! Limits requests for the pages of search results to the public internet. A link is untrusted and
//! must not reach the user's own network.

use koab_engine::egress::{Gate, Purpose};
use reqwest::Url;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};

/// Resolver that returns only public addresses, except for proxies, which are usually in the user's
/// own network.
pub(super) struct PublicResolver {
    pub(super) gate: Gate,
    pub(super) proxies: Vec<String>,
}

impl Resolve for PublicResolver {
    fn resolve(&self, name: Name) -> Resolving {
        let is_proxy = self.proxies.iter().any(|proxy| proxy == name.as_str());
        let gate = self.gate.clone();
        Box::pin(async move {
            gate.may_reach(name.as_str(), Purpose::Page)?;
            let addresses = tokio::net::lookup_host((name.as_str(), 0)).await?;
            let public: Vec<SocketAddr> =
                addresses.filter(|address| is_proxy || is_public(address.ip())).collect();
            if public.is_empty() {
                return Err("the page is not on the public internet".into());
            }
            let result: Addrs = Box::new(public.into_iter());
            Ok(result)
        })
    }
}

/// Whether a page's address may be requested, judging by its text; names are checked again when
/// they are resolved.
pub(super) fn may_be_public(url: &Url) -> bool {
    if !matches!(url.scheme(), "http" | "https") {
        return false;
    }
    let Some(host) = url.host_str() else { return false };
    match host.trim_matches(['[', ']']).parse::<IpAddr>() {
        Ok(address) => is_public(address),
        // A proxy's resolver would know these names.
        Err(_) => {
            let name = host.trim_end_matches('.').to_ascii_lowercase();
            name.contains('.')
                && ![".localhost", ".local", ".internal", ".home.arpa"]
                    .iter()
                    .any(|ending| name.ends_with(ending))
        }
    }
}

fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(v4) => is_public_v4(v4),
        IpAddr::V6(v6) => {
            let [first, second, ..] = v6.segments();
            // An IPv4 address can be mapped into an IPv6 address in several ways.
            if let Some(v4) = v6.to_ipv4_mapped() {
                return is_public_v4(v4);
            }
            if first == 0x64 && second == 0xff9b {
                let [.., c, d] = v6.segments();
                return is_public_v4(Ipv4Addr::from(u32::from(c) << 16 | u32::from(d)));
            }
            // Global unicast is 2000::/3, without tunnels and documentation addresses.
            (first & 0xe000) == 0x2000
                && first != 0x2002
                && !(first == 0x2001 && (second == 0 || second == 0x0db8))
        }
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    let [a, b, c, _] = address.octets();
    !(address.is_private()
        || address.is_loopback()
        || address.is_link_local()
        || address.is_multicast()
        || address.is_documentation()
        || a == 0
        || a >= 240
        || (a == 100 && (64..128).contains(&b))
        || (a == 192 && b == 0 && c == 0)
        || (a == 198 && (18..20).contains(&b)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_public_internet_may_be_asked() {
        for (address, public) in [
            ("https://blog.naver.com/a/1", true),
            ("http://8.8.8.8/", true),
            ("https://[2606:4700::1]/", true),
            ("http://127.0.0.1/", false),
            ("http://0x7f.1/", false),
            ("http://2130706433/", false),
            ("http://10.1.2.3/", false),
            ("http://172.20.0.1/", false),
            ("http://192.168.0.1/", false),
            ("http://169.254.169.254/latest", false),
            ("http://100.100.1.1/", false),
            ("http://0.0.0.0/", false),
            ("http://[::1]/", false),
            ("http://[::ffff:10.0.0.1]/", false),
            ("http://[64:ff9b::a00:1]/", false),
            ("http://[fd00::1]/", false),
            ("http://[fe80::1]/", false),
            ("http://localhost/", false),
            ("http://router/", false),
            ("http://db.internal/", false),
            ("http://printer.local./", false),
            ("file:///etc/passwd", false),
            ("ftp://example.com/", false),
        ] {
            let url = Url::parse(address).expect("an address");
            assert_eq!(may_be_public(&url), public, "{address}");
        }
    }

    #[tokio::test]
    async fn a_name_for_this_computer_is_not_resolved() {
        let resolve = |proxies: Vec<String>| {
            let resolver = PublicResolver { gate: koab_stand_ins::gate(), proxies };
            resolver.resolve("localhost".parse().expect("a name"))
        };
        let refused = resolve(Vec::new()).await.err().expect("refused").to_string();
        assert_eq!(refused, "the page is not on the public internet");
        assert!(resolve(vec!["localhost".to_owned()]).await.is_ok(), "unless it is the proxy's");
    }
}
