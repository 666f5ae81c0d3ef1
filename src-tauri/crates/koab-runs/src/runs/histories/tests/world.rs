//! A run under test and the events of its history: starts, workers and merges. They call the
//! product's own code.

use super::bundle;
use super::disk::{Disk, Fate, Heard, Kill, cut};
use super::files::{Found, Key, Line, has_parts, journal, lines, of_part};
use super::server::{Asked, AskedState, Server, TOKENS, TOOL};
use crate::Runs;
use crate::runs::library::EarlierRun;
use crate::runs::taken_in::take_in;
use koab_core::catalog::ToolCatalog;
use koab_core::event::RunOutcome;
use koab_core::level::Level;
use koab_core::run_record::{AttemptSummary, RunChange, RunManifest, RunSpec};
use koab_core::split_mix::SplitMix;
use koab_core::task::{Task, parse_level};
use koab_core::tool::ToolSpec;
use koab_engine::budget::{Budget, Caps};
use koab_engine::call_limits::CallLimits;
use koab_engine::limited_model::LimitedModel;
use koab_engine::limiter::Limiter;
use koab_engine::no_model::NoModel;
use koab_engine::plan::{Plan, Shard};
use koab_engine::ports::{Cancel, ChangeInbox, Clock, Pause, RunLog, change_channel};
use koab_engine::{RunInput, RunPorts, RunReport, run};
use koab_library::ShardRequest;
use koab_stand_ins::MemoryCache;
use koab_store::runs::RunEntry;
use koab_store::shards::{self, SHARDS, ShardLog};
use koab_store::{FolderLog, RunFolder};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use tempfile::TempDir;

/// Size of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Shape {
    pub(super) tasks: u8,
    pub(super) repetitions: u8,
    /// Number of parts (shards) of the run.
    pub(super) parts: u8,
}

/// Conditions of one start of a run, and its end.
#[derive(Clone, Copy, Debug)]
pub(super) struct Course {
    /// Maximum number of attempts in flight.
    pub(super) concurrency: u8,
    /// Number (from 1) of the model call that fails; `None` if all succeed.
    pub(super) fails: Option<u8>,
    pub(super) end: End,
    /// Whether the disk is slow, so that the run continues before written lines are safe.
    pub(super) is_slow: bool,
    /// Seed of the random order in which calls are answered.
    pub(super) order: u64,
    /// Number of answers after which the start is asked for a change, and the change. Workers are
    /// not changed.
    pub(super) change: Option<(u8, Changed)>,
}

/// A change of a start. All but the last leave the results of the run as they are.
#[derive(Clone, Copy, Debug)]
pub(super) enum Changed {
    Concurrency(u8),
    /// No attempt has more than four steps.
    Steps(u8),
    Cap,
    Retry,
    /// The last task is left out.
    LeaveOut,
}

impl Changed {
    fn of_run(self, tasks: &[Task]) -> RunChange {
        match self {
            Self::Concurrency(to) => RunChange::Concurrency { to: to.into(), from: None },
            Self::Steps(to) => RunChange::MaxSteps { to: to.into(), from: None },
            Self::Cap => RunChange::MaxTotalTokens { to: Some(1_000_000), from: None },
            Self::Retry => RunChange::Retry { attempts: Vec::new() },
            Self::LeaveOut => {
                RunChange::LeaveOut { tasks: tasks.last().map(|task| task.id.clone()).into_iter().collect() }
            }
        }
    }
}

/// End of a start.
#[derive(Clone, Copy, Debug)]
pub(super) enum End {
    /// The start ends when no attempt is left to make.
    ByItself,
    /// The start is cancelled after this number of answers.
    Told(u8),
    Killed(Kill),
}

impl Course {
    /// A start that makes all attempts without a failure.
    pub(super) const CALM: Self =
        Self { concurrency: 2, fails: None, end: End::ByItself, is_slow: false, order: 1, change: None };

    fn kill(self) -> Option<Kill> {
        match self.end {
            End::Killed(kill) => Some(kill),
            _ => None,
        }
    }
}

