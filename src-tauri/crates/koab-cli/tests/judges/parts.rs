//! Judging in parts that are begun by hand: GNU parallel and others do it so.

use super::server::Judges;
use super::{evaluate, golden, refused};
use crate::support::{Koab, copy, ran};
use std::fs;
use std::path::Path;

#[test]
fn parts_of_a_judging_come_to_its_report_and_ask_nothing_twice() {
    let judges = Judges::start();
    let (koab, folder) = golden("L6,L7");
    // The same run, for one process alone.
    let other = Koab::new();
    let inside = Path::new(&folder).strip_prefix(koab.path()).expect("in the workspace");
    let alone = other.path().join(inside);
    copy(Path::new(&folder), &alone);
    let alone = alone.to_str().expect("UTF-8");
    let judged = |more: &[&'static str]| -> Vec<String> {
        let words =
            ["evaluate", &folder, "--judge-base-url", &judges.url, "--judge-models", "openai_compat/a"];
        words.iter().chain(more).map(|word| (*word).to_owned()).collect()
    };
    let run = |more: &[&'static str]| {
        let words = judged(more);
        koab.run(&words.iter().map(String::as_str).collect::<Vec<_>>())
    };
    for part in ["0/3", "2/3"] {
        let ran = run(&["--shard", part]);
        assert_eq!(ran.code, 0, "{}", ran.stderr);
    }
    let asked = judges.calls();
    let early = koab.run(&["evaluate", &folder, "--merge"]);
    assert_eq!(early.code, 3, "{}", early.stderr);
    assert!(early.stdout.contains("still to be asked for"), "{}", early.stdout);
    assert_eq!(run(&["--shard", "0/3"]).code, 0);
    assert_eq!(judges.calls(), asked, "what is answered is not asked again");

    // Another cut, other judges, a cut line, a file that is not one of answers: one sentence each.
    refused(&run(&["--shard", "1/4"]), 1, "were already divided into 3 shards");
    let others = [
        "evaluate",
        &folder,
        "--judge-base-url",
        &judges.url,
        "--judge-models",
        "openai_compat/b",
        "--shard",
        "1/3",
    ];
    refused(&koab.run(&others), 1, "answers to other questions");
    let part = Path::new(&folder).join("judging/shards/0.1.jsonl");
    let whole = fs::read_to_string(&part).expect("read");
    fs::write(&part, "nonsense\n").expect("written");
    refused(
        &koab.run(&["evaluate", &folder, "--merge"]),
        1,
        "its first line is not that of a file of judges' answers",
    );
    let cut: String = whole.chars().take(whole.len() * 2 / 3).collect();
    fs::write(&part, cut).expect("written");

    // The cut part is made whole by the next start; one process that scores finds all that is there.
    for part in ["0/3", "1/3"] {
        assert_eq!(run(&["--shard", part]).code, 0);
    }
    let asked = judges.calls();
    let report = koab.json(&["evaluate", &folder, "--merge"])["reports"][0].clone();
    assert_eq!(judges.calls(), asked, "a merge asks nobody");
    let words = ["evaluate", alone, "--judge-base-url", &judges.url, "--judge-models", "openai_compat/a"];
    let expected = other.json(&words)[0].clone();
    assert_eq!(report["levels"], expected["levels"]);
    assert_eq!(report["notes"], expected["notes"]);
    assert!(!Path::new(&folder).join("judging").exists(), "it is in the workspace now");
}

#[test]
fn an_engine_that_does_not_answer_is_not_taken_for_one_without_workers() {
    let judges = Judges::start();
    let (koab, folder) = golden("L6");
    let judging = Path::new(&folder).join("judging");
    fs::create_dir_all(&judging).expect("made");
    let handed = |cancelled: &str| {
        let jobs = r#"[{"id": "7", "merge": null, "shards": [0, 1], "at_ms": 1}]"#;
        let text = format!(
            r#"{{"engine": "slurm", "engine_args": [], "of": 2, "at_once": 2, "jobs": {jobs}{cancelled}}}"#
        );
        fs::write(judging.join("cluster.json"), text).expect("written");
    };
    handed("");
    // A machine without the engine's programs.
    let run = |words: &[&str]| ran(koab.command(words).env("PATH", "").output().expect("koab starts"));
    let words = evaluate(&folder, &judges, &["openai_compat/a"], &[]);
    let said = run(&words);
    refused(&said, 1, "Slurm does not answer");
    assert!(said.stderr.contains("--without-engine"), "{}", said.stderr);
    assert_eq!(judges.calls(), 0, "nobody was asked");
    let stays = |because: &str| {
        refused(&run(&["runs", "delete", &folder, "--yes"]), 1, because);
        assert!(Path::new(&folder).join("run.json").is_file(), "{because}");
    };
    stays("may be asking judges");
    // A file that cannot be read says nothing of workers.
    for place in [Path::new(&folder).join("cluster.json"), judging.join("cluster.json")] {
        fs::write(&place, "{").expect("written");
        stays(&place.display().to_string());
        fs::remove_file(&place).expect("removed");
    }
    handed("");
    // Who asks nobody pays nothing twice.
    assert_eq!(run(&["evaluate", &folder, "--no-judge"]).code, 0);
    let anyway = run(&evaluate(&folder, &judges, &["openai_compat/a"], &["--without-engine"]));
    assert_eq!(anyway.code, 0, "{}", anyway.stderr);
    let asked = judges.calls();
    assert!(asked > 0);
    // Workers that were ended ask nobody, whether their engine answers or not.
    handed(r#", "cancelled_ms": 2"#);
    let again = run(&evaluate(&folder, &judges, &["openai_compat/b"], &[]));
    assert_eq!(again.code, 0, "{}", again.stderr);
    assert!(judges.calls() > asked);
}
