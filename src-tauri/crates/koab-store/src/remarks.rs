//! What the user says about runs and reports.

use crate::db::Store;
use crate::error::Result;
use crate::table::remark::{self as table, About};
use std::collections::HashMap;

/// What the user says about a run or report. It is kept when the folder goes, for the case that it
/// comes back.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Remark {
    /// Tags in the user's order, each once.
    pub tags: Vec<String>,
    /// Free text.
    pub note: String,
}

impl Remark {
    /// Tags are trimmed, and each is kept once.
    pub fn new(tags: Vec<String>, note: String) -> Self {
        let mut kept: Vec<String> = Vec::new();
        for tag in tags {
            let tag = tag.trim();
            if !tag.is_empty() && !kept.iter().any(|known| known == tag) {
                kept.push(tag.to_owned());
            }
        }
        Self { tags: kept, note }
    }
}

impl Store {
    /// What the user says about reports, by their ids.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn report_remarks(&self) -> Result<HashMap<String, Remark>> {
        self.remarks(About::Report)
    }

    /// What the user says about a report.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn report_remark(&self, id: &str) -> Result<Remark> {
        self.remark(About::Report, id)
    }

    /// Keeps what the user says about a report.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub fn set_report_remark(&self, id: &str, remark: &Remark) -> Result<()> {
        self.set_remark(About::Report, id, remark)
    }

    /// What the user says about runs, by their ids.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn run_remarks(&self) -> Result<HashMap<String, Remark>> {
        self.remarks(About::Run)
    }

    /// What the user says about a run.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn run_remark(&self, id: &str) -> Result<Remark> {
        self.remark(About::Run, id)
    }

    /// Keeps what the user says about a run.
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