/// A start of one part by a worker.
#[derive(Clone, Copy, Debug)]
pub(super) struct Worker {
    pub(super) part: u8,
    /// Number of answers to all workers of the event after which this worker begins. It also begins
    /// if no other worker is running.
    pub(super) after: u8,
    pub(super) course: Course,
}

/// Event in the history of a run.
#[derive(Clone, Debug)]
pub(super) enum Happens {
    /// The run is started or resumed in its own folder.
    Start(Course),
    /// Workers make parts of the run. The second field is a merge while they work: the number of
    /// answers after which it happens, and its kill.
    Workers(Vec<Worker>, Option<(u8, Option<Kill>)>),
    /// The results of the parts are merged into the run.
    Merge(Option<Kill>),
    /// One bit of a line of a file is flipped. The fields select the line and the byte, as
    /// fractions in 65,536ths.
    Damage(u16, u16),
    /// A line of a file is duplicated. The field selects the line, as a fraction in 65,536ths.
    Double(u16),
}

/// Permission for several starts of one part to run at the same time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Overlap {
    Never,
    Allowed,
}

const MODEL: &str = "scripted/one";
const PACK: &str = "histories@1";
/// Name of the run's folder: the date at which [`Day`] begins.
const DATE: &str = "20260101_000000";
/// 2026-01-01, milliseconds since the Unix epoch.
const BEGINS_MS: u64 = 1_767_225_600_000;

/// A clock that moves one millisecond each time it is read.
struct Day(AtomicU64);

impl Clock for Day {
    fn now_ms(&self) -> u64 {
        self.0.fetch_add(1, Ordering::Relaxed)
    }

    fn local_iso(&self) -> String {
        "2026-01-01T00:00:00.000001".to_owned()
    }
}

/// Tool that the tasks need. No response is cached for it.
pub(super) fn tool() -> ToolSpec {
    ToolSpec {
        name: TOOL.to_owned(),
        description: "A search for tests".to_owned(),
        parameters: json!({
            "type": "object", "properties": { "query": { "type": "string" } }, "required": ["query"]
        }),
    }
}

/// A run under test, with the answers that it received.
pub(super) struct World<'a> {
    runs: &'a Runs,
    home: TempDir,
    pub(super) folder: PathBuf,
    shape: Shape,
    overlap: Overlap,
    pub(super) tasks: Vec<Task>,
    pub(super) server: Server,
    clock: Arc<Day>,
    starts: usize,
    /// Answers that were in the files when their start had ended. They must be in the final
    /// journal.
    kept: BTreeSet<String>,
    /// Number of answers that were not in the files when their start had ended.
    lost: usize,
    /// Attempts with a damaged or duplicated line, and attempts that two starts may have made at
    /// the same time.
    pub(super) disturbed: BTreeSet<Key>,
    is_damaged: bool,
}

/// A start that has not ended yet.
struct Begun {
    start: usize,
    part: Option<u32>,
    file: PathBuf,
    course: Course,
    fate: Arc<Fate>,
}

impl<'a> World<'a> {
    pub(super) fn new(runs: &'a Runs, shape: Shape, overlap: Overlap) -> Self {
        let home = match Path::new("/dev/shm") {
            memory if memory.is_dir() => tempfile::tempdir_in(memory),
            _ => tempfile::tempdir(),
        };
        let home = home.expect("a folder");
        let folder = home.path().join(MODEL.replace('/', "_")).join(DATE);
        let stated = |level: u8, tasks: std::ops::Range<u8>| -> Vec<Task> {
            let tasks = tasks.map(|task| {
                json!({
                    "task_id": format!("L{level}-00{task}"), "instruction": "find it",
                    "golden_action": [{ "tool": TOOL, "args": { "query": "1" } }],
                })
            });
            let level = &Level::ALL[usize::from(level) - 1];
            parse_level(level, &Value::from(tasks.collect::<Vec<_>>())).0
        };
        // The last task is of level 2, and all others are of level 1.
        let tasks = [stated(1, 1..shape.tasks), stated(2, shape.tasks..shape.tasks + 1)].concat();
        Self {
            runs,
            home,
            folder,
            shape,
            overlap,
            tasks,
            server: Server::default(),
            clock: Arc::new(Day(BEGINS_MS.into())),
            starts: 0,
            kept: BTreeSet::new(),
            lost: 0,
            disturbed: BTreeSet::new(),
            is_damaged: false,
        }
    }

