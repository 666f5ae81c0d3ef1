//! Everything that is held against each other once the files of a bundle are read.

use super::calls;
use super::check::{CheckName, Findings};
use super::contents::{Contents, SCORERS};
use super::logs;
use super::manifest::{Manifest, WithoutWhat};
use super::names;
use super::recompute::{self, Recomputed};
use super::run;
use super::said::Said;
use super::subject::{self, Subject};
use super::texts::differences;
use super::verdicts;
use crate::score::Scorer;
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
    /// Tool calls whose answers were held against what gave them.
    pub calls: usize,
    /// Verdicts.
    pub verdicts: usize,
}

/// Holds the files of a bundle against each other and scores its reports again.
pub fn examine(
    manifest: &Manifest,
    contents: &Contents,
    findings: &mut Findings,
) -> (Counts, BTreeMap<Scorer, Recomputed>) {
    run::check_pack(contents, findings);
    run::check_run(contents, findings);
    logs::check(contents, findings);
    let looked = calls::check(manifest, contents, findings);
    verdicts::check_strays(contents, findings);
    let mut again = BTreeMap::new();
    for scorer in SCORERS {
        let entry = manifest.reports.iter().find(|entry| entry.scorer == scorer);
        let texts = contents.reports.get(&scorer);
        let place = names::report(scorer, "");
        match (entry, texts) {
            (Some(entry), Some(texts)) => {
                let found = recompute::check(scorer, entry.judges_named, contents, texts, findings);
                again.extend(found.map(|found| (scorer, found)));
            }
            (Some(_), None) => findings.failed(CheckName::Reports, place, Said::ReportMissing {}),
            (None, Some(_)) => findings.failed(CheckName::Reports, place, Said::ReportUnnamed {}),
            (None, None) => {}
        }
    }
    if manifest.reports.is_empty() && contents.reports.is_empty() {
        findings.open(CheckName::Reports, "", Said::NoReports {});
    }
    check_subject(manifest, contents, findings);
    let counts = Counts {
        reports: again.len(),
        values: again.values().map(|report| report.values).sum(),
        judged: again.values().map(|report| report.judged).sum(),
        tasks: contents.logs.values().map(|log| log.log.total()).sum(),
        calls: looked.held,
        verdicts: contents.verdicts.values().map(Vec::len).sum(),
    };
    (counts, again)
}

fn check_subject(manifest: &Manifest, contents: &Contents, findings: &mut Findings) {
    let before = findings.failures();
    let place = subject::place();
    let wanted = Subject::of(&manifest.subject.run, contents);
    for found in differences(&json!(manifest.subject), &json!(wanted)) {
        let said = Said::SubjectDiffers {
            at: found.at,
            here: found.here,
            there: found.there,
        };
        findings.failed(CheckName::Subject, place, said);
    }
    // The date of a run is the name of its folder; the reports have its day.
    let date = manifest.subject.run.rsplit('/').next().unwrap_or_default();
    for (scorer, report) in subject::reports(contents) {
        if !date.starts_with(report.execution_date.as_str()) {
            let said = Said::SubjectDiffers {
                at: "run".to_owned(),
                here: date.to_owned(),
                there: format!("{} ({})", report.execution_date, scorer.as_str()),
            };
            findings.failed(CheckName::Subject, place, said);
        }
    }
    for (what, name, missing) in [
        (WithoutWhat::Journal, names::JOURNAL, contents.journal.is_none()),
        (
            WithoutWhat::Reports,
            "reports",
            manifest.reports.is_empty() && contents.reports.is_empty(),
        ),
    ] {
        let (stated, found) = (manifest.lacks(what), u64::from(missing));
        if stated != found {
            let said = Said::WithoutWrong {
                what: name.to_owned(),
                stated: stated.to_string(),
                found: found.to_string(),
            };
            findings.failed(CheckName::Manifest, place, said);
        }
    }
    if findings.failures() == before {
        findings.held(CheckName::Subject, place, Said::SubjectHeld {});
    }
}
