//! The offline switch and the log of what has left this computer, as the faces show them.
//!
//! The gate itself is `koab_engine::egress`, the log's lines and the switch's file are
//! `koab_store::egress_log`. Here the workspace is put behind the one and in front of the other;
//! nothing is decided about single requests.

mod gate;
mod since;
mod wire;

pub(crate) use gate::set_workspace;
pub use koab_engine::egress::Permit;
pub use wire::{EgressCleared, EgressRow, EgressView, OfflineForced, OfflineView};

use crate::{ErrorCode, WireError, Workspace};
use koab_core::say;
use koab_engine::egress::{self, Offline, OfflineReason, Purpose};
use koab_store::EgressLine;
use std::collections::BTreeMap;

/// Puts this process offline whatever the workspace says, as `--offline` does.
pub fn force_offline() {
    egress::force(Some(OfflineReason::Option));
}

impl From<Offline> for WireError {
    fn from(offline: Offline) -> Self {
        Self::new(ErrorCode::Offline, offline)
    }
}

impl Workspace {
    /// Whether koab is offline, and what makes it so.
    pub fn offline(&self) -> OfflineView {
        let kept = egress::WorkspaceSwitch::is_offline(&*self.inner.egress);
        let (on, forced) = match egress::offline() {
            None => (false, None),
            Some(OfflineReason::Setting) => (true, None),
            Some(OfflineReason::Option) => (true, Some(OfflineForced::Option)),
            Some(OfflineReason::Environment) => (true, Some(OfflineForced::Environment)),
        };
        OfflineView { on, kept, forced }
    }

    /// Turns the workspace's switch, for all processes that work in it: requests in flight end at
    /// once, in other processes within a second.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn offline_set(&self, on: bool) -> Result<OfflineView, WireError> {
        self.inner.egress.set_offline(on).map_err(WireError::from)?;
        egress::turned();
        Ok(self.offline())
    }

    /// What has left this computer since a time, the newest first: requests of one minute to one
    /// host for one purpose are one row. `since` is a date (`2026-11-21`), a time
    /// (`2026-11-21T09:00:00Z`) or how long ago (`30m`, `24h`, `7d`).
    ///
    /// # Errors
    /// When the time cannot be read, or the disk refuses.
    pub fn egress_view(&self, since: Option<&str>, most: usize) -> Result<EgressView, WireError> {
        let since = since.map(since::read).transpose()?;
        let log = &self.inner.egress;
        let found = log.read(since.as_deref())?;
        let requests = found.lines.len() as u64;
        let refused = found.lines.iter().filter(|line| !line.allowed).count() as u64;
        let since = since.or_else(|| found.lines.first().map(|line| line.at.clone()));
        let mut rows = rows(&found.lines);
        let all = rows.len();
        rows.truncate(most);
        Ok(EgressView {
            requests,
            refused,
            since,
            left_out: (all - rows.len()) as u64,
            rows,
            unreadable: found.unreadable,
            unwritten: log.unwritten(),
            folder: log.folder().display().to_string(),
        })
    }

    /// Removes the log, and says how many requests were in it.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn egress_clear(&self) -> Result<EgressCleared, WireError> {
        let removed = self.inner.egress.clear()?;
        Ok(EgressCleared { requests: removed as u64 })
    }

    /// Leave to open a link in the user's browser, which is written down like a request of our own.
    ///
    /// # Errors
    /// When koab is offline, or the address names no host.
    pub fn link_opening(&self, address: &str) -> Result<(), WireError> {
        permit(address, Purpose::Link).map(drop)
    }

    /// Leave for one request of the updater, which sends by itself.
    ///
    /// # Errors
    /// When koab is offline, or the address names no host.
    pub fn update_asking(&self, address: &str) -> Result<Permit, WireError> {
        permit(address, Purpose::Update)
    }
}

fn permit(address: &str, purpose: Purpose) -> Result<Permit, WireError> {
    let host = egress::host_of(address)
        .ok_or_else(|| WireError::bad_request(say!("{address} is not an address of a page")))?;
    Ok(egress::permit(host, purpose)?)
}

/// Lines as rows, the newest first.
fn rows(lines: &[EgressLine]) -> Vec<EgressRow> {
    // Up to the minute: `2026-11-21T09:30`.
    let minute = |line: &EgressLine| line.at.get(..16).unwrap_or(&line.at).to_owned();
    let mut rows: BTreeMap<(String, &str, Purpose), EgressRow> = BTreeMap::new();
    for line in lines {
        let row = rows.entry((minute(line), &line.host, line.purpose)).or_insert_with(|| EgressRow {
            from: line.at.clone(),
            to: line.at.clone(),
            host: line.host.clone(),
            purpose: line.purpose,
            requests: 0,
            refused: 0,
        });
        row.requests += 1;
        row.refused += u64::from(!line.allowed);
        // Several processes write side by side, so a line may stand a little before its time.
        if line.at < row.from {
            row.from.clone_from(&line.at);
        }
        if line.at > row.to {
            row.to.clone_from(&line.at);
        }
    }
    let mut rows: Vec<EgressRow> = rows.into_values().collect();
    rows.sort_by(|a, b| b.to.cmp(&a.to));
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_minute_of_one_host_and_purpose_is_one_row() {
        let line = |at: &str, host: &str, purpose, allowed| EgressLine {
            at: format!("2026-11-21T09:{at}.000Z"),
            host: host.to_owned(),
            purpose,
            allowed,
        };
        let lines = [
            line("30:01", "a.example", Purpose::Model, true),
            line("30:59", "a.example", Purpose::Model, false),
            line("30:05", "a.example", Purpose::Judge, true),
            line("31:00", "a.example", Purpose::Model, true),
            line("30:30", "b.example:81", Purpose::Model, true),
        ];
        let told: Vec<String> = rows(&lines)
            .iter()
            .map(|row| {
                let (from, to) = (&row.from[14..19], &row.to[14..19]);
                format!("{from}-{to} {} {:?} {}/{}", row.host, row.purpose, row.refused, row.requests)
            })
            .collect();
        insta::assert_snapshot!(told.join("\n"), @r"
        31:00-31:00 a.example Model 0/1
        30:01-30:59 a.example Model 1/2
        30:30-30:30 b.example:81 Model 0/1
        30:05-30:05 a.example Judge 0/1
        ");
    }

    #[test]
    fn the_switch_is_kept_and_told_with_the_settings() {
        let folder = tempfile::tempdir().unwrap();
        let open = || Workspace::open(Some(folder.path().to_owned())).unwrap();
        assert!(!open().offline().kept);
        open().offline_set(true).unwrap();
        assert!(open().settings_get().unwrap().offline.kept);
        assert!(!open().offline_set(false).unwrap().kept);
    }
}
