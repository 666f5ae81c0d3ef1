//! What takes minutes: the speed of several workers, nodes that die, time limits, a server that bears little, a budget.
//! `short.rs` has the same in seconds.

use crate::cluster::slurm::{Detection, slurm};
use crate::cluster::trouble::{Size, cap, daemon_killed, node_killed, speed, time_limit, twelve_calls};

/// 182 attempts at a server that takes 400 ms.
const MANY: Size<'_> = Size { latency: "400", repetitions: "2", shards: 4, engine: "" };

#[test]
fn four_workers_are_three_times_as_fast_as_one() {
    let Some(slurm) = slurm("four_workers_are_three_times_as_fast_as_one") else {
        return;
    };
    speed(&slurm, &MANY, 3.0);
}

#[test]
fn a_run_outlives_a_node() {
    let Some(slurm) = slurm("a_run_outlives_a_node") else {
        return;
    };
    node_killed(&slurm, &MANY, Detection::Own);
}

#[test]
fn a_worker_whose_node_is_only_silent_leaves_its_shard_to_the_next() {
    let Some(slurm) = slurm("a_worker_whose_node_is_only_silent_leaves_its_shard_to_the_next") else {
        return;
    };
    // Slurm notices it after half a minute; its workers are at work for longer.
    let size = Size { repetitions: "6", ..MANY };
    daemon_killed(&slurm, &size, Detection::Own);
}

#[test]
fn a_time_limit_is_met_by_another_start() {
    let Some(slurm) = slurm("a_time_limit_is_met_by_another_start") else {
        return;
    };
    let size = Size { shards: 1, engine: "--time=1", ..MANY };
    time_limit(&slurm, &size, Detection::Own);
}

#[test]
fn a_server_that_bears_twelve_calls_refuses_few() {
    let Some(slurm) = slurm("a_server_that_bears_twelve_calls_refuses_few") else {
        return;
    };
    twelve_calls(&slurm, &MANY);
}

#[test]
fn workers_together_stay_within_the_cap_of_the_run() {
    let Some(slurm) = slurm("workers_together_stay_within_the_cap_of_the_run") else {
        return;
    };
    let size = Size { latency: "50", ..MANY };
    cap(&slurm, &size, 0.8);
}
