//! Result of a step: tests that passed, failed or could not run.

use super::context::Required;
use super::times::{Kind, Timed};

/// Text that the reason of a skip contains if the reference data is missing.
const REFERENCE_MARK: &str = "../shared";
/// Text that the reason also contains if the data has a public source.
const SOURCE_MARK: &str = "cargo xtask setup parity";

/// Counts of tests. A step that is a single check counts as one test.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Count {
    /// Number of tests that passed.
    pub(super) passed: usize,
    /// One sentence for each failed test.
    pub(super) failures: Vec<String>,
    /// One sentence for each test that this machine could not run.
    pub(super) skipped: Vec<String>,
    /// Names of tests that failed first and passed at a later try. They are also counted in
    /// `passed`.
    pub(super) second_tries: Vec<String>,
    /// Durations of single tests and stories.
    pub(super) times: Vec<Timed>,
}

impl Count {
    /// Count of one passed test.
    pub(super) fn pass() -> Self {
        Self { passed: 1, ..Self::default() }
    }

    /// Count of one failed test, with the reason.
    pub(super) fn fail(reason: impl Into<String>) -> Self {
        Self { failures: vec![reason.into()], ..Self::default() }
    }

    /// Count of one skipped test, with the reason.
    pub(super) fn skip(reason: impl Into<String>) -> Self {
        Self { skipped: vec![reason.into()], ..Self::default() }
    }

    /// Count without tests.
    pub(super) fn nothing() -> Self {
        Self::default()
    }

    /// Number of failed tests.
    pub(super) fn failed(&self) -> usize {
        self.failures.len()
    }

    /// Adds the tests of another count.
    pub(super) fn add(&mut self, other: Self) {
        self.passed += other.passed;
        self.failures.extend(other.failures);
        self.skipped.extend(other.skipped);
        self.second_tries.extend(other.second_tries);
        self.times.extend(other.times);
    }

    /// Number of all tests: passed, failed and skipped.
    pub(super) fn all(&self) -> usize {
        self.passed + self.failures.len() + self.skipped.len()
    }

    /// Turns skips into failures if the tests are required.
    pub(super) fn require(&mut self, required: Required) {
        let (allowed, missed): (Vec<_>, Vec<_>) = match required {
            Required::Nothing => return,
            Required::AllExceptReference => std::mem::take(&mut self.skipped)
                .into_iter()
                .partition(|reason| reason.contains(REFERENCE_MARK)),
            Required::All => (Vec::new(), std::mem::take(&mut self.skipped)),
        };
        self.skipped = allowed;
        self.failures.extend(missed.into_iter().map(|reason| format!("skipped, but required: {reason}")));
    }

    /// Adds a failure if the step has fewer tests than its known minimum.
    ///
    /// A step that could not start has a single skip or a single failure, and is exempt.
    pub(super) fn require_minimum(&mut self, least: usize) {
        let all = self.all();
        if all < least && (self.passed > 0 || all == 0) {
            self.failures.push(format!(
                "{all} tests of at least {least}; where fewer are right, say so in xtask/src/test/minimum.rs"
            ));
        }
    }

    /// Sentences about the tests that were skipped because the reference data is missing.
    pub(super) fn reference_lines(&self) -> Vec<String> {
        let reasons = self.skipped.iter().filter(|reason| reason.contains(REFERENCE_MARK));
        let (fetched, none): (Vec<_>, Vec<_>) = reasons.partition(|reason| reason.contains(SOURCE_MARK));
        let lines = [
            (fetched.len(), "tests were left out; `cargo xtask setup parity` fetches their data"),
            (none.len(), "tests were left out; their data has no public source (xtask/parity.toml)"),
        ];
        let lines = lines.iter().filter(|(tests, _)| *tests > 0);
        lines.map(|(tests, why)| format!("{tests} {why}")).collect()
    }

    /// Puts the name of the step before every sentence.
    pub(super) fn name_after(&mut self, step: &str) {
        let sentences = self.failures.iter_mut().chain(&mut self.skipped);
        for reason in sentences.chain(&mut self.second_tries) {
            *reason = format!("{step}: {reason}");
        }
    }

    /// The summary line for people and CI.
    pub(super) fn last_line(&self) -> String {
        let mut line = format!("{} passed, {} failed", self.passed, self.failed());
        if !self.skipped.is_empty() {
            line = format!("{line}, {} skipped", self.skipped.len());
        }
        line
    }

