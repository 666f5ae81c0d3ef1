//! Two workspaces that are open in one process.

use super::*;
use crate::Settings;
use crate::settings::ProxyMode;
use koab_providers::download::{DownloadError, fetch};
use tempfile::TempDir;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;

/// Address of a proxy on this computer that answers every request with its name.
async fn proxy(name: &'static str) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let address = format!("http://{}", listener.local_addr().expect("an address"));
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let _ = stream.read(&mut [0; 4096]).await;
            let answer = format!(
                "HTTP/1.1 200 OK\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{name}",
                name.len()
            );
            let _ = stream.write_all(answer.as_bytes()).await;
        }
    });
    address
}

/// A workspace whose requests go through the proxy of this name.
async fn behind_proxy(name: &'static str) -> (TempDir, Workspace) {
    let folder = tempfile::tempdir().expect("a folder");
    let workspace = Workspace::open(Some(folder.path().to_owned())).expect("opened");
    let settings = workspace.settings().expect("settings");
    let proxy_address = proxy(name).await;
    let settings = Settings { proxy: ProxyMode::Address, proxy_address, ..settings };
    workspace.settings_set(settings).expect("stored");
    (folder, workspace)
}

/// Answer to a request of the workspace to another computer.
async fn answer(workspace: &Workspace) -> Result<String, OfflineReason> {
    let network = workspace.network().expect("settings");
    match fetch(&network, "http://index.invalid/", 100, Purpose::Benchmark).await {
        Ok(bytes) => Ok(String::from_utf8(bytes).expect("a name")),
        Err(DownloadError::Offline(offline)) => Err(offline.because),
        Err(other) => panic!("{other}"),
    }
}

#[tokio::test]
async fn each_of_two_workspaces_has_its_own_switch_log_and_proxy() {
    let (_first_folder, first) = behind_proxy("first").await;
    let (_second_folder, second) = behind_proxy("second").await;
    assert_eq!(answer(&first).await.as_deref(), Ok("first"));
    assert_eq!(answer(&second).await.as_deref(), Ok("second"));

    first.offline_set(true).expect("stored");
    assert_eq!(answer(&first).await, Err(OfflineReason::Setting));
    assert_eq!(answer(&second).await.as_deref(), Ok("second"));
    assert!(first.offline().on && !second.offline().on);

    first.offline_set(false).expect("stored");
    second.force_offline();
    assert_eq!(answer(&first).await.as_deref(), Ok("first"));
    assert_eq!(answer(&second).await, Err(OfflineReason::Option));
    assert!(second.link_opening("https://page.invalid/").is_err());
    first.link_opening("https://page.invalid/").expect("online");

    let count = |workspace: &Workspace| {
        let view = workspace.egress_view(None, 10).expect("a log");
        (view.requests, view.refused)
    };
    assert_eq!(count(&first), (4, 1));
    assert_eq!(count(&second), (4, 2));
}

#[tokio::test]
async fn a_wait_ends_with_the_switch_of_its_own_workspace() {
    let (_first_folder, first) = behind_proxy("first").await;
    let (_second_folder, second) = behind_proxy("second").await;
    let wait = |workspace: &Workspace| {
        let permit = workspace.update_asking("https://update.invalid/").expect("online");
        tokio::spawn(async move { permit.while_online(std::future::pending::<()>()).await })
    };
    let (ends, continues) = (wait(&first), wait(&second));
    first.offline_set(true).expect("stored");
    assert!(ends.await.expect("a wait").is_err());
    assert!(!continues.is_finished());
    continues.abort();
}
