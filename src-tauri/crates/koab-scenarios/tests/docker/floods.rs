//! Scenarios that print faster than anybody reads end as soon as any other.

use koab_scenarios::process_end::ProcessEnd;

use crate::docker::support::{Script, left, stage_named};

/// Prints for ever, as fast as it can.
const FLOOD: &str = "exec python3 -c 'import sys\nwhile True: sys.stdout.write(\"A\" * 65536 + \"\\n\")'";

#[tokio::test(flavor = "multi_thread")]
async fn a_flood_ends_at_its_time_limit_and_when_it_is_cancelled() {
    for (variable, program) in [("KOAB_TEST_DOCKER", "dockerd"), ("KOAB_TEST_PODMAN", "podman")] {
        let Some(stage) = stage_named(variable, program, &format!("a flood under {program}")).await else {
            continue;
        };
        let host = std::env::var(variable).unwrap();
        for cancelled in [false, true] {
            let mut script = Script::new(FLOOD);
            // Past the log's limit the flood is read all the same.
            script.limits.output_bytes = Some(1 << 20);
            script.limits.timeout_s = Some(2);
            if cancelled {
                // What is not ended by the cancellation is ended by the limit, and its end says so.
                script.limits.timeout_s = Some(60);
                script.cancel_when("is not kept");
            }
            let ran = script.run(&stage, &format!("{program}-{cancelled}")).await;
            let ended = if cancelled { ProcessEnd::Cancelled } else { ProcessEnd::TimedOut };
            assert_eq!(ran.ended, ended, "{program}");
            assert!(ran.log.ends_with("[output over 1048576 bytes is not kept]\n"), "{program}");
        }
        assert_eq!(left(&host, &stage), 0, "{program}");
    }
}
