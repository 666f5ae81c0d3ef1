//! The recording of the window: begun from a form, followed while it goes on, ended, and its sessions made tasks.

use crate::mcp::{call, can_serve, result_of, server, session_with};
use crate::support::Koab;
use crate::support::wait::until;
use koab_api::{Api, RecordingPhase, RecordingRequest, RecordingServer, RecordingView};
use std::sync::Arc;
use std::time::Duration;
use tokio::runtime::Runtime;

/// A workspace as the window has it.
struct Window {
    koab: Koab,
    api: Api,
    runtime: Runtime,
}

impl Window {
    fn new() -> Self {
        let koab = Koab::new();
        Self {
            api: Api::open(Some(koab.path().to_owned())).expect("opened"),
            runtime: Runtime::new().expect("a runtime"),
            koab,
        }
    }

    fn now(&self) -> RecordingView {
        let mut all = self.api.recorder.recordings().expect("told");
        all.pop().expect("one")
    }

    /// What a row of the page's table answers.
    fn ask(&self, command: &str, args: serde_json::Value) -> Result<serde_json::Value, koab_api::WireError> {
        let nobody = Arc::new(koab_api::Nobody);
        let answer = self.runtime.block_on(self.api.call(command, args, nobody))?;
        Ok(serde_json::from_str(&answer).expect("JSON"))
    }

    fn start(&self, request: &RecordingRequest) -> Result<(), koab_api::WireError> {
        let request = serde_json::to_value(request).expect("JSON");
        self.ask("recording_start", serde_json::json!({ "request": request }))?;
        Ok(())
    }

