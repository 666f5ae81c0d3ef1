//! The ways to an agent.

mod acp;
mod command;
mod served;
mod web;

pub(crate) use acp::run as acp;
pub(crate) use command::run as command;
pub(crate) use served::{a2a, free_port, http};

use crate::ready::{Ended, Ready};
use koab_core::say;
use koab_core::sentence::Sentence;
use std::process::ExitStatus;

/// The program of a definition with the attempt's values.
fn filled(ready: &Ready<'_>) -> Vec<String> {
    let command = ready.definition.command.iter();
    command.map(|part| ready.values.fill(part)).collect()
}

/// A sentence for a program that cannot be started.
fn not_started(ready: &Ready<'_>, why: Sentence) -> Sentence {
    match &ready.definition.install {
        Some(install) => say!("{why}; install it with `{install}`"),
        None => why,
    }
}

/// The exit code, as far as there is one.
fn code(status: Option<ExitStatus>) -> Option<i32> {
    let status = status?;
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        return Some(128 + signal);
    }
    status.code()
}

/// What a program that ended came to.
fn ended(ready: &Ready<'_>, answer: Option<String>, exit: Option<i32>, outlived: bool) -> Ended {
    let failed = &ready.definition.failed;
    let by_exit = exit.filter(|code| failed.exit.is_some() && *code != 0);
    let said = failed.stdout_has.as_ref();
    let said = said.filter(|text| ready.output.stdout().contains(text.as_str()));
    let failed = match (by_exit, said) {
        (Some(code), _) => Some(say!("it ended with exit code {code}")),
        (None, Some(text)) => Some(say!("it wrote {text}")),
        (None, None) => None,
    };
    Ended {
        answer,
        failed,
        exit,
        outlived,
    }
}
