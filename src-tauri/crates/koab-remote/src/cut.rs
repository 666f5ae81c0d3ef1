//! Division of work into shards, and arguments for the engine.

use koab_cluster::{Submission, Work, WorkerEnvironment};
use koab_core::say;
use koab_core::sensitive::Sensitive;
use koab_library::RemoteRequest;
use koab_workspace::WireError;
use std::path::{Path, PathBuf};

/// Number of shards per concurrent worker. With several, the engine can balance the load.
const SHARDS_A_WORKER: u32 = 8;
/// Minimum number of attempts of a shard. With fewer attempts, starting a worker takes longer than
/// it saves.
const ATTEMPTS_A_SHARD: u64 = 20;
/// Maximum number of shards by default. Slurm allows arrays of 1,001.
const MAX_DEFAULT_SHARDS: u32 = 1000;

/// Returns the commands of the workers of a run, and the command of the merge that follows.
pub(crate) fn work_of_run(folder: &Path) -> Result<Work, WireError> {
    let folder = full(folder)?;
    let run = path_word(&folder)?;
    Ok(Work {
        seen: folder.join("run.json"),
        writes: Vec::new(),
        // The workspace's folder of logs.
        root: folder.ancestors().nth(2).unwrap_or(&folder).to_owned(),
        worker: ["run", "--resume", &run, "--shard"].map(str::to_owned).into(),
        merge: ["runs", "merge", &run].map(str::to_owned).into(),
        environment: WorkerEnvironment::Bare,
        folder,
    })
}

/// Returns a path as one argument of a command line, without quotes.
///
/// # Errors
/// When the path is not UTF-8.
pub(crate) fn path_word(path: &Path) -> Result<String, WireError> {
    path.to_str().map(str::to_owned).ok_or_else(|| {
        WireError::bad_request(say!(
            "{} is not text in UTF-8, so it cannot be passed to a cluster",
            path.display()
        ))
    })
}

/// Returns the names of a run's keys without their values, for the plan of the workers.
pub(crate) fn names(keys: &[(String, Sensitive<String>)]) -> Vec<String> {
    keys.iter().map(|(name, _)| name.clone()).collect()
}

/// Returns the number of shards of a run and the number of concurrent workers, for a number of
/// attempts.
pub(crate) fn cut(how: &RemoteRequest, attempts: u64) -> (u32, u32) {
    let at_once = how.workers().max(1);
    let fitting = u32::try_from(attempts / ATTEMPTS_A_SHARD).unwrap_or(u32::MAX);
    let shards = at_once.saturating_mul(SHARDS_A_WORKER).min(fitting).min(MAX_DEFAULT_SHARDS);
    // With the same number of shards per worker, all workers end at about the same time.
    let shards = if shards > at_once { shards - shards % at_once } else { shards };
    // No worker would mark a shard without an attempt as done.
    let most = u32::try_from(attempts).unwrap_or(u32::MAX).max(1);
    let of = how.shards.unwrap_or(shards).clamp(1, most);
    (of, at_once.min(of))
}

/// Returns the arguments for the engine: the given arguments, or otherwise those of the earlier
/// submission to the engine.
pub(crate) fn engine_words(
    how: &RemoteRequest,
    earlier: Option<&Submission>,
) -> Result<Vec<String>, WireError> {
    match (&how.engine_args, earlier) {
        (None, Some(earlier)) if earlier.engine == how.engine => Ok(earlier.engine_args.clone()),
        (Some(text), _) => Ok(koab_cluster::split(text)?),
        (None, _) => Ok(Vec::new()),
    }
}

/// Returns the path of the workers' program, which is this program.
pub(crate) fn program() -> Result<PathBuf, WireError> {
    std::env::current_exe()
        .map_err(|error| WireError::storage(say!("the program of koab cannot be found: {error}")))
}

/// Returns the absolute path of a folder. The path must be the same on all machines.
pub(crate) fn full(folder: &Path) -> Result<PathBuf, WireError> {
    std::path::absolute(folder).map_err(|error| {
        WireError::storage(say!("the full path of {} cannot be found: {error}", folder.display()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use koab_cluster::EngineKind;

    #[test]
    fn a_run_is_cut_into_more_shards_than_workers_but_not_into_crumbs() {
        let how =
            |shards, at_once| RemoteRequest { engine: EngineKind::Slurm, shards, at_once, engine_args: None };
        for (given, attempts, expected) in [
            (how(None, None), 91, (4, 4)),
            (how(None, None), 10, (1, 1)),
            (how(None, Some(4)), 182, (8, 4)),
            (how(None, Some(4)), 9_100, (32, 4)),
            (how(None, Some(500)), 1_000_000, (1000, 500)),
            (how(Some(400), Some(50)), 9_100, (400, 50)),
            (how(Some(400), None), 91, (91, 8)),
        ] {
            assert_eq!(cut(&given, attempts), expected, "{given:?} {attempts}");
        }
    }
}