    /// Waits until the recording is so far.
    fn until(&self, is: impl Fn(&RecordingView) -> bool) -> RecordingView {
        for _ in 0..600 {
            let now = self.now();
            if is(&now) {
                return now;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        crate::mcp::panic_with(&format!("never so far: {:?}", self.now()))
    }

    /// A client on standard streams, as the page tells it to come.
    fn client(&self, url: &str, lines: &[String]) -> crate::support::Ran {
        session_with(&self.koab, &["agents", "bridge"], lines, &[("KOAB_MCP_URL", url)])
    }
}

fn request(line: &str) -> RecordingRequest {
    RecordingRequest {
        name: "kept".to_owned(),
        server: RecordingServer::Command { line: line.to_owned() },
        env: Vec::new(),
        mask: false,
        work: None,
    }
}

fn line(mode: &str) -> String {
    server(mode).iter().map(|word| format!("'{word}' ")).collect()
}

#[test]
fn a_recording_is_begun_followed_and_kept_and_its_sessions_become_tasks() {
    if !can_serve("a_recording_is_begun_followed_and_kept_and_its_sessions_become_tasks") {
        return;
    }
    let window = Window::new();
    assert!(window.api.recorder.recordings().expect("none").is_empty());
    window.start(&request(&line("plain"))).expect("begun");
    let busy = window.start(&request(&line("plain"))).expect_err("one at a time");
    assert_eq!(busy.message, "a server is being recorded already; stop that recording first");
    let listening = window.until(|now| now.phase == RecordingPhase::Listening);
    assert_eq!((listening.server.as_deref(), listening.tools), (Some("Server of the tests 1"), 8));
    let url = listening.url.expect("an address");
    let live = window.client(
        &url,
        &[call(1, "echo", r#"{"text":"한글"}"#), call(2, "nothing", "{}"), call(3, "environment", "{}")],
    );
    assert!(result_of(&live, 1).contains("\\ud55c"), "{}", live.stdout);
    window.ask("recording_session", serde_json::json!({})).expect("begun");
    window.client(&url, &[call(1, "add", r#"{"a":2,"b":3}"#)]);
    let now = window.until(|now| now.calls == 3);
    let shown: Vec<_> = now
        .last
        .iter()
        .map(|call| (call.tool.as_str(), call.session, format!("{:?}", call.outcome)))
        .collect();
    // The newest first; calls of one client come at once, so those of the first session stand in any order.
    assert_eq!(shown[0], ("add", Some(2), "Answered".to_owned()));
    assert!(shown.contains(&("nothing", Some(1), "Failed".to_owned())), "{shown:?}");
    // An answer that shows the environment is said at once, and nothing of it is shown.
    assert!(shown.contains(&("environment", None, "LeftOut".to_owned())), "{shown:?}");
    assert_eq!(now.left_out, 1);
    assert!(now.remarks[0].to_string().contains("it shows environment variables"), "{:?}", now.remarks);
    let path = std::env::var("PATH").expect("set");
    let wire = serde_json::to_string(&now).expect("JSON");
    assert!(!wire.contains(&path), "the environment never reaches the page");
    let over = window.ask("recording_stop", serde_json::json!({})).expect("ended");
    assert_eq!(over["phase"], "over");
    let kept = &over["kept"];
    assert_eq!((&kept["tools"], &kept["calls"], &kept["sessions"]), (&8.into(), &3.into(), &2.into()));
    assert!(kept["failed"].is_null(), "{kept}");
    let gone = window.client(&url, &[call(1, "notes", "{}")]);
    assert!(gone.stdout.contains("-32603"), "nobody listens any more: {}", gone.stdout);
    let draft = window.ask("recording_tasks", serde_json::json!({ "pack": "kept" })).expect("begun");
    assert_eq!((&draft["name"], &draft["tasks"]), (&"kept".into(), &2.into()));
    let again =
        window.ask("recording_tasks", serde_json::json!({ "pack": "kept" })).expect_err("there is one");
    assert!(again.message.to_string().contains("kept"), "{again}");
    let replayed = crate::mcp::session(
        &window.koab,
        &["pack", "replay", "kept"],
        &[call(1, "echo", r#"{"text":"한글"}"#)],
    );
    assert_eq!(result_of(&replayed, 1), result_of(&live, 1));
}

#[test]
fn what_goes_wrong_with_a_recording_is_one_sentence_with_what_to_do() {
    if !can_serve("what_goes_wrong_with_a_recording_is_one_sentence_with_what_to_do") {
        return;
    }
    let window = Window::new();
    let refused =
        |request: &RecordingRequest| window.start(request).expect_err("refused").message.to_string();
    assert_eq!(refused(&request("python3 'half")), "the command has a quote that is not closed; close it");
    assert_eq!(refused(&request("  ")), "there is no command; write the server's");
    let unset = RecordingRequest { env: vec!["KOAB_NEVER_SET".to_owned()], ..request("true") };
    assert_eq!(
        refused(&unset),
        "the environment variable KOAB_NEVER_SET is not set; set it, or leave it out"
    );
    assert!(window.api.recorder.recordings().expect("none").is_empty());
    let failed = |line: &str| {
        window.start(&request(line)).expect("begun");
        let over = window.until(|now| now.phase == RecordingPhase::Over);
        over.error.expect("why").message.to_string()
    };
    assert_eq!(
        failed("no-such-program --flag"),
        "there is no program no-such-program; install it, or give its full path"
    );
    assert_eq!(
        failed("true"),
        "the server does not answer: true ended; run its command in a terminal to see what it lacks"
    );
    // One that dies ends its recording, which is whole up to there.
    window.start(&request(&line("plain"))).expect("begun");
    let url = window.until(|now| now.phase == RecordingPhase::Listening).url.expect("an address");
    window.client(&url, &[call(1, "echo", r#"{"text":"x"}"#)]);
    let died = window.client(&url, &[call(2, "die", "{}")]);
    assert!(died.stdout.contains("the disk is on fire"), "whoever waits hears why: {}", died.stdout);
    let over = window.until(|now| now.phase == RecordingPhase::Over);
    let kept = over.kept.expect("kept");
    assert_eq!(kept.calls, 1);
    let why = kept.failed.expect("why").to_string();
    assert!(why.contains("python3 ended; its last output: the disk is on fire"), "{why}");
}

/// One that never answers is let go of at once, with all that it started.
#[test]
fn a_server_that_is_still_starting_can_be_let_go_of() {
    let window = Window::new();
    let mark = window.koab.path().join("alive").display().to_string();
    window.start(&request(&format!("sh -c 'sleep 3600 & echo $! > {mark}; wait'"))).expect("begun");
    let started = || std::fs::read_to_string(&mark).unwrap_or_default();
    until("the server starts", Duration::from_secs(60), || !started().trim().is_empty());
    let over = window.ask("recording_stop", serde_json::json!({})).expect("ended");
    assert_eq!(over["error"]["code"], "cancelled", "{over}");
    let alive = || {
        let status = std::fs::read_to_string(format!("/proc/{}/stat", started().trim()));
        status.is_ok_and(|status| !status.contains(") Z "))
    };
    // The system takes a moment to end what was killed.
    until("what the server started ends", Duration::from_secs(60), || !alive());
}
