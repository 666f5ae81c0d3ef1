//! How a container ended, as its engine tells it.

use bollard::Docker;
use bollard::models::ContainerState;
use std::time::Duration;

/// Exit code of a process that was killed.
const KILLED: i64 = 137;
/// How often a killed container is looked at for why.
pub(super) const LOOKS: u32 = 6;
/// How long after a look the next one follows.
const NEXT: Duration = Duration::from_millis(100);

/// Its state. The engine may hear of the kernel's kill for memory a moment after the end itself, so
/// that one that was killed is looked at so many times.
pub(super) async fn inspect(
    docker: &Docker,
    id: &str,
    looks: u32,
) -> Result<ContainerState, bollard::errors::Error> {
    let mut looked = 0;
    loop {
        let found = docker.inspect_container(id, None).await?;
        let state = found.state.unwrap_or_default();
        looked += 1;
        let killed = state.exit_code == Some(KILLED) && state.oom_killed != Some(true);
        if !killed || looked >= looks {
            return Ok(state);
        }
        tokio::time::sleep(NEXT).await;
    }
}
