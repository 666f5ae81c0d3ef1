//! What a scenario does to its own folder costs neither itself its outcome nor the run its other trials.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "these are tests")]

use std::collections::BTreeMap;
use std::path::Path;

use koab_scenarios::environment::Environment;
use koab_scenarios::expand::Extras;
use koab_scenarios::layout::Layout;
use koab_scenarios::outcome::{self, Limits, Outcome};
use koab_scenarios::run::Run;
use koab_scenarios::scenario_file;
use koab_scenarios::trial::{TrialRuntime, TrialSetup};
use koab_scenarios::trial_files;
use tokio_util::sync::CancellationToken;

const SECRET: &str = "sk-canary-of-the-deep";

/// Runs one scenario of shell code after the other, and one more that does nothing.
async fn run(folder: &Path, code: &[(&str, &str)]) -> koab_scenarios::run::Summary {
    std::fs::create_dir_all(folder.join("Templates/T")).unwrap();
    std::fs::create_dir_all(folder.join("Tasks")).unwrap();
    std::fs::write(folder.join("Templates/T/scenario.py"), "pass").unwrap();
    std::fs::write(folder.join("Templates/T/scenario_init.sh"), "__CODE__").unwrap();
    let lines: Vec<String> = code
        .iter()
        .chain(&[("last", ":")])
        .map(|(id, code)| {
            let code = serde_json::to_string(code).unwrap();
            format!(
                r#"{{"id": "{id}", "template": "../Templates/T", "secrets": ["MY_KEY"],
                "substitutions": {{"scenario_init.sh": {{"__CODE__": {code}}}}}}}"#
            )
            .replace('\n', " ")
        })
        .collect();
    std::fs::write(folder.join("Tasks/mini.jsonl"), lines.join("\n")).unwrap();
    let run = Run {
        setup: TrialSetup {
            layout: Layout::new(folder.join("results")),
            runtime: TrialRuntime::Native,
            limits: Limits { timeout_s: Some(60), ..Limits::usual() },
            extras: Extras::default(),
            model: None,
            command: Vec::new(),
        },
        files: scenario_file::read(&folder.join("Tasks"), &[]).unwrap(),
        repetitions: 1,
        parallel: 1,
        rerun_failed: false,
        environment: Environment::default(),
        secrets: BTreeMap::from([("MY_KEY".to_owned(), SECRET.to_owned())]),
    };
    run.run(&CancellationToken::new(), &|_| {}).await
}

fn recorded(folder: &Path, id: &str) -> Outcome {
    match trial_files::outcome(&folder.join("results/mini").join(id).join("0")) {
        outcome::Trial::Finished(outcome) => *outcome,
        other => panic!("{id}: {other:?}"),
    }
}

/// 1,200 folders within folders: the innermost has a path of 24,000 bytes, and a secret in a file that nobody may read.
const DEEP: &str = "(q=a-folder-of-folders; i=1; while [ $i -lt 100 ]; do q=$q/a-folder-of-folders; i=$((i+1)); done; \
                    i=0; while [ $i -lt 12 ]; do mkdir -p $q && cd -P $q || exit; i=$((i+1)); done; \
                    printf %s \"$MY_KEY\" > secret; chmod 000 secret)";

#[tokio::test]
async fn each_trial_has_its_outcome_and_the_next_one_runs() {
    let home = tempfile::tempdir().unwrap();
    let cases = [
        ("deep", DEEP, None),
        (
            "outcome",
            "mkdir -p outcome.json/in",
            Some("the scenario's own folder outcome.json was renamed to outcome.json.scenario"),
        ),
        (
            "no-log",
            "echo here; rm console_log.txt; mkfifo console_log.txt",
            Some("the scenario removed its log, which was written again"),
        ),
        (
            "no-folder",
            "d=$(pwd); cd /; rm -rf \"$d\"",
            Some("the scenario removed its folder, and with it what it had written there"),
        ),
        ("closed", "chmod 000 .", None),
        // Nothing stands in these 8 TiB; read through, they would take an hour.
        ("huge", "truncate -s 8T f", None),
    ];
    let code: Vec<(&str, &str)> = cases.iter().map(|(id, code, _)| (*id, *code)).collect();
    let summary = run(home.path(), &code).await;
    assert_eq!((summary.broken, summary.not_run), (None, 0));
    assert_eq!(summary.ended.values().sum::<usize>(), cases.len() + 1);
    for (id, _, warning) in cases {
        let outcome = recorded(home.path(), id);
        if let Some(warning) = warning {
            assert!(outcome.warnings.iter().any(|said| said == warning), "{id}: {:?}", outcome.warnings);
        }
    }
    let log = std::fs::read_to_string(home.path().join("results/mini/no-log/0/console_log.txt")).unwrap();
    assert!(log.contains("here"), "{log}");
    let warnings = recorded(home.path(), "deep").warnings;
    let warnings: Vec<String> = warnings.iter().map(ToString::to_string).collect();
    assert!(
        matches!(&warnings[..], [one] if one.ends_with("/secret held a secret, which was overwritten") && one.len() < 300),
        "{warnings:?}"
    );
    assert!(recorded(home.path(), "last").exit_code.is_some(), "it ran to its end");
    // No library here removes folders as deep as that.
    let removed = std::process::Command::new("rm").arg("-rf").arg(home.path().join("results")).status();
    assert!(removed.unwrap().success());
}