    fn spec(&self, concurrency: u8) -> RunSpec {
        let mut spec = RunSpec::published("history", PACK, MODEL);
        spec.settings.repetitions = self.shape.repetitions.into();
        spec.concurrency = concurrency.into();
        spec
    }

    fn entry(&self) -> Option<RunEntry> {
        Some(RunEntry {
            id: format!("{}/{DATE}", MODEL.replace('/', "_")),
            model_folder: MODEL.replace('/', "_"),
            date: DATE.to_owned(),
            run: RunFolder::open(&self.folder).ok()?,
        })
    }

    fn manifest(&self) -> Option<RunManifest> {
        self.entry()?.run.manifest().expect("it can be read")
    }

    fn fault(&self, what: String) {
        self.server.fault(what);
    }

    /// Applies one event to the run.
    pub(super) async fn happens(&mut self, what: &Happens) {
        match what {
            Happens::Start(course) => drop(self.start(*course).await),
            Happens::Workers(workers, merge) => self.workers(workers, *merge).await,
            Happens::Merge(kill) => self.merge(*kill).await,
            Happens::Damage(line, bit) => self.damage(*line, *bit),
            Happens::Double(line) => self.double(*line),
        }
    }

    /// Starts or resumes the run, as `Runs::prepare` does. Returns `None` if the process is killed
    /// before it makes attempts.
    pub(super) async fn start(&mut self, course: Course) -> Option<RunReport> {
        let mut kill = course.kill();
        let (log, earlier) = match self.entry().zip(self.manifest()) {
            None => {
                // A folder without a manifest cannot be resumed. A new run would get a new folder,
                // so the old folder is removed here.
                let _ = fs::remove_dir_all(&self.folder);
                (FolderLog::start(&self.folder).expect("begun"), None)
            }
            Some((entry, manifest)) => {
                let mut log = FolderLog::resume(&entry.run.folder).expect("nobody has it");
                if has_parts(&self.folder) && self.take_in(&entry, &mut log, &manifest, &mut kill) {
                    return None;
                }
                (log, Some(self.runs.earlier(&entry).expect("read")))
            }
        };
        let found = Found::of([journal(&self.folder)]);
        let (begun, going) = self.go(earlier, Box::new(log), found, course, kill, Shard::WHOLE);
        let report = going.await;
        self.ended(&begun, &report);
        Some(report)
    }

