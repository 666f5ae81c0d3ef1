//! Parts of a run whose starts overlap, and damaged files of theirs: what a merge takes, counts and tells.

use crate::records::{attempt, step};
use koab_core::run_record::{AttemptEnd as _, AttemptRecord, Journal, JournalLine, OpenSteps, StopReason};
use koab_core::split_mix::SplitMix;
use koab_engine::plan::Shard;
use koab_engine::ports::RunLog as _;
use koab_store::run_log::JOURNAL;
use koab_store::shards::{MergeCounts, SHARDS, ShardLog, files, remove, take_in};
use koab_store::{FolderLog, RunFolder};
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::Path;
use tempfile::TempDir;

const PLAN: &str = "plan";
const ONE: Shard = Shard { index: 0, of: 1 };
const TASKS: [&str; 3] = ["L1-001", "L1-002", "L1-003"];

/// What a start has of an attempt at its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Made {
    Nothing,
    /// A step, and then it was killed.
    Begun,
    Failed,
    Answered,
}

/// One start: what it has of each task.
type Start = [Made; TASKS.len()];

/// No two attempts take equally long.
fn record(start: usize, task: usize, stop: StopReason) -> AttemptRecord {
    attempt(TASKS[task], 1, stop, (start * TASKS.len() + task) as f64 + 1.5)
}

fn lines(number: usize, start: Start) -> Vec<JournalLine> {
    let mut lines = Vec::new();
    for (task, made) in start.into_iter().enumerate() {
        let stop = match made {
            Made::Failed => StopReason::ModelFailed,
            _ => StopReason::Answered,
        };
        let record = record(number, task, stop);
        if made != Made::Nothing {
            lines.push(step(&record));
        }
        if matches!(made, Made::Failed | Made::Answered) {
            lines.push(JournalLine::Attempt { record });
        }
    }
    lines
}

/// A run with these starts of its one part, all of which were open at once: none knew of what the others made.
fn overlapping(starts: &[Start]) -> TempDir {
    let home = tempfile::tempdir().expect("a folder");
    drop(FolderLog::start(home.path()).expect("begun"));
    let open = || ShardLog::start(home.path(), ONE, PLAN, None).expect("started").0;
    let logs: Vec<ShardLog> = starts.iter().map(|_| open()).collect();
    for (number, (mut log, start)) in logs.into_iter().zip(starts).enumerate() {
        let last = number + 1 == starts.len();
        assert_eq!(log.is_taken_over(), !last, "an earlier start sees the later one");
        for line in lines(number, *start) {
            log.append(&line).expect("written");
        }
    }
    home
}

fn merged(folder: &Path) -> Result<(MergeCounts, Journal<AttemptRecord>), koab_store::Error> {
    let run = RunFolder { folder: folder.to_owned(), levels: BTreeMap::new() };
    let counts = take_in(&run, &mut FolderLog::resume(folder)?, PLAN)?;
    Ok((counts, run.journal()?))
}

/// The attempts that count, and how many were left out for them.
fn expected(starts: &[Start]) -> (Vec<AttemptRecord>, usize) {
    let (mut counting, mut doubled) = (Vec::new(), 0);
    for task in 0..TASKS.len() {
        let with = |made| starts.iter().enumerate().filter(move |(_, start)| start[task] == made);
        let answered: Vec<usize> = with(Made::Answered).map(|(number, _)| number).collect();
        let failed: Vec<usize> = with(Made::Failed).map(|(number, _)| number).collect();
        let first = answered.first();
        counting.extend(match (first, failed.last()) {
            (Some(number), _) => Some(record(*number, task, StopReason::Answered)),
            (None, Some(number)) => Some(record(*number, task, StopReason::ModelFailed)),
            (None, None) => None,
        });
        // What came behind one that counts is left out, whatever it came to.
        let behind = |number: &&usize| first.is_some_and(|first| *number > first);
        doubled += answered.iter().chain(&failed).filter(behind).count();
    }
    (counting, doubled)
}

fn sorted(journal: &Journal<AttemptRecord>) -> Vec<AttemptRecord> {
    let mut all: Vec<AttemptRecord> = journal.attempts.iter().cloned().collect();
    all.sort_by(|one, other| one.key().cmp(&other.key()));
    all
}

