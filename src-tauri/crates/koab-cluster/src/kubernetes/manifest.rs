//! The Jobs of a run as data (`batch/v1`).

use super::options::Options;
use crate::error::ClusterError;
use crate::plan::Plan;
use crate::script::{self, EngineScript};
use crate::words::text;
use koab_core::say;
use serde_json::{Value, json};
use std::path::Path;

/// Name of the label that every Kubernetes object of a submission has.
pub(super) const LABEL: &str = "koab/run";
/// Maximum number of restarts of a shard by Kubernetes. Restarts after a disruption or a time limit
/// do not count.
const MAX_RESTARTS: u32 = 6;
/// Seconds that a worker has to end after its termination signal.
const GRACE_SECONDS: u32 = 60;
/// Name of the program in the image.
const PROGRAM: &str = "koab";
/// Exit status of a worker that is to be restarted.
const RESTART_CODE: i32 = 75;
/// Exit status after which a restart is useless: invalid arguments or an invalid request.
const BAD_REQUEST_CODE: i32 = 2;
/// Name of the container in a pod.
const CONTAINER: &str = "worker";

/// Returns all jobs of a run: one for all shards, or one per shard where the cluster has no limits
/// per index, and the merge.
pub(super) fn jobs(
    options: &Options,
    plan: &Plan,
    name: &str,
    per_index: bool,
) -> Result<Vec<Value>, ClusterError> {
    let mut jobs = Vec::new();
    if per_index {
        let list: Vec<String> = plan.shards.iter().map(u32::to_string).collect();
        let names = format!(
            "set -- {}\nshift \"${{JOB_COMPLETION_INDEX:?}}\"\nshard=$1 worker=$KOAB_POD node=$KOAB_NODE\n",
            list.join(" ")
        );
        let script = worker(plan, &names)?;
        let mut job = job(options, plan, name, name, &script, true)?;
        let spec = &mut job["spec"];
        spec["completionMode"] = json!("Indexed");
        spec["completions"] = json!(plan.shards.len());
        spec["parallelism"] = json!(plan.at_once.max(1));
        spec["backoffLimitPerIndex"] = json!(MAX_RESTARTS);
        spec["maxFailedIndexes"] = json!(plan.shards.len());
        spec["podFailurePolicy"] = failure_policy("FailIndex");
        jobs.push(job);
    } else {
        for shard in &plan.shards {
            let names = format!("shard={shard} worker=$KOAB_POD node=$KOAB_NODE\n");
            let script = worker(plan, &names)?;
            let mut job = job(options, plan, name, &format!("{name}-{shard}"), &script, true)?;
            job["spec"]["backoffLimit"] = json!(MAX_RESTARTS);
            job["metadata"]["labels"]["koab/shard"] = json!(shard.to_string());
            job["spec"]["template"]["metadata"]["labels"]["koab/shard"] = json!(shard.to_string());
            jobs.push(job);
        }
    }
    let engine_script = EngineScript { names: "worker=$KOAB_POD\n", again: "", program: Path::new(PROGRAM) };
    let mut merge = job(
        options,
        plan,
        name,
        &format!("{name}-merge"),
        &script::merge(plan, &engine_script, &until_ended(plan))?,
        false,
    )?;
    merge["spec"]["backoffLimit"] = json!(MAX_RESTARTS);
    jobs.push(merge);
    Ok(jobs)
}

fn worker(plan: &Plan, names: &str) -> Result<String, ClusterError> {
    let engine_script = EngineScript { names, again: ":", program: Path::new(PROGRAM) };
    // Logs are in the same folder as those of other engines, and outlive the pod.
    let script = script::worker(plan, &engine_script)?;
    let begin = "trap 'told=1;";
    let log = "exec >>\"$run/cluster/$shard.log\" 2>&1\n";
    Ok(script.replacen(begin, &format!("{log}{begin}"), 1))
}

