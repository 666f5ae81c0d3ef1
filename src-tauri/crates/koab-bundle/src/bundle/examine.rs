//! Comparisons of the files of a bundle with each other, after they have been read.

use super::attempts::CountedAttempts;
use super::calls;
use super::check::{CheckName, Findings};
use super::contents::{Contents, ReportTexts, SCORERS};
use super::logs;
use super::manifest::{Manifest, WithoutWhat};
use super::names;
use super::recompute::{self, Recomputed};
use super::run;
use super::subject::{self, Subject};
use super::texts::differences;
use super::verdicts;
use koab_core::event::RunOutcome;
use koab_core::protocol::Protocol;
use koab_core::run_name::{is_of_model, seconds_of};
use koab_core::say;
use koab_core::sentence::Sentence;
use serde_json::json;
use std::collections::BTreeMap;

/// Numbers of values and files that were checked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Number of reports that were scored again.
    pub reports: usize,
    /// Number of task scores and level means in the reports that were scored again.
    pub values: usize,
    /// Number of values that depend on judges.
    pub judged: usize,
    /// Number of tasks in the logs.
    pub tasks: usize,
    /// Number of tool calls that have the expected answer.
    pub calls: usize,
    /// Number of verdicts in the bundle.
    pub verdicts: usize,
}

/// Compares the files of a bundle with each other and scores its reports again. `attempts` has what
/// the second reading of the journal found; `None` without a journal.
pub fn examine(
    manifest: &Manifest,
    contents: &Contents,
    attempts: Option<&CountedAttempts>,
    findings: &mut Findings,
) -> (Counts, BTreeMap<Protocol, Recomputed>) {
    run::check_pack(contents, findings);
    run::check_run(contents, findings);
    logs::check(contents, attempts.map(|attempts| &attempts.first), findings);
    if attempts.is_none() {
        calls::unknown(contents, findings);
    }
    verdicts::check_strays(contents, findings);
    let mut again = BTreeMap::new();
    for scorer in SCORERS {
        let entry = manifest.reports.iter().find(|entry| entry.scorer == scorer);
        let texts = contents.reports.get(&scorer);
        let place = names::report(scorer, "");
        match (entry, texts) {
            (Some(entry), Some(texts)) => {
                let recomputed = recompute::check(scorer, entry.judges_named, contents, texts, findings);
                if !entry.judges_named && names_nobody(texts) {
                    let sentence = say!(
                        "the manifest says that the report has other judges than it names, but it was made without judges"
                    );
                    findings.failed(CheckName::Reports, place, sentence);
                } else if !entry.judges_named && recompute::comes_out_by_name(scorer, contents, texts) {
                    let sentence = say!(
                        "the manifest says that the report has other judges than it names, but the judges that it names give the same report"
                    );
                    findings.failed(CheckName::Reports, place, sentence);
                }
                again.extend(recomputed.map(|recomputed| (scorer, recomputed)));
            }
            (Some(_), None) => findings.failed(
                CheckName::Reports,
                place,
                say!("the manifest lists this report and the bundle does not contain it"),
            ),
            (None, Some(_)) => findings.failed(
                CheckName::Reports,
                place,
                say!("is a report that the manifest does not list"),
            ),
            (None, None) => {}
        }
    }
    if manifest.reports.is_empty() && contents.reports.is_empty() {
        let sentence = say!("holds no report: there is no number to compute again");
        findings.open(CheckName::Reports, "", sentence);
    }
    check_subject(manifest, contents, findings);
    let counts = Counts {
        reports: again.len(),
        values: again.values().map(|report| report.values).sum(),
        judged: again.values().map(|report| report.judged).sum(),
        tasks: contents.logs.values().map(|log| log.log.total()).sum(),
        calls: attempts.map_or(0, |attempts| attempts.calls),
        verdicts: contents.verdicts.values().map(Vec::len).sum(),
    };
    (counts, again)
}

/// Whether a report was made without judges. `judges_named` is then always true in a correct
/// manifest: false would mean that judges who are not in the report gave its verdicts.
fn names_nobody(texts: &ReportTexts) -> bool {
    texts.report().is_some_and(|report| report.judges.is_empty())
}

fn check_subject(manifest: &Manifest, contents: &Contents, findings: &mut Findings) {
    let before = findings.failures();
    let place = subject::place();
    let expected = Subject::from_contents(&manifest.subject.run, contents);
    for difference in differences(&json!(manifest.subject), &json!(expected)) {
        let sentence = say!(
            "`subject.{at}` is {here}, and the files say {there}",
            at = difference.at,
            here = difference.here,
            there = difference.there
        );
        findings.failed(CheckName::Subject, place, sentence);
    }
    check_times(manifest, contents, findings);
    // The date of a run is the name of its folder; the reports have its day.
    let date = manifest.subject.run.rsplit('/').next().unwrap_or_default();
    for (scorer, report) in subject::reports(contents) {
        if !date.starts_with(report.execution_date.as_str()) {
            let sentence = say!(
                "`subject.{at}` is {here}, and the files say {there}",
                at = "run",
                here = date,
                there = format!("{} ({})", report.execution_date, scorer.as_str())
            );
            findings.failed(CheckName::Subject, place, sentence);
        }
    }
    for (what, name, missing) in [
        (WithoutWhat::Journal, names::JOURNAL, contents.journal.is_none()),
        (WithoutWhat::Reports, "reports", manifest.reports.is_empty() && contents.reports.is_empty()),
    ] {
        let (stated, found) = (manifest.lacks(what), u64::from(missing));
        if stated != found {
            let sentence = say!("says that {stated} of {what} are missing, and {found} are", what = name);
            findings.failed(CheckName::Manifest, place, sentence);
        }
    }
    let sentence = say!("the manifest's statements about the run agree with the files");
    findings.held_since(before, CheckName::Subject, place, sentence);
    let sentence = say!(
        "`made_by`, the time of day in the run's name and, to within a day, when its logs were written and when it ended are stated by the bundle alone: nothing else in the bundle confirms them"
    );
    findings.open(CheckName::Subject, place, sentence);
}

