//! Whole runs of scenario files in containers: what is kept, what is run again, what is left of secrets.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex};

use koab_scenarios::environment::Environment;
use koab_scenarios::expand::Extras;
use koab_scenarios::layout::Layout;
use koab_scenarios::outcome::{self, Cause, Limits, Outcome};
use koab_scenarios::run::{Event, Run, Summary};
use koab_scenarios::scenario_file::{self, Network};
use koab_scenarios::trial::{TrialRuntime, TrialSetup};
use tokio_util::sync::CancellationToken;

use crate::docker::support::{Stage, left, stage};
use koab_scenarios::trial_files;

/// A benchmark of one template, whose instances differ in what their script does.
pub(crate) fn benchmark(folder: &Path, lines: &[(&str, &str, &str)]) {
    std::fs::create_dir_all(folder.join("Templates/T")).unwrap();
    std::fs::create_dir_all(folder.join("Tasks")).unwrap();
    std::fs::write(folder.join("Templates/T/scenario.py"), "import os, sys, time\n__CODE__\n").unwrap();
    let text: Vec<String> = lines
        .iter()
        .map(|(id, code, more)| {
            let code = serde_json::to_string(code).unwrap();
            format!(r#"{{"id": "{id}", "template": "../Templates/T", "substitutions": {{"scenario.py": {{"__CODE__": {code}}}}}{more}}}"#)
        })
        .collect();
    std::fs::write(folder.join("Tasks/mini.jsonl"), text.join("\n")).unwrap();
}

/// A run of that benchmark on a stage.
pub(crate) fn run_of(stage: Stage) -> (Run, tempfile::TempDir) {
    let folder = stage.home.path().to_owned();
    let files = scenario_file::read(&folder.join("Tasks"), &[]).unwrap();
    let run = Run {
        setup: TrialSetup {
            layout: Layout::new(folder.join("results")),
            runtime: TrialRuntime::Docker {
                engine: Box::new(stage.engine),
                image: stage.image,
                owner: Arc::new(stage.owner),
            },
            limits: Limits { timeout_s: Some(60), network: Some(Network::None), ..Limits::usual() },
            extras: Extras::default(),
            model: None,
            command: vec!["koab".to_owned(), "scenario".to_owned(), "run".to_owned()],
        },
        files,
        repetitions: 1,
        parallel: 2,
        rerun_failed: false,
        environment: Environment::default(),
        secrets: BTreeMap::new(),
    };
    (run, stage.home)
}

pub(crate) async fn go(run: &Run) -> (Summary, Vec<Event>) {
    let events = Mutex::new(Vec::new());
    let summary = run.run(&CancellationToken::new(), &|event| events.lock().unwrap().push(event)).await;
    (summary, events.into_inner().unwrap())
}

pub(crate) fn recorded(folder: &Path, trial: &str) -> Outcome {
    match trial_files::outcome(&folder.join("results/mini").join(trial)) {
        outcome::Trial::Finished(outcome) => *outcome,
        other => panic!("{trial}: {other:?}"),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_cause_is_told_apart_and_recorded() {
    let Some(stage) = stage("causes").await else {
        return;
    };
    benchmark(
        stage.home.path(),
        &[
            ("good", "print('ALL TESTS PASSED !#!#')", r#", "network": "bridge""#),
            ("crash", "raise ValueError('no')", ""),
            ("hungry", "x = bytearray(200 * 1024 * 1024)", ""),
            ("slow", "print('begun'); time.sleep(600)", r#", "timeout_s": 8"#),
            ("missing", "pass", ""),
        ],
    );
    let (mut run, home) = run_of(stage);
    run.setup.limits.memory_bytes = Some(64 << 20);
    // A template that goes away between reading and running.
    let last = run.files[0].instances.last_mut().unwrap();
    last.template[0].source = home.path().join("Templates/gone");
    let (summary, events) = go(&run).await;
    for (trial, cause, exit_code) in [
        ("good/0", Cause::Completed, Some(0)),
        ("crash/0", Cause::Failed, Some(1)),
        ("hungry/0", Cause::OutOfMemory, Some(137)),
        ("slow/0", Cause::TimedOut, None),
        ("missing/0", Cause::CouldNotStart, None),
    ] {
        let outcome = recorded(home.path(), trial);
        assert_eq!((outcome.cause, outcome.exit_code), (cause, exit_code), "{trial}");
        assert_eq!(outcome.unknown.contains_key("exit_code"), exit_code.is_none(), "{trial}");
    }
    assert_eq!(summary.ended.values().sum::<usize>(), 5);
    assert!(!summary.is_complete());
    let log = std::fs::read_to_string(home.path().join("results/mini/slow/0/console_log.txt")).unwrap();
    assert!(log.contains("begun\n") && log.ends_with("\nDocker timed out.\n"), "{log}");
    let good = recorded(home.path(), "good/0");
    assert!(good.image.unwrap().digest.unwrap().starts_with("sha256:"));
    assert!(good.versions["engine"].starts_with("Docker "), "{:?}", good.versions);
    // The run's none holds for what asks for more.
    assert_eq!(good.limits.unwrap().network, Some(Network::None));
    assert!(good.seconds.unwrap() > 0.0 && good.started < good.ended);
    // What was watched is what was written.
    let seen: String = events
        .iter()
        .filter_map(|event| match event {
            Event::Output(trial, text) if trial.instance == "slow" => Some(text.as_str()),
            _ => None,
        })
        .collect();
    assert_eq!(seen, log);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_finished_is_skipped_and_what_is_half_made_runs_again() {
    let Some(stage) = stage("resume").await else {
        return;
    };
    benchmark(
        stage.home.path(),
        &[("a", "print('a')", ""), ("b", "sys.exit(3)", ""), ("c", "print('c')", "")],
    );
    let (mut run, home) = run_of(stage);
    go(&run).await;
    // As a killed process leaves it.
    std::fs::remove_file(home.path().join("results/mini/c/0/outcome.json")).unwrap();
    let (summary, _) = go(&run).await;
    assert_eq!((summary.skipped, summary.ended), (2, BTreeMap::from([(Cause::Completed, 1)])));
    let (summary, _) = go(&run).await;
    assert_eq!(summary.skipped, 3);
    run.rerun_failed = true;
    let (summary, _) = go(&run).await;
    assert_eq!((summary.skipped, summary.ended), (2, BTreeMap::from([(Cause::Failed, 1)])));
    run.rerun_failed = false;
    run.repetitions = 2;
    let (summary, _) = go(&run).await;
    assert_eq!((summary.trials, summary.skipped), (6, 3));
}

#[tokio::test(flavor = "multi_thread")]
async fn fifty_scenarios_with_eight_at_once_are_all_accounted_for() {
    let Some(stage) = stage("fifty").await else { return };
    let host = std::env::var("KOAB_TEST_DOCKER").unwrap();
    let codes: Vec<(String, String)> = (0..50)
        .map(|number| (format!("s{number}"), format!("print('number {number}'); sys.exit({})", number % 3)))
        .collect();
    let lines: Vec<(&str, &str, &str)> =
        codes.iter().map(|(id, code)| (id.as_str(), code.as_str(), "")).collect();
    benchmark(stage.home.path(), &lines);
    let (mut run, home) = run_of(stage);
    run.parallel = 8;
    let (summary, events) = go(&run).await;
    assert_eq!(summary.ended, BTreeMap::from([(Cause::Completed, 17), (Cause::Failed, 33)]));
    let count = |wanted: fn(&Event) -> bool| events.iter().filter(|event| wanted(event)).count();
    assert_eq!(count(|event| matches!(event, Event::Started(_))), 50);
    assert_eq!(count(|event| matches!(event, Event::Ended(..))), 50);
    for number in 0..50 {
        let folder = home.path().join(format!("results/mini/s{number}/0"));
        let log = std::fs::read_to_string(folder.join("console_log.txt")).unwrap();
        assert_eq!(log.matches(&format!("number {number}\n")).count(), 1, "{log}");
        assert_eq!(recorded(home.path(), &format!("s{number}/0")).exit_code, Some(number % 3));
    }
    let locks = home.path().join("locks");
    assert!(locks.is_dir());
    let left = std::process::Command::new("docker")
        .args(["-H", &host, "ps", "-aq", "--filter"])
        .arg(format!("label=org.koab.locks={}", locks.canonicalize().unwrap().display()))
        .output()
        .unwrap();
    assert_eq!(String::from_utf8(left.stdout).unwrap(), "");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cancelled_run_stops_all_and_goes_on_where_it_was() {
    let Some(stage) = stage("cancelled run").await else {
        return;
    };
    benchmark(
        stage.home.path(),
        &[("a", "print('a')", ""), ("b", "print('b begun'); time.sleep(600)", ""), ("c", "print('c')", "")],
    );
    let (mut run, home) = run_of(stage);
    run.parallel = 1;
    let cancel = CancellationToken::new();
    let summary = run
        .run(&cancel, &|event| {
            if matches!(&event, Event::Output(_, text) if text.contains("b begun")) {
                cancel.cancel();
            }
        })
        .await;
    assert_eq!(summary.ended, BTreeMap::from([(Cause::Completed, 1), (Cause::Cancelled, 1)]));
    assert_eq!(summary.not_run, 1);
    assert!(!home.path().join("results/mini/c").exists());
    let log = std::fs::read_to_string(home.path().join("results/mini/b/0/console_log.txt")).unwrap();
    assert!(log.contains("b begun\n"), "{log}");
}

#[tokio::test(flavor = "multi_thread")]
async fn secrets_reach_only_whom_they_are_named_for_and_stay_nowhere() {
    let Some(stage) = stage("canaries").await else {
        return;
    };
    let leak = "open('copy.txt', 'w').write('x' + repr(dict(os.environ))); os.makedirs('coding'); \
                open('coding/raw.bin', 'wb').write(os.environb.get(b'MY_KEY', b'') * 3); print(sorted(os.environ), os.environ.get('MY_KEY'))";
    benchmark(stage.home.path(), &[("named", leak, r#", "secrets": ["MY_KEY"]"#), ("other", leak, "")]);
    let (mut run, home) = run_of(stage);
    let asked = run.missing_secrets();
    assert_eq!(asked.keys().collect::<Vec<_>>(), [&"MY_KEY"]);
    assert!(asked["MY_KEY"].to_string().ends_with("mini.jsonl, line 1"));
    run.secrets.insert("MY_KEY".to_owned(), "sk-canary-named-77".to_owned());
    run.environment.set("FILE_TOKEN", "canary-of-the-file");
    let (summary, events) = go(&run).await;
    assert!(summary.is_complete(), "{summary:?}");
    let log = |id: &str| {
        std::fs::read_to_string(home.path().join(format!("results/mini/{id}/0/console_log.txt"))).unwrap()
    };
    assert!(log("named").contains("'MY_KEY'") && log("named").contains("[secret]"), "{}", log("named"));
    assert!(!log("other").contains("'MY_KEY'"), "{}", log("other"));
    assert!(log("other").contains("'FILE_TOKEN'"));
    let found = std::process::Command::new("grep")
        .args(["-rla", "canary"])
        .arg(home.path().join("results"))
        .output()
        .unwrap();
    assert_eq!(String::from_utf8(found.stdout).unwrap(), "");
    assert!(!format!("{events:?}").contains("canary"));
    let warned = recorded(home.path(), "named/0").warnings;
    assert_eq!(warned.len(), 2, "{warned:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_process_that_is_killed_leaves_nothing_after_the_next_start() {
    let Some(stage) = stage("crash").await else { return };
    let host = std::env::var("KOAB_TEST_DOCKER").unwrap();
    // Dropping a run in the middle is what a crash of the product does to it, the lock included.
    benchmark(stage.home.path(), &[("a", "print('begun'); time.sleep(600)", "")]);
    let (run, home) = run_of(stage);
    let begun = tokio::sync::Notify::new();
    {
        let cancel = CancellationToken::new();
        let sink = |event: Event| {
            if matches!(&event, Event::Output(_, text) if text.contains("begun")) {
                begun.notify_one();
            }
        };
        tokio::select! {
            _ended = run.run(&cancel, &sink) => panic!("it sleeps"),
            () = begun.notified() => {}
        }
    }
    drop(run);
    assert!(!home.path().join("results/mini/a/0/outcome.json").exists());
    let stage = crate::docker::support::stage_in(&host, home).await;
    stage.owner.sweep(&stage.engine).await.unwrap();
    assert_eq!(left(&host, &stage), 0);
    let (run, home) = run_of(stage);
    let plan = run.plan();
    assert!(matches!(&plan[0].1, koab_scenarios::resume::Step::Again { .. }), "{plan:?}");
    drop(home);
}
