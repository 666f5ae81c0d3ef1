use super::*;
use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD_NO_PAD, URL_SAFE_NO_PAD};
use koab_core::secrets::QUERY;
use percent_encoding::utf8_percent_encode;
use proptest::prelude::*;
use serde_json::json;

const KEY: &str = "canary/7f\"3+secret";

#[test]
fn a_value_is_found_in_every_spelling() {
    let secrets = Secrets::new([KEY.to_owned()]);
    let encoded = utf8_percent_encode(KEY, QUERY).to_string();
    for text in [
        KEY.to_owned(),
        format!("x={KEY}&"),
        encoded.clone(),
        encoded.to_lowercase(),
        STANDARD_NO_PAD.encode(KEY),
        STANDARD_NO_PAD.encode(format!("u:{KEY}")),
        STANDARD_NO_PAD.encode(format!("us:{KEY}:x")),
        URL_SAFE_NO_PAD.encode(format!("use:{KEY}")),
        json!({ "inner": KEY }).to_string(),
        KEY.chars().map(|letter| format!("\\u{:04x}", u32::from(letter))).collect(),
    ] {
        let answer = json!({ "content": [{ "type": "text", "text": text }] }).to_string();
        let hit = secrets.find(&answer);
        assert_eq!(hit.map(|hit| hit.place).as_deref(), Some("content[0].text"), "{text}");
        let masked = secrets.masked(&answer);
        assert_eq!(secrets.find(&masked), None, "{masked}");
    }
    let pieces = json!({ "content": [{ "text": &KEY[..9] }, { "text": &KEY[9..] }] }).to_string();
    assert!(secrets.find(&pieces).is_some());
    assert_eq!(secrets.find(&secrets.masked(&pieces)), None);
    assert_eq!(secrets.find(r#"{"content":[{"type":"text","text":"nothing"}]}"#), None);
    assert!(!format!("{secrets:?}").contains("canary"));
}

#[test]
fn a_key_in_pieces_is_masked_whole_although_one_piece_names_it() {
    let secrets = Secrets::new(["sk-canary-7f3a9c2e41d84b6f".to_owned()]);
    let pieces = json!({ "content": [{ "text": "sk-canary-7f3a" }, { "text": "9c2e41d84b6f" }] });
    let masked = secrets.masked(&pieces.to_string());
    assert!(!masked.contains("sk-canary-7f") && !masked.contains("9c2e41d84b6f"), "{masked}");
}

#[test]
fn a_list_of_the_environment_is_found() {
    let secrets = Secrets::new([]);
    let vars: Vec<(String, String)> = std::env::vars().filter(|(_, value)| value.len() > 1).take(2).collect();
    let [(a, x), (b, y)] = &<[(String, String); 2]>::try_from(vars).expect("two variables");
    let plain = json!({ "content": [{ "text": format!("{a}={x}\n{b}={y}") }] }).to_string();
    let object = json!({ "content": [{ "text": json!({ a: x, b: y }).to_string() }] }).to_string();
    for answer in [plain, object] {
        assert!(secrets.find(&answer).is_some_and(|hit| hit.environment), "{answer}");
        assert_eq!(secrets.find(&secrets.masked(&answer)), None);
    }
    let one = json!({ "text": format!("{a}={x}") }).to_string();
    assert_eq!(secrets.find(&one), None);
}

#[test]
fn keys_are_cut_out_of_commands() {
    let secrets = Secrets::new(["abcdef-value".to_owned()]);
    for (word, kept) in [
        ("npx", "npx"),
        ("--token=x", "--token=••••"),
        ("sk-123456789", "••••"),
        ("--root=/a", "--root=/a"),
        ("abcdef-value", "••••"),
        ("mcp-task-manager", "mcp-task-manager"),
        ("x:sk-123456789", "••••"),
        ("@scope/server@1.2.3", "@scope/server@1.2.3"),
        ("https://u:p@host/x", "https://••••@host/x"),
        ("mongodb://user:pw@host/db?authSource=admin", "mongodb://••••@host/db?••••"),
        ("postgresql://host/db?user=u&password=hunter22", "postgresql://host/db?••••"),
        ("postgresql://u:p/w@host", "postgresql://••••@host"),
        ("postgresql://u:p?w@host/db", "postgresql://••••?••••"),
        ("--db=redis://:pw@host:6379/0", "--db=redis://••••@host:6379/0"),
        ("https://host/@scope/x", "https://host/@scope/x"),
        ("https://auth.host:8080/x", "https://auth.host:8080/x"),
        ("https://host/s/NDY5Zm9vYmFyMTIzNDU2Nzg/mcp", "https://host/s/••••/mcp"),
        ("X-Api-Key: 12345678", "X-Api-Key: ••••"),
        ("X-Api-Key:12345678", "X-Api-Key: ••••"),
        ("Authorization: Basic dXNlcjpwdw==", "Authorization: ••••"),
        ("host=h password=hunter22 port=1", "host=h password=••••"),
        (r#"{"apiKey":"12345678"}"#, r#"{"apiKey": ••••"#),
        ("server --api-key 12345 --x", "server --api-key ••••"),
    ] {
        assert_eq!(secrets.command(&[word.to_owned()]), [kept], "{word}");
    }
    let words = ["server", "--api-key", "12345", "--flag"].map(str::to_owned);
    assert_eq!(secrets.command(&words), ["server", "--api-key", "••••", "--flag"]);
}

#[test]
fn what_is_short_is_no_secret_and_the_longest_is_masked_first() {
    let none = Secrets::new(["12345".to_owned(), "  abc  ".to_owned()]);
    assert_eq!(none.find(r#"{"a":"12345 abc"}"#), None);
    let both = Secrets::new(["canary-1".to_owned(), "canary-1-and-more".to_owned()]);
    assert_eq!(both.masked(r#""canary-1-and-more""#), format!("\"{BLANK}\""));
    assert_eq!(both.redact("x canary-1-and-more y"), format!("x {BLANK} y"));
    let trimmed = Secrets::new(["  canary-2\n".to_owned()]);
    assert!(trimmed.find(r#""canary-2""#).is_some());
}

#[test]
fn the_place_of_a_secret_is_told_by_its_path() {
    let secrets = Secrets::new(["canary-1".to_owned()]);
    for (answer, place) in [
        (r#""canary-1""#, Some("")),
        (r#"{"a":{"b":[1,"canary-1"]}}"#, Some("a.b[1]")),
        (r#"["x",["canary-1"]]"#, Some("[1][0]")),
        (r#"{"canary-1":1}"#, Some("canary-1")),
        // Made of two texts, it is in the whole.
        (r#"{"a":"x"}"#, None),
        ("no JSON canary-1", Some("")),
    ] {
        let found = secrets.find(answer).map(|hit| hit.place);
        assert_eq!(found.as_deref(), place, "{answer}");
    }
    let hit = secrets.find(r#"{"canary-1":1}"#).unwrap();
    assert_eq!(secrets.place(&hit), BLANK, "a field's name may be the value itself");
    assert_eq!(secrets.clipped("line\nbreak canary-1", 100), format!("line break {BLANK}"));
    assert_eq!(secrets.clipped("가나다라", 3), "가나다…");
    assert_eq!(secrets.clipped("가나다", 3), "가나다");
}

proptest! {
    #![proptest_config(koab_draws::config(200))]

    /// Wherever and however a value stands, it is found, and what is masked has it no more and is JSON still.
    #[test]
    fn no_spelling_of_a_value_is_kept(
        value in "[a-zA-Z0-9/+\"\\\\ =&-]{8,20}",
        before in "[a-z ]{0,5}",
        after in "[a-z ]{0,5}",
        spelling in 0usize..6,
    ) {
        prop_assume!(value.trim().len() >= 8);
        let value = value.trim();
        let secrets = Secrets::new([value.to_owned()]);
        let text = format!("{before}{value}{after}");
        let spelled = match spelling {
            0 => text,
            1 => STANDARD_NO_PAD.encode(&text),
            2 => URL_SAFE_NO_PAD.encode(&text),
            3 => utf8_percent_encode(&text, QUERY).to_string(),
            4 => json!({ "inner": text }).to_string(),
            _ => json!({ "inner": json!([text]).to_string() }).to_string(),
        };
        let answer = json!({ "content": [{ "type": "text", "text": spelled }] }).to_string();
        prop_assert!(secrets.find(&answer).is_some(), "{}", answer);
        let masked = secrets.masked(&answer);
        prop_assert_eq!(secrets.find(&masked), None);
        prop_assert!(serde_json::from_str::<Value>(&masked).is_ok(), "{}", masked);
    }
}
