//! Gathers a run's own files, unchanged, and the facts about the run.

use crate::Exchange;
use koab_bundle::submission::{
    CallSums, FORMAT, Files, JudgedBy, Methodology, Names, Submission, Times, Verification, Versions, check,
    paths, write,
};
use koab_core::judge::JudgePrompts;
use koab_core::pack_identity::of_tools;
use koab_core::run_record::RunManifest;
use koab_core::sentence::{Language, ToSentence};
use koab_core::{say, text};
use koab_report::Report;
use koab_report::comparability::{
    Aspect, Fact, Facts, FindingCode, PUBLISHED_PROMPTS, PUBLISHED_TASKS_A_LEVEL, PackName, with_leaderboard,
};
use koab_store::report_files;
use koab_store::run_log::JOURNAL;
use koab_store::runs::{self, RunEntry};
use koab_workspace::WireError;
use koab_workspace::clock::today;

/// A submission that is ready to be written.
pub(super) struct PreparedSubmission {
    pub(super) report_id: String,
    pub(super) run_id: String,
    /// Proposed name of the submission's folder or file.
    pub(super) name: String,
    pub(super) defaults: Names,
    pub(super) submission: Submission,
    pub(super) files: Files,
}

impl Exchange {
    pub(super) fn gather_submission(
        &self,
        report_id: &str,
        run: Option<RunEntry>,
        language: Option<Language>,
    ) -> Result<PreparedSubmission, WireError> {
        let open = self.runs.library.open_report(report_id)?;
        if open.loaded.report.is_of_another_benchmark() {
            return Err(WireError::bad_request(say!(
                "report {report_id} is of another benchmark, and the leaderboard takes runs of Ko-AgentBench only; `koab submit bundle` packs its run with everything that its figures come from"
            )));
        }
        let run_id = open.loaded.view.as_ref().and_then(|view| view.run.clone());
        let entry = match (run, run_id) {
            (Some(entry), _) => entry,
            // The run that the report names, even if its logs have changed. Differences become
            // objections.
            (None, Some(run_id)) => runs::find(&self.workspace.home().logs(), &run_id)?,
            (None, None) => self.runs.library.scored_run(&open).map_err(WireError::not_found)?.entry,
        };
        let report = &open.loaded.report;
        let day = day_of(&entry, report);
        let mut files = Files::new();
        for name in [report_files::JSON, report_files::CSV, report_files::MARKDOWN] {
            let content = report_files::file(&open.folder.folder, name)?.ok_or_else(|| match name {
                report_files::CSV => no_summary(report_id),
                name => WireError::not_found(say!(
                    "report {report_id} has no {name}; score its run again with `koab score --format all`"
                )),
            })?;
            files.put(paths::of_report(&entry.model_folder, &day, name), content);
        }
        for (level, path) in &entry.run.levels {
            files.put(paths::log(&entry.model_folder, &entry.date, level), content_of(path)?);
        }
        let journal = entry.run.folder.join(JOURNAL);
        if journal.is_file() {
            files.put(paths::of_run(&entry.model_folder, &entry.date, JOURNAL), content_of(&journal)?);
        }
        let manifest = entry.run.manifest()?;
        let facts = match &manifest {
            Some(_) => self.runs.library.facts_of_scored(&entry, report),
            None => self.runs.library.facts_of_open(&open),
        };
        let model_id = report.model.clone();
        let defaults = Names::defaults(&model_id, &entry.model_folder);
        let names = self.kept_names(report_id)?.unwrap_or_else(|| defaults.clone());
        let prompts = self.prompts_of(&facts);
        let mut submission = described(&entry, report, facts, manifest.as_ref(), prompts);
        submission.names = names;
        submission.methodology.notes.clone_from(&submission.names.notes);
        submission.judged_by.judges = open.loaded.names_judges.then(|| report.judges.clone());
        // Whether the submission is a standard one follows from the objections to it.
        let faulty = |error: koab_report::CombineError| WireError::bad_file(error.to_sentence());
        let mut draft = files.clone();
        draft.put(paths::SUBMISSION, submission.to_json());
        if Submission::is_custom(&check(&draft, None)) {
            "custom".clone_into(&mut submission.submission_type);
        }
        let submission = write(&mut files, &submission, report, language).map_err(faulty)?;
        Ok(PreparedSubmission {
            report_id: report_id.to_owned(),
            run_id: entry.id.clone(),
            name: format!("{}_{day}_submission", entry.model_folder),
            defaults,
            submission,
            files,
        })
    }

    /// Hash of the judge prompts of the run's pack, if the pack is installed.
    fn prompts_of(&self, facts: &Facts) -> Fact<String> {
        let Some(pack) = facts.pack.value.as_ref() else {
            return Fact::unknown(text!("the run does not name its pack"));
        };
        let loaded =
            self.workspace.pack_of_label(&pack.label()).and_then(|name| self.workspace.load_task_pack(&name));
        let Ok(loaded) = loaded else {
            return Fact::unknown(text!("the pack is not installed"));
        };
        match JudgePrompts::parse(&loaded.judge_prompts) {
            Ok(prompts) => Fact::known(prompts.sha256()),
            Err(error) => Fact::unknown(error.to_sentence()),
        }
    }
}

