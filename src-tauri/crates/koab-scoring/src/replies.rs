//! Makes reports of replies that were made elsewhere, so that they can be compared with reports of
//! runs.

use crate::Scoring;
use crate::evaluate::part_of;
use crate::report_writer::write;
use koab_core::cache_key::sha256_hex;
use koab_core::judge::Verdicts;
use koab_core::level::Level;
use koab_core::log::LevelLog;
use koab_core::protocol::Protocol;
use koab_core::run_name::model_folder;
use koab_core::say;
use koab_core::score::MetricSet;
use koab_library::ReportView;
use koab_library::comparability::of_replies;
use koab_library::options::Formats;
use koab_library::reports::figures::drawn_at_once;
use koab_library::reports::of_run::CORRECTED;
use koab_library::reports::report_file::{ReportRecord, absolute};
use koab_library::reports::view::bare;
use koab_library::run::made_elsewhere;
use koab_library::verdict_file::keep;
use koab_report::comparability::Comparability;
use koab_report::{Dataset, Evaluated, EvaluationOptions, evaluate_whole};
use koab_store::intake::{Origin, StagedFolder};
use koab_store::runs;
use koab_workspace::WireError;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;

/// Replies that were made elsewhere.
#[derive(Debug)]
pub struct Replies<'a> {
    /// Name that the user gives to the model.
    pub model: &'a str,
    /// Name and version of the pack, `name@version`.
    pub pack: &'a str,
    /// Name of the file with the replies, without its folders.
    pub source: &'a str,
    /// Time of the import, in local time in ISO format.
    pub at: &'a str,
    /// The replies in the form of a run's logs: one log as JSON per group of the benchmark's items,
    /// whose name takes the place of a level.
    pub logs: BTreeMap<Level, Value>,
    /// The items that the replies answer.
    pub dataset: Dataset,
    /// Verdicts of judges on the replies.
    pub verdicts: Verdicts,
}

impl Scoring {
    /// Scores replies that were made elsewhere, and saves one report per scorer in the library.
    ///
    /// The replies themselves are saved as a run without a journal, so that they can be viewed,
    /// overridden and scored again.
    ///
    /// # Errors
    /// When the model's name cannot name a folder, or a file cannot be written.
    pub fn keep_replies(
        &self,
        replies: &Replies<'_>,
        scorers: &[Protocol],
    ) -> Result<Vec<ReportView>, WireError> {
        if replies.model.trim().is_empty() {
            return Err(WireError::bad_request(say!(
                "the model that made the replies has no name; give one, such as --save openai/gpt-4o"
            )));
        }
        let mut logs = Vec::new();
        for (level, document) in &replies.logs {
            logs.push(LevelLog::read_as(level.clone(), document).map_err(WireError::internal)?);
        }
        let run = self.keep_as_run(replies)?;
        let reports = scorers.iter().map(|scorer| self.keep_report(replies, &logs, &run, *scorer));
        reports.collect()
    }

    /// Writes the report of replies that were saved as a run.
    fn keep_report(
        &self,
        replies: &Replies<'_>,
        logs: &[LevelLog],
        run: &str,
        scorer: Protocol,
    ) -> Result<ReportView, WireError> {
        let (folder, date) = run.split_once('/').unwrap_or((run, ""));
        let options = EvaluationOptions {
            model: Some(replies.model.to_owned()),
            scorer,
            metrics: MetricSet::All,
            execution_date: date.chars().take(8).collect(),
            evaluation_date: replies.at.to_owned(),
            ..EvaluationOptions::default()
        };
        let Evaluated { report, items, tables } =
            evaluate_whole(logs, &replies.dataset, &replies.verdicts, &options);
        let ending = match scorer {
            Protocol::Leaderboard => "",
            Protocol::Corrected => CORRECTED,
        };
        let reports = self.workspace.home().reports();
        let date_part = date.replace('_', "-");
        let id = create_free_folder(&reports, |number| match number {
            1 => format!("{folder}_{date_part}{ending}"),
            number => format!("{folder}_{date_part}-{number}{ending}"),
        })?;
        let tasks = self.library.tasks_sha256_of(replies.pack)?;
        let base_view = ReportView {
            folder: absolute(&reports.join(&id)),
            id,
            run: Some(run.to_owned()),
            pack: Some(replies.pack.to_owned()),
            comparability: Some(Comparability::from_facts(of_replies(&report, replies.pack, tasks))),
            notes: made_elsewhere(logs).into_iter().chain(part_of(&replies.dataset, items.len())).collect(),
            benchmark: tables,
            ..bare(&report)
        };
        let intervals = drawn_at_once(&report);
        let whole = ReportRecord::new(report, None, intervals, MetricSet::Head).with_items(items);
        keep(&reports.join(&base_view.id), logs, &replies.verdicts)?;
        write(&reports, base_view, whole, Formats::ALL, None)
    }

    /// Saves the replies as a run and returns its id.
    fn keep_as_run(&self, replies: &Replies<'_>) -> Result<String, WireError> {
        let folder = model_folder(replies.model);
        let home = self.workspace.home();
        let digits: String = replies.at.chars().take(19).filter(char::is_ascii_digit).collect();
        let texts: Vec<(String, String)> =
            replies.logs.iter().map(|(level, log)| (level.log_file(), log.to_string())).collect();
        let mut second: u64 = digits.parse().map_err(WireError::internal)?;
        loop {
            let text = second.to_string();
            let date = format!("{}_{}", &text[..8], &text[8..]);
            let staged = StagedFolder::begin(home.path())?;
            for (name, log) in &texts {
                staged.put(name, log.as_bytes())?;
            }
            let origin = Origin {
                format: 1,
                source: replies.source.to_owned(),
                at: replies.at.to_owned(),
                files: texts.iter().map(|(name, log)| (name.clone(), sha256_hex(log))).collect(),
                ..Origin::default()
            };
            if staged.publish(&runs::new_folder(&home.logs(), replies.model, &date), &origin)? {
                return Ok(format!("{folder}/{date}"));
            }
            // Another run of the model has this second as its date.
            second += if second % 100 >= 59 { 41 } else { 1 };
        }
    }
}

/// Creates the first folder with one of these names that does not exist yet, so that no report is
/// overwritten.
fn create_free_folder(reports: &Path, name: impl Fn(u32) -> String) -> Result<String, WireError> {
    let unwritable = |error: std::io::Error| WireError::unwritable(reports, error);
    std::fs::create_dir_all(reports).map_err(unwritable)?;
    for number in 1.. {
        let id = name(number);
        match std::fs::create_dir(reports.join(&id)) {
            Ok(()) => return Ok(id),
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(unwritable(error)),
        }
    }
    Err(WireError::internal("no name is free"))
}
