//! What `long.rs` shows in minutes, with fewer attempts.

use crate::cluster::slurm::slurm;
use crate::cluster::trouble::{Size, cap, daemon_killed, node_killed, speed, time_limit, twelve_calls};

/// Each of the 91 tasks once.
const ONCE: Size<'_> = Size {
    latency: "100",
    repetitions: "1",
    shards: 4,
    engine: "",
};

#[test]
fn four_workers_are_twice_as_fast_as_one() {
    let Some(slurm) = slurm("four_workers_are_twice_as_fast_as_one") else {
        return;
    };
    let size = Size {
        latency: "250",
        ..ONCE
    };
    speed(&slurm, &size, 2.0);
}

/// All at once, since what takes long is Slurm's own time: half a minute until a node is missed, a minute as the least time limit. Of four
/// nodes the first is killed and the second silent, and the runs that begin there go on each on one of the others.
#[test]
fn runs_outlive_nodes_and_meet_a_time_limit_a_busy_server_and_a_cap() {
    let Some(slurm) = slurm("runs_outlive_nodes_and_meet_a_time_limit_a_busy_server_and_a_cap") else {
        return;
    };
    let two = |latency, engine| Size {
        latency,
        shards: 2,
        engine,
        ..ONCE
    };
    let dies = two("200", "--exclude=n2,n4");
    // Its workers are at work for longer than Slurm takes to miss their node.
    let silent = two("1300", "--exclude=n1,n3");
    let limited = Size {
        latency: "250",
        shards: 1,
        engine: "--exclude=n1,n2,n3 --time=1",
        ..ONCE
    };
    let busy = Size {
        engine: "--exclude=n1,n2",
        ..ONCE
    };
    let capped = Size {
        latency: "50",
        ..busy
    };
    std::thread::scope(|scope| {
        scope.spawn(|| node_killed(&slurm, &dies));
        scope.spawn(|| daemon_killed(&slurm, &silent));
        scope.spawn(|| time_limit(&slurm, &limited));
        scope.spawn(|| {
            twelve_calls(&slurm, &busy);
            cap(&slurm, &capped, 0.5);
        });
    });
}
