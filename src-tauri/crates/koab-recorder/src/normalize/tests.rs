use super::*;
use proptest::prelude::*;

#[test]
fn times_and_ids_count_as_the_same() {
    let rules = Normalize::default();
    let told = |text: &str| rules.compared("t", &Value::from(text).to_string(), Some("/tmp/w"));
    for (one, other) in [
        ("at 2026-11-25T22:00:00Z", "at 2025-01-02T01:02:03.123+09:00"),
        (
            "modified: Wed Nov 25 2026 22:00:00 GMT+0000 (Coordinated Universal Time)",
            "modified: Thu Nov 26 2026 01:59:59 GMT+0000 (Coordinated Universal Time)",
        ),
        ("id 123e4567-e89b-12d3-a456-426614174000", "id 00000000-0000-4000-8000-000000000001"),
        (
            "commit 0123456789abcdef0123456789abcdef01234567",
            "commit ffffffffffffffffffffffffffffffffffffffff",
        ),
        ("since 1764108000", "since 1764108999"),
    ] {
        assert_eq!(told(one), told(other), "{one}");
    }
    assert_ne!(told("2 files"), told("3 files"));
    assert_eq!(told("/tmp/w/a"), Value::from("{work}/a"));
    assert_eq!(told("/tmp/wide/a"), Value::from("/tmp/wide/a"));
}

#[test]
fn a_folder_stands_for_itself_only_where_its_name_ends() {
    for (text, found) in [
        ("/tmp/w", "{work}"),
        ("/tmp/w/", "{work}/"),
        ("/tmp/w/a b", "{work}/a b"),
        ("see /tmp/w, and /tmp/w.", "see {work}, and {work}."),
        ("/tmp/w2", "/tmp/w2"),
        ("/tmp/w-2/x", "/tmp/w-2/x"),
        ("/tmp/w_2", "/tmp/w_2"),
        ("/tmp/w가", "/tmp/w가"),
        ("/tmp/w2 /tmp/w", "/tmp/w2 {work}"),
        ("nothing", "nothing"),
    ] {
        assert_eq!(put(text, "/tmp/w/", WORK), found);
    }
    assert_eq!(put("a/b", "/", WORK), "a/b", "the root is no folder that was worked in");
    assert_eq!(put("a", "", WORK), "a");
}

