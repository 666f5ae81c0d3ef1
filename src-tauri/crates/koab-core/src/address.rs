//! Addresses of servers as they are written down.
//!
//! A user name, a password and a query may hold a key, and keys never reach the disk. A mark stands
//! where they stood: whoever goes on with such an address knows that it is not whole, and asks for
//! it instead of taking another server's.

/// Stands for what was left out.
const LEFT_OUT: char = '…';

/// An address without what may hold a key, as it is kept and shown.
///
/// `http://ann:pw@host/v1?tenant=a` becomes `http://…@host/v1?…`. Whether it is an address at all
/// does not matter.
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

/// Whether an address was written down without a part of it.
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
