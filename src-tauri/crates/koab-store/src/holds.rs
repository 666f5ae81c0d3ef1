//! Spending of a run, with one file for each start of a process: `holds/<spender>.<start>.json` in
//! the run's folder. It includes the amount reserved for calls in flight.
//!
//! Each file has one writer. A killed process has paid for calls whose answers are in no journal.
//! Therefore its reservations count as spent, so that a cap holds after any number of kills
//! (`docs/design/runs.md`).
//!
//! A file is one line of fixed length. The whole line is rewritten before and after each call. No
//! two machines share a file, so this also works on a network folder.

use crate::error::{Error, Result};
use crate::folder;
use koab_core::say;
use koab_core::sentence::Sentence;
use koab_engine::ports::{Amount, Ledger, StoreError};
use serde::{Deserialize, Serialize};
use std::fs::{self, File};
use std::io::{self, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// Name of the folder in a run's folder.
const HOLDS: &str = "holds";
/// Size of a file in bytes, always more than its numbers need.
const FILE_BYTES: usize = 256;

/// Spender of a run's budget: the run itself, one of its shards, or its judges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spender {
    /// The run as a whole.
    Run,
    /// The workers of one shard, by its 0-based number.
    Part(u32),
    /// The judges of the run, until their scoring is complete.
    Judges,
    /// The judges of the run in a sweep, a set of runs over all combinations of some settings. The
    /// cap of a sweep covers every scoring of its runs.
    SweepJudges,
}

impl Spender {
    fn name(self) -> String {
        match self {
            Self::Run => "run".to_owned(),
            Self::Part(index) => format!("part-{index}"),
            Self::Judges => "judges".to_owned(),
            Self::SweepJudges => "sweep-judges".to_owned(),
        }
    }

    /// Whether the spending of `whose` comes from the same budget. A run's budget includes its
    /// shards.
    fn shares_with(self, whose: &str) -> bool {
        match self {
            Self::Run => ![Self::Judges, Self::SweepJudges].iter().any(|other| whose == other.name()),
            own => whose == own.name(),
        }
    }
}

/// Content of one file in [`HOLDS`]: the amounts that one start of a process has spent and
/// reserved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Entry {
    /// Tokens that the journal contained when the process of this file started.
    journal_tokens: u64,
    journal_usd: f64,
    spent_tokens: u64,
    spent_usd: f64,
    held_tokens: u64,
    held_usd: f64,
    in_flight: u32,
}

/// Spending of earlier starts of a run that the journal does not contain.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Lost {
    /// Upper bound in USD and tokens.
    pub amount: Amount,
    /// Number of calls that were in flight when the processes died.
    pub calls: u32,
}

/// File of one start, open for writing.
pub struct HoldFile {
    path: PathBuf,
    /// Path of the next start's file. It exists once another process has started the same shard.
    next: Option<PathBuf>,
    state: Mutex<(File, Entry)>,
}

/// Creates the file for a new start of a process that spends as `spender`. `journal` is the amount
/// that the spender's journal has recorded so far.
///
/// Returns the file, and the spending of earlier starts that the journal does not contain.
///
/// # Errors
/// When a file of an earlier start cannot be read, or the disk refuses.
pub fn start(run: &Path, spender: Spender, journal: Amount) -> Result<(HoldFile, Lost)> {
    let folder = run.join(HOLDS);
    fs::create_dir_all(&folder).map_err(|error| Error::io("create", &folder, &error))?;
    let name = |number: u32| folder.join(format!("{}.{number}.json", spender.name()));
    let (path, file, number) = loop {
        let last = files(&folder)?.into_iter().filter(|(whose, ..)| *whose == spender.name());
        let number = last.map(|(_, number, _)| number).max().map_or(1, |last| last + 1);
        let path = name(number);
        match File::options().write(true).create_new(true).open(&path) {
            Ok(file) => break (path, file, number),
            // Another process created this start at the same moment. Try the next number.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(Error::io("create", &path, &error)),
        }
    };
    let entry = Entry { journal_tokens: journal.tokens, journal_usd: journal.cost, ..Entry::default() };
    let file = HoldFile {
        // A run and its judges are locked, but a shard may have several starts at once.
        next: matches!(spender, Spender::Part(_)).then(|| name(number + 1)),
        state: Mutex::new((file, entry)),
        path,
    };
    file.change(|_| {})?;
    // Read after creating the own file: a process that is still at work then either sees that file
    // or is counted here.
    let lost = lost(&folder, spender, journal, &file.path)?;
    Ok((file, lost))
}

