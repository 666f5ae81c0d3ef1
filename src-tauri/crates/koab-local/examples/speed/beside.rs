//! Two programs, the engine and llama.cpp alone, that compute in turns.
//!
//! Both load the model before anything is measured, and only one computes at a time. Changes of the
//! machine's speed from minute to minute therefore affect both alike, and the ratio of a round says
//! more than two medians of separate runs.

use std::error::Error;
use std::io::{BufRead, BufReader, Write, stdin, stdout};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};

/// Kind of measurement.
#[derive(Clone, Copy)]
pub(crate) enum Kind {
    /// Reading a prompt of 512 tokens.
    Prompt,
    /// Writing 64 tokens.
    Generation,
    /// Writing 64 tokens in each of four conversations at once.
    Together,
}

impl Kind {
    const ALL: [(&'static str, Self); 3] =
        [("prompt", Self::Prompt), ("generation", Self::Generation), ("together", Self::Together)];
}

/// Pause before the other side computes. The threads of a side look for work a little longer after
/// they have computed.
const PAUSE: Duration = Duration::from_millis(100);

/// Tokens per second of both sides, for each kind and round.
pub(crate) fn measure(model: &str, threads: &str, rounds: u64) -> Result<Value, Box<dyn Error>> {
    let mut bare = Side::start("bare", model, threads)?;
    let mut engine = Side::start("engine", model, threads)?;
    let mut rates = serde_json::Map::new();
    for (name, _) in Kind::ALL {
        // One round warms up.
        let (mut own, mut ours) = (Vec::new(), Vec::new());
        for round in 0..=rounds {
            let (first, second) = if round % 2 == 0 {
                let own = bare.ask(name)?;
                (own, engine.ask(name)?)
            } else {
                let ours = engine.ask(name)?;
                (bare.ask(name)?, ours)
            };
            if round > 0 {
                own.push(first);
                ours.push(second);
            }
        }
        rates.insert(name.to_owned(), json!({"bare": own, "engine": ours}));
    }
    Ok(Value::Object(rates))
}

/// Answers each line of the input, which names a [`Kind`], with a rate.
#[expect(clippy::disallowed_methods, reason = "rates alone are written")]
pub(crate) fn serve(
    mut measure: impl FnMut(Kind, u64) -> Result<f64, Box<dyn Error>>,
) -> Result<(), Box<dyn Error>> {
    for (seed, line) in (0_u64..).zip(stdin().lock().lines()) {
        let line = line?;
        let kind = Kind::ALL.iter().find(|(name, _)| *name == line);
        let (_, kind) = kind.ok_or("a kind that is not known")?;
        println!("{}", measure(*kind, seed)?);
        stdout().flush()?;
    }
    Ok(())
}

/// One side of the comparison: a child process that measures on request. It ends when its input
/// ends.
struct Side {
    program: Child,
    asks: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl Side {
    fn start(side: &str, model: &str, threads: &str) -> Result<Self, Box<dyn Error>> {
        let mut program = Command::new(std::env::current_exe()?)
            .args([side, model, threads])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let asks = program.stdin.take().ok_or("it has no input")?;
        let answers = BufReader::new(program.stdout.take().ok_or("it has no output")?);
        Ok(Self { program, asks, answers })
    }

    fn ask(&mut self, kind: &str) -> Result<f64, Box<dyn Error>> {
        std::thread::sleep(PAUSE);
        writeln!(self.asks, "{kind}")?;
        let mut line = String::new();
        self.answers.read_line(&mut line)?;
        Ok(line.trim().parse()?)
    }
}

impl Drop for Side {
    fn drop(&mut self) {
        // The process holds nothing that would be lost.
        let _ = self.program.kill();
        let _ = self.program.wait();
    }
}
