//! Arguments of `koab runs set` and `koab runs retry`: changes of a run while it is being made.

use super::name::RunName;
use clap::{ArgGroup, Args};
use koab_core::run_record::{RetriedAttempt, RunChange};
use std::str::FromStr;

/// Word for a cap that is removed.
const NO_CAP: &str = "none";

/// A new cap; `None` removes the cap.
type Cap<T> = Option<T>;

#[derive(Debug, Args)]
#[command(group = ArgGroup::new("change").required(true).multiple(true).args([
    "concurrency", "timeout", "max_steps", "max_cost", "max_total_tokens", "base_url", "judge_models", "leave_out",
]))]
pub(crate) struct SetArgs {
    #[command(flatten)]
    pub(crate) of: RunName,
    /// Attempts in flight
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    concurrency: Option<u32>,
    /// Time limit in seconds, for attempts that begin later
    #[arg(long, value_name = "S")]
    timeout: Option<f64>,
    /// Model turns of an attempt, for attempts that begin later
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    max_steps: Option<u32>,
    /// Cap on the cost of the run, incl. earlier sessions; `none` removes it
    #[arg(long, value_name = "USD", value_parser = cap::<f64>)]
    max_cost: Option<Cap<f64>>,
    /// Cap on the tokens of the run, incl. earlier sessions; `none` removes it
    #[arg(long, value_name = "N", value_parser = cap::<u64>)]
    max_total_tokens: Option<Cap<u64>>,
    /// Address of the model's server, for calls that are sent later
    #[arg(long, value_name = "URL")]
    base_url: Option<String>,
    /// Judge models of a run that the window or `koab serve` scores after its end
    #[arg(long, alias = "judge", num_args = 1.., value_name = "MODEL")]
    judge_models: Vec<String>,
    /// Address of the judges' server
    #[arg(long, value_name = "URL", requires = "judge_models")]
    judge_base_url: Option<String>,
    /// Tasks that are not begun any more
    #[arg(long, num_args = 1.., value_name = "TASK")]
    leave_out: Vec<String>,
}

#[derive(Debug, Args)]
#[command(group = ArgGroup::new("failed").required(true).args(["task", "all_failed"]))]
pub(crate) struct RetryArgs {
    #[command(flatten)]
    pub(crate) of: RunName,
    /// Task whose failed attempts are made again; may be given several times
    #[arg(long, value_name = "ID")]
    task: Vec<String>,
    /// Only this repetition of the tasks, counted from 1
    #[arg(long, value_name = "N", requires = "task", value_parser = clap::value_parser!(u32).range(1..))]
    repetition: Option<u32>,
    /// Make all failed attempts again
    #[arg(long)]
    all_failed: bool,
}

impl SetArgs {
    pub(crate) fn changes(self) -> Vec<RunChange> {
        let Self {
            of: _,
            concurrency,
            timeout,
            max_steps,
            max_cost,
            max_total_tokens,
            base_url,
            judge_models,
            judge_base_url,
            leave_out,
        } = self;
        let changes = [
            concurrency.map(|to| RunChange::Concurrency { to, from: None }),
            timeout.map(|to| RunChange::Timeout { to, from: None }),
            max_steps.map(|to| RunChange::MaxSteps { to, from: None }),
            max_cost.map(|to| RunChange::MaxCost { to, from: None }),
            max_total_tokens.map(|to| RunChange::MaxTotalTokens { to, from: None }),
            base_url.map(|to| RunChange::BaseUrl { to, from: None }),
            (!judge_models.is_empty()).then_some(RunChange::Judges {
                to: judge_models,
                base_url: judge_base_url,
                from: Vec::new(),
            }),
            (!leave_out.is_empty()).then_some(RunChange::LeaveOut { tasks: leave_out }),
        ];
        changes.into_iter().flatten().collect()
    }
}

impl RetryArgs {
    /// The attempts to make again; empty for all failed ones.
    pub(crate) fn attempts(self) -> Vec<RetriedAttempt> {
        let repetition = self.repetition;
        self.task.into_iter().map(|task| RetriedAttempt { task, repetition }).collect()
    }
}

fn cap<T: FromStr>(text: &str) -> Result<Cap<T>, String> {
    if text == NO_CAP {
        return Ok(None);
    }
    text.parse().map(Some).map_err(|_| format!("give a number, or {NO_CAP}"))
}
