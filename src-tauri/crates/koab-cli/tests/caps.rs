//! Caps on money and tokens hold through whatever happens to a run: starts that are killed, workers that share it, a sweep
//! of it, a scoring by a judge. What was spent is what the server counted.
//!
//! `KOAB_HISTORIES` asks for more schedules, `KOAB_TEST_SEED` for others.
#![allow(clippy::print_stdout, reason = "figures are for whoever asked for many schedules")]

use crate::support::dice::Dice;
use crate::support::http::{Local, Request, calls, completion, models, says};
use crate::support::wait::until;
use crate::support::{Koab, read_json, signal};
use serde_json::{Value, json};
use std::process::{Child, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Schedules in an ordinary test run: one of each kind.
const SCHEDULES: u64 = KINDS.len() as u64;
const KINDS: [Kind; 4] = [Kind::Run, Kind::Workers, Kind::Sweep, Kind::Scoring];
/// Tokens that the server reports of each answer.
const PROMPT: u64 = 200;
const COMPLETION: u64 = 100;
const CALL: u64 = PROMPT + COMPLETION;
/// Cents of a USD for 1,000 tokens, of either kind.
const PRICE: u64 = 1;
const MODEL: &str = "openai_compat/m";
/// A start on a machine that is busy.
const START: Duration = Duration::from_secs(120);

#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    /// Starts of one run, one behind the other.
    Run,
    /// Workers that share a run, several at once, of the same part among them.
    Workers,
    Sweep,
    /// A judge's answers about a run.
    Scoring,
}

/// A server that counts what it has taken; a call counts from when it comes, since nobody takes it back.
struct Till {
    server: Local,
    calls: Arc<AtomicU64>,
}

impl Till {
    fn open() -> Self {
        let calls = Arc::new(AtomicU64::new(0));
        let count = Arc::clone(&calls);
        let server = Local::start(move |request| {
            if !request.line.starts_with("POST") {
                return models(&["m"]);
            }
            let number = count.fetch_add(1, Ordering::SeqCst);
            // Some calls are in flight whenever a process is killed.
            std::thread::sleep(Duration::from_millis(number * 7 % 30));
            let mut answer = completion(&message(request));
            answer["usage"] = json!({
                "prompt_tokens": PROMPT, "completion_tokens": COMPLETION, "total_tokens": CALL
            });
            (200, answer)
        });
        Self { server, calls }
    }

    fn url(&self) -> String {
        format!("{}/v1", self.server.address)
    }

    fn tokens(&self) -> u64 {
        self.calls.load(Ordering::SeqCst) * CALL
    }
}

/// A judge's answer where one is asked for; else a call and, once it is answered, a text.
fn message(request: &Request) -> Value {
    if !request.body["response_format"].is_null() {
        let opinion = json!({ "reason": "r", "success": true, "score": 4, "confidence": 0.9 });
        return says(&opinion.to_string());
    }
    let messages = request.body["messages"].as_array();
    let is_answered = messages.is_some_and(|all| all.iter().any(|one| one["role"] == "tool"));
    match request.body["tools"][0]["function"]["name"].as_str() {
        Some(tool) if !is_answered => calls(tool, "{}"),
        _ => says("a text"),
    }
}

/// A workspace under a cap, and what happens there.
struct Schedule {
    koab: Koab,
    till: Till,
    kind: Kind,
    /// Tokens.
    cap: u64,
    /// Whether the cap is one of money, which is worth as many tokens.
    is_money: bool,
    /// Processes that ask at once, at most.
    at_once: u64,
    kills: u32,
}

impl Schedule {
    fn new(kind: Kind, dice: &mut Dice) -> Self {
        let koab = Koab::new();
        let prices = json!({
            "as_of": "2026-11-20", "models": { "openai_compat/*": { "input": 10 * PRICE, "output": 10 * PRICE } }
        });
        std::fs::write(koab.path().join("prices.json"), prices.to_string()).expect("written");
        // A whole run takes some 17,000 tokens, a whole scoring more; what a call may take is held before it.
        let least = if kind == Kind::Scoring { 8_000 } else { 4_000 };
        Self {
            koab,
            till: Till::open(),
            kind,
            cap: least + dice.below(18_000),
            // A sweep that is expected to cost more than its cap is not begun.
            is_money: dice.below(2) == 0 && kind != Kind::Sweep,
            at_once: 1,
            kills: 0,
        }
    }

    /// The cap as an option.
    fn capped(&self) -> [String; 2] {
        match self.is_money {
            true => ["--max-cost".to_owned(), self.money()],
            false => ["--max-total-tokens".to_owned(), self.cap.to_string()],
        }
    }

    fn money(&self) -> String {
        format!("{:.5}", self.cap as f64 * PRICE as f64 / 100_000.0)
    }

    /// The words of a start, of which the first one makes what the others go on with.
    fn words(&self, is_first: bool, dice: &mut Dice) -> Vec<String> {
        let url = self.till.url();
        let words: Vec<&str> = match (self.kind, is_first) {
            (Kind::Run | Kind::Workers, true) => {
                vec!["run", "--model", MODEL, "--base-url", &url, "--max-tokens", "100"]
            }
            (Kind::Run | Kind::Workers, false) => vec!["run", "--resume", "last"],
            (Kind::Scoring, _) => {
                vec!["evaluate", "last", "--judge-models", "openai_compat/m", "--judge-base-url", &url]
            }
            (Kind::Sweep, _) => vec!["sweep"],
        };
        let mut words: Vec<String> = words.into_iter().map(str::to_owned).collect();
        match self.kind {
            Kind::Sweep => words.push(self.koab.path().join("sweep.toml").display().to_string()),
            Kind::Scoring => words.extend(self.capped()),
            Kind::Run | Kind::Workers if is_first => {
                words.extend(self.capped());
                words.extend(["--concurrency".to_owned(), (1 + dice.below(6)).to_string()]);
            }
            Kind::Run | Kind::Workers => {}
        }
        words.push("--quiet".to_owned());
        words
    }

