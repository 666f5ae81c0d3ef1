//! What an engine is to run.

use crate::FOLDER;
use crate::error::ClusterError;
use std::path::{Path, PathBuf};

/// What a worker has around it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum WorkerEnvironment {
    /// Nothing.
    #[default]
    Bare,
    /// A rootless Podman of its own, with the image of this archive, if one is named.
    Podman {
        /// The archive.
        archive: Option<PathBuf>,
    },
}

/// What workers and the merge behind them are told, and where.
#[derive(Clone, Debug)]
pub struct Work {
    /// The folder that keeps scripts, logs and marks, which every machine sees under this name.
    pub folder: PathBuf,
    /// A file that is there wherever that folder is seen.
    pub seen: PathBuf,
    /// Other folders that workers write to.
    pub writes: Vec<PathBuf>,
    /// The folder above all of them that the workspace has, where a volume usually is.
    pub root: PathBuf,
    /// Words of a worker; the shard follows.
    pub worker: Vec<String>,
    /// Words of the merge.
    pub merge: Vec<String>,
    /// What a worker has around it.
    pub environment: WorkerEnvironment,
}

/// What an engine is to run: a worker for each shard, and a merge when all have ended.
#[derive(Clone, Debug)]
pub struct Plan {
    /// What each of them is told.
    pub work: Work,
    /// The program of the workers, likewise.
    pub program: PathBuf,
    /// Shards of the run.
    pub of: u32,
    /// Those that are to be made; not empty.
    pub shards: Vec<u32>,
    /// Workers at once at most.
    pub at_once: u32,
    /// Names of the variables that workers need beside their own: keys of models.
    pub keys: Vec<String>,
}

/// A file that an engine is given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineFile {
    /// Its name in the folder `cluster` of the run's.
    pub name: String,
    /// What is in it.
    pub text: String,
}

impl Plan {
    /// All shards of a work.
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

    /// A name for jobs: the last two parts of the folder's, in letters that every engine takes.
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
        // The date at its end tells runs apart, and Kubernetes takes 63 letters with its own
        // behind.
        let cut = name.len().saturating_sub(44);
        match cut {
            0 => name.trim_end_matches('-').to_owned(),
            cut => format!("koab-{}", name[cut..].trim_matches('-')),
        }
    }

    /// Its shards as ranges, such as `0-7,9`.
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
        let told = ranges
            .into_iter()
            .map(|(first, last)| if first == last { first.to_string() } else { format!("{first}-{last}") });
        told.collect::<Vec<_>>().join(",")
    }
}

/// Writes the files of an engine into the run's folder.
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