    /// Prepares one start, which writes to `log` and calls the server of this history. Returns the
    /// data of the start, and the future that makes the attempts.
    fn go(
        &mut self,
        earlier: Option<EarlierRun>,
        log: Box<dyn RunLog>,
        found: Found,
        course: Course,
        kill: Option<Kill>,
        shard: Shard,
    ) -> (Begun, impl Future<Output = RunReport> + Send + use<>) {
        self.starts += 1;
        let is_part = !log.wants_levels();
        let file = match is_part {
            true => of_part(&self.folder, Some(shard.index)).pop().expect("claimed"),
            false => journal(&self.folder),
        };
        let fate = Fate::new(kill);
        let cancel = Cancel::new();
        let spent = earlier.as_ref().map(|earlier| earlier.spent).unwrap_or_default();
        let (sender, inbox) = change_channel();
        let change = course.change.filter(|_| !is_part);
        let asked = Asked {
            server: self.server.clone(),
            start: self.starts,
            found,
            damaged: self.disturbed.clone(),
            fate: Arc::clone(&fate),
            fails: course.fails.map(u32::from),
            told_to_end: match course.end {
                End::Told(answers) => Some(answers.into()),
                _ => None,
            },
            cancel: cancel.clone(),
            change: change.map(|(after, change)| (after.into(), change.of_run(&self.tasks), sender)),
            state: AskedState {
                dice: SplitMix(course.order),
                asked: 0,
                answered: 0,
                failed: BTreeSet::new(),
            }
            .into(),
        };
        if matches!(course.end, End::Told(0)) {
            cancel.cancel();
        }
        let limits = CallLimits {
            limiter: Arc::new(Limiter::new(8, 8)),
            budget: Arc::new(Budget::new(None, Caps::default(), spent, None)),
        };
        let mut spec = self.spec(course.concurrency);
        if let Some(earlier) = &earlier {
            spec.settings = earlier.spec.settings.clone();
        }
        let fresh = RunInput::new(spec, self.tasks.clone(), ToolCatalog::new([tool()]));
        let input = match earlier {
            None => RunInput { shard, ..fresh },
            Some(earlier) => RunInput {
                shard,
                kept: earlier.attempts,
                steps: earlier.steps,
                earlier_limits: earlier.changed.limits,
                changes: earlier.changed.changes,
                problems: earlier.problems,
                ..fresh
            },
        };
        let ports = self.ports(
            LimitedModel::new(Arc::new(asked), limits),
            Disk::new(log, file.clone(), &fate, course.is_slow),
            &fate,
            inbox,
        );
        let begun = Begun { start: self.starts, part: is_part.then_some(shard.index), file, course, fate };
        (begun, run(input, ports, cancel))
    }

    fn ports(
        &self,
        model: impl koab_engine::ports::ModelAdapter + 'static,
        log: Disk,
        fate: &Arc<Fate>,
        changes: ChangeInbox,
    ) -> RunPorts {
        RunPorts {
            model: Arc::new(model),
            agent: None,
            cache: Arc::new(MemoryCache::default()),
            live: None,
            log: Some(Box::new(log)),
            sink: Arc::new(Heard { server: self.server.clone(), fate: Arc::clone(fate) }),
            clock: self.clock.clone(),
            pause: Pause::default(),
            changes,
            folder: None,
        }
    }

    /// Checks a start that has ended: its outcome, and that it lost no more answers than its end
    /// allows.
    fn ended(&mut self, begun: &Begun, report: &RunReport) {
        let Begun { start, course, .. } = begun;
        // A merge that found no missing attempt has removed the part's file. On a slow disk, this
        // can happen before the start knows that its last line is synced.
        let is_merged = begun.part.is_some() && !begun.file.exists();
        let file = if is_merged { &journal(&self.folder) } else { &begun.file };
        let written: BTreeSet<String> = lines(file)
            .into_iter()
            .filter_map(|line| match line {
                Line::Step { said, .. } => Some(said),
                _ => None,
            })
            .collect();
        let given = self.server.given_to(*start);
        let (kept, lost): (Vec<_>, Vec<_>) =
            given.into_iter().partition(|answer| written.contains(&answer.said));
        let kill = course.kill().filter(|_| begun.fate.is_dead());
        let may_be_lost = match kill {
            // Another start has taken over the part. A merge that found no missing attempt then
            // removed the file of this start.
            None if self.overlap == Overlap::Allowed && !begun.file.exists() => usize::MAX,
            None => 0,
            // A loss of power may remove everything that was not synced.
            Some(kill) if kill.power => usize::MAX,
            Some(_) => course.concurrency.into(),
        };
        if lost.len() > may_be_lost {
            self.fault(format!("start {start} ({course:?}) lost {lost:?}"));
        }
        self.lost += lost.len();
        self.kept.extend(kept.into_iter().map(|answer| answer.said));
        let wanted = match (kill, course.end) {
            (Some(_), _) => return,
            (None, End::Told(_)) => [RunOutcome::Cancelled, RunOutcome::Completed],
            (None, _) => [RunOutcome::Completed; 2],
        };
        let taken_over = begun.part.is_some() && report.outcome == RunOutcome::Cancelled;
        let taken_over = taken_over && self.overlap == Overlap::Allowed;
        if !wanted.contains(&report.outcome) && !taken_over {
            self.fault(format!(
                "start {start} ({course:?}) ended as {:?}: {:?}",
                report.outcome, report.reason
            ));
        }
        if begun.part.is_none() {
            self.look_at_bundle("a start");
        }
    }

