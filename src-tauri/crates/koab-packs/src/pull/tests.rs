use crate::tests::shelf::{Shelf, refused};
use crate::wire::PackPullRequest;
use koab_engine::ports::Cancel;
use serde_json::json;

#[tokio::test]
async fn what_names_nothing_is_refused_before_anything_is_asked() {
    let shelf = Shelf::new();
    let pull = |from: &str, archive: bool| {
        let request = PackPullRequest { from: from.to_owned(), archive, pack: None };
        let packs = shelf.packs.clone();
        async move { packs.pull(request, &Cancel::new()).await }
    };
    for (from, archive, part) in [
        ("", false, "name a dataset of a hub, such as huggingface-KREW/Ko-AgentBench"),
        (" \n", true, "name a dataset of a hub, such as huggingface-KREW/Ko-AgentBench"),
        ("no address", true, "no address"),
        ("ftp://example.com/a.zip", true, "only http and https are supported"),
    ] {
        refused(pull(from, archive).await.map(drop), part);
    }
    let secret = pull("https://me:secret@example.com/a/b", true).await;
    let why = secret.expect_err("refused").message.to_string();
    assert!(!why.contains("me:secret"), "{why}");
    assert_eq!(shelf.packs.list().expect("listed").len(), 1, "the starter pack alone");
}

#[test]
fn a_request_of_an_earlier_page_has_no_more_than_a_name() {
    let request: PackPullRequest = serde_json::from_value(json!({"from": "a/b"})).expect("a request");
    let wanted = PackPullRequest { from: "a/b".to_owned(), archive: false, pack: None };
    assert_eq!(request, wanted);
    assert!(serde_json::from_value::<PackPullRequest>(json!({"archive": true})).is_err());
}
