//! Requests of the window's updater at the gate. A file of its own, since the gate is the process's.
#![allow(clippy::unwrap_used, reason = "these are tests")]

use koab_engine::egress::Purpose;
use koab_workspace::{ErrorCode, Workspace};

#[test]
fn the_updater_asks_nobody_while_offline_and_leaves_a_line_each_time() {
    let folder = tempfile::tempdir().unwrap();
    let workspace = Workspace::open(Some(folder.path().to_owned())).unwrap();
    let ask = || workspace.update_asking("https://updates.example/releases/latest.json?a=b");
    workspace.offline_set(true).unwrap();
    let refused = ask().unwrap_err();
    assert_eq!(refused.code, ErrorCode::Offline);
    assert!(
        refused.message.to_string().starts_with("the update needs updates.example, but koab is offline"),
        "{refused}"
    );
    workspace.offline_set(false).unwrap();
    ask().unwrap();
    let log = workspace.egress_view(None, 9).unwrap();
    assert_eq!((log.requests, log.refused), (2, 1));
    assert!(
        log.rows.iter().all(|row| row.host == "updates.example" && row.purpose == Purpose::Update),
        "{:?}",
        log.rows
    );
    // What stays on this computer leaves no line, and an address without a host is none.
    workspace.update_asking("http://127.0.0.1:1/latest.json").unwrap();
    assert!(workspace.update_asking("latest.json").is_err());
    assert_eq!(workspace.egress_view(None, 9).unwrap().requests, 2);
}
