//! The answer of `kubectl get pods -o json`.

use crate::state::{State, WorkerState};
use crate::words::clean;
use koab_core::say;
use koab_core::sentence::Sentence;
use serde::Deserialize;
use std::collections::BTreeMap;

#[derive(Deserialize)]
struct Pods {
    items: Vec<Pod>,
}

#[derive(Deserialize)]
struct Pod {
    metadata: Metadata,
    #[serde(default)]
    spec: Spec,
    #[serde(default)]
    status: Status,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Metadata {
    #[serde(default)]
    annotations: BTreeMap<String, String>,
    #[serde(default)]
    labels: BTreeMap<String, String>,
    #[serde(default)]
    creation_timestamp: String,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Spec {
    node_name: Option<String>,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Status {
    #[serde(default)]
    phase: String,
    reason: Option<String>,
    message: Option<String>,
    #[serde(default)]
    container_statuses: Vec<ContainerStatus>,
    #[serde(default)]
    conditions: Vec<Condition>,
}

#[derive(Deserialize)]
struct ContainerStatus {
    #[serde(default)]
    state: ContainerState,
}

#[derive(Default, Deserialize)]
struct ContainerState {
    waiting: Option<StateDetail>,
    terminated: Option<StateDetail>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct StateDetail {
    reason: Option<String>,
    message: Option<String>,
    exit_code: Option<i32>,
}

#[derive(Deserialize)]
struct Condition {
    r#type: String,
    status: String,
    reason: Option<String>,
}

/// Reads the states of the workers of a job, by shard. The newest pod of a shard counts. `shards`
/// contains the shard number of each index of the job.
pub(super) fn read(answer: &str, shards: &[u32]) -> BTreeMap<u32, WorkerState> {
    let pods: Vec<Pod> = serde_json::from_str::<Pods>(answer).map_or_else(|_| Vec::new(), |pods| pods.items);
    let mut newest: BTreeMap<u32, (Pod, u32)> = BTreeMap::new();
    for pod in pods {
        let Some(shard) = shard(&pod.metadata, shards) else {
            continue;
        };
        let before = newest.remove(&shard);
        let restarts = before.as_ref().map_or(0, |(_, restarts)| restarts + 1);
        let latest = match before {
            Some((other, _)) if other.metadata.creation_timestamp > pod.metadata.creation_timestamp => other,
            _ => pod,
        };
        newest.insert(shard, (latest, restarts));
    }
    newest.into_iter().map(|(shard, (pod, restarts))| (shard, worker_state(shard, pod, restarts))).collect()
}

fn shard(metadata: &Metadata, shards: &[u32]) -> Option<u32> {
    if let Some(shard) = metadata.labels.get("koab/shard") {
        return shard.parse().ok();
    }
    let index = metadata.annotations.get("batch.kubernetes.io/job-completion-index")?;
    shards.get(index.parse::<usize>().ok()?).copied()
}

fn worker_state(shard: u32, pod: Pod, restarts: u32) -> WorkerState {
    let status = pod.status;
    let states = status.container_statuses.iter().map(|container| &container.state);
    let describe =
        |why: &StateDetail| [&why.reason, &why.message].into_iter().flatten().next().map(|text| clean(text));
    let code = states.clone().find_map(|state| state.terminated.as_ref()?.exit_code);
    let (state, reason): (State, Option<Sentence>) = match status.phase.as_str() {
        "Running" => (State::Running, None),
        "Succeeded" => (State::Done, None),
        "Failed" => {
            let code = code.map(|code| say!("it ended with exit code {code}"));
            let detail = status.reason.or(status.message).map(|text| clean(&text).into());
            (State::Failed, detail.or(code))
        }
        _ => {
            let waits = states.clone().find_map(|state| describe(state.waiting.as_ref()?));
            let unplaced = status
                .conditions
                .into_iter()
                .find(|one| one.r#type == "PodScheduled" && one.status == "False");
            let unplaced = unplaced.and_then(|one| one.reason).map(|text| clean(&text));
            (State::Waiting, waits.or(unplaced).map(Sentence::from))
        }
    };
    WorkerState { shard, state, node: pod.spec.node_name.map(|node| clean(&node)), reason, restarts }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_pod_of_a_shard_says_how_it_stands() {
        let pod = |index: &str, made: &str, phase: &str, state: &str| {
            format!(
                r#"{{"metadata":{{"annotations":{{"batch.kubernetes.io/job-completion-index":"{index}"}},"creationTimestamp":"{made}"}},
                "spec":{{"nodeName":"n1"}},"status":{{"phase":"{phase}","containerStatuses":[{{"state":{state}}}]}}}}"#
            )
        };
        let answer = format!(
            "{{\"items\":[{},{},{},{}]}}",
            pod("0", "2026-01-01T00:00:00Z", "Failed", r#"{"terminated":{"exitCode":75}}"#),
            pod("0", "2026-01-01T00:01:00Z", "Running", r#"{"running":{}}"#),
            pod("1", "2026-01-01T00:00:00Z", "Failed", r#"{"terminated":{"exitCode":2}}"#),
            pod("2", "2026-01-01T00:00:00Z", "Pending", r#"{"waiting":{"reason":"ErrImagePull"}}"#),
        );
        let states = read(&answer, &[4, 7, 9]);
        let of = |shard: u32| {
            let state = &states[&shard];
            let reason = state.reason.as_ref().map(ToString::to_string);
            (state.state, reason, state.restarts)
        };
        assert_eq!(of(4), (State::Running, None, 1));
        assert_eq!(of(7), (State::Failed, Some("it ended with exit code 2".to_owned()), 0));
        assert_eq!(of(9), (State::Waiting, Some("ErrImagePull".to_owned()), 0));
    }
}
