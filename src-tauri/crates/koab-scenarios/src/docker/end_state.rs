//! Final state of a container, as its engine reports it.

use bollard::Docker;
use bollard::models::ContainerState;
use std::time::Duration;

/// Exit code of a process that was killed.
const KILLED: i64 = 137;
/// Number of times that a killed container is inspected to find out why it was killed.
pub(super) const INSPECT_ATTEMPTS: u32 = 6;
/// Time between two inspections.
const INSPECT_INTERVAL: Duration = Duration::from_millis(100);

/// State of a container. A killed container is inspected up to `attempts` times.
///
/// The kernel may kill a container because of its memory. The engine may learn of that reason a
/// moment after the container's end.
pub(super) async fn inspect(
    docker: &Docker,
    id: &str,
    attempts: u32,
) -> Result<ContainerState, bollard::errors::Error> {
    let mut inspections = 0;
    loop {
        let response = docker.inspect_container(id, None).await?;
        let state = response.state.unwrap_or_default();
        inspections += 1;
        let killed = state.exit_code == Some(KILLED) && state.oom_killed != Some(true);
        if !killed || inspections >= attempts {
            return Ok(state);
        }
        tokio::time::sleep(INSPECT_INTERVAL).await;
    }
}
