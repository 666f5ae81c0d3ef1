//! Whose a container is, so that one whose process died is removed by the next process.
//!
//! A process holds a file lock while it runs scenarios, and every container carries the lock's
//! name. The system drops the lock however the process ends, so a container whose lock can be taken
//! has lost its owner. Containers of other workspaces, other computers and other people are not
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

/// Label of every container that this product makes: the folder of the owners' locks.
const LOCKS: &str = "org.koab.locks";
/// Label of the owner: its lock's name in that folder.
const OWNER: &str = "org.koab.owner";

/// How long a removal that somebody else began is waited for, and in which steps.
const WAITS: u32 = 200;
const WAIT: Duration = Duration::from_millis(50);

/// This process as an owner of containers. The lock lives as long as the value.
#[derive(Debug)]
pub struct Owner {
    locks: PathBuf,
    name: String,
    /// Held for its lock.
    file: File,
}

impl Owner {
    /// Takes a lock of its own in a folder, which is made when it is not there.
    ///
    /// # Errors
    /// When the folder or the lock cannot be made.
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

    /// Removes the containers of this workspace whose owner is gone, and the owners' locks. Gives
    /// how many there were.
    ///
    /// # Errors
    /// When the engine does not list or remove them.
    pub async fn sweep(&self, engine: &Engine) -> Result<usize, DockerError> {
        let filters = HashMap::from([("label", vec![format!("{LOCKS}={}", self.locks.display())])]);
        let options = ListContainersOptionsBuilder::default().all(true).filters(&filters).build();
        let found = engine
            .ask()?
            .list_containers(Some(options))
            .await
            .map_err(DockerError::failed(say!("list its containers")))?;
        let mut removed = 0;
        for container in found {
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

    /// Whether nobody holds this owner's lock.
    fn is_gone(&self, owner: &str) -> bool {
        // A name with a path in it is none of ours.
        if Path::new(owner).file_name() != Some(owner.as_ref()) {
            return false;
        }
        match File::open(self.locks.join(owner)) {
            Ok(file) => !matches!(file.try_lock(), Err(TryLockError::WouldBlock)),
            Err(error) => error.kind() == std::io::ErrorKind::NotFound,
        }
    }

    /// Removes the lock files that nobody holds. What cannot be removed is looked at again next
    /// time.
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

/// Held while locks are made or removed: one that is made and not yet locked looks like one that is
/// left over.
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

/// Stops a container if it runs, and removes it. One that is gone already is not an error.
pub(super) async fn remove(engine: &Engine, id: &str) -> Result<(), DockerError> {
    let options = RemoveContainerOptionsBuilder::default().force(true).v(true).build();
    // Somebody else may be removing it just now; then it is asked for until it is gone.
    for _ in 0..WAITS {
        match engine.ask()?.remove_container(id, Some(options.clone())).await {
            Ok(()) => return Ok(()),
            Err(error) if is_missing(&error) => return Ok(()),
            Err(Error::DockerResponseServerError { status_code: 409, message })
                if message.contains("already in progress") => {}
            // Podman between a container's end and its own notice of it.
            Err(Error::DockerResponseServerError { message, .. })
                if message.contains("container state improper") => {}
            Err(error) => return Err(DockerError::failed(say!("remove a container"))(error)),
        }
        tokio::time::sleep(WAIT).await;
    }
    Err(DockerError::Failed {
        what: say!("remove a container"),
        why: say!("its removal began and does not end"),
    })
}