    /// Copies the results of the parts into the journal. Returns whether the process was killed
    /// meanwhile.
    fn take_in(
        &mut self,
        entry: &RunEntry,
        log: &mut FolderLog,
        manifest: &RunManifest,
        kill: &mut Option<Kill>,
    ) -> bool {
        let (journal, taken) = (journal(&self.folder), self.folder.join(SHARDS).join("taken.json"));
        let length = || fs::metadata(&journal).map_or(0, |meta| meta.len());
        let (before, taken_before) = (length(), fs::read(&taken).ok());
        if let Err(error) = take_in(entry, log, manifest) {
            self.fault(format!("parts are not taken in: {error:?}"));
        }
        match kill {
            Some(kill) if kill.writes == 0 => {
                cut(&journal, kill.between(before, length()));
                match taken_before {
                    Some(content) => fs::write(&taken, content).expect("written"),
                    None => fs::remove_file(&taken).unwrap_or_default(),
                }
                true
            }
            Some(kill) if kill.writes == 1 => true,
            Some(kill) => {
                kill.writes -= 2;
                false
            }
            None => false,
        }
    }

    /// Merges the parts into the run, as `Runs::run_merge` does.
    pub(super) async fn merge(&mut self, mut kill: Option<Kill>) {
        let Some((entry, manifest)) = self.entry().zip(self.manifest()) else {
            return;
        };
        if !has_parts(&self.folder) {
            return;
        }
        let mut log = FolderLog::resume(&self.folder).expect("nobody has it");
        if self.take_in(&entry, &mut log, &manifest, &mut kill) {
            return;
        }
        let earlier = self.runs.earlier(&entry).expect("read");
        let spent = entry.run.journal::<AttemptSummary>().expect("read").spent();
        let limits = CallLimits {
            limiter: Arc::new(Limiter::new(1, 1)),
            budget: Arc::new(Budget::new(None, Caps::default(), spent, None)),
        };
        let input = RunInput {
            kept: earlier.attempts,
            steps: earlier.steps,
            earlier_limits: earlier.changed.limits,
            changes: earlier.changed.changes,
            problems: earlier.problems,
            ..RunInput::new(earlier.spec, self.tasks.clone(), ToolCatalog::new([tool()]))
        };
        let fate = Fate::new(kill);
        let disk = Disk::new(Box::new(log), journal(&self.folder), &fate, false);
        let cancel = Cancel::new();
        cancel.cancel();
        let ports = self.ports(NoModel(Some(limits)), disk, &fate, ChangeInbox::default());
        let report = run(input, ports, cancel).await;
        if fate.is_dead() {
            return;
        }
        if let Some(reason) = report.reason {
            self.fault(format!("a merge ended with {reason}"));
        }
        self.look_at_bundle("a merge");
        if report.planned == report.tally.done {
            match kill {
                // The process dies while it removes the files. Their order depends on the file
                // system, so any of them may remain.
                Some(kill) if kill.power => {
                    let mut files = of_part(&self.folder, None);
                    files.push(self.folder.join(SHARDS).join("taken.json"));
                    for (place, file) in files.into_iter().enumerate() {
                        if (kill.cut >> (place % 16)) & 1 == 1 {
                            let _ = fs::remove_file(file);
                        }
                    }
                }
                _ => shards::remove(&self.folder).expect("removed"),
            }
        }
    }

