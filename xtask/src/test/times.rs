//! Durations of test runs, stored in the user's cache: one file per run, with a row for each step,
//! Rust test, UI test and story.
//!
//! `cargo xtask test --times` prints the newest run next to the ones before it. `minimum.tsv` is
//! made from the counts in the same files.

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Context as _, bail};

use crate::checkout::{Checkout, user_cache};
use crate::{command, out};

/// Number of files that are stored. Older files are deleted.
const MAX_FILES: usize = 200;
/// Number of tests and stories in the list of the slowest.
const SLOWEST: usize = 20;

/// Kind of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    /// A step of `cargo xtask test`.
    Step,
    /// A test of nextest. Its name starts with the name of its test binary.
    Rust,
    /// A test of vitest. Its name starts with the name of its file.
    Ui,
    /// A story of the browser.
    Story,
}

impl Kind {
    const ALL: [Self; 4] = [Self::Step, Self::Rust, Self::Ui, Self::Story];

    fn word(self) -> &'static str {
        match self {
            Self::Step => "step",
            Self::Rust => "rust",
            Self::Ui => "ui",
            Self::Story => "story",
        }
    }
}

/// Duration of one step, test or story.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Timed {
    pub(super) kind: Kind,
    pub(super) name: String,
    pub(super) seconds: f64,
    /// Number of tests in the row: 1 unless the row is a step or a story.
    pub(super) tests: usize,
}

impl Timed {
    /// Row of a single test.
    pub(super) fn test(kind: Kind, name: String, seconds: f64) -> Self {
        Self { kind, name, seconds, tests: 1 }
    }

    /// Binary of a Rust test, file of a UI test, or name of a step or story.
    fn group(&self) -> &str {
        match self.kind {
            Kind::Rust | Kind::Ui => self.name.split(' ').next().unwrap_or(&self.name),
            Kind::Step | Kind::Story => &self.name,
        }
    }

    fn parse(line: &str) -> Option<Self> {
        let mut cells = line.split('\t');
        let word = cells.next()?;
        Some(Self {
            kind: Kind::ALL.into_iter().find(|kind| kind.word() == word)?,
            name: cells.next()?.to_owned(),
            seconds: cells.next()?.parse().ok()?,
            tests: cells.next()?.parse().ok()?,
        })
    }
}

impl fmt::Display for Timed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.name.replace(['\t', '\n', '\r'], " ");
        write!(f, "{}\t{name}\t{:.3}\t{}", self.kind.word(), self.seconds, self.tests)
    }
}

/// A run of `cargo xtask test`.
#[derive(Debug, PartialEq)]
pub(super) struct TestRun {
    /// Short hash of the commit, with `+` if the checkout had changes.
    pub(super) commit: String,
    /// Whether all steps ran.
    pub(super) is_whole: bool,
    pub(super) rows: Vec<Timed>,
}

impl TestRun {
    fn parse(text: &str) -> Option<Self> {
        let mut lines = text.lines();
        let (commit, extent) = lines.next()?.strip_prefix("run\t")?.split_once('\t')?;
        Some(Self {
            commit: commit.to_owned(),
            is_whole: extent == "whole",
            rows: lines.filter_map(Timed::parse).collect(),
        })
    }

    /// Sums of seconds by group.
    fn sums(&self, kind: Kind) -> BTreeMap<&str, f64> {
        let mut sums = BTreeMap::new();
        for row in self.rows.iter().filter(|row| row.kind == kind) {
            *sums.entry(row.group()).or_default() += row.seconds;
        }
        sums
    }
}

impl fmt::Display for TestRun {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let extent = if self.is_whole { "whole" } else { "part" };
        writeln!(f, "run\t{}\t{extent}", self.commit)?;
        self.rows.iter().try_for_each(|row| writeln!(f, "{row}"))
    }
}

/// Stores the times of one run of `cargo xtask test`. `is_whole` means that all steps ran.
///
/// # Errors
/// When the user's cache cannot be written.
pub(super) fn keep(checkout: &Checkout, is_whole: bool, rows: Vec<Timed>) -> anyhow::Result<()> {
    let folder = folder();
    std::fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let commit = commit(checkout);
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH)?.as_secs();
    let name = format!("{seconds}-{}.tsv", commit.trim_end_matches('+'));
    let run = TestRun { commit, is_whole, rows };
    std::fs::write(folder.join(name), run.to_string())?;
    for old in files()?.into_iter().skip(MAX_FILES) {
        std::fs::remove_file(old)?;
    }
    Ok(())
}

/// Prints the newest run. The sums of steps, binaries, files and stories are next to those of the
/// last earlier run that has them. A list of the slowest tests follows.
///
/// # Errors
/// When no run is stored.
pub(super) fn print() -> anyhow::Result<()> {
    let runs = runs()?;
    let Some((newest, earlier)) = runs.split_first() else {
        bail!("no times are kept in {}; `cargo xtask test` keeps them", folder().display());
    };
    for line in table(newest, earlier) {
        out::line(line);
    }
    Ok(())
}

/// Reads the newest run of all steps.
///
/// # Errors
/// When no whole run is stored.
pub(super) fn last_whole() -> anyhow::Result<TestRun> {
    let whole = runs()?.into_iter().find(|run| run.is_whole);
    whole.with_context(|| format!("no whole run is kept in {}", folder().display()))
}

