//! The attempt that a fork starts from, with its settings. It is an attempt of a run, of a
//! published log, or of another fork.

use crate::Runs;
use crate::runs::library::EarlierRun;
use koab_core::fork::{ForkOf, from_log};
use koab_core::pack::Pack;
use koab_core::run_record::{AttemptRecord, RequestedSettings};
use koab_core::say;
use koab_core::sentence::Sentence;
use koab_core::task::Task;
use koab_library::forkable::no_fork;
use koab_library::{Origin, RunRequest};
use koab_store::forks::PREFIX;
use koab_store::run_log::attempt_at;
use koab_workspace::WireError;

/// An attempt that can be forked.
pub(super) struct Source {
    pub(super) of: ForkOf,
    pub(super) record: AttemptRecord,
    /// Whether the attempt comes from a published log.
    pub(super) from_log: bool,
    /// Settings of a run that makes only this attempt.
    pub(super) options: RunRequest,
    pub(super) pack: Pack,
    pub(super) task: Task,
    /// Differences between the conditions of the attempt and the conditions today.
    pub(super) notes: Vec<Sentence>,
}

impl Runs {
    pub(super) fn fork_source(&self, run: &str, task: &str, repetition: u32) -> Result<Source, WireError> {
        if run.starts_with(PREFIX) {
            fork_of_fork(self, run)
        } else {
            self.fork_of_run(run, task, repetition)
        }
    }

    fn fork_of_run(&self, run: &str, task: &str, repetition: u32) -> Result<Source, WireError> {
        let opened = self.library.open_run(run)?;
        let lines = opened.journal.of_task(task);
        let level = self.library.level_of(&opened, task, &lines)?;
        if let Some(why) = no_fork(opened.spec(), task, &level) {
            return Err(WireError::bad_request(why));
        }
        let of = ForkOf {
            run: opened.entry.id.clone(),
            fork: None,
            task: task.to_owned(),
            level: level.clone(),
            repetition,
        };
        let mut notes = Vec::new();
        let options = match &opened.manifest {
            Some(manifest) => EarlierRun::of_manifest(&opened.entry.id, manifest.clone())
                .options(&RunRequest::published("", ""))?,
            None => {
                notes.push(
                    say!("The log has no settings of the model; the published settings are used (temperature 0.7, 1024 output tokens, 10 steps)."),
                );
                RunRequest {
                    pack: self.library.pack_of(&opened)?.map(|pack| pack.label()),
                    ..RunRequest::published("", &self.library.model_of(&opened, None))
                }
            }
        };
        if let Some(line) = lines.iter().find(|line| line.repetition == repetition) {
            let record = attempt_at(&opened.entry.run.folder, line.place())?;
            return self.source(of, record, false, options, notes);
        }
        let log = opened.entry.run.levels.contains_key(&level);
        let log = log.then(|| self.library.level(&opened, &level)).transpose()?;
        let logged = log.as_ref().and_then(|log| log.tasks.iter().find(|logged| logged.id == task));
        let Some((log, logged)) = log.as_ref().zip(logged).filter(|_| repetition == 1) else {
            return Err(WireError::not_found(say!(
                "the run {} has no finished attempt {repetition} at {task}; wait for it, or name another --repetition",
                of.run
            )));
        };
        let options = match &opened.manifest {
            Some(_) => options,
            None => RunRequest { model: self.library.model_of(&opened, Some(log.as_ref())), ..options },
        };
        let record = from_log(level, logged, options.settings.max_steps);
        let instruction = logged.get("instruction").as_str().unwrap_or_default().to_owned();
        let source = self.source(of, record, true, options, notes)?;
        if source.task.instruction() != instruction {
            return Err(WireError::not_found(say!(
                "{task} of the run differs from {task} of pack {}; import the run's pack",
                source.pack.label()
            )));
        }
        Ok(source)
    }

    fn source(
        &self,
        of: ForkOf,
        record: AttemptRecord,
        from_log: bool,
        options: RunRequest,
        mut notes: Vec<Sentence>,
    ) -> Result<Source, WireError> {
        let options = RunRequest {
            levels: Vec::new(),
            tasks: vec![of.task.clone()],
            settings: RequestedSettings { repetitions: 1, ..options.settings },
            concurrency: None,
            save_logs: false,
            origin: Origin::New,
            max_cost: None,
            max_total_tokens: None,
            ..options
        };
        let options = self.with_its_pack(options)?;
        let (pack, mut tasks) = self.tasks_of(&options)?;
        let task = tasks
            .pop()
            .ok_or_else(|| WireError::not_found(say!("pack {} has no task {}", pack.label(), of.task)))?;
        notes.push(
            say!("Data that the provider sent with earlier turns, such as the model's thinking, is not saved and is not shown to the model again."),
        );
        Ok(Source { of, record, from_log, options, pack, task, notes })
    }
}

fn fork_of_fork(runs: &Runs, fork: &str) -> Result<Source, WireError> {
    let file = runs.forks().read(fork)?;
    let Some(record) = file.record else {
        return Err(WireError::bad_request(say!(
            "the fork {} has not come to an end, so nothing can be forked in it; fork its original at step {} again",
            file.id,
            file.step
        )));
    };
    let Some(made) = file.run else {
        return Err(WireError::bad_request(say!(
            "the fork {} cannot be forked: its settings were not saved",
            file.id
        )));
    };
    let options = EarlierRun::of_manifest(&file.id, made).options(&RunRequest::published("", ""))?;
    let of = ForkOf { fork: Some(file.id), ..file.of };
    runs.source(of, record, file.from_log, options, Vec::new())
}
