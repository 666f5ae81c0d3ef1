//! Log of all requests to other computers, and the switch that keeps a workspace offline.
//!
//! A line has the time, the host, the purpose, and whether the request was allowed; never a path, a
//! query or a key.
//!
//! The line is appended with one write before its request is sent. So several processes can write
//! side by side, and a killed process leaves no request out. The log is two files of at most
//! [`MAX_FILE_BYTES`] bytes. When the newer is full it replaces the older.
//!
//! The switch is a file: while it exists, the workspace is offline. All processes of the workspace
//! check it before every request, even when the database cannot be opened.

use crate::error::{Error, Result};
use koab_engine::egress::{Purpose, WorkspaceSwitch};
use koab_engine::files::if_there;
use serde::{Deserialize, Serialize};
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// Maximum size of one log file: some forty thousand lines, a hundred whole runs.
pub const MAX_FILE_BYTES: u64 = 4 << 20;

const NEWEST: &str = "egress.jsonl";
const OLDER: &str = "egress.older.jsonl";
const LOCK: &str = ".lock";

/// Name of the switch file in the workspace's folder.
const SWITCH_FILE: &str = "offline";
const SWITCH_TEXT: &str = "Ko-AgentBench Desktop asks no other computer for anything while this file is here.\n\
                           `koab offline off` or the settings remove it.\n";

/// Log line of a request to another computer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EgressLine {
    /// Time just before the request was sent, `2026-11-21T09:30:00.000Z`. Always UTC and of this
    /// width, so times compare as texts.
    pub at: String,
    /// Host, with its port when it is not the default one.
    pub host: String,
    /// Purpose of the request.
    pub purpose: Purpose,
    /// Whether the request was allowed, or refused because koab was offline.
    pub allowed: bool,
}

/// Content of the log.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EgressLines {
    /// Lines in the order of writing.
    pub lines: Vec<EgressLine>,
    /// Number of unreadable lines, such as one that a full disk cut off.
    pub unreadable: u64,
}

/// Egress log and offline switch of one workspace.
#[derive(Debug)]
pub struct EgressLog {
    folder: PathBuf,
    switch: PathBuf,
    most: u64,
    unwritten: AtomicU64,
}

impl EgressLog {
    /// Log and switch in a workspace's folder. No file is created before the first line.
    pub fn in_home(home: &Path) -> Self {
        Self {
            folder: home.join("egress"),
            switch: home.join(SWITCH_FILE),
            most: MAX_FILE_BYTES,
            unwritten: AtomicU64::new(0),
        }
    }

    /// Sets another maximum size of a file, in bytes.
    #[cfg(test)]
    fn with_room(self, most: u64) -> Self {
        Self { most, ..self }
    }

    /// The folder that holds the log.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Number of lines that this process could not write, for example because the disk was full.
    pub fn unwritten(&self) -> u64 {
        self.unwritten.load(Ordering::Relaxed)
    }

    /// Switches the workspace offline or back online.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn set_offline(&self, on: bool) -> Result<()> {
        let turned = if on {
            self.switch
                .parent()
                .map_or(Ok(()), fs::create_dir_all)
                .and_then(|()| fs::write(&self.switch, SWITCH_TEXT))
        } else {
            gone(fs::remove_file(&self.switch))
        };
        turned.map_err(|error| Error::io("write", &self.switch, &error))
    }

    /// Lines since a time, which has the format of [`EgressLine::at`]. Without a time, all lines.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn read(&self, since: Option<&str>) -> Result<EgressLines> {
        let mut log = EgressLines::default();
        for name in [OLDER, NEWEST] {
            let path = self.folder.join(name);
            let bytes = if_there(fs::read(&path)).map_err(|error| Error::io("read", &path, &error))?;
            let bytes = bytes.unwrap_or_default();
            let text = String::from_utf8_lossy(&bytes);
            for line in text.lines().filter(|line| !line.is_empty()) {
                match serde_json::from_str::<EgressLine>(line) {
                    Ok(line) if since.is_none_or(|since| *line.at >= *since) => log.lines.push(line),
                    Ok(_) => {}
                    Err(_) => log.unreadable += 1,
                }
            }
        }
        Ok(log)
    }

    /// Removes all lines and returns their number.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn clear(&self) -> Result<usize> {
        if !self.folder.exists() {
            return Ok(0);
        }
        let failed = |error: io::Error| Error::io("remove", &self.folder, &error);
        // Writers wait for this lock, so no line is lost in between.
        let _alone = self.locked(File::lock).map_err(failed)?;
        let lines = self.read(None)?.lines.len();
        for name in [OLDER, NEWEST] {
            gone(fs::remove_file(self.folder.join(name))).map_err(failed)?;
        }
        Ok(lines)
    }

    fn append(&self, line: &EgressLine) -> io::Result<()> {
        // The leading line break ends a line that was cut off, so that it does not spoil this one.
        let text = format!("\n{}\n", serde_json::to_string(line)?);
        let path = self.folder.join(NEWEST);
        let size = self.locked(File::lock_shared).and_then(|_shared| {
            let mut file = OpenOptions::new().create(true).append(true).open(&path)?;
            file.write_all(text.as_bytes())?;
            Ok(file.metadata()?.len())
        });
        match size {
            Ok(bytes) if bytes > self.most => self.make_room(),
            Ok(_) => Ok(()),
            Err(error) if error.kind() == io::ErrorKind::NotFound && !self.folder.exists() => {
                fs::create_dir_all(&self.folder)?;
                self.append(line)
            }
            Err(error) => Err(error),
        }
    }

    /// Renames the newest file to the older one if it is full. Does nothing while another process
    /// holds the lock of the log; the next line tries again.
    fn make_room(&self) -> io::Result<()> {
        let alone = OpenOptions::new().create(true).append(true).open(self.folder.join(LOCK))?;
        if matches!(alone.try_lock(), Err(TryLockError::WouldBlock)) {
            return Ok(());
        }
        let newest = self.folder.join(NEWEST);
        if fs::metadata(&newest).is_ok_and(|now| now.len() > self.most) {
            fs::rename(&newest, self.folder.join(OLDER))?;
        }
        Ok(())
    }

    fn locked(&self, how: impl Fn(&File) -> io::Result<()>) -> io::Result<File> {
        let file = OpenOptions::new().create(true).append(true).open(self.folder.join(LOCK))?;
        match how(&file) {
            // Some network drives have no locks. Appending is still atomic there.
            Err(error) if error.kind() != io::ErrorKind::Unsupported => Err(error),
            _ => Ok(file),
        }
    }
}

