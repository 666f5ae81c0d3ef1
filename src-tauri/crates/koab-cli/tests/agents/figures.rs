//! Attempts of an agent at once, with a model that takes its time. `cargo xtask bench --only agents` names the build whose figure it wants
//! in `KOAB_FIGURES_OF` and is told the time of all tasks; else a level is made, and what counts is how many are in flight.

use crate::agents::played::{recorded, reply};
use crate::agents::workshop::{definition, results, written};
use crate::support::http::{Local, models};
use crate::support::wait::until;
use crate::support::{Koab, shared};
use serde_json::Value;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// What a model call takes.
const CALL: Duration = Duration::from_millis(200);
/// Attempts in flight.
const AT_ONCE: usize = 8;
/// Limit for the beginning of the first eight attempts.
const LIMIT: Duration = Duration::from_secs(60);

#[test]
fn eight_attempts_are_in_flight() {
    let Some(shared) = shared("eight_attempts_are_in_flight") else {
        return;
    };
    let measured = std::env::var_os("KOAB_FIGURES_OF");
    let is_measured = measured.is_some();
    let koab = Koab::new();
    koab.use_published(&shared);
    let (now, most) = (AtomicUsize::new(0), Arc::new(AtomicUsize::new(0)));
    let (tasks, seen) = (recorded(&shared, "azure_gpt-4o"), Arc::clone(&most));
    let model = Local::start(move |request| {
        if !request.line.starts_with("POST") {
            return models(&["m"]);
        }
        seen.fetch_max(now.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
        if is_measured {
            std::thread::sleep(CALL);
        } else {
            // The first answers wait for the last attempt that may be in flight.
            until("all attempts are in flight", LIMIT, || {
                let most = seen.load(Ordering::SeqCst);
                if most >= AT_ONCE { Ok(()) } else { Err(most) }
            });
        }
        now.fetch_sub(1, Ordering::SeqCst);
        (200, reply(&tasks, &request.body))
    });
    let agent = written(koab.path(), "own", &definition("command"));
    let (agent, base) = (agent.display().to_string(), format!("{}/v1", model.address));
    let in_flight = AT_ONCE.to_string();
    let mut words = vec!["run", "--model", "openai_compat/m", "--base-url", &base];
    words.extend(["--protocol", "corrected", "--agent", &agent, "--concurrency", &in_flight]);
    words.extend(["--json", "--quiet"]);
    if !is_measured {
        words.extend(["--levels", "L1"]);
    }
    let mut command = match &measured {
        Some(program) => {
            let mut command = Command::new(program);
            command.args(&words).env("KOAB_HOME", koab.path()).stdin(Stdio::null());
            command
        }
        None => koab.command(&words),
    };
    let begun = Instant::now();
    let ran = crate::support::ran(command.output().expect("koab starts"));
    let took = begun.elapsed();
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let said: Value = serde_json::from_str(&ran.stdout).expect("one JSON document");
    let made = results(Path::new(said["run"]["folder"].as_str().expect("a folder")));
    let most = most.load(Ordering::SeqCst);
    if is_measured {
        assert!(most <= AT_ONCE, "{most} at once");
        assert_eq!(made.len(), 91);
        println!("figure: agent, 91 tasks, 200 ms a call, 8 in flight: {:.3} s", took.as_secs_f64());
        println!("figure: agent, most model calls at once: {most} ");
    } else {
        assert_eq!(most, AT_ONCE, "at once");
    }
    assert!(made.iter().all(|task| task["success"] == true));
}
