//! Scenarios on this computer itself.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "these are tests")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use koab_scenarios::console::Console;
use koab_scenarios::native::Native;
use koab_scenarios::process_end::ProcessEnd;
use tokio_util::sync::CancellationToken;

async fn run(
    folder: &Path,
    script: &str,
    time: Duration,
    cancel: &CancellationToken,
) -> (ProcessEnd, String) {
    run_until(folder, script, time, cancel, None).await
}

/// Cancels it as soon as its output says something.
async fn run_until(
    folder: &Path,
    script: &str,
    time: Duration,
    cancel: &CancellationToken,
    said: Option<&str>,
) -> (ProcessEnd, String) {
    let log: PathBuf = folder.join("console_log.txt");
    let mut console = Console::create(&log, 1 << 20, &[]).unwrap();
    let command = format!("exec 2>&1; {script}");
    let native = Native {
        command: &["sh", "-c", &command],
        environment: &BTreeMap::from([("GIVEN".to_owned(), "yes".to_owned())]),
        folder,
        time: Some(time),
    };
    let mut seen = |text: &str| {
        if said.is_some_and(|said| text.contains(said)) {
            cancel.cancel();
        }
    };
    let ended = native.run(&mut console, cancel, &mut seen).await.unwrap();
    console.finish().unwrap();
    (ended, std::fs::read_to_string(log).unwrap())
}

const MINUTE: Duration = Duration::from_secs(60);

/// Whether a process of this number still runs; one that ended and was not yet collected does not.
fn runs(pid: &str) -> bool {
    let state = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    !matches!(state.rsplit(") ").next().and_then(|rest| rest.chars().next()), None | Some('Z' | 'X'))
}

/// Waits until no process of this number runs: a killed one goes when the kernel gets to it.
async fn gone(pid: &str) {
    assert!(pid.parse::<u32>().is_ok(), "{pid:?} is a process");
    let begun = std::time::Instant::now();
    while runs(pid) {
        assert!(begun.elapsed() < Duration::from_secs(10), "{pid} lives on");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

#[tokio::test]
async fn exit_codes_signals_and_output_arrive() {
    let cancel = CancellationToken::new();
    let folder = tempfile::tempdir().unwrap();
    let (ended, log) = run(folder.path(), "pwd; echo err >&2; exit 3", MINUTE, &cancel).await;
    assert_eq!(ended, ProcessEnd::Exited { code: 3, out_of_memory: false });
    assert_eq!(log, format!("{}\nerr\n", folder.path().canonicalize().unwrap().display()));
    let folder = tempfile::tempdir().unwrap();
    let (ended, _) = run(folder.path(), "kill -TERM $$", MINUTE, &cancel).await;
    assert_eq!(ended, ProcessEnd::Exited { code: 143, out_of_memory: false });
}

#[tokio::test]
async fn nothing_of_our_environment_reaches_a_scenario_but_the_named_few() {
    let folder = tempfile::tempdir().unwrap();
    let (_, log) = run(folder.path(), "env", MINUTE, &CancellationToken::new()).await;
    let names: Vec<&str> =
        log.lines().filter_map(|line| line.split_once('=')).map(|(name, _)| name).collect();
    for name in &names {
        let own = ["GIVEN", "PYTHONUNBUFFERED", "PWD", "OLDPWD", "SHLVL", "_"];
        assert!(koab_scenarios::native::INHERITED.contains(name) || own.contains(name), "{name}");
    }
    // Cargo sets this for every test.
    assert!(std::env::var_os("CARGO_MANIFEST_DIR").is_some());
    assert!(names.contains(&"GIVEN") && names.contains(&"PATH"));
}

#[tokio::test]
async fn time_and_cancelling_end_a_scenario_with_all_it_started() {
    for cancelled in [false, true] {
        let folder = tempfile::tempdir().unwrap();
        let cancel = CancellationToken::new();
        let script = "trap '' TERM; sleep 600 & echo $!; sleep 600";
        let time = if cancelled { MINUTE } else { Duration::from_secs(1) };
        let stop = cancelled.then_some("\n");
        let (ended, log) = run_until(folder.path(), script, time, &cancel, stop).await;
        assert_eq!(ended, if cancelled { ProcessEnd::Cancelled } else { ProcessEnd::TimedOut });
        gone(log.trim()).await;
    }
}

#[tokio::test]
async fn a_process_that_a_scenario_leaves_behind_neither_holds_the_end_up_nor_lives_on() {
    let folder = tempfile::tempdir().unwrap();
    let (ended, log) =
        run(folder.path(), "sleep 600 & echo $!; exit 5", MINUTE, &CancellationToken::new()).await;
    assert_eq!(ended, ProcessEnd::Exited { code: 5, out_of_memory: false });
    gone(log.trim()).await;
}

/// Prints for ever, as fast as it can.
const FLOOD: &str = "while :; do echo 0123456789012345678901234567890123456789; done";

#[tokio::test(flavor = "multi_thread")]
async fn a_flood_ends_at_its_time_limit_when_it_is_cancelled_and_with_the_scenario_that_left_it_behind() {
    let flood_behind = format!("({FLOOD}) & exit 5");
    for (script, time, cancel_at, ended) in [
        (FLOOD, Duration::from_secs(1), None, ProcessEnd::TimedOut),
        (FLOOD, MINUTE, Some("0123"), ProcessEnd::Cancelled),
        (&flood_behind, MINUTE, None, ProcessEnd::Exited { code: 5, out_of_memory: false }),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let begun = std::time::Instant::now();
        let cancel = CancellationToken::new();
        let (was, _) = run_until(folder.path(), script, time, &cancel, cancel_at).await;
        assert_eq!(was, ended);
        assert!(begun.elapsed() < MINUTE, "{ended:?} is not waited for");
    }
}