impl WorkspaceSwitch for EgressLog {
    fn is_offline(&self) -> bool {
        self.switch.exists()
    }

    fn note(&self, host: &str, purpose: Purpose, allowed: bool) {
        let line = EgressLine {
            at: jiff::Timestamp::now().strftime("%Y-%m-%dT%H:%M:%S%.3fZ").to_string(),
            host: host.to_owned(),
            purpose,
            allowed,
        };
        if self.append(&line).is_err() {
            self.unwritten.fetch_add(1, Ordering::Relaxed);
        }
    }
}

/// Treats a file that is already missing as removed.
fn gone(removed: io::Result<()>) -> io::Result<()> {
    match removed {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    #[test]
    fn many_writers_lose_and_tear_no_line() {
        let home = tempfile::tempdir().unwrap();
        let threads: Vec<_> = (0..4)
            .map(|writer| {
                // Each as a process of its own would have it.
                let log = EgressLog::in_home(home.path());
                std::thread::spawn(move || {
                    for n in 0..100 {
                        log.note(&format!("h{writer}-{n}.example"), Purpose::Model, n % 2 == 0);
                    }
                    assert_eq!(log.unwritten(), 0);
                })
            })
            .collect();
        threads.into_iter().for_each(|thread| thread.join().unwrap());
        let found = EgressLog::in_home(home.path()).read(None).unwrap();
        assert_eq!((found.lines.len(), found.unreadable), (400, 0));
        let mut hosts: Vec<&str> = found.lines.iter().map(|line| line.host.as_str()).collect();
        hosts.sort_unstable();
        hosts.dedup();
        assert_eq!(hosts.len(), 400);
        assert_eq!(found.lines.iter().filter(|line| line.allowed).count(), 200);
    }

    #[test]
    fn the_log_keeps_its_bounds_and_its_newest_lines() {
        let home = tempfile::tempdir().unwrap();
        let log = EgressLog::in_home(home.path()).with_room(1000);
        for n in 0..200 {
            log.note(&format!("h{n}.example"), Purpose::Pack, true);
        }
        let found = log.read(None).unwrap();
        assert!((10..40).contains(&found.lines.len()), "{}", found.lines.len());
        assert_eq!(found.lines.last().unwrap().host, "h199.example");
        let bytes: u64 = [OLDER, NEWEST]
            .iter()
            .map(|name| fs::metadata(log.folder().join(name)).map_or(0, |file| file.len()))
            .sum();
        assert!(bytes < 2 * 1000 + 400, "{bytes}");
        assert_eq!(log.clear().unwrap(), found.lines.len());
        assert_eq!(log.read(None).unwrap(), EgressLines::default());
    }

    #[test]
    fn a_line_that_was_cut_off_costs_no_other() {
        let home = tempfile::tempdir().unwrap();
        let log = EgressLog::in_home(home.path());
        log.note("first.example", Purpose::Judge, true);
        let mut file = OpenOptions::new().append(true).open(log.folder().join(NEWEST)).unwrap();
        file.write_all(b"\n{\"at\":\"2026-").unwrap();
        log.note("second.example", Purpose::Judge, false);
        let found = log.read(None).unwrap();
        let hosts: Vec<&str> = found.lines.iter().map(|line| line.host.as_str()).collect();
        assert_eq!((hosts, found.unreadable), (vec!["first.example", "second.example"], 1));
        let since = found.lines[1].at.clone();
        assert!(log.read(Some(&since)).unwrap().lines.iter().all(|line| line.at >= since));
        assert!(log.read(Some("9999")).unwrap().lines.is_empty());
    }

    #[test]
    fn the_switch_is_one_for_all_who_look() {
        let home = tempfile::tempdir().unwrap();
        let (one, other) = (EgressLog::in_home(home.path()), Arc::new(EgressLog::in_home(home.path())));
        assert!(!other.is_offline());
        one.set_offline(true).unwrap();
        one.set_offline(true).unwrap();
        assert!(other.is_offline());
        one.set_offline(false).unwrap();
        one.set_offline(false).unwrap();
        assert!(!other.is_offline());
    }
}
