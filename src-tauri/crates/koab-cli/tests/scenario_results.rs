//! `koab scenario tabulate`, `remove-missing` and `lint` as users call them.
#![allow(clippy::unwrap_used, reason = "these are tests")]

use crate::support::{Koab, copy, shared};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

fn put(folder: &Path, name: &str, text: &[u8]) {
    let path = folder.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

/// Two instances: one passed twice, one failed and was cut off.
fn results(koab: &Koab) -> PathBuf {
    let folder = koab.path().join("results");
    let log = |said: &str| {
        format!(
            "RUN.SH STARTING !#!#\nSCENARIO.PY STARTING !#!#\n{said}\nSCENARIO.PY COMPLETE !#!#\nSCENARIO.PY RUNTIME: 2 !#!#\nRUN.SH COMPLETE !#!#\n"
        )
    };
    for (trial, text) in [
        ("t_1/0", log("ALL TESTS PASSED !#!#")),
        ("t_1/1", log("ALL TESTS PASSED !#!#")),
        ("t_2/0", log("SOME TESTS FAILED - TRY AGAIN !#!#")),
        ("t_2/1", "RUN.SH STARTING !#!#\n".to_owned()),
    ] {
        put(&folder, &format!("mini/{trial}/console_log.txt"), text.as_bytes());
    }
    folder
}

#[test]
fn recorded_results_give_the_recorded_tables() {
    let Some(shared) = shared("recorded_results_give_the_recorded_tables") else {
        return;
    };
    let koab = Koab::new();
    let recorded = shared.join("autogenbench/recorded");
    let transcript = fs::read_to_string(recorded.join("transcripts/tabulate-cross.txt")).unwrap();
    let mut tables = 0;
    for block in transcript.split("\n$ ").skip(1) {
        let (command, printed) = block.split_once('\n').unwrap();
        let Some((_, text)) = printed.split_once("Using default tabulation method.\n\n") else {
            continue;
        };
        let (text, _) = text.split_once("\nCAUTION:").unwrap();
        let words: Vec<&str> = command.split_whitespace().collect();
        let source = recorded.join(words.last().unwrap());
        let temporary = tempfile::tempdir().unwrap();
        let folder = temporary.path().join("mini");
        copy(&source, &folder);
        // Rows stand in the order in which folders were changed, which the record does not keep.
        let mut at = SystemTime::UNIX_EPOCH + Duration::from_secs(1_700_000_000);
        for word in text.split(|c: char| c.is_whitespace() || c == ',') {
            if !word.is_empty() && folder.join(word).is_dir() {
                fs::File::open(folder.join(word)).unwrap().set_modified(at).unwrap();
                at += Duration::from_secs(1);
            }
        }
        let format = if words[0] == "agbench" { "agbench" } else { "original" };
        let folder = folder.display().to_string();
        let mut call = vec!["scenario", "tabulate", &folder, "--format", format];
        if words.contains(&"-c") {
            call.push("--csv");
        }
        assert_eq!(koab.ok(&call).stdout, text, "{command}");
        tables += 1;
    }
    assert_eq!(tables, 24);
}

#[test]
fn our_table_counts_what_is_missing_apart_in_text_csv_and_json() {
    let koab = Koab::new();
    let folder = results(&koab);
    let (all, one) = (folder.display().to_string(), folder.join("mini").display().to_string());
    let table = koab.ok(&["scenario", "tabulate", &one]).stdout;
    insta::assert_snapshot!(table, @"
    mini
    instance  0       1        passed  failed  missing  seconds
    t_1       passed  passed   2       0       0        4.0
    t_2       failed  missing  0       1       1        2.0

    2 of 4 trials passed, 1 failed, 1 missing; 1 of 2 instances at least once, 1 always
    pass@1 50.0 %, 95 % interval 15.0 to 85.0 (Wilson), 95 % interval 0.0 to 100.0 (over instances)
    pass@2 50.0 %
    ended: completed 3
    time: 6.0 s in 3 trials, 2.0 s each
    ");
    let korean = koab.ok(&["scenario", "tabulate", &one, "-k", "2", "--lang", "ko"]).stdout;
    assert!(
        korean.contains("트라이얼 4개 중 통과 2, 실패 1, 없음 1")
            && korean.contains("pass@2")
            && !korean.contains("pass@1"),
        "{korean}"
    );
    let csv = koab.ok(&["scenario", "tabulate", &all, "--csv"]).stdout;
    assert!(
        csv.starts_with("scenario,instance,repetition,verdict,")
            && csv.contains("\nmini,t_1,1,passed,completed,"),
        "{csv}"
    );
    assert_eq!(csv.lines().count(), 5);
    let json = koab.json(&["scenario", "tabulate", &all]);
    let totals = &json["scenarios"][0]["totals"];
    assert_eq!((&totals["missing"], &totals["trials"]), (&1.into(), &4.into()));

    for (words, code, said) in [
        (vec![&*one, "-k", "3"], 2, "run it with --repeat 3"),
        (vec![&*one, "--csv", "--json"], 2, "either --csv or --json"),
        (vec![&*one, "--format", "original", "-k", "1"], 2, "leave out --format"),
        (vec!["nowhere"], 1, "nowhere is not a folder"),
    ] {
        let ran = koab.run(&[&["scenario", "tabulate"], &*words].concat());
        assert_eq!(ran.code, code, "{words:?}: {}", ran.stderr);
        assert!(ran.stderr.contains(said), "{}", ran.stderr);
    }
}

#[test]
fn unfinished_trials_go_to_the_trash_after_a_yes() {
    let koab = Koab::new();
    let folder = results(&koab);
    let all = folder.display().to_string();
    let asked = koab.run(&["scenario", "remove-missing", &all]);
    assert_eq!(asked.code, 2, "{}", asked.stderr);
    assert!(asked.stderr.contains("mini/t_2/1") && folder.join("mini/t_2/1").is_dir(), "{}", asked.stderr);
    let moved = koab.json(&["scenario", "remove-missing", &all, "--yes"]);
    assert_eq!(moved["moved"].as_array().unwrap().len(), 1);
    assert!(
        folder.join(".trash/mini/t_2/1/console_log.txt").is_file() && !folder.join("mini/t_2/1").exists()
    );
    assert!(folder.join("mini/t_2/0").is_dir(), "a failed trial is finished");
    let again = koab.ok(&["scenario", "remove-missing", &all]);
    assert_eq!(again.stdout, "every trial is finished\n");
}

#[test]
fn lint_names_lines_in_one_log_or_all() {
    let koab = Koab::new();
    let folder = results(&koab);
    let log = folder.join("mini/t_2/1/console_log.txt");
    fs::write(&log, "RUN.SH STARTING !#!#\nModuleNotFoundError: No module named 'autogen'\n").unwrap();
    let all = koab.json(&["scenario", "lint", &folder.display().to_string()]);
    assert_eq!(all["logs"].as_array().unwrap().len(), 4);
    let one = koab.ok(&["scenario", "lint", &log.display().to_string()]).stdout;
    assert!(one.contains("[error] missing-module: ") && one.contains("console_log.txt, line 2: "), "{one}");
    let trial = koab.ok(&["scenario", "lint", &folder.join("mini/t_2/1").display().to_string()]).stdout;
    assert_eq!(trial.lines().count(), one.lines().count());
    assert_eq!(koab.run(&["scenario", "lint", "nowhere"]).code, 1);
}
