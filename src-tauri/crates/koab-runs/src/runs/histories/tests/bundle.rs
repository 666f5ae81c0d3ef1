//! Checks a run as its bundle would be checked, without writing an archive.

use super::world::tool;
use koab_bundle::bundle::{
    AttemptReader, Contents, FORMAT, Findings, JournalReader, Manifest, RUN, Subject, Without, WithoutWhat,
    created, examine, level_log,
};
use koab_core::task::Task;
use koab_store::run_log::{JOURNAL, MANIFEST};
use koab_store::runs::RunEntry;
use std::fs;

/// Errors that the check of the run's bundle finds. A bundle with such an error is not written.
pub(super) fn failures(entry: &RunEntry, tasks: &[Task]) -> Vec<String> {
    let (mut contents, mut findings) = (Contents::default(), Findings::default());
    for task in tasks {
        let of_level = contents.pack.tasks.entry(task.level.clone()).or_default();
        of_level.push(task.clone());
    }
    contents.pack.tools.push(tool());
    for (level, path) in &entry.run.levels {
        let log = fs::read(path).expect("a log");
        contents.take(&level_log(level), log, &mut findings);
    }
    let folder = &entry.run.folder;
    contents.take(RUN, fs::read(folder.join(MANIFEST)).expect("a manifest"), &mut findings);
    let journal = fs::read(folder.join(JOURNAL)).expect("a journal");
    let (whole, cut_off) = match journal.iter().rposition(|byte| *byte == b'\n') {
        Some(end) => (&journal[..end], end + 1 < journal.len()),
        None => (&journal[..0], !journal.is_empty()),
    };
    let lines = || whole.split(|byte| *byte == b'\n');
    let mut reader = JournalReader::default();
    lines().for_each(|line| reader.line(line, &mut findings));
    contents.journal = Some(reader.finish(cut_off, &mut findings));
    let manifest = Manifest {
        format: FORMAT,
        kind: "run".to_owned(),
        made_by: "koab".to_owned(),
        created: created(&contents),
        subject: Subject::from_contents(&entry.id, &contents),
        reports: Vec::new(),
        without: vec![Without { what: WithoutWhat::Reports, count: 1 }],
        files: Vec::new(),
    };
    let mut attempts = AttemptReader::new(&contents, &mut findings).expect("it has a journal");
    lines().for_each(|line| attempts.line(line, &mut findings));
    let attempts = attempts.finish(&manifest, &mut findings);
    examine(&manifest, &contents, Some(&attempts), &mut findings);
    let failed = findings.into_checks().into_iter().filter(|check| check.is_error());
    failed.map(|check| check.located().to_string()).collect()
}
