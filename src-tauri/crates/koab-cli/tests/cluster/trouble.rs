//! What a run on Slurm has to bear, in a size that its test chooses: `short.rs` takes seconds, `long.rs` minutes.

use crate::cluster::bears::Bears;
use crate::cluster::slurm::{Calm, Desk, Detection, Slurm, answered, attempts, marks};
use crate::support::ReplayServer;
use crate::support::logs::same_logs;
use crate::support::wait::until;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

const LIMIT: Duration = Duration::from_secs(300);
/// Calls that each worker here has in flight, and so attempts.
const IN_FLIGHT: u32 = 2;
/// Calls that each worker has in flight where one and several are compared.
const CALLS_OF_WORKER: u32 = 4;
/// Answers before a server holds its answers: a small part of what a run needs.
const FREE_ANSWERS: u32 = 40;
/// Answers of the longest attempt.
const LONGEST: u64 = 10;

/// How much there is to do, and where.
#[derive(Clone, Copy)]
pub(crate) struct Size<'a> {
    /// Milliseconds that the server takes for an answer.
    pub(crate) latency: &'a str,
    /// Times that the 91 tasks are attempted.
    pub(crate) repetitions: &'a str,
    /// Shards, all of which are made at once.
    pub(crate) shards: u32,
    /// Words for `sbatch`; none where it is empty.
    pub(crate) engine: &'a str,
}

#[allow(clippy::print_stdout, reason = "figures are for whoever reads the benchmark's output")]
fn tell(what: &str) {
    println!("cluster: {what}");
}

fn count(remote: &Value, key: &str) -> u64 {
    remote[key].as_u64().expect("a count")
}

fn server(slurm: &Slurm, size: &Size<'_>) -> ReplayServer {
    ReplayServer::start(slurm.shared(), &["--latency-ms", size.latency])
}

/// Hands a run of this size over, each worker with [`IN_FLIGHT`] calls.
fn submit(desk: &Desk<'_>, url: &str, size: &Size<'_>, more: &[&str]) -> String {
    let (shards, calls) = (size.shards.to_string(), (IN_FLIGHT * size.shards).to_string());
    let mut words = vec!["--repetitions", size.repetitions, "--shards", &shards, "--at-once", &shards];
    if !more.contains(&"--concurrency") {
        words.extend(["--concurrency", &calls]);
    }
    if !size.engine.is_empty() {
        words.extend(["--engine-args", size.engine]);
    }
    words.extend(more);
    desk.submit(url, &words)
}

/// Several workers are faster than one by this factor.
pub(crate) fn speed(slurm: &Slurm, size: &Size<'_>, times: f64) {
    let (one, many) = one_and_many(slurm, size);
    let faster = one.as_secs_f64() / many.as_secs_f64();
    tell(&format!("{faster:.1} times as fast"));
    assert!(faster >= times, "{one:?} and {many:?}");
}

/// A run by one worker and one by several, and how long each took. The logs are equal, no answer is asked for twice, and several workers
/// have more calls in flight than one may have.
pub(crate) fn one_and_many(slurm: &Slurm, size: &Size<'_>) -> (Duration, Duration) {
    let (desk, server) = (Desk::new(slurm), server(slurm, size));
    let url = server.base_url.as_str();
    let in_flight = || count(&server.stats(), "max_in_flight");
    let (alone, one) = timed(&desk, url, &Size { shards: 1, ..*size });
    let (needed, of_one) = (answered(&server), in_flight());
    let (run, many) = timed(&desk, url, size);
    let of_many = in_flight();
    tell(&format!(
        "one worker {:.1} s and {of_one} calls at once, {} workers {:.1} s and {of_many}, {} answers of {}",
        one.as_secs_f64(),
        size.shards,
        many.as_secs_f64(),
        answered(&server),
        2 * needed
    ));
    assert_eq!(answered(&server), 2 * needed);
    assert_eq!(of_one, u64::from(CALLS_OF_WORKER), "of one worker");
    let limit = u64::from(CALLS_OF_WORKER * size.shards);
    assert!((of_one + 1..=limit).contains(&of_many), "{of_many} calls at once");
    for run in [&alone, &run] {
        let shown = desk.ended(run, LIMIT);
        assert_eq!(shown["complete"], true, "{shown}");
    }
    same_logs(&desk.folder(&alone), &desk.folder(&run));
    (one, many)
}

