//! What `long.rs` shows in minutes, with fewer attempts and without waiting for Slurm's own detector and time limits.

use crate::cluster::slurm::{Detection, slurm};
use crate::cluster::trouble::{
    Size, cap, daemon_killed, node_killed, one_and_many, time_limit, twelve_calls,
};

/// Each of the 91 tasks once.
const ONCE: Size<'_> = Size { latency: "100", repetitions: "1", shards: 4, engine: "" };

/// The speed of several workers is measured by `long.rs`.
#[test]
fn four_workers_work_at_once_and_ask_what_one_asks() {
    let Some(slurm) = slurm("four_workers_work_at_once_and_ask_what_one_asks") else {
        return;
    };
    one_and_many(&slurm, &ONCE);
}

/// All at once, because each mostly waits for Slurm. Of four nodes the first is killed and the second silent, and the runs that begin
/// there continue on the third and the fourth.
#[test]
fn runs_outlive_nodes_and_meet_a_time_limit_a_busy_server_and_a_cap() {
    let Some(slurm) = slurm("runs_outlive_nodes_and_meet_a_time_limit_a_busy_server_and_a_cap") else {
        return;
    };
    let two = |engine| Size { latency: "20", shards: 2, engine, ..ONCE };
    let dies = two("--exclude=n2,n4");
    let silent = two("--exclude=n1,n3");
    let limited = Size { shards: 1, engine: "--exclude=n1,n2,n3", ..ONCE };
    let busy = Size { engine: "--exclude=n1,n2", ..ONCE };
    let capped = Size { latency: "50", ..busy };
    std::thread::scope(|scope| {
        scope.spawn(|| node_killed(&slurm, &dies, Detection::Told));
        scope.spawn(|| daemon_killed(&slurm, &silent, Detection::Told));
        scope.spawn(|| time_limit(&slurm, &limited, Detection::Told));
        scope.spawn(|| {
            twelve_calls(&slurm, &busy);
            cap(&slurm, &capped, 0.5);
        });
    });
}
