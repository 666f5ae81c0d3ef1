//! A newer server beside its recording.

use crate::mcp::{call, calls, can_serve, server, session, words};
use crate::support::Koab;

const CALLS: [&str; 5] = [
    r#"{"tool":"echo","arguments":{"text":"hi"}}"#,
    r#"{"tool":"now"}"#,
    r#"{"tool":"add","arguments":{"a":1,"b":2}}"#,
    r#"{"tool":"note","arguments":{"text":"x"}}"#,
    r#"{"tool":"notes"}"#,
];

#[test]
fn the_same_server_is_compatible_and_a_newer_one_is_told_apart() {
    if !can_serve("the_same_server_is_compatible_and_a_newer_one_is_told_apart") {
        return;
    }
    let koab = Koab::new();
    let (plain, newer, file) = (server("plain"), server("newer"), calls(&koab, &CALLS));
    koab.ok(&words(&["pack", "record", "kept", "--calls", &file], &plain));
    let same = koab.ok(&words(&["cache", "drift", "kept"], &plain));
    assert!(same.stdout.contains("compatible: 5 of 5 answers are the same"), "{}", same.stdout);
    let drift = koab.run(&words(&["cache", "drift", "kept"], &newer));
    assert_eq!(drift.code, 1);
    for told in [
        "compared with: tests 2",
        "note: removed",
        "add: /properties/c is required now",
        "add: a new parameter, /properties/c",
        "fresh: a new tool",
        r#"content[0].text: "hi" → "HI""#,
        "not compatible: 4 of 5 answers are the same",
    ] {
        assert!(drift.stdout.contains(told), "{told}\n{}", drift.stdout);
    }
    // Nothing was changed by looking; with the word for it there is a version of what the server says now.
    let versions =
        |koab: &Koab| koab.json(&["pack", "show", "kept"])["summary"]["version"].as_str().map(str::to_owned);
    assert!(versions(&koab).is_some_and(|version| version.starts_with("1+")));
    let updated = koab.run(&words(&["cache", "drift", "kept", "--update"], &newer));
    assert!(updated.stdout.contains("recorded as kept@2+"), "{}", updated.stdout);
    let echo = [call(1, "echo", r#"{"text":"hi"}"#)];
    assert!(session(&koab, &["pack", "replay", "kept"], &echo).stdout.contains("\"HI\""));
    assert!(session(&koab, &["pack", "replay", "kept@1"], &echo).stdout.contains("\"hi\""));
    let again = koab.ok(&words(&["cache", "drift", "kept"], &newer));
    assert!(again.stdout.contains("compatible: 5 of 5"), "{}", again.stdout);
    let gone = koab.run(&words(&["cache", "drift", "kept"], &["no-such-program".to_owned()]));
    assert_eq!(gone.code, 2);
}