    /// Starts each worker when its [`Worker::after`] is reached, and waits for the end of all
    /// workers. The merge happens while they work.
    async fn workers(&mut self, workers: &[Worker], merge: Option<(u8, Option<Kill>)>) {
        let mut under_way = Vec::new();
        let mut going = tokio::task::JoinSet::new();
        let before = self.server.told().answers.len();
        let answered = |server: &Server| server.told().answers.len() - before;
        let (merge_after, merge) = merge.unzip();
        let mut merge = merge.zip(merge_after);
        for worker in workers {
            while answered(&self.server) < worker.after.into() && !going.is_empty() {
                if merge.is_some_and(|(_, after)| answered(&self.server) >= after.into())
                    && let Some((kill, _)) = merge.take()
                {
                    self.merge(kill).await;
                }
                tokio::task::yield_now().await;
                self.settle(&mut under_way, &mut going);
            }
            let part = u32::from(worker.part % self.shape.parts);
            let is_made = |begun: &Begun| begun.part == Some(part);
            if self.overlap == Overlap::Never {
                while under_way.iter().any(is_made) {
                    tokio::task::yield_now().await;
                    self.settle(&mut under_way, &mut going);
                }
            }
            if let Some((begun, work)) = self.worker(part, worker.course) {
                if under_way.iter().any(is_made) {
                    self.overlapping(part);
                }
                let number = begun.start;
                under_way.push(begun);
                going.spawn(async move { (number, work.await) });
            }
        }
        if let Some((kill, after)) = merge {
            while answered(&self.server) < after.into() && !going.is_empty() {
                tokio::task::yield_now().await;
                self.settle(&mut under_way, &mut going);
            }
            self.merge(kill).await;
        }
        while !going.is_empty() {
            tokio::task::yield_now().await;
            self.settle(&mut under_way, &mut going);
        }
    }

    fn settle(&mut self, under_way: &mut Vec<Begun>, going: &mut tokio::task::JoinSet<(usize, RunReport)>) {
        while let Some(ended) = going.try_join_next() {
            let (number, report) = ended.expect("a run never panics");
            let place = under_way.iter().position(|begun| begun.start == number);
            let begun = under_way.remove(place.expect("it was under way"));
            self.ended(&begun, &report);
        }
    }

    /// Starts a worker for a part, as `Runs::prepare` does. Returns `None` if the part does not
    /// start, or the process is killed before it makes attempts.
    fn worker(
        &mut self,
        part: u32,
        course: Course,
    ) -> Option<(Begun, impl Future<Output = RunReport> + Send + use<>)> {
        self.manifest()?;
        let entry = self.entry()?;
        let found = Found::of([journal(&self.folder)].into_iter().chain(of_part(&self.folder, Some(part))));
        let of = u32::from(self.shape.parts);
        let (earlier, log): (EarlierRun, ShardLog) =
            match self.runs.start_shard(&entry, ShardRequest { index: part, of }) {
                Ok(started) => started,
                Err(error) => {
                    self.fault(format!("part {part} does not start: {error:?}"));
                    return None;
                }
            };
        let mut kill = course.kill();
        if let Some(kill) = &mut kill {
            if kill.writes == 0 {
                let file = of_part(&self.folder, Some(part)).pop().expect("claimed");
                let length = fs::metadata(&file).expect("claimed").len();
                cut(&file, kill.between(0, length));
                return None;
            }
            kill.writes -= 1;
        }
        let shard = Shard { index: part, of };
        Some(self.go(Some(earlier), Box::new(log), found, course, kill, shard))
    }

    /// Marks the attempts of a part as disturbed, because two starts may make them at the same
    /// time.
    fn overlapping(&mut self, part: u32) {
        let shard = Shard { index: part, of: self.shape.parts.into() };
        let plan = Plan::new(&self.tasks, &self.spec(2), shard);
        let keys = plan.attempts().map(|attempt| (self.tasks[attempt.task].id.clone(), attempt.repetition));
        self.disturbed.extend(keys);
    }