#[test]
fn the_earliest_start_counts_and_what_it_left_is_taken_from_the_next() {
    use Made::{Answered, Begun, Failed, Nothing};
    for (starts, attempts, doubled) in [
        // Both made the first; the second and third are each of one of them.
        (&[[Answered, Answered, Nothing], [Answered, Nothing, Answered]][..], 3, 1),
        // The earlier one was killed in the middle.
        (&[[Answered, Begun, Nothing], [Answered, Answered, Answered]], 3, 1),
        // A failure gives way, and is not counted as made twice.
        (&[[Failed, Answered, Answered], [Answered, Failed, Answered]], 4, 2),
        // Nothing was made twice.
        (&[[Answered, Nothing, Nothing], [Nothing, Answered, Begun]], 2, 0),
        // Three at once.
        (&[[Begun, Answered, Nothing], [Answered, Answered, Answered], [Answered; 3]], 3, 4),
    ] {
        let home = overlapping(starts);
        let (counts, journal) = merged(home.path()).expect("merged");
        let (wanted, twice) = expected(starts);
        assert_eq!(twice, doubled, "{starts:?}");
        assert_eq!((counts.attempts, counts.doubled), (attempts, doubled), "{starts:?}");
        assert_eq!((sorted(&journal), counts.damaged), (wanted, Vec::new()), "{starts:?}");
        let steps = fs::read_to_string(home.path().join(JOURNAL)).expect("read");
        for record in journal.finished() {
            let step = step(&record).text().expect("JSON");
            assert!(steps.contains(&step), "the steps of what counts are there");
        }
        let (again, journal) = merged(home.path()).expect("merged again");
        assert_eq!(again, MergeCounts::default(), "and nothing twice");
        assert_eq!(sorted(&journal), expected(starts).0);
    }
}

/// Each start of a part failed, so that the steps of both stand in the journal: with both ends, behind which they belong.
#[test]
fn all_that_failed_is_taken_in_and_the_last_counts() {
    use Made::Failed;
    let starts = [[Failed; 3], [Failed; 3]];
    let home = overlapping(&starts);
    let (counts, journal) = merged(home.path()).expect("merged");
    assert_eq!((counts.attempts, counts.doubled), (6, 0));
    assert_eq!(sorted(&journal), expected(&starts).0);
    let spent = journal.spent();
    fs::remove_file(home.path().join(SHARDS).join("taken.json")).expect("it was written");
    let (again, journal) = merged(home.path()).expect("merged again");
    assert_eq!((again, journal.spent()), (MergeCounts::default(), spent));
}

#[test]
fn a_line_of_a_worker_without_its_end_is_nobody_s() {
    let home = overlapping(&[]);
    let (mut log, _) = ShardLog::start(home.path(), ONE, PLAN, None).expect("started");
    let step = step(&record(0, 0, StopReason::Answered));
    let place = log.append(&step).expect("written");
    drop(log);
    let file = files(home.path()).expect("listed").remove(0).path;
    let cut = File::options().write(true).open(&file).expect("opened");
    for (missing, steps) in [(0, 1), (1, 0)] {
        cut.set_len(place.offset + u64::from(place.length) - missing).expect("cut");
        let (log, mut earlier) = ShardLog::start(home.path(), ONE, PLAN, None).expect("started");
        drop(log);
        let kept = earlier.journal.take_steps(OpenSteps::new());
        assert_eq!(kept.len(), steps, "{missing} bytes are missing");
        fs::remove_file(home.path().join(JOURNAL)).expect("removed");
        fs::remove_file(home.path().join(SHARDS).join("taken.json")).unwrap_or_default();
        let (_, mut journal) = merged(home.path()).expect("merged");
        assert_eq!(journal.take_steps(OpenSteps::new()), kept, "a merge has the same");
    }
}

/// The run's journal has steps of such an attempt that are older than its end, until a merge has copied the end.
#[test]
fn an_attempt_that_ended_is_told_until_it_is_merged() {
    let home = overlapping(&[[Made::Failed, Made::Begun, Made::Answered]]);
    let ended = || {
        let (_, earlier) = ShardLog::start(home.path(), ONE, PLAN, None).expect("started");
        earlier.ended.len()
    };
    assert_eq!(ended(), 2);
    merged(home.path()).expect("merged");
    assert_eq!(ended(), 0);
}

#[test]
fn a_step_that_stands_twice_in_a_worker_s_file_is_taken_once() {
    let home = overlapping(&[[Made::Begun, Made::Nothing, Made::Nothing]]);
    let file = files(home.path()).expect("listed").remove(0).path;
    let text = fs::read_to_string(&file).expect("read");
    let step = text.lines().last().expect("a step");
    fs::write(&file, format!("{text}{step}\n")).expect("written");
    merged(home.path()).expect("merged");
    let journal = fs::read_to_string(home.path().join(JOURNAL)).expect("read");
    assert_eq!(journal.matches(step).count(), 1);
}

/// It would make attempts that nobody takes.
#[test]
fn a_start_whose_file_was_removed_is_taken_over() {
    let home = overlapping(&[]);
    let (mut log, _) = ShardLog::start(home.path(), ONE, PLAN, None).expect("started");
    assert!(!log.is_taken_over());
    remove(home.path()).expect("removed");
    assert!(log.is_taken_over());
}

