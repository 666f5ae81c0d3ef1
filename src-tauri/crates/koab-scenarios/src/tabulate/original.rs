//! Tables of the original tool, exactly as each of its generations writes them, including their
//! faults.
//!
//! The tables serve comparisons with published tables and programs that read such tables. Rows are
//! sorted by the last modification of the tasks' folders, as in the original. Only one fault is
//! fixed: a byte that is not UTF-8 does not end the program.

mod second;
mod simple;
mod task;
mod third;

use super::{Scorer, gaia, math};
use crate::error::{Error, Result};
use crate::markers::{PASSED, log_text};
use crate::natural_order::natural;
use crate::outcome::CONSOLE_LOG;
use koab_core::say;
use koab_engine::files::name_of;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;
use task::{Task, Trial};

/// Generation of the original tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Generation {
    /// The published package (`autogenbench` 0.0.3).
    Second,
    /// The package's successor (`agbench`).
    Third,
}

/// Standard output of the original tool for a scenario's folder: a table or CSV.
///
/// # Errors
/// When a folder cannot be read, or the third generation fails: on a task without trials, or
/// without tasks.
pub fn tabulate(folder: &Path, generation: Generation, scorer: Scorer, csv: bool) -> Result<String> {
    let tasks: Vec<Task> = by_change(folder)?
        .into_iter()
        .filter(|(name, path)| path.is_dir() && name != "__pycache__")
        .map(|(id, path)| {
            let trials = trials(&path, generation, scorer)?;
            Ok(Task { id, trials })
        })
        .collect::<Result<_>>()?;
    match generation {
        Generation::Second if csv => Ok(second::csv(&tasks)),
        Generation::Second => Ok(second::table(&tasks)),
        Generation::Third => {
            if let Some(empty) = tasks.iter().find(|task| task.trials.is_empty()) {
                let why = say!("has no trial, and the original tool fails on such a folder; remove it");
                return Err(Error::bad(&folder.join(&empty.id), why));
            }
            if tasks.is_empty() {
                return Err(Error::bad(
                    folder,
                    say!("has no task, and the original tool fails on such a folder"),
                ));
            }
            Ok(third::write(&tasks, csv))
        }
    }
}

fn trials(task: &Path, generation: Generation, scorer: Scorer) -> Result<Vec<Trial>> {
    let numbered: Vec<(u32, PathBuf)> = match generation {
        // Trials after a gap are ignored.
        Generation::Second => (0..)
            .map(|number: u32| (number, task.join(number.to_string())))
            .take_while(|(_, path)| path.is_dir())
            .collect(),
        Generation::Third => by_change(task)?
            .into_iter()
            .filter(|(name, _)| name.bytes().all(|byte| byte.is_ascii_digit()))
            .filter_map(|(name, path)| Some((name.parse().ok()?, path)))
            .collect(),
    };
    let trial = |(number, path): (u32, PathBuf)| {
        let log = log_text(&path.join(CONSOLE_LOG)).ok();
        Trial {
            number,
            success: log.as_deref().and_then(|log| success(&path, log, generation, scorer)),
            seconds: log.as_deref().and_then(seconds),
        }
    };
    Ok(numbered.into_iter().map(trial).collect())
}

fn success(folder: &Path, log: &str, generation: Generation, scorer: Scorer) -> Option<bool> {
    match (scorer, generation) {
        (Scorer::Markers, _) if log.contains(PASSED) => Some(true),
        (Scorer::Markers, Generation::Second) => Some(false),
        (Scorer::Markers, Generation::Third) => log.contains("SCENARIO.PY COMPLETE !#!#").then_some(false),
        (Scorer::Gaia, Generation::Second) => {
            let answer = gaia::first_answer(log).unwrap_or_default();
            let expected = gaia::expected(folder).ok()?;
            Some(gaia::is_right_by_the_second_generation(&expected, answer))
        }
        (Scorer::Gaia, Generation::Third) => {
            let expected = gaia::expected(folder).ok()?;
            gaia::first_answer(log).map(|answer| gaia::is_right(&expected, answer))
        }
        (Scorer::Math, _) => math::checked(folder).ok(),
    }
}

/// Seconds from the first text `RUNTIME: <seconds> !#!#` in a log.
fn seconds(log: &str) -> Option<f64> {
    let mut rest = log;
    while let Some((_, after)) = rest.split_once("RUNTIME:") {
        rest = after;
        let (number, _) = after.trim_start().split_once(" !#!#")?;
        let is_number = !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit() || b == b'.');
        if is_number {
            return number.parse().ok();
        }
    }
    None
}

/// Names and paths in a folder by modification time, then by name.
fn by_change(folder: &Path) -> Result<Vec<(String, PathBuf)>> {
    let mut entries: Vec<(SystemTime, String, PathBuf)> = Vec::new();
    for entry in fs::read_dir(folder).map_err(Error::io(say!("read"), folder))? {
        let path = entry.map_err(Error::io(say!("read"), folder))?.path();
        let modified =
            fs::metadata(&path).and_then(|meta| meta.modified()).map_err(Error::io(say!("read"), &path))?;
        let name = name_of(&path);
        entries.push((modified, name, path));
    }
    entries.sort_by(|a, b| a.0.cmp(&b.0).then_with(|| natural(&a.1, &b.1)));
    Ok(entries.into_iter().map(|(_, name, path)| (name, path)).collect())
}
