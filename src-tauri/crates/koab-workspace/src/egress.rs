//! The offline switch and the log of requests to other computers, for user interfaces.
//!
//! `koab_engine::egress` implements the gate, which allows or refuses each request to another
//! computer. `koab_store::egress_log` implements the log and the switch's file. This module
//! connects the workspace to both. It makes no decisions about single requests.

mod gate;
mod since;
mod wire;

pub(crate) use gate::gate_of;
pub use koab_engine::egress::Permit;
pub use wire::{EgressCleared, EgressRow, EgressView, OfflineForced, OfflineView};

use crate::{ErrorCode, WireError, Workspace};
use koab_core::say;
use koab_engine::egress::{self, Gate, Offline, OfflineReason, Purpose};
use koab_store::EgressLine;
use std::collections::BTreeMap;

impl From<Offline> for WireError {
    fn from(offline: Offline) -> Self {
        Self::new(ErrorCode::Offline, offline)
    }
}

impl Workspace {
    /// Gate that every request of this workspace passes.
    pub fn gate(&self) -> &Gate {
        &self.inner.gate
    }

    /// Sets this workspace offline in this process regardless of its switch, as `--offline` does.
    pub fn force_offline(&self) {
        self.gate().force(Some(OfflineReason::Option));
    }

    /// Offline state of koab, with its reason.
    pub fn offline(&self) -> OfflineView {
        let switch_on = egress::WorkspaceSwitch::is_offline(&*self.inner.egress);
        let (on, forced) = match self.gate().offline() {
            None => (false, None),
            Some(OfflineReason::Setting) => (true, None),
            Some(OfflineReason::Option) => (true, Some(OfflineForced::Option)),
            Some(OfflineReason::Environment) => (true, Some(OfflineForced::Environment)),
        };
        OfflineView { on, kept: switch_on, forced }
    }

    /// Sets the workspace's offline switch for all its processes. Requests in flight end at once,
    /// in other processes within a second.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn offline_set(&self, on: bool) -> Result<OfflineView, WireError> {
        self.inner.egress.set_offline(on).map_err(WireError::from)?;
        self.gate().turned();
        Ok(self.offline())
    }

    /// Requests to other computers since a time, newest first. Requests in one minute to one host
    /// for one purpose form one row.
    ///
    /// `since` is a date (`2026-11-21`), a time (`2026-11-21T09:00:00Z`) or a duration before now
    /// (`30m`, `24h`, `7d`).
    ///
    /// # Errors
    /// When the time is not valid, or the disk refuses.
    pub fn egress_view(&self, since: Option<&str>, most: usize) -> Result<EgressView, WireError> {
        let since = since.map(since::read).transpose()?;
        let log = &self.inner.egress;
        let entries = log.read(since.as_deref())?;
        let requests = entries.lines.len() as u64;
        let refused_count = entries.lines.iter().filter(|line| !line.allowed).count() as u64;
        let since = since.or_else(|| entries.lines.first().map(|line| line.at.clone()));
        let mut rows = rows(&entries.lines);
        let all = rows.len();
        rows.truncate(most);
        Ok(EgressView {
            requests,
            refused: refused_count,
            since,
            left_out: (all - rows.len()) as u64,
            rows,
            unreadable: entries.unreadable,
            unwritten: log.unwritten(),
            folder: log.folder().display().to_string(),
        })
    }

    /// Deletes the log and returns the number of its requests.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn egress_clear(&self) -> Result<EgressCleared, WireError> {
        let removed = self.inner.egress.clear()?;
        Ok(EgressCleared { requests: removed as u64 })
    }

    /// Checks that a link may be opened in the user's browser, and logs the opening like a request
    /// of koab.
    ///
    /// # Errors
    /// When koab is offline, or the address has no host.
    pub fn link_opening(&self, address: &str) -> Result<(), WireError> {
        self.permit(address, Purpose::Link).map(drop)
    }

    /// Permits one request of the updater and logs it. The updater sends the request itself.
    ///
    /// # Errors
    /// When koab is offline, or the address has no host.
    pub fn update_asking(&self, address: &str) -> Result<Permit, WireError> {
        self.permit(address, Purpose::Update)
    }

    fn permit(&self, address: &str, purpose: Purpose) -> Result<Permit, WireError> {
        let host = egress::host_of(address)
            .ok_or_else(|| WireError::bad_request(say!("{address} is not an address of a page")))?;
        Ok(self.gate().permit(host, purpose)?)
    }
}

/// Groups lines into rows, newest first.
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
        // Several processes write at once, so lines may be slightly out of order.
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
mod two_workspaces;

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
