//! A run with an agent that was killed in the middle goes on, and ends as one that was not.

use crate::agents::kinds::did;
use crate::agents::played::played;
use crate::agents::workshop::{definition, results, run, written};
use crate::support::wait::until;
use crate::support::{Koab, read_json, shared};
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

/// Folders of attempts that have ended.
pub(crate) fn ended(home: &Path) -> usize {
    // A folder that is removed meanwhile has none.
    let entries = std::fs::read_dir(home).into_iter().flatten().flatten();
    entries
        .map(|entry| match entry.file_type() {
            Ok(kind) if kind.is_dir() => ended(&entry.path()),
            _ => usize::from(entry.file_name() == "attempt.json"),
        })
        .sum()
}

#[test]
fn a_killed_run_goes_on_and_ends_as_an_undisturbed_one() {
    let Some(shared) = shared("a_killed_run_goes_on_and_ends_as_an_undisturbed_one") else {
        return;
    };
    let koab = Koab::new();
    koab.use_published(&shared);
    let model = played(&shared, "azure_gpt-4o", Duration::from_millis(20));
    let file = written(koab.path(), "own", &definition("command")).display().to_string();
    let agent = ["--agent", &file, "--levels", "L1,L5,L6", "--concurrency", "2"];
    let (whole, said) = run(&koab, &model.address, &agent);
    assert_eq!(said["run"]["outcome"], "completed", "{said}");
    let before = ended(koab.path());
    let base = format!("{}/v1", model.address);
    let words = [&["run", "--model", "openai_compat/m", "--base-url", &base], &agent[..]].concat();
    let mut killed =
        koab.command(&words).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("koab starts");
    until("five attempts end", Duration::from_secs(60), || {
        let ended = ended(koab.path()) - before;
        if ended >= 5 { Ok(()) } else { Err(ended) }
    });
    killed.kill().expect("killed");
    killed.wait().expect("ended");
    // What an attempt's agent is started with is in the run; the file is not asked for again.
    std::fs::remove_file(&file).expect("removed");
    let ran = koab.ok(&["run", "--resume", "last", "--json"]);
    assert!(
        ran.stderr.contains("without a container (the run began this way)"),
        "a run that goes on says it as well: {}",
        ran.stderr
    );
    let said: serde_json::Value = serde_json::from_str(&ran.stdout).expect("one JSON document");
    let folder = Path::new(said["run"]["folder"].as_str().expect("a folder"));
    assert_eq!(said["run"]["outcome"], "completed", "{said}");
    let (expected, found) = (results(&whole), results(folder));
    assert_eq!(expected.iter().map(did).collect::<Vec<_>>(), found.iter().map(did).collect::<Vec<_>>());
    let tokens = |folder: &Path| {
        let spent = &read_json(&folder.join("run.json"))["spending"];
        spent["usage"]["total_tokens"].as_u64().or_else(|| spent["total_tokens"].as_u64())
    };
    // Calls of attempts that were broken off are paid for.
    assert!(tokens(folder) >= tokens(&whole), "{:?} {:?}", tokens(folder), tokens(&whole));
}