/// Returns shell code for the merge that waits until every shard has a mark of its end, because
/// Kubernetes starts the job of the merge at once.
fn until_ended(plan: &Plan) -> String {
    let shards: Vec<String> = plan.shards.iter().map(u32::to_string).collect();
    format!(
        "for shard in {}; do\n  until grep -qs '^end [^7]\\|^end 7[^5]\\|^end 7$' \"$run/cluster/$shard\".*.mark; do sleep 5; done\ndone\n",
        shards.join(" ")
    )
}

/// Returns the policy for failed pods. A disruption of the node does not count as a retry, and
/// neither does an exit that requests a restart.
fn failure_policy(bad_request_action: &str) -> Value {
    let rule = |action: &str, code: i32| {
        json!({
            "action": action,
            "onExitCodes": { "containerName": CONTAINER, "operator": "In", "values": [code] },
            // Empty, because the schema of earlier versions requires the field.
            "onPodConditions": [],
        })
    };
    let disrupted = json!({ "type": "DisruptionTarget", "status": "True" });
    json!({ "rules": [
        { "action": "Ignore", "onPodConditions": [disrupted] },
        rule("Ignore", RESTART_CODE),
        rule(bad_request_action, BAD_REQUEST_CODE),
    ] })
}

fn job(
    options: &Options,
    plan: &Plan,
    run: &str,
    name: &str,
    script: &str,
    asks: bool,
) -> Result<Value, ClusterError> {
    let image = options.image()?;
    let (claim, mount) = options.volume(plan)?;
    let mount = text(mount)?;
    if !mount.starts_with('/') {
        return Err(ClusterError::BadRequest(say!("--mount of --engine-args is a full path, such as /data")));
    }
    let field =
        |name: &str, path: &str| json!({ "name": name, "valueFrom": { "fieldRef": { "fieldPath": path } } });
    let mut env = vec![
        field("KOAB_POD", "metadata.name"),
        field("KOAB_NODE", "spec.nodeName"),
        json!({ "name": "TMPDIR", "value": "/tmp" }),
    ];
    if asks {
        for key in &plan.keys {
            let secret = options.secret_of(plan)?;
            env.push(json!({ "name": key, "valueFrom": { "secretKeyRef": { "name": secret, "key": key } } }));
        }
    }
    let labels = json!({ "app.kubernetes.io/name": "koab", LABEL: run });
    let mut metadata = json!({ "name": name, "labels": labels });
    if let Some(namespace) = options.namespace() {
        metadata["namespace"] = json!(namespace);
    }
    let mut pod_security = json!({ "runAsNonRoot": true, "seccompProfile": { "type": "RuntimeDefault" } });
    if let Some(user) = options.user {
        // The owner of the volume.
        pod_security["runAsUser"] = json!(user);
        pod_security["fsGroup"] = json!(user);
    }
    let (cpu, memory) =
        (options.cpu.as_deref().unwrap_or("250m"), options.memory.as_deref().unwrap_or("512Mi"));
    Ok(json!({
        "apiVersion": "batch/v1",
        "kind": "Job",
        "metadata": metadata,
        "spec": {
            "template": {
                "metadata": { "labels": labels },
                "spec": {
                    "restartPolicy": "Never",
                    "terminationGracePeriodSeconds": GRACE_SECONDS,
                    "automountServiceAccountToken": false,
                    "securityContext": pod_security,
                    "containers": [{
                        "name": CONTAINER,
                        "image": image,
                        "command": ["/bin/sh", "-c", script],
                        "env": env,
                        "resources": {
                            "requests": { "cpu": cpu, "memory": memory },
                            "limits": { "memory": memory },
                        },
                        "securityContext": {
                            "allowPrivilegeEscalation": false,
                            "readOnlyRootFilesystem": true,
                            "capabilities": { "drop": ["ALL"] },
                        },
                        "volumeMounts": [
                            { "name": "runs", "mountPath": mount },
                            { "name": "own", "mountPath": "/tmp" },
                        ],
                    }],
                    "volumes": [
                        { "name": "runs", "persistentVolumeClaim": { "claimName": claim } },
                        { "name": "own", "emptyDir": {} },
                    ],
                },
            },
        },
    }))
}