/// Spending of all starts of `spender` that the journal does not contain. `journal` is the recorded
/// amount.
///
/// # Errors
/// When a file cannot be read.
pub fn lost_so_far(run: &Path, spender: Spender, journal: Amount) -> Result<Lost> {
    lost(&run.join(HOLDS), spender, journal, Path::new(""))
}

/// Spending of the run's starts that the journal does not contain, without the run's shards.
/// `journal` is the recorded amount.
///
/// # Errors
/// When a file cannot be read.
pub fn lost_without_parts(run: &Path, journal: Amount) -> Result<Lost> {
    let is_whole = |whose: &str| whose == Spender::Run.name();
    lost_of(&run.join(HOLDS), Spender::Run, is_whole, journal, Path::new(""))
}

fn lost(folder: &Path, spender: Spender, journal: Amount, own: &Path) -> Result<Lost> {
    lost_of(folder, spender, |whose| spender.shares_with(whose), journal, own)
}

fn lost_of(
    folder: &Path,
    spender: Spender,
    counts: impl Fn(&str) -> bool,
    journal: Amount,
    own: &Path,
) -> Result<Lost> {
    let (mut took, mut calls, mut first) = (Amount::default(), 0, None::<Entry>);
    for (owner, _, path) in files(folder)? {
        if path == own || !counts(&owner) {
            continue;
        }
        let Some(entry) = read(&path)? else { continue };
        took.tokens = took.tokens.saturating_add(entry.spent_tokens).saturating_add(entry.held_tokens);
        took.cost += entry.spent_usd + entry.held_usd;
        calls += entry.in_flight;
        // Spending in the journal before the first start is in none of the files.
        if owner == spender.name() && first.is_none_or(|first| entry.journal_tokens < first.journal_tokens) {
            first = Some(entry);
        }
    }
    let before = first.unwrap_or_default();
    Ok(Lost {
        amount: Amount {
            cost: (took.cost + before.journal_usd - journal.cost).max(0.0),
            tokens: took.tokens.saturating_add(before.journal_tokens).saturating_sub(journal.tokens),
        },
        calls,
    })
}

/// Removes the files of a run's judges, once their scoring is complete.
///
/// # Errors
/// When the disk refuses.
pub fn forget_judges(run: &Path) -> Result<()> {
    for (owner, _, path) in files(&run.join(HOLDS))? {
        if owner == Spender::Judges.name() {
            fs::remove_file(&path).map_err(|error| Error::io("remove", &path, &error))?;
        }
    }
    Ok(())
}

/// Files of a run's starts, as (spender, number of the start, path).
fn files(folder: &Path) -> Result<Vec<(String, u32, PathBuf)>> {
    let mut files = Vec::new();
    for entry in folder::entries(folder)? {
        let path = entry.path();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let parts = name.strip_suffix(".json").and_then(|name| name.rsplit_once('.'));
        if let Some((owner, Ok(number))) = parts.map(|(owner, number)| (owner.to_owned(), number.parse())) {
            files.push((owner, number, path));
        }
    }
    files.sort();
    Ok(files)
}

/// Content of a file. `None` when its process died before the first write.
fn read(path: &Path) -> Result<Option<Entry>> {
    let text = fs::read_to_string(path).map_err(|error| Error::io("read", path, &error))?;
    if text.trim().is_empty() {
        return Ok(None);
    }
    let read = serde_json::from_str(text.trim());
    read.map(Some).map_err(|error| {
        Error::BadFile(say!(
            "{} is damaged, so what the run has spent is not known ({error}); give caps for what is still to be spent and move the file away",
            path.display()
        ))
    })
}

impl HoldFile {
    /// Changes the content of the file, in one write.
    fn change(&self, change: impl FnOnce(&mut Entry)) -> Result<()> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let (file, entry) = &mut *state;
        change(entry);
        let mut line = serde_json::to_vec(entry).unwrap_or_default();
        line.resize(FILE_BYTES - 1, b' ');
        line.push(b'\n');
        let outcome = file.seek(SeekFrom::Start(0)).and_then(|_| file.write_all(&line));
        outcome.map_err(|error| Error::io("write", &self.path, &error))
    }
}

impl Ledger for HoldFile {
    fn hold(&self, most: Amount) -> std::result::Result<Option<Sentence>, StoreError> {
        self.change(|entry| {
            entry.held_tokens = entry.held_tokens.saturating_add(most.tokens);
            entry.held_usd += most.cost;
            entry.in_flight += 1;
        })
        .map_err(Error::of_run)?;
        if self.next.as_deref().is_some_and(Path::exists) {
            self.settle(most, Amount::default())?;
            return Ok(Some(say!("another start of this shard has taken it over")));
        }
        Ok(None)
    }

