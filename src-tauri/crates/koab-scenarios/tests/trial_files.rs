//! What a hostile trial leaves does not lead whoever looks at it out of its folder.
#![cfg(unix)]

use koab_scenarios::layout::TrialId;
use koab_scenarios::trial_files::{Kind, list, read};
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::symlink;

fn trial() -> TrialId {
    TrialId { scenario: "mini".to_owned(), instance: "한글 id".to_owned(), repetition: 0 }
}

#[test]
fn files_are_read_and_links_pipes_and_ways_out_are_not() {
    let scratch = tempfile::tempdir().unwrap();
    let results = scratch.path().join("results");
    let folder = results.join("mini").join("한글 id").join("0");
    fs::create_dir_all(folder.join("coding")).unwrap();
    fs::write(scratch.path().join("secret"), "canary").unwrap();
    fs::write(folder.join("coding/a.txt"), "0123456789").unwrap();
    symlink(scratch.path().join("secret"), folder.join("leak")).unwrap();
    symlink(scratch.path(), folder.join("out")).unwrap();
    fs::write(folder.join(OsStr::from_bytes(b"no\xfftext")), "x").unwrap();
    let pipe = std::process::Command::new("mkfifo").arg(folder.join("pipe")).status().unwrap();
    assert!(pipe.success());

    let listed = list(&results, &trial(), 100).unwrap();
    let told: Vec<_> =
        listed.entries.iter().map(|entry| (entry.path.as_str(), entry.kind, entry.bytes)).collect();
    assert_eq!(
        told,
        [
            ("coding/a.txt", Kind::File, 10),
            ("leak", Kind::Link, 0),
            ("no\u{fffd}text", Kind::Other, 1),
            ("out", Kind::Link, 0),
            ("pipe", Kind::Other, 0),
        ]
    );
    assert!(list(&results, &trial(), 2).unwrap().cut);

    assert_eq!(read(&results, &trial(), "coding/a.txt", 4).unwrap(), (b"0123".to_vec(), 10));
    for path in [
        "leak",
        "out/secret",
        "../../../../secret",
        "/etc/passwd",
        "coding/../../../../../secret",
        "coding",
        "pipe",
        "",
        "nothing",
    ] {
        assert!(read(&results, &trial(), path, 10).is_err(), "{path}");
    }
}

#[test]
fn a_trial_that_lies_behind_a_link_is_none() {
    let scratch = tempfile::tempdir().unwrap();
    let results = scratch.path().join("results");
    fs::create_dir_all(scratch.path().join("elsewhere/0")).unwrap();
    fs::write(scratch.path().join("elsewhere/0/file"), "canary").unwrap();
    fs::create_dir_all(results.join("mini")).unwrap();
    symlink(scratch.path().join("elsewhere"), results.join("mini/한글 id")).unwrap();
    assert!(list(&results, &trial(), 10).is_err());
    assert!(read(&results, &trial(), "file", 10).is_err());
    let above = TrialId { scenario: "..".to_owned(), instance: "elsewhere".to_owned(), repetition: 0 };
    assert!(read(&results, &above, "file", 10).is_err());
}
