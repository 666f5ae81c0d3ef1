//! This program's own file of a report. It contains the complete report, and data that was known
//! only at the time of the scoring. The published files are made from this report.

use crate::reports::figures::in_order;
use crate::table_text::table_text;
use crate::wire::ReportView;
use koab_core::say;
use koab_core::score::MetricSet;
use koab_core::sentence::{Sentence, ToSentence};
use koab_engine::files::if_there;
use koab_engine::files::name_of;
use koab_report::interval::Intervals;
use koab_report::{ItemRows, ReadReport, Report, read_combined, read_json, read_summary, to_csv, to_json};
use koab_store::intake::Origin;
use koab_store::report_files;
use koab_workspace::WireError;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// Current format of the file. The first format had neither a format number nor the report, only a
/// [`ReportView`] with the displayed numbers.
const FORMAT: u32 = 2;

/// A report in the form that is stored.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ReportRecord {
    format: u32,
    /// Set of metrics that the published files contain.
    published: MetricSet,
    /// The report with every metric.
    pub(crate) report: Report,
    /// The report with human overrides, if there are any.
    pub(crate) overridden: Option<Report>,
    /// Intervals of the published metrics. They are stored because they take long to compute.
    pub(crate) intervals: Intervals,
    /// Results per item of another benchmark; empty in reports of Ko-AgentBench.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) items: Vec<ItemRows>,
}

/// Content of the file: the report, and a view without numbers. Versions of the program that know
/// only the first format can read the view.
#[derive(Serialize)]
struct File<'a> {
    #[serde(flatten)]
    whole: &'a ReportRecord,
    #[serde(flatten)]
    view: &'a ReportView,
}

impl ReportRecord {
    /// Creates a record of a report with all metrics. `published` is the set of metrics in the
    /// published files.
    pub fn new(
        report: Report,
        overridden: Option<Report>,
        mut intervals: Intervals,
        published: MetricSet,
    ) -> Self {
        for level in &mut intervals.levels {
            level.means.retain(|(metric, _)| published.has(*metric));
        }
        Self { format: FORMAT, published, report, overridden, intervals, items: Vec::new() }
    }

    /// Adds the results per item of another benchmark.
    pub fn with_items(self, items: Vec<ItemRows>) -> Self {
        Self { items, ..self }
    }

    /// Returns the report that the published files are made from.
    pub fn published(&self) -> Report {
        self.report.with_metrics(self.published)
    }

    /// Returns the content of the file as JSON.
    pub fn text(&self, view: &ReportView) -> Result<String, WireError> {
        serde_json::to_string(&File { whole: self, view }).map_err(WireError::internal)
    }
}

/// This program's own file of a report, as it was read.
pub(crate) struct StoredReport {
    /// The view. It contains numbers only if an earlier version of the program wrote it.
    pub(crate) view: ReportView,
    /// The complete report and its published part, if the published files match it.
    pub(crate) whole: Option<(ReportRecord, Report)>,
    /// Reason why the report in the file is ignored; `None` if it is used.
    pub(crate) note: Option<Sentence>,
}

impl StoredReport {
    /// Reads this program's own report file in a folder; `None` if the folder has no such file.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub(crate) fn read(folder: &Path) -> Result<Option<Self>, WireError> {
        let Some(text) = report_files::file(folder, report_files::KEPT)? else {
            return Ok(None);
        };
        let view = view_of(folder, &text)?;
        let whole = serde_json::from_slice::<ReportRecord>(&text);
        let read = whole.ok().filter(|whole| whole.format == FORMAT);
        let (whole, note) = match read {
            Some(whole) => {
                let published = whole.published();
                if published_file_matches(folder, &published)? {
                    (Some((whole, published)), None)
                } else {
                    (
                        None,
                        Some(say!(
                            "{} differs from the published file beside it, and the published file counts",
                            report_files::KEPT
                        )),
                    )
                }
            }
            // The first format has its numbers in the view.
            None if !view.levels.is_empty() => (None, None),
            None => (
                None,
                Some(say!(
                    "the report in {} cannot be read by this version, so the published file beside it counts",
                    report_files::KEPT
                )),
            ),
        };
        Ok(Some(Self { view, whole, note }))
    }
}

/// Whether the published file of a folder equals the rendering of a report, byte for byte. Also
/// true if the folder has no published file.
fn published_file_matches(folder: &Path, published: &Report) -> Result<bool, WireError> {
    type Rendering = fn(&Report) -> String;
    let files: [(&str, Rendering); 2] = [(report_files::JSON, to_json), (report_files::CSV, to_csv)];
    for (name, rendering) in files {
        if let Some(bytes) = report_files::file(folder, name)? {
            return Ok(bytes == rendering(published).as_bytes());
        }
    }
    Ok(true)
}

/// Returns this program's own data about a report that it made. The report itself is left out.
///
/// # Errors
/// When the file cannot be read.
pub fn stored_view(folder: &Path) -> Result<Option<ReportView>, WireError> {
    let text = report_files::file(folder, report_files::KEPT)?;
    text.map(|text| view_of(folder, &text)).transpose()
}

fn view_of(folder: &Path, text: &[u8]) -> Result<ReportView, WireError> {
    let mut view: ReportView = serde_json::from_slice(text).map_err(|error| {
        let file = folder.join(report_files::KEPT);
        WireError::bad_file(say!("{} cannot be read: {error}; score the run again", file.display()))
    })?;
    // The file may come from another workspace, where the report had another name.
    view.id = name_of(folder);
    view.folder = absolute(folder);
    view.composites = in_order(view.composites);
    Ok(view)
}

/// Reads the published data of a report from its JSON file. Otherwise from its summary, or from its
/// row of a combined summary.
pub fn published(folder: &Path) -> Result<Option<ReadReport>, WireError> {
    let read = |name: &str| {
        let path = folder.join(name);
        if_there(std::fs::read(&path)).map_err(|error| WireError::unreadable(&path, error))
    };
    let faulty =
        |name: &str, why: Sentence| WireError::bad_file(say!("{} {why}", folder.join(name).display()));
    let no_text = || say!("is not text in UTF-8 or CP949");
    let mut data = if let Some(bytes) = read(report_files::JSON)? {
        read_json(&bytes).map_err(|error| faulty(report_files::JSON, error.to_sentence()))?
    } else if let Some(bytes) = read(report_files::CSV)? {
        table_text(&bytes)
            .ok_or_else(no_text)
            .and_then(|text| read_summary(&text).map_err(|error| error.to_sentence()))
            .map_err(|why| faulty(report_files::CSV, why))?
    } else if let Some(bytes) = read(report_files::COMBINED)? {
        let rows = table_text(&bytes)
            .ok_or_else(no_text)
            .and_then(|text| read_combined(&text).map_err(|error| error.to_sentence()));
        let row = rows.and_then(|rows| {
            let first = rows.into_iter().next().ok_or_else(|| say!("has no row"))?;
            first.map_err(|error| error.to_sentence())
        });
        row.map_err(|why| faulty(report_files::COMBINED, why))?.read
    } else {
        return Ok(None);
    };
    if data.model().is_none() {
        let origin = Origin::read(folder);
        data.report.model = origin.and_then(|origin| origin.model).unwrap_or_default();
    }
    Ok(Some(data))
}

/// Returns the absolute path of a folder.
pub fn absolute(folder: &Path) -> String {
    std::path::absolute(folder).unwrap_or_else(|_| PathBuf::from(folder)).display().to_string()
}
