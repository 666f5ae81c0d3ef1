//! What takes minutes: the speed of several workers, nodes that die, time limits, a server that bears little, a budget.

use crate::bears::Bears;
use crate::slurm::{Desk, Slurm, answered, at_slurm, slurm, until};
use crate::support::ReplayServer;
use crate::support::logs::{folder, same_logs};
use serde_json::Value;
use std::time::{Duration, Instant};

const LIMIT: Duration = Duration::from_secs(300);

#[allow(
    clippy::print_stdout,
    reason = "figures are for whoever reads the benchmark's output"
)]
fn tell(what: &str) {
    println!("cluster: {what}");
}

fn count(remote: &Value, key: &str) -> u64 {
    remote[key].as_u64().expect("a count")
}

/// 182 attempts at a server that takes 400 ms.
const MANY: [&str; 2] = ["--repetitions", "2"];

#[test]
fn four_workers_are_three_times_as_fast_as_one() {
    at_slurm!(
        four_workers_are_three_times_as_fast_as_one,
        slurm,
        desk,
        server,
        "400"
    );
    let url = server.base_url.as_str();
    let begun = Instant::now();
    let calm = desk.calm(url, &[&MANY[..], &["--concurrency", "4"]].concat());
    let here = begun.elapsed();
    let needed = answered(&server);
    let (alone, one) = workers(&desk, url, 1);
    let (run, four) = workers(&desk, url, 4);
    tell(&format!(
        "one process {:.1} s, one worker {:.1} s, four workers {:.1} s ({:.1} times), {} answers of {}",
        here.as_secs_f64(),
        one.as_secs_f64(),
        four.as_secs_f64(),
        one.as_secs_f64() / four.as_secs_f64(),
        answered(&server),
        3 * needed
    ));
    assert_eq!(answered(&server), 3 * needed);
    for run in [alone, run] {
        let shown = desk.ended(&run, LIMIT);
        assert_eq!(shown["complete"], true, "{shown}");
        same_logs(&folder(&calm), &desk.folder(&run));
    }
    assert!(one >= four * 3, "{one:?} and {four:?}");
}

/// A run by so many workers, each with four calls in flight, and the time from its submission to the end of the last worker.
fn workers(desk: &Desk<'_>, url: &str, many: u32) -> (String, Duration) {
    let (shards, calls) = (many.to_string(), (4 * many).to_string());
    let words = ["--concurrency", &calls, "--shards", &shards, "--at-once", &shards];
    let begun = Instant::now();
    let run = desk.submit(url, &[&MANY[..], &words].concat());
    // Looking costs nothing here: the command line, asked each moment, would take what workers need.
    let marks = desk.folder(&run).join("cluster");
    let ended = |mark: std::fs::DirEntry| {
        mark.path().extension().is_some_and(|end| end == "mark")
            && std::fs::read_to_string(mark.path()).is_ok_and(|text| text.contains("end 0"))
    };
    until("all workers have ended", LIMIT, || {
        let marks = std::fs::read_dir(&marks).expect("marks").flatten();
        marks.map(ended).filter(|ended| *ended).count() == many as usize
    });
    (run, begun.elapsed())
}

