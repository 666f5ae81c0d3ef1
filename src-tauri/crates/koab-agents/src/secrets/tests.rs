use super::*;
use proptest::prelude::*;
use serde_json::Value;

#[test]
fn a_secret_is_found_however_it_is_escaped_and_other_json_stays_as_it_was_spelled() {
    let secrets = secrets_of(["sk-canary-1", "none"]);
    let same = r#"{"b": 1.50, "a": "none"}"#;
    assert_eq!(secrets.json(same), same);
    let escaped = r#"{"q": ["sk-can\u0061ry-1"], "sk-canary-1": 1}"#;
    assert_eq!(secrets.json(escaped), r#"{"q":["[secret]"],"[secret]":1}"#);
    let number = secrets_of(["12345678"]);
    assert_eq!(number.json(r#"{"n": 12345678}"#), r#"{"n":"[secret]"}"#);
    let twice = secrets.json(r#"{"a": "sk-canary-1", "a": "b"}"#);
    assert_eq!(twice, r#"{"a": "[secret]", "a": "b"}"#);
    let broken = r#"{"q": "sk-canary-1"#;
    assert_eq!(secrets.json(broken), r#"{"q": "[secret]"#, "the text stays");
    let why = secrets.sentence(say!("it refused {method}: {}", "the key sk-canary-1", method = "x"));
    assert_eq!(why.to_string(), "it refused x: the key [secret]");
}

#[test]
fn a_secret_that_holds_another_is_replaced_whole_and_a_short_one_is_none() {
    let of = |secrets: &[&str]| secrets_of(secrets);
    for (secrets, text, masked) in [
        (&["12345678", "12345678-abc"][..], "a 12345678-abc b 12345678", "a [secret] b [secret]"),
        (&["1234567"], "1234567", "1234567"),
        (&["비밀번호"], "비밀번호", "[secret]"),
        (&["비밀"], "비밀", "비밀"),
        (&["abcdefgh"], "ABCDEFGH abcdefg", "[secret] abcdefg"),
        (&["abcdefgh"], "abcdefghabcdefgh", "[secret][secret]"),
    ] {
        assert_eq!(of(secrets).text(text), masked);
    }
}

#[test]
fn a_home_and_files_with_a_key_are_gone_and_the_rest_stays() {
    let folder = tempfile::tempdir().expect("a folder");
    let (path, home) = (folder.path(), folder.path().join("home"));
    fs::create_dir_all(home.join("deep")).expect("a home");
    fs::create_dir_all(path.join("work/deep")).expect("a folder");
    fs::create_dir_all(path.join("work/sk-canary-1")).expect("a folder");
    for (name, text) in [
        ("home/deep/login", "whatever"),
        ("work/deep/config", "key = sk-canary-1"),
        ("work/notes", "nothing"),
        ("work/of-SK-CANARY-1", "nothing"),
        ("work/sk-canary-1/notes", "nothing"),
        ("console.log", "[secret]"),
    ] {
        fs::write(path.join(name), text).expect("written");
    }
    fs::write(path.join("work/bytes"), b"\xff\xfesk-canary-1\x00").expect("written");
    let keys = secrets_of(["sk-canary-1"]);
    let left = KeyFiles::for_attempt(path, home.clone(), &keys).expect("there are keys");
    left.remove().expect("removed");
    for (name, is_there) in [
        ("home", false),
        ("work/deep/config", false),
        ("work/bytes", false),
        ("work/of-SK-CANARY-1", false),
        ("work/sk-canary-1", false),
        ("work/deep", true),
        ("work/notes", true),
        ("console.log", true),
    ] {
        assert_eq!(path.join(name).exists(), is_there, "{name}");
    }
    left.remove().expect("nothing is left to remove");
    assert!(KeyFiles::for_attempt(path, home, &secrets_of([""; 0])).is_none());
}

#[test]
fn files_with_a_key_are_gone_when_an_attempt_is_dropped() {
    let folder = tempfile::tempdir().expect("a folder");
    let home = folder.path().join("home");
    fs::create_dir_all(&home).expect("a home");
    fs::write(folder.path().join("key"), "sk-canary-1").expect("written");
    let keys = secrets_of(["sk-canary-1"]);
    drop(KeyFiles::for_attempt(folder.path(), home.clone(), &keys));
    assert!(!home.exists());
    assert!(!folder.path().join("key").exists());
}

proptest! {
    #![proptest_config(koab_draws::config(256))]

    /// JSON stays JSON, has no secret anywhere, and is spelled as it came where it had none.
    #[test]
    fn masked_json_is_json_without_the_secret(
        names in proptest::collection::vec("[a-z]{0,3}(sk-canary-1)?", 0..4),
        texts in proptest::collection::vec("[\"\\\\a-z]{0,3}(sk-canary-1)?[a-z]?", 0..4),
    ) {
        let secrets = secrets_of(["sk-canary-1"]);
        let fields = names.iter().zip(&texts);
        let fields = fields.map(|(name, text)| (name.clone(), serde_json::json!([text, {"deep": text}])));
        let json = Value::Object(fields.collect()).to_string();
        let masked = secrets.json(&json);
        prop_assert!(serde_json::from_str::<Value>(&masked).is_ok(), "{}", masked);
        prop_assert!(!masked.contains("sk-canary-1"));
        if !json.contains("sk-canary-1") {
            prop_assert_eq!(masked, json);
        }
    }
}
