//! Checks of this machine and workspace, each with a remedy.

use crate::{Api, EgressView, KeychainState};
use koab_core::say;
use koab_core::sentence::Sentence;
use koab_core::text;
use koab_engine::egress::Gate;
use serde::Serialize;
use std::fs;
use ts_rs::TS;

/// Result of one check.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export)]
pub struct Check {
    /// Subject of the check.
    pub what: String,
    /// Whether the subject of the check works.
    pub ok: bool,
    /// Description of what the check found.
    pub found: Sentence,
    /// Remedy if the subject does not work, otherwise empty.
    pub remedy: Sentence,
}

impl Check {
    fn new(what: &str, ok: bool, found: impl Into<Sentence>, remedy: impl Into<Sentence>) -> Self {
        let remedy = if ok { Sentence::EMPTY } else { remedy.into() };
        Self { what: what.to_owned(), ok, found: found.into(), remedy }
    }
}

impl Api {
    /// Checks everything that a run needs.
    pub async fn doctor(&self) -> Vec<Check> {
        let [keychain, keys] = self.check_keys().await;
        vec![
            self.check_home(),
            self.check_database(),
            self.check_pack(),
            self.check_cache(),
            keychain,
            keys,
            self.check_network(),
            check_containers(self.workspace.gate()).await,
            check_window(),
        ]
    }

    fn check_home(&self) -> Check {
        let home = self.workspace.home().path();
        // Only writing a file shows that the folder is writable.
        let probe = home.join(".koab-probe");
        let write = fs::create_dir_all(home).and_then(|()| fs::write(&probe, b"koab"));
        let _ = fs::remove_file(&probe);
        let finding = match &write {
            Ok(()) => say!("{} is writable", home.display()),
            Err(error) => say!("{} cannot be written: {error}", home.display()),
        };
        Check::new(
            text!("workspace"),
            write.is_ok(),
            finding,
            say!("choose another folder with --home or KOAB_HOME"),
        )
    }

    fn check_database(&self) -> Check {
        match self.workspace.store() {
            Ok(_) => Check::new(
                text!("database"),
                true,
                self.workspace.home().database().display().to_string(),
                "",
            ),
            Err(error) => Check::new(
                text!("database"),
                false,
                error.message,
                say!("move the file away; packs can be imported again"),
            ),
        }
    }

    async fn check_keys(&self) -> [Check; 2] {
        let view = match self.keys.list().await {
            Ok(view) => view,
            Err(error) => {
                return [text!("keychain"), text!("keys")]
                    .map(|what| Check::new(what, false, error.message.clone(), ""));
            }
        };
        let open = view.keychain == KeychainState::Ready;
        let present: Vec<String> =
            view.keys.into_iter().filter(|key| key.present).map(|key| key.name).collect();
        let finding = if present.is_empty() {
            say!("none set (local servers and baselines need none)")
        } else {
            present.join(", ").into()
        };
        [
            Check::new(text!("keychain"), open, view.keychain.finding(), view.keychain.remedy()),
            Check::new(text!("keys"), true, finding, ""),
        ]
    }

    /// Checks the network. If the user has set koab to offline, the check passes.
    fn check_network(&self) -> Check {
        match self.workspace.egress_view(None, 0) {
            Ok(EgressView { requests, .. }) => {
                let finding = if self.workspace.offline().on {
                    say!(
                        "offline: everything that would leave this computer is refused; {requests} requests in the log"
                    )
                } else {
                    say!("online: requests go only to servers that you named; {requests} requests in the log")
                };
                Check::new(text!("network"), true, finding, "")
            }
            Err(error) => Check::new(text!("network"), false, error.message, ""),
        }
    }

    fn check_pack(&self) -> Check {
        match self.packs.show(None) {
            Ok(pack) => {
                let tasks: u32 = pack.summary.levels.iter().map(|l| l.tasks).sum();
                let label = format!("{}@{}", pack.summary.name, pack.summary.version);
                let finding = if pack.summary.sample {
                    say!("{label}: {tasks} tasks, sample data")
                } else {
                    say!("{label}: {tasks} tasks")
                };
                Check::new(text!("active pack"), true, finding, "")
            }
            Err(error) => Check::new(text!("active pack"), false, error.message, say!("koab pack use NAME")),
        }
    }

    fn check_cache(&self) -> Check {
        let remedy = say!("import a pack with cached responses: koab pack import PATH");
        match self.packs.cache_stats() {
            Ok(stats) => {
                let (records, reachable) = stats
                    .tools
                    .iter()
                    .fold((0, 0), |(records, reachable), t| (records + t.records, reachable + t.reachable));
                let finding = say!("{records} cached responses, {reachable} calls answered");
                Check::new(text!("cached responses"), reachable > 0, finding, remedy)
            }
            Err(error) => Check::new(text!("cached responses"), false, error.message, remedy),
        }
    }
}

/// Checks the container engine. Without an engine, scenarios can still run directly on this
/// computer.
async fn check_containers(gate: &Gate) -> Check {
    let (ok, finding) = match koab_scenarios::docker::Engine::find(gate).await {
        Ok(engine) => (true, say!("{} ({})", engine.version(), engine.address())),
        Err(error) => (false, error.finding()),
    };
    Check::new(
        text!("containers"),
        ok,
        finding,
        say!("start Docker or Podman, or name its socket in DOCKER_HOST; only scenarios need it"),
    )
}

fn check_window() -> Check {
    let name = if cfg!(windows) { "koab-desktop.exe" } else { "koab-desktop" };
    let path = std::env::current_exe().ok().and_then(|exe| Some(exe.parent()?.join(name)));
    let is_installed = path.as_ref().is_some_and(|path| path.is_file());
    let finding = if is_installed {
        say!("koab-desktop is beside koab")
    } else {
        say!("koab-desktop is not beside koab")
    };
    Check::new(
        text!("window"),
        is_installed,
        finding,
        say!("build it with `cargo xtask run`, or stay on the command line"),
    )
}
