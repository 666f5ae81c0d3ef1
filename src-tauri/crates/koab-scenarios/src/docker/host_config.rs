//! Host configuration of a container: its limits, network, user and mounts, without any way to gain
//! privileges.

use bollard::models::{HostConfig, HostConfigLogConfig, Mount, MountType};
use std::path::Path;

use super::engine::Engine;
use crate::outcome::Limits;
use crate::relay::{self, Relay};
use crate::scenario_file::Network;

/// User and group `nobody`, for containers of a process that runs as root.
const NOBODY: (u32, u32) = (65_534, 65_534);

/// Bind mount of `from`, a folder or file of this computer, at the path `to` in the container.
pub(super) fn bind(from: &Path, to: &str, read_only: bool) -> Mount {
    Mount {
        typ: Some(MountType::BIND),
        source: Some(from.display().to_string()),
        target: Some(to.to_owned()),
        read_only: Some(read_only),
        ..Mount::default()
    }
}

/// Host configuration of a container with these limits, mounts and relay.
pub(super) fn host(
    engine: &Engine,
    limits: &Limits,
    mut mounts: Vec<Mount>,
    relay: Option<&Relay>,
) -> HostConfig {
    mounts.extend(relay.map(|relay| bind(&relay.folder(), relay::INSIDE, true)));
    let network = limits.network.unwrap_or(Network::Bridge);
    let memory = limits.memory_bytes.and_then(|bytes| i64::try_from(bytes).ok());
    #[expect(clippy::cast_possible_truncation, reason = "billionths of a handful of processors")]
    let nano_cpus = limits.cpus.map(|cpus| (cpus * 1e9) as i64);
    HostConfig {
        mounts: Some(mounts),
        memory,
        // Equal to the memory limit: no swap.
        memory_swap: memory,
        nano_cpus,
        pids_limit: limits.pids.and_then(|pids| i64::try_from(pids).ok()),
        network_mode: Some(
            match network {
                Network::Bridge => "bridge",
                Network::None => "none",
            }
            .to_owned(),
        ),
        extra_hosts: (network == Network::Bridge && !engine.podman)
            .then(|| vec!["host.docker.internal:host-gateway".to_owned()]),
        cap_drop: Some(vec!["ALL".to_owned()]),
        security_opt: Some(vec!["no-new-privileges".to_owned()]),
        userns_mode: (engine.podman && engine.rootless).then(|| "keep-id".to_owned()),
        init: engine.init.then_some(true),
        // This product writes the log; a second copy inside the engine would have no limit.
        log_config: Some(HostConfigLogConfig { typ: Some("none".to_owned()), config: None }),
        ..HostConfig::default()
    }
}

/// User and group of a container. The folder is made writable for both.
///
/// Files that the container writes belong to the user of this computer. If that user is root, the
/// container runs as `nobody`, and the owner of the files is changed afterwards. A rootless engine
/// maps the container's root to the user of this computer.
#[cfg(unix)]
pub(super) fn user(engine: &Engine, folder: &Path) -> std::io::Result<Option<(u32, u32)>> {
    use std::os::unix::fs::MetadataExt;
    let metadata = folder.metadata()?;
    let owner = (metadata.uid(), metadata.gid());
    if engine.rootless && !engine.podman {
        return Ok(Some((0, 0)));
    }
    if owner.0 != 0 {
        return Ok(Some(owner));
    }
    crate::ownership::give(folder, NOBODY)?;
    Ok(Some(NOBODY))
}

#[cfg(not(unix))]
#[expect(clippy::unnecessary_wraps, reason = "the same shape as on Unix")]
pub(super) fn user(_: &Engine, _: &Path) -> std::io::Result<Option<(u32, u32)>> {
    Ok(Some(NOBODY))
}

/// Changes the owner of a folder from `nobody` to the owner of its parent folder.
///
/// # Errors
/// When the system refuses.
#[cfg(unix)]
pub(super) fn give_back(folder: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::MetadataExt;
    let metadata = folder.metadata()?;
    if (metadata.uid(), metadata.gid()) == NOBODY {
        let parent = folder.parent().unwrap_or(folder).metadata()?;
        crate::ownership::give(folder, (parent.uid(), parent.gid()))?;
    }
    Ok(())
}

#[cfg(not(unix))]
#[expect(clippy::unnecessary_wraps, reason = "the same shape as on Unix")]
pub(super) fn give_back(_: &Path) -> std::io::Result<()> {
    Ok(())
}
