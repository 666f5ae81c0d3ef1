//! Faults of the commands that only the window has: its dialogs, its programs and its updates.
//!
//! They are not in the files of those commands, because the catalogue of every language is checked
//! against the sentences of the crates that the command line links.

use koab_core::Say;
use std::path::PathBuf;

/// Fault of a command of the window.
#[derive(Debug, thiserror::Error, Say)]
pub enum WindowFault {
    /// The system opens no program for a file or address.
    #[error("the system has no program that opens {target}: {error}")]
    NoProgram {
        /// File or address.
        target: String,
        /// Answer of the system.
        error: String,
    },
    /// The page asked for a file outside the workspace.
    #[error("{} lies outside the workspace and is not opened from here", .0.display())]
    Outside(PathBuf),
    /// Folder of a workspace that is not named by its full path.
    #[error("{} is not a full path; give one that begins at the root", .0.display())]
    NotFullPath(PathBuf),
    /// The program of the window, and why it does not start.
    #[error("{} does not start: {error}", .program.display())]
    NotStarted {
        /// File of the program.
        program: PathBuf,
        /// Answer of the system.
        error: String,
    },
    /// Version of the product that installs no updates.
    #[error("this build has no updates")]
    NoUpdates,
    /// Version of the product without an address to ask for updates.
    #[error("this build names no server for updates")]
    NoUpdateServer,
    /// An update was to be installed, but none was found.
    #[error("no newer version has been found")]
    NothingNewer,
    /// The update could not be found, downloaded or installed.
    #[error("the update did not work: {0}; try again later")]
    UpdateFailed(String),
}