#[test]
fn arguments_are_matched_without_the_folder_they_were_made_in() {
    let rules = Normalize { work: Some("/srv/then".to_owned()), ..Normalize::default() };
    let then = rules.arguments(Some(r#"{"path":"/srv/then/a","n":1.0}"#), None);
    let here = rules.arguments(Some(r#"{"n":1,"path":"/tmp/now/a"}"#), Some("/tmp/now"));
    assert_eq!(then, here);
    assert_ne!(then, rules.arguments(Some(r#"{"n":1,"path":"/tmp/now/b"}"#), Some("/tmp/now")));
    // Absent arguments are no empty object, and what is no JSON is matched as it is.
    assert_eq!(
        (rules.arguments(None, None).as_str(), rules.arguments(Some("{}"), None).as_str()),
        ("", "{}")
    );
    assert_eq!(rules.arguments(Some("{no"), None), "{no");
}

#[test]
fn answers_name_the_folder_of_whoever_replays_where_that_is_wished() {
    let rules = |work: Option<&str>, rewrite| Normalize {
        work: work.map(str::to_owned),
        rewrite,
        ..Normalize::default()
    };
    let answer = r#"{"text":"made \"C:\\work\\a\" in /w/then"}"#;
    for (rules, here, found) in [
        (rules(Some("/w/then"), true), Some("/w/now"), answer.replace("/w/then", "/w/now")),
        (rules(Some("/w/then"), false), Some("/w/now"), answer.to_owned()),
        (rules(Some("/w/then"), true), None, answer.to_owned()),
        (rules(Some("/w/then"), true), Some("/w/then"), answer.to_owned()),
        (rules(None, true), Some("/w/now"), answer.to_owned()),
        // As it stands within a text of JSON.
        (rules(Some("C:\\work"), true), Some("D:\\x"), answer.replace("C:\\\\work", "D:\\\\x")),
    ] {
        assert_eq!(rules.answer(answer, here), found);
    }
}

#[test]
fn drift_looks_at_everything_but_what_is_ignored() {
    let rules = Normalize {
        ignore: vec![("t".to_owned(), "/a/0/id".to_owned()), ("u".to_owned(), "/b".to_owned())],
        ..Normalize::default()
    };
    let told = |tool: &str, text: &str| rules.compared(tool, text, None);
    assert_eq!(told("t", r#"{"a":[{"id":1}],"b":2}"#), told("t", r#"{"a":[{"id":7}],"b":2}"#));
    assert_ne!(told("t", r#"{"a":[{"id":1}],"b":2}"#), told("t", r#"{"a":[{"id":1}],"b":3}"#));
    assert_ne!(told("u", r#"{"a":[{"id":1}]}"#), told("u", r#"{"a":[{"id":7}]}"#));
    assert_eq!(told("u", r#"{"b":1}"#), told("u", r#"{"b":{"c":2}}"#));
    // What is no JSON is compared letter for letter.
    assert_eq!(told("t", "no JSON"), Value::from("no JSON"));
}

#[test]
fn only_numbers_that_can_be_a_time_of_our_days_are_one() {
    let rules = Normalize::default();
    for (number, is_time) in [
        ("1599999999", false),
        ("1600000000", true),
        ("1764108000", true),
        ("1764108000123", true),
        ("1999999999", true),
        ("2000000000", false),
        ("1764108", false),
        ("-1764108000", false),
        ("1764108000.5", true),
    ] {
        let found = rules.compared("t", number, None);
        assert_eq!(found == "{time}", is_time, "{number}: {found}");
    }
    for (text, found) in [
        ("on 2026-11-25 at 22:00:01", "on {time}"),
        ("at 22:00:01.5", "at {time}"),
        ("room 22:00", "room 22:00"),
        ("version 1.2.3", "version 1.2.3"),
        ("since Monday", "since {time}"),
    ] {
        assert_eq!(without_times(text).replace("{time} at {time}", "{time}"), found);
    }
    for (text, found) in [
        ("port localhost:8080", "port {id}"),
        ("0123456789abcdef0123456789abcde", "0123456789abcdef0123456789abcde"),
        ("0123456789abcdef0123456789abcdef", "{id}"),
    ] {
        assert_eq!(without_ids(text), found);
    }
}

proptest! {
    #![proptest_config(koab_draws::config(200))]

    /// A call that is made in another folder is the same call, wherever the folder is named in it.
    #[test]
    fn a_call_is_the_same_in_every_folder(
        folders in prop::collection::vec("/[a-z]{1,5}/[a-z]{1,5}", 2),
        names in prop::collection::vec("[a-z.]{1,6}", 1..4),
    ) {
        let rules = Normalize { work: Some(folders[0].clone()), ..Normalize::default() };
        let made = |folder: &str| {
            let paths: Vec<String> = names.iter().map(|name| format!("{folder}/{name}")).collect();
            serde_json::json!({ "paths": paths, "root": folder }).to_string()
        };
        let then = rules.arguments(Some(&made(&folders[0])), None);
        let now = rules.arguments(Some(&made(&folders[1])), Some(&folders[1]));
        prop_assert_eq!(&then, &now);
        // And a replay that is rewritten names the folder of today.
        let rules = Normalize { rewrite: true, ..rules };
        prop_assert_eq!(rules.answer(&made(&folders[0]), Some(&folders[1])), made(&folders[1]));
    }

    /// What is compared once is the same when it is compared again.
    #[test]
    fn comparing_twice_changes_nothing(text in "[ -~가-힣]{0,40}", seconds in any::<u32>()) {
        let rules = Normalize::default();
        let answer = serde_json::json!({ "text": text, "at": seconds }).to_string();
        let once = rules.compared("t", &answer, None);
        prop_assert_eq!(rules.compared("t", &once.to_string(), None), once);
    }
}
