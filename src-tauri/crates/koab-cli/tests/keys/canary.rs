//! Runs with keys that can be recognized, and looks for them wherever a run leaves something.

use crate::keys::server::{Manners, Server};
use crate::keys::session::{Keeper, Session, files, possible};
use crate::keys::{NAME, PASSWORD, done, holds};
use std::fs;
use std::process::Stdio;
use std::time::Duration;

/// Words of the command lines of a process and its children, and the environments of the children.
fn visible(process: u32) -> Vec<u8> {
    let mut seen = Vec::new();
    for entry in fs::read_dir("/proc").into_iter().flatten().flatten() {
        let folder = entry.path();
        let Ok(stat) = fs::read_to_string(folder.join("stat")) else {
            continue;
        };
        let parent = stat.rsplit_once(')').and_then(|(_, rest)| rest.split_whitespace().nth(1));
        let ours = entry.file_name().to_str() == Some(&process.to_string());
        let child = parent == Some(&process.to_string());
        if ours || child {
            seen.extend(fs::read(folder.join("cmdline")).unwrap_or_default());
        }
        if child {
            seen.extend(fs::read(folder.join("environ")).unwrap_or_default());
        }
    }
    seen
}

#[test]
fn no_value_is_left_anywhere() {
    if !possible("no_value_is_left_anywhere") {
        return;
    }
    const CANARY: &str = "cAnArY7";
    let session = Session::new(Keeper::Unlocked(PASSWORD));
    let canary = |of: &str| format!("{of}-{CANARY}");
    for name in [NAME, "TMAP_APP_KEY", "LS_APP_SECRET", "ANTHROPIC_API_KEY"] {
        done(&session.piped(&["keys", "set", name], &canary("kept")));
    }
    let environment = [
        ("KAKAO_REST_API_KEY", canary("env")),
        ("NAVER_CLIENT_SECRET", canary("env")),
        ("OPENAI_API_KEY", canary("env")),
        ("KOAB_KEYS_PASSPHRASE", canary("pass")),
    ];
    let mut said: Vec<(String, Vec<u8>)> = Vec::new();
    let mut watched = |words: &[&str], expected: i32, extra: &[(&str, &str)]| {
        let mut command = session.command(words);
        command.envs(environment.iter().map(|(name, value)| (*name, value)));
        command.envs(extra.iter().copied());
        let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let process = child.id();
        let waiting = std::thread::spawn(move || child.wait_with_output().unwrap());
        let mut looks = 0_usize;
        while !waiting.is_finished() {
            let seen = visible(process);
            // Nothing is seen of a process that has just ended.
            looks += usize::from(holds(&seen, words[0]));
            assert!(!holds(&seen, CANARY), "{words:?}: {}", String::from_utf8_lossy(&seen));
            std::thread::sleep(Duration::from_millis(5));
        }
        let output = waiting.join().unwrap();
        assert_eq!(
            output.status.code(),
            Some(expected),
            "{words:?}\n{}",
            String::from_utf8_lossy(&output.stderr)
        );
        said.push((format!("{words:?} stdout"), output.stdout));
        said.push((format!("{words:?} stderr"), output.stderr));
        looks
    };

    // A server that blurts the key out in its complaints, then answers, then judges.
    let manners = Manners { blurts: 2, delay_ms: 30 };
    let server = Server::start(&canary("kept"), manners);
    let url = server.base_url.as_str();
    let mut words =
        vec!["run", "--model", "openai_compat/m", "--base-url", url, "--levels", "L1,L5", "--evaluate"];
    words.extend(["--judge-models", "openai_compat/m", "--judge-base-url", url]);
    let looks = watched(&words, 0, &[]);
    assert!(looks > 10, "the run was watched");
    assert!(server.seen().iter().all(|key| *key == canary("kept")), "the key was really used");
    // A server that knows another key, and says which it was given.
    let strict = Server::start("another", Manners::default());
    watched(&["run", "--model", "openai_compat/m", "--base-url", &strict.base_url], 1, &[]);
    assert_eq!(strict.seen(), [canary("kept")]);
    // A key that cannot be sent, and one for a server that is not there.
    let broken = format!("{CANARY}\n{CANARY}");
    watched(&["run", "--model", "openai_compat/m", "--base-url", url], 2, &[(NAME, &broken)]);
    watched(&["run", "--model", "openai_compat/m", "--base-url", "http://127.0.0.1:9/v1"], 1, &[]);
    for words in [
        &["keys", "list"][..],
        &["keys", "list", "--json"],
        &["doctor", "--json"],
        &["runs", "list", "--json"],
        &["report", "list", "--json"],
    ] {
        watched(words, 0, &[]);
    }

    for (what, bytes) in &said {
        assert!(!holds(bytes, CANARY), "{what}: {}", String::from_utf8_lossy(bytes));
    }
    let left = files(&[session.koab.path(), session.folder()]);
    assert!(
        left.iter().any(|path| path.ends_with("journal.jsonl"))
            && left.iter().any(|path| path.ends_with("koab.sqlite"))
    );
    for path in left {
        let bytes = fs::read(&path).expect("what was left can be read");
        assert!(!holds(&bytes, CANARY), "{}", path.display());
    }
}
