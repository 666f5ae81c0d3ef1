//! `koab open`: the window's program is started with a link to what is named.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "these are tests")]

use crate::support::wait::until;
use crate::support::{Koab, Ran, ran};
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// `koab` in a folder of its own, with a program in the window's place that writes down how it is started.
fn beside(folder: &Path) {
    let koab = Path::new(env!("CARGO_BIN_EXE_koab"));
    fs::hard_link(koab, folder.join("koab"))
        .or_else(|_| fs::copy(koab, folder.join("koab")).map(drop))
        .unwrap();
    let window = folder.join("koab-desktop");
    let script =
        "#!/bin/sh\nprintf '%s|%s' \"$KOAB_HOME\" \"$*\" > \"$0.part\" && mv \"$0.part\" \"$0.said\"\n";
    fs::write(&window, script).unwrap();
    fs::set_permissions(&window, fs::Permissions::from_mode(0o755)).unwrap();
}

fn open(koab: &Koab, folder: &Path, words: &[&str], display: &str) -> Ran {
    let mut command = Command::new(folder.join("koab"));
    command
        .args(words)
        .env("KOAB_HOME", koab.path())
        .env("LC_ALL", "en_US.UTF-8")
        .env("DISPLAY", display)
        .env_remove("WAYLAND_DISPLAY");
    ran(command.output().unwrap())
}

/// What the window's program was started with; it is not waited for.
fn message(folder: &Path) -> String {
    let file = folder.join("koab-desktop.said");
    until("the window's program starts", Duration::from_secs(60), || file.exists());
    let said = fs::read_to_string(&file).unwrap();
    fs::remove_file(file).unwrap();
    said
}

#[test]
fn a_run_a_report_and_files_are_opened_in_the_window() {
    let koab = Koab::new();
    let folder = tempfile::tempdir().unwrap();
    beside(folder.path());
    koab.ok(&["run", "--model", "baseline/golden", "--levels", "L1", "--quiet"]);
    let id = koab.json(&["runs", "list"])[0]["id"].as_str().unwrap().to_owned();
    let link = format!("koab://run/{}", id.replace('/', "%2F"));
    let home = koab.path().display().to_string();
    let bundle = folder.path().join("묶음 1.koab");
    fs::write(&bundle, "").unwrap();
    let import = "%2F%EB%AC%B6%EC%9D%8C%201.koab";
    let opens = |words: &[&str]| {
        let ran = open(&koab, folder.path(), words, ":0");
        assert_eq!(ran.code, 0, "{words:?}: {}", ran.stderr);
        let said = message(folder.path());
        let (kept, link) = said.split_once('|').unwrap();
        assert_eq!(kept, home, "{words:?}");
        link.to_owned()
    };
    let other = tempfile::tempdir().unwrap();
    let other = other.path().to_str().unwrap();
    assert_eq!(opens(&["--home", other]), format!("--home {other}"), "the window of another workspace");
    assert_eq!(opens(&[]), "");
    assert_eq!(opens(&["open"]), "");
    // Before there is a report and after.
    for scored in [false, true] {
        if scored {
            koab.ok(&["evaluate", "last", "--no-judge"]);
        }
        assert_eq!(opens(&["open", "last"]), link, "scored: {scored}");
        assert_eq!(opens(&["open", &id]), link, "scored: {scored}");
    }
    let report = koab.json(&["report", "list"])[0]["id"].as_str().unwrap().to_owned();
    let shown = opens(&["open", &report]);
    assert!(shown.starts_with("koab://report/") || shown == link, "{shown}");
    let files = opens(&["open", bundle.to_str().unwrap()]);
    assert!(files.starts_with("koab://import?path=%2F") && files.ends_with(import), "{files}");

    for (words, display, part) in [
        (["open", "no such run"], ":0", "neither a run nor a report `no such run`"),
        (["open", "last"], "", "there is no display for a window"),
    ] {
        let refused = open(&koab, folder.path(), &words, display);
        assert_ne!(refused.code, 0, "{words:?}");
        assert!(refused.stderr.contains(part), "{words:?}: {}", refused.stderr);
    }
    fs::remove_file(folder.path().join("koab-desktop")).unwrap();
    let refused = open(&koab, folder.path(), &["open", "last"], ":0");
    assert!(refused.stderr.contains("not beside this one"), "{}", refused.stderr);
}