/// Seed for the tests' random draws. All runs of a commit have the same seed. Zero without git.
pub(super) fn seed(checkout: &Checkout) -> u64 {
    u64::from_str_radix(commit(checkout).trim_end_matches('+'), 16).unwrap_or(0)
}

fn table(newest: &TestRun, earlier: &[TestRun]) -> Vec<String> {
    let mut lines =
        vec![format!("times of {}, seconds; those of the last run with the same in brackets", newest.commit)];
    for (kind, title) in [
        (Kind::Step, "steps"),
        (Kind::Rust, "Rust test binaries, sums of their tests"),
        (Kind::Ui, "UI test files, sums of their tests"),
        (Kind::Story, "stories"),
    ] {
        let sums = newest.sums(kind);
        let mut rows: Vec<_> = sums.into_iter().collect();
        if kind != Kind::Step {
            rows.sort_by(|one, other| other.1.total_cmp(&one.1));
        }
        if rows.is_empty() {
            continue;
        }
        let total: f64 = rows.iter().map(|(_, seconds)| seconds).sum();
        lines.push(format!("{title}: {total:.1}"));
        for (name, seconds) in rows {
            let before = earlier.iter().find_map(|run| run.sums(kind).get(name).copied());
            let before = before.map_or_else(String::new, |before| format!(" [{before:.1}]"));
            lines.push(format!("{seconds:>9.1}{before:<10} {name}"));
        }
    }
    lines.push(format!("the {SLOWEST} slowest tests and stories"));
    let mut single: Vec<&Timed> = newest.rows.iter().filter(|row| row.kind != Kind::Step).collect();
    single.sort_by(|one, other| other.seconds.total_cmp(&one.seconds));
    lines.extend(single.iter().take(SLOWEST).map(|row| format!("{:>9.1} {}", row.seconds, row.name)));
    lines
}

fn folder() -> PathBuf {
    user_cache("koab-times")
}

/// Files of stored runs, the newest first.
fn files() -> anyhow::Result<Vec<PathBuf>> {
    let folder = folder();
    if !folder.exists() {
        return Ok(Vec::new());
    }
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "tsv") {
            files.push(path);
        }
    }
    // Names begin with the time in seconds, which has ten digits.
    files.sort_unstable_by(|one, other| other.cmp(one));
    Ok(files)
}

fn runs() -> anyhow::Result<Vec<TestRun>> {
    let mut runs = Vec::new();
    for file in files()? {
        runs.extend(TestRun::parse(&std::fs::read_to_string(file)?));
    }
    Ok(runs)
}

/// Hash of the checkout's commit, with `+` if the checkout has changes; `unknown` without git.
fn commit(checkout: &Checkout) -> String {
    let git = |words: &[&str]| {
        let mut git = Command::new("git");
        git.args(words).current_dir(&checkout.root).stderr(Stdio::null());
        command::stdout_of(&mut git).ok()
    };
    let Some(hash) = git(&["rev-parse", "--short=12", "HEAD"]) else {
        return "unknown".to_owned();
    };
    let is_changed = git(&["status", "--porcelain"]).is_none_or(|changes| !changes.trim().is_empty());
    format!("{}{}", hash.trim(), if is_changed { "+" } else { "" })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(commit: &str, rows: &[(Kind, &str, f64)]) -> TestRun {
        let rows = rows.iter().map(|(kind, name, seconds)| Timed::test(*kind, (*name).to_owned(), *seconds));
        TestRun { commit: commit.to_owned(), is_whole: true, rows: rows.collect() }
    }

    #[test]
    fn a_file_reads_back_as_it_was_written() {
        let run = run("abc+", &[(Kind::Step, "fmt", 1.25), (Kind::Ui, "a.test.ts sums\tup", 0.004)]);
        let read = TestRun::parse(&run.to_string()).expect("it parses");
        assert_eq!((read.commit.as_str(), read.is_whole, read.rows.len()), ("abc+", true, 2));
        assert_eq!(read.rows[0], run.rows[0]);
        assert_eq!(read.rows[1].name, "a.test.ts sums up");
        assert_eq!(TestRun::parse("nonsense"), None);
    }

    #[test]
    fn each_sum_stands_beside_the_last_run_that_had_it() {
        let newest = run(
            "c",
            &[
                (Kind::Rust, "koab-core a::b", 1.0),
                (Kind::Rust, "koab-core a::c", 2.0),
                (Kind::Story, "forks", 9.0),
            ],
        );
        let earlier =
            [run("b", &[(Kind::Story, "forks", 30.0)]), run("a", &[(Kind::Rust, "koab-core a::b", 5.5)])];
        let lines = table(&newest, &earlier);
        let line = |end: &str| lines.iter().find(|line| line.ends_with(end)).cloned().unwrap_or_default();
        assert_eq!(line(" koab-core").split_whitespace().collect::<Vec<_>>(), ["3.0", "[5.5]", "koab-core"]);
        assert_eq!(line(" forks").split_whitespace().next(), Some("9.0"));
        let slowest = lines.iter().skip_while(|line| !line.contains("slowest"));
        let names: Vec<_> = slowest.skip(1).filter_map(|line| line.split_whitespace().next()).collect();
        assert_eq!(names, ["9.0", "2.0", "1.0"]);
    }
}
