//! A way out of a container to one socket of this computer, for where no network leads there.
//!
//! A folder with the socket and a small program is shown to the container, read-only. The program
//! listens at an address of the container's own and hands connections on to the socket. So a
//! scenario without any network, or in an engine whose networks this computer is not on, reaches
//! what listens there; no other container and no other computer does.

use std::path::{Path, PathBuf};

use tempfile::TempDir;

/// Where the folder is in a container.
pub(crate) const INSIDE: &str = "/koab";
/// Port of the container's own 127.0.0.1 that leads out.
const PORT: u16 = 8377;
/// The program.
const RELAY: &str = include_str!("relay/relay.py");
/// Starts the program, and then what follows as its arguments. Where it cannot listen, nothing is
/// started.
pub(crate) const THROUGH: &str =
    r#""$(command -v python3 || command -v python)" /koab/relay.py 8377 2>&1 && exec "$@""#;

/// The folder on this computer. It goes with the value.
#[derive(Debug)]
pub struct Relay {
    /// Closed to other users; a container sees what is in it and not itself.
    outer: TempDir,
}

impl Relay {
    /// Makes the folder. Nothing listens there yet.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn new() -> std::io::Result<Self> {
        let relay = Self { outer: tempfile::Builder::new().prefix("koab-socket-").tempdir()? };
        std::fs::create_dir(relay.folder())?;
        std::fs::write(relay.folder().join("relay.py"), RELAY)?;
        // Whom a scenario runs as is not who we are.
        open_to_all(&relay.folder(), 0o755)?;
        open_to_all(&relay.folder().join("relay.py"), 0o644)?;
        Ok(relay)
    }

    /// Where to listen. The socket has to be open to every user: only those who see the folder come
    /// that far.
    #[must_use]
    pub fn socket(&self) -> PathBuf {
        self.folder().join("socket")
    }

    /// What is shown to containers.
    pub(crate) fn folder(&self) -> PathBuf {
        self.outer.path().join("folder")
    }

    /// Host and port under which a container finds what listens on the socket.
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
    use super::{INSIDE, PORT, THROUGH};

    #[test]
    fn the_command_says_what_the_constants_say() {
        assert!(THROUGH.contains(&format!(" {INSIDE}/relay.py {PORT} ")));
    }
}
