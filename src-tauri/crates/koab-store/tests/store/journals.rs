//! Damaged journals on the disk: read by the index, read after the run is opened to go on, and attempt by attempt.

use crate::records::{attempt, start, step};
use koab_core::event::{LevelPlan, RunOutcome};
use koab_core::level::Level;
use koab_core::run_record::{
    AttemptEnd as _, AttemptRecord, AttemptSummary, AttemptTally, Journal, JournalLine, RunManifest, RunSpec,
    StopReason,
};
use koab_core::split_mix::SplitMix;
use koab_store::journal_index::JournalIndex;
use koab_store::run_log::{JOURNAL, attempt_at};
use koab_store::{FolderLog, RunFolder};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// Bits turned over, and ends cut off.
const FLIPS: usize = 2_000;
const CUTS: usize = 300;

/// A run that failed in part, was killed, and went on to its end.
fn lines() -> Vec<JournalLine> {
    let mut lines = vec![start(1)];
    let end = |lines: &mut Vec<JournalLine>, task: &str, stop, took_s| {
        let record = attempt(task, 1, stop, took_s);
        lines.extend([step(&record), JournalLine::Attempt { record }]);
    };
    end(&mut lines, "L1-001", StopReason::Answered, 1.0);
    end(&mut lines, "L1-002", StopReason::ModelFailed, 2.0);
    lines.extend([step(&attempt("L1-003", 1, StopReason::Answered, 3.0)), start(9)]);
    end(&mut lines, "L1-002", StopReason::Answered, 4.0);
    end(&mut lines, "L1-003", StopReason::StepLimit, 5.0);
    lines.push(JournalLine::End { outcome: RunOutcome::Completed, reason: None });
    lines
}

fn manifest(whole: &Journal<AttemptSummary>) -> RunManifest {
    let tasks = ["L1-001", "L1-002", "L1-003"].map(str::to_owned).into();
    let level = Level::L1;
    let mut manifest =
        RunManifest::begun(RunSpec::published("r", "pack@1", "a/b"), 9, vec![LevelPlan { level, tasks }]);
    manifest.outcome = Some(RunOutcome::Completed);
    let mut tally = AttemptTally::default();
    whole.attempts.iter().for_each(|attempt| tally.add(attempt));
    manifest.count(3, &tally);
    manifest
}

fn counted<'a>(attempts: impl Iterator<Item = &'a AttemptSummary>) -> Vec<AttemptSummary> {
    attempts.cloned().collect()
}

/// Every attempt that counts is read from its line as it was written.
fn all_as_written(folder: &Path, attempts: &[AttemptSummary], round: usize) {
    for attempt in attempts {
        let read = attempt_at(folder, attempt.place()).expect("its line is there");
        assert!(
            lines().contains(&JournalLine::Attempt { record: read }),
            "round {round}: {:?} was never written",
            attempt.key()
        );
    }
}

#[test]
fn no_flipped_bit_and_no_cut_changes_what_an_index_counts_silently() {
    let texts = lines().into_iter().map(|line| line.text().expect("JSON"));
    let content = texts.collect::<String>().into_bytes();
    let whole: Journal<AttemptSummary> = Journal::read(&content);
    let (manifest, wanted) = (manifest(&whole), counted(whole.attempts.iter()));
    assert_eq!(wanted.len(), 3);
    let (home, mut random, mut told) = (tempfile::tempdir().expect("a folder"), SplitMix(20_261_126), 0);
    let folder = home.path();
    for round in 0..FLIPS + CUTS {
        let mut damaged = content.clone();
        if round < FLIPS {
            let at = random.below(content.len());
            damaged[at] ^= 1 << random.below(8);
        } else {
            damaged.truncate(random.below(content.len()));
        }
        // The index of a page that was opened while the run was made, and which follows it.
        let mut index = JournalIndex::default();
        fs::write(folder.join(JOURNAL), &damaged[..random.below(damaged.len() + 1)]).expect("written");
        index.update(folder).expect("read");
        fs::write(folder.join(JOURNAL), &damaged).expect("written");
        index.update(folder).expect("read");
        let (found, problems) = (counted(index.attempts()), index.problems(Some(&manifest)));
        assert!(
            !problems.is_empty() || found == wanted,
            "round {round} changed what counts and nothing says so"
        );
        told += usize::from(!problems.is_empty());
        all_as_written(folder, &found, round);

        // As a start that goes on with the run finds it.
        drop(FolderLog::resume(folder).expect("opened"));
        let run = RunFolder { folder: folder.to_owned(), levels: BTreeMap::new() };
        let mended: Journal<AttemptSummary> = run.journal().expect("read");
        let found = counted(mended.attempts.iter());
        assert!(
            !mended.problems(Some(&manifest)).is_empty() || found == wanted,
            "round {round} changed what a resume finds and nothing says so"
        );
        all_as_written(folder, &found, round);
        let kept: Journal<AttemptRecord> = run.journal().expect("read");
        assert!(kept.finished().into_iter().all(|attempt| !attempt.stop.is_technical()));
    }
    assert!(told > (FLIPS + CUTS) * 98 / 100, "nearly every one is told: {told}");
}
