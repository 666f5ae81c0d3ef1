use super::{AttemptFile, MAX_FILE_BYTES, attempt_file};
use crate::folder::{ATTEMPT, of_attempt};
use crate::run::AGENTS;
use std::fs;
use tempfile::TempDir;

/// A run's folder with this file of an attempt.
fn with(text: &str) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let attempt = of_attempt(&folder.path().join(AGENTS), "T", 1);
    fs::create_dir_all(&attempt).expect("made");
    fs::write(attempt.join(ATTEMPT), text).expect("written");
    folder
}

#[test]
fn hosts_are_the_attempt_s_own_or_those_of_the_run_so_far_or_unknown() {
    let hosts = |names: &[&str]| Some(names.iter().map(|name| (*name).to_owned()).collect());
    for (text, wanted) in [
        ("{}", AttemptFile::default()),
        (r#"{"hosts_asked_for": []}"#, AttemptFile { hosts: hosts(&[]), ..AttemptFile::default() }),
        (
            r#"{"hosts_asked_for": ["a.com", 5, "b.com"], "hosts_asked_for_so_far": ["c.com"]}"#,
            AttemptFile { hosts: hosts(&["a.com", "b.com"]), ..AttemptFile::default() },
        ),
        (
            r#"{"hosts_asked_for_so_far": ["c.com"]}"#,
            AttemptFile { hosts: hosts(&["c.com"]), hosts_of_run: true, ..AttemptFile::default() },
        ),
        (r#"{"hosts_asked_for": "a.com"}"#, AttemptFile::default()),
        (
            r#"{"after_end": 3, "outlived": true, "tools_listed": true}"#,
            AttemptFile { after_end: 3, outlived: true, tools_listed: true, ..AttemptFile::default() },
        ),
        (
            r#"{"after_end": 5000000000, "outlived": 1, "tools_listed": "true"}"#,
            AttemptFile { after_end: u32::MAX, ..AttemptFile::default() },
        ),
        (r#"{"after_end": -1}"#, AttemptFile::default()),
    ] {
        assert_eq!(attempt_file(with(text).path(), "T", 1), Some(wanted), "{text}");
    }
}

#[test]
fn a_file_that_is_broken_or_endless_or_a_link_is_none() {
    let endless = format!("{{\"a\": \"{}\"}}", "x".repeat(usize::try_from(MAX_FILE_BYTES).expect("small")));
    for text in ["", "{", &endless] {
        assert_eq!(attempt_file(with(text).path(), "T", 1), None);
    }
    let folder = with("{}");
    assert_eq!(attempt_file(folder.path(), "T", 2), None, "another repetition has none");
    #[cfg(unix)]
    {
        let linked = of_attempt(&folder.path().join(AGENTS), "T", 2);
        fs::create_dir_all(&linked).expect("made");
        let whole = of_attempt(&folder.path().join(AGENTS), "T", 1).join(ATTEMPT);
        std::os::unix::fs::symlink(whole, linked.join(ATTEMPT)).expect("a link");
        assert_eq!(attempt_file(folder.path(), "T", 2), None);
    }
}
