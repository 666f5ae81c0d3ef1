//! What holds a container: its limits, its network, whom it runs as, and no way to gain anything.

use bollard::models::{HostConfig, HostConfigLogConfig, Mount, MountType};
use std::path::Path;

use super::engine::Engine;
use crate::outcome::Limits;
use crate::relay::{self, Relay};
use crate::scenario_file::Network;

/// Whom a container runs as when we are root ourselves: nobody.
const NOBODY: (u32, u32) = (65_534, 65_534);

/// A folder or file of this computer, and where a container sees it.
pub(super) fn bind(from: &Path, to: &str, read_only: bool) -> Mount {
    Mount {
        typ: Some(MountType::BIND),
        source: Some(from.display().to_string()),
        target: Some(to.to_owned()),
        read_only: Some(read_only),
        ..Mount::default()
    }
}

/// The engine's side of a container with these limits, mounts and way to a socket of this computer.
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
        // As much as memory alone: no swap.
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
        // The console is ours; a second copy inside the engine would have no limit.
        log_config: Some(HostConfigLogConfig { typ: Some("none".to_owned()), config: None }),
        ..HostConfig::default()
    }
}

/// Whom a container runs as, and its folder made writable for it.
///
/// What it writes belongs to the user of this computer. Where we are root it runs as nobody, and
/// the files are given back afterwards. An engine without root maps users itself: its root is this
/// user.
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

/// Gives a folder back to this user.
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
