//! What works on this machine and what does not, each with its remedy.

use crate::{Api, EgressView, KeychainState};
use serde::Serialize;
use std::fs;
use ts_rs::TS;

/// One thing that was looked at.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export)]
pub struct Check {
    /// What.
    pub what: String,
    /// Whether it works.
    pub ok: bool,
    /// What was found.
    pub found: String,
    /// What to do when it does not work; empty when it does.
    pub remedy: String,
}

impl Check {
    fn new(what: &str, ok: bool, found: impl Into<String>, remedy: &str) -> Self {
        let remedy = if ok { String::new() } else { remedy.to_owned() };
        Self {
            what: what.to_owned(),
            ok,
            found: found.into(),
            remedy,
        }
    }
}

impl Api {
    /// Looks at everything that a run needs.
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
            check_containers().await,
            check_window(),
        ]
    }

    fn check_home(&self) -> Check {
        let home = self.home().path();
        // Only a file that was really written shows that one can be.
        let probe = home.join(".koab-probe");
        let written = fs::create_dir_all(home).and_then(|()| fs::write(&probe, b"koab"));
        let _ = fs::remove_file(&probe);
        let found = match &written {
            Ok(()) => format!("{} is writable", home.display()),
            Err(error) => format!("{} cannot be written: {error}", home.display()),
        };
        Check::new(
            "workspace",
            written.is_ok(),
            found,
            "choose another folder with --home or KOAB_HOME",
        )
    }

    fn check_database(&self) -> Check {
        match self.store() {
            Ok(_) => Check::new("database", true, self.home().database().display().to_string(), ""),
            Err(error) => Check::new(
                "database",
                false,
                error.message,
                "move the file away; packs can be imported again",
            ),
        }
    }

    async fn check_keys(&self) -> [Check; 2] {
        let view = match self.keys_list().await {
            Ok(view) => view,
            Err(error) => {
                return ["keychain", "keys"].map(|what| Check::new(what, false, &error.message, ""));
            }
        };
        let open = view.keychain == KeychainState::Ready;
        let present: Vec<String> = view
            .keys
            .into_iter()
            .filter(|key| key.present)
            .map(|key| key.name)
            .collect();
        let found = if present.is_empty() {
            "none set (local servers and baselines need none)".to_owned()
        } else {
            present.join(", ")
        };
        [
            Check::new("keychain", open, view.keychain.found(), view.keychain.remedy()),
            Check::new("keys", true, found, ""),
        ]
    }

    /// Offline is a choice and no fault, so it is told and counts as working.
    fn check_network(&self) -> Check {
        match self.egress_view(None, 0) {
            Ok(EgressView { requests, .. }) => {
                let found = if self.offline().on {
                    format!(
                        "offline: everything that would leave this computer is refused; {requests} requests in the log"
                    )
                } else {
                    format!(
                        "online: only what you ask for is sent, and only where you named; {requests} requests in the log"
                    )
                };
                Check::new("network", true, found, "")
            }
            Err(error) => Check::new("network", false, error.message, ""),
        }
    }

    fn check_pack(&self) -> Check {
        match self.pack_show(None) {
            Ok(pack) => {
                let tasks: u32 = pack.summary.levels.iter().map(|l| l.tasks).sum();
                let label = format!("{}@{}", pack.summary.name, pack.summary.version);
                let found = if pack.summary.sample {
                    format!("{label}: {tasks} tasks, sample data")
                } else {
                    format!("{label}: {tasks} tasks")
                };
                Check::new("active pack", true, found, "")
            }
            Err(error) => Check::new("active pack", false, error.message, "koab pack use NAME"),
        }
    }

    fn check_cache(&self) -> Check {
        let remedy = "import a pack with recorded responses: koab pack import PATH";
        match self.cache_stats() {
            Ok(stats) => {
                let (records, reachable) = stats
                    .tools
                    .iter()
                    .fold((0, 0), |(all, found), t| (all + t.records, found + t.reachable));
                let found = format!("{records} recorded responses, {reachable} calls answered");
                Check::new("recorded responses", reachable > 0, found, remedy)
            }
            Err(error) => Check::new("recorded responses", false, error.message, remedy),
        }
    }
}

/// Scenarios run in containers; without an engine they still run on this computer itself.
async fn check_containers() -> Check {
    let (ok, found) = match koab_sandbox::docker::Engine::find().await {
        Ok(engine) => (true, format!("{} ({})", engine.version(), engine.address())),
        Err(error) => (false, error.found()),
    };
    Check::new(
        "containers",
        ok,
        found,
        "start Docker or Podman, or name its socket in DOCKER_HOST; only scenarios need it",
    )
}

fn check_window() -> Check {
    let name = if cfg!(windows) {
        "koab-desktop.exe"
    } else {
        "koab-desktop"
    };
    let beside = std::env::current_exe()
        .ok()
        .and_then(|exe| Some(exe.parent()?.join(name)));
    let there = beside.as_ref().is_some_and(|path| path.is_file());
    let found = if there {
        "koab-desktop is beside koab"
    } else {
        "koab-desktop is not beside koab"
    };
    Check::new(
        "window",
        there,
        found,
        "build it with `cargo xtask run`, or stay on the command line",
    )
}
