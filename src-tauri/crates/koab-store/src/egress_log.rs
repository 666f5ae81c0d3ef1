//! What has left this computer: one line a request, and the switch that keeps a workspace offline.
//!
//! A line says when, to which host, what for, and whether it was let out; never a path, a query or
//! a key. It is appended before its request is sent, with one write of its own: several processes
//! write side by side without tearing, and one that is killed leaves nothing out. Two files of at
//! most [`MOST`] bytes each are kept, the older of which makes room.
//!
//! The switch is a file whose being there means offline. All processes of the workspace look at it
//! before every request, also where the database cannot be opened.

use crate::error::{Error, Result};
use koab_engine::egress::{Purpose, WorkspaceSwitch};
use koab_engine::files::if_there;
use serde::{Deserialize, Serialize};
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// Bytes of one file: some forty thousand lines, a hundred whole runs.
pub const MOST: u64 = 4 << 20;

const NEWEST: &str = "egress.jsonl";
const OLDER: &str = "egress.older.jsonl";
const LOCK: &str = ".lock";

/// The switch, in the workspace's folder.
const SWITCH: &str = "offline";
const SWITCH_SAYS: &str = "Ko-AgentBench Desktop asks no other computer for anything while this file is here.\n\
                           `koab offline off` or the settings remove it.\n";

/// A request to another computer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EgressLine {
    /// When it was about to be sent, `2026-11-21T09:30:00.000Z`: always UTC and of this width, so
    /// that times compare as texts.
    pub at: String,
    /// Host, with its port where that is not the usual one.
    pub host: String,
    /// What for.
    pub purpose: Purpose,
    /// Whether it was let out, or refused because koab was offline.
    pub allowed: bool,
}

/// What is in the log.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EgressLines {
    /// In the order in which they were written.
    pub lines: Vec<EgressLine>,
    /// Lines that cannot be read, such as one that a full disk cut off.
    pub unreadable: u64,
}

/// The log and the switch of one workspace.
#[derive(Debug)]
pub struct EgressLog {
    folder: PathBuf,
    switch: PathBuf,
    most: u64,
    unwritten: AtomicU64,
}

impl EgressLog {
    /// Those of a workspace's folder. Nothing is made before the first line.
    pub fn in_home(home: &Path) -> Self {
        Self {
            folder: home.join("egress"),
            switch: home.join(SWITCH),
            most: MOST,
            unwritten: AtomicU64::new(0),
        }
    }

    /// The same with other room.
    #[cfg(test)]
    fn with_room(self, most: u64) -> Self {
        Self { most, ..self }
    }

    /// The folder that holds the log.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Lines of this process that could not be written, for one because the disk was full.
    pub fn unwritten(&self) -> u64 {
        self.unwritten.load(Ordering::Relaxed)
    }

    /// Turns the switch of the workspace.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn set_offline(&self, on: bool) -> Result<()> {
        let turned = if on {
            self.switch
                .parent()
                .map_or(Ok(()), fs::create_dir_all)
                .and_then(|()| fs::write(&self.switch, SWITCH_SAYS))
        } else {
            gone(fs::remove_file(&self.switch))
        };
        turned.map_err(|error| Error::io("write", &self.switch, &error))
    }

    /// Every line since a time, which is given as lines have it; without one, every line.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn read(&self, since: Option<&str>) -> Result<EgressLines> {
        let mut found = EgressLines::default();
        for name in [OLDER, NEWEST] {
            let path = self.folder.join(name);
            let bytes = if_there(fs::read(&path)).map_err(|error| Error::io("read", &path, &error))?;
            let bytes = bytes.unwrap_or_default();
            let text = String::from_utf8_lossy(&bytes);
            for line in text.lines().filter(|line| !line.is_empty()) {
                match serde_json::from_str::<EgressLine>(line) {
                    Ok(line) if since.is_none_or(|since| *line.at >= *since) => found.lines.push(line),
                    Ok(_) => {}
                    Err(_) => found.unreadable += 1,
                }
            }
        }
        Ok(found)
    }

    /// Removes all lines and says how many there were.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn clear(&self) -> Result<usize> {
        if !self.folder.exists() {
            return Ok(0);
        }
        let refused = |error: io::Error| Error::io("remove", &self.folder, &error);
        // Whoever is about to write waits, so that no line falls between.
        let _alone = self.locked(File::lock).map_err(refused)?;
        let lines = self.read(None)?.lines.len();
        for name in [OLDER, NEWEST] {
            gone(fs::remove_file(self.folder.join(name))).map_err(refused)?;
        }
        Ok(lines)
    }

    fn append(&self, line: &EgressLine) -> io::Result<()> {
        // A line that was cut off ends here, and takes no other with it.
        let text = format!("\n{}\n", serde_json::to_string(line)?);
        let path = self.folder.join(NEWEST);
        let written = self.locked(File::lock_shared).and_then(|_shared| {
            let mut file = OpenOptions::new().create(true).append(true).open(&path)?;
            file.write_all(text.as_bytes())?;
            Ok(file.metadata()?.len())
        });
        match written {
            Ok(bytes) if bytes > self.most => self.make_room(),
            Ok(_) => Ok(()),
            Err(error) if error.kind() == io::ErrorKind::NotFound && !self.folder.exists() => {
                fs::create_dir_all(&self.folder)?;
                self.append(line)
            }
            Err(error) => Err(error),
        }
    }

    /// Puts the file of now in the older one's place. Somebody else may be writing or doing the
    /// same; then it is left to the next line.
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
            // Some network drives know no locks; appending is whole there all the same.
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

/// What is gone already is not an error.
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
