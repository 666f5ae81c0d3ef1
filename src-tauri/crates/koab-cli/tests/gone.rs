//! A model's server that dies under a run, from the command line: nothing is charged to the model, and the rest is made at another
//! address to the same figures.

use crate::support::Koab;
use crate::support::http::{Local, model, mortal_model};

fn run(koab: &Koab, server: &Local, more: &[&str]) -> crate::support::Ran {
    let address = format!("{}/v1", server.address);
    koab.run(&[&["run", "--base-url", &address, "--quiet"], more].concat())
}

/// The scores and tokens of the run's report, a line a level; how long everything took is no part of it.
fn scores(koab: &Koab) -> Vec<String> {
    koab.ok(&["evaluate", "last", "--no-judge", "--quiet"]);
    let csv = koab.ok(&["report", "export", "last", "--format", "csv", "-o", "-"]).stdout;
    let mut lines = csv.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let header = lines.next().expect("a header");
    let is_time = |name: &str| matches!(name, "Avg_Exec_Time" | "Avg_TPS" | "Avg_TTFT");
    let kept = |line: Vec<&str>| {
        let mut cells: Vec<&str> = Vec::new();
        let named = header.iter().zip(line);
        cells.extend(named.filter(|(name, _)| !is_time(name)).map(|(_, cell)| cell));
        cells.join(",")
    };
    lines.map(kept).collect()
}

#[test]
fn a_run_whose_server_died_is_made_whole_at_another_address_as_if_nothing_had_been() {
    let undisturbed = Koab::new();
    let server = model("stop");
    let new = ["--model", "openai_compat/m"];
    assert_eq!(run(&undisturbed, &server, &new).code, 0);
    let koab = Koab::new();
    let died = run(&koab, &mortal_model(25), &new);
    assert_ne!(died.code, 0, "{}", died.stdout);
    assert!(died.stderr.contains("no server answers"), "{}", died.stderr);
    // The attempts that found nobody are not the model's: they failed, and the report has no number over all tasks.
    let left = koab.json(&["runs", "show", "last"]);
    assert_ne!(left["complete"], true, "{left}");
    let again = run(&koab, &server, &["--resume", "last"]);
    assert_eq!(again.code, 0, "{}", again.stderr);
    let found = scores(&koab);
    assert_eq!(found.len(), 7);
    assert_eq!(found, scores(&undisturbed));
}
