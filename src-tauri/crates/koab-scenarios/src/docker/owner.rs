//! Owners of containers. They allow the next process to remove the containers of a process that
//! died.
//!
//! A process holds a file lock while it runs scenarios, and every container has the lock's name as
//! a label. The operating system releases the lock however the process ends, so a container whose
//! lock is free has lost its owner. Containers of other workspaces, computers and users are not
//! touched.

use koab_core::say;
use koab_engine::files::name_of;
use std::collections::HashMap;
use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};
use std::time::Duration;

use bollard::errors::Error;
use bollard::query_parameters::{ListContainersOptionsBuilder, RemoveContainerOptionsBuilder};

use super::engine::{DockerError, Engine, is_missing};

/// Label of every container of this product. Its value is the path of the folder with the lock
/// files of owners, which are the processes that start containers.
const LOCKS: &str = "org.koab.locks";
/// Label of a container. Its value is the name of its owner's lock file in that folder.
const OWNER: &str = "org.koab.owner";

/// Maximum number of attempts to remove a container that another process is removing.
const REMOVE_ATTEMPTS: u32 = 200;
/// Time between two attempts to remove a container.
const REMOVE_INTERVAL: Duration = Duration::from_millis(50);

/// This process as an owner of containers. The lock is released when the value is dropped.
#[derive(Debug)]
pub struct Owner {
    locks: PathBuf,
    name: String,
    /// Locked file.
    file: File,
}

impl Owner {
    /// Creates and takes a lock in a folder, which is created when missing.
    ///
    /// # Errors
    /// When the folder or the lock cannot be created.
    pub fn new(locks: &Path) -> std::io::Result<Self> {
        std::fs::create_dir_all(locks)?;
        let locks = locks.canonicalize()?;
        let _others_wait = one_at_a_time(&locks)?;
        let (file, path) = tempfile::Builder::new()
            .prefix("owner-")
            .suffix(".lock")
            .tempfile_in(&locks)?
            .keep()
            .map_err(|error| error.error)?;
        file.lock()?;
        let name = name_of(&path);
        Ok(Self { locks, name, file })
    }

    pub(super) fn labels(&self) -> HashMap<String, String> {
        HashMap::from([
            (LOCKS.to_owned(), self.locks.display().to_string()),
            (OWNER.to_owned(), self.name.clone()),
        ])
    }

    /// Removes the containers of this workspace whose owners have ended, and the owners' locks.
    /// Returns the number of removed containers.
    ///
    /// # Errors
    /// When the engine cannot list or remove the containers.
    pub async fn sweep(&self, engine: &Engine) -> Result<usize, DockerError> {
        let filters = HashMap::from([("label", vec![format!("{LOCKS}={}", self.locks.display())])]);
        let options = ListContainersOptionsBuilder::default().all(true).filters(&filters).build();
        let containers = engine
            .ask()?
            .list_containers(Some(options))
            .await
            .map_err(DockerError::failed(say!("list its containers")))?;
        let mut removed = 0;
        for container in containers {
            let owner = container.labels.as_ref().and_then(|labels| labels.get(OWNER));
            let (Some(owner), Some(id)) = (owner, container.id) else {
                continue;
            };
            if *owner == self.name || !self.is_gone(owner) {
                continue;
            }
            remove(engine, &id).await?;
            removed += 1;
        }
        self.drop_locks();
        Ok(removed)
    }

    /// Whether no process holds this owner's lock.
    fn is_gone(&self, owner: &str) -> bool {
        // A name that contains a path is not one of this product.
        if Path::new(owner).file_name() != Some(owner.as_ref()) {
            return false;
        }
        match File::open(self.locks.join(owner)) {
            Ok(file) => !matches!(file.try_lock(), Err(TryLockError::WouldBlock)),
            Err(error) => error.kind() == std::io::ErrorKind::NotFound,
        }
    }

    /// Removes the lock files that no process holds. Failures are retried at the next start.
    fn drop_locks(&self) {
        let (Ok(_others_wait), Ok(entries)) = (one_at_a_time(&self.locks), std::fs::read_dir(&self.locks))
        else {
            return;
        };
        for entry in entries.flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            let lock = Path::new(&name).extension().is_some_and(|extension| extension == "lock");
            if name.starts_with("owner-") && lock && name != self.name && self.is_gone(&name) {
                let _removed_or_next_time = std::fs::remove_file(entry.path());
            }
        }
    }
}

/// Takes the lock that a process holds while it creates or removes owners' locks. A new lock that
/// no process holds yet looks like a leftover.
fn one_at_a_time(locks: &Path) -> std::io::Result<File> {
    let file = File::create(locks.join("owners"))?;
    file.lock()?;
    Ok(file)
}

impl Drop for Owner {
    fn drop(&mut self) {
        let _removed_or_swept =
            self.file.unlock().and_then(|()| std::fs::remove_file(self.locks.join(&self.name)));
    }
}

/// Stops a container if it runs, and removes it. A missing container is not an error.
pub(super) async fn remove(engine: &Engine, id: &str) -> Result<(), DockerError> {
    let options = RemoveContainerOptionsBuilder::default().force(true).v(true).build();
    // Another process may be removing the container; then the request is repeated until it is gone.
    for _ in 0..REMOVE_ATTEMPTS {
        match engine.ask()?.remove_container(id, Some(options.clone())).await {
            Ok(()) => return Ok(()),
            Err(error) if is_missing(&error) => return Ok(()),
            Err(Error::DockerResponseServerError { status_code: 409, message })
                if message.contains("already in progress") => {}
            // Podman has not yet noticed that the container has ended.
            Err(Error::DockerResponseServerError { message, .. })
                if message.contains("container state improper") => {}
            Err(error) => return Err(DockerError::failed(say!("remove a container"))(error)),
        }
        tokio::time::sleep(REMOVE_INTERVAL).await;
    }
    Err(DockerError::Failed {
        what: say!("remove a container"),
        why: say!("the deletion has begun and does not finish"),
    })
}
