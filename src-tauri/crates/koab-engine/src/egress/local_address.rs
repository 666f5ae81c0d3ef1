//! Distinguishes addresses of this computer from those of others, without any lookup.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, UdpSocket};

/// Whether a host (with or without a port) is this computer: a loopback address, or the address of
/// one of its interfaces.
///
/// Names are not looked up. `localhost` and names that end with it are this computer; any other
/// name is another computer.
pub fn is_here(host: &str) -> bool {
    let name = without_port(host);
    let name = name.trim_matches(['[', ']']).trim_end_matches('.');
    match name.parse::<IpAddr>() {
        Ok(address) => {
            let address = address.to_canonical();
            address.is_loopback() || address.is_unspecified() || is_own(address)
        }
        Err(_) => {
            let name = name.to_ascii_lowercase();
            name == "localhost" || name.ends_with(".localhost")
        }
    }
}

/// The host of an address such as `tcp://host:2375` or `https://user@host/path`, with its port if
/// there is one.
///
/// The result contains nothing that may be secret. `None` for an address without a host, such as a
/// local socket.
pub fn host_of(address: &str) -> Option<&str> {
    let (_, rest) = address.split_once("://")?;
    let authority = rest.split(['/', '?', '#']).next()?;
    let host = authority.rsplit('@').next()?;
    (!host.is_empty()).then_some(host)
}

fn without_port(host: &str) -> &str {
    match host.rsplit_once(':') {
        // `::1` is all address; `[::1]:80` and `host:80` end with a port.
        Some((before, port))
            if port.bytes().all(|byte| byte.is_ascii_digit())
                && (!before.contains(':') || before.ends_with(']')) =>
        {
            before
        }
        _ => host,
    }
}

/// Whether an address belongs to an interface of this computer. The test is whether the address can
/// be bound; nothing is sent.
///
/// On computers where every address can be bound, only loopback addresses count.
fn is_own(address: IpAddr) -> bool {
    let can_bind = |address: IpAddr| UdpSocket::bind((address, 0)).is_ok();
    // Addresses reserved for documentation, which no computer has.
    let nobodys: IpAddr = match address {
        IpAddr::V4(v4) if v4.is_broadcast() => return false,
        IpAddr::V4(_) => Ipv4Addr::new(192, 0, 2, 1).into(),
        IpAddr::V6(_) => Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 1).into(),
    };
    !address.is_multicast() && can_bind(address) && !can_bind(nobodys)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_computer_is_known_by_every_spelling_and_nobody_else_is() {
        for here in [
            "localhost",
            "LOCALHOST:8000",
            "model.localhost.",
            "127.0.0.1",
            "127.9.9.9:11434",
            "0.0.0.0:80",
            "[::1]:8000",
            "::1",
            "[::ffff:127.0.0.1]",
        ] {
            assert!(is_here(here), "{here}");
        }
        for there in [
            "192.0.2.1",
            "192.0.2.1:8000",
            "255.255.255.255",
            "224.0.0.1",
            "[2001:db8::1]:443",
            "localhost.example.com",
            "notlocalhost",
            "api.openai.com",
            "",
        ] {
            assert!(!is_here(there), "{there}");
        }
    }

    #[test]
    fn a_host_is_told_without_what_may_be_secret() {
        for (address, host) in [
            ("tcp://10.0.0.7:2375", Some("10.0.0.7:2375")),
            ("https://user:secret@host.example/path?key=1", Some("host.example")),
            ("https://host.example?key=1", Some("host.example")),
            ("http://[::1]:8/x", Some("[::1]:8")),
            ("unix:///var/run/docker.sock", None),
            ("localhost:8000", None),
        ] {
            assert_eq!(host_of(address), host, "{address}");
        }
    }
}
