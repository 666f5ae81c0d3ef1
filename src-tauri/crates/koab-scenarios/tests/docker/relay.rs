//! The way out of a container that has no network.

use std::io::{BufRead as _, BufReader, Write as _};
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::net::UnixListener;

use koab_scenarios::process_end::ProcessEnd;
use koab_scenarios::relay::Relay;

use crate::docker::support::{Script, stage};

#[tokio::test(flavor = "multi_thread")]
async fn a_scenario_without_a_network_reaches_the_socket_it_is_shown_and_nothing_else() {
    let Some(stage) = stage("the relay").await else {
        return;
    };
    let relay = Relay::new().unwrap();
    let listener = UnixListener::bind(relay.socket()).unwrap();
    std::fs::set_permissions(relay.socket(), std::fs::Permissions::from_mode(0o666)).unwrap();
    let answering = std::thread::spawn(move || {
        for number in 0..2 {
            let (mut stream, _) = listener.accept().unwrap();
            let mut asked = BufReader::new(stream.try_clone().unwrap()).lines();
            while asked.next().is_some_and(|line| !line.unwrap().is_empty()) {}
            write!(stream, "HTTP/1.0 200 OK\r\n\r\nreached {number} {}", "x".repeat(300_000)).unwrap();
        }
    });
    let text = format!(
        "python3 -c 'import urllib.request as r\nfor _ in range(2):\n b = r.urlopen(\"http://{}/\", timeout=20).read().decode(); print(b[:9], len(b))'\n\
         cat /proc/net/dev | tail -n +3 | cut -d: -f1 | tr -d ' '\n\
         rm -f /koab/socket; touch /koab/new; echo x > /koab/relay.py; exit 5",
        Relay::address()
    );
    let mut script = Script::new(&text);
    script.relay = Some(relay);
    let ran = script.run(&stage, "a").await;
    // The program in the background does not keep the container, nor its output.
    assert_eq!(ran.ended, ProcessEnd::Exited { code: 5, out_of_memory: false });
    assert!(ran.log.starts_with("reached 0 300010\nreached 1 300010\nlo\n"), "{}", ran.log);
    assert_eq!(ran.log.matches("Read-only file system").count(), 3, "{}", ran.log);
    answering.join().unwrap();
}