/// A run, and the time from the moment at which its first worker begins to the end of its last.
fn timed(desk: &Desk<'_>, url: &str, size: &Size<'_>) -> (String, Duration) {
    let calls = (CALLS_OF_WORKER * size.shards).to_string();
    let run = submit(desk, url, size, &["--concurrency", &calls]);
    let folder = desk.folder(&run);
    until("a worker has begun", LIMIT, || marks(&folder, "node ") > 0);
    let begun = Instant::now();
    until("all workers have ended", LIMIT, || marks(&folder, "end 0") == size.shards as usize);
    (run, begun.elapsed())
}

/// A run whose workers are well under way, and a node of theirs. The server holds its answers, so the run cannot end meanwhile.
struct UnderWay {
    server: ReplayServer,
    gate: Bears,
    calm: Calm,
    run: String,
    node: u32,
}

impl UnderWay {
    fn start(desk: &Desk<'_>, size: &Size<'_>) -> Self {
        let server = server(desk.slurm, size);
        let gate = Bears::gated(&server.base_url, FREE_ANSWERS);
        let calm = Calm::of(desk, size.repetitions);
        let run = submit(desk, &gate.base_url, size, &[]);
        let folder = desk.folder(&run);
        until("workers are under way", LIMIT, || {
            let shards = 0..size.shards;
            gate.is_holding()
                && shards
                    .map(|shard| folder.join(format!("shards/{shard}.1.jsonl")))
                    .all(|path| path.exists())
        });
        let remote = desk.remote(&run);
        let node = remote["nodes"][0].as_str().expect("a node at work");
        let node = node.trim_start_matches('n').parse().expect("a number");
        Self { server, gate, calm, run, node }
    }

    /// What the end of the run has to be like, however it came.
    fn holds(&self, desk: &Desk<'_>, shown: &Value, most_extra: u64, what: &str) {
        let extra = answered(&self.server) - self.calm.needed;
        let shards = shown["remote"]["shards"].as_array().expect("shards").iter();
        let restarts: u64 = shards.map(|shard| count(shard, "restarts")).sum();
        tell(&format!("{what}, {extra} extra answers, {restarts} restarts"));
        assert_eq!(shown["complete"], true, "{shown}");
        assert!(restarts > 0, "no shard was begun again: {shown}");
        same_logs(&self.calm.folder, &desk.folder(&self.run));
        assert!(extra <= most_extra, "{extra} extra answers");
    }
}

/// A node is back when this is dropped.
struct Gone<'a>(&'a Slurm, u32);

impl Drop for Gone<'_> {
    fn drop(&mut self) {
        let Self(slurm, node) = self;
        // Other tests need it as well, however this one ends.
        if std::thread::panicking() {
            slurm.start_daemon(*node);
            let _ = slurm.resume(*node);
        } else {
            slurm.start_node(*node);
        }
    }
}

/// A node dies as in a power cut: the run ends all the same, and nothing is asked again but what was in flight.
pub(crate) fn node_killed(slurm: &Slurm, size: &Size<'_>, detection: Detection) {
    let desk = Desk::new(slurm);
    let made = UnderWay::start(&desk, size);
    let begun = Instant::now();
    slurm.kill_node(made.node, detection);
    let _gone = Gone(slurm, made.node);
    made.gate.open();
    slurm.until_down(made.node);
    let detected = begun.elapsed();
    let shown = desk.ended(&made.run, LIMIT);
    // A node has two processors, and so two workers at the most.
    made.holds(
        &desk,
        &shown,
        2 * u64::from(IN_FLIGHT),
        &format!(
            "a node killed: seen after {:.1} s, done {:.1} s later",
            detected.as_secs_f64(),
            (begun.elapsed() - detected).as_secs_f64()
        ),
    );
}

