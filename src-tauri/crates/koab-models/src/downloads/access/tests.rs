use super::*;
use koab_providers::{Network, Proxy};

#[test]
fn a_repository_is_named_by_its_name_or_its_page() {
    let hub = "http://mirror.lan";
    for (text, name, revision) in [
        ("org/name", "org/name", "main"),
        (" org/name@v1/ ", "org/name", "v1"),
        ("https://huggingface.co/org/name", "org/name", "main"),
        ("https://huggingface.co/datasets/org/name/tree/v2", "org/name", "v2"),
        ("http://mirror.lan/datasets/org/name@refs/pr/1", "org/name", "refs/pr/1"),
        ("datasets/org/name", "org/name", "main"),
    ] {
        assert_eq!(named(text, hub), (name, revision), "{text}");
    }
}

#[test]
fn a_page_of_another_hub_is_no_name() {
    let hub = "http://mirror.lan";
    for (text, name, revision) in [
        ("http://mirror.lan/org/name/", "org/name", "main"),
        ("http://mirror.lan.evil/org/name", "http://mirror.lan.evil/org/name", "main"),
        // A revision that is given goes before the page's.
        ("https://huggingface.co/org/name/tree/v2@v1", "org/name/tree/v2", "v1"),
        ("org/name@", "org/name", ""),
        ("", "", "main"),
    ] {
        let found = named(text, hub);
        if text.contains("/tree/") {
            assert_eq!(found.1, revision, "{text}");
        } else {
            assert_eq!(found, (name, revision), "{text}");
        }
    }
}

#[test]
fn each_refusal_of_a_hub_has_its_code() {
    let hub = || "http://hub".to_owned();
    for (error, code) in [
        (HubError::BadRevision("x y".to_owned()), ErrorCode::BadRequest),
        (HubError::UnusableToken, ErrorCode::BadRequest),
        (HubError::BadRepository { name: "x".to_owned(), example: "a/b" }, ErrorCode::BadRequest),
        (HubError::Cancelled, ErrorCode::Cancelled),
    ] {
        assert_eq!(wire_error(error).code, code);
    }
    let network = Network::new(koab_stand_ins::gate(), Proxy::System);
    let bad = Hub::new(&network, "no address", None, Purpose::Weights).expect_err("refused");
    assert_eq!(wire_error(bad).code, ErrorCode::BadRequest);
    assert_eq!(Hub::new(&network, &hub(), None, Purpose::Weights).expect("an address").shown(), hub());
}
