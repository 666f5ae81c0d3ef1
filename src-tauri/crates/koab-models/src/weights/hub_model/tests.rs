use super::*;
use koab_local::library::Kind;
use koab_providers::hub::FileHash;
use std::fs;

fn request(file: Option<&str>, quantization: Option<&str>, include: &[&str]) -> PullRequest {
    PullRequest {
        repo: "org/name".to_owned(),
        file: file.map(str::to_owned),
        quantization: quantization.map(str::to_owned),
        include: include.iter().map(|pattern| (*pattern).to_owned()).collect(),
    }
}

#[test]
fn a_model_is_chosen_in_one_way_or_as_usual() {
    for (asked, wanted) in [
        (request(None, None, &[]), Want::Usual),
        (request(Some("m.gguf"), None, &[]), Want::File("m.gguf".to_owned())),
        (request(None, Some("4bit"), &[]), Want::Quantization("4bit".to_owned())),
        (request(None, None, &["*.json"]), Want::Include(vec!["*.json".to_owned()])),
    ] {
        assert_eq!(want(&asked).expect("one way"), wanted);
    }
    for twice in [
        request(Some("m.gguf"), Some("4bit"), &[]),
        request(Some("m.gguf"), None, &["*"]),
        request(None, Some("4bit"), &["*"]),
        request(Some("m.gguf"), Some("4bit"), &["*"]),
    ] {
        let said = want(&twice).expect_err("refused").message.to_string();
        assert!(said.ends_with("give one of them"), "{said}");
    }
}

#[test]
fn an_offer_lacks_what_neither_the_commit_nor_the_cache_has() {
    let folder = tempfile::tempdir().expect("a folder");
    let cached = Cached::of_model(folder.path(), "org/name");
    cached.prepare().expect("made");
    let hash = |digit: &str| FileHash::of_hex(&digit.repeat(64)).expect("a hash");
    let file = |path: &str, size, digit: &str| HubFile { path: path.to_owned(), size, hash: hash(digit) };
    let found = Repository {
        repo: "org/name".to_owned(),
        commit: "c0ffee".to_owned(),
        files: vec![file("m.gguf", 8_000, "a"), file("config.json", 100, "b"), file("README.md", 10, "c")],
        licence: None,
        gated: false,
        architectures: Vec::new(),
        parameters: None,
        context: None,
    };
    let offer = Offer {
        kind: Kind::Gguf,
        file: "m.gguf".to_owned(),
        quantization: None,
        files: listed(&found.files),
    };
    let missing = || {
        let offered = offered(&offer, &found, &cached);
        assert_eq!((offered.files, offered.bytes), (3, 8_110));
        offered.missing
    };
    assert_eq!(missing(), 8_110);
    // By its content, whatever commit brought it.
    fs::write(cached.blob(hash("b").hex()), "x").expect("written");
    assert_eq!(missing(), 8_010);
    // By its path in the commit.
    let snapshot = cached.snapshot("c0ffee");
    fs::create_dir_all(&snapshot).expect("made");
    fs::write(snapshot.join("README.md"), "x").expect("written");
    assert_eq!(missing(), 8_000);
    // What is half here is still to be fetched.
    fs::write(cached.incomplete(hash("a").hex()), "x").expect("written");
    assert_eq!(missing(), 8_000);
}