fn described(
    entry: &RunEntry,
    report: &Report,
    facts: Facts,
    manifest: Option<&RunManifest>,
    prompts_sha256: Fact<String>,
) -> Submission {
    let time = |of: fn(&RunManifest) -> u64| {
        let ms = i64::try_from(of(manifest?)).ok()?;
        jiff::Timestamp::from_millisecond(ms).ok().map(|time| time.to_string())
    };
    let cache = facts.cache.value.as_ref();
    let calls = facts.calls.value.as_ref().map(|calls| {
        let whole = calls.whole();
        CallSums {
            basis: calls.basis,
            hit: whole.hit,
            miss: whole.miss,
            injected: whole.injected,
            refused: whole.refused,
            live: whole.live,
            overlay: whole.overlay,
            hit_rate: whole.hit_rate(),
        }
    });
    Submission {
        format: FORMAT,
        model_id: report.model.clone(),
        model_folder: entry.model_folder.clone(),
        run: entry.date.clone(),
        run_status: manifest.map(|manifest| manifest.status().to_owned()),
        submission_date: today(),
        submission_type: "standard".to_owned(),
        names: Names::default(),
        results: Submission::results_of(report),
        methodology: Methodology {
            evaluation_date: report.evaluation_date.clone(),
            ko_agentbench_version: facts.pack.value.as_ref().map(PackName::label),
            notes: String::new(),
            verification: verification(report, &facts, &prompts_sha256),
        },
        versions: Versions {
            koab: env!("CARGO_PKG_VERSION").to_owned(),
            pack: facts.pack.value.as_ref().map(PackName::label),
            tasks_sha256: facts.tasks_sha256.value.clone(),
            tools_sha256: facts.tools.value.as_ref().map(of_tools),
            records_sha256: facts.records_sha256.value.clone(),
            snapshot: cache.and_then(|cache| cache.snapshot.clone()),
            snapshot_sha256: cache.and_then(|cache| cache.sha256.clone()),
        },
        judged_by: JudgedBy { judges: None, votes: report.votes, scorer: report.scorer.as_str().to_owned() },
        calls,
        times: Times {
            started: time(|manifest| manifest.started_ms),
            ended: time(|manifest| manifest.updated_ms),
        },
        hardware: manifest.and_then(|manifest| manifest.spec.local.clone()),
        facts,
        prompts_sha256,
        files: Vec::new(),
    }
}

fn verification(report: &Report, facts: &Facts, prompts: &Fact<String>) -> Verification {
    let findings = with_leaderboard(facts).findings.into_iter();
    let of_pack = findings.filter(|finding| matches!(finding.aspect, Aspect::Tasks | Aspect::Tools));
    let mut unchanged: Vec<Option<bool>> =
        of_pack.map(|finding| (finding.code != FindingCode::NotKnown).then_some(false)).collect();
    unchanged.push(prompts.value.as_ref().map(|sha256| sha256 == PUBLISHED_PROMPTS));
    let modified_prompts = if unchanged.contains(&Some(false)) {
        Some(true)
    } else if unchanged.contains(&None) {
        None
    } else {
        Some(false)
    };
    let omitted = PUBLISHED_TASKS_A_LEVEL.iter().map(|(level, all)| {
        let level = report.level(level).map_or(Some(0), |level| level.evaluated_tasks)?;
        Some(level < *all as usize)
    });
    let omitted: Option<Vec<bool>> = omitted.collect();
    Verification {
        modified_prompts,
        omitted_questions: omitted.map(|levels| levels.contains(&true)),
        details: "`koab submit validate` compares tasks, tool texts, prompts and recordings with the hashes of the published ones, logs with the journal, and scores with logs and judges' answers".to_owned(),
    }
}

/// Day of the run, `YYYYMMDD`, as in the names of the published folders.
fn day_of(entry: &RunEntry, report: &Report) -> String {
    let digits: String = entry.date.chars().take_while(char::is_ascii_digit).collect();
    if digits.len() == 8 {
        return digits;
    }
    report.execution_date.chars().filter(char::is_ascii_digit).take(8).collect()
}

fn content_of(path: &std::path::Path) -> Result<Vec<u8>, WireError> {
    std::fs::read(path).map_err(|error| {
        let path = path.display();
        WireError::storage(say!("{path} cannot be read: {error}"))
    })
}

pub(super) fn no_summary(report: &str) -> WireError {
    WireError::not_found(say!(
        "report {report} has no evaluation_summary.csv; score its run again with `koab score --format all`"
    ))
}