    /// Parses the output of a test program of this project.
    ///
    /// The last line is `N passed, N failed` with an optional `, N skipped`. Lines with `FAIL:` or
    /// `SKIP:` contain the reasons. A line with `SECOND TRY:` names a test that passed only at a
    /// later try, and `story NAME SECONDS` has the duration of a story.
    pub(super) fn from_lines(lines: &[String]) -> Option<Self> {
        let (passed, failed, skipped) = lines.iter().rev().find_map(|line| parse_last_line(line))?;
        let reasons = |mark: &str| -> Vec<String> {
            lines
                .iter()
                .filter_map(|line| line.trim().strip_prefix(mark))
                .map(|text| text.trim().to_owned())
                .collect()
        };
        let second_tries = reasons("SECOND TRY:");
        let mut failures = reasons("FAIL:");
        // The count is binding. A missing reason is replaced by a general one.
        failures.resize(failed, "see its output above".to_owned());
        let mut reasons = reasons("SKIP:");
        reasons.resize(skipped, "it gave no reason".to_owned());
        Some(Self {
            passed,
            failures,
            skipped: reasons,
            second_tries,
            times: lines.iter().filter_map(|line| story(line)).collect(),
        })
    }
}

fn story(line: &str) -> Option<Timed> {
    let (name, seconds) = line.trim().strip_prefix("story ")?.split_once(' ')?;
    Some(Timed::test(Kind::Story, name.to_owned(), seconds.parse().ok()?))
}

fn parse_last_line(line: &str) -> Option<(usize, usize, usize)> {
    let mut parts = line.trim().split(", ");
    let mut number = |word| parts.next()?.strip_suffix(word)?.parse().ok();
    Some((number(" passed")?, number(" failed")?, number(" skipped").unwrap_or(0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn skips_are_only_shown_when_there_are_any() {
        let mut count = Count::pass();
        assert_eq!(count.last_line(), "1 passed, 0 failed");
        count.add(Count::skip("no display"));
        assert_eq!(count.last_line(), "1 passed, 0 failed, 1 skipped");
        count.require(Required::All);
        assert_eq!(count.last_line(), "1 passed, 1 failed");
    }

    #[test]
    fn only_the_reference_data_may_be_missing_where_all_else_is_required() {
        let mut count = Count::skip("parity::scores: ../shared/parity is not beside the checkout");
        count.add(Count::skip("docker::runs: no dockerd here"));
        count.require(Required::AllExceptReference);
        assert_eq!(count.last_line(), "0 passed, 1 failed, 1 skipped");
        assert_eq!(count.failures, ["skipped, but required: docker::runs: no dockerd here"]);
    }

    #[test]
    fn tests_without_reference_data_are_counted_by_its_source() {
        let mut count = Count::skip("no dockerd here");
        assert!(count.reference_lines().is_empty());
        count.add(Count::skip("../shared/parity is not there; `cargo xtask setup parity` fetches it"));
        count.add(Count::skip("../shared/wire is not there"));
        count.add(Count::skip("../shared/packs is not there"));
        let lines = count.reference_lines();
        assert_eq!(lines.len(), 2);
        assert!(lines[0].starts_with("1 tests") && lines[1].starts_with("2 tests"), "{lines:?}");
    }

    #[test]
    fn fewer_tests_than_known_are_a_failure_unless_the_step_could_not_start() {
        let with = |passed, skipped: usize| Count {
            passed,
            skipped: vec!["why".to_owned(); skipped],
            ..Count::nothing()
        };
        for (mut count, failed) in [
            (with(0, 0), 1),
            (with(9, 0), 1),
            (with(9, 1), 0),
            (with(10, 0), 0),
            (with(0, 1), 0),
            (Count::fail("it does not compile"), 1),
        ] {
            count.require_minimum(10);
            assert_eq!(count.failed(), failed, "{count:?}");
        }
    }

    #[test]
    fn times_and_second_tries_of_a_program_are_read() {
        let text = "ok a\nSECOND TRY: forks: a reload\nstory forks 7.25\n3 passed, 0 failed";
        let lines: Vec<String> = text.lines().map(str::to_owned).collect();
        let count = Count::from_lines(&lines).expect("there is a count");
        assert_eq!(count.second_tries, ["forks: a reload"]);
        assert_eq!(count.times, [Timed::test(Kind::Story, "forks".to_owned(), 7.25)]);
    }

    #[test]
    fn the_last_count_of_a_program_is_read_back() {
        let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
        let table: [(&str, Option<&str>); 6] = [
            ("ok a\n3 passed, 0 failed", Some("3 passed, 0 failed")),
            ("1 passed, 0 failed\n2 passed, 2 failed\nbye", Some("2 passed, 2 failed")),
            ("SKIP: no font\n2 passed, 0 failed, 1 skipped", Some("2 passed, 0 failed, 1 skipped")),
            ("FAIL: title is wrong\n0 passed, 1 failed", Some("0 passed, 1 failed")),
            ("2 passed, 0 failed, 3 skipped", Some("2 passed, 0 failed, 3 skipped")),
            ("crashed", None),
        ];
        for (text, expected) in table {
            let count = Count::from_lines(&lines(text));
            assert_eq!(count.map(|count| count.last_line()).as_deref(), expected, "{text:?}");
        }
    }
}
