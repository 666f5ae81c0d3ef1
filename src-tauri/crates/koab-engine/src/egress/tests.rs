//! The gate is the process's, so one test goes through all of it.

use super::*;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

#[derive(Default)]
struct Page {
    offline: AtomicBool,
    lines: Mutex<Vec<(String, Purpose, bool)>>,
}

impl WorkspaceSwitch for Page {
    fn is_offline(&self) -> bool {
        self.offline.load(Ordering::Relaxed)
    }

    fn note(&self, host: &str, purpose: Purpose, allowed: bool) {
        let line = (host.to_owned(), purpose, allowed);
        self.lines.lock().unwrap().push(line);
    }
}

#[derive(Debug, thiserror::Error)]
#[error("wrapped")]
struct Wrapped(#[source] Offline);

#[tokio::test]
async fn the_gate_lets_out_refuses_and_writes_down() {
    let page = Arc::new(Page::default());
    set_workspace(Arc::clone(&page) as Arc<dyn WorkspaceSwitch>);
    let out = permit("api.example.com", Purpose::Model).unwrap();
    assert_eq!(out.while_online(async { 1 }).await, Ok(1));

    // Somebody waits for an answer when the switch is turned, and waits no longer.
    let (turn, waits) = tokio::join!(
        async {
            page.offline.store(true, Ordering::Relaxed);
            turned();
        },
        out.while_online(std::future::pending::<()>()),
    );
    let () = turn;
    let offline = waits.unwrap_err();
    assert_eq!(
        offline.to_string(),
        "the model needs api.example.com, but koab is offline; switch offline off in the settings or with `koab offline off` to allow the request"
    );
    assert_eq!(refusal(&Wrapped(offline.clone())), Some(offline));
    assert_eq!(refusal(&std::fmt::Error), None);

    // This computer is never another one.
    let here = permit("127.0.0.1:8000", Purpose::Judge).unwrap();
    assert_eq!(here.while_online(async { 2 }).await, Ok(2));

    force(Some(OfflineReason::Option));
    page.offline.store(false, Ordering::Relaxed);
    assert_eq!(permit("hub.example", Purpose::Weights).unwrap_err().because, OfflineReason::Option);
    force(None);
    assert_eq!(offline_now(), None);
    let lines = page.lines.lock().unwrap().clone();
    assert_eq!(
        lines,
        [
            ("api.example.com".to_owned(), Purpose::Model, true),
            ("hub.example".to_owned(), Purpose::Weights, false),
        ]
    );
}

fn offline_now() -> Option<OfflineReason> {
    super::offline()
}
