//! Every command that is about a run or a report takes the same names for it, and says the same of a name that is none.
#![allow(clippy::unwrap_used, reason = "these are tests")]

use crate::support::{Koab, ran};
use std::fs;

/// Commands about a run, which stands for `RUN`.
const OF_RUNS: &[&str] = &[
    "runs show RUN",
    "runs tag RUN one",
    "runs forks RUN",
    "runs fork RUN L1-001 --step 1 --dry-run",
    "evaluate RUN --no-judge --dry-run",
    "evaluate --run RUN --no-judge --dry-run",
    "judge show RUN L1-001",
    "judge override RUN L1-001 SR --success yes --by Mina --why so",
    "judge overrides RUN",
    "judge lab RUN",
    "judge again RUN --judge-models openai_compat/x --judge-base-url http://127.0.0.1:9/v1 --dry-run",
    "cache misses RUN",
    "cache fill RUN --dry-run",
    "cache drift RUN",
    "submit bundle RUN -o BUNDLE",
];

/// Commands about a report, which go by its run as well.
const OF_REPORTS: &[&str] = &[
    "report show RUN",
    "report repetitions RUN",
    "report matrix RUN",
    "report compare RUN OTHER",
    "report export RUN -o -",
    "report combine --report RUN -o TABLE",
    "report atlas RUN",
    "submit prepare RUN",
];

/// A workspace with two runs that are scored: the newer one by id and folder, and the report of the older one.
fn workspace() -> (Koab, String, String, String) {
    let koab = Koab::new();
    let mut other = String::new();
    for model in ["baseline/golden", "baseline/random"] {
        koab.ok(&["run", "--model", model, "--levels", "L1", "--quiet"]);
        koab.ok(&["evaluate", "last", "--no-judge"]);
        if other.is_empty() {
            other = koab.json(&["report", "list"])[0]["id"].as_str().unwrap().to_owned();
        }
    }
    let run = &koab.json(&["runs", "list"])[0];
    let [id, folder] = ["id", "folder"].map(|field| run[field].as_str().unwrap().to_owned());
    assert!(id.starts_with("baseline_random/"), "{id}");
    (koab, id, folder, other)
}

#[test]
fn a_run_is_named_by_id_last_or_folder_in_every_command() {
    let (koab, id, folder, other) = workspace();
    let bundle = koab.path().join("run.koab");
    let table = koab.path().join("table.csv");
    for line in OF_RUNS.iter().chain(OF_REPORTS) {
        let said: Vec<String> = [id.as_str(), "last", &folder]
            .into_iter()
            .map(|run| {
                let words: Vec<&str> = line
                    .split(' ')
                    .map(|word| match word {
                        "RUN" => run,
                        "OTHER" => &other,
                        "BUNDLE" => bundle.to_str().unwrap(),
                        "TABLE" => table.to_str().unwrap(),
                        word => word,
                    })
                    .collect();
                let ran = koab.ok(&words);
                let _ = fs::remove_file(&bundle);
                ran.stdout
            })
            .collect();
        // Times and sizes of what is written differ, and an override is told with its time.
        if !["BUNDLE", "override ", "overrides", "evaluate"].iter().any(|word| line.contains(word)) {
            assert!(said.iter().all(|one| *one == said[0]), "{line}\n{}", said.join("\n---\n"));
        }
    }
}

#[test]
fn a_name_that_is_none_is_told_in_one_sentence() {
    let koab = Koab::new();
    for (name, of_run, of_report) in [
        (
            "last",
            "there is no run yet; make one with `koab run`",
            "there is no run yet; make one with `koab run`",
        ),
        (
            "nobody/20250101_000000",
            "there is no run `nobody/20250101_000000`; `koab runs list` lists the runs",
            "there is neither a run nor a report `nobody/20250101_000000`; `koab runs list` and `koab report list` show those there are",
        ),
    ] {
        for (lines, sentence) in [(OF_RUNS, of_run), (OF_REPORTS, of_report)] {
            for line in lines {
                let words: Vec<&str> = line
                    .split(' ')
                    .map(|word| match word {
                        "RUN" => name,
                        "OTHER" => "other",
                        "BUNDLE" | "TABLE" => "nowhere",
                        word => word,
                    })
                    .collect();
                let ran = koab.run(&words);
                assert_eq!(ran.code, 1, "{line}\n{}", ran.stderr);
                assert!(ran.stderr.trim_end().ends_with(sentence), "{line}: {}", ran.stderr);
                assert_eq!(ran.stderr.trim().lines().count(), 1, "{line}: {}", ran.stderr);
            }
        }
    }
}

#[test]
fn a_run_without_a_report_says_how_it_gets_one() {
    let koab = Koab::new();
    koab.ok(&["run", "--model", "baseline/golden", "--levels", "L1", "--quiet"]);
    let id = koab.json(&["runs", "list"])[0]["id"].as_str().unwrap().to_owned();
    for words in [&["report", "show", "last"][..], &["report", "export", &id, "-o", "-"]] {
        let ran = koab.run(words);
        let sentence = format!("koab: run {id} has no report yet; score it with `koab score {id}`");
        assert_eq!((ran.code, ran.stderr.trim()), (1, sentence.as_str()));
    }
}

/// A workspace may lie anywhere, also below a path that is no text.
#[cfg(unix)]
#[test]
fn a_workspace_below_a_path_that_is_no_text_is_one_as_any_other() {
    use std::os::unix::ffi::OsStrExt as _;
    let koab = Koab::new();
    let home = koab.path().join(std::ffi::OsStr::from_bytes(b"h\xff\xfe \xed\x95\x9c"));
    let said = |words: &[&str]| {
        let ran = ran(koab.command(words).env("KOAB_HOME", &home).output().unwrap());
        assert_eq!(ran.code, 0, "koab {words:?}\n{}\n{}", ran.stdout, ran.stderr);
        ran.stdout
    };
    said(&["run", "--model", "baseline/golden", "--levels", "L1", "--evaluate"]);
    let shown: serde_json::Value = serde_json::from_str(&said(&["runs", "show", "last", "--json"])).unwrap();
    // As it is shown it is found, although no such folder is there.
    said(&["runs", "show", shown["folder"].as_str().unwrap()]);
    said(&["evaluate", "last", "--no-judge"]);
    said(&["report", "show", "last"]);
    let bundle = koab.path().join("bundle.koab").display().to_string();
    said(&["submit", "bundle", "last", "-o", &bundle]);
    said(&["submit", "verify", &bundle]);
    said(&["doctor"]);
}