/// The daemon of a node dies and its workers do not: Slurm begins their shards elsewhere while they still work. The earlier start of
/// each ends within the attempts that it had begun.
pub(crate) fn daemon_killed(slurm: &Slurm, size: &Size<'_>, detection: Detection) {
    let desk = Desk::new(slurm);
    let made = UnderWay::start(&desk, size);
    let begun = Instant::now();
    let mut doubled = Doubled::new(&desk, &made);
    slurm.kill_daemon(made.node, detection);
    let _gone = Gone(slurm, made.node);
    doubled.until_taken_over();
    made.gate.open();
    let taken_over = begun.elapsed();
    let shown = desk.ended(&made.run, LIMIT);
    doubled.until_ended();
    let after = doubled.attempts_after();
    assert!(!after.is_empty(), "every earlier start was through before it was taken over");
    assert!(
        after.iter().all(|after| *after <= IN_FLIGHT as usize),
        "attempts that earlier starts ended after they were taken over: {after:?}"
    );
    made.holds(
        &desk,
        &shown,
        after.len() as u64 * u64::from(IN_FLIGHT) * LONGEST,
        &format!(
            "slurmd alone killed: taken over after {:.1} s, done after {:.1} s, attempts ended by earlier starts since {after:?}",
            taken_over.as_secs_f64(),
            begun.elapsed().as_secs_f64()
        ),
    );
}

/// The shards of a node, each with a first start that is to be taken over. Its file is linked, because a merge removes it.
struct Doubled {
    made: PathBuf,
    kept: PathBuf,
    /// Attempts of each shard.
    planned: BTreeMap<u64, u64>,
    /// Those that its first start had ended when the second one began.
    ended: BTreeMap<u64, usize>,
}

impl Doubled {
    fn new(desk: &Desk<'_>, made: &UnderWay) -> Self {
        let (node, remote) = (format!("n{}", made.node), desk.remote(&made.run));
        let shards = remote["shards"].as_array().expect("shards").iter();
        let there = shards.filter(|shard| shard["node"] == node && shard["state"] == "running");
        let planned: BTreeMap<u64, u64> =
            there.map(|shard| (count(shard, "index"), count(shard, "planned"))).collect();
        let doubled = Self {
            made: desk.folder(&made.run),
            kept: desk.koab.path().join("kept"),
            planned,
            ended: BTreeMap::new(),
        };
        fs::create_dir(&doubled.kept).expect("made");
        for shard in doubled.planned.keys() {
            let name = format!("{shard}.1.jsonl");
            fs::hard_link(doubled.made.join("shards").join(&name), doubled.kept.join(name)).expect("linked");
        }
        doubled
    }

    fn attempts(&self, shard: u64) -> usize {
        let text = fs::read_to_string(self.kept.join(format!("{shard}.1.jsonl"))).expect("read");
        let lines = text.lines();
        lines.filter(|line| line.starts_with("{\"type\":\"attempt\"")).count()
    }

    /// Waits until each has a second start.
    fn until_taken_over(&mut self) {
        for shard in self.planned.keys() {
            let second = self.made.join(format!("shards/{shard}.2.jsonl"));
            until("a second start takes over", LIMIT, || second.exists());
            self.ended.insert(*shard, self.attempts(*shard));
        }
    }

    /// Those whose first start was at work when it was taken over, with the attempts that it had ended by then.
    fn at_work(&self) -> impl Iterator<Item = (u64, usize)> {
        let all = self.ended.iter().map(|(shard, ended)| (*shard, *ended));
        all.filter(|(shard, ended)| (*ended as u64) < self.planned[shard])
    }

    /// Until each of them has ended, as one that somebody else goes on for.
    fn until_ended(&self) {
        let mark = |shard: u64| first_mark(&self.made.join("cluster"), shard);
        until("the earlier starts end", LIMIT, || {
            let mut shards = self.at_work();
            shards.all(|(shard, _)| mark(shard).contains("end 0"))
        });
    }

    /// How many attempts each of them has ended since.
    fn attempts_after(&self) -> Vec<usize> {
        let all = self.at_work();
        all.map(|(shard, before)| self.attempts(shard) - before).collect()
    }
}

