//! Reads nextest's `JUnit` report. It has one `testcase` element per test, which contains the
//! test's output.
//!
//! Only the XML that nextest writes is supported: no comments, no CDATA, attributes in double
//! quotes.

use std::collections::BTreeMap;

use super::count::Count;
use super::times::{Kind, Timed};

/// Counts the tests in total and per crate. A passed test that printed a line with `SKIP:` at its
/// start counts as skipped.
pub(super) fn count(report: &str) -> (Count, BTreeMap<String, usize>) {
    let mut count = Count::nothing();
    let mut crates = BTreeMap::new();
    for case in report.split("<testcase ").skip(1) {
        let case = case.split("</testcase>").next().unwrap_or(case);
        let (tag, body) = case.split_once('>').unwrap_or((case, ""));
        let body = if tag.ends_with('/') { "" } else { body };
        let binary = attribute(tag, "classname");
        let name = format!("{binary} {}", attribute(tag, "name"));
        // A test binary other than the crate's own is `crate::binary`.
        let own = binary.split("::").next().unwrap_or_default();
        *crates.entry(own.to_owned()).or_default() += 1;
        if body.contains("<failure") || body.contains("<error") {
            count.failures.push(name.clone());
        } else if let Some(reason) = skip_reason(body) {
            count.skipped.push(format!("{name}: {reason}"));
        } else {
            count.passed += 1;
            if body.contains("<flakyFailure") || body.contains("<flakyError") {
                count.second_tries.push(name.clone());
            }
        }
        // The duration of a failed try is not included in nextest's sum.
        let seconds = attribute(tag, "time").parse().unwrap_or(0.0);
        count.times.push(Timed::test(Kind::Rust, name, seconds));
    }
    (count, crates)
}

fn attribute(tag: &str, name: &str) -> String {
    // The space keeps `name` from matching in `classname`.
    let tag = format!(" {tag}");
    let value = tag.split_once(&format!(" {name}=\"")).and_then(|(_, rest)| rest.split_once('"'));
    value.map(|(value, _)| unescape(value)).unwrap_or_default()
}

fn skip_reason(body: &str) -> Option<String> {
    // The first line of a text follows its tag directly.
    let lines = body.split(['\n', '>']);
    lines.filter_map(|line| line.trim_start().strip_prefix("SKIP:")).map(|text| unescape(text.trim())).next()
}

fn unescape(text: &str) -> String {
    text.replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&quot;", "\"")
        .replace("&apos;", "'")
        .replace("&#39;", "'")
        .replace("&amp;", "&")
        .trim_end_matches("</system-err")
        .to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    const REPORT: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="nextest-run" tests="4" failures="1" errors="0" time="0.1">
    <testsuite name="koab-core" tests="4" disabled="0" errors="0" failures="1">
        <testcase name="task::parses" classname="koab-core" time="0.01"/>
        <testcase name="task::prints" classname="koab-core" time="0.01">
            <system-out>running 1 test
it does not SKIP: anything
</system-out>
        </testcase>
        <testcase name="parity::logs" classname="koab-core::parity" time="0.01">
            <system-err>SKIP: ../shared is not there &amp; nothing was compared
</system-err>
        </testcase>
        <testcase name="score::sr" classname="koab-core" time="0.01">
            <failure message="no" type="test failure">SKIP: would be wrong here</failure>
        </testcase>
    </testsuite>
</testsuites>"#;

    #[test]
    fn a_pass_at_a_second_try_is_named() {
        let flaky = REPORT.replace(
            "<system-out>running",
            r#"<flakyFailure timestamp="x" message="no" type="test failure with exit code 101">…</flakyFailure><system-out>running"#,
        );
        let (count, _) = count(&flaky);
        assert_eq!((count.passed, count.failed()), (2, 1));
        assert_eq!(count.second_tries, ["koab-core task::prints"]);
    }

    #[test]
    fn each_test_has_its_time() {
        let report = REPORT.replace(
            r#""parity::logs" classname="koab-core::parity" time="0.01""#,
            r#""parity::logs" classname="koab-core::parity" time="12.5""#,
        );
        let times = count(&report).0.times;
        assert_eq!(times.len(), 4);
        assert_eq!(times[2], Timed::test(Kind::Rust, "koab-core::parity parity::logs".to_owned(), 12.5));
    }

    #[test]
    fn tests_are_counted_by_what_happened_to_them() {
        let (count, crates) = count(REPORT);
        assert_eq!(crates, BTreeMap::from([("koab-core".to_owned(), 4)]));
        assert_eq!(count.passed, 2);
        assert_eq!(count.failures, ["koab-core score::sr"]);
        assert_eq!(
            count.skipped,
            ["koab-core::parity parity::logs: ../shared is not there & nothing was compared"]
        );
    }
}
