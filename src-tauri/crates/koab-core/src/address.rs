//! Addresses of servers, without secrets.
//!
//! The user name, the password and the query of an address may hold a key, and keys never reach the
//! disk. Each of these parts is replaced by a mark. Code that reads an address with a mark knows
//! that the address is incomplete. It asks the user for the whole address and does not use another
//! server.

/// Mark in the place of a removed part of an address.
const LEFT_OUT: char = '…';

/// Address for files and screens, without the parts that may hold a key.
///
/// `http://ann:pw@host/v1?tenant=a` becomes `http://…@host/v1?…`. The text need not be a valid
/// address.
pub fn kept(address: &str) -> String {
    let address = address.trim();
    let whole = address.split_once('#').map_or(address, |(whole, _)| whole);
    let (place, query) = match whole.split_once('?') {
        Some((place, _)) => (place, format!("?{LEFT_OUT}")),
        None => (whole, String::new()),
    };
    let (scheme, rest) = match place.split_once("://") {
        Some((scheme, rest)) => (format!("{scheme}://"), rest),
        None => (String::new(), place),
    };
    let (host, path) = rest.split_at(rest.find(['/', '\\']).unwrap_or(rest.len()));
    match host.rsplit_once('@') {
        Some((_, host)) => format!("{scheme}{LEFT_OUT}@{host}{path}{query}"),
        None => format!("{scheme}{host}{path}{query}"),
    }
}

/// Whether a part of an address was replaced by the mark.
pub fn is_cut(address: &str) -> bool {
    address.contains(LEFT_OUT)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_may_hold_a_key_is_marked_and_all_else_is_kept() {
        for (given, wanted) in [
            ("http://localhost:8000/v1", "http://localhost:8000/v1"),
            (" http://h/v1 ", "http://h/v1"),
            ("https://h/v1?tenant=a", "https://h/v1?…"),
            ("https://h?key=a/b@c", "https://h?…"),
            ("https://ann:p@w@h:8/v1/", "https://…@h:8/v1/"),
            ("https://k@h/v1?b=1#x", "https://…@h/v1?…"),
            ("https://h/accounts/@cf/v1", "https://h/accounts/@cf/v1"),
            ("ann@h", "…@h"),
            ("", ""),
        ] {
            assert_eq!(kept(given), wanted);
            assert_eq!(is_cut(&kept(given)), wanted != given.trim(), "{given}");
            assert_eq!(kept(wanted), wanted, "kept again");
        }
    }
}
