//! First argument of many commands: the name of a run or a report.

use clap::Args;

#[derive(Debug, Args)]
pub(crate) struct RunName {
    /// The run: its id as `koab runs list` shows it, `last` for the newest, or its folder
    #[arg(value_name = "RUN")]
    pub(crate) run: String,
}

/// A run, or every run.
#[derive(Debug, Args)]
pub(crate) struct RunNameOrAll {
    /// The run: its id as `koab runs list` shows it, `last` for the newest, or its folder (default:
    /// all of them)
    #[arg(value_name = "RUN")]
    pub(crate) run: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct RunNames {
    /// Runs, each by its id as `koab runs list` shows it, `last` for the newest, or its folder; or
    /// reports, whose runs are meant
    #[arg(required = true, value_name = "RUN")]
    pub(crate) runs: Vec<String>,
}

#[derive(Debug, Args)]
pub(crate) struct ReportName {
    /// The report: its id as `koab report list` shows it, or its run by id, `last` for the newest,
    /// or folder
    #[arg(value_name = "REPORT")]
    pub(crate) report: String,
}

#[derive(Debug, Args)]
pub(crate) struct ReportNames {
    /// Reports, each by its id as `koab report list` shows it, or by its run: id, `last` for the
    /// newest, or folder
    #[arg(value_name = "REPORT")]
    pub(crate) reports: Vec<String>,
}
