//! A report of replies that were made elsewhere, to be compared with those of runs.

use crate::Runs;
use crate::comparability::of_replies;
use crate::options::Formats;
use crate::reports::figures::drawn_at_once;
use crate::reports::of_run::CORRECTED;
use crate::reports::report_file::{ReportRecord, absolute};
use crate::reports::view::bare;
use crate::scoring::part_of;
use crate::scoring::verdict_file::keep;
use crate::scoring::written::write;
use crate::wire::{ReportView, WireError};
use koab_core::judge::Verdicts;
use koab_core::log::LevelLog;
use koab_core::pack_identity::tasks_sha256;
use koab_core::protocol::Protocol;
use koab_core::run_name::model_folder;
use koab_core::say;
use koab_core::score::MetricSet;
use koab_engine::ports::Clock as _;
use koab_report::comparability::Comparability;
use koab_report::{Dataset, Evaluated, EvaluationOptions, evaluate_whole};
use koab_workspace::clock::SystemClock;
use std::path::Path;

/// Replies that were made elsewhere.
#[derive(Debug)]
pub struct Replies<'a> {
    /// The model, as the user names it.
    pub model: &'a str,
    /// `name@version` of the pack.
    pub pack: &'a str,
    /// The file that they came in, without its folders.
    pub source: &'a str,
    /// The replies as logs.
    pub logs: Vec<LevelLog>,
    /// The items that they are to.
    pub dataset: Dataset,
    /// What judges said about them.
    pub verdicts: Verdicts,
}

impl Runs {
    /// Scores replies that were made elsewhere and keeps the report in the library.
    ///
    /// # Errors
    /// When the model cannot name a folder, or the disk refuses.
    pub fn keep_replies(&self, replies: &Replies<'_>, scorer: Protocol) -> Result<ReportView, WireError> {
        let folder = model_folder(replies.model);
        if replies.model.trim().is_empty() {
            return Err(WireError::bad_request(say!(
                "the model that made the replies has no name; give one, such as --save openai/gpt-4o"
            )));
        }
        let now = SystemClock.local_iso();
        let digits = |text: &str| text.chars().filter(char::is_ascii_digit).collect::<String>();
        let (day, time) = (digits(&now[..10]), digits(&now[11..19]));
        let options = EvaluationOptions {
            model: Some(replies.model.to_owned()),
            scorer,
            metrics: MetricSet::All,
            execution_date: day.clone(),
            evaluation_date: now,
            ..EvaluationOptions::default()
        };
        let Evaluated {
            report,
            items,
            tables,
        } = evaluate_whole(&replies.logs, &replies.dataset, &replies.verdicts, &options);
        let ending = match scorer {
            Protocol::Leaderboard => "",
            Protocol::Corrected => CORRECTED,
        };
        let reports = self.workspace.home().reports();
        let id = free(&reports, |number| match number {
            1 => format!("{folder}_{day}-{time}{ending}"),
            number => format!("{folder}_{day}-{time}-{number}{ending}"),
        })?;
        let pack = self.workspace.pack_of_label(replies.pack);
        let tasks = pack.and_then(|name| self.workspace.load_pack(&name));
        let tasks = tasks.ok().map(|pack| tasks_sha256(&pack.tasks));
        let known = ReportView {
            folder: absolute(&reports.join(&id)),
            id,
            pack: Some(replies.pack.to_owned()),
            comparability: Some(Comparability::of(of_replies(&report, replies.pack, tasks))),
            notes: [say!(
                "the replies were made elsewhere and read from {}",
                replies.source
            )]
            .into_iter()
            .chain(part_of(&replies.dataset, items.len()))
            .collect(),
            benchmark: tables,
            ..bare(&report)
        };
        let intervals = drawn_at_once(&report);
        let whole = ReportRecord::new(report, None, intervals, MetricSet::Head).with_items(items);
        keep(&reports.join(&known.id), &replies.logs, &replies.verdicts)?;
        write(&reports, known, whole, Formats::ALL, None)
    }
}

/// Makes the first folder of these names that is not there yet: a report is never written over another.
fn free(reports: &Path, name: impl Fn(u32) -> String) -> Result<String, WireError> {
    let refused =
        |error: std::io::Error| WireError::storage(say!("{} cannot be written: {error}", reports.display()));
    std::fs::create_dir_all(reports).map_err(refused)?;
    for number in 1.. {
        let id = name(number);
        match std::fs::create_dir(reports.join(&id)) {
            Ok(()) => return Ok(id),
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(refused(error)),
        }
    }
    Err(WireError::internal("no name is free"))
}