    /// Line of a step or an attempt: its file, the content of the file, and the range of the line.
    /// `which` selects one of these lines in all files, as a fraction in 65,536ths.
    fn line(&self, which: u16) -> Option<(PathBuf, Vec<u8>, std::ops::Range<usize>)> {
        let files = [journal(&self.folder)].into_iter().chain(of_part(&self.folder, None));
        let mut all = Vec::new();
        for file in files {
            let Ok(content) = fs::read(&file) else { continue };
            let mut at = 0;
            for line in content.split_inclusive(|byte| *byte == b'\n') {
                let is_body =
                    line.starts_with(b"{\"type\":\"step\"") || line.starts_with(b"{\"type\":\"attempt\"");
                if line.ends_with(b"\n") && is_body {
                    all.push((file.clone(), at..at + line.len()));
                }
                at += line.len();
            }
        }
        let (file, place) = all.get((usize::from(which) * all.len()) >> 16)?.clone();
        let content = fs::read(&file).expect("it was read");
        Some((file, content, place))
    }

    /// Marks the attempt of a line as disturbed, and no longer requires the answers in the line.
    fn disturb(&mut self, line: &[u8]) {
        self.is_damaged = true;
        let file = self.home.path().join("line.jsonl");
        fs::write(&file, line).expect("written");
        for line in lines(&file) {
            self.disturbed.extend(line.key().cloned());
            match line {
                Line::Step { said, .. } => {
                    self.kept.remove(&said);
                }
                Line::Ended { said, .. } => self.kept.retain(|kept| !said.contains(kept)),
                Line::Other => {}
            }
        }
    }

    fn damage(&mut self, which: u16, bit: u16) {
        let Some((file, mut content, place)) = self.line(which) else {
            return;
        };
        self.disturb(&content[place.clone()]);
        // The newline is not changed, because two lines would become one.
        let at = place.start + ((usize::from(bit) * (place.len() - 1)) >> 16);
        content[at] ^= 1 << (bit % 7);
        if content[at] == b'\n' {
            content[at] = b'x';
        }
        fs::write(file, content).expect("written");
    }

    fn double(&mut self, which: u16) {
        let Some((file, mut content, place)) = self.line(which) else {
            return;
        };
        let line = content[place.clone()].to_vec();
        self.disturb(&line);
        content.splice(place.end..place.end, line);
        fs::write(file, content).expect("written");
    }

    /// Checks that the run can be written as a bundle, if the run has ended and is undisturbed.
    fn look_at_bundle(&self, after: &str) {
        if self.is_damaged || !self.disturbed.is_empty() {
            return;
        }
        if self.manifest().is_none_or(|manifest| manifest.outcome.is_none()) {
            return;
        }
        let Some(entry) = self.entry() else { return };
        for failed in bundle::failures(&entry, &self.tasks) {
            self.fault(format!("after {after} it cannot be bundled: {failed}"));
        }
    }

    /// Completes the run, by workers and a merge if `by_parts` is set, and checks the result.
    pub(super) async fn finish(&mut self, by_parts: bool) {
        if by_parts {
            // Parts can be made only of a run that has started.
            if self.manifest().is_none() {
                let begun = Course { end: End::Told(0), ..Course::CALM };
                self.start(begun).await;
            }
            let all = (0..self.shape.parts).map(|part| Worker { part, after: part, course: Course::CALM });
            self.workers(&all.collect::<Vec<_>>(), None).await;
            self.merge(None).await;
        }
        if !by_parts || self.manifest().is_none_or(|manifest| manifest.outcome != Some(RunOutcome::Completed))
        {
            self.start(Course::CALM).await;
        }
        if has_parts(&self.folder) {
            self.merge(None).await;
        }
        self.look_at_end();
    }