/// Tolerance of times in seconds, greater than the difference of any two time zones. The name of a
/// run and its logs have local time, all other files have UTC.
const TIME_TOLERANCE_SECONDS: i64 = 26 * 3600;

/// Compares the run's folder and the times in the manifest with the other files of the bundle, if
/// these have times.
fn check_times(manifest: &Manifest, contents: &Contents, findings: &mut Findings) {
    let subject = &manifest.subject;
    let mut fail = |sentence: Sentence| findings.failed(CheckName::Subject, subject::place(), sentence);
    let created = subject::created(contents);
    if manifest.created != created {
        fail(say!(
            "`created` is {here}, and the files say {there}",
            here = manifest.created,
            there = created
        ));
    }
    let run = subject.run.clone();
    let (folder, date) = run.split_once('/').unwrap_or((&run, ""));
    if !subject.model.is_empty() && !is_of_model(folder, &subject.model) {
        fail(say!(
            "`subject.run` is {run}, and a run of {model} is in another folder",
            model = subject.model
        ));
    }
    let Some(named_seconds) = seconds_of(date) else {
        return fail(say!(
            "`subject.run` is {run}, whose second part is not a date such as `20251219_135528`"
        ));
    };
    let place = subject::place();
    let journal = contents.journal.as_ref();
    let first_start = journal.and_then(|journal| journal.starts.first());
    if let Some(start) = first_start {
        let start = of_ms(start.at_ms);
        let span = Span::ALL.from(start.clone()).to(start);
        span.hold(findings, place, "subject.run", &(named_seconds, date.to_owned()));
    }
    // A start that recorded its end wrote all logs again before that.
    let outcome = journal.and_then(|journal| journal.outcome);
    let last_start = journal.and_then(|journal| journal.starts.last());
    let start_time = match if outcome.is_some() { last_start } else { first_start } {
        Some(start) => of_ms(start.at_ms),
        None => (named_seconds, date.to_owned()),
    };
    let log_times = Span::ALL.from(start_time);
    let end = outcome.and(subject.ended_ms).map(of_ms);
    let end = end.filter(|end| log_times.hold(findings, place, "subject.ended_ms", end));
    let log_times = match &end {
        Some(end) => log_times.to(end.clone()),
        None => log_times,
    };
    let mut last = None;
    for (level, log) in &contents.logs {
        let text = log.metadata("timestamp").as_str().unwrap_or_default();
        let name = names::level_log(level);
        match plain_time(text).and_then(|time| seconds_of(&time)) {
            Some(seconds) => {
                let time = (seconds, text.to_owned());
                log_times.hold(findings, &name, "metadata.timestamp", &time);
                last = last.max(Some(time));
            }
            // Other tools may have another format of times.
            None if journal.is_none() => {}
            None => {
                let here = text.to_owned();
                let sentence =
                    say!("`metadata.timestamp` is {here}, which is not a time such as `2025-12-19T13:55:28`");
                findings.failed(CheckName::Subject, name, sentence);
            }
        }
    }
    // A complete run ends with its last log. An interrupted run may have paused for days.
    if let (Some(end), Some(last), Some(RunOutcome::Completed)) = (end, last, outcome) {
        Span::ALL.to(last).hold(findings, place, "subject.ended_ms", &end);
    }
}

/// Time in seconds, with its original text.
type Time = (i64, String);

fn of_ms(ms: u64) -> Time {
    ((ms / 1000).cast_signed(), ms.to_string())
}

/// Range of times that are possible according to the files.
struct Span {
    from: Time,
    to: Time,
}

impl Span {
    const ALL: Self = Self { from: (i64::MIN / 2, String::new()), to: (i64::MAX / 2, String::new()) };

    fn from(self, from: Time) -> Self {
        Self { from, ..self }
    }

    fn to(self, to: Time) -> Self {
        Self { to, ..self }
    }

    /// Whether `time`, the value of the field `at`, is within the range, with a tolerance of one
    /// day. Otherwise a finding is added.
    fn hold(&self, findings: &mut Findings, place: &str, at: &str, time: &Time) -> bool {
        let there = if time.0 < self.from.0 - TIME_TOLERANCE_SECONDS {
            &self.from.1
        } else if time.0 > self.to.0 + TIME_TOLERANCE_SECONDS {
            &self.to.1
        } else {
            return true;
        };
        let sentence = say!("`{at}` is {here}, more than a day from {there} in the files", here = time.1);
        findings.failed(CheckName::Subject, place, sentence);
        false
    }
}

/// Converts a time such as `2025-12-19T13:55:28.123` to the form that names of runs have, here
/// `20251219_135528`. `None` without a time of day.
fn plain_time(text: &str) -> Option<String> {
    let (day, time) = text.split_once('T')?;
    let time: String = time.get(..8)?.replace(':', "");
    Some(format!("{}_{time}", day.replace('-', "")))
}
