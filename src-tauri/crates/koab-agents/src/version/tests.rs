use super::{version, version_in};
use crate::definition::Definition;
use serde_json::json;

#[test]
fn a_version_is_the_first_word_that_looks_like_one() {
    for (said, found) in [
        ("codex-cli 0.169.0\n", Some("0.169.0")),
        ("0.12.1", Some("0.12.1")),
        ("v1.2.3", Some("1.2.3")),
        ("opencode v0.9.0-beta.1+build_7", Some("0.9.0-beta.1+build_7")),
        ("tool/2.1 (linux)", Some("2.1")),
        ("name=3.4,rest", Some("3.4")),
        ("(1.0)", Some("1.0")),
        ("Python 3.12.1 with 9.9.9", Some("3.12.1")),
        ("built 2026 for you", None),
        ("version two.one", None),
        ("1.0*", None),
        ("", None),
    ] {
        assert_eq!(version_in(said).as_deref(), found, "{said}");
    }
    let long = format!("1.{}", "0".repeat(63));
    assert_eq!(version_in(&long), None, "65 letters are no version");
    assert_eq!(version_in(&long[..64]).as_deref(), Some(&long[..64]));
}

async fn said_by(command: &[&str]) -> Option<String> {
    let definition = json!({"name": "a", "kind": "command", "command": ["sh"], "version": command,
        "answer": {"stdout": "all"}});
    let definition = Definition::read(&definition.to_string(), "a").expect("a definition");
    version(&definition).await
}

#[tokio::test]
async fn a_program_is_asked_without_anything_of_this_computer_s_environment() {
    let script = r#"echo "home 1.$(ls -A "$HOME" | wc -l | tr -d ' ') ${CARGO_MANIFEST_DIR:-none}""#;
    assert_eq!(said_by(&["sh", "-c", script]).await.as_deref(), Some("1.0"));
    let script = "echo \"${CARGO_MANIFEST_DIR:-1.1}\"";
    assert_eq!(said_by(&["sh", "-c", script]).await.as_deref(), Some("1.1"));
    assert_eq!(said_by(&["sh", "-c", "echo 1.0 >&2"]).await, None, "errors are no version");
    assert_eq!(said_by(&["koab-no-such-program"]).await, None);
    assert_eq!(said_by(&[]).await, None);
}
