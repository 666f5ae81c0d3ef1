//! What a step showed: how many tests passed, which failed, which could not run.

/// Counted tests. A step that is one check counts as one test.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Count {
    /// Tests that passed.
    pub(super) passed: usize,
    /// One sentence for each test that failed.
    pub(super) failures: Vec<String>,
    /// One sentence for each test that could not run here.
    pub(super) skipped: Vec<String>,
}

impl Count {
    /// One test that passed.
    pub(super) fn pass() -> Self {
        Self {
            passed: 1,
            ..Self::default()
        }
    }

    /// One test that failed.
    pub(super) fn fail(reason: impl Into<String>) -> Self {
        Self {
            failures: vec![reason.into()],
            ..Self::default()
        }
    }

    /// One test that could not run here.
    pub(super) fn skip(reason: impl Into<String>) -> Self {
        Self {
            skipped: vec![reason.into()],
            ..Self::default()
        }
    }

    /// Nothing to count.
    pub(super) fn nothing() -> Self {
        Self::default()
    }

    /// How many tests failed.
    pub(super) fn failed(&self) -> usize {
        self.failures.len()
    }

    /// Adds another step's tests.
    pub(super) fn add(&mut self, other: Self) {
        self.passed += other.passed;
        self.failures.extend(other.failures);
        self.skipped.extend(other.skipped);
    }

    /// Counts as failed what could not run.
    pub(super) fn skips_become_failures(&mut self) {
        self.failures.extend(
            self.skipped
                .drain(..)
                .map(|reason| format!("skipped, but required: {reason}")),
        );
    }

    /// Puts the step's name before every sentence.
    pub(super) fn name_after(&mut self, step: &str) {
        for reason in self.failures.iter_mut().chain(&mut self.skipped) {
            *reason = format!("{step}: {reason}");
        }
    }

    /// The line that people and CI read.
    pub(super) fn last_line(&self) -> String {
        let mut line = format!("{} passed, {} failed", self.passed, self.failed());
        if !self.skipped.is_empty() {
            line = format!("{line}, {} skipped", self.skipped.len());
        }
        line
    }

    /// Reads the line that a test program of ours ends with, `N passed, N failed` with an optional `, N skipped`;
    /// lines that start with `FAIL:` or `SKIP:` give the reasons.
    pub(super) fn from_lines(lines: &[String]) -> Option<Self> {
        let (passed, failed) = lines.iter().rev().find_map(|line| parse_last_line(line))?;
        let reasons = |mark: &str| -> Vec<String> {
            lines
                .iter()
                .filter_map(|line| line.trim().strip_prefix(mark))
                .map(|text| text.trim().to_owned())
                .collect()
        };
        let mut failures = reasons("FAIL:");
        // The count is what was promised; the reasons are a courtesy.
        failures.resize(failed, "see its output above".to_owned());
        Some(Self {
            passed,
            failures,
            skipped: reasons("SKIP:"),
        })
    }
}

fn parse_last_line(line: &str) -> Option<(usize, usize)> {
    let mut parts = line.trim().split(", ");
    let passed = parts.next()?.strip_suffix(" passed")?.parse().ok()?;
    let failed = parts.next()?.strip_suffix(" failed")?.parse().ok()?;
    Some((passed, failed))
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
        count.skips_become_failures();
        assert_eq!(count.last_line(), "1 passed, 1 failed");
    }

    #[test]
    fn the_last_count_of_a_program_is_read_back() {
        let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
        let table: [(&str, Option<&str>); 5] = [
            ("ok a\n3 passed, 0 failed", Some("3 passed, 0 failed")),
            (
                "1 passed, 0 failed\n2 passed, 2 failed\nbye",
                Some("2 passed, 2 failed"),
            ),
            (
                "SKIP: no font\n2 passed, 0 failed, 1 skipped",
                Some("2 passed, 0 failed, 1 skipped"),
            ),
            (
                "FAIL: title is wrong\n0 passed, 1 failed",
                Some("0 passed, 1 failed"),
            ),
            ("crashed", None),
        ];
        for (text, expected) in table {
            let count = Count::from_lines(&lines(text));
            assert_eq!(
                count.map(|count| count.last_line()).as_deref(),
                expected,
                "{text:?}"
            );
        }
    }
}