    fn start(&self, words: &[String]) -> Child {
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let mut command = self.koab.command(&words);
        command.stdout(Stdio::null()).stderr(Stdio::null());
        command.spawn().expect("koab starts")
    }

    /// Ends a start once the server was asked so many more calls, unless it ends before.
    fn kill_behind(&mut self, mut child: Child, more: u64, dice: &mut Dice) {
        let wanted = self.till.calls.load(Ordering::SeqCst) + more;
        until("calls of a start, or its end", START, || {
            let has_ended = child.try_wait().expect("asked").is_some();
            has_ended || self.till.calls.load(Ordering::SeqCst) >= wanted
        });
        if child.try_wait().expect("asked").is_none() {
            self.kills += 1;
            signal(&child, ["-KILL", "-KILL", "-INT", "-TERM"][dice.below(4) as usize]);
        }
        child.wait().expect("ended");
    }

    fn prepare(&self) {
        let url = self.till.url();
        match self.kind {
            Kind::Scoring => {
                self.koab.ok(&["run", "--model", "baseline/golden", "--quiet"]);
            }
            Kind::Sweep => {
                let cap = self.cap;
                let text = format!(
                    "name = \"capped\"\nlevels = [\"L1\", \"L2\"]\nconcurrency = 2\nmax_total_tokens = {cap}\n[[models]]\nid = \"{MODEL}\"\nbase_url = \"{url}\"\n[settings]\ntemperature = [0.0, 0.7]\n[judges]\nmodels = [\"{MODEL}\"]\nbase_url = \"{url}\"\n[baseline]\nmodel = \"{MODEL}\"\ntemperature = 0.7\n"
                );
                std::fs::write(self.koab.path().join("sweep.toml"), text).expect("written");
            }
            Kind::Run | Kind::Workers => {}
        }
    }

    fn play(&mut self, dice: &mut Dice) {
        self.prepare();
        let mut is_first = true;
        for _ in 0..dice.below(5) {
            let child = self.start(&self.words(is_first, dice));
            // A run that is killed before its first call may not be there to go on with.
            self.kill_behind(child, 1 + dice.below(15), dice);
            is_first = false;
        }
        if self.kind == Kind::Workers {
            if is_first {
                let child = self.start(&self.words(true, dice));
                self.kill_behind(child, 1 + dice.below(4), dice);
                is_first = false;
            }
            for _ in 0..1 + dice.below(3) {
                self.share(dice);
            }
            self.koab.run(&["runs", "merge", "last"]);
        }
        let words = self.words(is_first, dice);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let end = self.koab.run(&words);
        let nothing_left = end.stderr.contains("no run is unfinished");
        assert!(matches!(end.code, 0 | 1 | 3) || nothing_left, "{words:?}: {} {}", end.code, end.stderr);
    }

    /// Workers at once, each of which is killed in its time.
    fn share(&mut self, dice: &mut Dice) {
        let (workers, parts) = (1 + dice.below(3), 1 + dice.below(2));
        self.at_once = self.at_once.max(workers);
        let children: Vec<Child> = (0..workers)
            .map(|_| {
                let part = format!("{}/{parts}", dice.below(parts));
                let words = ["run", "--resume", "last", "--shard", &part, "--quiet"];
                self.start(&words.map(str::to_owned))
            })
            .collect();
        for child in children {
            self.kill_behind(child, dice.below(12), dice);
        }
    }

    /// Tokens that the run says it took.
    fn shown(&self) -> Option<u64> {
        let run = self.koab.json(&["runs", "list"])[0]["folder"].as_str()?.to_owned();
        let manifest = read_json(&std::path::Path::new(&run).join("run.json"));
        manifest["spending"]["usage"]["total_tokens"].as_u64()
    }
}

#[test]
fn no_schedule_of_kills_workers_sweeps_and_scorings_passes_a_cap() {
    let mut dice = Dice::new();
    let wanted = std::env::var("KOAB_HISTORIES").ok().and_then(|text| text.parse().ok());
    let mut nearest = f64::NEG_INFINITY;
    for number in 0..wanted.unwrap_or(SCHEDULES) {
        let kind = KINDS[number as usize % KINDS.len()];
        let mut schedule = Schedule::new(kind, &mut dice);
        schedule.play(&mut dice);
        let Schedule { cap, kills, at_once, .. } = schedule;
        let spent = schedule.till.tokens();
        let told =
            format!("schedule {number}, {kind:?}: {spent} of {cap} tokens, {kills} kills, {at_once} at once");
        println!("{told}");
        assert!(spent <= cap + at_once * CALL, "{told}");
        nearest = nearest.max(spent as f64 - cap as f64);
        if matches!(kind, Kind::Run | Kind::Workers) {
            let shown = schedule.shown().unwrap_or(0);
            assert!(shown <= spent, "{told}: {shown} are shown");
            assert!(kills > 0 || shown == spent, "{told}: {shown} are shown");
        }
    }
    println!("at most {nearest} tokens above a cap");
}