/// What the first start of a shard has left, whose worker is not one that Slurm began again.
fn first_mark(folder: &Path, shard: u64) -> String {
    let marks = fs::read_dir(folder).expect("marks").flatten().map(|mark| mark.path());
    let mut first = marks.filter(|path| {
        let name = path.file_name().and_then(|name| name.to_str());
        name.is_some_and(|name| name.starts_with(&format!("{shard}.")) && name.ends_with("-0.mark"))
    });
    let first = first.next().map(|path| fs::read_to_string(path).expect("read"));
    first.unwrap_or_default()
}

/// A worker learns that its time ends, and Slurm begins it again: nothing is asked again but what was in flight.
///
/// Slurm sends the worker the same signal whether a time limit is near or `scancel --signal` asks for it. The first takes at least a
/// minute, so only the long tests wait for it: they give `--time=1` and [`Detection::Own`].
pub(crate) fn time_limit(slurm: &Slurm, size: &Size<'_>, detection: Detection) {
    let (desk, server) = (Desk::new(slurm), server(slurm, size));
    let calm = Calm::of(&desk, size.repetitions);
    let run = submit(&desk, &server.base_url, size, &[]);
    if detection == Detection::Told {
        let folder = desk.folder(&run);
        until("the worker is under way", LIMIT, || attempts(&folder) > 0);
        let job = desk.remote(&run)["jobs"][0].as_str().expect("a job").to_owned();
        slurm.ask("scancel", &["--batch", "--signal=USR1", &format!("{job}_0")]);
    }
    let shown = desk.ended(&run, LIMIT);
    let restarts = count(&shown["remote"]["shards"][0], "restarts");
    let extra = answered(&server) - calm.needed;
    tell(&format!("end of time: {restarts} restarts, {extra} extra answers"));
    assert_eq!(shown["complete"], true, "{shown}");
    assert!(
        restarts >= 1 && extra <= u64::from(IN_FLIGHT) * restarts,
        "{restarts} restarts, {extra} extra answers"
    );
    same_logs(&calm.folder, &desk.folder(&run));
}

/// A server that bears twelve calls at once and is asked by workers that may have as many as a hosted one is asked.
pub(crate) fn twelve_calls(slurm: &Slurm, size: &Size<'_>) {
    let (desk, server) = (Desk::new(slurm), server(slurm, size));
    let bears = Bears::start(&server.base_url, 12);
    let run = submit(&desk, &bears.base_url, size, &["--concurrency", "32"]);
    let shown = desk.ended(&run, LIMIT);
    let remote = &shown["remote"];
    let (answered, refused) = bears.counts();
    tell(&format!(
        "a server that bears 12: {answered} answers, {refused} refused, {} rate limits told, {} failed",
        remote["rate_limits"], remote["failed"]
    ));
    assert_eq!((&remote["failed"], &shown["complete"]), (&0.into(), &true.into()), "{remote}");
    assert!(refused * 4 <= answered + refused, "{refused} of {answered}");
    assert_eq!(count(remote, "rate_limits"), u64::from(refused));
}

/// Workers stay within a cap of so many USD that the run does not come to its end with, and go on with a higher one.
pub(crate) fn cap(slurm: &Slurm, size: &Size<'_>, usd: f64) {
    let (desk, server) = (Desk::new(slurm), server(slurm, size));
    let most = usd.to_string();
    let run = submit(&desk, &server.base_url, size, &["--max-cost", &most]);
    let shown = desk.ended(&run, LIMIT);
    let remote = &shown["remote"];
    let spent = remote["usd"].as_f64().expect("a sum");
    tell(&format!(
        "a cap of ${usd}: ${spent:.4} spent, {} of {} attempts",
        remote["done"], remote["planned"]
    ));
    assert!(spent > usd * 0.375 && spent <= usd, "{spent}");
    assert_eq!(remote["states"]["failed"], size.shards, "a spent budget is no end by itself: {remote}");
    desk.json(&["run", "--resume", &run, "--on", "slurm", "--max-cost", "10"]);
    let shown = desk.ended(&run, LIMIT);
    assert_eq!(shown["complete"], true, "{shown}");
}