    fn settle(&self, held: Amount, spent: Amount) -> std::result::Result<(), StoreError> {
        let settled = self.change(|entry| {
            entry.in_flight = entry.in_flight.saturating_sub(1);
            entry.held_tokens = entry.held_tokens.saturating_sub(held.tokens);
            entry.held_usd -= held.cost;
            // Sums of floats leave rounding errors.
            if entry.in_flight == 0 {
                entry.held_usd = 0.0;
            }
            entry.spent_tokens = entry.spent_tokens.saturating_add(spent.tokens);
            entry.spent_usd += spent.cost;
        });
        settled.map_err(Error::of_run)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn amount(tokens: u64) -> Amount {
        Amount { cost: tokens as f64 / 1024.0, tokens }
    }

    #[test]
    fn what_was_in_flight_when_its_process_died_is_spent() {
        let run = tempfile::tempdir().expect("a folder");
        let begin = |journal: u64| start(run.path(), Spender::Run, amount(journal)).expect("begun");
        // A run of an earlier version, whose journal has 100.
        let (first, lost) = begin(100);
        assert_eq!(lost, Lost::default());
        for most in [50, 60] {
            assert_eq!(first.hold(amount(most)).expect("asked"), None);
        }
        first.settle(amount(50), amount(20)).expect("settled");
        drop(first);
        // The journal has the 20 that were answered, and not the call that was in flight.
        let (second, lost) = begin(120);
        assert_eq!((lost.amount, lost.calls), (amount(60), 1));
        second.hold(amount(30)).expect("held");
        second.settle(amount(30), amount(10)).expect("settled");
        drop(second);
        // Killed before the journal had it.
        let (_, lost) = begin(120);
        assert_eq!((lost.amount, lost.calls), (amount(70), 1));
        let lost = lost_so_far(run.path(), Spender::Run, amount(130)).expect("read");
        assert_eq!((lost.amount, lost.calls), (amount(60), 1));
    }

    #[test]
    fn a_run_counts_its_parts_and_a_part_its_own_starts() {
        let run = tempfile::tempdir().expect("a folder");
        let begin = |spender| start(run.path(), spender, Amount::default()).expect("begun");
        for part in [0, 1] {
            let (file, _) = begin(Spender::Part(part));
            file.hold(amount(8 << part)).expect("held");
        }
        let (judges, _) = begin(Spender::Judges);
        judges.hold(amount(99)).expect("held");
        assert_eq!(begin(Spender::Part(0)).1.amount, amount(8));
        assert_eq!(begin(Spender::Run).1.amount, amount(24));
        assert_eq!(begin(Spender::Judges).1.amount, amount(99));
        forget_judges(run.path()).expect("forgotten");
        assert_eq!(begin(Spender::Judges).1, Lost::default());
    }

    #[test]
    fn whoever_is_taken_over_holds_nothing_more() {
        let run = tempfile::tempdir().expect("a folder");
        let begin = || start(run.path(), Spender::Part(3), Amount::default()).expect("begun");
        let (first, _) = begin();
        assert_eq!(first.hold(amount(5)).expect("asked"), None);
        let (second, lost) = begin();
        assert_eq!((lost.amount, lost.calls), (amount(5), 1));
        let refused = first.hold(amount(7)).expect("asked").expect("refused");
        assert_eq!(refused.to_string(), "another start of this shard has taken it over");
        assert_eq!(second.hold(amount(7)).expect("asked"), None);
        assert_eq!(
            lost_so_far(run.path(), Spender::Part(3), Amount::default()).expect("read").amount,
            amount(12)
        );
    }

    #[test]
    fn a_damaged_file_is_named_and_an_empty_one_says_nothing() {
        let run = tempfile::tempdir().expect("a folder");
        drop(start(run.path(), Spender::Run, Amount::default()).expect("begun"));
        let file = run.path().join("holds/run.1.json");
        fs::write(&file, "").expect("written");
        let lost = lost_so_far(run.path(), Spender::Run, Amount::default());
        assert_eq!(lost.expect("read"), Lost::default());
        fs::write(&file, "{\"held_").expect("written");
        let error = lost_so_far(run.path(), Spender::Run, Amount::default()).expect_err("damaged");
        assert!(error.to_string().contains("run.1.json is damaged"), "{error}");
    }
}
