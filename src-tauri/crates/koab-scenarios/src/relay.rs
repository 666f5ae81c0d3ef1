//! Relay from a container to a socket of this computer, for containers that cannot reach this
//! computer over a network.
//!
//! A folder with the socket and a small program is mounted into the container, read-only. The
//! program listens at an address of the container's own and forwards connections to the socket. So
//! containers with this folder reach the listener of the socket; other containers and computers do
//! not.

use std::path::{Path, PathBuf};

use tempfile::TempDir;

/// Path of the relay's folder in a container.
pub(crate) const INSIDE: &str = "/koab";
/// Port on the container's own 127.0.0.1 at which the relay listens.
const PORT: u16 = 8377;
/// Source of the relay program.
const RELAY: &str = include_str!("relay/relay.py");
/// Shell command that starts the relay and then the command that its arguments contain. If the
/// relay cannot listen, nothing is started.
pub(crate) const START_WITH_RELAY: &str =
    r#""$(command -v python3 || command -v python)" /koab/relay.py 8377 2>&1 && exec "$@""#;

/// Folder of the relay on this computer. It is removed when the value is dropped.
#[derive(Debug)]
pub struct Relay {
    /// Folder that other users cannot enter; containers see only its subfolder.
    outer: TempDir,
}

impl Relay {
    /// Creates the folder. Nothing listens on the socket yet.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn new() -> std::io::Result<Self> {
        let relay = Self { outer: tempfile::Builder::new().prefix("koab-socket-").tempdir()? };
        std::fs::create_dir(relay.folder())?;
        std::fs::write(relay.folder().join("relay.py"), RELAY)?;
        // The scenario runs as another user than this process.
        open_to_all(&relay.folder(), 0o755)?;
        open_to_all(&relay.folder().join("relay.py"), 0o644)?;
        Ok(relay)
    }

    /// Path of the socket on which to listen. The socket must be open to every user; only users who
    /// can open the folder can reach it.
    #[must_use]
    pub fn socket(&self) -> PathBuf {
        self.folder().join("socket")
    }

    /// Folder that is mounted into containers.
    pub(crate) fn folder(&self) -> PathBuf {
        self.outer.path().join("folder")
    }

    /// Host and port under which a container reaches the socket's listener.
    #[must_use]
    pub fn address() -> String {
        format!("127.0.0.1:{PORT}")
    }
}

#[cfg(unix)]
fn open_to_all(path: &Path, mode: u32) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode))
}

#[cfg(not(unix))]
fn open_to_all(_: &Path, _: u32) -> std::io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{INSIDE, PORT, START_WITH_RELAY};

    #[test]
    fn the_command_says_what_the_constants_say() {
        assert!(START_WITH_RELAY.contains(&format!(" {INSIDE}/relay.py {PORT} ")));
    }
}
