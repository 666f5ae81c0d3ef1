//! One workspace's gate, and two beside each other.

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
    let gate = Gate::new(Arc::clone(&page) as Arc<dyn WorkspaceSwitch>);
    let out = gate.permit("api.example.com", Purpose::Model).unwrap();
    assert_eq!(out.while_online(async { 1 }).await, Ok(1));

    // Somebody waits for an answer when the switch is turned, and waits no longer.
    let (turn, waits) = tokio::join!(
        async {
            page.offline.store(true, Ordering::Relaxed);
            gate.turned();
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
    let here = gate.permit("127.0.0.1:8000", Purpose::Judge).unwrap();
    assert_eq!(here.while_online(async { 2 }).await, Ok(2));

    gate.force(Some(OfflineReason::Option));
    page.offline.store(false, Ordering::Relaxed);
    let refused = gate.permit("hub.example", Purpose::Weights).unwrap_err();
    assert_eq!(refused.because, OfflineReason::Option);
    gate.force(None);
    assert_eq!(gate.offline(), None);
    let lines = page.lines.lock().unwrap().clone();
    assert_eq!(
        lines,
        [
            ("api.example.com".to_owned(), Purpose::Model, true),
            ("hub.example".to_owned(), Purpose::Weights, false),
        ]
    );
}

#[tokio::test]
async fn the_switch_of_one_workspace_leaves_the_requests_of_another() {
    let (first_page, second_page) = (Arc::new(Page::default()), Arc::new(Page::default()));
    let gate = |page: &Arc<Page>| Gate::new(Arc::clone(page) as Arc<dyn WorkspaceSwitch>);
    let (first, second) = (gate(&first_page), gate(&second_page));
    let (ends, continues) = (
        first.permit("a.example", Purpose::Model).unwrap(),
        second.permit("b.example", Purpose::Judge).unwrap(),
    );
    first_page.offline.store(true, Ordering::Relaxed);
    first.turned();
    assert!(ends.while_online(std::future::pending::<()>()).await.is_err());
    assert_eq!(continues.while_online(async { 1 }).await, Ok(1));
    second.force(Some(OfflineReason::Environment));
    assert_eq!(first.offline(), Some(OfflineReason::Setting));
    assert_eq!(second.offline(), Some(OfflineReason::Environment));
    let lines = |page: &Page| page.lines.lock().unwrap().clone();
    assert_eq!(lines(&first_page), [("a.example".to_owned(), Purpose::Model, true)]);
    assert_eq!(lines(&second_page), [("b.example".to_owned(), Purpose::Judge, true)]);
}