fn starts() -> impl Strategy<Value = Vec<Start>> {
    let made = prop_oneof![Just(Made::Nothing), Just(Made::Begun), Just(Made::Failed), Just(Made::Answered)];
    proptest::collection::vec([made.clone(), made.clone(), made], 1..4)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    /// However starts overlap, the earliest counts and the doubles are counted.
    #[test]
    fn overlapping_starts_come_to_the_earliest_of_each(starts in starts()) {
        let home = overlapping(&starts);
        let (counts, journal) = merged(home.path()).expect("merged");
        let (wanted, doubled) = expected(&starts);
        prop_assert_eq!(sorted(&journal), wanted);
        prop_assert_eq!((counts.doubled, counts.damaged), (doubled, Vec::new()));
    }

    /// Merges while workers write, some of them killed before they wrote down how far they came: an attempt once, and what
    /// is counted as made twice is neither more nor less.
    #[test]
    fn merges_while_starts_write_take_each_attempt_once(
        order in proptest::collection::vec((0..2usize, any::<bool>(), any::<bool>()), 12), both in any::<bool>(),
    ) {
        let home = overlapping(&[]);
        let open = || ShardLog::start(home.path(), ONE, PLAN, None).expect("started").0;
        let mut logs = [open(), open()];
        let made = [[Made::Answered; 3], if both { [Made::Answered; 3] } else { [Made::Nothing; 3] }];
        let mut left = [0, 1].map(|number| lines(number, made[number]).into_iter());
        let (mut attempts, mut doubled) = (0, 0);
        let rest = (0..12).map(|number| (number % 2, number == 11, false));
        for (number, merges, killed) in order.into_iter().chain(rest) {
            if let Some(line) = left[number].next() {
                logs[number].append(&line).expect("written");
            }
            if merges {
                let (counts, journal) = merged(home.path()).expect("merged");
                attempts += counts.attempts;
                doubled += counts.doubled;
                prop_assert_eq!(journal.attempts.len(), attempts);
                if killed {
                    // What it had taken in is in the journal, so that the next one takes it for known.
                    fs::remove_file(home.path().join(SHARDS).join("taken.json")).expect("it was written");
                    doubled = 0;
                }
            }
        }
        let (_, journal) = merged(home.path()).expect("merged");
        prop_assert_eq!((attempts, doubled), (3, if both { 3 } else { 0 }));
        for record in journal.finished() {
            let task = TASKS.iter().position(|task| *task == record.task).expect("known");
            let one = (0..2).any(|number| record == self::record(number, task, StopReason::Answered));
            prop_assert!(one, "as a worker wrote it");
        }
    }
}

/// Bits turned over in a worker's file, and ends cut off.
const FLIPS: usize = 1_000;
const CUTS: usize = 200;

#[test]
fn no_flipped_bit_and_no_cut_in_a_worker_s_file_changes_what_is_merged_silently() {
    use Made::{Answered, Begun, Failed};
    let starts = [[Answered, Failed, Begun], [Answered, Answered, Answered]];
    let home = overlapping(&starts);
    let folder = home.path();
    let (whole, _) = merged(folder).expect("merged");
    let (wanted, _) = expected(&starts);
    let paths: Vec<_> = files(folder).expect("listed").into_iter().map(|file| file.path).collect();
    let contents: Vec<Vec<u8>> = paths.iter().map(|path| fs::read(path).expect("read")).collect();
    let written: Vec<AttemptRecord> = (0..starts.len())
        .flat_map(|number| lines(number, starts[number]))
        .filter_map(|line| match line {
            JournalLine::Attempt { record } => Some(record),
            _ => None,
        })
        .collect();
    let (mut random, mut told) = (SplitMix(20_261_126), 0);
    for round in 0..FLIPS + CUTS {
        let which = random.below(contents.len());
        let mut damaged = contents[which].clone();
        if round < FLIPS {
            let at = random.below(damaged.len());
            damaged[at] ^= 1 << random.below(8);
        } else {
            damaged.truncate(random.below(damaged.len()));
        }
        for (number, path) in paths.iter().enumerate() {
            fs::write(path, if number == which { &damaged } else { &contents[number] }).expect("written");
        }
        fs::remove_file(folder.join(JOURNAL)).expect("removed");
        fs::remove_file(folder.join(SHARDS).join("taken.json")).unwrap_or_default();
        let Ok((counts, journal)) = merged(folder) else {
            // Of a first line that is not what was written nothing is known, and the file is named.
            let journal = fs::read(folder.join(JOURNAL)).expect("read");
            assert!(journal.is_empty(), "round {round}: a refused merge takes nothing");
            told += 1;
            continue;
        };
        let merged = sorted(&journal);
        for record in &merged {
            assert!(written.contains(record), "round {round}: {record:?} was never written");
        }
        assert_eq!(journal.damaged, [], "round {round}: what is damaged is not copied");
        // An end that is missing looks as one that a killed worker had not written yet: its attempts are missing, or of the next start.
        let is_open = round >= FLIPS || damaged.last() != Some(&b'\n');
        assert!(
            merged == wanted || !counts.damaged.is_empty() || is_open,
            "round {round} changed what is merged and nothing says so"
        );
        let all = counts.attempts + counts.doubled;
        assert!(all <= whole.attempts + whole.doubled, "round {round}: nothing is counted more than once");
        told += usize::from(!counts.damaged.is_empty());
    }
    assert!(told * 100 > FLIPS * 95, "nearly every flip is told: {told}");
}
