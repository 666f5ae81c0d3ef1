//! The plan of a submission, the same for every engine.

use crate::FOLDER;
use crate::error::ClusterError;
use std::path::{Path, PathBuf};

/// Container environment of a worker.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum WorkerEnvironment {
    /// No container engine.
    #[default]
    Bare,
    /// A rootless Podman for one worker, with the image from an archive if one is given.
    Podman {
        /// Path of the archive whose container image is loaded before the worker starts. Every node
        /// must see the path. `None` to load no image.
        archive: Option<PathBuf>,
    },
}

/// The commands of the workers and of the merge, with their folders.
#[derive(Clone, Debug)]
pub struct Work {
    /// The folder of scripts, logs and marks. All machines must see it under this path.
    pub folder: PathBuf,
    /// A file in the shared folder, written before the submission. A worker that cannot find it
    /// reports that its node does not see the folder.
    pub seen: PathBuf,
    /// Other folders that workers write to.
    pub writes: Vec<PathBuf>,
    /// The workspace folder, which contains the folder of scripts and all folders that workers
    /// write to. On Kubernetes, the volume is usually mounted here.
    pub root: PathBuf,
    /// Arguments of the worker's command, without the shard, which is appended.
    pub worker: Vec<String>,
    /// Arguments of the command that merges.
    pub merge: Vec<String>,
    /// Container environment of a worker.
    pub environment: WorkerEnvironment,
}

/// Plan of a submission: a worker for each shard, and a merge when all workers have ended.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Commands of the workers and of the merge, with their folders.
    pub work: Work,
    /// Path of the workers' program, which all machines must see under this path.
    pub program: PathBuf,
    /// Number of shards of the run.
    pub of: u32,
    /// Numbers of the shards to make; never empty.
    pub shards: Vec<u32>,
    /// Maximum number of concurrent workers.
    pub at_once: u32,
    /// Names of the environment variables that contain the keys for the workers.
    pub keys: Vec<String>,
}

/// A file of a submission.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineFile {
    /// File name in the folder `cluster` of the run's folder.
    pub name: String,
    /// Content of the file.
    pub text: String,
}

impl Plan {
    /// Creates a plan for all shards of a run or a scoring.
    pub fn new(work: Work, program: &Path, of: u32) -> Self {
        Self {
            work,
            program: program.to_owned(),
            of,
            shards: (0..of).collect(),
            at_once: of,
            keys: Vec::new(),
        }
    }

    /// Returns a name for the jobs: the last two parts of the folder's path, in characters that
    /// every engine accepts.
    pub(crate) fn name(&self) -> String {
        let parts: Vec<_> = self.work.folder.components().rev().take(2).collect();
        let parts: Vec<String> =
            parts.iter().rev().map(|part| part.as_os_str().to_string_lossy().to_lowercase()).collect();
        let mut name = String::from("koab");
        for c in format!("-{}", parts.join("-")).chars() {
            let c = if c.is_ascii_lowercase() || c.is_ascii_digit() { c } else { '-' };
            if c != '-' || !name.ends_with('-') {
                name.push(c);
            }
        }
        // The date at the end of the name keeps runs apart. Kubernetes allows 63 characters,
        // including the suffixes that it appends.
        let cut = name.len().saturating_sub(44);
        match cut {
            0 => name.trim_end_matches('-').to_owned(),
            cut => format!("koab-{}", name[cut..].trim_matches('-')),
        }
    }

    /// Returns the shards as ranges, such as `0-7,9`.
    pub(crate) fn ranges(&self) -> String {
        let mut shards = self.shards.clone();
        shards.sort_unstable();
        shards.dedup();
        let mut ranges: Vec<(u32, u32)> = Vec::new();
        for shard in shards {
            match ranges.last_mut() {
                Some((_, last)) if *last + 1 == shard => *last = shard,
                _ => ranges.push((shard, shard)),
            }
        }
        let texts = ranges
            .into_iter()
            .map(|(first, last)| if first == last { first.to_string() } else { format!("{first}-{last}") });
        texts.collect::<Vec<_>>().join(",")
    }
}

/// Writes the files of a submission into the run's folder.
pub(crate) fn write(plan: &Plan, files: &[EngineFile]) -> Result<(), ClusterError> {
    for file in files {
        let path = plan.work.folder.join(FOLDER).join(&file.name);
        std::fs::write(&path, &file.text).map_err(|error| ClusterError::disk(&path, &error))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn work(folder: &str) -> Work {
        Work {
            folder: folder.into(),
            seen: folder.into(),
            writes: Vec::new(),
            root: folder.into(),
            worker: Vec::new(),
            merge: Vec::new(),
            environment: WorkerEnvironment::Bare,
        }
    }

    #[test]
    fn jobs_have_names_that_every_engine_takes() {
        for (folder, expected) in [
            ("/logs/azure_gpt-4o/20261125_101500", "koab-azure-gpt-4o-20261125-101500"),
            (
                "/logs/openai_compat_Qwen_Qwen3-235B-A22B-Instruct-2507/20261125_101500",
                "koab-b-a22b-instruct-2507-20261125-101500",
            ),
            ("/logs/모델/1", "koab-1"),
        ] {
            let name = Plan::new(work(folder), Path::new("/koab"), 1).name();
            assert!(name.len() <= 50, "{name}");
            assert!(
                name == expected || folder.contains("235B") && name.ends_with("20261125-101500"),
                "{name}"
            );
        }
    }

    #[test]
    fn shards_are_told_as_ranges() {
        let mut plan = Plan::new(work("/r"), Path::new("/koab"), 12);
        assert_eq!(plan.ranges(), "0-11");
        plan.shards = vec![9, 0, 1, 2, 7, 2];
        assert_eq!(plan.ranges(), "0-2,7,9");
    }
}
