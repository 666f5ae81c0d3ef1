//! Shell scripts of a worker and of the merge, the same for every engine.

use crate::error::ClusterError;
use crate::plan::{Plan, WorkerEnvironment};
use crate::podman;
use crate::words::{quoted, quoted_path};
use std::path::Path;

/// Parts of the scripts that differ between engines.
pub(crate) struct EngineScript<'a> {
    /// Shell code that sets `shard`, `worker` (unique to this start) and `node`.
    pub(crate) names: &'a str,
    /// Shell code that restarts a worker. It runs after a worker stopped because the engine
    /// announced the end of the worker's time.
    pub(crate) again: &'a str,
    /// Path of the program on the worker's machine.
    pub(crate) program: &'a Path,
}

/// Returns the first lines of every script, which set the variables.
fn head(plan: &Plan, engine_script: &EngineScript<'_>) -> Result<String, ClusterError> {
    let (run, program) = (quoted_path(&plan.work.folder)?, quoted_path(engine_script.program)?);
    Ok(format!(
        "run={run}\nkoab={program}\n{names}\
# The machine's own disk: databases do not work on shared ones.
home=$(mktemp -d \"${{TMPDIR:-/tmp}}/koab-XXXXXX\") || exit 1
export KOAB_HOME=\"$home\" TMPDIR=\"$home\" KOAB_WORKER=\"$worker\" KOAB_WORKERS={at_once}
",
        names = engine_script.names,
        at_once = plan.at_once.max(1),
    ))
}

/// Quotes and joins words for a shell.
fn words(words: &[String]) -> Result<String, ClusterError> {
    let words: Result<Vec<String>, _> = words.iter().map(|word| quoted(word)).collect();
    Ok(words?.join(" "))
}

/// Returns the script of a worker.
pub(crate) fn worker(plan: &Plan, engine_script: &EngineScript<'_>) -> Result<String, ClusterError> {
    let (head, of, again) = (head(plan, engine_script)?, plan.of, engine_script.again);
    let (before, after) = match &plan.work.environment {
        WorkerEnvironment::Bare => (String::new(), "rm -rf \"$home\""),
        WorkerEnvironment::Podman { archive } => (podman::before(archive.as_deref())?, podman::AFTER),
    };
    let (seen, words) = (quoted_path(&plan.work.seen)?, words(&plan.work.worker)?);
    Ok(format!(
        r#"#!/bin/sh
# A worker of a run: makes one shard of it, and leaves a mark when it begins and when it ends.
{head}mark=$run/cluster/$shard.$worker.mark
if ! [ -f {seen} ]; then
  echo "$node does not see the folder of the run, $run; it must lie on a disk that every node sees" >&2
  rm -rf "$home"; exit 1
fi
if ! command -v "$koab" >/dev/null; then
  echo "$node does not have the program $koab; install it on a disk that every node sees" >&2
  echo "node $node" >"$mark"; echo 'end 127' >>"$mark"
  rm -rf "$home"; exit 1
fi
echo "node $node" >"$mark"
told= ended= child=
trap 'told=1; [ -z "$child" ] || kill -USR1 "$child" 2>/dev/null' USR1
trap 'ended=1; [ -z "$child" ] || kill -TERM "$child" 2>/dev/null' TERM INT
{before}"$koab" {words} "$shard/{of}" --quiet </dev/null &
child=$!
[ -z "$told$ended" ] || kill -TERM "$child" 2>/dev/null
# A signal ends the waiting and not the worker.
while :; do
  wait "$child"; code=$?
  [ "$code" -gt 128 ] && kill -0 "$child" 2>/dev/null || break
done
{after}
echo "end $code" >>"$mark"
# 75: to be started again. Not after TERM: that is somebody who wants it to end, and nobody to start it.
if [ "$code" = 75 ] && [ -n "$told" ] && [ -z "$ended" ]; then
  {again}
fi
exit "$code"
"#
    ))
}

/// Returns the script that merges the results of the workers. The script runs the shell code `wait`
/// first.
pub(crate) fn merge(
    plan: &Plan,
    engine_script: &EngineScript<'_>,
    wait: &str,
) -> Result<String, ClusterError> {
    let (head, words) = (head(plan, engine_script)?, words(&plan.work.merge)?);
    Ok(format!(
        r#"#!/bin/sh
# Joins what the workers of a run have made; makes no API calls.
{head}trap 'rm -rf "$home"' EXIT
{wait}"$koab" {words} </dev/null
"#
    ))
}
