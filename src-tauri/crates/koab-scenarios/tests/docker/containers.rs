//! What a container may do, how it ends, and what is left of it: nothing.

use std::io::{BufRead as _, BufReader};

use koab_scenarios::docker::Owner;
use koab_scenarios::process_end::ProcessEnd;
use koab_scenarios::scenario_file::Network;

use crate::docker::support::{OwnDaemon, Script, left, stage, stage_at};

fn host() -> String {
    std::env::var("KOAB_TEST_DOCKER").unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn output_and_exit_code_arrive_and_nothing_is_left() {
    let Some(stage) = stage("exit codes").await else {
        return;
    };
    let ran = Script::new("echo out; echo err >&2; echo 한글; exit 7").run(&stage, "a").await;
    assert_eq!(ran.ended, ProcessEnd::Exited { code: 7, out_of_memory: false });
    for line in ["out\n", "err\n", "한글\n"] {
        assert!(ran.log.contains(line), "{}", ran.log);
    }
    assert_eq!(ran.seen, ran.log);
    let good = Script::new("true").run(&stage, "b").await;
    assert_eq!(good.ended, ProcessEnd::Exited { code: 0, out_of_memory: false });
    assert_eq!(left(&host(), &stage), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn output_closed_early_does_not_end_a_scenario() {
    let Some(stage) = stage("closed output").await else {
        return;
    };
    let ran = Script::new("echo before; exec >&- 2>&-; sleep 1; touch late; exit 4").run(&stage, "a").await;
    assert_eq!(ran.ended, ProcessEnd::Exited { code: 4, out_of_memory: false });
    assert!(ran.folder.join("late").exists());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_scenario_has_no_privileges_and_its_files_belong_to_the_user_of_this_computer() {
    use std::os::unix::fs::MetadataExt;
    let Some(stage) = stage("privileges").await else {
        return;
    };
    let script = "id -u; grep -E 'Cap(Eff|Bnd)|NoNewPrivs' /proc/self/status; mkdir -p deep/er; echo x > deep/er/file; \
                  ln -s /etc/passwd link; chmod 700 deep; ls /var/run/docker.sock /run/docker.sock 2>&1";
    let ran = Script::new(script).run(&stage, "a").await;
    let user = ran.log.lines().next().unwrap();
    assert_ne!(user, "0", "not as root");
    for line in ["CapEff:\t0000000000000000", "CapBnd:\t0000000000000000", "NoNewPrivs:\t1"] {
        assert!(ran.log.contains(line), "{}", ran.log);
    }
    let me = stage.home.path().metadata().unwrap().uid();
    for file in [".", "deep", "deep/er", "deep/er/file", "link", "console_log.txt"] {
        assert_eq!(ran.folder.join(file).symlink_metadata().unwrap().uid(), me, "{file}");
    }
    assert_eq!(ran.log.matches("No such file").count(), 2, "no socket: {}", ran.log);
    std::fs::remove_dir_all(&ran.folder).unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn what_the_log_says_cannot_be_changed_by_the_scenario() {
    let Some(stage) = stage("the log").await else {
        return;
    };
    let script = "echo honest; echo forged > console_log.txt; rm -f console_log.txt; mv console_log.txt x; \
                  ln -sf /etc/passwd console_log.txt; rm -rf run.sh; echo done";
    let ran = Script::new(script).run(&stage, "a").await;
    insta::assert_snapshot!(ran.log, @"
    honest
    run.sh: 1: cannot create console_log.txt: Read-only file system
    rm: can't remove 'console_log.txt': Device or resource busy
    mv: can't rename 'console_log.txt': Device or resource busy
    ln: console_log.txt: File exists
    rm: can't remove 'run.sh': Device or resource busy
    done
    ");
    assert_eq!(std::fs::read_to_string(ran.folder.join("run.sh")).unwrap(), script);
    assert!(ran.folder.join("console_log.txt").symlink_metadata().unwrap().is_file());
}

#[tokio::test(flavor = "multi_thread")]
async fn memory_over_the_limit_is_said_as_such() {
    let Some(stage) = stage("memory").await else {
        return;
    };
    let mut script =
        Script::new("echo begin; exec python3 -c 'x = bytearray(300 * 1024 * 1024); print(len(x))'");
    script.limits.memory_bytes = Some(64 << 20);
    let ran = script.run(&stage, "a").await;
    assert_eq!(ran.ended, ProcessEnd::Exited { code: 137, out_of_memory: true });
    assert_eq!(ran.log, "begin\n");
}

#[tokio::test(flavor = "multi_thread")]
async fn processes_over_the_limit_are_refused() {
    let Some(stage) = stage("processes").await else {
        return;
    };
    let mut script = Script::new("i=0; while [ $i -lt 60 ]; do sleep 5 & i=$((i+1)); done; echo never");
    script.limits.pids = Some(20);
    let ran = script.run(&stage, "a").await;
    assert!(ran.log.contains("fork"), "{}", ran.log);
    assert!(!ran.log.contains("never"), "{}", ran.log);
    assert!(matches!(ran.ended, ProcessEnd::Exited { code: 2, .. }), "{:?}", ran.ended);
}

#[tokio::test(flavor = "multi_thread")]
async fn time_over_the_limit_kills_even_a_silent_scenario_and_keeps_what_it_said() {
    let Some(stage) = stage("time").await else { return };
    let mut script = Script::new("trap '' TERM INT; echo partial; sleep 600");
    script.limits.timeout_s = Some(2);
    let ran = script.run(&stage, "a").await;
    assert_eq!(ran.ended, ProcessEnd::TimedOut);
    assert_eq!(ran.log, "partial\n");
    assert_eq!(left(&host(), &stage), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn output_over_the_limit_is_cut_and_the_scenario_goes_on() {
    let Some(stage) = stage("output").await else {
        return;
    };
    let mut script = Script::new("python3 -c 'print(\"x\" * 5_000_000)'; touch finished");
    script.limits.output_bytes = Some(1000);
    let ran = script.run(&stage, "a").await;
    assert_eq!(ran.ended, ProcessEnd::Exited { code: 0, out_of_memory: false });
    assert!(ran.log.ends_with("[output over 1000 bytes is not kept]\n"));
    assert!(ran.folder.join("finished").exists());
}

#[tokio::test(flavor = "multi_thread")]
async fn cancelling_leaves_no_container() {
    let Some(stage) = stage("cancel").await else {
        return;
    };
    let mut script = Script::new("echo started; sleep 600");
    script.cancel_when("started");
    let ran = script.run(&stage, "a").await;
    assert_eq!(ran.ended, ProcessEnd::Cancelled);
    assert_eq!(ran.log, "started\n");
    assert_eq!(left(&host(), &stage), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn no_network_is_none_and_the_bridge_reaches_this_computer_by_name() {
    let Some(stage) = stage("network").await else {
        return;
    };
    let script =
        "cat /proc/net/dev | tail -n +3 | cut -d: -f1 | tr -d ' '; grep -c host.docker.internal /etc/hosts";
    let none = Script::new(script).run(&stage, "a").await;
    assert_eq!(none.log, "lo\n0\n");
    let mut bridged = Script::new(script);
    bridged.limits.network = Some(Network::Bridge);
    let ran = bridged.run(&stage, "b").await;
    assert!(ran.log.contains("eth0\n") && ran.log.ends_with("1\n"), "{}", ran.log);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_listens_on_the_bridge_s_address_is_reached_by_name_from_inside_alone() {
    let Some(stage) = stage("bridge").await else {
        return;
    };
    let address = stage.engine.bridge_address().await.unwrap().unwrap();
    let listener = std::net::TcpListener::bind((address, 0)).unwrap();
    let port = listener.local_addr().unwrap().port();
    assert!(std::net::TcpStream::connect(("127.0.0.1", port)).is_err());
    let answering = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        // An answer to a request that was not read ends in a reset, and the answer with it.
        let mut asked = BufReader::new(stream.try_clone().unwrap()).lines();
        while asked.next().is_some_and(|line| !line.unwrap().is_empty()) {}
        std::io::Write::write_all(&mut stream, b"HTTP/1.0 200 OK\r\n\r\nreached").unwrap();
    });
    let text = format!(
        "python3 -c 'import urllib.request as r; print(r.urlopen(\"http://{}:{port}/\", timeout=20).read().decode())'",
        stage.engine.host_name()
    );
    let mut script = Script::new(&text);
    script.limits.network = Some(Network::Bridge);
    let ran = script.run(&stage, "a").await;
    assert_eq!(ran.log, "reached\n");
    answering.join().unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_secret_that_a_scenario_prints_is_masked() {
    let Some(stage) = stage("secrets").await else {
        return;
    };
    let mut script = Script::new("echo \"key is $SECRET_KEY.\"; env | grep -c SECRET_KEY");
    script.environment.insert("SECRET_KEY".to_owned(), "canary-51c0".to_owned());
    script.secrets.push("canary-51c0".to_owned());
    let ran = script.run(&stage, "a").await;
    assert_eq!(ran.log, "key is [secret].\n1\n");
    assert_eq!(ran.seen, ran.log);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_dead_process_left_is_removed_and_a_living_one_s_is_not() {
    let Some(stage) = stage("sweep").await else { return };
    let locks = stage.home.path().join("locks").canonicalize().unwrap();
    let make = |owner: &str| {
        let made = std::process::Command::new("docker")
            .args(["-H", &host(), "run", "-d", "--network", "none"])
            .args(["--label", &format!("org.koab.locks={}", locks.display())])
            .args(["--label", &format!("org.koab.owner={owner}")])
            .args(["koab-test", "sleep", "600"])
            .output()
            .unwrap();
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    };
    // An owner whose lock is free, one whose lock is gone, and one that lives.
    std::fs::write(locks.join("owner-free.lock"), "").unwrap();
    make("owner-free.lock");
    make("owner-gone.lock");
    let living = Owner::new(&locks).unwrap();
    let name = |owner: &Owner| {
        let text = format!("{owner:?}");
        text.split("name: \"").nth(1).unwrap().split('"').next().unwrap().to_owned()
    };
    make(&name(&living));
    assert_eq!(left(&host(), &stage), 3);
    assert_eq!(stage.owner.sweep(&stage.engine).await.unwrap(), 2);
    assert_eq!(left(&host(), &stage), 1);
    assert!(!locks.join("owner-free.lock").exists());
    drop(living);
    assert_eq!(stage.owner.sweep(&stage.engine).await.unwrap(), 1);
    assert_eq!(left(&host(), &stage), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_missing_image_and_a_missing_engine_are_one_sentence_each() {
    let Some(stage) = stage("missing image").await else {
        return;
    };
    let cancel = tokio_util::sync::CancellationToken::new();
    let error =
        stage.engine.image(Some("localhost:1/none"), &cancel, &mut |_| {}).await.unwrap_err().to_string();
    assert!(
        error.starts_with("the image localhost:1/none is not on this computer and cannot be pulled ("),
        "{error}"
    );
    assert!(error.ends_with("--docker-image"), "{error}");
    let error = koab_scenarios::docker::Engine::at(&koab_stand_ins::gate(), "unix:///nowhere/docker.sock")
        .await
        .err()
        .unwrap()
        .to_string();
    insta::assert_snapshot!(error, @"no container engine answers at unix:///nowhere/docker.sock (there is no such socket): start Docker or Podman, name its socket in DOCKER_HOST, or run with --native on this computer itself");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_engine_that_dies_while_a_scenario_runs_is_said_and_keeps_the_log() {
    if stage("a dying engine").await.is_none() {
        return;
    }
    let daemon = OwnDaemon::start();
    let stage = stage_at(&daemon.host()).await;
    let pid = std::fs::read_to_string(daemon.folder().join("pid")).unwrap();
    let mut script = Script::new("echo started; sleep 30");
    let kill = move || {
        let mut kill = std::process::Command::new("kill");
        assert!(kill.args(["-9", pid.trim()]).status().unwrap().success());
    };
    script.when = Some(("started", Box::new(kill)));
    let ran = script.run(&stage, "a").await;
    let ProcessEnd::Lost { why } = &ran.ended else { panic!("{:?}", ran.ended) };
    assert!(
        why.to_string().starts_with("the container engine stopped answering while the scenario ran ("),
        "{why}"
    );
    assert_eq!(ran.log, "started\n");
    // The next start of the engine finds the container again, and the next start of the product removes it.
    daemon.act("start");
    let stage_again = stage_at(&daemon.host()).await;
    drop(stage.owner);
    let owner = Owner::new(&stage.home.path().join("locks")).unwrap();
    assert_eq!(owner.sweep(&stage_again.engine).await.unwrap(), 1);
}