/// Submits, waits until workers are well under way, breaks something, and waits for the end.
fn broken(
    slurm: &Slurm,
    what: &str,
    repetitions: &str,
    most_extra: u64,
    breaks: impl FnOnce(&Desk<'_>, &str),
) {
    let desk = Desk::new(slurm);
    let server = ReplayServer::start(slurm.shared(), &["--latency-ms", "400"]);
    let url = server.base_url.as_str();
    let calm = desk.calm(
        url,
        &[
            ["--repetitions", repetitions].as_slice(),
            &["--concurrency", "32"],
        ]
        .concat(),
    );
    let needed = answered(&server);
    let run = desk.submit(
        url,
        &[
            ["--repetitions", repetitions].as_slice(),
            &["--concurrency", "8", "--shards", "4", "--at-once", "4"],
        ]
        .concat(),
    );
    until("workers are under way", LIMIT, || {
        count(&desk.remote(&run), "done") >= 20
    });
    let begun = Instant::now();
    breaks(&desk, &run);
    let shown = desk.ended(&run, LIMIT);
    let extra = answered(&server) - 2 * needed;
    let restarts: u64 = shown["remote"]["shards"]
        .as_array()
        .expect("shards")
        .iter()
        .map(|shard| count(shard, "restarts"))
        .sum();
    tell(&format!(
        "{what}: done {:.1} s later, {extra} extra answers, {restarts} restarts",
        begun.elapsed().as_secs_f64()
    ));
    assert_eq!(shown["complete"], true, "{shown}");
    same_logs(&folder(&calm), &desk.folder(&run));
    assert!(extra <= most_extra, "{extra} extra answers");
}

fn node_of(remote: &Value) -> u32 {
    let node = remote["nodes"][0].as_str().expect("a node at work");
    node.trim_start_matches('n').parse().expect("a number")
}

#[test]
fn a_run_outlives_a_node() {
    let Some(slurm) = slurm("a_run_outlives_a_node") else {
        return;
    };
    let mut dead = 0;
    // All workers of a node had two calls in flight each; a node has two processors.
    broken(&slurm, "a node killed", "2", 4, |desk, run| {
        dead = node_of(&desk.remote(run));
        slurm.kill_node(dead);
    });
    slurm.start_node(dead);
}

#[test]
fn a_worker_whose_node_is_only_silent_leaves_its_shard_to_the_next() {
    let Some(slurm) = slurm("a_worker_whose_node_is_only_silent_leaves_its_shard_to_the_next") else {
        return;
    };
    let mut silent = 0;
    // Slurm notices it after half a minute and begins its two shards elsewhere. The earlier starts end behind the attempts that they
    // have begun: two of each, of ten answers at the most.
    broken(&slurm, "slurmd alone killed", "6", 40, |desk, run| {
        silent = node_of(&desk.remote(run));
        slurm.kill_daemon(silent);
    });
    slurm.start_node(silent);
}

#[test]
fn a_time_limit_is_met_by_another_start() {
    at_slurm!(a_time_limit_is_met_by_another_start, slurm, desk, server, "400");
    let url = server.base_url.as_str();
    let calm = desk.calm(url, &[&MANY[..], &["--concurrency", "32"]].concat());
    let needed = answered(&server);
    // A minute is the least that Slurm takes, and the work of one takes longer.
    let words = [
        "--concurrency",
        "2",
        "--shards",
        "1",
        "--at-once",
        "1",
        "--engine-args",
        "--time=1",
    ];
    let run = desk.submit(url, &[&MANY[..], &words].concat());
    let shown = desk.ended(&run, LIMIT);
    let restarts = count(&shown["remote"]["shards"][0], "restarts");
    let extra = answered(&server) - 2 * needed;
    tell(&format!(
        "time limit of a minute: {restarts} restarts, {extra} extra answers"
    ));
    assert_eq!(shown["complete"], true, "{shown}");
    assert!(
        restarts >= 1 && extra <= 2 * restarts,
        "{restarts} restarts, {extra} extra answers"
    );
    same_logs(&folder(&calm), &desk.folder(&run));
}

#[test]
fn a_server_that_bears_twelve_calls_refuses_few() {
    at_slurm!(
        a_server_that_bears_twelve_calls_refuses_few,
        slurm,
        desk,
        server,
        "400"
    );
    let bears = Bears::start(&server.base_url, 12);
    // As many as a hosted server is asked, which four workers share.
    let words = ["--concurrency", "32", "--shards", "4", "--at-once", "4"];
    let run = desk.submit(&bears.base_url, &[&MANY[..], &words].concat());
    let shown = desk.ended(&run, LIMIT);
    let remote = &shown["remote"];
    let (answered, refused) = bears.counts();
    tell(&format!(
        "a server that bears 12: {answered} answers, {refused} refused, {} rate limits told, {} failed",
        remote["rate_limits"], remote["failed"]
    ));
    assert_eq!(
        (&remote["failed"], &shown["complete"]),
        (&0.into(), &true.into()),
        "{remote}"
    );
    assert!(refused * 4 <= answered + refused, "{refused} of {answered}");
    assert_eq!(count(remote, "rate_limits"), u64::from(refused));
}

#[test]
fn workers_together_stay_within_the_cap_of_the_run() {
    at_slurm!(
        workers_together_stay_within_the_cap_of_the_run,
        slurm,
        desk,
        server,
        "50"
    );
    let words = ["--shards", "4", "--at-once", "4", "--max-cost", "0.8"];
    let run = desk.submit(&server.base_url, &[&MANY[..], &words].concat());
    let shown = desk.ended(&run, LIMIT);
    let remote = &shown["remote"];
    let usd = remote["usd"].as_f64().expect("a sum");
    tell(&format!(
        "a cap of $0.8: ${usd:.4} spent, {} of 182 attempts",
        remote["done"]
    ));
    assert!(usd > 0.3 && usd <= 0.8, "{usd}");
    assert_eq!(
        remote["states"]["failed"], 4,
        "a spent budget is no end by itself: {remote}"
    );
    let words = ["run", "--resume", &run, "--on", "slurm", "--max-cost", "10"];
    desk.json(&words);
    let shown = desk.ended(&run, LIMIT);
    assert_eq!(shown["complete"], true, "{shown}");
}
