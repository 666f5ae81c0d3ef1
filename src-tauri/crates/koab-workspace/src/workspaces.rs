//! List of the workspaces that the window has opened on this computer.
//!
//! The list is stored next to the user's choice of workspace (`home.rs`), outside every workspace,
//! so that it is available in each of them and even when one cannot be opened.

use crate::home::beside_the_choice;
use crate::{Home, WireError, Workspace};
use jiff::Timestamp;
use koab_store::atomic;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use ts_rs::TS;

const NAME: &str = "workspaces.json";

/// Maximum number of workspaces in the list. The most recently opened are kept.
const MAX_WORKSPACES: usize = 20;

/// A workspace that was opened on this computer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct RecentWorkspace {
    /// Folder of the workspace.
    pub folder: String,
    /// Time of the last opening, in UTC.
    pub opened: String,
    /// Current state of the folder.
    pub state: WorkspaceState,
}

/// State of the folder of a workspace in the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum WorkspaceState {
    /// The workspace of this process.
    Here,
    /// The workspace exists.
    There,
    /// The folder exists, but its workspace was removed.
    Empty,
    /// The folder was removed or moved, or its disk is not connected.
    Missing,
}

/// Stored entry of the list.
#[derive(Clone, Serialize, Deserialize)]
struct Line {
    folder: PathBuf,
    opened: String,
}

impl Workspace {
    /// Moves this workspace to the top of the list. A list that cannot be written is ignored: only
    /// the entry is lost.
    pub fn note_opened(&self) {
        if let Some(list) = beside_the_choice(NAME) {
            let _ = note(&list, self.home().path(), Timestamp::now());
        }
    }

    /// Workspaces that were opened on this computer, the last one first.
    pub fn workspaces_list(&self) -> Vec<RecentWorkspace> {
        beside_the_choice(NAME).map_or_else(Vec::new, |list| recent(&list, self.home().path()))
    }

    /// Removes a workspace from the list and returns the list. The workspace itself is untouched.
    ///
    /// # Errors
    /// When the list cannot be written.
    pub fn workspace_forget(&self, folder: &str) -> Result<Vec<RecentWorkspace>, WireError> {
        if let Some(list) = beside_the_choice(NAME) {
            forget(&list, Path::new(folder))?;
        }
        Ok(self.workspaces_list())
    }
}

fn note(list: &Path, folder: &Path, opened: Timestamp) -> Result<(), WireError> {
    let mut lines = read(list);
    lines.retain(|line| !is_same(&line.folder, folder));
    lines.insert(
        0,
        Line { folder: folder.to_owned(), opened: opened.strftime("%Y-%m-%dT%H:%M:%SZ").to_string() },
    );
    lines.truncate(MAX_WORKSPACES);
    write(list, &lines)
}

fn forget(list: &Path, folder: &Path) -> Result<(), WireError> {
    let mut lines = read(list);
    lines.retain(|line| line.folder != folder);
    write(list, &lines)
}

fn recent(list: &Path, here: &Path) -> Vec<RecentWorkspace> {
    let state = |folder: &Path| {
        if is_same(folder, here) {
            WorkspaceState::Here
        } else if !folder.is_dir() {
            WorkspaceState::Missing
        } else if Home::at(folder).database().exists() {
            WorkspaceState::There
        } else {
            WorkspaceState::Empty
        }
    };
    let entry = |line: Line| RecentWorkspace {
        state: state(&line.folder),
        folder: line.folder.display().to_string(),
        opened: line.opened,
    };
    read(list).into_iter().map(entry).collect()
}

/// Reads the list. A file in another form, for example of a newer version, counts as empty.
fn read(list: &Path) -> Vec<Line> {
    let text = std::fs::read(list).unwrap_or_default();
    serde_json::from_slice(&text).unwrap_or_default()
}

fn write(list: &Path, lines: &[Line]) -> Result<(), WireError> {
    let text = serde_json::to_vec_pretty(lines).map_err(WireError::internal)?;
    Ok(atomic::write(list, &text)?)
}

/// Whether two paths lead to the same folder.
fn is_same(one: &Path, other: &Path) -> bool {
    let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    one == other || real(one) == real(other)
}

#[cfg(test)]
mod tests {
    use super::*;
    use WorkspaceState::{Empty, Here, Missing, There};

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(second).unwrap()
    }

    #[test]
    fn what_was_opened_last_stands_first_with_what_is_there_now() {
        let folder = tempfile::tempdir().unwrap();
        let list = folder.path().join("config/workspaces.json");
        let names = ["here", "there", "empty", "gone"];
        let [here, there, empty, gone] = names.map(|name| folder.path().join(name));
        for made in [&here, &there, &empty] {
            std::fs::create_dir(made).unwrap();
        }
        std::fs::write(there.join("koab.sqlite"), "").unwrap();
        assert_eq!(recent(&list, &here), []);
        for (second, opened) in (1..).zip([&here, &gone, &empty, &there, &here]) {
            note(&list, opened, at(second)).unwrap();
        }
        let told = || -> Vec<(String, WorkspaceState)> {
            recent(&list, &here)
                .into_iter()
                .map(|it| (it.folder.rsplit(['/', '\\']).next().unwrap().to_owned(), it.state))
                .collect()
        };
        let of = |rows: &[(&str, WorkspaceState)]| -> Vec<(String, WorkspaceState)> {
            rows.iter().map(|(name, state)| ((*name).to_owned(), *state)).collect()
        };
        assert_eq!(told(), of(&[("here", Here), ("there", There), ("empty", Empty), ("gone", Missing)]));
        assert_eq!(recent(&list, &here)[0].opened, "1970-01-01T00:00:05Z");
        // A folder that is gone can be taken off as well.
        forget(&list, &gone).unwrap();
        assert_eq!(told(), of(&[("here", Here), ("there", There), ("empty", Empty)]));
        assert!(there.join("koab.sqlite").exists(), "nothing in a workspace is touched");
    }

    #[test]
    fn the_list_does_not_grow_and_one_that_cannot_be_read_is_begun_anew() {
        let folder = tempfile::tempdir().unwrap();
        let list = folder.path().join("workspaces.json");
        std::fs::write(&list, "no list").unwrap();
        for number in 0..30 {
            note(&list, &folder.path().join(number.to_string()), at(number)).unwrap();
        }
        let kept = recent(&list, folder.path());
        assert_eq!(kept.len(), MAX_WORKSPACES);
        assert!(kept[0].folder.ends_with("29"), "{}", kept[0].folder);
    }

    #[cfg(unix)]
    #[test]
    fn one_workspace_by_two_paths_is_one_entry() {
        let folder = tempfile::tempdir().unwrap();
        let list = folder.path().join("workspaces.json");
        let (real, link) = (folder.path().join("real"), folder.path().join("link"));
        std::fs::create_dir(&real).unwrap();
        std::os::unix::fs::symlink(&real, &link).unwrap();
        note(&list, &real, at(1)).unwrap();
        note(&list, &link, at(2)).unwrap();
        let kept = recent(&list, &real);
        assert_eq!((kept.len(), kept[0].state), (1, Here));
    }
}