    fn look_at_end(&self) {
        let manifest = self.manifest().expect("it was begun");
        let all = self.tasks.len() * usize::from(self.shape.repetitions);
        let counts = manifest.attempts.counts;
        let planned = if self.leaves_out() { counts.planned as usize } else { all };
        if (manifest.outcome, counts.done as usize, counts.failed)
            != (Some(RunOutcome::Completed), planned, 0)
            || planned > all
        {
            self.fault(format!("it came to {:?}, {counts:?}", manifest.outcome));
        }
        if has_parts(&self.folder) {
            self.fault("files of parts are left over".to_owned());
        }
        self.look_at_changes(&manifest);
        let mut steps: BTreeMap<String, usize> = BTreeMap::new();
        let mut ended: BTreeMap<Key, usize> = BTreeMap::new();
        for line in lines(&journal(&self.folder)) {
            match line {
                Line::Step { said, .. } => *steps.entry(said).or_default() += 1,
                Line::Ended { key, is_technical: false, steps, .. } => {
                    let whole = super::server::length(&key.0, key.1);
                    if steps != (1..=whole).collect::<Vec<_>>() {
                        self.fault(format!("{key:?} has the steps {steps:?} and not {whole}"));
                    }
                    *ended.entry(key).or_default() += 1;
                }
                _ => {}
            }
        }
        for (key, times) in ended {
            if times > 1 && !self.disturbed.contains(&key) {
                self.fault(format!("{key:?} stands {times} times in the journal"));
            }
        }
        if !self.is_damaged {
            for (said, _) in steps.iter().filter(|(_, times)| **times > 1) {
                self.fault(format!("the step `{said}` stands twice in the journal"));
            }
        }
        if self.disturbed.is_empty() {
            for said in self.kept.iter().filter(|said| !steps.contains_key(*said)) {
                self.fault(format!("`{said}` was written and is gone"));
            }
            let answers = self.server.told().answers.len();
            if answers != self.kept.len() + self.lost {
                self.fault(format!("{answers} answers, {} kept, {} lost", self.kept.len(), self.lost));
            }
            let told = manifest.spending.map_or(0, |spending| spending.usage.total_tokens);
            let wanted = TOKENS * steps.len() as u64;
            if told != wanted {
                self.fault(format!("{told} tokens are told as spent, and {wanted} were"));
            }
        }
    }

    /// Checks that no change which was answered as made is lost, and that the settings are those of
    /// the last change.
    fn look_at_changes(&self, manifest: &RunManifest) {
        let journal = self.entry().expect("a run").run.journal::<AttemptSummary>().expect("read");
        if journal.changes != manifest.changes {
            self.fault(format!(
                "run.json has the changes {:?}, the journal {:?}",
                manifest.changes, journal.changes
            ));
        }
        let made = self.server.told().changes.clone();
        for change in made.iter().filter(|change| !journal.changes.contains(change)) {
            self.fault(format!("{change:?} was answered as made and is gone"));
        }
        let mut steps = journal.changes.iter().filter_map(|record| match record.change {
            RunChange::MaxSteps { to, .. } => Some(to),
            _ => None,
        });
        let (stated, wanted) = (manifest.spec.settings.max_steps, steps.next_back().unwrap_or(10));
        if stated != wanted {
            self.fault(format!("it ended with {stated} steps as the limit, and was changed to {wanted}"));
        }
    }

    /// Whether the last task was left out. It is the only one of its level.
    pub(super) fn leaves_out(&self) -> bool {
        self.manifest().is_some_and(|manifest| !manifest.left_out().is_empty())
    }

    /// Logs of the run by level, without times and the numbers of answers.
    pub(super) fn logs(&self) -> BTreeMap<Level, Value> {
        let run = self.entry().expect("a run").run;
        let levels = run.levels.keys();
        levels.map(|level| (level.clone(), masked(run.level(level).expect("read")))).collect()
    }
}

fn masked(value: Value) -> Value {
    match value {
        Value::Object(fields) => {
            let fields = fields
                .into_iter()
                .filter(|(name, _)| !["time", "tps", "latency"].iter().any(|part| name.contains(part)));
            fields.map(|(name, value)| (name, masked(value))).collect()
        }
        Value::Array(all) => all.into_iter().map(masked).collect(),
        Value::String(text) => match text.split_once(" #") {
            Some((head, _)) => head.into(),
            None => text.into(),
        },
        other => other,
    }
}
