//! Tags and notes of the user on runs and reports.

use crate::db::Store;
use crate::error::Result;
use crate::table::remark::{self as table, About};
use std::collections::HashMap;

/// Tags and note of the user on a run or report. They are kept when the folder is deleted, in case
/// the folder comes back.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Remark {
    /// Tags in the user's order, each once.
    pub tags: Vec<String>,
    /// Note as free text.
    pub note: String,
}

impl Remark {
    /// Makes a remark. Tags are trimmed, and duplicates and empty ones are dropped.
    pub fn new(tags: Vec<String>, note: String) -> Self {
        let mut unique: Vec<String> = Vec::new();
        for tag in tags {
            let tag = tag.trim();
            if !tag.is_empty() && !unique.iter().any(|other| other == tag) {
                unique.push(tag.to_owned());
            }
        }
        Self { tags: unique, note }
    }
}

impl Store {
    /// Remarks on all reports, by the reports' ids.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn report_remarks(&self) -> Result<HashMap<String, Remark>> {
        self.remarks(About::Report)
    }

    /// Remark on a report. Empty by default.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn report_remark(&self, id: &str) -> Result<Remark> {
        self.remark(About::Report, id)
    }

    /// Stores the remark on a report.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub fn set_report_remark(&self, id: &str, remark: &Remark) -> Result<()> {
        self.set_remark(About::Report, id, remark)
    }

    /// Remarks on all runs, by the runs' ids.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn run_remarks(&self) -> Result<HashMap<String, Remark>> {
        self.remarks(About::Run)
    }

    /// Remark on a run. Empty by default.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn run_remark(&self, id: &str) -> Result<Remark> {
        self.remark(About::Run, id)
    }

    /// Stores the remark on a run.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub fn set_run_remark(&self, id: &str, remark: &Remark) -> Result<()> {
        self.set_remark(About::Run, id, remark)
    }

    fn remarks(&self, about: About) -> Result<HashMap<String, Remark>> {
        let rows = table::all(&self.lock(), about)?.into_iter();
        Ok(rows.map(|(id, tags, note)| (id, read(&tags, note))).collect())
    }

    fn remark(&self, about: About, id: &str) -> Result<Remark> {
        let row = table::get(&self.lock(), about, id)?;
        Ok(row.map_or_else(Remark::default, |(tags, note)| read(&tags, note)))
    }

    fn set_remark(&self, about: About, id: &str, remark: &Remark) -> Result<()> {
        let tags = serde_json::Value::from(remark.tags.clone()).to_string();
        table::set(&self.lock(), about, id, &tags, &remark.note)
    }
}

fn read(tags: &str, note: String) -> Remark {
    Remark { tags: serde_json::from_str(tags).unwrap_or_default(), note }
}
