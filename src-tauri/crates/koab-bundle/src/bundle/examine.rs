//! Everything that is compared with each other once the files of a bundle are read.

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

/// How much was computed again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Reports that were scored again.
    pub reports: usize,
    /// Scores of tasks and means of levels in them.
    pub values: usize,
    /// Of these, those of metrics that ask judges.
    pub judged: usize,
    /// Tasks in the logs.
    pub tasks: usize,
    /// Tool calls whose answers were compared with what gave them.
    pub calls: usize,
    /// Verdicts.
    pub verdicts: usize,
}

/// Compares the files of a bundle with each other and scores its reports again. `attempts` is what
/// the second reading of its journal came to, where it has one.
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
                let found = recompute::check(scorer, entry.judges_named, contents, texts, findings);
                if !entry.judges_named && names_nobody(texts) {
                    let said = say!(
                        "the manifest says that others judged than those whom the report names, and it was made without judges"
                    );
                    findings.failed(CheckName::Reports, place, said);
                } else if !entry.judges_named && recompute::comes_out_by_name(scorer, contents, texts) {
                    let said = say!(
                        "the manifest says that others judged than those whom the report names, and it comes out the same by those"
                    );
                    findings.failed(CheckName::Reports, place, said);
                }
                again.extend(found.map(|found| (scorer, found)));
            }
            (Some(_), None) => findings.failed(
                CheckName::Reports,
                place,
                say!("the manifest speaks of this report and the bundle does not hold it"),
            ),
            (None, Some(_)) => findings.failed(
                CheckName::Reports,
                place,
                say!("is a report that the manifest does not speak of"),
            ),
            (None, None) => {}
        }
    }
    if manifest.reports.is_empty() && contents.reports.is_empty() {
        let said = say!("holds no report: there is no number to compute again");
        findings.open(CheckName::Reports, "", said);
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

/// Whether a report was made without judges: then nobody else can have judged either.
fn names_nobody(texts: &ReportTexts) -> bool {
    texts.report().is_some_and(|report| report.judges.is_empty())
}

fn check_subject(manifest: &Manifest, contents: &Contents, findings: &mut Findings) {
    let before = findings.failures();
    let place = subject::place();
    let wanted = Subject::from_contents(&manifest.subject.run, contents);
    for found in differences(&json!(manifest.subject), &json!(wanted)) {
        let said = say!(
            "`subject.{at}` is {here}, and the files say {there}",
            at = found.at,
            here = found.here,
            there = found.there
        );
        findings.failed(CheckName::Subject, place, said);
    }
    check_times(manifest, contents, findings);
    // The date of a run is the name of its folder; the reports have its day.
    let date = manifest.subject.run.rsplit('/').next().unwrap_or_default();
    for (scorer, report) in subject::reports(contents) {
        if !date.starts_with(report.execution_date.as_str()) {
            let said = say!(
                "`subject.{at}` is {here}, and the files say {there}",
                at = "run",
                here = date,
                there = format!("{} ({})", report.execution_date, scorer.as_str())
            );
            findings.failed(CheckName::Subject, place, said);
        }
    }
    for (what, name, missing) in [
        (WithoutWhat::Journal, names::JOURNAL, contents.journal.is_none()),
        (WithoutWhat::Reports, "reports", manifest.reports.is_empty() && contents.reports.is_empty()),
    ] {
        let (stated, found) = (manifest.lacks(what), u64::from(missing));
        if stated != found {
            let said = say!("says that {stated} of {what} are missing, and {found} are", what = name);
            findings.failed(CheckName::Manifest, place, said);
        }
    }
    let said = say!("what is said of the run agrees with the files");
    findings.held_since(before, CheckName::Subject, place, said);
    let said = say!(
        "`made_by`, the time of day in the run's name and, to within a day, when its logs were written and when it ended are the bundle's own word: nothing else in it holds them"
    );
    findings.open(CheckName::Subject, place, said);
}

/// More than any two clocks of this world are apart: the name of a run and its logs have local
/// time, all else universal.
const A_DAY: i64 = 26 * 3600;

/// What the manifest says of the run's folder and of times, as far as anything else in the bundle
/// tells.
fn check_times(manifest: &Manifest, contents: &Contents, findings: &mut Findings) {
    let subject = &manifest.subject;
    let mut fail = |said: Sentence| findings.failed(CheckName::Subject, subject::place(), said);
    let wanted = subject::created(contents);
    if manifest.created != wanted {
        fail(say!("`created` is {here}, and the files say {there}", here = manifest.created, there = wanted));
    }
    let run = subject.run.clone();
    let (folder, date) = run.split_once('/').unwrap_or((&run, ""));
    if !subject.model.is_empty() && !is_of_model(folder, &subject.model) {
        fail(say!(
            "`subject.run` is {run}, and a run of {model} is in another folder",
            model = subject.model
        ));
    }
    let Some(named) = seconds_of(date) else {
        return fail(say!("`subject.run` is {run}, whose second part is not a date as `20251219_135528`"));
    };
    let place = subject::place();
    let journal = contents.journal.as_ref();
    let first_start = journal.and_then(|journal| journal.starts.first());
    if let Some(start) = first_start {
        let start = of_ms(start.at_ms);
        let span = Span::ALL.from(start.clone()).to(start);
        span.hold(findings, place, "subject.run", &(named, date.to_owned()));
    }
    // A start that lived to write its end wrote all logs anew before.
    let outcome = journal.and_then(|journal| journal.outcome);
    let last_start = journal.and_then(|journal| journal.starts.last());
    let begun = match if outcome.is_some() { last_start } else { first_start } {
        Some(start) => of_ms(start.at_ms),
        None => (named, date.to_owned()),
    };
    let written = Span::ALL.from(begun);
    let end = outcome.and(subject.ended_ms).map(of_ms);
    let end = end.filter(|end| written.hold(findings, place, "subject.ended_ms", end));
    let written = match &end {
        Some(end) => written.to(end.clone()),
        None => written,
    };
    let mut last = None;
    for (level, log) in &contents.logs {
        let text = log.metadata("timestamp").as_str().unwrap_or_default();
        let name = names::level_log(*level);
        match plain_time(text).and_then(|time| seconds_of(&time)) {
            Some(seconds) => {
                let time = (seconds, text.to_owned());
                written.hold(findings, &name, "metadata.timestamp", &time);
                last = last.max(Some(time));
            }
            // Other tools may write times as they like.
            None if journal.is_none() => {}
            None => {
                let here = text.to_owned();
                let said =
                    say!("`metadata.timestamp` is {here}, which is not a time as `2025-12-19T13:55:28`");
                findings.failed(CheckName::Subject, name, said);
            }
        }
    }
    // What is complete ends with its last log; what was broken off may have waited for days.
    if let (Some(end), Some(last), Some(RunOutcome::Completed)) = (end, last, outcome) {
        Span::ALL.to(last).hold(findings, place, "subject.ended_ms", &end);
    }
}

/// A time in seconds, and as it is written.
type Time = (i64, String);

fn of_ms(ms: u64) -> Time {
    ((ms / 1000).cast_signed(), ms.to_string())
}

/// The times that something may have, each end taken from the files.
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

    /// Whether a time lies in it, give or take a day; if not, that is a finding.
    fn hold(&self, findings: &mut Findings, place: &str, at: &str, time: &Time) -> bool {
        let there = if time.0 < self.from.0 - A_DAY {
            &self.from.1
        } else if time.0 > self.to.0 + A_DAY {
            &self.to.1
        } else {
            return true;
        };
        let said = say!("`{at}` is {here}, more than a day from {there} in the files", here = time.1);
        findings.failed(CheckName::Subject, place, said);
        false
    }
}

/// `2025-12-19T13:55:28.123` as the name of a run would say it.
fn plain_time(text: &str) -> Option<String> {
    let (day, time) = text.split_once('T')?;
    let time: String = time.get(..8)?.replace(':', "");
    Some(format!("{}_{time}", day.replace('-', "")))
}
