//! What Podman does otherwise than Docker behind the same API: a handful of what `containers` and `runs` show of Docker.
//!
//! `cargo xtask test` starts one, where there is one, and names it in `KOAB_TEST_PODMAN`.

use koab_scenarios::docker::Engine;
use koab_scenarios::outcome::{Cause, Outcome};
use koab_scenarios::process_end::ProcessEnd;
use koab_scenarios::relay::Relay;
use koab_scenarios::scenario_file::Network;
use koab_scenarios::trial::NO_LIMITS;

use crate::docker::runs::{benchmark, go, recorded, run_of};
use crate::docker::support::{Script, Stage, left, stage_named};

const HOST: &str = "KOAB_TEST_PODMAN";

async fn stage(test: &str) -> Option<(Stage, String)> {
    let stage = stage_named(HOST, "podman", test).await?;
    Some((stage, std::env::var(HOST).unwrap()))
}

#[tokio::test(flavor = "multi_thread")]
async fn podman_runs_trials_to_each_of_their_ends() {
    let Some((stage, host)) = stage("trials under Podman").await else {
        return;
    };
    benchmark(
        stage.home.path(),
        &[
            ("good", "print('ALL TESTS PASSED !#!#'); open('made', 'w')", ""),
            ("crash", "sys.exit(3)", ""),
            ("slow", "print('begun'); time.sleep(600)", r#", "timeout_s": 8"#),
            ("hungry", "x = bytearray(200 * 1024 * 1024)", ""),
        ],
    );
    let engine = stage.engine.clone();
    let (mut run, home) = run_of(stage);
    run.setup.limits.memory_bytes = Some(64 << 20);
    go(&run).await;
    let of = |id: &str| recorded(home.path(), &format!("{id}/0"));
    for (id, cause, exit_code) in [
        ("good", Cause::Completed, Some(0)),
        ("crash", Cause::Failed, Some(3)),
        ("slow", Cause::TimedOut, None),
    ] {
        assert_eq!((of(id).cause, of(id).exit_code), (cause, exit_code), "{id}");
    }
    let good = of("good");
    assert!(good.versions["engine"].starts_with("Podman "), "{:?}", good.versions);
    assert!(good.image.unwrap().digest.is_some_and(|digest| digest.contains("sha256:")));
    let Outcome { cause, exit_code, detail, limits, warnings, .. } = of("hungry");
    let detail = detail.unwrap_or_default();
    if engine.holds_limits() {
        // Older ones lose that it was for memory; then it is not said to be anything else.
        assert_eq!(exit_code, Some(137));
        assert!(
            cause == Cause::OutOfMemory
                || cause == Cause::Failed && detail.to_string().contains("whether memory was the reason"),
            "{cause:?} {detail:?}"
        );
    } else {
        assert_eq!((cause, limits.unwrap().memory_bytes), (Cause::Completed, None));
        assert_eq!(warnings, [NO_LIMITS]);
    }
    use std::os::unix::fs::MetadataExt as _;
    let folder = home.path().join("results/mini/good/0");
    for name in ["made", "console_log.txt", "."] {
        let owner = folder.join(name).symlink_metadata().unwrap().uid();
        assert_eq!(owner, home.path().metadata().unwrap().uid(), "{name}");
    }
    let again = crate::docker::support::stage_in(&host, home).await;
    assert_eq!(left(&host, &again), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn podman_cancels_and_leaves_no_container() {
    let Some((stage, host)) = stage("a cancel under Podman").await else {
        return;
    };
    let mut script = Script::new("echo started; sleep 600");
    script.cancel_when("started");
    let ran = script.run(&stage, "a").await;
    assert_eq!((ran.ended, ran.log.as_str()), (ProcessEnd::Cancelled, "started\n"));
    assert_eq!(left(&host, &stage), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn podman_gives_a_network_or_none_and_a_door_either_way() {
    let Some((stage, _)) = stage("networks under Podman").await else {
        return;
    };
    // Its bridge is there with its first container only: nothing could listen on it before.
    assert_eq!(stage.engine.bridge_address().await.unwrap(), None);
    assert!(stage.engine.shows_sockets());
    for (name, network, interfaces) in [("a", Network::None, "lo\n"), ("b", Network::Bridge, "lo\neth0\n")] {
        let relay = Relay::new().unwrap();
        let listener = std::os::unix::net::UnixListener::bind(relay.socket()).unwrap();
        use std::os::unix::fs::PermissionsExt as _;
        std::fs::set_permissions(relay.socket(), std::fs::Permissions::from_mode(0o666)).unwrap();
        let answers = std::thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            std::io::Write::write_all(&mut stream, b"through").unwrap();
        });
        let text = format!(
            "tail -n +3 /proc/net/dev | cut -d: -f1 | tr -d ' '; python3 -c 'import socket; \
             print(socket.create_connection(tuple(\"{}\".split(\":\"))).makefile().read())'",
            Relay::address()
        );
        let mut script = Script::new(&text);
        script.limits.network = Some(network);
        script.relay = Some(relay);
        let ran = script.run(&stage, name).await;
        assert_eq!(ran.log, format!("{interfaces}through\n"));
        answers.join().unwrap();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn podman_s_missing_image_is_one_sentence_and_an_image_s_own_program_is_not_run() {
    let Some((stage, host)) = stage("images under Podman").await else {
        return;
    };
    let cancel = tokio_util::sync::CancellationToken::new();
    let error = stage.engine.image(Some("localhost:1/none"), &cancel, &mut |_| {}).await;
    let error = error.unwrap_err().to_string();
    assert!(
        error.starts_with("the image localhost:1/none is not on this computer and cannot be pulled (")
            && error.ends_with("--docker-image"),
        "{error}"
    );
    let small = "mkdir -p root/bin root/tmp && cp $(command -v busybox) root/bin && ln -s busybox root/bin/sh && \
                 tar -c -C root . | docker import -c 'ENTRYPOINT [\"/bin/false\"]' - koab-own-program";
    let made = std::process::Command::new("sh")
        .args(["-c", small])
        .current_dir(stage.home.path())
        .env("DOCKER_HOST", &host)
        .output()
        .unwrap();
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let engine = Engine::at(&koab_stand_ins::gate(), &host).await.unwrap();
    let image = engine.local_image("koab-own-program").await.unwrap().unwrap();
    let ran = Script::new("echo ours").run(&Stage { image, ..stage }, "a").await;
    assert_eq!(ran.log, "ours\n");
}
